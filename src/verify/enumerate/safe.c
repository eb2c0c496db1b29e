/* SPDX-License-Identifier: MIT
 *
 * The safe configurations of a small ring, kept: a byte for each representative, found by the
 * classes of the agents' states and the least rotation. And a protocol that has them for its
 * target: a copy of another one's declaration, with its tables behind `data`.
 */
#include "ringleader/safe.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verify/enumerate/reach.h"
#include "verify/enumerate/view.h"

struct rl_safe {
    struct rl_protocol bare; /* without sets, lemmas and claims: nothing but outputs is seen */
    struct rl_table table;
    struct rl_views views;
    struct rl_space space;
    uint8_t *members;
};

static enum rl_status check_memory(const struct rl_safe *safe, uint64_t allowed,
                                   struct rl_error *error)
{
    const struct rl_words *words = &safe->views.base->words;
    const uint64_t space = rl_space_bytes(words), bytes = space + rl_words_count(words);
    if (space > 0 && bytes <= allowed)
        return RL_OK;
    return rl_error_set(error, RL_TOO_LARGE,
                        "the safe configurations of %s with n = %u are too many to be computed",
                        safe->bare.name, words->n);
}

enum rl_status rl_safe_init(struct rl_safe **safe_out, const struct rl_verify_options *options,
                            struct rl_error *error)
{
    struct rl_workers workers = {.jobs = options->jobs, .watch = options->watch};
    struct rl_safe *safe = *safe_out = calloc(1, sizeof *safe);
    if (!safe)
        return RL_NO_MEMORY;
    safe->bare = *options->protocol;
    safe->bare.set_count = safe->bare.lemma_count = safe->bare.claim_count = 0;
    workers.progress.phase = "safe configurations";
    workers.progress.subject = "";
    enum rl_status status = rl_words_check(&safe->bare, &options->params, error);
    if (!status)
        status = rl_table_init(&safe->table, &safe->bare, &options->params);
    if (!status)
        status = rl_view_init(&safe->views, &safe->table, false, error);
    if (!status)
        status = check_memory(safe, options->memory, error);
    if (!status)
        status = rl_space_init(&safe->space, &safe->views.base->words, &workers);
    if (!status && !(safe->members = malloc(safe->space.count)))
        status = RL_NO_MEMORY;
    return status ? status : rl_reach_safe(&safe->space, &workers, safe->members);
}

bool rl_safe_contains(const struct rl_safe *safe, const struct rl_ring *ring)
{
    return safe->members[rl_space_of(&safe->space, ring)];
}

void rl_safe_free(struct rl_safe *safe)
{
    if (!safe)
        return;
    free(safe->members);
    rl_space_free(&safe->space);
    rl_view_free(&safe->views);
    rl_table_free(&safe->table);
    free(safe);
}

/* ---- as a target ------------------------------------------------------------------------------
 */

enum { NAME = 64 };

/* A ring that was prepared. */
struct prepared {
    struct rl_params params;
    struct rl_safe *safe;
    struct prepared *next;
};

struct rl_safe_target {
    struct rl_protocol protocol;
    char name[NAME];
    struct prepared *rings;
};

static const struct prepared *find(const struct rl_safe_target *target,
                                   const struct rl_params *params)
{
    const struct prepared *ring = target->rings;
    while (ring && (ring->params.n != params->n ||
                    memcmp(ring->params.value, params->value, sizeof params->value) != 0))
        ring = ring->next;
    return ring;
}

static bool is_safe(const struct rl_ring *ring)
{
    const struct prepared *prepared = find(ring->protocol->data, &ring->params);
    return prepared && rl_safe_contains(prepared->safe, ring);
}

enum rl_status rl_safe_target_init(struct rl_safe_target **target_out,
                                   const struct rl_protocol *original)
{
    static const struct rl_set SETS[] = {
        {"safe", "one leader, and no output ever changes: computed by the verifier", is_safe,
         NULL}};
    struct rl_safe_target *target = *target_out = calloc(1, sizeof *target);
    if (!target)
        return RL_NO_MEMORY;
    assert(!original->data && strlen(original->name) + strlen("-safe") < NAME);
    struct rl_protocol *protocol = &target->protocol;
    *protocol = *original;
    sprintf(target->name, "%s-safe", original->name);
    protocol->name = target->name;
    /* How long outputs must have settled is of no interest any more. */
    if (!original->sets[original->target].contains &&
        rl_protocol_parameter(original, "settled") == (int)original->parameter_count - 1)
        protocol->parameter_count--;
    protocol->sets = SETS;
    protocol->set_count = 1;
    protocol->target = 0;
    protocol->lemma_count = protocol->claim_count = 0;
    protocol->obstacle_count = 0;
    protocol->obstruct = NULL;
    protocol->data = target;
    return RL_OK;
}

void rl_safe_target_free(struct rl_safe_target *target)
{
    while (target && target->rings) {
        struct prepared *ring = target->rings;
        target->rings = ring->next;
        rl_safe_free(ring->safe);
        free(ring);
    }
    free(target);
}

const struct rl_protocol *rl_safe_target_protocol(const struct rl_safe_target *target)
{
    return &target->protocol;
}

bool rl_safe_target_is(const struct rl_protocol *protocol)
{
    return protocol->set_count == 1 && protocol->sets[0].contains == is_safe;
}

enum rl_status rl_safe_target_prepare(const struct rl_protocol *protocol,
                                      const struct rl_params *params, unsigned jobs,
                                      struct rl_error *error)
{
    assert(rl_safe_target_is(protocol));
    struct rl_safe_target *target = (struct rl_safe_target *)protocol->data;
    struct rl_verify_options options;
    if (find(target, params))
        return RL_OK;
    struct prepared *ring = calloc(1, sizeof *ring);
    if (!ring)
        return RL_NO_MEMORY;
    rl_verify_options_init(&options, protocol, params->n);
    options.params = *params;
    options.jobs = jobs;
    ring->params = *params;
    const enum rl_status status = rl_safe_init(&ring->safe, &options, error);
    if (status) {
        rl_safe_free(ring->safe);
        free(ring);
        return status;
    }
    ring->next = target->rings;
    target->rings = ring;
    return RL_OK;
}
