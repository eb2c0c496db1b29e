/* SPDX-License-Identifier: MIT
 *
 * Protocols of one's own: -p FILE.c. The file is compiled together with the engines' loops, opened,
 * tried, and put at the end of the list of protocols; from there on it is one of them.
 *
 * What was compiled and tried is kept in the user's cache directory, under the hash of all that it
 * was made of: the text after the preprocessor (so with everything that is included), the
 * compiler's command, its version, our flags. A new one is made beside and moved into place, so
 * that others who do the same at the same time do not meet half of it. Where nothing can be written
 * there, it is made in a temporary directory, and again the next time.
 */
#define _DEFAULT_SOURCE
#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/own.h"
#include "simulate/own.h"

enum { MOST_WORDS = 64, PATH = 4096, MOST_TEXT = 1 << 20 };

/* ---- places -----------------------------------------------------------------------------------
 */

/* The directory `inside` beside that of the program, as in PREFIX/bin and PREFIX/share; else in the
 * tree that the program was built from. NULL if `file` is in neither. */
static const char *place_of(char *memory, const char *inside, const char *in_tree, const char *file)
{
    char program[PATH], path[2 * PATH];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(program, '/');
    if (slash)
        *slash = '\0';
    snprintf(memory, PATH, "%.2000s/../%s", program, inside);
    snprintf(path, sizeof path, "%s/%s", memory, file);
    if (slash && access(path, R_OK) == 0)
        return memory;
    snprintf(memory, PATH, "%s/%s", RL_SOURCE_ROOT, in_tree);
    snprintf(path, sizeof path, "%s/%s", memory, file);
    return access(path, R_OK) == 0 ? memory : NULL;
}

const char *own_sources(void)
{
    static char memory[PATH];
    return place_of(memory, "share/ringleader/src", "src", "simulate/own.c");
}

const char *own_headers(void)
{
    static char memory[PATH];
    return place_of(memory, "include", "include", "ringleader/agent.h");
}

/* Makes the user's cache directory, if it can be made and written. */
static bool find_cache(char *path_out)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && cache[0] == '/')
        snprintf(path_out, PATH, "%.2000s", cache);
    else if (home && home[0] == '/')
        snprintf(path_out, PATH, "%.2000s/.cache", home);
    else
        return false;
    mkdir(path_out, 0777);
    strcat(path_out, "/ringleader");
    mkdir(path_out, 0777);
    return access(path_out, W_OK | X_OK) == 0;
}

static bool find_temporary(char *path_out)
{
    const char *directory = getenv("TMPDIR");
    snprintf(path_out, PATH, "%.2000s/ringleader.XXXXXX", directory ? directory : "/tmp");
    return mkdtemp(path_out) != NULL;
}

/* ---- the compiler -----------------------------------------------------------------------------
 */

/* A command as its words. */
struct words {
    char *word[MOST_WORDS + 1];
    size_t count;
    char memory[8 * PATH];
    size_t used;
};

static void add_word(struct words *words, const char *prefix, const char *text)
{
    const int left = (int)(sizeof words->memory - words->used);
    if (words->count == MOST_WORDS)
        return;
    char *word = words->memory + words->used;
    const int length = snprintf(word, (size_t)left, "%s%s", prefix, text);
    words->used += (size_t)(length < left ? length + 1 : 0);
    words->word[words->count++] = word;
    words->word[words->count] = NULL;
}

/* CC may be several words, such as "ccache gcc". */
static void add_compiler(struct words *words)
{
    const char *cc = getenv("CC");
    char copy[PATH];
    snprintf(copy, sizeof copy, "%.4000s", cc && cc[0] ? cc : "cc");
    for (char *at = strtok(copy, " "); at; at = strtok(NULL, " "))
        add_word(words, "", at);
}

/* What the file is compiled with, up to what is to be made of it. */
static void make_command(struct words *words, const char *path)
{
    static const char *const FLAGS[] = {"-std=gnu11",
                                        "-O3",
                                        "-ffp-contract=off",
                                        "-fPIC",
                                        "-Wall",
                                        "-Wno-unused-function",
                                        "-Wno-unused-const-variable",
                                        "-Wno-unused-variable",
                                        "-Werror=implicit-function-declaration",
                                        "-Werror=return-type",
                                        "-DPROTOCOL_ID=own"};
    char text[2 * PATH], name[PATH];
    const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    *words = (struct words){.count = 0};
    add_compiler(words);
    for (size_t i = 0; i < sizeof FLAGS / sizeof FLAGS[0]; i++)
        add_word(words, "", FLAGS[i]);
    snprintf(text, sizeof text, "-DPROTOCOL_FILE=\"%s\"", path);
    add_word(words, "", text);
    snprintf(name, sizeof name, "%.1000s", base);
    *strrchr(name, '.') = '\0';
    snprintf(text, sizeof text, "-DFILE_NAME=\"%s\"", name);
    add_word(words, "", text);
    add_word(words, "-iquote", ".");
    add_word(words, "-I", own_headers());
    add_word(words, "-I", own_sources());
    snprintf(text, sizeof text, "%s/simulate/own.c", own_sources());
    add_word(words, "", text);
}

