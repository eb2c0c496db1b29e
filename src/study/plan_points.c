/* SPDX-License-Identifier: MIT
 *
 * Plans, the points: each is in a plan once.
 *
 * A point is known by what rl_plan_line writes. A plan may have 100,000 points, so they are
 * found by a hash of that text; comparing each with each took 27 s for 20,000 of one size.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "study/plan_parts.h"
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

/* The slot that has the point, or the empty one where it would be. There is always an empty one. */
static size_t slot_of(const struct rl_plan *plan, const struct rl_point *point, uint32_t hash)
{
    size_t slot = hash % plan->slot_count;
    for (uint32_t i; (i = plan->slots[slot]) != 0; slot = (slot + 1) % plan->slot_count)
        if (plan->points[i - 1].hash == hash && rl_plan_same_point(&plan->points[i - 1], point))
            break;
    return slot;
}

/* Room for twice as many points, at two slots and a bit for each. */
static enum rl_status grow(struct rl_plan *plan)
{
    const size_t room = plan->room ? 2 * plan->room : 64, slot_count = 2 * room + 1;
    struct rl_point *points = realloc(plan->points, room * sizeof *points);
    if (!points)
        return RL_NO_MEMORY;
    plan->points = points;
    uint32_t *slots = calloc(slot_count, sizeof *slots);
    if (!slots)
        return RL_NO_MEMORY;
    free(plan->slots);
    plan->slots = slots;
    plan->slot_count = slot_count;
    plan->room = room;
    for (size_t i = 0; i < plan->count; i++)
        slots[slot_of(plan, &points[i], points[i].hash)] = (uint32_t)i + 1;
    return RL_OK;
}

const struct rl_point *rl_plan_find(const struct rl_plan *plan, const struct rl_point *point)
{
    if (plan->count == 0)
        return NULL;
    const uint32_t i = plan->slots[slot_of(plan, point, hash_of(point))];
    return i ? &plan->points[i - 1] : NULL;
}

enum rl_status rl_plan_add(struct rl_plan *plan, const struct rl_point *point, size_t *index_out)
{
    assert(point->protocol && point->fault_count <= RL_PLAN_FAULTS &&
           "a point has a protocol, and so many faults");
    const enum rl_status status = plan->count == plan->room ? grow(plan) : RL_OK;
    if (status)
        return status;
    const uint32_t hash = hash_of(point);
    const size_t slot = slot_of(plan, point, hash);
    if (plan->slots[slot] == 0) {
        struct rl_point *new = &plan->points[plan->count];
        *new = *point;
        new->hash = hash;
        if (point->start_text &&
            !(new->start_text = plan_keep_start(plan, point->start, point->start_text)))
            return RL_NO_MEMORY;
        plan->slots[slot] = (uint32_t)++plan->count;
    }
    *index_out = plan->slots[slot] - 1;
    struct rl_point *held = &plan->points[*index_out];
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
    free(plan->slots);
    *plan = (struct rl_plan){0};
}
