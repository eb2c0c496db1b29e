(* SPDX-License-Identifier: MIT

   Every theorem: what it says in words, its statement, and what it assumes. scripts/proof.sh prints
   the words and what Coq answers, and fails unless each theorem of proof/ is here and is closed
   under the global context. *)

From Coq Require Import List Bool Arith ZArith.
From Ringleader Require Import Model Bullets Peace Safe Expect Tail Sweep Creation Gaps Trio.
From Ringleader Require Import Elimination States Theorem1 Optimal.
From Tie Require Import Tied.
Set Printing Width 100.
Open Scope Z_scope.
Open Scope nat_scope.

(* The sum that stands for an expectation is one: over all schedules, of the steps they take. *)
Check @expect_counts. Print Assumptions expect_counts.

(* A potential that falls by 1 on average outside of a set bounds the expected steps to it. *)
Check @drift. Print Assumptions drift.

(* If B expected steps are enough from everywhere, 2Bm steps are, but for the 2^m-th part of the
   schedules. *)
Check @tail. Print Assumptions tail.

(* Every bullet disappears before it has moved N times. *)
Check lemma_1. Print Assumptions lemma_1.

(* C_PB is closed: where there is a leader and live bullets are peaceful, it stays so. *)
Check lemma_2. Print Assumptions lemma_2.

(* A modest bullet stays modest, waiting and moving. *)
Check lemma_3. Print Assumptions lemma_3.

(* A live bullet that is fired anew is modest, and so is that of a new leader. *)
Check lemma_4. Print Assumptions lemma_4.

(* Where live bullets are modest, an agent loses its security only to an insecure left neighbour. *)
Check lemma_5. Print Assumptions lemma_5.

(* C_NI is closed: where live bullets are modest and all agents secure, it stays so. *)
Check lemma_6. Print Assumptions lemma_6.

(* From C_NI no leader is ever created. *)
Check lemma_7. Print Assumptions lemma_7.

(* S_RL is closed, and has only safe configurations: one leader, for good. *)
Check lemma_8. Print Assumptions lemma_8.

(* A sequence of h arcs occurs, in its order, within nh expected steps. *)
Check lemma_9. Print Assumptions lemma_9.

(* Where there is no leader one is created within n(N + n) expected steps. *)
Check lemma_10. Print Assumptions lemma_10.

(* C_NI is reached from everywhere within n(3N + 4n) expected steps. *)
Check lemma_11. Print Assumptions lemma_11.

(* In C_NI, one of three neighbouring leaders at distances d1 and d2 is dead within
   n(11 d1 + 9 d2) expected steps. *)
Check lemma_12. Print Assumptions lemma_12.

(* From C_NI, S_RL is reached within 26 n^2 expected steps. *)
Check lemma_13. Print Assumptions lemma_13.

(* S_RL is reached from everywhere within n(3N + 28n) expected steps. *)
Check expected_steps. Print Assumptions expected_steps.

(* The paper's own target, the safe configurations, is reached within 31 nN expected steps. *)
Check expected_steps_safe. Print Assumptions expected_steps_safe.

(* From everywhere some schedule of at most 31 nN arcs leads to S_RL. *)
Check S_RL_reachable. Print Assumptions S_RL_reachable.

(* S_RL is reached with probability 1: of the schedules of 62 nN m steps at most the 2^m-th part
   misses it. *)
Check probability_1. Print Assumptions probability_1.

(* An agent has 24(N + 1) states, and interactions do not leave them. *)
Check number_of_states. Print Assumptions number_of_states.

(* P_RL solves self-stabilizing leader election on every ring of n <= N agents: with probability 1,
   within 31 nN expected steps, with 24(N + 1) states. *)
Check theorem_1. Print Assumptions theorem_1.

(* Whatever the protocol, from some configuration it takes at least n(n-1)/16 expected steps until
   there is one leader, and at least (1 - 1/e) n^2/4 if n >= 200 e^3. *)
Check @lower_bound. Print Assumptions lower_bound.

(* P_RL is time-optimal: with N <= hn its worst expected time is between n(n-1)/16 and 31 h n^2. *)
Check time_optimal. Print Assumptions time_optimal.

(* The table of all pairs that prl.c printed for N = 3 is the transition function of the model. *)
Check prl_c_is_interact. Print Assumptions prl_c_is_interact.
