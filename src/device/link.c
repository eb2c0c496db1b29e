/* SPDX-License-Identifier: MIT
 *
 * The link, as a machine of four moves.
 *
 * Invariant, between ends that agree: the initiator's `ask` is the responder's `expects`, or, from
 * the decision until the initiator hears of it, the ticket before. While a question is out its
 * asker is locked: it answers BUSY to its own left, so its word stays what the question says. So
 * the responder may decide alone, and the interaction has happened at that instant; until the
 * initiator hears of it, its state is the responder's `reply`.
 *
 * Facts that shaped this. A device that waits still answers, so there is no deadlock round the
 * ring. An asker never gives up: it cannot know whether the other has decided. BUSY uses up its
 * ticket as an interaction does; otherwise a late copy of a question could be decided twice. Flags
 * are read bit by bit, and words are turned into states wherever they are used, because memory may
 * contain anything. Tickets are only compared for "next", never subtracted, so any number of them
 * is enough.
 */
#include "ringleader/device.h"

static bool is_set(const struct rl_link *link, uint8_t flag)
{
    return (link->flags & flag) != 0;
}

static void set_flag(struct rl_link *link, uint8_t flag, bool on)
{
    link->flags = (uint8_t)(on ? link->flags | flag : link->flags & ~flag);
}

static struct rl_message question(struct rl_link *link, const struct rl_link_rules *rules)
{
    link->word = rules->legal(rules->about, link->word);
    return (struct rl_message){.kind = RL_ASK, .ticket = link->ask, .value = link->word};
}

RL_LINK_API bool rl_link_ring(struct rl_link *link, const struct rl_link_rules *rules,
                              struct rl_message *ask_out)
{
    if (is_set(link, RL_LINK_LOCKED))
        return false;
    set_flag(link, RL_LINK_LOCKED, true);
    *ask_out = question(link, rules);
    return true;
}

RL_LINK_API bool rl_link_repeat(struct rl_link *link, const struct rl_link_rules *rules,
                                struct rl_message *ask_out)
{
    if (!is_set(link, RL_LINK_LOCKED))
        return false;
    *ask_out = question(link, rules);
    return true;
}

/* Decides on the question that is due. */
static enum rl_link_event decide(struct rl_link *link, const struct rl_link_rules *rules,
                                 rl_link_word asker)
{
    const bool busy = is_set(link, RL_LINK_LOCKED);
    link->expects = RL_LINK_NEXT(link->expects);
    set_flag(link, RL_LINK_DONE, !busy);
    if (busy)
        return RL_LINK_REFUSED;
    link->reply = rules->legal(rules->about, asker);
    link->word = rules->legal(rules->about, link->word);
    rules->interact(rules->about, &link->reply, &link->word);
    return RL_LINK_INTERACTED;
}

RL_LINK_API enum rl_link_event rl_link_asked(struct rl_link *link,
                                             const struct rl_link_rules *rules,
                                             const struct rl_message *ask,
                                             struct rl_message *answer_out)
{
    enum rl_link_event event = RL_LINK_REPEATED;
    if (ask->kind != RL_ASK)
        return RL_LINK_IGNORED;
    answer_out->ticket = ask->ticket;
    if (ask->ticket == link->expects)
        event = decide(link, rules, ask->value);
    else if (RL_LINK_NEXT(ask->ticket) != link->expects) {
        answer_out->kind = RL_SYNC;
        answer_out->value = link->expects;
        return RL_LINK_CORRECTED;
    }
    answer_out->kind = is_set(link, RL_LINK_DONE) ? RL_DID : RL_BUSY;
    answer_out->value = is_set(link, RL_LINK_DONE) ? link->reply : 0;
    return event;
}

static void unlock(struct rl_link *link)
{
    link->ask = RL_LINK_NEXT(link->ask);
    set_flag(link, RL_LINK_LOCKED, false);
}

RL_LINK_API enum rl_link_event rl_link_answered(struct rl_link *link,
                                                const struct rl_link_rules *rules,
                                                const struct rl_message *answer,
                                                struct rl_message *ask_out)
{
    if (!is_set(link, RL_LINK_LOCKED) || answer->ticket != link->ask)
        return RL_LINK_IGNORED;
    switch (answer->kind) {
    case RL_DID:
        link->word = rules->legal(rules->about, answer->value);
        unlock(link);
        return RL_LINK_LEARNT;
    case RL_BUSY:
        unlock(link);
        return RL_LINK_TURNED_AWAY;
    case RL_SYNC:
        link->ask = (rl_link_ticket)answer->value;
        *ask_out = question(link, rules);
        return RL_LINK_RESUMED;
    default:
        return RL_LINK_IGNORED;
    }
}
