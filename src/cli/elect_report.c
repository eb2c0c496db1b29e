/* SPDX-License-Identifier: MIT
 *
 * The report of an election: for people, for programs, and while it runs.
 */
#include <math.h>

#include "cli/election.h"

static void tell_hits(struct answer *answer, const struct rl_run *run)
{
    const struct rl_protocol *protocol = run->ring.protocol;
    /* What steps are compared with: n times the bound N if there is one, else n^2. */
    const int bound = rl_protocol_parameter(protocol, "N");
    const double n = run->ring.params.n, yard = n * (bound < 0 ? n : run->ring.params.value[bound]);
    line(answer, "\n  %-8s %22s %18s %12s\n", "hit", "steps", "parallel time",
         bound < 0 ? "n^2" : "nN");
    rl_json_hits(&answer->json, "hits", protocol, run->hits);
    for (size_t i = 0; i < protocol->set_count; i++) {
        const double steps = (double)run->hits[i];
        if (run->hits[i] == RL_NEVER)
            line(answer, "  %-8s %22s\n", protocol->sets[i].name, "-");
        else
            line(answer, "  %-8s %22s %18.1f %12.4f\n", protocol->sets[i].name,
                 grouped(run->hits[i]), steps / n, steps / yard);
    }
    line(answer, "\n");
}

static void tell_faults(struct answer *answer, const struct rl_run *run)
{
    put_open(answer, "faults", '[');
    for (size_t i = 0; i < run->faults_done; i++) {
        const struct rl_fault *fault = &run->faults[i];
        const bool recovered = fault->recovered_after != RL_NEVER;
        rl_json_fault(&answer->json, fault->step, fault->agents, fault->recovered_after);
        say(answer, "fault",
            recovered ? "%s agents at step %s: recovered after %s steps"
                      : "%s agents at step %s: not recovered%s",
            grouped(fault->agents), grouped(fault->step),
            recovered                  ? grouped(fault->recovered_after)
            : i + 1 < run->faults_done ? " before the next one"
                                       : "");
    }
    put_close(answer, ']');
}

/* What the run was to come to. */
static const char *goal_name(const struct rl_run *run)
{
    return run->settled.wanted ? "settled" : run->ring.protocol->sets[run->end.set].name;
}

/* ... unless it was to be so long, or as its schedule. */
static bool has_goal(const struct rl_run *run)
{
    return run->end.kind == RL_UNTIL_SET || run->end.kind == RL_UNTIL_SETTLED;
}

static bool has_settled(const struct rl_run *run)
{
    return run->settled.wanted && run->state == RL_REACHED;
}

static bool is_reached(const struct rl_run *run)
{
    return run->settled.wanted ? has_settled(run) : run->hits[run->end.set] != RL_NEVER;
}

static void tell_leaders(struct answer *answer, const struct rl_run *run)
{
    const uint32_t leaders = rl_ring_leaders(&run->ring);
    const uint32_t first = rl_ring_first_leader(&run->ring);
    put(answer, "leaders=%u leader=%jd", leaders, leaders == 1 ? first : RL_NEVER);
    if (is_reached(run) && leaders == 1)
        say(answer, "leader", "u_%u", first);
    else
        say(answer, "leaders", "%s", grouped(leaders));
}

/* What is observed is no proof, and says so. */
static void tell_settled(struct answer *answer, const struct rl_run *run)
{
    if (!run->settled.wanted)
        return;
    put_object(answer, "observed", "steps=%ju since=%jd proved=%d", run->settled.wanted,
               has_settled(run) ? run->settled.since : RL_NEVER, false);
    if (has_settled(run))
        say(answer, "settled",
            "since step %s: no output changed for %s steps (observed, not proved)",
            grouped(run->settled.since), grouped(run->settled.wanted));
}

