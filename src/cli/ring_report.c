/* SPDX-License-Identifier: MIT
 *
 * What `ringleader ring` says: one live line while it runs, and at the end what happened.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/ring.h"

/* ---- while it runs ----------------------------------------------------------------------------
 */

static uint64_t sum_of(const struct real_ring *ring, size_t offset)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < ring->n; i++)
        sum += *(const uint64_t *)((const char *)&ring->counts[i] + offset);
    return sum;
}
#define SUM(ring, member) sum_of(ring, offsetof(struct rl_counts, member))

void show_ring(struct progress *progress, const struct real_ring *ring)
{
    char nodes[65];
    const uint32_t shown = ring->n < 64 ? ring->n : 64;
    for (uint32_t i = 0; i < shown; i++) {
        const struct child *child = &ring->children[i];
        nodes[i] = !child->pid                                         ? 'x'
                   : ring->request->rules.protocol->leads(child->word) ? 'L'
                                                                       : '.';
    }
    nodes[shown] = '\0';
    progress_show(progress, "%s%s  %.1f s  %u leader%s  %s interactions  %s lost  %s repeated",
                  nodes, shown < ring->n ? "+" : "", seconds_now() - ring->began, ring->leaders,
                  ring->leaders == 1 ? "" : "s", grouped(ring->interactions),
                  grouped(SUM(ring, lost)), grouped(SUM(ring, repeats)));
}

/* ---- at the end -------------------------------------------------------------------------------
 */

/* Along an account: the hit of each set, and the step since which there is one leader. */
struct course {
    uint64_t hits[RL_MAX_SETS];
    uint64_t one_leader;
};

static int follow_account(const struct rl_rules *rules, const struct rl_account *account,
                          struct course *course)
{
    const struct rl_protocol *protocol = rules->protocol;
    struct rl_ring ring = {.protocol = protocol, .params = rules->params};
    *course = (struct course){.one_leader = RL_NEVER};
    rl_hits_forget(course->hits);
    ring.agents = malloc(rl_ring_bytes(protocol, rules->params.n));
    if (!ring.agents)
        return complain(EXIT_OUTSIDE, "out of memory");
    for (uint32_t i = 0; i < rules->params.n; i++)
        rl_ring_set(&ring, i, account->start[i]);
    for (size_t step = 0; step <= account->arc_count; step++) {
        if (step > 0 && !rl_ring_interact(&ring, account->arcs[step - 1]))
            continue;
        rl_hits_note(course->hits, &ring, step);
        if (rl_ring_leaders(&ring) != 1)
            course->one_leader = RL_NEVER;
        else if (course->one_leader == RL_NEVER)
            course->one_leader = step;
    }
    free(ring.agents);
    return GO_ON;
}

static void json_account(struct rl_json *json, const struct rl_rules *rules,
                         const struct rl_account *account, const struct course *course)
{
    rl_json_count(json, "interactions", account->interactions);
    rl_json_count(json, "steps", account->arc_count);
    rl_json_hit(json, "one_leader", course->one_leader);
    rl_json_hits(json, "hits", rules->protocol, course->hits);
    rl_json_count(json, "lost_interactions", account->lost);
    rl_json_count(json, "anomalies", account->anomalies);
    rl_json_open(json, "end", '[');
    for (uint32_t i = 0; i < rules->params.n; i++)
        rl_json_string(json, NULL, rl_ring_state(rules->protocol, account->end[i]).text);
    rl_json_close(json, ']');
}

static void print_account(const struct ring_request *request, const struct rl_account *account)
{
    printf("account  %s interactions%s; %s lost with a node's memory; %s anomal%s\n",
           grouped(account->interactions),
           account->anomalies == 0 ? ", every one accounted for" : "", grouped(account->lost),
           grouped(account->anomalies), account->anomalies == 1 ? "y" : "ies");
    if (!request->start_out || !request->schedule_out)
        return;
    printf("replay   ringleader elect -p %s -n %u", request->rules.protocol->name,
           request->rules.params.n);
    for (size_t i = 0; i < request->rules.protocol->parameter_count; i++) {
        const struct rl_parameter *parameter = &request->rules.protocol->parameters[i];
        printf(" %s %u", dashed(parameter->name), request->rules.params.value[i]);
    }
    printf(" --start %s --schedule %s\n", request->start_out, request->schedule_out);
}

/* From the end of the last trouble to the last leader's being alone; 0 if it was so before. */
static double seconds_to_election(const struct real_ring *ring)
{
    return ring->sole_at > ring->calm_at ? ring->sole_at - ring->calm_at : 0;
}

