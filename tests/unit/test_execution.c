/* SPDX-License-Identifier: MIT
 *
 * Executions on record: what is written is read back and replays to the same end, a damaged one is
 * refused with the line and the reason, and a wrong one does not pass.
 */
#include "test.h"

/* Reads, runs and checks; "line 3: reason" or "right". The end is in `ring_out`, if given. */
static const char *replayed(const char *text, size_t size, struct rl_ring *ring_out)
{
    static char told[600];
    FREED(rl_execution) execution;
    FREED(rl_run) run = {0};
    FREED(rl_replay) replay = {0};
    struct rl_error error = {0};
    enum rl_status status = rl_execution_read(&execution, text, size, false, &error);
    if (!status)
        status = rl_run_init(&run, &execution.experiment, &error);
    if (!status)
        status = rl_replay_watch(&replay, &execution, &run);
    if (!status) {
        test_finish(&run);
        status = rl_replay_end(&replay, &run, &error);
    }
    if (!status && ring_out)
        memcpy(ring_out->agents, run.ring.agents,
               rl_ring_bytes(run.ring.protocol, run.ring.params.n));
    assert_true(!status || (status == RL_BAD_TRACE && error.text[0]));
    snprintf(told, sizeof told, "line %u: %s", error.line, error.text);
    return status ? told : "right";
}

static const struct rl_fault FAULTS[] = {{.step = 50, .agents = 4}, {.step = 700, .agents = 12}};

/* Runs to the target and writes what happened. */
static struct bytes record(struct rl_run *run, const struct rl_experiment *options,
                           const char *schedule)
{
    struct bytes text = {0};
    test_run(run, options);
    const struct rl_execution execution = rl_execution_of(run, options, schedule);
    assert_int_equal(rl_execution_write(&execution, &text, put_bytes), RL_OK);
    return text;
}

static struct rl_experiment options_for(const char *start, size_t faults)
{
    struct rl_experiment options = test_options("prl", 12, 15, start);
    options.seed = 5;
    options.trial = 6;
    options.faults = FAULTS;
    options.fault_count = faults;
    return options;
}

TEST(a_recorded_run_replays_to_the_same_end)
{
    static const char *const starts[] = {"random", "leaderless", "safe"};
    for (int s = 0; s < 3; s++)
        for (size_t faults = 0; faults <= 2; faults++) {
            struct rl_experiment options = options_for(starts[s], faults);
            options.engine = faults % 2 ? RL_ENGINE_STEP : RL_ENGINE_EVENT;
            FREED(rl_run) run;
            FREED(bytes) text = record(&run, &options, NULL);
            FREED(rl_ring) end = test_ring("prl", 12, 15);
            assert_string_equal(replayed(text.at, text.size, &end), "right");
            assert_memory_equal(end.agents, run.ring.agents, rl_ring_bytes(end.protocol, 12));
            FREED(rl_execution) execution;
            assert_int_equal(rl_execution_read(&execution, text.at, text.size, false, NULL), RL_OK);
            assert_int_equal(execution.experiment.seed, 5);
            assert_int_equal(execution.experiment.trial, 6);
            assert_int_equal(execution.experiment.engine, options.engine);
            assert_int_equal(execution.experiment.params.value[0], 15);
            assert_int_equal(execution.experiment.end.steps, run.step);
            assert_int_equal(execution.experiment.fault_count, faults);
            assert_int_equal(execution.events, run.events);
            assert_memory_equal(execution.hits, run.hits, sizeof run.hits);
        }
}

TEST(a_start_and_a_schedule_from_files_are_kept)
{
    static const char text[] = "(seqR 0 11)^9 # round and round\n seqL 3 11";
    FREED(rl_schedule) schedule;
    FREED(rl_ring) start = test_ring("prl", 12, 15), end = test_ring("prl", 12, 15);
    struct rl_experiment options = options_for(NULL, 1);
    FREED(rl_run) run;
    rl_ring_set(&start, 3, 1);
    assert_int_equal(rl_schedule_parse(&schedule, 12, text, sizeof text - 1, NULL), RL_OK);
    options.configuration = start.agents;
    options.schedule = &schedule;
    options.engine = RL_ENGINE_STEP;
    options.end.kind = RL_UNTIL_SCHEDULE;
    FREED(bytes) written = record(&run, &options, text);
    assert_non_null(strstr(written.at, text));
    assert_string_equal(replayed(written.at, written.size, &end), "right");
    assert_memory_equal(end.agents, run.ring.agents, rl_ring_bytes(end.protocol, 12));
}

