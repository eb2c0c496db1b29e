/* SPDX-License-Identifier: MIT
 *
 * What the library knows of experiments, text and rings, and strangers need not.
 */
#ifndef RINGLEADER_CORE_INSIDE_H
#define RINGLEADER_CORE_INSIDE_H

#include "ringleader/status.h"
#include "ringleader/protocol.h"
#include "ringleader/ring.h"
#include "ringleader/experiment.h"

RL_FORMAT(2, 0)
void rl_text_formatv(struct rl_text *text, const char *format, va_list arguments);

struct rl_text_grouped rl_text_grouped(uint64_t number);

/* What follows `prefix` in a string that begins with it, else NULL. */
const char *rl_text_after(const char *string, const char *prefix);

/* Cuts the text up to the first of `ends` off the rest, without the spaces around it; NULL when
 * there is no rest. */
char *rl_text_take(char **rest, const char *ends);

/* The name nearest to a word, by two typing slips at most, of all that are tried: {.word = word} at
 * first. The hint is "; did you mean 'x'?", or empty. */
struct rl_nearest {
    const char *word;
    uint32_t slips;
    char hint[96];
};
void rl_nearest_try(struct rl_nearest *nearest, const char *name);

/* Says that there is no such protocol, and which one may be meant. */
enum rl_status rl_protocol_refuse(const char *name, struct rl_error *error);

/* Reads a count as people write it: a whole number, 1000, 1e6, 10k, 3M, or one told in n, 2n, n,
 * n^1.5 (rounded up), 10n^2. `n` is the ring size that "n" stands for; 0 means "n" is not
 * allowed here. Fails with RL_BAD_TEXT on anything else and on values of 2^63 or more. */
RL_MUST_CHECK enum rl_status rl_text_parse_count(const char *string, uint64_t n,
                                                 uint64_t *count_out, struct rl_error *error);

/* A text that is read from left to right, and where it is: lines and columns count from 1. */
struct rl_reader {
    const char *at, *end, *line_start;
    uint32_t line;
};
static inline struct rl_reader rl_reader_of(const char *text, size_t length)
{
    return (struct rl_reader){text, text + length, text, 1};
}
/* Over white space and comments, which begin with #. */
void rl_reader_skip(struct rl_reader *reader);
/* The length of the word if the text goes on with it, else 0. */
size_t rl_reader_sees(const struct rl_reader *reader, const char *word);
/* Reads a number. False, and stays where it is, if there is none or it is above `most`. */
bool rl_reader_number(struct rl_reader *reader, uint64_t most, uint64_t *number_out);
/* The error (may be NULL), at this place. */
struct rl_error *rl_reader_here(const struct rl_reader *reader, struct rl_error *error);

/* For geometric draws among `trials` (1 .. 2^32) equally likely outcomes. Time: 256 logarithms. */
void rl_wait_init(struct rl_wait *wait, uint64_t trials);

/* The growth of its steps as measured by bench/table1.sh, as text; NULL if it is not among those
 * measured. */
const char *rl_protocol_fitted(const struct rl_protocol *protocol);

/* The number that n is looked at modulo, with these parameters: 1 or more. */
uint32_t rl_protocol_modulus(const struct rl_protocol *protocol, const struct rl_params *params);

/* Whether it has a start of that name; RL_START_RANDOM is one of every protocol's. */
bool rl_protocol_has_start(const struct rl_protocol *protocol, const char *name);

rl_state rl_protocol_state(const struct rl_protocol *protocol, const struct rl_params *params,
                           uint64_t index);
uint64_t rl_protocol_index(const struct rl_protocol *protocol, const struct rl_params *params,
                           rl_state state);

bool rl_ring_interact_told(struct rl_ring *ring, uint32_t arc, bool no_leader);

/* What an oracle that reports at once says; false if the protocol has none. Time: O(n), or O(1). */
bool rl_ring_lacks_leader(const struct rl_ring *ring);

/* Every agent gets a uniformly random state. */
void rl_ring_randomize(struct rl_ring *ring, struct rl_random *random);

void rl_ring_print_state(const struct rl_protocol *protocol, rl_state state, struct rl_text *text);