/* How it ended, where that is not with the hit. */
static void tell_end(struct answer *answer, const struct election *election)
{
    const struct rl_run *run = &election->run;
    const bool reached = is_reached(run), exhausted = run->state == RL_EXHAUSTED;
    put(answer, "interrupted=%d", election->interrupted);
    if (run->state == RL_REACHED && run->end.after == 0)
        return;
    const char *why = run->state == RL_REACHED                     ? ", as asked after the hit"
                      : election->interrupted                      ? ", interrupted"
                      : exhausted && election->experiment.schedule ? ", with the schedule"
                      : exhausted ? ", because no interaction can change anything anymore"
                      : run->end.kind == RL_UNTIL_STEPS && run->step == run->end.steps
                          ? ", as asked"
                          : ", the limit";
    say(answer, "ended", "at step %s%s%s%s", grouped(run->step), why, reached ? "" : ", before ",
        reached ? "" : goal_name(run));
}

static void tell_speed(struct answer *answer, const struct election *election)
{
    const struct rl_run *run = &election->run;
    const double steps = (double)run->step, events = (double)run->events;
    put(answer, "events=%ju stream_version=%u wall_seconds=%g", run->events, RL_STREAM_VERSION,
        election->seconds);
    if (run->events > 0)
        say(answer, "events", "%s (one step in %.4g changed a state)", grouped(run->events),
            steps / events);
    else
        say(answer, "events", "0");
    say(answer, "speed", "%.3f s, %.3g steps and %.3g events per second", election->seconds,
        steps / election->seconds, events / election->seconds);
}

void report_election(const struct election *election, bool json)
{
    const struct rl_run *run = &election->run;
    const struct rl_experiment *experiment = &election->experiment;
    struct answer answer = answer_begin(json);
    tell_heading(&answer, run->ring.protocol, &run->ring.params, "a");
    line(&answer, "\nstart %s, seed %ju, trial %ju, engine %s\n", experiment->start,
         experiment->seed, experiment->trial, rl_engine_name(experiment->engine));
    put(&answer, "start=%s seed=%ju", experiment->start, experiment->seed);
    const bool by_length = run->end.kind == RL_UNTIL_STEPS; /* which no limit is told beside */
#define TELL(member, place, key, least, most, otherwise, ...)                                      \
    if (experiment->place != (otherwise) &&                                                        \
        !(by_length && &experiment->place == &experiment->end.max_steps))                          \
        rl_json_count(&answer.json, #member, experiment->place);
    RL_END_COUNTS(TELL)
#undef TELL
    const uint64_t hit = has_settled(run) ? run->settled.since : run->hits[run->end.set];
    const bool at_hit =
        has_settled(run) ||
        ((run->end.kind == RL_UNTIL_SCHEDULE || run->end.after > 0) && hit != RL_NEVER);
    put(&answer, "trial=%ju engine=%s target=%s reached=%d steps=%ju", experiment->trial,
        rl_engine_name(experiment->engine), goal_name(run),
        is_reached(run) && !(by_length && run->step < run->end.steps), at_hit ? hit : run->step);
    tell_hits(&answer, run);
    tell_faults(&answer, run);
    tell_leaders(&answer, run);
    tell_settled(&answer, run);
    tell_end(&answer, election);
    tell_speed(&answer, election);
    answer_end(&answer);
}

/* ---- while it runs ---- */

void show_election(struct progress *progress, const struct rl_run *run)
{
    const struct rl_protocol *protocol = run->ring.protocol;
    char hits[64];
    struct rl_text text = rl_text_into(hits, sizeof hits);
    for (size_t i = 0; i < protocol->set_count; i++)
        if (run->hits[i] != RL_NEVER)
            rl_text_format(&text, " %s", protocol->sets[i].name);
    const uint32_t leaders = rl_ring_leaders(&run->ring);
    /* Every halving of the leaders takes about as many events as the one before it, 4.9 n. Where it
     * has taken more than twice that, leaders become fewer by another law, and nobody can tell. */
    const double halvings = log2((double)run->ring.params.n / (leaders ? leaders : 1));
    const bool usual = (double)run->events < 10 * halvings * run->ring.params.n;
    char left[48] = "";
    if (leaders > 1 && halvings >= 3 && usual && has_goal(run) && run->fault_count == 0)
        snprintf(left, sizeof left, ", about %.0f s left",
                 (seconds_now() - progress->began) * (1 + log2(leaders)) / halvings);
    progress_show(progress, "%s steps, %s events, %s leader%s left%s%s%s", grouped(run->step),
                  grouped(run->events), grouped(leaders), leaders == 1 ? "" : "s",
                  hits[0] ? ", in" : "", hits, left);
}
