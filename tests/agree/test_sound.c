/* SPDX-License-Identifier: MIT
 *
 * What is proved for every n is true: random protocols, changes of fj06's rules, and random edits
 * of their certificates, against brute force on all rings of up to six agents. A rule that changes
 * with n proves nothing. (With an argument: so many certificates instead of a sample.
 * tests/own/tie.sh has rules from files that change with n openly and in secret.)
 */
#include "agree/fj06_rules.h"
#include "agree/verify_brute.h"
#include "ringleader/prove.h"

enum { MOST_STATES = 8, FEW_STATES = 4, MOST_AGENTS = 6 };

/* ---- a protocol made at random ---- */

/* Odd states lead. */
static struct {
    uint32_t states;
    uint8_t after[2][MOST_STATES * MOST_STATES][2];
    bool guarded; /* the target is fj06's, or else: */
    int never;    /* one leader, and nobody in this state (-1: just one leader) */
} rule;

static uint32_t states_of(const struct rl_params *params)
{
    (void)params;
    return rule.states;
}

static uint32_t none(uint32_t n)
{
    (void)n;
    return 0;
}

static void interact(const struct rl_params *params, bool no_leader, rl_state *l, rl_state *r)
{
    const uint8_t *after = rule.after[no_leader][*l * MOST_STATES + *r];
    (void)params;
    *l = after[0];
    *r = after[1];
}

static void interact_by_n(const struct rl_params *params, bool no_leader, rl_state *l, rl_state *r)
{
    if (params->n <= 20)
        interact(params, no_leader, l, r);
}

static bool leads(rl_state state)
{
    return state & 1;
}

static bool contains(const struct rl_ring *ring)
{
    uint32_t leaders = 0;
    if (rule.guarded)
        return rl_protocol_named("fj06")->sets[0].contains(ring);
    for (uint32_t i = 0; i < ring->params.n; i++) {
        const rl_state state = rl_ring_get(ring, i);
        if ((int)state == rule.never)
            return false;
        leaders += leads(state);
    }
    return leaders == 1;
}

static const struct rl_variable MADE_VARIABLES[] = {
    {.name = "state", .shift = 0, .width = 3, .size = 8, .size_for = states_of, .prefix = ""}};
static const struct rl_parameter PARAMETERS[] = {{.name = "delay", .default_for = none}};
static const struct rl_set SETS[] = {{"target", "", contains, contains}};
static const struct rl_without_n SAME = {
    .interact = interact, .leads = leads, .variables = MADE_VARIABLES};

#define PROTOCOL(its_name, has_oracle)                                                             \
    {                                                                                              \
        .name = its_name, .interact = interact, .leads = leads, .width = 4, .oracle = has_oracle,  \
        .parameters = PARAMETERS, .parameter_count = has_oracle, .variables = MADE_VARIABLES,      \
        .variable_count = 1, .sets = SETS, .set_count = 1, .without_n = &SAME                      \
    }
static const struct rl_protocol PROTOCOLS[] = {PROTOCOL("made", false), PROTOCOL("told", true)};

static struct brute looked_at[MOST_AGENTS + 1]; /* of this protocol */

static void forget_rings(void)
{
    for (uint32_t n = 0; n <= MOST_AGENTS; n++)
        if (looked_at[n].protocol) {
            brute_end(&looked_at[n]);
            looked_at[n].protocol = NULL;
        }
}

/* A line of fj06 changed: one in eight of these is right from some n on. */
static const struct rl_protocol *change_fj06(struct rl_random *random)
{
    rules_in_force = changed_rules(rl_random_below(random, CHANGES));
    rule.states = MOST_STATES;
    rule.guarded = true;
    for (uint32_t i = 0; i < 2 * MOST_STATES * MOST_STATES; i++) {
        rl_state l = i / MOST_STATES % MOST_STATES, r = i % MOST_STATES;
        uint8_t *after = rule.after[i / MOST_STATES / MOST_STATES][l * MOST_STATES + r];
        interact_by_rules(NULL, i / MOST_STATES / MOST_STATES, &l, &r);
        after[0] = (uint8_t)l;
        after[1] = (uint8_t)r;
    }
    return &PROTOCOLS[1];
}

