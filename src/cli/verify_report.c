/* SPDX-License-Identifier: MIT
 *
 * How a verification is told. The report has the same parts in the same order every time: sizes,
 * sets, lemmas, verdict, expected steps, worst configuration, memory and seconds. What an
 * interruption left undecided is left out, or said to be missing.
 */
#include <math.h>
#include <string.h>

#include "cli/verification.h"

static bool asked(const struct verification *verification, unsigned question)
{
    return verification->answer.questions & question;
}

static bool decided(const struct verification *verification, unsigned question)
{
    return verification->answer.decided & question;
}

static bool decided_sets(const struct verification *verification)
{
    return decided(verification, RL_ASK_CLOSURE | RL_ASK_STABILITY);
}

static const char *configuration(const struct verification *verification, const rl_state *states)
{
    return states_text(verification->options.protocol, states, verification->options.params.n);
}

static const char *yes_or_no(bool yes)
{
    return yes ? "yes" : "NO";
}

/* Digits that the proven error supports, at least 6. */
static int digits(double error)
{
    const int digits = error > 0 ? (int)floor(-log10(error)) : 15;
    return digits < 6 ? 6 : digits > 15 ? 15 : digits;
}

/* ---- for people -------------------------------------------------------------------------------
 */

static void print_head(const struct verification *verification)
{
    const struct rl_verify_options *options = &verification->options;
    const struct rl_verification *answer = &verification->answer;
    print_heading(options->protocol, &options->params, "every");
    printf("%s\n\n", verification->forced ? " (which the protocol refuses)" : "");
    printf("configurations %24s = %s agent states ^ %u\n", grouped(answer->configurations),
           grouped(answer->agent_states), options->params.n);
    printf("looked at      %24s   %s\n\n", grouped(answer->representatives),
           options->no_reduction ? "every one for itself" : "up to symmetry");
}

static void print_sets(const struct verification *verification)
{
    const struct rl_protocol *protocol = verification->options.protocol;
    printf("  %-12s %24s %8s %12s\n", "set", "configurations", "closed", "inside safe");
    for (size_t i = 0; i < protocol->set_count; i++) {
        const struct rl_set_answer *set = &verification->answer.sets[i];
        const bool judged = i == protocol->target && asked(verification, RL_ASK_STABILITY);
        printf("  %-12s %24s %8s", protocol->sets[i].name, grouped(set->size),
               yes_or_no(set->closed));
        printf(judged ? " %12s\n" : "\n", yes_or_no(set->inside_safe));
    }
    if (asked(verification, RL_ASK_STABILITY))
        printf("  %-12s %24s\n", "safe", grouped(verification->answer.safe));
    putchar('\n');
}

static void print_lemmas(const struct verification *verification)
{
    const struct rl_protocol *protocol = verification->options.protocol;
    if (protocol->lemma_count == 0)
        return;
    printf("  %-54s %20s %s\n", "lemma", "checked at", "violations");
    for (size_t i = 0; i < protocol->lemma_count; i++) {
        const struct rl_lemma_answer *lemma = &verification->answer.lemmas[i];
        printf("  %-54s %20s %10s\n", protocol->lemmas[i].name, grouped(lemma->checked),
               lemma->violations == 0 ? "none" : grouped(lemma->violations));
    }
    putchar('\n');
}

static void print_expectation(const struct verification *verification, const char *name,
                              const struct rl_expectation *expected)
{
    if (!expected->known) {
        printf("  %-12s %18s %18s   interrupted\n", name, "missing", "missing");
        return;
    }
    if (!expected->finite) {
        printf("  %-12s %18s %18s   not reached from everywhere\n", name, "infinite", "infinite");
        return;
    }
    const int precision = digits(expected->error);
    printf("  %-12s %18.*g %18.*g   %.1e   %s\n", name, precision, expected->worst, precision,
           expected->mean, expected->error,
           configuration(verification, expected->worst_configuration));
    if (expected->exact_worst)
        printf("    worst %s\n    mean  %s\n    exactly, from %s classes\n", expected->exact_worst,
               expected->exact_mean, grouped(expected->lumped));
    else if (expected->lumped > 0)
        printf("    no fractions: %s classes are too many\n", grouped(expected->lumped));
}

