/* SPDX-License-Identifier: MIT
 *
 * P'_RL: Algorithm 1 with line 13 removed, so that no leader ever becomes a follower. The paper
 * uses it in the proof of Lemma 12 (a leader is killed soon). It is the same source as P_RL.
 */
#define NAME    "prl-dummy"
#define TITLE   "P'_RL: P_RL without line 13, where no leader dies (proof of Lemma 12)"
#define CLAIM   "none"
#define LINE_13 false
#include "protocols/prl.c"
