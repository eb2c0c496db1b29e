/* SPDX-License-Identifier: MIT
 *
 * How an election is told: for people, for programs, and while it runs.
 */
#include <string.h>

#include "cli/election.h"

/* ---- for people -------------------------------------------------------------------------------
 */

static void print_head(const struct election *election, const struct rl_run *run)
{
    print_heading(run->ring.protocol, &run->ring.params, "a");
    printf("\nstart %s, seed %llu, trial %llu, engine %s\n\n", election->start,
           (unsigned long long)election->options.seed, (unsigned long long)election->options.trial,
           rl_engine_name(election->options.engine));
}

/* What steps are compared with: n times the first parameter if it is a bound N, else n^2. */
static double yardstick(const struct rl_run *run, const char **name_out)
{
    const double n = run->ring.params.n;
    const int bound = rl_protocol_parameter(run->ring.protocol, "N");
    *name_out = bound >= 0 ? "nN" : "n^2";
    return bound >= 0 ? n * run->ring.params.value[bound] : n * n;
}

static void print_hits(const struct rl_run *run)
{
    const struct rl_protocol *protocol = run->ring.protocol;
    const char *unit;
    const double yard = yardstick(run, &unit);
    printf("  %-8s %22s %18s %12s\n", "hit", "steps", "parallel time", unit);
    for (size_t i = 0; i < protocol->set_count; i++) {
        if (run->hits[i] == RL_NEVER) {
            printf("  %-8s %22s\n", protocol->sets[i].name, "-");
            continue;
        }
        const double steps = (double)run->hits[i];
        printf("  %-8s %22s %18.1f %12.4f\n", protocol->sets[i].name, grouped(run->hits[i]),
               steps / run->ring.params.n, steps / yard);
    }
    putchar('\n');
}

static void print_faults(const struct rl_run *run)
{
    for (size_t i = 0; i < run->faults_done; i++) {
        const struct rl_fault *fault = &run->faults[i];
        printf("fault    %s agent%s at step %s: ", grouped(fault->agents),
               fault->agents == 1 ? "" : "s", grouped(fault->step));
        if (fault->recovered_after == RL_NEVER)
            puts(i + 1 < run->faults_done ? "not recovered before the next one" : "not recovered");
        else
            printf("recovered after %s steps\n", grouped(fault->recovered_after));
    }
}

/* What the run was to come to. */
static const char *goal_name(const struct rl_run *run)
{
    return run->settled.wanted ? "settled" : run->ring.protocol->sets[run->until].name;
}

static bool has_settled(const struct rl_run *run)
{
    return run->settled.wanted && run->state == RL_REACHED;
}

static bool is_reached(const struct rl_run *run)
{
    return run->settled.wanted ? has_settled(run) : run->hits[run->until] != RL_NEVER;
}

static void print_verdict(const struct election *election, const struct rl_run *run)
{
    const char *set = goal_name(run);
    const bool reached = is_reached(run);
    if (reached && rl_ring_leaders(&run->ring) == 1)
        printf("leader   u_%u\n", rl_ring_first_leader(&run->ring));
    else
        printf("leaders  %s\n", grouped(rl_ring_leaders(&run->ring)));
    if (has_settled(run))
        printf("settled  since step %s: no output changed for %s steps (observed, not proved)\n",
               grouped(run->settled.since), grouped(run->settled.wanted));
    if (run->state == RL_REACHED)
        return;
    if (election->interrupted)
        printf("stopped  interrupted at step %s%s%s\n", grouped(run->step),
               run->until_steps ? "" : ", before ", run->until_steps ? "" : set);
    else if (run->state == RL_EXHAUSTED && reached)
        printf("ended    at step %s, with the schedule\n", grouped(run->step));
    else if (run->state == RL_EXHAUSTED)
        printf("stopped  at step %s, before %s: %s\n", grouped(run->step), set,
               election->options.schedule ? "the schedule ended"
                                          : "no interaction changes anything any more");
    else
        printf("stopped  at step %s, %s%s\n", grouped(run->step),
               run->until_steps && !election->limit_first ? "as asked" : "the limit",
               run->settled.wanted                 ? ", before it settled"
               : run->hits[run->until] == RL_NEVER ? ", before the set was hit"
                                                   : "");
}