/* Starts the command with its output and its errors in two files. Says how it ended as waitpid
 * does; 127 << 8: it could not be run. */
static int run_command(const struct words *words, const char *output, const char *errors)
{
    int ended = -1;
    const pid_t child = fork();
    if (child == 0) {
        const int out = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        const int err = open(errors, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        if (dup2(out, STDOUT_FILENO) >= 0 && dup2(err, STDERR_FILENO) >= 0)
            execvp(words->word[0], words->word);
        _exit(127);
    }
    while (child > 0 && waitpid(child, &ended, 0) < 0 && errno == EINTR)
        continue;
    return ended;
}

static int tell_failure(int ended, const struct words *words, const char *path, const char *errors)
{
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == 127)
        return complain(EXIT_OUTSIDE,
                        "no C compiler: '%s' cannot be run; install one (on Debian: apt install "
                        "gcc), or name yours in CC",
                        words->word[0]);
    FILE *stream = fopen(errors, "r");
    char text[4096];
    size_t size;
    while (stream && (size = fread(text, 1, sizeof text, stream)) > 0)
        fwrite(text, 1, size, stderr);
    if (stream)
        fclose(stream);
    return complain(EXIT_REQUEST, "%s does not compile with %s", path, words->word[0]);
}

/* ---- what it is made of -----------------------------------------------------------------------
 */

/* A workplace: where a file is compiled, and the names of what is there. */
struct workshop {
    char directory[PATH];
    bool temporary;
    char hash[HASH_DIGITS];
    char kept[2 * PATH], fresh[2 * PATH], errors[2 * PATH], expanded[2 * PATH];
};

static void name_files(struct workshop *shop)
{
    const long pid = (long)getpid();
    snprintf(shop->kept, sizeof shop->kept, "%s/%s.so", shop->directory, shop->hash);
    snprintf(shop->fresh, sizeof shop->fresh, "%s/%ld.so", shop->directory, pid);
    snprintf(shop->errors, sizeof shop->errors, "%s/%ld.errors", shop->directory, pid);
    snprintf(shop->expanded, sizeof shop->expanded, "%s/%ld.i", shop->directory, pid);
}

/* The hash of the preprocessed text and of the command. */
static int hash_all(struct workshop *shop, const char *path)
{
    struct words words;
    make_command(&words, path);
    add_word(&words, "", "-E");
    const int ended = run_command(&words, shop->expanded, shop->errors);
    if (ended != 0)
        return tell_failure(ended, &words, path, shop->errors);
    struct hash hash = hash_begin();
    char *text;
    size_t size;
    const int outcome = read_file(shop->expanded, &text, &size);
    if (outcome != GO_ON)
        return outcome;
    hash_add(&hash, text, size);
    free(text);
    for (size_t i = 0; i < words.count; i++)
        hash_add(&hash, words.word[i], strlen(words.word[i]) + 1);
    hash_add(&hash, rl_version(), strlen(rl_version()));
    hash_end(&hash, shop->hash);
    return GO_ON;
}

static int open_object(const char *object, struct own *own)
{
    void *handle = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        const char *why = dlerror();
        const char *symbol = strstr(why, "undefined symbol: ");
        return symbol ? complain(EXIT_REQUEST, "%s: there is no function %s", own->path,
                                 symbol + strlen("undefined symbol: "))
                      : complain(EXIT_OUTSIDE, "%s", why);
    }
    const struct rl_protocol *const *protocol = dlsym(handle, "rl_protocol_own");
    const unsigned *form = dlsym(handle, "rl_own_form");
    void *leaves = dlsym(handle, "rl_own_leaves");
    if (!protocol || !leaves || !form || *form != RL_OWN_FORM)
        return complain(EXIT_OUTSIDE, "%s was compiled for another version of this program",
                        own->path);
    own->protocol = *protocol;
    memcpy(&own->leaves, &leaves, sizeof own->leaves);
    return GO_ON;
}

static int compile(const struct workshop *shop, struct own *own)
{
    struct words words;
    make_command(&words, own->path);
    add_word(&words, "", "-shared");
    add_word(&words, "", "-o");
    add_word(&words, "", shop->fresh);
    const int ended = run_command(&words, "/dev/null", shop->errors);
    if (ended != 0)
        return tell_failure(ended, &words, own->path, shop->errors);
    int outcome = open_object(shop->fresh, own);
    if (outcome == GO_ON)
        outcome = check_own(own);
    if (outcome == GO_ON && rename(shop->fresh, shop->kept) != 0)
        outcome = complain(EXIT_OUTSIDE, "%s cannot be written: %s", shop->kept, strerror(errno));
    return outcome;
}

