/* SPDX-License-Identifier: MIT
 *
 * How an answer about every n is told: letters, sets, stages, small rings, verdict.
 */
#include <string.h>

#include "cli/every_n.h"

static const char *yes_or_no(bool yes)
{
    return yes ? "yes" : "NO";
}

static const char *target_name(const struct every_n *every_n)
{
    const struct rl_protocol *protocol = every_n->options.protocol;
    return protocol->sets[protocol->target].name;
}

/* ---- for people -------------------------------------------------------------------------------
 */

void print_tie(void)
{
    puts("tied     by construction: " RL_EVERY_N_TIE "\nassumes  " RL_EVERY_N_ASSUMED "\n");
}

static void print_head(const struct every_n *every_n)
{
    const struct rl_every_n *answer = &every_n->answer;
    const struct rl_every_n_options *options = &every_n->options;
    printf("%s on rings of every size", options->protocol->name);
    for (size_t i = 0; i < options->protocol->parameter_count; i++)
        if (options->given[i] || !answer->obstacle[0])
            printf(", %s = %s", options->protocol->parameters[i].name,
                   parameter_text(&options->protocol->parameters[i],
                                  answer->obstacle[0] ? options->params.value[i]
                                                      : answer->params.value[i]));
    puts("\n");
    if (answer->obstacle[0])
        return;
    if (answer->period > 1) {
        printf("n        ");
        for (uint32_t n = 0, count = 0; n < answer->period; n++)
            if (answer->sizes[n])
                printf("%s%u", count++ ? ", " : "", n);
        printf(" modulo %u: others are refused\n", answer->period);
    }
    printf("letters  %u, of %s agent states\n", answer->letters, grouped(answer->agent_states));
    print_tie();
}

static void print_sets(const struct every_n *every_n)
{
    const struct rl_protocol *protocol = every_n->options.protocol;
    printf("  for every n >= %u\n", every_n->answer.least);
    printf("  %-12s %10s %22s %8s %8s\n", "set", "automaton", "equal on rings", "closed", "safe");
    for (size_t i = 0; i < protocol->set_count; i++) {
        const struct rl_every_n_set *set = &every_n->answer.sets[i];
        if (!set->learnt) {
            printf("  %-12s not learnt\n", protocol->sets[i].name);
            continue;
        }
        printf("  %-12s %10u %12s n <= %4u %8s", protocol->sets[i].name, set->states, "",
               set->checked, yes_or_no(set->closed));
        printf(i == protocol->target ? " %8s\n" : "\n", yes_or_no(every_n->answer.safe));
    }
    putchar('\n');
}

static void print_stage(const struct every_n *every_n, const struct rl_every_n_stage *stage)
{
    char what[96];
    snprintf(what, sizeof what, "%s -> %s%s", stage->from, stage->to,
             stage->or_none ? ", or none" : "");
    printf("  %-48s %6u %10u   ", what, stage->moves, stage->states);
    if (stage->proved)
        printf("n >= %u\n", stage->from_n);
    else
        puts(stage->out_of_memory ? "don't know: out of memory" : "don't know");
    if (stage->proved || stage->missing_n == 0)
        return;
    printf("    not settled: %s",
           states_text(every_n->options.protocol, stage->missing, stage->missing_n));
    if (stage->explored)
        printf(" (explored: from there %s is %s)", target_name(every_n),
               stage->reaches ? "reached with probability 1" : "NOT always reached");
    putchar('\n');
}

static void print_stages(const struct every_n *every_n)
{
    if (!every_n->answer.stages[0].tried)
        return;
    printf("  %-48s %6s %10s   %s\n", "stage", "moves", "automaton", "for every");
    for (int i = 0; i < RL_EVERY_N_STAGES; i++)
        print_stage(every_n, &every_n->answer.stages[i]);
    putchar('\n');
}

