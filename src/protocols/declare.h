/* SPDX-License-Identifier: MIT
 *
 * The end of a protocol's file: its declaration, from the names that the file has defined. In a
 * composition (undirected.h) there is none; the composition has its own.
 */
#ifndef COMPOSED

#ifndef ORACLE
#define ORACLE          0
#define PARAMETER_DELAY 0
#endif

/* What only some protocols have, as `.field = value,` each. */
#ifndef MORE_FIELDS
#define MORE_FIELDS
#endif

#define COUNT(array)      (sizeof(array) / sizeof((array)[0]))
#define PASTE_SYMBOL(id)  rl_protocol_##id
#define PROTOCOL_NAME(id) PASTE_SYMBOL(id)

extern const struct rl_protocol PROTOCOL_NAME(PROTOCOL_ID);
// clang-format off
const struct rl_protocol PROTOCOL_NAME(PROTOCOL_ID) = {
    .name = NAME,
    .title = TITLE,
    .source = SOURCE,
    .assumption = ASSUMPTION,
    .claim = CLAIM,
    .states = STATES,
    .provenance = PROVENANCE,
    .interact = interact,
    .leads = leads,
    .width = WIDTH,
    .oracle = ORACLE,
    .delay = PARAMETER_DELAY,
    .parameters = PARAMETERS,
    .parameter_count = COUNT(PARAMETERS),
    .check = check,
    .variables = VARIABLES,
    .variable_count = COUNT(VARIABLES),
    .starts = STARTS,
    .start_count = COUNT(STARTS),
    .sets = SETS,
    .set_count = COUNT(SETS),
    .target = TARGET,
    .gauges = GAUGES,
    .gauge_count = COUNT(GAUGES),
    .measure = measure,
    MORE_FIELDS
};
// clang-format on

#endif