static void clear_up(const struct workshop *shop)
{
    unlink(shop->fresh);
    unlink(shop->errors);
    unlink(shop->expanded);
    if (shop->temporary) {
        unlink(shop->kept);
        rmdir(shop->directory);
    }
}

static int load(struct own *own)
{
    struct workshop shop = {.temporary = false};
    if (!own_sources() || !own_headers())
        return complain(EXIT_OUTSIDE, "the sources that %s is compiled with are not installed",
                        own->path);
    if (!find_cache(shop.directory)) {
        shop.temporary = true;
        if (!find_temporary(shop.directory))
            return complain(EXIT_OUTSIDE,
                            "there is no place to compile %s in: neither the cache "
                            "directory nor %s can be written",
                            own->path, shop.directory);
    }
    name_files(&shop);
    int outcome = hash_all(&shop, own->path);
    name_files(&shop);
    if (outcome == GO_ON && access(shop.kept, R_OK) == 0)
        outcome = open_object(shop.kept, own);
    else if (outcome == GO_ON)
        outcome = compile(&shop, own);
    clear_up(&shop);
    return outcome;
}

/* ---- crashes ----------------------------------------------------------------------------------
 */

static struct {
    const struct rl_point *volatile point;
    volatile uint64_t trial;
    volatile sig_atomic_t signal;
} crash;

static void on_crash(int signal)
{
    static const char TEXT[] = "ringleader: a protocol from a file crashed\n";
    const struct rl_point *point;
    uint64_t trial;
    if (!rl_trial_now(&point, &trial)) {
        const ssize_t written = write(STDERR_FILENO, TEXT, sizeof TEXT - 1);
        (void)written;
        _exit(EXIT_OUTSIDE);
    }
    crash.trial = trial;
    crash.point = point;
    crash.signal = signal;
    for (;;)
        pause();
}

static void catch_crashes(void)
{
    static const int SIGNALS[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    struct sigaction action = {.sa_handler = on_crash};
    for (size_t i = 0; i < sizeof SIGNALS / sizeof SIGNALS[0]; i++)
        sigaction(SIGNALS[i], &action, NULL);
}

bool has_crashed(void)
{
    return crash.signal != 0;
}

int tell_crash(void)
{
    const struct rl_point *point = crash.point;
    return complain(EXIT_OUTSIDE,
                    "protocol %s crashed (%s) in trial %llu with n = %u from start %s; the trials "
                    "finished before are kept",
                    point->protocol->name, strsignal(crash.signal), (unsigned long long)crash.trial,
                    point->params.n, point->start);
}

/* ---- the list ---------------------------------------------------------------------------------
 */

static int check_file(const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0)
        return complain(EXIT_REQUEST, "the protocol %s cannot be read: %s", path, strerror(errno));
    if (!S_ISREG(about.st_mode))
        return complain(EXIT_REQUEST, "the protocol %s is no file", path);
    if (about.st_size == 0)
        return complain(EXIT_REQUEST, "the protocol %s is empty (see ringleader new --help)", path);
    if (about.st_size > MOST_TEXT)
        return complain(EXIT_REQUEST, "the protocol %s has more than a million bytes", path);
    if (access(path, R_OK) != 0)
        return complain(EXIT_REQUEST, "the protocol %s cannot be read: %s", path, strerror(errno));
    return GO_ON;
}

static uint32_t usual_settled(uint32_t n)
{
    return n < UINT32_MAX / 20 ? 20 * n : UINT32_MAX;
}

/* A protocol without sets has none that is known to be closed: it is run until it has settled. How
 * long that takes is then one of its parameters, if there is room for one more. */
static bool add_settled(struct rl_protocol *protocol)
{
    static const struct rl_set SETTLED[] = {RL_SETTLED};
    const size_t count = protocol->parameter_count;
    struct rl_parameter *parameters = calloc(count + 1, sizeof *parameters);
    if (!parameters)
        return false;
    for (size_t i = 0; i < count; i++)
        parameters[i] = protocol->parameters[i];
    parameters[count] = (struct rl_parameter){
        .name = "settled",
        .meaning = "parallel time without a change of output after which it counts as settled",
        .default_for = usual_settled};
    protocol->sets = SETTLED;
    protocol->set_count = 1;
    protocol->target = 0;
    protocol->parameters = parameters;
    protocol->parameter_count = count < RL_MAX_PARAMETERS ? count + 1 : count;
    return true;
}