static void print_claims(const struct verification *verification)
{
    const struct rl_protocol *protocol = verification->options.protocol;
    for (size_t i = 0; i < protocol->claim_count; i++) {
        const struct rl_claim *claim = &protocol->claims[i];
        const struct rl_claim_answer *answer = &verification->answer.claims[i];
        printf("  %-54s ", claim->name);
        if (!answer->known)
            printf("%10s, interrupted\n", "missing");
        else if (!answer->finite)
            printf("%14s\n", "never, perhaps");
        else if (claim->bound > 0)
            printf("%10.6g = %.4f %s, %s %u\n", answer->worst, answer->units, claim->unit_name,
                   answer->holds ? "at most" : "ABOVE", claim->bound);
        else
            printf("%10.6g = %.4f %s\n", answer->worst, answer->units, claim->unit_name);
    }
    if (protocol->claim_count > 0)
        putchar('\n');
}

static void print_expected(const struct verification *verification)
{
    const struct rl_protocol *protocol = verification->options.protocol;
    const struct rl_verification *answer = &verification->answer;
    printf("  %-12s %18s %18s   %-7s   %s\n", "steps to", "worst", "mean", "error",
           "a worst configuration");
    for (size_t i = 0; i < protocol->set_count; i++)
        print_expectation(verification, protocol->sets[i].name, &answer->sets[i].expected);
    print_expectation(verification, "safe", &answer->safe_expected);
    putchar('\n');
    print_claims(verification);
}

static void print_trap(const struct verification *verification)
{
    const struct rl_verification *answer = &verification->answer;
    printf("verdict  NOT self-stabilizing: %s\n",
           answer->safe == 0 ? "there is no safe configuration"
                             : "from some configurations no safe one can be reached");
    printf("stuck    %s configurations\n", grouped(answer->stuck));
    printf("trap     %s configurations, with %u", grouped(answer->trap),
           answer->trap_leaders_least);
    if (answer->trap_leaders_most > answer->trap_leaders_least)
        printf(" to %u", answer->trap_leaders_most);
    printf(" leaders, that are never left\n");
}

static void print_execution(const struct verification *verification)
{
    char what[128];
    const struct rl_counterexample *example = first_counterexample(verification, what, sizeof what);
    if (!example)
        return;
    print_shown(verification->options.protocol, verification->options.params.n, example, what);
    print_trace(verification->trace, verification->options.protocol, verification->forced);
}

/* Sets and stability come first: they are decided when anything is. */
static void print_missing(const struct verification *verification)
{
    const bool lemmas = asked(verification, RL_ASK_LEMMAS) && !decided(verification, RL_ASK_LEMMAS);
    const bool expected = asked(verification, RL_ASK_EXPECTED);
    printf("stopped  interrupted after %.1f s; missing: %s%s%s\n", verification->seconds,
           lemmas ? "lemmas" : "", lemmas && expected ? ", " : "",
           expected ? "expected steps" : "");
}

static void print_verdict(const struct verification *verification)
{
    const struct rl_verification *answer = &verification->answer;
    const bool well = rl_verify_all_well(answer, verification->options.protocol);
    if (!decided(verification, RL_ASK_STABILITY)) {
        if (!well || !verification->interrupted)
            printf("verdict  %s\n",
                   well ? "all that was asked holds" : "NOT all that was asked holds");
    } else if (answer->self_stabilizing)
        puts("verdict  self-stabilizing: a safe configuration can be reached from everywhere");
    else
        print_trap(verification);
    if (!well)
        print_execution(verification);
    if (verification->interrupted)
        print_missing(verification);
    putchar('\n');
}

void report_verification(const struct verification *verification)
{
    print_head(verification);
    if (decided_sets(verification))
        print_sets(verification);
    if (decided(verification, RL_ASK_LEMMAS))
        print_lemmas(verification);
    if (asked(verification, RL_ASK_EXPECTED))
        print_expected(verification);
    else if (verification->options.questions == 0)
        puts("expected steps are left out of so large a space; --only expected asks for them\n");
    print_verdict(verification);
    printf("memory   %.1f MB planned\n", (double)verification->answer.memory / 1e6);
    printf("speed    %.3f s, %u thread%s\n", verification->seconds, verification->options.jobs,
           verification->options.jobs == 1 ? "" : "s");
}

