/* SPDX-License-Identifier: MIT
 *
 * Families: the points along which something grows.
 *
 * A point's label, with the varying thing left out, is the name of its family: two points are in
 * one family if and only if their labels are the same text (src/study/label.c).
 */
#include "base/grow.h"
#include "core/inside.h"
#include "report/parts.h"
#include "study/inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What families along one axis are made from. */
struct axis {
    enum rl_family_axis axis;
    const char *name;
    const struct rl_protocol *protocol; /* of a parameter; NULL: all */
    size_t parameter;
};

static bool belongs(const struct axis *axis, const struct rl_point *point)
{
    if (axis->axis == RL_FAMILY_FAULT)
        return point->run.fault_count > 0;
    return !axis->protocol || axis->protocol == point->run.protocol;
}

/* Where a point stands on the axis. */
static double place_on(const struct axis *axis, const struct rl_point *point)
{
    if (axis->axis == RL_FAMILY_FAULT)
        return point->run.faults[point->run.fault_count - 1].agents;
    return axis->axis == RL_FAMILY_N ? point->run.params.n
                                     : point->run.params.value[axis->parameter];
}

/* "; without 64, 128, where trials gave up", if there are such points. */
static void tell_left_out(const struct rl_family *family, struct rl_text *text)
{
    const char *separator = "; without ";
    for (size_t i = 0; i < family->count; i++)
        if (family->at[i].point->measure.stats.gave_up > 0) {
            rl_text_format(text, "%s%s", separator,
                           rl_text_grouped((uint64_t)family->at[i].x).text);
            separator = ", ";
        }
    if (family->left_out > 0)
        rl_text_string(text, ", where trials gave up");
}

/* A point with trials that gave up has no mean: it stays out. How many agents were struck is no
 * size that anything is claimed to grow with. */
static enum rl_status fit_family(struct rl_family *family)
{
    struct rl_growth_sample *samples = calloc(family->count, sizeof *samples);
    size_t count = 0;
    if (!samples)
        return RL_NO_MEMORY;
    for (size_t i = 0; i < family->count; i++) {
        const struct rl_family_point *at = &family->at[i];
        const struct rl_stats *stats = &at->point->measure.stats;
        if (stats->gave_up > 0)
            family->left_out++;
        else if (stats->count >= 2 && stats->mean > 0 && at->x >= 2)
            samples[count++] = (struct rl_growth_sample){at->x, at->claimed, stats->mean,
                                                         stats->deviation, stats->count};
    }
    family->form = family->axis == RL_FAMILY_N ? rl_growth_claimed(family->claim) : RL_GROWTH_POWER;
    const enum rl_status status = family->axis == RL_FAMILY_FAULT
                                      ? RL_BAD_PARAMETER
                                      : rl_growth_fit(samples, count, &family->growth);
    struct rl_text verdict = rl_text_into(family->verdict, sizeof family->verdict);
    family->fitted = status == RL_OK;
    if (family->fitted) {
        rl_growth_tell(&family->growth, family->claim, family->axis_name, &verdict);
        tell_left_out(family, &verdict);
    }
    free(samples);
    return status == RL_NO_MEMORY ? status : RL_OK;
}

/* A point and its label. */
struct member {
    char label[RL_FAMILY_LABEL];
    double x;
    const struct rl_summary_point *point;
};

static int by_label_and_x(const void *a, const void *b)
{
    const struct member *p = a, *q = b;
    const int order = strcmp(p->label, q->label);
    if (order != 0)
        return order;
    return p->x != q->x ? (p->x > q->x) - (p->x < q->x)
                        : (p->point > q->point) - (p->point < q->point);
}

static int by_first_point(const void *a, const void *b)
{
    const struct rl_family *p = a, *q = b;
    return (p->point > q->point) - (p->point < q->point);
}

/* A family of members with the same label. */
static enum rl_status add_family(struct rl_summary *summary, const struct axis *axis,
                                 const struct member *members, size_t count)
{
    struct rl_family *families =
        grown(summary->families, summary->family_count, &summary->family_room, sizeof *families);
    if (!families)
        return RL_NO_MEMORY;
    summary->families = families;
    struct rl_family *family = &families[summary->family_count];
    *family = (struct rl_family){.axis = axis->axis,
                                 .axis_name = axis->name,
                                 .point = members[0].point->point,
                                 .at = calloc(count, sizeof *family->at),
                                 .count = count};
    if (!family->at)
        return RL_NO_MEMORY;
    summary->family_count++;
    strcpy(family->label, members[0].label);
    for (size_t i = 1; i < count; i++)
        if (members[i].point->point < family->point)
            family->point = members[i].point->point;
    const struct rl_protocol *protocol = family->point->run.protocol;
    family->claim = members[0].point->point->claim;
    if (!family->claim[0] && protocol->claim && !family->point->run.fault_count)
        family->claim = protocol->claim;
    for (size_t i = 0; i < count; i++)
        family->at[i] = (struct rl_family_point){
            members[i].point, members[i].x,
            rl_growth_claimed_at(family->claim, protocol, &members[i].point->point->run.params)};
    return fit_family(family);
}

static enum rl_status add_families(struct rl_summary *summary, const struct axis *axis,
                                   const struct member *members, size_t count)
{
    enum rl_status status = RL_OK;
    for (size_t i = 0, end; i < count && !status; i = end) {
        for (end = i + 1; end < count && strcmp(members[end].label, members[i].label) == 0; end++)
            ;
        if (members[end - 1].x != members[i].x)
            status = add_family(summary, axis, members + i, end - i);
    }
    return status;
}

/* All families along an axis, in order of their first points. */
static enum rl_status find_along(struct rl_summary *summary, struct axis axis, bool many_seeds)
{
    const size_t first = summary->family_count;
    struct member *members = calloc(summary->plan.count + 1, sizeof *members);
    size_t count = 0;
    if (!members)
        return RL_NO_MEMORY;
    for (size_t i = 0; i < summary->plan.count; i++) {
        const struct rl_point *point = &summary->plan.points[i];
        if (!belongs(&axis, point) || summary->points[i].count == 0)
            continue;
        rl_family_label(point, axis.axis, axis.parameter, many_seeds, members[count].label);
        members[count].x = place_on(&axis, point);
        members[count++].point = &summary->points[i];
    }
    qsort(members, count, sizeof *members, by_label_and_x);
    const enum rl_status status = add_families(summary, &axis, members, count);
    if (!status && summary->family_count > first)
        qsort(summary->families + first, summary->family_count - first, sizeof *summary->families,
              by_first_point);
    free(members);
    return status;
}

enum rl_status find_families(struct rl_summary *summary)
{
    const struct rl_plan *plan = &summary->plan;
    const struct rl_protocol *protocol;
    bool many_seeds = false;
    for (size_t i = 1; i < plan->count; i++)
        many_seeds |= plan->points[i].run.seed != plan->points[0].run.seed;
    enum rl_status status = find_along(summary, (struct axis){RL_FAMILY_N, "n"}, many_seeds);
    for (size_t p = 0; !status && (protocol = rl_protocol_at(p)); p++)
        for (size_t i = 0; i < protocol->parameter_count && !status; i++)
            if (!protocol->parameters[i].choices) /* nothing grows along a choice */
                status = find_along(
                    summary,
                    (struct axis){RL_FAMILY_PARAMETER, protocol->parameters[i].name, protocol, i},
                    many_seeds);
    return status
               ? status
               : find_along(summary, (struct axis){RL_FAMILY_FAULT, "agents struck"}, many_seeds);
}