void report_election(const struct election *election, const struct rl_run *run)
{
    print_head(election, run);
    print_hits(run);
    print_faults(run);
    print_verdict(election, run);
    printf("events   %s", grouped(run->events));
    if (run->events > 0)
        printf(" (one step in %.4g changed a state)", (double)run->step / (double)run->events);
    printf("\nspeed    %.3f s", election->seconds);
    if (election->seconds > 0)
        printf(", %.3g steps and %.3g events a second", (double)run->step / election->seconds,
               (double)run->events / election->seconds);
    putchar('\n');
}

/* ---- for programs -----------------------------------------------------------------------------
 */

/* What is observed is no proof, and says so. */
static void json_settled(struct rl_json *json, const struct rl_run *run)
{
    rl_json_open(json, "observed", '{');
    rl_json_count(json, "steps", run->settled.wanted);
    rl_json_hit(json, "since", has_settled(run) ? run->settled.since : RL_NEVER);
    rl_json_bool(json, "proved", false);
    rl_json_close(json, '}');
}

void report_election_json(const struct election *election, const struct rl_run *run)
{
    const struct rl_protocol *protocol = run->ring.protocol;
    struct rl_json json = rl_json_begin(stdout);
    json_heading(&json, protocol, &run->ring.params);
    rl_json_string(&json, "start", election->start);
    rl_json_count(&json, "seed", election->options.seed);
    rl_json_count(&json, "trial", election->options.trial);
    rl_json_string(&json, "engine", rl_engine_name(election->options.engine));
    rl_json_string(&json, "target", goal_name(run));
    rl_json_bool(&json, "reached", is_reached(run) && !election->limit_first);
    const uint64_t hit = has_settled(run) ? run->settled.since : run->hits[run->until];
    const bool at_hit = has_settled(run) || (election->to_schedules_end && hit != RL_NEVER);
    rl_json_count(&json, "steps", at_hit ? hit : run->step);
    if (run->settled.wanted)
        json_settled(&json, run);
    rl_json_hits(&json, "hits", protocol, run->hits);
    rl_json_count(&json, "events", run->events);
    const uint32_t leaders = rl_ring_leaders(&run->ring);
    rl_json_count(&json, "leaders", leaders);
    rl_json_hit(&json, "leader", leaders == 1 ? rl_ring_first_leader(&run->ring) : RL_NEVER);
    rl_json_faults(&json, "faults", run->faults, run->faults_done);
    rl_json_bool(&json, "interrupted", election->interrupted);
    rl_json_count(&json, "stream_version", RL_STREAM_VERSION);
    rl_json_real(&json, "wall_seconds", election->seconds);
    rl_json_end(&json);
}

/* ---- while it runs ----------------------------------------------------------------------------
 */

void show_election(struct progress *progress, const struct rl_run *run)
{
    const struct rl_protocol *protocol = run->ring.protocol;
    char hits[64] = "";
    for (size_t i = 0; i < protocol->set_count; i++)
        if (run->hits[i] != RL_NEVER &&
            strlen(hits) + strlen(protocol->sets[i].name) + 2 < sizeof hits) {
            strcat(hits, " ");
            strcat(hits, protocol->sets[i].name);
        }
    const uint32_t leaders = rl_ring_leaders(&run->ring);
    progress_show(progress, "%s steps, %s events, %s leader%s left%s%s", grouped(run->step),
                  grouped(run->events), grouped(leaders), leaders == 1 ? "" : "s",
                  hits[0] ? ", in" : "", hits);
}
