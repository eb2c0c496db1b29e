/* SPDX-License-Identifier: MIT
 *
 * The report of a verification. It has the same parts in the same order every time: sizes, sets,
 * lemmas, expected steps, verdict, memory and seconds.
 */
#include <math.h>

#include "cli/verification.h"

static bool asked(const struct verification *verification, unsigned question)
{
    return verification->answer.questions & question;
}

/* Digits that the proven error supports, at least 6. */
static int digits(double error)
{
    const int digits = error > 0 ? (int)floor(-log10(error)) : 15;
    return digits < 6 ? 6 : digits > 15 ? 15 : digits;
}

static void json_example(struct answer *answer, const struct verification *verification,
                         const char *key, const struct rl_counterexample *example)
{
    json_execution(&answer->json, key, verification->options.protocol,
                   verification->options.params.n, example);
}

/* ---- the parts ---- */

static void tell_head(struct answer *answer, const struct verification *verification)
{
    const struct rl_verify_options *options = &verification->options;
    const struct rl_verification *found = &verification->answer;
    tell_heading(answer, options->protocol, &options->params, "every");
    line(answer, "%s\n\n", verification->example.forced ? " (which the protocol refuses)" : "");
    put(answer, "agent_states=%ju configurations=%ju", found->agent_states, found->configurations);
    line(answer, "configurations %24s = %s agent states ^ %u\n", grouped(found->configurations),
         grouped(found->agent_states), options->params.n);
    line(answer, "looked at      %24s   %s\n\n", grouped(found->representatives),
         options->no_reduction ? "all of them, one by one" : "up to symmetry");
}

static void tell_sets(struct answer *answer, const struct verification *verification)
{
    const struct rl_protocol *protocol = verification->options.protocol;
    const bool known = asked(verification, RL_ASK_CLOSURE | RL_ASK_STABILITY);
    const bool stability = asked(verification, RL_ASK_STABILITY);
    put_open(answer, "sets", '{');
    if (known)
        line(answer, "  %-12s %24s %8s %12s\n", "set", "configurations", "closed", "inside safe");
    for (size_t i = 0; known && i < protocol->set_count; i++) {
        const struct rl_set_answer *set = &verification->answer.sets[i];
        const bool judged = i == protocol->target && stability;
        put_open(answer, protocol->sets[i].name, '{');
        put(answer, "size=%ju closed=%d", set->size, set->closed);
        if (judged)
            put(answer, "inside_safe=%d", set->inside_safe);
        json_example(answer, verification, "way_out", &set->way_out);
        json_example(answer, verification, "unsafe", &set->unsafe);
        put_close(answer, '}');
        line(answer, "  %-12s %24s %8s", protocol->sets[i].name, grouped(set->size),
             yes_or_no(set->closed));
        line(answer, judged ? " %12s\n" : "\n", yes_or_no(set->inside_safe));
    }
    put_close(answer, '}');
    if (known && stability)
        line(answer, "  %-12s %24s\n", "safe", grouped(verification->answer.safe));
    line(answer, known ? "\n" : "");
}

static void tell_lemmas(struct answer *answer, const struct verification *verification)
{
    const struct rl_protocol *protocol = verification->options.protocol;
    const size_t count = asked(verification, RL_ASK_LEMMAS) ? protocol->lemma_count : 0;
    put_open(answer, "lemmas", '[');
    if (count > 0)
        line(answer, "  %-51s %14s %s\n", "lemma", "checked at", "violations");
    for (size_t i = 0; i < count; i++) {
        const struct rl_lemma_answer *lemma = &verification->answer.lemmas[i];
        put_open(answer, NULL, '{');
        put(answer, "name=%s checked=%ju violations=%ju", protocol->lemmas[i].name, lemma->checked,
            lemma->violations);
        json_example(answer, verification, "violation", &lemma->violation);
        put_close(answer, '}');
        line(answer, "  %-51s %14s %10s\n", protocol->lemmas[i].name, grouped(lemma->checked),
             lemma->violations == 0 ? "none" : grouped(lemma->violations));
    }
    put_close(answer, ']');
    line(answer, count > 0 ? "\n" : "");
}

/* ---- expected steps ---- */

static void tell_expectation(struct answer *answer, const struct verification *verification,
                             const char *name, const struct rl_expectation *expected)
{
    const int precision = digits(expected->error);
    const char *worst = expected->finite ? states_text(verification->options.protocol,
                                                       expected->worst_configuration,
                                                       verification->options.params.n)
                                         : NULL;
    put_open(answer, name, '{');
    put(answer, "worst=%g mean=%g worst_configuration=%s", expected->finite ? expected->worst : NAN,
        expected->finite ? expected->mean : NAN, worst);
    if (!expected->finite)
        line(answer, "  %-12s %18s %18s   not from everywhere\n", name, "infinite", "infinite");
    else {
        put(answer, "worst_count=%ju relative_error=%g sweeps=%ju", expected->worst_count,
            expected->error, expected->sweeps);
        line(answer, "  %-12s %18.*g %18.*g   %.1e   %s\n", name, precision, expected->worst,
             precision, expected->mean, expected->error, worst);
    }
    if (expected->lumped > 0)
        put(answer, "lumped_classes=%u", expected->lumped);
    if (expected->exact_worst) {
        put(answer, "exact_worst=%s exact_mean=%s", expected->exact_worst, expected->exact_mean);
        line(answer, "    worst %s\n    mean  %s\n    exactly, from %s classes\n",
             expected->exact_worst, expected->exact_mean, grouped(expected->lumped));
    } else if (expected->lumped > 0)
        line(answer, "    no fractions: %s classes are too many\n", grouped(expected->lumped));
    put_close(answer, '}');
}

