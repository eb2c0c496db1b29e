/* SPDX-License-Identifier: MIT
 *
 * Tries what a protocol's file promises, when it is first compiled.
 *
 * A child process does this under a time limit. It writes into shared memory what it is about to
 * do, so the parent can say what a protocol was doing when it crashed or did not return. This is a
 * trial, not a proof (for that there is the verifier): if there are many pairs of states, only some
 * are tried, and executions are short.
 */
#define _DEFAULT_SOURCE
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "own/parts.h"
#include "ringleader/ring.h"
#include "ringleader/protocol.h"
#include "core/inside.h"

enum {
    SECONDS = 5,
    WAITED = 30,
    FEW_STATES = 200,
    MANY_PAIRS = 20000,
    STEPS = 3000,
    EXECUTIONS = 8,
    MOST_AGENTS = 16
};

/* What the child is doing, and in the end what it found. */
struct note {
    char text[440];
    bool found;
    bool done; /* it came to its end, and did not just end */
};

struct check {
    const struct own_object *object;
    const struct rl_protocol *protocol;
    struct rl_params params;
    struct note *note;
};

/* Always false: nothing more is done if something was found. The present note may be part of the
 * next. */
RL_FORMAT(3, 4) static bool note(struct check *check, bool found, const char *format, ...)
{
    struct note next = {.found = found};
    struct rl_text text = rl_text_into(next.text, sizeof next.text);
    va_list arguments;
    va_start(arguments, format);
    rl_text_formatv(&text, format, arguments);
    va_end(arguments);
    *check->note = next;
    return false;
}

/* ---- meetings ---- */

static void do_meet(struct check *check, rl_state l, rl_state r)
{
    note(check, false, "when '%s' and '%s' meet", rl_ring_state(check->protocol, l).text,
         rl_ring_state(check->protocol, r).text);
}

static bool check_pair(struct check *check, bool told, rl_state l, rl_state r)
{
    const struct rl_protocol *protocol = check->protocol;
    const char *const doing = check->note->text;
    uint32_t value;
    const int place = check->object->leaves(&check->params, told, l, r, &value);
    if (place >= 0)
        return note(check, true, "%s, %s becomes %u, which is not in its domain 0 .. %u", doing,
                    protocol->variables[place].name, value,
                    rl_variable_size(&protocol->variables[place], &check->params) - 1);
    rl_state l_one = l, r_one = r, l_two = l, r_two = r;
    protocol->interact(&check->params, told, &l_one, &r_one);
    protocol->interact(&check->params, told, &l_two, &r_two);
    const bool changes = l_one != l || r_one != r;
    if (l_one != l_two || r_one != r_two)
        return note(check, true,
                    "%s, they become '%s' and '%s' the first time and '%s' and '%s' the next: "
                    "meet must depend on nothing else",
                    doing, rl_ring_state(protocol, l_one).text, rl_ring_state(protocol, r_one).text,
                    rl_ring_state(protocol, l_two).text, rl_ring_state(protocol, r_two).text);
    if (protocol->is_active && protocol->is_active(&check->params, told, l, r) != changes)
        return note(check, true, "%s, %s", doing,
                    changes ? "a state changes, but is_active says that none does"
                            : "no state changes, but is_active says that one does");
    return true;
}

static bool check_meetings(struct check *check)
{
    const struct rl_protocol *protocol = check->protocol;
    const uint64_t states = rl_protocol_states(protocol, &check->params);
    const bool all = states <= FEW_STATES;
    struct rl_random random;
    rl_random_init(&random, 1, 0, RL_PURPOSE_START);
    for (uint64_t i = 0; i < (all ? states * states : MANY_PAIRS); i++) {
        const rl_state l = all ? rl_protocol_state(protocol, &check->params, i / states)
                               : rl_protocol_random_state(protocol, &check->params, &random);
        const rl_state r = all ? rl_protocol_state(protocol, &check->params, i % states)
                               : rl_protocol_random_state(protocol, &check->params, &random);
        do_meet(check, l, r);
        if (!check_pair(check, false, l, r) || (protocol->oracle && !check_pair(check, true, l, r)))
            return false;
    }
    return true;
}

/* ---- outputs and texts ---- */

/* On a ring of the size that is tried: a domain may depend on it. */
static bool is_read_back(struct check *check, const char *text, rl_state state)
{
    uint64_t agents[MOST_AGENTS];
    struct rl_ring ring = {check->protocol, check->params, agents, false};
    char whole[MOST_AGENTS * 201], *end = whole;
    struct rl_error error = {0};
    for (uint32_t i = 0; i < ring.params.n; i++)
        end += snprintf(end, 201, "%s ", text);
    return rl_ring_parse(&ring, whole, (size_t)(end - whole), &error) == RL_OK &&
           rl_ring_get(&ring, 0) == state;
}