TEST(an_execution_cut_anywhere_is_refused)
{
    const struct rl_experiment options = options_for("random", 2);
    FREED(rl_run) run;
    FREED(bytes) text = record(&run, &options, NULL);
    for (size_t size = 0; size + 1 < text.size; size++) {
        char *exact = malloc(size + !size); /* so that valgrind sees a read beyond it */
        memcpy(exact, text.at, size);
        const char *told = replayed(exact, size, NULL);
        assert_string_not_equal(told, "right");
        free(exact);
    }
}

/* A changed character is refused, unless what it makes is an execution, too: with the other engine,
 * another bound N, some steps more, or a comment. */
TEST(a_changed_character_is_refused)
{
    const struct rl_experiment options = options_for("random", 2);
    FREED(rl_run) run;
    FREED(bytes) text = record(&run, &options, NULL);
    for (size_t i = 0; i < text.size; i++)
        for (int bit = 0; bit < 7; bit++) {
            text.at[i] ^= (char)(1 << bit);
            const bool other = !strstr(text.at, "engine event\n") || !strstr(text.at, "\nN 15\n") ||
                               !strstr(text.at, "\nsteps 964\n") || memchr(text.at, '#', text.size);
            if (!other && strcmp(replayed(text.at, text.size, NULL), "right") == 0)
                fail_msg("byte %zu, bit %d:\n%s", i, bit, text.at);
            text.at[i] ^= (char)(1 << bit);
        }
}

/* ---- executions made by hand ---- */

#define HEAD    "ringleader execution 1\nprotocol prl\nn 2\nN 2\n"
#define told(s) replayed(s, sizeof(s) - 1, NULL)

TEST(an_execution_may_be_written_by_hand)
{
    assert_string_equal(told(HEAD "start\n0L 0\nhit S_RL 0\nschedule\n0 0 1\nend\n"), "right");
    assert_string_equal(told(HEAD "start\n0L 0\nsteps 0\nschedule random\nend\n"), "right");
    assert_string_equal(told(HEAD "# a comment\r\nstart\r\n0 0\r\n\r\nschedule\r\n0 1\r\nend\r\n"),
                        "right");
    /* "0 0", arc 0: "0 1", arc 1: a leader is made, in S_RL at step 2 */
    assert_string_equal(
        told(HEAD "start\n0 0\nsteps 2\nevents 2\nhit S_RL 2\nhit C_PB 2\nschedule\n0 1 0 0\nend"),
        "right");
    assert_string_equal(told(HEAD "start leaderless\nsteps 5\nschedule random\nend\n"), "right");
}