static void print_small(const struct every_n *every_n)
{
    const struct rl_every_n *answer = &every_n->answer;
    puts("  enumerated");
    for (size_t i = 0; i < answer->small_count; i++) {
        const struct rl_every_n_small *small = answer->small[i];
        printf("  n = %-3u      %s%s\n", small->n,
               !small->decided                  ? "too large to enumerate"
               : small->answer.self_stabilizing ? "self-stabilizing"
                                                : "NOT self-stabilizing",
               small->refused ? " (the protocol promises nothing here)" : "");
    }
    putchar('\n');
}

static void print_advice(const struct every_n *every_n)
{
    bool memory = false, sweeps = false;
    for (int i = 0; i < RL_EVERY_N_STAGES; i++) {
        const struct rl_every_n_stage *stage = &every_n->answer.stages[i];
        memory |= stage->out_of_memory;
        sweeps |= stage->tried && !stage->proved && stage->moves >= every_n->options.sweeps;
    }
    if (memory || sweeps)
        printf("try      %s%s%s\n", sweeps ? "more --sweeps" : "", memory && sweeps ? ", " : "",
               memory ? "more --memory" : "");
}

static void print_verdict(const struct every_n *every_n)
{
    const struct rl_every_n *answer = &every_n->answer;
    const struct every_n_example example = every_n_example(every_n);
    if (rl_every_n_fails(answer)) {
        printf("verdict  NO: not self-stabilizing at every n that it promises\n");
        if (answer->self_stabilizing_from > 0)
            printf("         but for every n >= %u\n", answer->self_stabilizing_from);
    } else if (answer->self_stabilizing_from > 0)
        printf("verdict  self-stabilizing for every n >= %u: %s is reached with probability 1\n",
               answer->self_stabilizing_from, target_name(every_n));
    else
        puts("verdict  DON'T KNOW whether it is self-stabilizing for every n");
    print_advice(every_n);
    for (size_t i = 0, count = 0; i < answer->small_count; i++)
        if (answer->small[i]->decided && !answer->small[i]->answer.self_stabilizing)
            printf("%s%u", count++ ? ", " : "NOT at   n = ", answer->small[i]->n);
    if (!example.execution)
        return;
    puts("");
    print_shown(every_n->options.protocol, example.n, example.execution, example.what);
    print_trace(every_n->trace, every_n->options.protocol, example.forced);
}

void report_every_n(const struct every_n *every_n)
{
    print_head(every_n);
    if (every_n->answer.obstacle[0]) {
        printf("verdict  DON'T KNOW: %s\n", every_n->answer.obstacle);
        puts("         (verify -n takes one n at a time; of P_RL, whose states grow with N, `make "
             "proof`\n         checks a proof for every n)");
        return;
    }
    print_sets(every_n);
    print_stages(every_n);
    print_small(every_n);
    print_verdict(every_n);
    if (every_n->certificate)
        printf("proof    %s (ringleader verify %s--check %s)\n", every_n->certificate,
               file_option(every_n->options.protocol), every_n->certificate);
    printf("\ntime     %.3f s\n", every_n->seconds);
}

/* ---- for programs -----------------------------------------------------------------------------
 */

static void json_from(struct rl_json *json, const char *key, uint32_t from_n)
{
    rl_json_hit(json, key, from_n > 0 ? from_n : RL_NEVER);
}

/* The sizes of small rings that failed, or were not decided. */
static void json_small(struct rl_json *json, const char *key, const struct rl_every_n *answer,
                       bool decided)
{
    rl_json_open(json, key, '[');
    for (size_t i = 0; i < answer->small_count; i++)
        if (answer->small[i]->decided == decided &&
            !(decided && answer->small[i]->answer.self_stabilizing))
            rl_json_count(json, NULL, answer->small[i]->n);
    rl_json_close(json, ']');
}

static void json_sets(struct rl_json *json, const struct every_n *every_n)
{
    const struct rl_protocol *protocol = every_n->options.protocol;
    rl_json_open(json, "sets", '{');
    for (size_t i = 0; i < protocol->set_count; i++) {
        const struct rl_every_n_set *set = &every_n->answer.sets[i];
        rl_json_open(json, protocol->sets[i].name, '{');
        rl_json_bool(json, "learnt", set->learnt);
        rl_json_count(json, "states", set->states);
        rl_json_count(json, "compared_up_to", set->checked);
        rl_json_bool(json, "closed", set->closed);
        json_execution(json, "way_out", protocol, set->way_out_n, &set->way_out);
        rl_json_close(json, '}');
    }
    rl_json_close(json, '}');
}