/* Few rules change something, so that some protocols are right. */
static const struct rl_protocol *make_protocol(struct rl_random *random)
{
    forget_rings();
    if (rl_random_below(random, 3) > 0)
        return change_fj06(random);
    rule.guarded = false;
    rule.states = 2 + rl_random_below(random, FEW_STATES - 1);
    rule.never = (int)rl_random_below(random, rule.states + 2) - 2;
    rule.never = rule.never < 0 || leads((rl_state)rule.never) ? -1 : rule.never;
    for (uint32_t i = 0; i < 2 * rule.states * rule.states; i++) {
        const bool told = i >= rule.states * rule.states;
        const uint32_t l = i % rule.states, r = i / rule.states % rule.states;
        uint8_t *after = rule.after[told][l * MOST_STATES + r];
        const uint32_t dice = rl_random_below(random, 8);
        after[0] = (uint8_t)l;
        after[1] = (uint8_t)r;
        if (told && dice > 0)
            after[1] = 1;
        else if (leads(l) && leads(r) && dice > 1) /* one of two gives up */
            after[dice % 2] = (uint8_t)(rl_random_below(random, (rule.states + 1) / 2) * 2);
        else if (leads(l) != leads(r) && dice == 0) { /* it moves on */
            after[0] = (uint8_t)r;
            after[1] = (uint8_t)l;
        } else if (dice == 1) {
            after[0] = (uint8_t)rl_random_below(random, rule.states);
            after[1] = (uint8_t)rl_random_below(random, rule.states);
        } else if (dice == 2) { /* outputs stay */
            after[0] = (uint8_t)((l & 1) + rl_random_below(random, rule.states / 2) * 2);
            after[1] = (uint8_t)((r & 1) + rl_random_below(random, rule.states / 2) * 2);
        }
    }
    return &PROTOCOLS[rl_random_below(random, 4) > 0];
}

/* ---- brute force ---- */

/* The rings of n agents, looked at once for each protocol. */
static struct brute *brute_of(const struct rl_protocol *protocol, uint32_t n)
{
    if (looked_at[n].protocol != protocol) {
        looked_at[n] = brute_begin(protocol, n, 0);
        find_safe(&looked_at[n]);
        find_reaching(&looked_at[n], looked_at[n].safe);
    }
    return &looked_at[n];
}

static bool is_self_stabilizing(const struct rl_protocol *protocol, uint32_t n)
{
    const struct brute *brute = brute_of(protocol, n);
    return size_of(brute, brute->reaching) == brute->count;
}

/* The automaton of the target as a certificate has it, over letters; and the letter of each state.
 */
struct automaton {
    uint32_t letters, letter[MOST_STATES], states;
    const char *rows;
};

static struct automaton read_automaton(const char *text)
{
    struct automaton automaton = {0};
    char *at = strstr(text, "\nletters ") + strlen("\nletters ");
    automaton.letters = (uint32_t)strtoul(at, &at, 10);
    at = strstr(text, "\nstates ") + strlen("\nstates ");
    for (uint32_t s = 0, count = (uint32_t)strtoul(at, &at, 10); s < count && s < MOST_STATES; s++)
        automaton.letter[s] = (uint32_t)strtoul(at, &at, 10);
    at = strstr(text, "automaton ") + strlen("automaton ");
    automaton.states = (uint32_t)strtoul(at, &at, 10);
    automaton.rows = at;
    return automaton;
}

/* Entry `place` of the rows, each of which begins with whether it accepts. */
static uint32_t entry(const struct automaton *automaton, uint32_t place)
{
    static const char *read;
    static uint32_t table[1 << 16], count;
    if (read != automaton->rows) {
        char *at = (char *)automaton->rows;
        read = automaton->rows;
        count = automaton->states * (automaton->letters + 1);
        assert_true(count <= 1 << 16);
        for (uint32_t i = 0; i < count; i++)
            table[i] = (uint32_t)strtoul(at, &at, 10);
    }
    assert_true(place < count);
    return table[place];
}

static bool accepts(const struct automaton *automaton, uint32_t code, uint32_t n)
{
    uint32_t state = 0; /* agent 0 is the lowest digit */
    for (uint32_t i = 0; i < n; i++, code /= rule.states)
        state = entry(automaton,
                      state * (automaton->letters + 1) + 1 + automaton->letter[code % rule.states]);
    return entry(automaton, state * (automaton->letters + 1));
}

/* Every ring of the automaton's set: closed, one leader, no output changes. */
static void check_set(const struct automaton *automaton, const struct brute *brute, uint32_t n)
{
    for (uint32_t c = 0; c < brute->count; c++) {
        if (!accepts(automaton, c, n))
            continue;
        assert_int_equal(brute->leaders[c], 1);
        for (uint32_t arc = 0; arc < n; arc++) {
            assert_false(brute->output[c * n + arc]);
            assert_true(accepts(automaton, brute->next[c * n + arc], n));
        }
    }
}

/* ---- certificates ---- */