static void tell_claim(struct answer *answer, const struct rl_claim *claim,
                       const struct rl_claim_answer *found)
{
    put_open(answer, NULL, '{');
    put(answer, "name=%s finite=%d worst=%g unit=%s units=%g", claim->name, found->finite,
        found->finite ? found->worst : NAN, claim->unit_name, found->finite ? found->units : NAN);
    if (claim->bound > 0)
        put(answer, "bound=%u", claim->bound);
    put(answer, "holds=%d", found->holds);
    put_close(answer, '}');
    line(answer, "  %-41s ", claim->name);
    if (!found->finite)
        line(answer, "%14s\n", "never, perhaps");
    else if (claim->bound > 0)
        line(answer, "%10.6g = %.4f %s, %s %u\n", found->worst, found->units, claim->unit_name,
             found->holds ? "at most" : "ABOVE", claim->bound);
    else
        line(answer, "%10.6g = %.4f %s\n", found->worst, found->units, claim->unit_name);
}

static void tell_expected(struct answer *answer, const struct verification *verification)
{
    const struct rl_protocol *protocol = verification->options.protocol;
    const struct rl_verification *found = &verification->answer;
    if (!asked(verification, RL_ASK_EXPECTED)) {
        if (verification->options.questions == 0)
            line(answer, "expected steps are skipped for so large a space; --only expected asks "
                         "for them\n\n");
        return;
    }
    put_open(answer, "expected_steps", '{');
    line(answer, "  %-12s %18s %18s   %-7s   %s\n", "steps to", "worst", "mean", "error",
         "worst from");
    for (size_t i = 0; i < protocol->set_count; i++)
        tell_expectation(answer, verification, protocol->sets[i].name, &found->sets[i].expected);
    tell_expectation(answer, verification, "safe", &found->safe_expected);
    put_close(answer, '}');
    put_open(answer, "claims", '[');
    line(answer, "\n");
    for (size_t i = 0; i < protocol->claim_count; i++)
        tell_claim(answer, &protocol->claims[i], &found->claims[i]);
    put_close(answer, ']');
    line(answer, protocol->claim_count > 0 ? "\n" : "");
}

/* ---- the verdict ---- */

static void tell_trap(struct answer *answer, const struct verification *verification)
{
    const struct rl_verification *found = &verification->answer;
    char most[24] = "";
    put_open(answer, "trap", '{');
    put(answer, "stuck=%ju size=%ju leaders_least=%u leaders_most=%u", found->stuck, found->trap,
        found->trap_leaders_least, found->trap_leaders_most);
    json_example(answer, verification, "execution", &found->trapped);
    put_close(answer, '}');
    if (found->trap_leaders_most > found->trap_leaders_least)
        snprintf(most, sizeof most, " to %u", found->trap_leaders_most);
    say(answer, "verdict", "NOT self-stabilizing: %s",
        found->safe == 0 ? "there is no safe configuration"
                         : "from some configurations no safe one can be reached");
    say(answer, "stuck", "%s configurations", grouped(found->stuck));
    say(answer, "trap", "%s configurations, with %u%s leaders, that cannot be left",
        grouped(found->trap), found->trap_leaders_least, most);
}

static void tell_verdict(struct answer *answer, const struct verification *verification, bool well)
{
    const struct rl_verification *found = &verification->answer;
    if (asked(verification, RL_ASK_STABILITY))
        put(answer, "safe=%ju self_stabilizing=%d", found->safe, found->self_stabilizing);
    if (!asked(verification, RL_ASK_STABILITY))
        say(answer, "verdict", "%s",
            well ? "everything that was asked holds" : "NOT everything that was asked holds");
    else if (found->self_stabilizing)
        say(answer, "verdict",
            "self-stabilizing: a safe configuration can be reached from everywhere");
    else
        tell_trap(answer, verification);
    if (answer->people && verification->example.execution)
        print_example(&verification->example, verification->options.protocol);
    line(answer, "\n");
}

void report_verification(const struct verification *verification, bool json)
{
    const struct rl_verification *found = &verification->answer;
    const unsigned jobs = verification->options.jobs;
    const bool well = rl_verify_all_well(found, verification->options.protocol);
    struct answer answer = answer_begin(json);
    tell_head(&answer, verification);
    tell_sets(&answer, verification);
    tell_lemmas(&answer, verification);
    tell_expected(&answer, verification);
    tell_verdict(&answer, verification, well);
    put_object(&answer, "explored", "agent_classes=%ju representatives=%ju", found->agent_classes,
               found->representatives);
    put(&answer, "all_well=%d interrupted=%d memory=%ju jobs=%u wall_seconds=%g", well, false,
        found->memory, jobs, verification->seconds);
    say(&answer, "memory", "%.1f MB planned", (double)found->memory / 1e6);
    say(&answer, "speed", "%.3f s, %u thread%s", verification->seconds, jobs, jobs == 1 ? "" : "s");
    answer_end(&answer);
}
