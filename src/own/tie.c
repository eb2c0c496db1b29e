/* SPDX-License-Identifier: MIT
 *
 * What ties a protocol's file to a table of what two agents become.
 *
 * Even if it is compiled without n in its world, the rule may find n elsewhere: in a variable that
 * its `check` or its sets have written, or by a call. So the file is compiled again, with a section
 * for each function and variable, and linked so that only what the rule, the output and the numbers
 * of values reach is kept. If no writable data is left and nothing outside is called, they are
 * functions of their arguments, provided that the C of the file is defined.
 */
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "own/parts.h"

/* What compilers call for themselves; it has no memory of its own. */
static bool is_compilers(const char *name)
{
    static const char *const NAMES[] = {"memcpy", "memmove", "memset", "memcmp",
                                        "_GLOBAL_OFFSET_TABLE_"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        if (strcmp(name, NAMES[i]) == 0)
            return true;
    return false;
}

/* An object in memory. Whatever it says of places is looked up within its size. */
struct object {
    const char *bytes;
    size_t size;
    const ElfW(Shdr) * sections;
    size_t count;
};

static const void *part(const struct object *object, uint64_t at, uint64_t size)
{
    return at <= object->size && size <= object->size - at ? object->bytes + at : NULL;
}

/* A name in a table of strings; "" if there is none. */
static const char *name_at(const struct object *object, size_t table, uint32_t at)
{
    const ElfW(Shdr) *names = table < object->count ? &object->sections[table] : NULL;
    const char *text = names ? part(object, names->sh_offset, names->sh_size) : NULL;
    return text && at < names->sh_size && memchr(text + at, 0, names->sh_size - at) ? text + at
                                                                                    : "";
}

static bool is_writable(const struct object *object, const ElfW(Shdr) * section, size_t names)
{
    static const char CONSTANT[] = ".data.rel.ro"; /* written by the loader alone */
    return section->sh_flags & SHF_ALLOC && section->sh_flags & SHF_WRITE && section->sh_size > 0 &&
           strncmp(name_at(object, names, section->sh_name), CONSTANT, sizeof CONSTANT - 1) != 0;
}

/* The name of the symbol that a relocation is about, if it is not in the object; else "". */
static const char *missing(const struct object *object, const ElfW(Shdr) * section,
                           const char *entry)
{
    const ElfW(Shdr) *symbols =
        section->sh_link < object->count ? &object->sections[section->sh_link] : NULL;
    const uint64_t number = sizeof(ElfW(Addr)) == 8 ? ((const ElfW(Rel) *)entry)->r_info >> 32
                                                    : ((const ElfW(Rel) *)entry)->r_info >> 8;
    const ElfW(Sym) *symbol =
        symbols ? part(object, symbols->sh_offset + number * sizeof *symbol, sizeof *symbol) : NULL;
    return symbol && symbol->st_shndx == SHN_UNDEF
               ? name_at(object, symbols->sh_link, symbol->st_name)
               : "";
}

/* The first thing that is called or read and is not in the object; "" if there is none. */
static const char *find_missing(const struct object *object)
{
    for (size_t i = 0; i < object->count; i++) {
        const ElfW(Shdr) *section = &object->sections[i];
        const bool relocates = section->sh_type == SHT_REL || section->sh_type == SHT_RELA;
        const char *entries = part(object, section->sh_offset, section->sh_size);
        if (!relocates || !entries || section->sh_entsize < sizeof(ElfW(Rel)))
            continue;
        for (uint64_t at = 0; at + section->sh_entsize <= section->sh_size;
             at += section->sh_entsize) {
            const char *name = missing(object, section, entries + at);
            if (name[0] && !is_compilers(name))
                return name;
        }
    }
    return "";
}

static enum rl_status look(struct object object, const char *path, struct rl_error *error)
{
    const ElfW(Ehdr) *head = part(&object, 0, sizeof *head);
    if (!head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0)
        return rl_error_set(error, RL_IO, "the compiler's output for %s is not an ELF object",
                            path);
    object.sections = part(&object, head->e_shoff, (uint64_t)head->e_shnum * sizeof(ElfW(Shdr)));
    object.count = object.sections ? head->e_shnum : 0;
    if (object.count == 0)
        return rl_error_set(error, RL_IO, "%s: the object has no sections", path);
    const char *name = find_missing(&object);
    bool writable = false;
    for (size_t i = 0; i < object.count; i++)
        writable |= is_writable(&object, &object.sections[i], head->e_shstrndx);
    if (!writable && !name[0])
        return RL_OK;
    return own_refuse(path, error,
                      "its rule, its output or its numbers of values %s%s, which is not %s: they "
                      "may depend only on their arguments",
                      writable ? "use a variable" : "call ", writable ? "" : name,
                      writable ? "constant" : "in the file");
}

enum rl_status own_look_at_rule(const char *file, const char *path, struct rl_error *error)
{
    char *bytes;
    struct object object = {0};
    enum rl_status status = own_read(file, 64 << 20, &bytes, &object.size, error);
    object.bytes = bytes;
    if (!status)
        status = look(object, path, error);
    free(bytes);
    return status;
}