static void json_stages(struct rl_json *json, const struct every_n *every_n)
{
    const struct rl_protocol *protocol = every_n->options.protocol;
    rl_json_open(json, "stages", '[');
    for (int i = 0; i < RL_EVERY_N_STAGES && every_n->answer.stages[i].tried; i++) {
        const struct rl_every_n_stage *stage = &every_n->answer.stages[i];
        rl_json_open(json, NULL, '{');
        rl_json_string(json, "from", stage->from);
        rl_json_string(json, "to", stage->to);
        rl_json_bool(json, "or_none", stage->or_none);
        json_from(json, "from_n", stage->proved ? stage->from_n : 0);
        rl_json_count(json, "moves", stage->moves);
        rl_json_count(json, "states", stage->states);
        if (!stage->proved && stage->missing_n > 0)
            rl_json_string(json, "not_settled",
                           states_text(protocol, stage->missing, stage->missing_n));
        if (!stage->proved && stage->explored)
            rl_json_bool(json, "explored_reaches", stage->reaches);
        rl_json_bool(json, "out_of_memory", stage->out_of_memory);
        rl_json_close(json, '}');
    }
    rl_json_close(json, ']');
}

static void json_answer(struct rl_json *json, const struct every_n *every_n)
{
    const struct rl_every_n *answer = &every_n->answer;
    const struct rl_protocol *protocol = every_n->options.protocol;
    const struct every_n_example example = every_n_example(every_n);
    rl_json_open(json, "every_n", '{');
    rl_json_string(json, "set", target_name(every_n));
    if (answer->obstacle[0]) {
        rl_json_null(json, "closed");
        rl_json_null(json, "safe");
    } else {
        rl_json_bool(json, "closed", answer->sets[protocol->target].closed);
        rl_json_bool(json, "safe", answer->safe);
    }
    json_from(json, "self_stabilizing_from", answer->self_stabilizing_from);
    rl_json_string(json, "verdict",
                   rl_every_n_fails(answer)            ? "no"
                   : answer->self_stabilizing_from > 0 ? "yes"
                                                       : "unknown");
    rl_json_string(json, "tied_by", answer->obstacle[0] ? "" : RL_EVERY_N_TIE);
    rl_json_string(json, "assumes", answer->obstacle[0] ? "" : RL_EVERY_N_ASSUMED);
    json_small(json, "fails_at", answer, true);
    json_small(json, "undecided", answer, false);
    if (answer->obstacle[0])
        rl_json_string(json, "obstacle", answer->obstacle);
    json_from(json, "proved_from", answer->proved_from);
    rl_json_count(json, "least", answer->least);
    rl_json_count(json, "period", answer->period);
    rl_json_open(json, "residues", '[');
    for (uint32_t n = 0; n < answer->period; n++)
        if (answer->sizes[n])
            rl_json_count(json, NULL, n);
    rl_json_close(json, ']');
    rl_json_count(json, "letters", answer->letters);
    json_sets(json, every_n);
    json_stages(json, every_n);
    if (example.execution)
        json_execution(json, "shown_by", protocol, example.n, example.execution);
    rl_json_close(json, '}');
}

void report_every_n_json(const struct every_n *every_n)
{
    const struct rl_every_n_options *options = &every_n->options;
    struct rl_json json = rl_json_begin(stdout);
    rl_json_string(&json, "protocol", options->protocol->name);
    for (size_t i = 0; i < options->protocol->parameter_count; i++)
        if (options->given[i])
            rl_json_string(
                &json, options->protocol->parameters[i].name,
                parameter_text(&options->protocol->parameters[i], options->params.value[i]));
    json_answer(&json, every_n);
    rl_json_bool(&json, "all_well", rl_every_n_all_well(&every_n->answer, options->protocol));
    rl_json_real(&json, "wall_seconds", every_n->seconds);
    rl_json_end(&json);
}
