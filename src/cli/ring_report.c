/* SPDX-License-Identifier: MIT
 *
 * What `ringleader ring` says: one live line while it runs, and at the end what happened.
 */
#include "cli/ring.h"

/* ---- while it runs ---- */

void show_ring(struct progress *progress, const struct real_ring *ring)
{
    char nodes[65];
    const uint32_t shown = ring->n < 64 ? ring->n : 64;
    for (uint32_t i = 0; i < shown; i++) {
        const bool leads = ring->rules.protocol->leads(ring->shared[i].counts.word);
        nodes[i] = !ring->children[i].pid ? 'x' : leads ? 'L' : '.';
    }
    nodes[shown] = '\0';
    progress_show(progress, "%s%s  %.1f s  %u leader%s  %s interactions  %s lost  %s repeated",
                  nodes, shown < ring->n ? "+" : "", seconds_now() - ring->began, ring->leaders,
                  ring->leaders == 1 ? "" : "s", grouped(SUM(ring, decided)),
                  grouped(SUM(ring, lost)), grouped(SUM(ring, repeats)));
}

/* ---- at the end ---- */

void write_account(const struct real_ring *ring)
{
    struct rl_new_file *const files[] = {ring->start_out, ring->schedule_out};
    const struct rl_account *account = &ring->account;
    for (uint32_t i = 0; ring->start_out->stream && i < ring->n; i++)
        fprintf(ring->start_out->stream, "%s\n",
                rl_ring_state(ring->rules.protocol, account->start[i]).text);
    for (size_t i = 0; ring->schedule_out->stream && i < account->arc_count; i++)
        fprintf(ring->schedule_out->stream, "%u%c", account->arcs[i], i % 20 == 19 ? '\n' : ' ');
    if (ring->schedule_out->stream)
        fputc('\n', ring->schedule_out->stream);
    keep_files(files, 2);
}

static void tell_election(struct answer *answer, const struct real_ring *ring)
{
    /* From the end of the last trouble to the last leader's being alone; 0 if it was so before. */
    const double seconds = ring->sole_at > ring->calm_at ? ring->sole_at - ring->calm_at : 0;
    const uint64_t interactions =
        ring->sole_after > ring->calm_after ? ring->sole_after - ring->calm_after : 0;
    line(answer, ", %u processes, %g interactions per second and arc\n\n", ring->n, ring->rate);
    put(answer, "rate=%g elected=%d leaders=%u leader=%jd", ring->rate, ring->elected,
        ring->leaders, ring->leaders == 1 ? ring->leader : RL_NEVER);
    if (ring->elected) {
        put(answer, "elected_after_seconds=%g elected_after_interactions=%ju", seconds,
            interactions);
        say(answer, "leader", "u_%u, elected after %s interactions and %.2f seconds%s",
            ring->leader, grouped(interactions), seconds,
            ring->calm_at > 0 ? " since the last fault" : "");
    } else
        say(answer, "leader", "none that held: %u leader%s after %.1f seconds", ring->leaders,
            ring->leaders == 1 ? "" : "s", seconds_now() - ring->began);
}

static void tell_account(struct answer *answer, const struct real_ring *ring)
{
    const struct rl_account *account = &ring->account;
    const struct rl_protocol *protocol = ring->rules.protocol;
    const uint64_t hit = account->hits[protocol->target];
    if (ring->children && hit != RL_NEVER)
        say(answer, protocol->sets[protocol->target].name,
            "hit after %s of the %s interactions below: parallel time %.1f", grouped(hit),
            grouped(account->arc_count), (double)hit / ring->n);
    say(answer, "account", "%s interactions%s; %s lost with a node's memory; %s anomal%s",
        grouped(account->interactions), account->anomalies == 0 ? ", every one accounted for" : "",
        grouped(account->lost), grouped(account->anomalies), account->anomalies == 1 ? "y" : "ies");
    put(answer, "interactions=%ju steps=%zu one_leader=%jd", account->interactions,
        account->arc_count, account->one_leader);
    rl_json_hits(&answer->json, "hits", protocol, account->hits);
    put(answer, "lost_interactions=%ju anomalies=%ju", account->lost, account->anomalies);
    put_open(answer, "end", '[');
    for (uint32_t i = 0; i < ring->n; i++)
        rl_json_string(&answer->json, NULL, rl_ring_state(protocol, account->end[i]).text);
    put_close(answer, ']');
}

static void tell_network(struct answer *answer, const struct real_ring *ring)
{
    double trip = 0;
    for (uint32_t i = 0; i < ring->n; i++)
        trip += ring->shared[i].counts.round_trip;
    trip /= ring->n;
    const uint64_t unsent = SUM(ring, unsent), repeats = SUM(ring, repeats);
    const uint64_t sent = SUM(ring, sent), lost = SUM(ring, lost), doubled = SUM(ring, doubled);
    say(answer, "network",
        "%s datagrams; %s lost and %s duplicated on purpose; %s questions repeated", grouped(sent),
        grouped(lost), grouped(doubled), grouped(repeats));
    if (unsent > 0)
        say(answer, "", "%s datagrams could not be sent", grouped(unsent));
    say(answer, "",
        "round trip %.2f ms; times the rate %.4f (up to 0.02, arcs are as good as uniform)",
        1e3 * trip, trip * ring->rate);
    put(answer, "sent=%ju unsent=%ju lost=%ju doubled=%ju repeats=%ju busy=%ju ignored=%ju", sent,
        unsent, lost, doubled, repeats, SUM(ring, busy), SUM(ring, ignored));
    put(answer, "round_trip_seconds=%g rate_times_round_trip=%g interrupted=%d wall_seconds=%g",
        trip, trip * ring->rate, interrupted(), seconds_now() - ring->began);
}

void report_ring(const struct real_ring *ring, bool json)
{
    struct answer answer = answer_begin(json);
    if (ring->children || json)
        tell_heading(&answer, ring->rules.protocol, &ring->rules.params, "a");
    if (ring->children)
        tell_election(&answer, ring);
    tell_account(&answer, ring);
    if (ring->children)
        tell_network(&answer, ring);
    answer_end(&answer);
}