TEST(every_defect_has_its_line)
{
    static const struct {
        const char *text, *told;
    } cases[] = {
        {"", "line 1: not an execution: the first line is not `ringleader execution 1`"},
        {"ringleader execution 2\n",
         "line 1: not an execution: the first line is not `ringleader execution 1`"},
        {"ringleader execution 1\nn 2\nsteps 1\nschedule random\nend\n",
         "line 1: which protocol? there is no line `protocol`"},
        {"ringleader execution 1\nprotocol prx\nend\n",
         "line 2: for a protocol that this program does not have"},
        {"ringleader execution 1\nprotocol mine\nhash 0123456789abcdef\nend\n",
         "line 2: for a protocol from a file: give the file with -p"},
        {"ringleader execution 1\nprotocol prl\nhash 0123456789abcdef\nend\n",
         "line 3: for another text: the protocol file has changed since this was written"},
        {"ringleader execution 1\nprotocol prl\nn 3\nN 2\nend\n",
         "line 2: N = 2 is below n = 3; the protocol needs 2 <= n <= N"},
        {"ringleader execution 1\nprotocol prl\nn x\nend\n", "line 3: 'x' is not a count"},
        {HEAD "k 3\nend\n", "line 5: protocol prl has no parameter k"},
        {HEAD "colour 3\nend\n", "line 5: there is no 'colour' in an execution"},
        {HEAD "start nowhere\nend\n", "line 5: prl has no start 'nowhere'"},
        {HEAD "start\n0L 0 0\nend\n", "line 6: more than n = 2 agents"},
        {HEAD "start\n0L\nend\n", "line 6: 1 agents, but n = 2"},
        {HEAD "start\n0L x\nend\n", "line 6: this is not part of an agent of prl"},
        {HEAD "start\n", "line 5: the file ends before the line `end`: it is cut off"},
        {HEAD "steps 2\n", "line 5: the file ends before the line `end`: it is cut off"},
        {HEAD "schedule\n0 1\n", "line 5: the file ends before the line `end`: it is cut off"},
        {HEAD "schedule\n0\n5\nend\n", "line 7: expected an arc, 0 to 1"},
        {HEAD "schedule\n0\nend\nn 3\n",
         "line 5: the file ends before the line `end`: it is cut off"},
        {HEAD "schedule sometimes\nend\n", "line 5: not `random`, and no arcs below"},
        {HEAD "steps 1\nend\n", "line 6: there is no schedule"},
        {HEAD "schedule random\nend\n", "line 6: how long is it? there is no line `steps`"},
        {HEAD "steps 3\nschedule\n0 1\nend\n", "line 5: the schedule has fewer steps"},
        {HEAD "steps 3\nsteps 4\nschedule random\nend\n", "line 6: steps is given twice"},
        {HEAD "engine fast\nend\n", "line 5: there is no engine 'fast'; there are event and step"},
        {HEAD "stream 1\nend\n",
         "line 5: made with other random numbers: this program has version"},
        {HEAD "fault 3@1\nend\n", "line 5: the fault '3@1' strikes no agent or too many: 1 to"},
        {HEAD "fault 1@9\nsteps 3\nschedule random\nend\n",
         "line 5: a fault at step 9 comes after the end of the run, step 3"},
        {HEAD "fault 1@9\nfault 1@8\nend\n", "line 6: faults must be in order"},
        {HEAD "hit S_XX 3\nend\n", "line 5: prl has no set 'S_XX'"},
        {HEAD "hit S_RL 3\nhit S_RL 4\nend\n", "line 6: hit S_RL is given twice"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *answer = replayed(cases[i].text, strlen(cases[i].text), NULL);
        if (strncmp(answer, cases[i].told, strlen(cases[i].told)) != 0)
            fail_msg("%s\nis told: %s\nnot: %s", cases[i].text, answer, cases[i].told);
    }
    assert_string_equal(told("ringleader execution 1\n\0\n"),
                        "line 1: not an execution: it is not text");
}

/* The ring is in every set from step 8 on, and changes at steps 1, 8 and 9 only. */
#define LATE(hit) HEAD "start\n0 0\n" hit "steps 12\nschedule\n(0)^7 1 (0)^4\nend\n"

TEST(a_hit_in_the_wrong_place_is_wrong)
{
    assert_string_equal(told(LATE("hit S_RL 8\n")), "right");
    assert_string_equal(told(LATE("hit C_PB 0\n")),
                        "line 7: the ring does not enter C_PB at step 0");
    assert_string_equal(told(LATE("hit C_NI 1\n")),
                        "line 7: the ring does not enter C_NI at step 1");
    assert_string_equal(told(LATE("hit S_RL 6\n")),
                        "line 7: the ring does not enter S_RL at step 6");
    assert_string_equal(told(LATE("hit S_RL never\n")), "line 7: the ring is in S_RL at step 12");
    assert_string_equal(told(LATE("hit S_RL 47\n")),
                        "line 7: the ring does not enter S_RL at step 47");
    assert_string_equal(told(LATE("events 4\n")), "line 7: prl: 3 events happen");
    /* Two sets, the later one in the wrong place. */
    assert_string_equal(told(LATE("hit S_RL 8\nhit C_PB 9\n")),
                        "line 8: the ring already is in C_PB at step 8");
}

TEST(a_hit_before_the_last_fault_is_wrong)
{
    assert_string_equal(
        told(HEAD "start\n0L 0\nfault 2@4\nhit S_RL 3\nsteps 5\nschedule random\nend\n"),
        "line 8: the ring does not enter S_RL at step 3");
}

TEST(a_writer_that_cannot_put_says_so)
{
    const struct rl_experiment options = options_for("random", 1);
    FREED(rl_run) run;
    FREED(bytes) whole = record(&run, &options, NULL);
    const struct rl_execution execution = rl_execution_of(&run, &options, NULL);
    for (size_t limit = 1; limit < whole.size; limit++) {
        FREED(bytes) text = {.limit = limit};
        assert_int_equal(rl_execution_write(&execution, &text, put_bytes), RL_IO);
    }
}