static bool check_state(struct check *check, rl_state state)
{
    const struct rl_protocol *protocol = check->protocol;
    char memory[200];
    struct rl_text written = rl_text_into(memory, sizeof memory);
    rl_ring_print_state(protocol, state, &written);
    const bool leads = protocol->leads(state);
    if (leads != protocol->leads(state))
        return note(check, true, "leads says both yes and no about '%s'", memory);
    if (protocol->marks && ((protocol->marks(state) & RL_MARK_LEADER) != 0) != leads)
        return note(check, true, "'%s' %s by leads, but not by its marks", memory,
                    leads ? "leads" : "does not lead");
    if (!is_read_back(check, memory, state))
        return note(check, true,
                    "the text '%s' is not read back as the state it was written for: the texts of "
                    "two variables are too similar",
                    memory);
    return true;
}

static bool check_states(struct check *check)
{
    const uint64_t states = rl_protocol_states(check->protocol, &check->params);
    bool fine = true;
    for (uint64_t i = 0; fine && i < states && i < MANY_PAIRS; i++)
        fine = check_state(check, rl_protocol_state(check->protocol, &check->params, i));
    return fine;
}

/* ---- starts and sets ---- */

static bool check_start(struct check *check, struct rl_ring *ring, const char *name,
                        struct rl_random *random)
{
    note(check, false, "in start '%s'", name);
    struct rl_error error = {0};
    if (rl_ring_start(ring, name, random, &error))
        return true; /* not with these parameters */
    for (uint32_t i = 0; i < ring->params.n; i++)
        if (!rl_protocol_is_state(ring->protocol, &ring->params, rl_ring_get(ring, i)))
            return note(check, true,
                        "start '%s' gives agent u_%u the word %llu, which is not a state", name, i,
                        (unsigned long long)rl_ring_get(ring, i));
    return true;
}

static bool is_in(struct check *check, const struct rl_ring *ring, size_t set)
{
    note(check, false, "in the test of set %s", ring->protocol->sets[set].name);
    return ring->protocol->sets[set].contains(ring);
}

/* One execution, in which every set that is entered must not be left. */
static bool check_sets(struct check *check, struct rl_ring *ring, struct rl_random *random)
{
    bool inside[RL_MAX_SETS] = {false};
    struct rl_oracle oracle = {0};
    char before[600], after[600];
    rl_oracle_look(&oracle, ring, 0);
    for (uint64_t step = 1; step <= STEPS; step++) {
        for (size_t i = 0; i < ring->protocol->set_count; i++)
            inside[i] = inside[i] || is_in(check, ring, i);
        const uint32_t arc = rl_random_below(random, rl_ring_arcs(ring));
        struct rl_text text = rl_text_into(before, sizeof before);
        rl_ring_print(ring, &text);
        do_meet(check, rl_ring_get(ring, rl_ring_initiator(ring, arc)),
                rl_ring_get(ring, rl_ring_responder(ring, arc)));
        if (!rl_oracle_interact(&oracle, ring, arc, step))
            continue;
        for (size_t i = 0; i < ring->protocol->set_count; i++)
            if (inside[i] && !is_in(check, ring, i)) {
                text = rl_text_into(after, sizeof after);
                rl_ring_print(ring, &text);
                return note(check, true,
                            "the set %s is not closed: arc %u leads out of it, from '%s' to '%s'",
                            ring->protocol->sets[i].name, arc, before, after);
            }
    }
    return true;
}

static bool check_executions(struct check *check)
{
    const struct rl_protocol *protocol = check->protocol;
    uint64_t agents[MOST_AGENTS];
    struct rl_ring ring = {protocol, check->params, agents, false};
    struct rl_random random;
    bool fine = true;
    rl_random_init(&random, 2, 0, RL_PURPOSE_START);
    for (size_t i = 0; i < EXECUTIONS + protocol->start_count && fine; i++) {
        const char *name = i < EXECUTIONS ? "random" : protocol->starts[i - EXECUTIONS].name;
        fine = check_start(check, &ring, name, &random) && check_sets(check, &ring, &random);
    }
    return fine;
}

/* ---- the declaration ---- */