static uint64_t interactions_to_election(const struct real_ring *ring)
{
    return ring->sole_after > ring->calm_after ? ring->sole_after - ring->calm_after : 0;
}

static double round_trip_of(const struct real_ring *ring)
{
    double sum = 0;
    for (uint32_t i = 0; i < ring->n; i++)
        sum += ring->counts[i].round_trip;
    return sum / ring->n;
}

static void report_json(const struct real_ring *ring, const struct rl_account *account,
                        const struct course *course, bool elected)
{
    struct rl_json json = rl_json_begin(stdout);
    const struct ring_request *request = ring->request;
    json_heading(&json, request->rules.protocol, &request->rules.params);
    rl_json_real(&json, "rate", request->rate);
    rl_json_bool(&json, "elected", elected);
    rl_json_count(&json, "leaders", ring->leaders);
    rl_json_hit(&json, "leader", ring->leaders == 1 ? ring->leader : RL_NEVER);
    if (elected) {
        rl_json_real(&json, "elected_after_seconds", seconds_to_election(ring));
        rl_json_count(&json, "elected_after_interactions", interactions_to_election(ring));
    }
    json_account(&json, &request->rules, account, course);
    rl_json_count(&json, "sent", SUM(ring, sent));
    rl_json_count(&json, "lost", SUM(ring, lost));
    rl_json_count(&json, "doubled", SUM(ring, doubled));
    rl_json_count(&json, "repeats", SUM(ring, repeats));
    rl_json_count(&json, "ignored", SUM(ring, ignored));
    rl_json_real(&json, "round_trip_seconds", round_trip_of(ring));
    rl_json_real(&json, "rate_times_round_trip", round_trip_of(ring) * request->rate);
    rl_json_bool(&json, "interrupted", ring->interrupted);
    rl_json_real(&json, "wall_seconds", seconds_now() - ring->began);
    rl_json_end(&json);
}

static void report_text(const struct real_ring *ring, const struct rl_account *account,
                        const struct course *course, bool elected)
{
    const struct ring_request *request = ring->request;
    print_heading(request->rules.protocol, &request->rules.params, "a");
    printf(", %u processes, %g interactions a second and arc\n\n", ring->n, request->rate);
    if (elected)
        printf("leader   u_%u, elected after %s interactions and %.2f seconds%s\n", ring->leader,
               grouped(interactions_to_election(ring)), seconds_to_election(ring),
               ring->calm_at > 0 ? " since the last trouble" : "");
    else
        printf("leader   none that held: %u leader%s after %.1f seconds\n", ring->leaders,
               ring->leaders == 1 ? "" : "s", seconds_now() - ring->began);
    const struct rl_set *target = &request->rules.protocol->sets[request->rules.protocol->target];
    if (course->hits[request->rules.protocol->target] != RL_NEVER)
        printf("%-8s hit after %s of the %s interactions below: parallel time %.1f\n", target->name,
               grouped(course->hits[request->rules.protocol->target]), grouped(account->arc_count),
               (double)course->hits[request->rules.protocol->target] / ring->n);
    print_account(request, account);
    printf("network  %s datagrams; %s lost and %s doubled on purpose; %s questions repeated\n",
           grouped(SUM(ring, sent)), grouped(SUM(ring, lost)), grouped(SUM(ring, doubled)),
           grouped(SUM(ring, repeats)));
    printf(
        "         round trip %.2f ms; times the rate %.4f (0.02 or less is as good as uniform)\n",
        1e3 * round_trip_of(ring), round_trip_of(ring) * request->rate);
}

int report_ring(const struct real_ring *ring, const struct rl_account *account, bool elected)
{
    struct course course;
    const int outcome = follow_account(&ring->request->rules, account, &course);
    if (outcome != GO_ON)
        return outcome;
    (ring->request->json ? report_json : report_text)(ring, account, &course, elected);
    return elected ? EXIT_DONE : EXIT_NO;
}

int report_check(const struct ring_request *request, const struct rl_account *account)
{
    struct course course;
    const int outcome = follow_account(&request->rules, account, &course);
    if (outcome != GO_ON)
        return outcome;
    if (request->json) {
        struct rl_json json = rl_json_begin(stdout);
        json_heading(&json, request->rules.protocol, &request->rules.params);
        json_account(&json, &request->rules, account, &course);
        rl_json_end(&json);
    } else
        print_account(request, account);
    return account->anomalies == 0 ? EXIT_DONE : EXIT_NO;
}
