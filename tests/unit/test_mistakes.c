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

/* ---- mistakes ---------------------------------------------------------------------------------
 */

static const struct rl_protocol *prl(void)
{
    return rl_protocol_at(0);
}

/* Whether something went well is no matter here: nobody is to get so far. */
static void ignore(enum rl_status status)
{
    (void)status;
}

static void prepare(struct rl_run *run, uint32_t n)
{
    struct rl_run_options options;
    rl_run_options_init(&options, prl(), n);
    ignore(rl_run_init(run, &options, NULL));
}

static void no_protocol(void)
{
    struct rl_run_options options;
    rl_run_options_init(&options, rl_protocol_named("nobody"), 10);
}
static void no_name(void)
{
    rl_protocol_named(NULL);
}
static void nothing_given(void)
{
    struct rl_params params = {.n = 5};
    ignore(rl_protocol_complete(prl(), &params, NULL, NULL));
}
static void state_too_far(void)
{
    const struct rl_params params = rl_protocol_usual(prl(), 5);
    rl_protocol_state(prl(), &params, rl_protocol_states(prl(), &params));
}
static void too_many_sets(void)
{
    struct rl_protocol many = *prl();
    const struct rl_params params = rl_protocol_usual(prl(), 5);
    many.set_count = RL_MAX_SETS + 1;
    ignore(rl_protocol_allows(&many, &params, NULL));
}
static void nameless_protocol(void)
{
    static struct rl_protocol nameless;
    rl_protocol_add(&nameless);
}
static void arc_of_another_ring(void)
{
    struct rl_ring ring = test_ring("prl", 5, 5);
    rl_ring_interact(&ring, 5);
}
static void start_without_memory(void)
{
    struct rl_random random;
    struct rl_ring ring = {prl(), rl_protocol_usual(prl(), 5), NULL};
    rl_random_init(&random, 1, 0, RL_PURPOSE_START);
    ignore(rl_ring_start(&ring, "random", &random, NULL));
}
static void parse_without_memory(void)
{
    struct rl_ring ring = {prl(), rl_protocol_usual(prl(), 5), NULL};
    ignore(rl_ring_parse(&ring, "0L 0 0 0 0", 10, NULL));
}
static void fault_of_too_many(void)
{
    struct rl_random random;
    struct rl_ring ring = test_ring("prl", 5, 5);
    rl_random_init(&random, 1, 0, RL_PURPOSE_FAULT);
    rl_ring_fault(&ring, 6, &random, NULL, NULL);
}
static void text_without_memory(void)
{
    rl_text_into(NULL, 10);
}
static void count_of_nothing(void)
{
    uint64_t count;
    ignore(rl_text_parse_count(NULL, 0, &count, NULL));
}
static void format_of_printf(void)
{
    char memory[16];
    struct rl_text text = rl_text_into(memory, sizeof memory);
    rl_text_format(&text, "%g", 0.5);
}
static void request_from_nowhere(void)
{
    struct rl_request request = {0};
    ignore(rl_request_read(&request, NULL, 0, NULL, NULL));
}
static void status_from_nowhere(void)
{
    rl_status_message((enum rl_status)1000);
}
static void wait_for_nothing(void)
{
    struct rl_wait wait;
    rl_wait_init(&wait, 0);
}
static void look_beyond(void)
{
    struct rl_ring ring = test_ring("prl", 5, 5);
    const struct rl_look look = rl_look_of(prl());
    rl_look_agent(&look, &ring, 5);
}
static void oracle_at_step_0(void)
{
    struct rl_oracle oracle = {0};
    struct rl_ring ring = test_ring("prl-oracle", 5, 0);
    rl_oracle_interact(&oracle, &ring, 0, 0);
}
static void empty_batch(void)
{
    struct rl_batch batch;
    ignore(rl_batch_init(&batch, 0));
}
static void seek_beyond(void)
{
    struct rl_run run;
    prepare(&run, 10);
    rl_batch_seek(&run.batch, &run.ring, 1);
}
static void batch_that_does_not_end_there(void)
{
    struct rl_ring ring = test_ring("prl", 5, 5);
    struct rl_batch batch;
    ignore(rl_batch_init(&batch, 1));
    rl_batch_first_in(&batch, &ring, &prl()->sets[prl()->target]);
}
static void batch_that_wants_nothing(void)
{
    struct rl_run run;
    prepare(&run, 10);
    run.batch.wanted = 0;
    rl_engine_advance(&run.engine, 10, &run.batch);
}
static void schedule_for_events(void)
{
    struct rl_run run;
    struct rl_engine engine;
    prepare(&run, 10);
    ignore(rl_engine_init(&engine, RL_ENGINE_EVENT, &run.ring, &run.fault_random, &run.cursor));
}
static void protocol_without_rule(void)
{
    struct rl_protocol bare = {.name = "bare", .width = 4};
    struct rl_run run;
    struct rl_engine engine;
    prepare(&run, 10);
    run.ring.protocol = &bare;
    ignore(rl_engine_init(&engine, RL_ENGINE_STEP, &run.ring, &run.fault_random, NULL));
}
static void no_such_set(void)
{
    struct rl_run run;
    struct rl_snapshot snapshot;
    prepare(&run, 10);
    ignore(rl_snapshot_init(&snapshot, &run.engine));
    rl_hits_advance_to(run.hits, 99, &run.engine, 10, &snapshot, &run.batch);
}
static void snapshot_of_another(void)
{
    struct rl_run run, other;
    struct rl_snapshot snapshot;
    prepare(&run, 10);
    prepare(&other, 10);
    ignore(rl_snapshot_init(&snapshot, &run.engine));
    rl_snapshot_take(&snapshot, &run.engine);
    rl_snapshot_restore(&snapshot, &other.engine);
}
static void run_that_was_refused(void)
{
    struct rl_run run;
    prepare(&run, 1);
    rl_run_advance(&run);
}
static void faults_out_of_order(void)
{
    static const struct rl_fault faults[] = {{.step = 9, .agents = 1}, {.step = 3, .agents = 1}};
    struct rl_run_options options;
    struct rl_run run;
    rl_run_options_init(&options, prl(), 10);
    options.faults = faults;
    options.fault_count = 2;
    ignore(rl_run_init(&run, &options, NULL));
}
static void observer_that_comes_late(void)
{
    struct rl_run run;
    prepare(&run, 10);
    rl_run_advance(&run);
    rl_run_observe(&run, (struct rl_observer){NULL});
}
static void samples_for_nobody(void)
{
    struct rl_run run;
    struct rl_timeline timeline;
    prepare(&run, 10);
    rl_timeline_watch(&timeline, &run, NULL, NULL);
}
static bool put_nothing(void *user, const void *bytes, size_t size)
{
    (void)user, (void)bytes, (void)size;
    return true;
}
static void verify_with_nothing(void)
{
    static struct rl_verification answer;
    struct rl_verify_options options;
    rl_verify_options_init(&options, prl(), 2);
    options.jobs = 0;
    ignore(rl_verify(&answer, &options, NULL));
}
static void distribution_of_another_ring(void)
{
    struct rl_ring ring = test_ring("prl", 3, 3);
    struct rl_verify_options options;
    rl_verify_options_init(&options, prl(), 2);
    ignore(rl_distribution(&options, &ring, 0, NULL, NULL, NULL));
}
static void no_counterexample(void)
{
    static const struct rl_counterexample none;
    const struct rl_params params = rl_protocol_usual(prl(), 2);
    ignore(rl_counterexample_write(&none, prl(), &params, NULL, put_nothing));
}
static void exploration_from_nowhere(void)
{
    struct rl_exploration answer;
    struct rl_explore_options options;
    rl_explore_options_init(&options, prl(), 3, NULL);
    ignore(rl_explore(&options, &answer, NULL));
}
static void certificate_of_nothing(void)
{
    static const struct rl_every_n none;
    ignore(rl_certificate_write(&none, NULL, put_nothing));
}
static void automaton_not_learnt(void)
{
    static const struct rl_every_n none;
    rl_every_n_automaton(&none, 0);
}
static void point_without_protocol(void)
{
    struct rl_plan plan = {0};
    size_t index;
    ignore(rl_plan_add(&plan, &(struct rl_point){.start = "random"}, &index));
}
static void no_such_share(void)
{
    struct rl_queue queue;
    ignore(rl_queue_init(&queue, &(struct rl_plan){0}, 2, 2));
}
static void no_such_point(void)
{
    struct rl_plan plan = {0};
    struct rl_queue queue;
    ignore(rl_queue_init(&queue, &plan, 0, 1));
    rl_queue_done(&queue, &(struct rl_trial){.point = 3});
}
static void crew_of_nobody(void)
{
    struct rl_crew crew;
    ignore(rl_crew_threads(&crew, &(struct rl_plan){0}, 0));
}
static void store_without_path(void)
{
    struct rl_store *store;
    ignore(rl_store_open(&store, NULL, RL_STORE_READ, NULL));
}
static void store_for_reading(void)
{
    char path[] = "/tmp/mistakes.XXXXXX";
    struct rl_store *store;
    const int file = mkstemp(path);
    close(file);
    ignore(rl_store_open(&store, path, RL_STORE_WRITE, NULL)); /* an empty file becomes a study */
    rl_store_close(store);
    ignore(rl_store_open(&store, path, RL_STORE_READ, NULL));
    unlink(path);
    ignore(rl_store_write(store, NULL, NULL, 0, NULL));
}
static void study_without_path(void)
{
    bool finished;
    ignore(rl_study_run(&(struct rl_study_options){.jobs = 1}, &finished, NULL));
}
static void sample_of_nothing(void)
{
    rl_stats_of(NULL, 0, 0, 0);
}
static void quantile_above_1(void)
{
    rl_stats_quantile((const double[]){1}, 1, 1, 1.5);
}
static void report_of_nothing(void)
{
    struct rl_report report;
    ignore(rl_report_load(&report, NULL, 0, NULL));
}
static void picture_without_size(void)
{
    struct rl_pen pen;
    rl_pen_open(&pen, RL_PEN_SVG, 0, 10, NULL);
}
static void ring_without_title(void)
{
    struct rl_ring ring = test_ring("prl", 5, 5);
    ignore(rl_ringpicture_draw(&ring, NULL, RL_PEN_SVG, put_nothing, NULL));
}
static void state_added_twice(void)
{
    struct rl_rulebook book;
    void *memory = malloc(rl_rulebook_bytes(2, false));
    rl_rulebook_init(&book, memory, 2, false);
    rl_rulebook_add(&book, 1, false);
    rl_rulebook_add(&book, 1, true);
}

