/* SPDX-License-Identifier: MIT
 *
 * Undirected rings: two-hop colouring, orientation and any directed protocol, composed.
 *
 * On an undirected ring each pair of neighbours meets in both orders, and agents do not know which
 * neighbour is which. The paper: directed rings are no restriction, since Angluin, Aspnes, Fischer
 * and Jiang (2008) give a self-stabilizing ring orientation. Three layers, each of which looks only
 * at those below it, so that each settles once they have:
 *  - colouring: the two neighbours of every agent get different colours, three in all;
 *  - orientation: every agent knows the colour ahead and the colour behind, all in one direction;
 *  - the directed protocol: whenever l is just behind r, they interact as (l, r).
 * A pair is chosen in either order with the same probability, and orientation decides who is l; so
 * the directed protocol sees exactly the random scheduler of a directed ring.
 *
 * The build compiles this file once for each directed protocol, with its file as DIRECTED_FILE. The
 * word of an agent has the directed protocol's state in its low bits and the two other layers in
 * the top 12; so the directed protocol's own predicates read the ring as it is, through a view that
 * is mirrored if the agreed direction is to the left.
 *
 * The colouring flips bits at every interaction, so every arc is always active and the event engine
 * is the plain one.
 */
#include "protocols/undirected_layers.h"
#include "ringleader/ring.h"

#define LEAST_WIDTH 8
#include DIRECTED_FILE

#include "protocols/declare.h"

static const char *const COLOUR_TEXT[] = {"", "@", "@@"};
static const char *const COIN_TEXT[] = {"", "~"};
static const char *const STRONG_TEXT[] = {"", "*"};

enum { ORIENTATION_AAF = 0, ORIENTATION_POR = 1 };
static const char *const ORIENTATIONS[] = {"aaf", "por", 0};

static uint32_t faster_orientation(uint32_t n)
{
    (void)n;
    return ORIENTATION_POR;
}

/* The parameter after those of the directed protocol. */
enum { PARAMETER_ORIENTATION = PARAMETER_COUNT };

static uint32_t strong_values(const struct rl_params *params)
{
    return params->value[PARAMETER_ORIENTATION] == ORIENTATION_POR ? 2 : 1;
}

/* ---- the composition ---- */

static const rl_state DIRECTED_MASK = (UINT64_C(1) << SHIFT_colour) - 1;

static inline void interact_undirected(const struct rl_params *params, bool no_leader,
                                       rl_state *u_word, rl_state *v_word)
{
    struct place u = unpack_place(*u_word), v = unpack_place(*v_word);
    rl_state u_state = *u_word & DIRECTED_MASK, v_state = *v_word & DIRECTED_MASK;
    colour(&u, &v);
    if (params->value[PARAMETER_ORIENTATION] == ORIENTATION_AAF)
        orient_aaf(&u, &v);
    else
        orient_por(&u, &v);
    if (is_behind(&u, &v))
        interact(params, no_leader, &u_state, &v_state);
    else if (is_behind(&v, &u))
        interact(params, no_leader, &v_state, &u_state);
    *u_word = u_state | pack_place(u);
    *v_word = v_state | pack_place(v);
}

/* The coin of the initiator always turns. */
static inline bool is_always_active(const struct rl_params *params, bool no_leader, rl_state l,
                                    rl_state r)
{
    (void)params, (void)no_leader, (void)l, (void)r;
    return true;
}

static inline struct place place_at(const struct rl_ring *ring, uint32_t i)
{
    return unpack_place(rl_ring_get(ring, i));
}

/* Where both neighbours have one colour there is no telling, and right will do. */
static bool faces_left(const struct rl_ring *ring, uint32_t i)
{
    const uint32_t ahead = place_at(ring, i).ahead;
    return ahead == place_at(ring, rl_ring_left(ring, i)).colour &&
           ahead != place_at(ring, rl_ring_right(ring, i)).colour;
}

/* ---- sets ---- */

/* The neighbours of every agent have different colours, and the marks of every pair agree. */
static bool coloured_contains(const struct rl_ring *ring)
{
    const uint32_t n = ring->params.n;
    struct place a = place_at(ring, n - 2), b = place_at(ring, n - 1);
    for (uint32_t i = 0; i < n; i++) {
        const struct place c = place_at(ring, i);
        if (a.colour == c.colour || (b.marks >> c.colour & 1) != (c.marks >> b.colour & 1))
            return false;
        a = b;
        b = c;
    }
    return true;
}

