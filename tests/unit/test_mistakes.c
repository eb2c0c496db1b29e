/* SPDX-License-Identifier: MIT
 *
 * Mistakes of a caller: each ends the program with a word about what was wrong, and is never passed
 * over. A child makes the mistake; what it says on standard error is read here.
 */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ringleader/prove.h"
#include "test.h"

/* Whether something went well is no matter here: nobody is to get so far. */
#pragma GCC diagnostic ignored "-Wunused-result"

static int said_by_child;
static pid_t child;

/* True in a child, whose words are read by assert_said. */
static bool in_child(void)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        dup2(ends[1], STDERR_FILENO);
    }
    close(ends[1]);
    said_by_child = ends[0];
    return child == 0;
}

static void assert_said(const char *expected)
{
    char said[4096];
    int ended = 0;
    size_t used = 0;
    ssize_t got;
    while ((got = read(said_by_child, said + used, sizeof said - 1 - used)) > 0)
        used += (size_t)got;
    said[used] = '\0';
    close(said_by_child);
    assert_int_equal(waitpid(child, &ended, 0), child);
    if (!WIFSIGNALED(ended) || WTERMSIG(ended) != SIGABRT || !strstr(said, expected))
        fail_msg("no abort with '%s' but status %d: %s", expected, ended, said);
}

/* What is done ends in an abort that says this. What it spoils is a child's. */
#define MISTAKE(said, ...)                                                                         \
    do {                                                                                           \
        if (in_child()) {                                                                          \
            __VA_ARGS__;                                                                           \
            _exit(0);                                                                              \
        }                                                                                          \
        assert_said(said);                                                                         \
    } while (0)

static struct rl_error *const none;

TEST(mistakes_with_protocols_rings_and_texts)
{
    const struct rl_protocol *prl = rl_protocol_named("prl");
    struct rl_params params = rl_protocol_usual(prl, 5);
    struct rl_protocol many = *prl, nameless = {0};
    FREED(rl_ring) ring = test_ring("prl", 5, 5), oracle_ring = test_ring("prl-oracle", 5, 0);
    struct rl_ring empty = {.protocol = prl, .params = params};
    const struct rl_look look = rl_look_of(prl);
    struct rl_experiment options;
    struct rl_oracle oracle = {0};
    struct rl_rulebook book;
    void *memory = malloc(rl_rulebook_bytes(2, false));
    struct rl_wait wait;
    char letters[16];
    struct rl_text text = rl_text_into(letters, sizeof letters);
    uint64_t count;
    struct rl_random random = test_random(1, 0, RL_PURPOSE_START);
    rl_rulebook_init(&book, memory, 2, false);
    rl_rulebook_add(&book, 1, false);
    many.set_count = RL_MAX_SETS + 1;
    MISTAKE("is its name right?", rl_experiment_init(&options, rl_protocol_named("nobody"), 10));
    MISTAKE("a protocol has a name", rl_protocol_named(NULL));
    MISTAKE("which parameters are given?", rl_protocol_complete(prl, &params, NULL, none));
    MISTAKE("there is no state of that number",
            rl_protocol_state(prl, &params, rl_protocol_states(prl, &params)));
    MISTAKE("no more than there is room for", rl_protocol_allows(&many, &params, none));
    MISTAKE("a protocol has a name", rl_protocol_add(&nameless));
    MISTAKE("the state was added before", rl_rulebook_add(&book, 1, true));
    MISTAKE("the ring has no such arc", rl_ring_interact(&ring, 5));
    MISTAKE("a start needs memory", rl_ring_start(&empty, "random", &random, none));
    MISTAKE("a ring without memory", rl_ring_parse(&empty, "0L 0 0 0 0", 10, none));
    MISTAKE("more agents than the ring has", rl_ring_fault(&ring, 6, &random, NULL, NULL));
    MISTAKE("the ring has no such agent", rl_look_agent(&look, &ring, 5));
    MISTAKE("steps count from 1", rl_oracle_interact(&oracle, &oracle_ring, 0, 0));
    MISTAKE("a text without memory", rl_text_into(NULL, 10));
    MISTAKE("no text", rl_text_parse_count(NULL, 0, &count, none));
    MISTAKE("a format that only printf knows", rl_text_format(&text, "%g", 0.5));
    MISTAKE("there is no such status", rl_status_message((enum rl_status)1000));
    MISTAKE("has something to try", rl_wait_init(&wait, 0));
    free(memory);
}

static void prepare(struct rl_run *run, uint32_t n)
{
    struct rl_experiment options;
    rl_experiment_init(&options, rl_protocol_named("prl"), n);
    rl_run_init(run, &options, NULL);
}

