/* SPDX-License-Identifier: MIT
 *
 * A ring of real devices: what the link guarantees, what it does not, and what a port supplies.
 *
 * Each agent is a device with a neighbour to its left and one to its right. Every arc has an
 * exponential clock of rate lambda, kept by its left device; which arc rings next is then uniform,
 * as the paper's scheduler wants, and parallel time is real time times lambda. The link (link.h)
 * makes an interaction, which changes two devices at once, out of messages.
 *
 * THE CONFIGURATION. An interaction happens at the instant at which the responder decides on it
 * (RL_LINK_INTERACTED). From then until the initiator hears of it (RL_LINK_LEARNT), the initiator's
 * state is what the responder keeps in `reply`. An interaction of a protocol that fits (rules.h)
 * never changes whether its initiator leads, so the leaders that one sees are at every instant the
 * leaders there are.
 *
 * GUARANTEED (found by exhaustive search over one link in a free environment, hence for any ring;
 * tests/device/test_link.c repeats it):
 * - Ends that agree, messages of bounded life: every interaction exactly once. On wires that keep
 *   order 2 tickets are enough; where a message outlives at most A later questions, 2A + 1.
 * - From any contents of both ends and the wires: finitely many wrong words, then exactly once; a
 *   self-stabilizing protocol heals the rest. On wires that keep order and hold c messages each way
 *   2c tickets are enough; on others 3A + 1. From every state, two loss-free round trips unlock.
 * - No deadlock: who waits still answers.
 *
 * NOT GUARANTEED, because it is impossible:
 * - that a device goes on when its right neighbour is dead: it cannot know whether the other has
 *   decided (two generals), so it waits, and answers BUSY; the others go on, and so does it when
 *   the neighbour is back, whatever that finds in its memory;
 * - exactly once with bounded tickets over unbounded delay: 16 bits are for wires, 64 for networks;
 * - that a device knows when the election is over: the leader may lead alone, it cannot know it.
 * And left to others: who may talk (a datagram needs a MAC; a wire is trusted), and the uniform
 * scheduler, which is as good as the clocks and the links are alike: keep lambda times the round
 * trip below 0.02.
 *
 * A PORT SUPPLIES
 * - a way to send a message to the left and to the right, which may lose, double, delay and
 *   reorder it (frame.h for serial lines; datagrams elsewhere); a frame that cannot be sent now is
 *   dropped, never waited for;
 * - the messages that arrive, with the side they came from;
 * - a tick or a timer: at each tick, with odds lambda / ticks a second, rl_link_ring, and with odds
 *   of the order of a few round trips, rl_link_repeat (coins.h; no countdown in memory that may
 *   hold anything);
 * - rules: rl_rules_init for a protocol of the registry, src/device/prl.h on a microcontroller;
 * - where messages can outlive a boot, an `ask` and an `expects` chosen at random at boot; nothing
 *   has to be initialised otherwise.
 *
 *     if (rl_coins_toss(&coins, RING_ODDS) && rl_link_ring(&link, &rules, &message))
 *         send_right(&message);
 *     if (rl_coins_toss(&coins, REPEAT_ODDS) && rl_link_repeat(&link, &rules, &message))
 *         send_right(&message);
 *     if (receive_left(&message) && rl_link_asked(&link, &rules, &message, &answer))
 *         send_left(&answer);
 *     if (receive_right(&message) &&
 *         rl_link_answered(&link, &rules, &message, &answer) == RL_LINK_RESUMED)
 *         send_right(&answer);
 *
 * Freestanding: no allocation, no floating point, nothing of the C library.
 */
#ifndef RINGLEADER_DEVICE_H
#define RINGLEADER_DEVICE_H

#include "ringleader/coins.h"
#include "ringleader/link.h"
#ifdef RL_LINK_SMALL
#include "ringleader/frame.h"
#else
#include "ringleader/rules.h"
#endif

#endif