/* Whether it is accepted; then what it says is true. */
static bool check(const char *text, const struct rl_protocol *protocol)
{
    struct rl_certificate certificate;
    struct rl_error error = {0};
    const enum rl_status status =
        rl_certificate_check(text, strlen(text), UINT64_C(1) << 26, NULL, &certificate, &error);
    if (status) {
        assert_true(error.text[0]);
        return false;
    }
    const struct automaton automaton = read_automaton(text);
    for (uint32_t n = certificate.least; n <= MOST_AGENTS; n++)
        check_set(&automaton, brute_of(protocol, n), n);
    for (uint32_t n = certificate.from_n; n > 0 && n <= MOST_AGENTS; n++)
        assert_true(is_self_stabilizing(protocol, n));
    return true;
}

/* One word for another: a number a little off, another move, one left out or said twice. */
static char *edit(const struct bytes *text, struct rl_random *random)
{
    static const char *const MOVES[] = {"arc", "right", "left", "seam", "lose"};
    char *copy = malloc(text->size + 32), word[64];
    size_t begin = rl_random_below(random, (uint32_t)text->size);
    if (rl_random_below(random, 8) == 0) /* in the head */
        begin = rl_random_below(random, 200);
    while (begin > 0 && !strchr(" \n", text->at[begin - 1]))
        begin--;
    const size_t length = strcspn(text->at + begin, " \n");
    const unsigned kind = rl_random_below(random, 8);
    snprintf(word, sizeof word, "%.*s", (int)length, text->at + begin);
    if (word[0] >= '0' && word[0] <= '9' && kind > 1)
        snprintf(word, sizeof word, "%u",
                 (unsigned)(strtoul(word, NULL, 10) + (kind % 2 ? 1 : UINT32_MAX)) %
                     (kind < 4 ? 2u : UINT32_MAX));
    else if (length > 0 && kind > 1)
        snprintf(word, sizeof word, "%s", MOVES[rl_random_below(random, 5)]);
    else if (kind == 1)
        snprintf(word, sizeof word, "%.*s %.*s", (int)(length % 20), text->at + begin,
                 (int)(length % 20), text->at + begin);
    else
        word[0] = '\0';
    sprintf(copy, "%.*s%s%s", (int)begin, text->at, word, text->at + begin + length);
    return copy;
}

/* ---- what is said ---- */

static void compare_answer(const struct rl_protocol *protocol, const struct rl_every_n *answer)
{
    assert_string_equal(answer->obstacle, "");
    const bool claims = answer->self_stabilizing_from > 0;
    for (uint32_t n = 2; n <= (claims || !rule.guarded ? MOST_AGENTS : 4); n++) {
        const bool right = is_self_stabilizing(protocol, n);
        if (answer->self_stabilizing_from > 0 && n >= answer->self_stabilizing_from)
            assert_true(right);
        for (size_t i = 0; i < answer->small_count; i++)
            if (answer->small[i]->n == n)
                assert_int_equal(answer->small[i]->answer.self_stabilizing, right);
        if (!right)
            assert_true(rl_every_n_fails(answer) || answer->small_count == 0);
    }
}

TEST(proofs_and_what_others_make_of_them_are_true)
{
    unsigned checked = 0, accepted = 0, proved = 0, protocols = 0;
    struct rl_random random = test_random(26, 0, RL_PURPOSE_START);
    for (size_t i = 0; i < 2; i++)
        assert_true(rl_protocol_add(&PROTOCOLS[i]));
    for (; checked < test_amount(0, 400); protocols++) {
        const struct rl_protocol *protocol = make_protocol(&random);
        FREED(rl_every_n) answer = test_every_n(protocol, 12, 6000, UINT64_C(1) << 26);
        FREED(bytes) text = {0};
        compare_answer(protocol, &answer);
        proved += answer.proved_from > 0;
        if (answer.safe) {
            assert_int_equal(rl_certificate_write(&answer, &text, put_bytes), RL_OK);
            if (!check(text.at, protocol))
                fail_msg("refused: %s", text.at);
            for (unsigned e = 0; e < (answer.proved_from > 0 ? 60 : 8); e++, checked++) {
                char *edited = edit(&text, &random);
                accepted += check(edited, protocol);
                free(edited);
            }
        }
    }
    forget_rings();
    print_message("%u protocols, %u proved for every n; %u edited certificates, %u still proofs\n",
                  protocols, proved, checked, accepted);
    assert_true(proved > 0 && accepted > 0 && accepted < checked);
}

TEST(a_rule_that_changes_with_n_proves_nothing)
{
    struct rl_random random = test_random(27, 0, RL_PURPOSE_START);
    for (unsigned i = 0; i < 50; i++) {
        struct rl_protocol protocol = *make_protocol(&random);
        protocol.interact = interact_by_n;
        FREED(rl_every_n) answer = test_every_n(&protocol, 12, 6000, UINT64_C(1) << 26);
        assert_true(answer.obstacle[0] && !answer.safe && answer.self_stabilizing_from == 0);
    }
}
