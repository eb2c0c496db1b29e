# SPDX-License-Identifier: MIT
"""Writes the C of the extension: _build.py OUTPUT.

cffi in API mode: the compiler fills in what the declarations below leave out ("..."), so they name
only what Python touches, and a library whose structs have changed does not compile instead of crashing.
"""
import sys

import cffi

DECLARATIONS = """
typedef uint64_t rl_state;
enum rl_status { RL_OK, RL_NO_MEMORY, RL_STOPPED, ... };
struct rl_error { uint32_t line; uint32_t column; char text[...]; ...; };
const char *rl_version(void);
const char *rl_status_message(enum rl_status status);

struct rl_params { uint32_t n; uint32_t value[4]; const void *data; ...; };
struct rl_parameter { const char *name; const char *meaning; const char *const *choices; ...; };
struct rl_variable { const char *name; uint8_t shift; uint8_t width; uint32_t size;
    uint32_t (*size_for)(const struct rl_params *params); const char *const *symbols;
    const char *prefix; ...; };
struct rl_start { const char *name; const char *meaning; ...; };
struct rl_ring;
struct rl_set { const char *name; const char *meaning;
    bool (*contains)(const struct rl_ring *ring); ...; };
struct rl_lemma { const char *name; ...; };
struct rl_protocol { const char *name; const char *title; const char *source; const char *claim;
    bool (*leads)(rl_state state); uint8_t width;
    void (*interact)(const struct rl_params *params, bool no_leader, rl_state *l, rl_state *r); bool oracle; bool undirected;
    const struct rl_parameter *parameters; size_t parameter_count;
    const struct rl_variable *variables; size_t variable_count;
    const struct rl_start *starts; size_t start_count;
    const struct rl_set *sets; size_t set_count; size_t target;
    const struct rl_lemma *lemmas; size_t lemma_count;
    const char *const *gauges; size_t gauge_count;
    void (*measure)(const struct rl_ring *ring, uint64_t *values_out);
    const char *hash; const char *text; ...; };
bool rl_protocol_add(const struct rl_protocol *protocol);
struct rl_own_tools { const char *compiler; const char *cache; const char *temporary; };
struct rl_own { const struct rl_protocol *protocol; char *messages; ...; };
enum rl_status rl_own_load(struct rl_own *own, const char *path, const struct rl_own_tools *tools,
    struct rl_error *error);
void rl_own_free(struct rl_own *own);
const struct rl_protocol *rl_protocol_at(size_t index);
const struct rl_protocol *rl_protocol_named(const char *name);
enum rl_status rl_protocol_complete(const struct rl_protocol *protocol, struct rl_params *params,
    const bool *given, struct rl_error *error);
uint64_t rl_protocol_states(const struct rl_protocol *protocol, const struct rl_params *params);
bool rl_protocol_is_state(const struct rl_protocol *protocol, const struct rl_params *params,
    rl_state word);
size_t rl_protocol_set_count(const struct rl_protocol *protocol);
int rl_protocol_set(const struct rl_protocol *protocol, const char *name);
struct rl_item { const char *key; const char *value; };
struct rl_fault { uint64_t step; uint32_t agents; uint64_t recovered_after; };
struct rl_end { size_t set; ...; };
struct rl_experiment { const struct rl_protocol *protocol; struct rl_params params; const char *start;
    const void *configuration; const struct rl_fault *faults; size_t fault_count; ...; };
enum rl_status rl_experiment_read(struct rl_experiment *experiment, const struct rl_item *items,
    size_t count, size_t *culprit_out, struct rl_error *error);

struct rl_ring { const struct rl_protocol *protocol; struct rl_params params; void *agents; ...; };
uint32_t rl_ring_leaders(const struct rl_ring *ring);
uint32_t rl_ring_first_leader(const struct rl_ring *ring);
struct rl_random { ...; };
void rl_random_init(struct rl_random *random, uint64_t seed, uint64_t trial, int purpose);
enum rl_status rl_ring_start(struct rl_ring *ring, const char *name, struct rl_random *random,
    struct rl_error *error);
void rl_ring_fault(struct rl_ring *ring, uint32_t agents, struct rl_random *random,
    void (*visit)(void *user, uint32_t agent), void *user);
uint32_t rl_ring_initiator(const struct rl_ring *ring, uint32_t arc);
uint32_t rl_ring_responder(const struct rl_ring *ring, uint32_t arc);

struct rl_event { uint64_t step; uint32_t arc; ...; };
struct rl_batch { struct rl_event *events; size_t room; size_t wanted; size_t count; ...; };
enum rl_status rl_batch_init(struct rl_batch *batch, size_t room);
void rl_batch_free(struct rl_batch *batch);
enum rl_engine_kind { RL_ENGINE_EVENT, RL_ENGINE_STEP };
struct rl_engine { uint64_t step; bool over; ...; };
struct rl_cursor;
enum rl_status rl_engine_init(struct rl_engine *engine, enum rl_engine_kind kind,
    struct rl_ring *ring, const struct rl_random *random, struct rl_cursor *schedule);
void rl_engine_free(struct rl_engine *engine);
void rl_engine_advance(struct rl_engine *engine, uint64_t until, struct rl_batch *batch);
void rl_engine_disturbed(struct rl_engine *engine);
bool rl_engine_interact(struct rl_engine *engine, uint32_t arc, struct rl_batch *batch);
struct rl_snapshot { ...; };
enum rl_status rl_snapshot_init(struct rl_snapshot *snapshot, const struct rl_engine *engine);
void rl_snapshot_free(struct rl_snapshot *snapshot);
void rl_hits_forget(uint64_t *hits);
void rl_hits_note(uint64_t *hits, const struct rl_ring *ring, uint64_t step);
void rl_hits_find(uint64_t *hits, struct rl_ring *ring, struct rl_batch *batch);
bool rl_hits_advance_to(uint64_t *hits, size_t set, struct rl_engine *engine, uint64_t until,
    struct rl_snapshot *snapshot, struct rl_batch *batch);

enum rl_status rl_run_parse_fault(const char *text, uint32_t n, struct rl_fault *fault_out,
    struct rl_error *error);
struct rl_settled { uint64_t wanted; uint64_t since; ...; };
enum rl_run_state { RL_RUNNING, RL_REACHED, RL_LIMIT, RL_EXHAUSTED };
struct rl_run { struct rl_ring ring; struct rl_end end; struct rl_fault *faults; size_t fault_count; uint64_t step;
    uint64_t events; uint64_t hits[8]; struct rl_settled settled; ...; };
enum rl_status rl_run_init(struct rl_run *run, const struct rl_experiment *experiment,
    struct rl_error *error);
void rl_run_free(struct rl_run *run);
enum rl_run_state rl_run_advance(struct rl_run *run);

struct rl_progress { const char *phase; const char *subject; double done; ...; };
struct rl_watch { void *user; bool (*tell)(void *user, const struct rl_progress *progress); };
struct rl_verify_options { const struct rl_protocol *protocol; struct rl_params params;
    unsigned questions; bool exact; double precision; uint64_t memory; unsigned jobs;
    const struct rl_watch *watch; ...; };
void rl_verify_options_init(struct rl_verify_options *options, const struct rl_protocol *protocol,
    uint32_t n);
struct rl_counterexample { bool exists; rl_state start[32]; uint32_t *arcs; size_t length; };
struct rl_expectation { bool known; bool finite; double worst; double mean; double error;
    rl_state worst_configuration[32]; char *exact_worst; char *exact_mean; ...; };
struct rl_set_answer { uint64_t size; bool closed; struct rl_counterexample way_out;
    bool inside_safe; struct rl_counterexample unsafe; struct rl_expectation expected; };
struct rl_lemma_answer { uint64_t checked; uint64_t violations;
    struct rl_counterexample violation; };
struct rl_verification { unsigned questions; uint64_t agent_states;
    uint64_t configurations; struct rl_set_answer sets[8]; struct rl_lemma_answer lemmas[16];
    uint64_t safe; bool self_stabilizing; struct rl_counterexample trapped;
    struct rl_expectation safe_expected; ...; };
enum rl_status rl_verify(struct rl_verification *answer, const struct rl_verify_options *options,
    struct rl_error *error);
void rl_verify_free(struct rl_verification *answer);
bool rl_verify_all_well(const struct rl_verification *answer, const struct rl_protocol *protocol);
bool rl_verify_has_exact(void);
enum rl_status rl_distribution(const struct rl_verify_options *options,
    const struct rl_ring *start, size_t set, void *user,
    void (*row)(void *user, uint64_t step, double probability), struct rl_error *error);

struct rl_queue_outlook { uint64_t done; uint64_t total; ...; };
struct rl_study_options { const char *path; const char *plan; bool extend; size_t jobs; void *user;
    bool (*go_on)(void *user, const struct rl_queue_outlook *outlook); ...; };
enum rl_status rl_study_run(const struct rl_study_options *options, bool *finished_out,
    struct rl_error *error);
struct rl_report { ...; };
enum rl_status rl_report_load(struct rl_report *report, const char *const *paths, size_t count,
    struct rl_error *error);
void rl_report_free(struct rl_report *report);

struct rl_rulebook { struct rl_protocol protocol; ...; };
#define RL_RULEBOOK_BITS ...
size_t rl_rulebook_bytes(uint32_t bits, bool oracle);
void rl_rulebook_init(struct rl_rulebook *book, void *memory, uint32_t bits, bool oracle);
void rl_rulebook_add(struct rl_rulebook *book, uint32_t values, bool leads);
uint32_t rl_rulebook_word(const struct rl_rulebook *book, uint32_t values);
void rl_rulebook_rule(struct rl_rulebook *book, bool no_leader, uint32_t l, uint32_t r,
    uint32_t l_after, uint32_t r_after);

struct rl_spacetime { ...; };
struct rl_spacetime_options { uint32_t columns; uint32_t rows; ...; };
enum rl_status rl_spacetime_init(struct rl_spacetime *picture, const struct rl_ring *ring,
    const struct rl_spacetime_options *options);
void rl_spacetime_free(struct rl_spacetime *picture);
void rl_spacetime_watch(struct rl_spacetime *picture, struct rl_run *run);

/* Our own, below: texts and pictures into memory that the caller frees. */
char *trials_csv(const struct rl_report *report);
char *curves_csv(const struct rl_report *report);
char *growth_json(const struct rl_report *report);
char *ring_svg(const struct rl_ring *ring, const char *title);
char *spacetime_svg(struct rl_spacetime *picture, const char *title, struct rl_run *run);
void free(void *memory);
bool with_one_0(const struct rl_ring *ring);
bool with_one_1(const struct rl_ring *ring);
bool with_one_2(const struct rl_ring *ring);
bool with_one_3(const struct rl_ring *ring);

extern "Python" bool tell_progress(void *user, const struct rl_progress *progress);
extern "Python" bool go_on(void *user, const struct rl_queue_outlook *outlook);
extern "Python" void keep_row(void *user, uint64_t step, double probability);
extern "Python" bool contains_0(const struct rl_ring *ring);
extern "Python" bool contains_1(const struct rl_ring *ring);
extern "Python" bool contains_2(const struct rl_ring *ring);
extern "Python" bool contains_3(const struct rl_ring *ring);
"""