/* ---- for programs -----------------------------------------------------------------------------
 */

static void json_example(struct rl_json *json, const struct verification *verification,
                         const char *key, const struct rl_counterexample *example)
{
    json_execution(json, key, verification->options.protocol, verification->options.params.n,
                   example);
}

static void json_sets(struct rl_json *json, const struct verification *verification)
{
    const struct rl_protocol *protocol = verification->options.protocol;
    rl_json_open(json, "sets", '{');
    for (size_t i = 0; decided_sets(verification) && i < protocol->set_count; i++) {
        const struct rl_set_answer *set = &verification->answer.sets[i];
        rl_json_open(json, protocol->sets[i].name, '{');
        rl_json_count(json, "size", set->size);
        rl_json_bool(json, "closed", set->closed);
        if (i == protocol->target && asked(verification, RL_ASK_STABILITY))
            rl_json_bool(json, "inside_safe", set->inside_safe);
        json_example(json, verification, "way_out", &set->way_out);
        json_example(json, verification, "unsafe", &set->unsafe);
        rl_json_close(json, '}');
    }
    rl_json_close(json, '}');
}

static void json_lemmas(struct rl_json *json, const struct verification *verification)
{
    const struct rl_protocol *protocol = verification->options.protocol;
    if (asked(verification, RL_ASK_LEMMAS) && !decided(verification, RL_ASK_LEMMAS)) {
        rl_json_null(json, "lemmas");
        return;
    }
    rl_json_open(json, "lemmas", '[');
    for (size_t i = 0; asked(verification, RL_ASK_LEMMAS) && i < protocol->lemma_count; i++) {
        const struct rl_lemma_answer *lemma = &verification->answer.lemmas[i];
        rl_json_open(json, NULL, '{');
        rl_json_string(json, "name", protocol->lemmas[i].name);
        rl_json_count(json, "checked", lemma->checked);
        rl_json_count(json, "violations", lemma->violations);
        json_example(json, verification, "violation", &lemma->violation);
        rl_json_close(json, '}');
    }
    rl_json_close(json, ']');
}

static void json_expectation(struct rl_json *json, const struct verification *verification,
                             const char *name, const struct rl_expectation *expected)
{
    if (!expected->known) {
        rl_json_null(json, name);
        return;
    }
    rl_json_open(json, name, '{');
    if (!expected->finite) {
        rl_json_null(json, "worst");
        rl_json_null(json, "mean");
        rl_json_null(json, "worst_configuration");
    } else {
        rl_json_real(json, "worst", expected->worst);
        rl_json_real(json, "mean", expected->mean);
        rl_json_string(json, "worst_configuration",
                       configuration(verification, expected->worst_configuration));
        rl_json_count(json, "worst_count", expected->worst_count);
        rl_json_real(json, "relative_error", expected->error);
        rl_json_count(json, "sweeps", expected->sweeps);
        if (expected->lumped > 0)
            rl_json_count(json, "lumped_classes", expected->lumped);
        if (expected->exact_worst) {
            rl_json_string(json, "exact_worst", expected->exact_worst);
            rl_json_string(json, "exact_mean", expected->exact_mean);
        }
    }
    rl_json_close(json, '}');
}

/* What is null: all of it where the answer is missing, the steps where there are none. */
static void json_claim(struct rl_json *json, const struct rl_claim *claim,
                       const struct rl_claim_answer *answer)
{
    const double worst = answer->known && answer->finite ? answer->worst : NAN;
    const double units = answer->known && answer->finite ? answer->units : NAN;
    rl_json_open(json, NULL, '{');
    rl_json_string(json, "name", claim->name);
    if (answer->known)
        rl_json_bool(json, "finite", answer->finite);
    else
        rl_json_null(json, "finite");
    rl_json_real(json, "worst", worst);
    rl_json_string(json, "unit", claim->unit_name);
    rl_json_real(json, "units", units);
    if (claim->bound > 0)
        rl_json_count(json, "bound", claim->bound);
    if (answer->known)
        rl_json_bool(json, "holds", answer->holds);
    else
        rl_json_null(json, "holds");
    rl_json_close(json, '}');
}

