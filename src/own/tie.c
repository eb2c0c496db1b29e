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

/* An object in memory. The compiler has just made it, so that it is what it says. */
struct object {
    const char *bytes;
    const ElfW(Shdr) * sections;
    size_t count;
};

/* A name in a table of strings. */
static const char *name_at(const struct object *object, size_t table, uint32_t at)
{
    return object->bytes + object->sections[table].sh_offset + at;
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
    const ElfW(Shdr) *symbols = &object->sections[section->sh_link];
    const uint64_t number = sizeof(ElfW(Addr)) == 8 ? ((const ElfW(Rel) *)entry)->r_info >> 32
                                                    : ((const ElfW(Rel) *)entry)->r_info >> 8;
    const ElfW(Sym) *symbol = (const ElfW(Sym) *)(object->bytes + symbols->sh_offset) + number;
    return symbol->st_shndx == SHN_UNDEF ? name_at(object, symbols->sh_link, symbol->st_name) : "";
}

/* The first thing that is called or read and is not in the object; "" if there is none. */
static const char *find_missing(const struct object *object)
{
    for (size_t i = 0; i < object->count; i++) {
        const ElfW(Shdr) *section = &object->sections[i];
        const char *entries = object->bytes + section->sh_offset;
        if (section->sh_type != SHT_REL && section->sh_type != SHT_RELA)
            continue;
        for (uint64_t at = 0; at < section->sh_size; at += section->sh_entsize) {
            const char *name = missing(object, section, entries + at);
            if (name[0] && !is_compilers(name))
                return name;
        }
    }
    return "";
}

static enum rl_status look(const char *bytes, const char *path, struct rl_error *error)
{
    const ElfW(Ehdr) *head = (const ElfW(Ehdr) *)bytes;
    const struct object object = {bytes, (const ElfW(Shdr) *)(bytes + head->e_shoff),
                                  head->e_shnum};
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
    size_t size;
    enum rl_status status = own_read(file, 64 << 20, &bytes, &size, error);
    if (status)
        return status;
    status =
        size > sizeof(ElfW(Ehdr)) && memcmp(bytes, ELFMAG, SELFMAG) == 0
            ? look(bytes, path, error)
            : rl_error_set(error, RL_IO, "the compiler's output for %s is not an ELF object", path);
    free(bytes);
    return status;
}