/* A view of the ring in the agreed direction; false if there is none. */
static bool find_direction(const struct rl_ring *ring, struct rl_ring *view_out)
{
    *view_out = *ring;
    if (!coloured_contains(ring))
        return false;
    const struct place first = place_at(ring, 0);
    view_out->mirrored = ring->mirrored != (first.ahead != place_at(ring, 1).colour);
    struct place u = place_at(view_out, ring->params.n - 1);
    for (uint32_t i = 0; i < ring->params.n; i++) {
        const struct place v = place_at(view_out, i);
        if (u.ahead != v.colour || v.behind != u.colour)
            return false;
        u = v;
    }
    return true;
}

static bool oriented_contains(const struct rl_ring *ring)
{
    struct rl_ring view;
    return find_direction(ring, &view);
}

static bool elected_contains(const struct rl_ring *ring)
{
    struct rl_ring view;
    return find_direction(ring, &view) && declared.sets[declared.target].contains(&view);
}

static const struct rl_set UNDIRECTED_SETS[] = {
    {"coloured", "the neighbours of every agent have different colours, and pairs agree",
     coloured_contains, NULL},
    {"oriented", "coloured, and all agents agree on a direction", oriented_contains, NULL},
    {"elected", "oriented, and in the directed protocol's target in that direction",
     elected_contains, NULL},
};

/* What the directed protocol measures, in the agreed direction if there is one. */
static void measure_undirected(const struct rl_ring *ring, uint64_t *values_out)
{
    struct rl_ring view;
    find_direction(ring, &view);
    declared.measure(&view, values_out);
}

/* ---- starts ---- */

/* A two-hop colouring. Agents 0, 2, 4, ... and then 1, 3, 5, ... are two cycles, or for odd n one;
 * along a cycle of m agents colours alternate, and the last of an odd one gets the third. */
static uint32_t good_colour(uint32_t n, uint32_t i)
{
    const uint32_t m = n % 2 ? n : n / 2;
    const uint32_t at = n % 2 ? (i % 2 ? (i + n) / 2 : i / 2) : i / 2;
    return m % 2 && at == m - 1 ? 2 : at % 2;
}

/* Good colours, a direction that is to the right up to u_turn and to the left beyond; the directed
 * state random. */
static void fill_coloured(struct rl_ring *ring, struct rl_random *random, uint32_t turn)
{
    const uint32_t n = ring->params.n;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t before = good_colour(n, (i + n - 1) % n),
                       after = good_colour(n, (i + 1) % n);
        const rl_state state = rl_protocol_random_state(ring->protocol, &ring->params, random);
        struct place place = {.colour = good_colour(n, i)};
        place.ahead = i < turn ? after : before;
        place.behind = i < turn ? before : after;
        rl_ring_set(ring, i, (state & DIRECTED_MASK) | pack_place(place));
    }
}

START(zero)
{
    for (uint32_t i = 0; i < ring->params.n; i++)
        rl_ring_set(ring, i, 0);
    return RL_OK;
}

START(oriented)
{
    fill_coloured(ring, random, ring->params.n);
    return RL_OK;
}

START(torn)
{
    fill_coloured(ring, random, ring->params.n / 2);
    return RL_OK;
}

static const struct rl_start UNDIRECTED_STARTS[] = {
    {"zero", "all variables zero, so all colours equal", start_zero},
    {"oriented", "coloured and oriented, the directed protocol's state random", start_oriented},
    {"torn", "coloured, one half oriented to the right, the other to the left; hard", start_torn},
};

/* ---- for people ---- */

static void explain_place(uint32_t agent, struct place before, struct place after,
                          struct rl_text *text)
{
    if (after.colour != before.colour)
        rl_text_format(text, "u_%u took colour %u: its two neighbours looked alike\n", agent,
                       after.colour);
    if (after.ahead == before.behind && after.behind == before.ahead && after.ahead != before.ahead)
        rl_text_format(text, "u_%u turned round\n", agent);
    else if (after.ahead != before.ahead || after.behind != before.behind)
        rl_text_format(text, "u_%u now has colour %u ahead and colour %u behind it\n", agent,
                       after.ahead, after.behind);
}

/* What the directed protocol did, l being just behind r. */
static void explain_directed(const struct rl_ring *ring, uint32_t arc, bool no_leader,
                             rl_state l_after, rl_state r_after, struct rl_text *text)
{
    const uint32_t l = rl_ring_initiator(ring, arc), r = rl_ring_responder(ring, arc);
    if (declared.explain) {
        declared.explain(ring, arc, no_leader, text);
        return;
    }
    rl_look_changes(declared.variables, declared.variable_count, l, rl_ring_get(ring, l), l_after,
                    text);
    rl_look_changes(declared.variables, declared.variable_count, r, rl_ring_get(ring, r), r_after,
                    text);
}