/* Looks at the whole ring after `step` interactions: at the start (of a zeroed oracle), and when
 * somebody else has changed the ring. Time: O(n). */
void rl_oracle_look(struct rl_oracle *oracle, const struct rl_ring *ring, uint64_t step);

/* The same, with the delay of the ring's protocol; UINT64_MAX if it has no oracle. */
uint64_t rl_oracle_of_ring(const struct rl_oracle *oracle, const struct rl_ring *ring);

struct rl_look rl_look_of(const struct rl_protocol *protocol);

/* The marks of a state, and those that any state of the protocol may have. Time: O(1). */
uint32_t rl_look_marks(const struct rl_look *look, rl_state state);
uint32_t rl_look_possible(const struct rl_look *look);

/* The marks of agent i, with those that its state alone does not tell: RL_MARK_LEFTWARD and
 * RL_MARK_BARRIER. Time: O(1). */
uint32_t rl_look_agent(const struct rl_look *look, const struct rl_ring *ring, uint32_t i);

/* The state with one variable changed so that the agent leads, or does not; the state itself if it
 * does so already or no single variable decides it. */
rl_state rl_look_crowned(const struct rl_protocol *protocol, const struct rl_params *params,
                         rl_state state, bool leads);

/* What the interaction of `arc` is about to do to `ring`, one line of text for each thing; nothing
 * if it changes no state. `no_leader` is what an oracle reports. Line numbers are those of the
 * listing in the protocol's page of docs/protocols. */
void rl_look_explain(const struct rl_ring *ring, uint32_t arc, bool no_leader,
                     struct rl_text *text);

/* Facts about agent i that its own state does not show, one a line ("d_L = 3"); may be none. */
void rl_look_describe(const struct rl_ring *ring, uint32_t i, struct rl_text *text);

/* Whether a key is one of an experiment: of what is run, or of when it ends. */
enum rl_key { RL_KEY_NONE, RL_KEY_OF_RING, RL_KEY_OF_END };
enum rl_key rl_experiment_has_key(const char *key);
/* Whether it is a parameter of any protocol. */
bool rl_protocol_any_parameter(const char *key);

/* Reads "protocol=prl; n=50; N=60; start=random; seed=7", with `;` or `&` between. Cuts the text,
 * which the experiment then points into. */
RL_MUST_CHECK enum rl_status rl_experiment_parse(struct rl_experiment *experiment, char *text,
                                                 struct rl_error *error);

/* Fills a ring, which has memory, as the experiment begins. RL_BAD_PARAMETER if the protocol has no
 * such start with these parameters; of a text, `error` has line and column. Time: O(n). */
RL_MUST_CHECK enum rl_status rl_experiment_fill(const struct rl_experiment *experiment,
                                                struct rl_ring *ring, struct rl_error *error);

/* Sets it to the protocol's target; its limits stay as they are. */
void rl_end_at_target(struct rl_end *end, const struct rl_protocol *protocol,
                      const struct rl_params *params);

/* For a protocol whose target is RL_SETTLED, how many steps are usually wanted: n times its
 * parameter `settled`, or 20 n^2 if it has none. 0 for any other. */
uint64_t rl_settled_usual(const struct rl_protocol *protocol, const struct rl_params *params);

/* The kind of that name; false if there is none. */
bool rl_engine_named(const char *name, enum rl_engine_kind *kind_out);

/* A value of a parameter: the name of a choice, or a count below 2^32. */
RL_MUST_CHECK enum rl_status rl_parameter_read(const struct rl_parameter *parameter,
                                               const char *value, uint32_t n, uint32_t *value_out,
                                               struct rl_error *error);

/* A count, which may be told in n, with its limits; where there is no upper one, RL_NEVER is
 * `none`.
 */
RL_MUST_CHECK enum rl_status rl_count_read(const struct rl_item *item, uint32_t n, uint64_t least,
                                           uint64_t most, uint64_t *count_out,
                                           struct rl_error *error);

/* The name of a value that is a choice; NULL of a count. */
const char *rl_parameter_choice(const struct rl_parameter *parameter, uint32_t value);

/* Either as text. */
void rl_parameter_print(const struct rl_parameter *parameter, uint32_t value, struct rl_text *text);

#endif