/* The declaration with the text and its hash, for as long as the program runs. */
static int add_to_list(const struct own *own, const struct rl_protocol **protocol_out)
{
    char *text = NULL;
    size_t size = 0;
    const int outcome = read_file(own->path, &text, &size);
    if (outcome != GO_ON)
        return outcome;
    assert(own->protocol); /* it has been loaded */
    struct rl_protocol *protocol = malloc(sizeof *protocol);
    char *digits = malloc(HASH_DIGITS), *ended = realloc(text, size + 1);
    if (!protocol || !digits || !ended) {
        free(protocol);
        free(digits);
        free(ended ? ended : text);
        return complain(EXIT_OUTSIDE, "out of memory");
    }
    ended[size] = '\0';
    struct hash hash = hash_begin();
    hash_add(&hash, ended, size);
    hash_end(&hash, digits);
    *protocol = *own->protocol;
    protocol->hash = digits;
    protocol->text = ended;
    if (protocol->set_count == 0 && !add_settled(protocol))
        return complain(EXIT_OUTSIDE, "out of memory");
    *protocol_out = rl_protocol_named(protocol->name);
    if (*protocol_out && (*protocol_out)->hash && strcmp((*protocol_out)->hash, digits) == 0)
        return GO_ON; /* the same file once more */
    if (!rl_protocol_add(protocol))
        return complain(EXIT_REQUEST,
                        "%s: its name, %s, is that of another protocol: rename it, or #define NAME",
                        own->path, protocol->name);
    *protocol_out = protocol;
    catch_crashes();
    return GO_ON;
}

int check_own_only(const struct arguments *arguments)
{
    const char *name = argument(arguments, "protocol");
    const struct rl_protocol *protocol = name ? rl_protocol_named(name) : NULL;
    if (!name || (protocol && protocol->hash))
        return GO_ON;
    return complain(EXIT_REQUEST, "a trace names its protocol; -p is for one from a file, not '%s'",
                    name);
}

int load_protocol(const char *path, const struct rl_protocol **protocol_out)
{
    struct own own = {.path = path};
    int outcome = check_file(path);
    if (outcome == GO_ON)
        outcome = load(&own);
    return outcome == GO_ON ? add_to_list(&own, protocol_out) : outcome;
}

bool is_protocol_file(const char *name, size_t length)
{
    return length > 2 && strncmp(name + length - 2, ".c", 2) == 0;
}

/* "a.c,prl" with the names of what the files declare; unchanged if there is no file in it. */
static int resolve(const char *value, char **value_out)
{
    if (!strstr(value, ".c"))
        return GO_ON;
    char *out = calloc(strlen(value) + 1 + 64 * (strlen(value) / 3 + 1), 1);
    if (!out)
        return complain(EXIT_OUTSIDE, "out of memory");
    for (const char *at = value;; at++) {
        const size_t length = strcspn(at, ",");
        char name[PATH];
        snprintf(name, sizeof name, "%.*s", (int)(length < PATH ? length : PATH - 1), at);
        const struct rl_protocol *protocol = NULL;
        const char *path = name + strspn(name, " ");
        const int outcome =
            is_protocol_file(path, strlen(path)) ? load_protocol(path, &protocol) : GO_ON;
        if (outcome != GO_ON) {
            free(out);
            return outcome;
        }
        strcat(out, protocol ? protocol->name : name);
        at += length;
        if (!*at)
            break;
        strcat(out, ",");
    }
    *value_out = out;
    return GO_ON;
}

int load_protocols(int argc, char **argv)
{
    /* What the arguments have become: theirs to the end of the program. */
    static char *kept[MOST_OPTIONS];
    static size_t kept_count;
    int outcome = GO_ON;
    for (int i = 0; i < argc && outcome == GO_ON; i++) {
        const bool next = strcmp(argv[i], "-p") == 0 || strcmp(argv[i], "--protocol") == 0;
        const char *prefix = strncmp(argv[i], "--protocol=", 11) == 0 ? "--protocol=" : "-p";
        char *value = NULL, *whole = NULL;
        if (next && i + 1 < argc) {
            outcome = resolve(argv[++i], &whole);
        } else if (!next && strncmp(argv[i], prefix, strlen(prefix)) == 0) {
            outcome = resolve(argv[i] + strlen(prefix), &value);
            whole = value ? malloc(strlen(prefix) + strlen(value) + 1) : NULL;
            if (whole)
                strcat(strcpy(whole, prefix), value);
            free(value);
        }
        if (whole && kept_count == MOST_OPTIONS) {
            free(whole);
            return complain(EXIT_REQUEST, "more than %d options", MOST_OPTIONS);
        }
        if (whole)
            argv[i] = kept[kept_count++] = whole;
    }
    return outcome;
}

void recall_protocols(const char *const *paths, size_t count)
{
    /* A study that cannot be read is complained about by whoever reads it next. */
    for (size_t i = 0; i < count; i++)
        if (rl_store_recall_protocols(paths[i], NULL))
            continue;
}
