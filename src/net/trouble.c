/* SPDX-License-Identifier: MIT
 *
 * Trouble. A datagram that is to be overtaken waits for up to REORDER seconds, which is several
 * round trips on one machine.
 */
#include "net/trouble.h"

#define REORDER 0.02

static double uniform(struct rl_random *random)
{
    return (double)(rl_random_next(random) >> 11) * 0x1p-53;
}

static bool is_cut(const struct rl_trouble *trouble, bool right, double now)
{
    for (size_t i = 0; i < trouble->cut_count; i++) {
        const struct rl_cut *cut = &trouble->cuts[i];
        if (cut->right == right && now >= cut->from && now < cut->to)
            return true;
    }
    return false;
}

int rl_trouble_befall(const struct rl_trouble *trouble, struct rl_random *random, bool right,
                      double now, double due_out[2])
{
    if (is_cut(trouble, right, now) || uniform(random) < trouble->loss)
        return 0;
    const int copies = uniform(random) < trouble->duplicate ? 2 : 1;
    for (int i = 0; i < copies; i++) {
        due_out[i] = now + trouble->delay * uniform(random);
        if (uniform(random) < trouble->reorder)
            due_out[i] += REORDER * uniform(random);
    }
    return copies;
}

bool rl_trouble_postpone(struct rl_postponed *postponed, const struct rl_late *late)
{
    if (postponed->count == RL_MOST_POSTPONED)
        return false;
    postponed->late[postponed->count++] = *late;
    return true;
}

bool rl_trouble_due(struct rl_postponed *postponed, double now, struct rl_late *late_out)
{
    for (size_t i = 0; i < postponed->count; i++)
        if (postponed->late[i].due <= now) {
            *late_out = postponed->late[i];
            postponed->late[i] = postponed->late[--postponed->count];
            return true;
        }
    return false;
}

double rl_trouble_next(const struct rl_postponed *postponed, double otherwise)
{
    for (size_t i = 0; i < postponed->count; i++)
        if (postponed->late[i].due < otherwise)
            otherwise = postponed->late[i].due;
    return otherwise;
}
