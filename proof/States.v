(* SPDX-License-Identifier: MIT

   The number of states of an agent: 24 (N + 1). *)

From Coq Require Import List Bool Arith ZArith Lia.
From Ringleader Require Import Model Step Sets.
Import ListNotations.
Open Scope nat_scope.

(* With dist = d. *)
Definition states_at (d : nat) : list agent :=
  flat_map (fun l =>
    flat_map (fun b =>
      flat_map (fun s =>
        map (fun g => Agent l b s g d) [false; true])
      [false; true])
    [Nothing; Dummy; Live])
  [false; true].

Definition states (N : nat) : list agent := flat_map states_at (seq 0 (N + 1)).

(* 24 of them, by cases. *)
Lemma states_at_complete d a : In a (states_at d) <-> dist a = d.
Proof.
  split.
  - cbn. intros H. repeat (destruct H as [<-|H]; [reflexivity|]). destruct H.
  - destruct a as [l b s g e]. cbn [dist]. intros ->. destruct l, b, s, g; cbn; tauto.
Qed.

(* Every state is in the list. *)
Lemma states_complete N a : In a (states N) <-> dist a <= N.
Proof.
  unfold states. rewrite in_flat_map. split.
  - intros (d & Hd & Ha). apply in_seq in Hd. apply states_at_complete in Ha. lia.
  - intros Hd. exists (dist a). rewrite in_seq, states_at_complete. split; [lia | reflexivity].
Qed.

(* None is in it twice: those of one dist are different, and others have another dist. *)
Lemma states_NoDup N : NoDup (states N).
Proof.
  unfold states. generalize (N + 1) as k. generalize 0 as a. intros a k. revert a.
  induction k as [|k IH]; intros a; [constructor|]. cbn [seq flat_map].
  assert (Hhere : NoDup (states_at a)).
  { cbn. repeat constructor; cbn; intros H; repeat (destruct H as [H|H]; [discriminate|]); exact H.
    }
  assert (Hdiff : forall x, In x (states_at a) -> ~ In x (flat_map states_at (seq (S a) k))).
  { intros x Hx Hr. apply states_at_complete in Hx. apply in_flat_map in Hr.
    destruct Hr as (d & Hd & Hr). apply in_seq in Hd. apply states_at_complete in Hr. lia. }
  specialize (IH (S a)). induction Hhere as [|x l Hx Hl IHl]; [assumption|]. cbn. constructor.
  - rewrite in_app_iff. intros [H|H]; [contradiction|]. apply (Hdiff x); [now left | assumption].
  - apply IHl. intros y Hy. apply Hdiff. now right.
Qed.

(* 24 for each dist. *)
Lemma states_length N : length (states N) = 24 * (N + 1).
Proof.
  unfold states. rewrite <- (seq_length (N + 1) 0) at 2. generalize (seq 0 (N + 1)) as l.
  induction l as [|d l IH]; [reflexivity|].
  cbn [flat_map]. rewrite app_length, IH. cbn [length]. change (length (states_at d)) with 24. lia.
Qed.

(* The protocol has 24 (N + 1) states, and interactions do not leave them. *)
Theorem number_of_states N :
  0 < N ->
  NoDup (states N) /\ length (states N) = 24 * (N + 1) /\
  (forall a, In a (states N) <-> dist a <= N) /\
  forall l r, In l (states N) -> In r (states N) ->
    In (fst (interact N l r)) (states N) /\ In (snd (interact N l r)) (states N).
Proof.
  intros HN. repeat split; try apply states_NoDup; try apply states_length;
    try (now apply states_complete); rewrite interact_closed by assumption; apply states_complete;
      cbn.
  - apply states_complete in H. pose proof (dist_l_le l). lia.
  - now apply responder_dist; apply states_complete.
Qed.