static void json_expected(struct rl_json *json, const struct verification *verification)
{
    const struct rl_protocol *protocol = verification->options.protocol;
    rl_json_open(json, "expected_steps", '{');
    for (size_t i = 0; i < protocol->set_count; i++)
        json_expectation(json, verification, protocol->sets[i].name,
                         &verification->answer.sets[i].expected);
    json_expectation(json, verification, "safe", &verification->answer.safe_expected);
    rl_json_close(json, '}');
    rl_json_open(json, "claims", '[');
    for (size_t i = 0; i < protocol->claim_count; i++)
        json_claim(json, &protocol->claims[i], &verification->answer.claims[i]);
    rl_json_close(json, ']');
}

static void json_stability(struct rl_json *json, const struct verification *verification)
{
    const struct rl_verification *answer = &verification->answer;
    rl_json_count(json, "safe", answer->safe);
    rl_json_bool(json, "self_stabilizing", answer->self_stabilizing);
    if (answer->self_stabilizing)
        return;
    rl_json_open(json, "trap", '{');
    rl_json_count(json, "stuck", answer->stuck);
    rl_json_count(json, "size", answer->trap);
    rl_json_count(json, "leaders_least", answer->trap_leaders_least);
    rl_json_count(json, "leaders_most", answer->trap_leaders_most);
    json_example(json, verification, "execution", &answer->trapped);
    rl_json_close(json, '}');
}

void report_verification_json(const struct verification *verification)
{
    const struct rl_verify_options *options = &verification->options;
    const struct rl_verification *answer = &verification->answer;
    struct rl_json json = rl_json_begin(stdout);
    json_heading(&json, options->protocol, &options->params);
    rl_json_count(&json, "agent_states", answer->agent_states);
    rl_json_count(&json, "configurations", answer->configurations);
    if (asked(verification, RL_ASK_STABILITY))
        json_stability(&json, verification);
    json_sets(&json, verification);
    json_lemmas(&json, verification);
    if (asked(verification, RL_ASK_EXPECTED))
        json_expected(&json, verification);
    rl_json_open(&json, "explored", '{');
    rl_json_count(&json, "agent_classes", answer->agent_classes);
    rl_json_count(&json, "representatives", answer->representatives);
    rl_json_close(&json, '}');
    if (verification->interrupted && rl_verify_all_well(answer, options->protocol))
        rl_json_null(&json, "all_well");
    else
        rl_json_bool(&json, "all_well", rl_verify_all_well(answer, options->protocol));
    rl_json_bool(&json, "interrupted", verification->interrupted);
    rl_json_count(&json, "memory", answer->memory);
    rl_json_count(&json, "jobs", options->jobs);
    rl_json_real(&json, "wall_seconds", verification->seconds);
    rl_json_end(&json);
}

/* ---- while it runs ----------------------------------------------------------------------------
 */

static void show(struct progress *progress, const struct rl_progress *now)
{
    char error[48] = "";
    if (now->error > 0)
        snprintf(error, sizeof error, ", error %.1e", now->error);
    if (now->found > 0)
        progress_show(progress, "%s %s%s%s: %s found", now->phase, now->subject,
                      now->sweeps > 0 ? ", move " : "", now->sweeps > 0 ? grouped(now->sweeps) : "",
                      grouped(now->found));
    else if (now->sweeps > 0)
        progress_show(progress, "%s %s: sweep %s, %.0f %%%s", now->phase, now->subject,
                      grouped(now->sweeps), 100 * now->done, error);
    else
        progress_show(progress, "%s %s: %.0f %%", now->phase, now->subject, 100 * now->done);
}

bool watch_verification(void *progress, const struct rl_progress *now)
{
    if (progress_due(progress))
        show(progress, now);
    return !interrupted();
}
