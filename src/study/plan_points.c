/* SPDX-License-Identifier: MIT
 *
 * Plans, the points: each is in a plan once.
 *
 * A point is known by what rl_plan_line writes. A plan may have 100,000 points, so those with the
 * same end of a hash form a chain; comparing each with each took 27 s for 20,000.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "study/inside.h"

/* Texts that may both be missing. */
static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

bool rl_plan_same_point(const struct rl_point *a, const struct rl_point *b)
{
    return same_text(a->start_text, b->start_text) &&
           same_text(a->protocol->hash, b->protocol->hash) &&
           strcmp(rl_plan_line(a).text, rl_plan_line(b).text) == 0;
}

/* FNV-1a. */
static uint32_t hash_of(const struct rl_point *point)
{
    const struct rl_plan_line line = rl_plan_line(point);
    uint32_t hash = 2166136261u;
    for (const char *c = line.text; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    return hash;
}

enum { CHAINS = 1 << 16 };

/* Where the point is; plan->count: nowhere. */
static size_t place_of(const struct rl_plan *plan, const struct rl_point *point, uint32_t hash)
{
    uint32_t i = plan->last ? plan->last[hash % CHAINS] : 0;
    while (i &&
           !(plan->points[i - 1].hash == hash && rl_plan_same_point(&plan->points[i - 1], point)))
        i = plan->points[i - 1].next;
    return i ? i - 1 : plan->count;
}

const struct rl_point *rl_plan_find(const struct rl_plan *plan, const struct rl_point *point)
{
    const size_t i = place_of(plan, point, hash_of(point));
    return i < plan->count ? &plan->points[i] : NULL;
}

enum rl_status rl_plan_add(struct rl_plan *plan, const struct rl_point *point, size_t *index_out)
{
    assert(point->protocol && point->fault_count <= RL_PLAN_FAULTS &&
           "a point has a protocol, and so many faults");
    struct rl_point *points = grown(plan->points, plan->count, &plan->room, sizeof *points);
    if (!points)
        return RL_NO_MEMORY;
    plan->points = points;
    if (!plan->last && !(plan->last = calloc(CHAINS, sizeof *plan->last)))
        return RL_NO_MEMORY;
    const uint32_t hash = hash_of(point);
    struct rl_point *held = &points[ *index_out = place_of(plan, point, hash)];
    if (*index_out == plan->count) {
        *held = *point;
        held->hash = hash;
        held->next = plan->last[hash % CHAINS];
        if (point->start_text &&
            !(held->start_text = plan_keep_start(plan, point->start, point->start_text)))
            return RL_NO_MEMORY;
        plan->last[hash % CHAINS] = (uint32_t)++plan->count;
    }
    if (point->trials > held->trials)
        held->trials = point->trials;
    held->until_error = point->until_error;
    held->easy = point->easy < held->easy ? point->easy : held->easy;
    if (point->claim[0])
        memcpy(held->claim, point->claim, sizeof held->claim);
    if (point->curve[0])
        memcpy(held->curve, point->curve, sizeof held->curve);
    return RL_OK;
}

const char *plan_keep_start(struct rl_plan *plan, const char *name, const char *text)
{
    struct rl_plan_start *start = plan->starts;
    while (start && (strcmp(start->name, name) != 0 || strcmp(start->text, text) != 0))
        start = start->next;
    if (start)
        return start->text;
    start = calloc(1, sizeof *start + strlen(text) + 1);
    if (!start)
        return NULL;
    strcpy(start->name, name);
    strcpy(start->text, text);
    start->next = plan->starts;
    plan->starts = start;
    return start->text;
}

void rl_plan_free(struct rl_plan *plan)
{
    for (struct rl_plan_start *start = plan->starts, *next; start; start = next) {
        next = start->next;
        free(start);
    }
    free(plan->points);
    free(plan->last);
    *plan = (struct rl_plan){0};
}