TEST(mistakes_with_runs)
{
    struct rl_protocol bare = {.name = "bare", .width = 4};
    FREED(rl_ring) ring = test_ring("prl", 5, 5);
    FREED(rl_batch) batch;
    FREED(rl_run) run, other;
    struct rl_engine engine;
    FREED(rl_snapshot) snapshot;
    struct rl_timeline timeline;
    prepare(&run, 10);
    prepare(&other, 10);
    rl_snapshot_init(&snapshot, &run.engine);
    rl_batch_init(&batch, 1);
    MISTAKE("a batch has room for an event", rl_batch_init(&batch, 0));
    MISTAKE("the batch has no such position", rl_batch_seek(&run.batch, &run.ring, 1));
    MISTAKE("a batch wants 1 to", run.batch.wanted = 0,
            rl_engine_advance(&run.engine, 10, &run.batch));
    MISTAKE("a schedule needs the plain engine",
            rl_engine_init(&engine, RL_ENGINE_EVENT, &run.ring, &run.fault_random, &run.cursor));
    MISTAKE("a protocol has `interact`", run.ring.protocol = &bare,
            rl_engine_init(&engine, RL_ENGINE_STEP, &run.ring, &run.fault_random, NULL));
    MISTAKE("there is no such set",
            rl_hits_advance_to(run.hits, 99, &run.engine, 10, &snapshot, &run.batch));
    MISTAKE("a snapshot of another engine", rl_snapshot_take(&snapshot, &run.engine),
            rl_snapshot_restore(&snapshot, &other.engine));
    MISTAKE("what did rl_run_init say?", prepare(&run, 1), rl_run_advance(&run));
    MISTAKE("the run has begun", rl_run_advance(&run),
            rl_run_observe(&run, (struct rl_observer){NULL}));
    MISTAKE("nobody to take the samples", rl_timeline_watch(&timeline, &run, NULL, NULL));
}

static bool put_nothing(void *user, const void *bytes, size_t size)
{
    (void)user, (void)bytes, (void)size;
    return true;
}

TEST(mistakes_with_verifications_and_proofs)
{
    const struct rl_protocol *prl = rl_protocol_named("prl");
    const struct rl_params params = rl_protocol_usual(prl, 2);
    static struct rl_verification answer;
    static const struct rl_counterexample no_counterexample;
    static const struct rl_every_n nothing;
    struct rl_verify_options options;
    struct rl_explore_options explore;
    struct rl_exploration exploration;
    FREED(rl_ring) ring = test_ring("prl", 3, 3);
    rl_verify_options_init(&options, prl, 2);
    rl_explore_options_init(&explore, prl, 3, NULL);
    MISTAKE("not those of rl_verify_options_init", options.jobs = 0,
            rl_verify(&answer, &options, none));
    MISTAKE("a start of another ring", rl_distribution(&options, &ring, 0, NULL, NULL, none));
    MISTAKE("there is no counterexample",
            rl_counterexample_write(&no_counterexample, prl, &params, NULL, put_nothing));
    MISTAKE("options are not those of", rl_explore(&explore, &exploration, none));
    MISTAKE("nothing was proved", rl_certificate_write(&nothing, NULL, put_nothing));
    MISTAKE("the set was not learnt", rl_every_n_automaton(&nothing, 0));
}

TEST(mistakes_with_studies_and_pictures)
{
    struct rl_plan plan = {0};
    struct rl_queue queue, of_nothing;
    struct rl_crew crew;
    struct rl_store *store;
    struct rl_report report;
    struct rl_pen pen;
    FREED(rl_ring) ring = test_ring("prl", 5, 5);
    size_t index;
    bool finished;
    char path[] = "/tmp/mistakes.XXXXXX";
    close(mkstemp(path)); /* an empty file becomes a study */
    rl_store_open(&store, path, RL_STORE_WRITE, NULL);
    rl_store_close(store);
    rl_store_open(&store, path, RL_STORE_READ, NULL);
    unlink(path);
    rl_queue_init(&of_nothing, &plan, 0, 1);
    MISTAKE("a point has a protocol",
            rl_plan_add(&plan, &(struct rl_point){.run.start = "random"}, &index));
    MISTAKE("there is no such share", rl_queue_init(&queue, &plan, 2, 2));
    MISTAKE("the plan has no such point",
            rl_queue_done(&of_nothing, &(struct rl_trial){.point = 3}));
    MISTAKE("nobody to do the work", rl_crew_threads(&crew, &plan, 0));
    MISTAKE("opened for reading", rl_store_begin_session(store, 1, none));
    MISTAKE("a study has a path", rl_store_open(&store, NULL, RL_STORE_READ, none));
    MISTAKE("a study has a path",
            rl_study_run(&(struct rl_study_options){.jobs = 1}, &finished, none));
    MISTAKE("a sample has values", rl_stats_of(NULL, 0, 0, 0));
    MISTAKE("between 0 and 1", rl_stats_quantile((const double[]){1}, 1, 1, 1.5));
    MISTAKE("a report is of a study", rl_report_load(&report, NULL, 0, none));
    MISTAKE("a picture has a size", rl_pen_open(&pen, RL_PEN_SVG, 0, 10, NULL));
    MISTAKE("a picture has a title",
            rl_ringpicture_draw(&ring, NULL, RL_PEN_SVG, put_nothing, NULL));
    rl_queue_free(&of_nothing);
    rl_store_close(store);
}
