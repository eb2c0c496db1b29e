(* SPDX-License-Identifier: MIT

   A fair race: I steps of one clock against j of another, each next step equally likely to be of
   either.

   [race prize I j] is the expected prize: nothing if the other clock is done first, prize k if
   the I steps are done when the other clock has k steps left. *)

From Coq Require Import Arith Lia QArith Lqa.
Open Scope Q_scope.

Fixpoint race (prize : nat -> Q) (I : nat) : nat -> Q :=
  match I with
  | O => prize
  | S I' => fix against (j : nat) : Q :=
      match j with
      | O => 0
      | S j' => (race prize I' j + against j') / 2
      end
  end.

Section Race.
  Context (prize : nat -> Q) (u : Q).
  Hypothesis prize_bounds : forall j, 0 <= prize j <= u.
  Hypothesis prize_mono : forall j, prize j <= prize (S j).

  Lemma race_lost I : (0 < I)%nat -> race prize I 0 = 0.
  Proof. intros H. destruct I; [lia|reflexivity]. Qed.

  (* The next step is of either clock. *)
  Lemma race_step I j :
    (0 < I)%nat -> (0 < j)%nat -> 2 * race prize I j == race prize (I - 1) j + race prize I (j - 1).
  Proof.
    intros HI Hj. destruct I as [|I], j as [|j]; [lia..|].
    change (race prize (S I) (S j)) with ((race prize I (S j) + race prize (S I) j) / 2).
    cbn [Nat.sub]. rewrite !Nat.sub_0_r. field.
  Qed.

  (* Each step keeps to the mean of two values within the bounds. *)
  Lemma race_bounds I j : 0 <= race prize I j <= u.
  Proof.
    revert j. induction I as [|I IHI]; intros j; [apply prize_bounds|].
    induction j as [|j IHj]; [cbn [race]; pose proof (prize_bounds 0); lra|].
    pose proof (race_step (S I) (S j) ltac:(lia) ltac:(lia)) as E. cbn [Nat.sub] in E.
    rewrite !Nat.sub_0_r in E. specialize (IHI (S j)). lra.
  Qed.

  (* One step less to do helps, one step less of the other hurts: both at once, by induction. *)
  Lemma race_mono_1 I :
    (forall j, race prize I j <= race prize I (S j)) /\
    (forall j, race prize (S I) j <= race prize I j).
  Proof.
    assert (Hleft : forall I, (forall j, race prize I j <= race prize I (S j)) ->
                              forall j, race prize (S I) j <= race prize I j).
    { clear I. intros I Hr. induction j as [|j IHj]; [apply race_bounds|].
      pose proof (race_step (S I) (S j) ltac:(lia) ltac:(lia)) as E. cbn [Nat.sub] in E.
      rewrite !Nat.sub_0_r in E. specialize (Hr j). lra. }
    assert (Hright : forall j, race prize I j <= race prize I (S j)); [|auto].
    induction I as [|I IHI]; [exact prize_mono|]. intros j.
    pose proof (race_step (S I) (S j) ltac:(lia) ltac:(lia)) as E. cbn [Nat.sub] in E.
    rewrite !Nat.sub_0_r in E. pose proof (Hleft I IHI j). specialize (IHI j). lra.
  Qed.

  Lemma race_mono I I' j j' : (I' <= I)%nat -> (j <= j')%nat -> race prize I j <= race prize I' j'.
  Proof.
    intros HI Hj. apply Qle_trans with (race prize I j').
    - induction Hj as [|j' Hj IH]; [lra|]. pose proof (proj1 (race_mono_1 I) j'). lra.
    - induction HI as [|I HI IH]; [lra|]. pose proof (proj2 (race_mono_1 I) j'). lra.
  Qed.
End Race.