SOURCE = """
#include <ringleader.h>
#include <stdio.h>
#include <stdlib.h>

static char *report_text(const struct rl_report *report,
                         void (*write)(const struct rl_report *report, FILE *stream))
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    write(report, stream);
    return fclose(stream) == 0 ? text : (free(text), NULL);
}
static char *trials_csv(const struct rl_report *report)
{
    return report_text(report, rl_report_trials_csv);
}
static char *curves_csv(const struct rl_report *report)
{
    return report_text(report, rl_report_curves_csv);
}
static char *growth_json(const struct rl_report *report)
{
    return report_text(report, rl_report_growth_json);
}

static bool put(void *stream, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, stream) == size;
}
static char *ring_svg(const struct rl_ring *ring, const char *title)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    const enum rl_status status = rl_ringpicture_draw(ring, title, RL_PEN_SVG, put, stream);
    return fclose(stream) == 0 && !status ? text : (free(text), NULL);
}
/* Sets within those of one leader: Python is asked only where there is one. */
static bool contains_0(const struct rl_ring *ring);
static bool contains_1(const struct rl_ring *ring);
static bool contains_2(const struct rl_ring *ring);
static bool contains_3(const struct rl_ring *ring);
static bool has_one_leader(const struct rl_ring *ring)
{
    const uint32_t *words = ring->agents;
    uint32_t leaders = 0;
    for (uint32_t i = 0; i < ring->params.n; i++)
        leaders += words[i] >> 31;
    return leaders == 1;
}
static bool with_one_0(const struct rl_ring *ring)
{
    return has_one_leader(ring) && contains_0(ring);
}
static bool with_one_1(const struct rl_ring *ring)
{
    return has_one_leader(ring) && contains_1(ring);
}
static bool with_one_2(const struct rl_ring *ring)
{
    return has_one_leader(ring) && contains_2(ring);
}
static bool with_one_3(const struct rl_ring *ring)
{
    return has_one_leader(ring) && contains_3(ring);
}
/* Ends the picture of a run, and draws it. */
static char *spacetime_svg(struct rl_spacetime *picture, const char *title, struct rl_run *run)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    rl_spacetime_end(picture, run->step, run->events);
    const enum rl_status status = rl_spacetime_draw(picture, title, RL_PEN_SVG, put, stream);
    return fclose(stream) == 0 && !status ? text : (free(text), NULL);
}
"""

if __name__ == "__main__":
    ffi = cffi.FFI()
    ffi.cdef(DECLARATIONS)
    ffi.set_source("ringleader._c", SOURCE)
    ffi.emit_c_code(sys.argv[1])