static void explain_undirected(const struct rl_ring *ring, uint32_t arc, bool no_leader,
                               struct rl_text *text)
{
    const uint32_t n = ring->params.n, reverse = arc < n ? arc + n : arc - n;
    const uint32_t i = rl_ring_initiator(ring, arc), j = rl_ring_responder(ring, arc);
    rl_state u_word = rl_ring_get(ring, i), v_word = rl_ring_get(ring, j);
    const struct place u = unpack_place(u_word), v = unpack_place(v_word);
    const size_t begin = text->length;
    interact_undirected(&ring->params, no_leader, &u_word, &v_word);
    const struct place u_after = unpack_place(u_word), v_after = unpack_place(v_word);
    explain_place(i, u, u_after, text);
    explain_place(j, v, v_after, text);
    if (is_behind(&u_after, &v_after))
        explain_directed(ring, arc, no_leader, u_word, v_word, text);
    else if (is_behind(&v_after, &u_after))
        explain_directed(ring, reverse, no_leader, v_word, u_word, text);
    if (text->length == begin)
        rl_text_format(text, "u_%u and u_%u met, and counted it\n", i, j);
}

/* ---- the declaration ---- */

static enum rl_status check_undirected(const struct rl_params *params, struct rl_error *error)
{
    const enum rl_status status = declared.check ? declared.check(params, error) : RL_OK;
    if (params->n < 3 && status != RL_BAD_PARAMETER)
        return rl_error_set(error, RL_UNPROMISED,
                            "an undirected ring needs n >= 3: with two agents both neighbours are "
                            "the same");
    return status;
}

static const struct rl_variable UNDIRECTED_VARIABLES[] = {
    VARIABLES(FORM_NUMBER, FORM_SYMBOLS) //
    {.name = "colour", .shift = SHIFT_colour, .width = 2, .size = 3, .symbols = COLOUR_TEXT},
    {.name = "marks", .shift = SHIFT_marks, .width = 3, .size = 8, .prefix = "f"},
    {.name = "coin", .shift = SHIFT_coin, .width = 1, .size = 2, .symbols = COIN_TEXT},
    {.name = "ahead", .shift = SHIFT_ahead, .width = 2, .size = 3, .prefix = ">"},
    {.name = "behind", .shift = SHIFT_behind, .width = 2, .size = 3, .prefix = "<"},
    {.name = "strong",
     .shift = SHIFT_strong,
     .width = 1,
     .size_for = strong_values,
     .symbols = STRONG_TEXT},
};

static const struct rl_parameter UNDIRECTED_PARAMETERS[] = {
    FORM_PARAMETERS(FORM_PARAMETER) //
    {.name = "orientation",
     .meaning = "how agents agree on a direction: aaf (2008), or por (faster)",
     .default_for = faster_orientation,
     .choices = ORIENTATIONS},
};

static const struct rl_protocol composed = {
    .name = NAME "-undirected",
    .title = TITLE ", on undirected rings",
    .source = SOURCE "; colouring and orientation: D. Angluin, J. Aspnes, M. Fischer, H. Jiang, "
                     "ACM TAAS 3(4), 2008",
    .assumption = ASSUMPTION ", undirected, n >= 3",
    .claim = CLAIM " once oriented",
    .states = STATES " x 432 (aaf) or 864 (por)",
    .provenance = PROVENANCE "; colouring and aaf as restated, por a reconstruction",
    .interact = interact_undirected,
    .is_active = is_always_active,
    .leads = state_leads,
    .width = WIDTH,
    .undirected = true,
    LISTED(parameter, UNDIRECTED_PARAMETERS),
    .check = check_undirected,
    .promise = {PROMISE},
    LISTED(variable, UNDIRECTED_VARIABLES),
    LISTED(start, UNDIRECTED_STARTS),
    LISTED(set, UNDIRECTED_SETS),
    .target = 2, /* elected */
    LISTED(gauge, declared_gauges),
    FORM_ORACLE FORM_BULLETS //
        .measure = measure_undirected,
    .faces_left = faces_left,
    .explain = explain_undirected,
    .loops = &loops,
};
#undef DECLARED
#define DECLARED composed