static const struct {
    void (*make)(void);
    const char *said;
} MISTAKES[] = {
    {no_protocol, "is its name right?"},
    {no_name, "a protocol has a name"},
    {nothing_given, "which parameters are given?"},
    {state_too_far, "there is no state of that number"},
    {too_many_sets, "no more than there is room for"},
    {nameless_protocol, "a protocol has a name"},
    {arc_of_another_ring, "the ring has no such arc"},
    {start_without_memory, "a start needs memory"},
    {parse_without_memory, "a ring without memory"},
    {fault_of_too_many, "more agents than the ring has"},
    {text_without_memory, "a text without memory"},
    {count_of_nothing, "no text"},
    {format_of_printf, "a format that only printf knows"},
    {request_from_nowhere, "a request begins with rl_request_init"},
    {status_from_nowhere, "there is no such status"},
    {wait_for_nothing, "has something to try"},
    {look_beyond, "the ring has no such agent"},
    {oracle_at_step_0, "steps count from 1"},
    {empty_batch, "a batch has room for an event"},
    {seek_beyond, "the batch has no such position"},
    {batch_that_does_not_end_there, "the ring does not end in the set"},
    {batch_that_wants_nothing, "a batch wants 1 to"},
    {schedule_for_events, "a schedule needs the plain engine"},
    {protocol_without_rule, "a protocol has `interact`"},
    {no_such_set, "there is no such set"},
    {snapshot_of_another, "a snapshot of another engine"},
    {run_that_was_refused, "what did rl_run_init say?"},
    {faults_out_of_order, "faults come in order"},
    {observer_that_comes_late, "the run has begun"},
    {samples_for_nobody, "nobody to take the samples"},
    {verify_with_nothing, "not those of rl_verify_options_init"},
    {distribution_of_another_ring, "a start of another ring"},
    {no_counterexample, "there is no counterexample"},
    {exploration_from_nowhere, "options are not those of"},
    {certificate_of_nothing, "nothing was proved"},
    {automaton_not_learnt, "the set was not learnt"},
    {point_without_protocol, "a point has a protocol"},
    {no_such_share, "there is no such share"},
    {no_such_point, "the plan has no such point"},
    {crew_of_nobody, "nobody to do the work"},
    {store_without_path, "a study has a path"},
    {store_for_reading, "opened for reading"},
    {study_without_path, "a study has a path"},
    {sample_of_nothing, "a sample has values"},
    {quantile_above_1, "between 0 and 1"},
    {report_of_nothing, "a report is of a study"},
    {picture_without_size, "a picture has a size"},
    {ring_without_title, "a picture has a title"},
    {state_added_twice, "the state was added before"},
};

/* ---- the test ---------------------------------------------------------------------------------
 */

/* Makes the mistake in a child; how it ended as waitpid says, and what it said. */
static int make(void (*mistake)(void), char *said, size_t size)
{
    int ends[2], ended = 0;
    size_t used = 0;
    ssize_t got;
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        dup2(ends[1], STDERR_FILENO);
        mistake();
        _exit(0);
    }
    close(ends[1]);
    while ((got = read(ends[0], said + used, size - 1 - used)) > 0)
        used += (size_t)got;
    said[used] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &ended, 0), child);
    return ended;
}

TEST(a_mistake_of_the_caller_ends_the_program_and_says_which)
{
    for (size_t i = 0; i < sizeof MISTAKES / sizeof MISTAKES[0]; i++) {
        char said[4096];
        const int ended = make(MISTAKES[i].make, said, sizeof said);
        if (!WIFSIGNALED(ended) || WTERMSIG(ended) != SIGABRT || !strstr(said, MISTAKES[i].said))
            fail_msg("no abort with '%s' but status %d: %s", MISTAKES[i].said, ended, said);
    }
}