static bool check_declaration(struct check *check)
{
    const struct rl_protocol *protocol = check->protocol;
    if (!rl_text_is_name(protocol->name) || strlen(protocol->name) >= 40)
        return note(check, true, "'%s' is not a name: use letters, digits, - and _, at most 39",
                    protocol->name);
    if (protocol->claim && strpbrk(protocol->claim, ";#\n"))
        return note(check, true,
                    "its CLAIM has a ;, a # or a new line, which a plan cannot hold: %s",
                    protocol->claim);
    if (protocol->set_count > RL_MAX_SETS || protocol->gauge_count > RL_MAX_GAUGES ||
        protocol->parameter_count > RL_MAX_PARAMETERS || protocol->part_count > RL_MAX_PARTS)
        return note(check, true, "it has more than %u sets, %u gauges, %u parameters or %u parts",
                    (unsigned)RL_MAX_SETS, (unsigned)RL_MAX_GAUGES, (unsigned)RL_MAX_PARAMETERS,
                    (unsigned)RL_MAX_PARTS);
    if (protocol->set_count > 0 && protocol->target >= protocol->set_count)
        return note(check, true, "its target is set number %u, but there are only %u",
                    (unsigned)protocol->target, (unsigned)protocol->set_count);
    for (size_t i = 0; i < protocol->set_count; i++)
        if (!protocol->sets[i].contains)
            return note(check, true, "set %s has no function that says what it contains",
                        protocol->sets[i].name);
    return true;
}

/* A small ring that the protocol allows with its usual parameters. */
static bool find_ring(struct check *check)
{
    struct rl_error error = {0};
    enum rl_status status = RL_BAD_PARAMETER;
    for (uint32_t n = 4; n <= MOST_AGENTS && status; n++) {
        check->params = rl_protocol_usual(check->protocol, n);
        status = rl_protocol_allows(check->protocol, &check->params, &error);
    }
    if (status)
        return note(check, true,
                    "it allows no ring of 4 to 16 agents with its default parameters: %s",
                    error.text);
    for (size_t i = 0; i < check->protocol->variable_count; i++) {
        const struct rl_variable *variable = &check->protocol->variables[i];
        const uint64_t size = rl_variable_size(variable, &check->params);
        if (size < 1 || size > UINT64_C(1) << variable->width)
            return note(check, true, "variable %s has %llu values, but its list says at most %u",
                        variable->name, (unsigned long long)size, variable->size);
    }
    return true;
}

static bool check_all(struct check *check)
{
    note(check, false, "in its declaration or in leads");
    return check_declaration(check) && find_ring(check) && check_states(check) &&
           check_meetings(check) && check_executions(check);
}

/* ---- the child ---- */

static enum rl_status judge(const struct check *check, int ended, const char *path,
                            struct rl_error *error)
{
    const char *doing = check->note->text;
    const int signal = WTERMSIG(ended);
    if (check->note->done)
        return check->note->found ? own_refuse(path, error, "%s", doing) : RL_OK;
    if (WIFEXITED(ended))
        return own_refuse(path, error, "it calls exit %s", doing);
    if (signal == SIGXCPU || signal == SIGALRM)
        return own_refuse(path, error, "it never returns (not within %u s) %s",
                          (unsigned)(signal == SIGALRM ? WAITED : SECONDS), doing);
    return own_refuse(path, error, "it crashes (%s) %s", strsignal(signal), doing);
}

/* How the child ended, as waitpid has it; false if there was none. */
static bool try_all(struct check *check, int *ended_out)
{
    /* Whoever has handlers of its own does not want them called here. */
    static const int CRASHES[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU};
    const pid_t child = fork();
    if (child == 0) {
        for (size_t i = 0; i < sizeof CRASHES / sizeof CRASHES[0]; i++)
            signal(CRASHES[i], SIG_DFL);
        setrlimit(RLIMIT_CPU, &(struct rlimit){SECONDS, SECONDS + 1});
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        signal(SIGALRM, SIG_DFL);
        alarm(WAITED); /* what waits takes no time of the processor's */
        (void)check_all(check);
        check->note->done = true;
        _exit(0);
    }
    return own_await(child, ended_out);
}

enum rl_status own_check(const struct own_object *object, const char *path, struct rl_error *error)
{
    struct check check = {.object = object, .protocol = object->protocol};
    check.note =
        mmap(NULL, sizeof *check.note, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (check.note == MAP_FAILED)
        return RL_NO_MEMORY;
    int ended = 0;
    const enum rl_status status =
        try_all(&check, &ended)
            ? judge(&check, ended, path, error)
            : rl_error_set(error, RL_IO, "no process could be started to try %s", path);
    munmap(check.note, sizeof *check.note);
    return status;
}
