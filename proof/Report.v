(* SPDX-License-Identifier: MIT

   Every theorem with its statement, and what it assumes. scripts/proof.sh prints what Coq
   answers, and fails unless each is closed under the global context. *)

From Coq Require Import List Bool Arith ZArith.
From Ringleader Require Import Model Bullets Peace Safe Expect Sweep Creation Ring Trio.
From Ringleader Require Import Elimination States Theorem1.
Set Printing Width 100.
Open Scope Z_scope.
Open Scope nat_scope.

Check lemma_1. Print Assumptions lemma_1.
Check lemma_2. Print Assumptions lemma_2.
Check lemma_3. Print Assumptions lemma_3.
Check lemma_4. Print Assumptions lemma_4.
Check lemma_5. Print Assumptions lemma_5.
Check lemma_6. Print Assumptions lemma_6.
Check lemma_7. Print Assumptions lemma_7.
Check lemma_8. Print Assumptions lemma_8.
Check lemma_9. Print Assumptions lemma_9.
Check lemma_10. Print Assumptions lemma_10.
Check lemma_11. Print Assumptions lemma_11.
Check lemma_12. Print Assumptions lemma_12.
Check lemma_13. Print Assumptions lemma_13.
Check S_RL_reachable. Print Assumptions S_RL_reachable.
Check number_of_states. Print Assumptions number_of_states.
Check expected_steps. Print Assumptions expected_steps.
Check @expect_counts. Print Assumptions expect_counts.
Check theorem_1. Print Assumptions theorem_1.
