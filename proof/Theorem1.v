(* SPDX-License-Identifier: MIT

   Theorem 1: P_RL is a self-stabilizing leader election protocol for directed rings of any size
   n <= N, within O(n N) expected steps and with O(N) states; the constants are 31 and 24. *)

From Coq Require Import List Bool Arith ZArith Lia.
From Ringleader Require Import Model Step Sets Safe Expect Sweep Quiet Creation Elimination.
From Ringleader Require Import Tail States.
Import ListNotations.
Open Scope nat_scope.

(* To a quiet configuration, and from there to one leader. *)
Theorem expected_steps N c :
  valid N c -> expected_steps_at_most N (S_RL N) c (length c * (3 * N + 28 * length c)).
Proof.
  intros HV. replace (3 * N + 28 * length c) with (3 * N + 4 * length c + 24 * length c) by lia.
  apply phases with (quiet N); [assumption | now apply become_quiet |].
  intros x HVx Ex HQ. rewrite <- Ex. apply (weaken _ _ _ (24 * (length x * length x))); [lia|].
  now apply quiet_to_S_RL.
Qed.

(* n is at most N. *)
Lemma expected_steps_nN N c :
  valid N c -> expected_steps_at_most N (S_RL N) c (31 * (length c * N)).
Proof.
  intros HV. apply (weaken _ _ _ (length c * (3 * N + 28 * length c))); [|now apply expected_steps].
  destruct HV as (Hn & _). nia.
Qed.

(* A target that has all of S_RL is reached sooner still. *)
Lemma expected_steps_larger N target c :
  (forall x, valid N x -> S_RL N x = true -> target x = true) ->
  valid N c -> expected_steps_at_most N target c (31 * (length c * N)).
Proof.
  intros Hlarger HV k. eapply Nat.le_trans; [|now apply expected_steps_nN].
  apply (expect_larger _ _ (valid N)); [|assumption..]. intros x i Hx _. now apply valid_step.
Qed.

(* The paper measures the time to a safe configuration. The bound holds for that as well: S_RL has
   only safe ones. *)
Theorem expected_steps_safe N target c :
  (forall x, valid N x -> safe N x -> target x = true) ->
  valid N c -> expected_steps_at_most N target c (31 * (length c * N)).
Proof.
  intros Hsafe. apply expected_steps_larger. intros x HV HS. apply Hsafe; [assumption|].
  now apply (proj2 (lemma_8 N)).
Qed.

(* The bound for all rings of one size at once. *)
Lemma expected_from_all N n x k :
  valid N x /\ length x = n -> expect n (step N) (S_RL N) k x <= 31 * (n * N) * n ^ k.
Proof. intros (HV & <-). now apply expected_steps_nN. Qed.

(* Steps stay on the ring. *)
Lemma same_ring N n x i :
  valid N x /\ length x = n -> In i (arcs n) -> valid N (step N x i) /\ length (step N x i) = n.
Proof. intros (HV & <-) _. split; [now apply valid_step | apply step_length]. Qed.

(* S_RL can be reached from every configuration, within so many steps. *)
Theorem S_RL_reachable N c :
  valid N c ->
  exists schedule, length schedule <= 31 * (length c * N) /\ S_RL N (run N c schedule) = true.
Proof.
  intros HV. apply (reached (length c) (step N) (S_RL N)
                      (fun x => valid N x /\ length x = length c)).
  - intros x k. apply expected_from_all.
  - now split.
  - destruct HV. lia.
Qed.

(* Self-stabilization with probability 1: of all schedules of length 62 n N m, at most the 2^m-th
   part misses S_RL. *)
Theorem probability_1 N c m :
  valid N c ->
  let k := 62 * (length c * N) * m in
  length (filter (misses (step N) (S_RL N) c) (schedules (length c) k)) * 2 ^ m <= length c ^ k.
Proof.
  intros HV k. subst k. replace (62 * (length c * N)) with (2 * (31 * (length c * N))) by lia.
  apply (tail (length c) (step N) (S_RL N) (fun x => valid N x /\ length x = length c)).
  - intros x i. apply same_ring.
  - intros x j. apply expected_from_all.
  - destruct HV as (Hn & _). nia.
  - now split.
Qed.

(* Theorem 1. For every ring of n agents, 2 <= n <= N, and every configuration of it: *)
Theorem theorem_1 N c :
  valid N c ->
  (* S_RL has only safe configurations, which stay so; *)
  (closed N (S_RL N) /\ forall x, valid N x -> S_RL N x = true -> safe N x) /\
  (* it is reached with probability 1: the share of schedules that miss it halves with each further
     62 n N steps; *)
  (forall m, let k := 62 * (length c * N) * m in
     length (filter (misses (step N) (S_RL N) c) (schedules (length c) k)) * 2 ^ m
     <= length c ^ k) /\
  (* the expected number of steps to it is at most 31 n N; *)
  expected_steps_at_most N (S_RL N) c (31 * (length c * N)) /\
  (* and an agent has 24 (N + 1) states. *)
  (NoDup (states N) /\ (forall a, In a (states N) <-> dist a <= N) /\
   length (states N) = 24 * (N + 1)).
Proof.
  intros HV. split; [apply lemma_8|]. split; [intros m; now apply probability_1|].
  split; [now apply expected_steps_nN|].
  pose proof (number_of_states N (valid_positive N c HV)) as (H1 & H2 & H3 & _). auto.
Qed.
