/* SPDX-License-Identifier: MIT
 *
 * P'_RL: Algorithm 1 with line 13 removed, so that no leader ever becomes a follower. The paper
 * uses it in the proof of Lemma 12 (a leader is killed soon). It is the same source as P_RL.
 */
#define PRL_WITHOUT_LINE_13
#include "protocols/prl.c"
