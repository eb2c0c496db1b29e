/* SPDX-License-Identifier: MIT
 *
 * What follows a protocol's file: its declaration, from the names that the file has defined. The
 * form of such a file is in ringleader/agent.h.
 *
 * The declaration is a constant of this one compilation, so that whatever is compiled with it (the
 * engines' inner loops) sees through its pointers.
 */
#ifndef RINGLEADER_PROTOCOLS_DECLARE_H
#define RINGLEADER_PROTOCOLS_DECLARE_H

#ifndef VARIABLES
#error "the file does not define VARIABLES, its list of variables"
#endif
#ifndef RINGLEADER_AGENT_H
#error "the file does not include ringleader/agent.h after its list of variables"
#endif

/* A file of one's own has its own name, unless it says another. */
#ifndef NAME
#define NAME FILE_NAME
#endif
#ifndef TITLE
#define TITLE ""
#endif
#ifndef SOURCE
#define SOURCE ""
#endif
#ifndef PROVENANCE
#define PROVENANCE ""
#endif
#ifndef ASSUMPTION
#define ASSUMPTION ""
#endif
#ifndef CLAIM
#define CLAIM ""
#endif
#ifndef STATES
#define STATES ""
#endif
#ifndef FIELDS
#define FIELDS
#endif
#ifndef PROMISE
#define PROMISE .least = 2
#endif

/* ---- tables ---- */

#define FORM_LOCAL(name, ...)                                                                      \
    const uint32_t name = world.name;                                                              \
    (void)name;
#define FORM_VALUES(name, values, most, prefix)                                                    \
    static uint32_t values_of_##name(const struct rl_params *params)                               \
    {                                                                                              \
        const struct world world = world_of(params, false);                                        \
        FORM_N(const uint32_t n = world.n; (void)n;)                                               \
        (void)world;                                                                               \
        FORM_PARAMETERS(FORM_LOCAL)                                                                \
        return (uint32_t)(values);                                                                 \
    }
#define FORM_TEXTS(name, ...) static const char *const texts_of_##name[] = {__VA_ARGS__};
VARIABLES(FORM_VALUES, FORM_TEXTS)

#define FORM_NUMBER(variable, values, most, text)                                                  \
    {.name = #variable,                                                                            \
     .shift = SHIFT_##variable,                                                                    \
     .width = BITS_##variable,                                                                     \
     .size = most,                                                                                 \
     .size_for = values_of_##variable,                                                             \
     .prefix = text},
#define FORM_SYMBOLS(variable, ...)                                                                \
    {.name = #variable,                                                                            \
     .shift = SHIFT_##variable,                                                                    \
     .width = BITS_##variable,                                                                     \
     .size = COUNT(texts_of_##variable),                                                           \
     .symbols = texts_of_##variable},

#define FORM_DEFAULT(name, otherwise, ...)                                                         \
    static uint32_t default_of_##name(uint32_t n)                                                  \
    {                                                                                              \
        (void)n;                                                                                   \
        return (otherwise);                                                                        \
    }
FORM_PARAMETERS(FORM_DEFAULT)

#define FORM_PARAMETER(parameter, value, text, ...)                                                \
    {.name = #parameter,                                                                           \
     .meaning = text,                                                                              \
     .default_for = default_of_##parameter,                                                        \
     __VA_OPT__(.choices = (const char *const[]){__VA_ARGS__, 0})},

static const struct rl_variable declared_variables[] = {VARIABLES(FORM_NUMBER, FORM_SYMBOLS)};
/* One more than there are: an array has one at least. */
static const struct rl_parameter declared_parameters[] = {FORM_PARAMETERS(FORM_PARAMETER){0}};

/* ---- the declaration ---- */

#ifdef GAUGES
static const char *const declared_gauges[] = {GAUGES};
#define FORM_GAUGES LISTED(gauge, declared_gauges), .measure = measure,
#else
#define GAUGES
#define FORM_GAUGES
#endif

static const struct rl_loops loops;

#ifdef RL_WORLD_WITHOUT_N
static const struct rl_without_n declared_without_n = {
    .interact = interact, .leads = state_leads, .variables = declared_variables};
#define FORM_WITHOUT_N &declared_without_n
#else
#define FORM_WITHOUT_N NULL
#endif

// clang-format off
static const struct rl_protocol declared = {
    .name = NAME,
    .title = TITLE,
    .source = SOURCE,
    .assumption = ASSUMPTION,
    .claim = CLAIM,
    .states = STATES,
    .provenance = PROVENANCE,
    .interact = interact,
    .leads = state_leads,
    .width = WIDTH,
    .parameters = declared_parameters,
    .parameter_count = PARAMETER_COUNT,
    LISTED(variable, declared_variables),
    FORM_GAUGES
    FORM_ORACLE
    FORM_BULLETS
    .loops = &loops,
    .promise = {PROMISE},
    .without_n = FORM_WITHOUT_N,
    FIELDS
};
// clang-format on

/* What the loops are compiled with; a composition puts itself here instead. */
#define DECLARED declared

#endif
