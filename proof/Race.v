(* SPDX-License-Identifier: MIT

   A fair race: I steps of one clock against j of another, each next step equally likely to be of either.

   [race u I j] is u times the probability that the I steps are done first. *)

From Coq Require Import Arith Lia QArith Lqa.
Open Scope Q_scope.

Fixpoint race (u : Q) (I : nat) : nat -> Q :=
  match I with
  | O => fun _ => u
  | S I' => fix against (j : nat) : Q :=
      match j with
      | O => 0
      | S j' => (race u I' j + against j') / 2
      end
  end.

Section Race.
  Context (u : Q) (Hu : 0 <= u).

  Lemma race_done j : race u 0 j = u.
  Proof. reflexivity. Qed.

  Lemma race_lost I : (0 < I)%nat -> race u I 0 = 0.
  Proof. intros H. destruct I; [lia|reflexivity]. Qed.

  (* The next step is of either clock. *)
  Lemma race_step I j :
    (0 < I)%nat -> (0 < j)%nat -> 2 * race u I j == race u (I - 1) j + race u I (j - 1).
  Proof.
    intros HI Hj. destruct I as [|I], j as [|j]; [lia..|].
    change (race u (S I) (S j)) with ((race u I (S j) + race u (S I) j) / 2).
    cbn [Nat.sub]. rewrite !Nat.sub_0_r. field.
  Qed.

  Lemma race_bounds I j : 0 <= race u I j <= u.
  Proof.
    revert j. induction I as [|I IHI]; intros j; [cbn [race]; lra|].
    induction j as [|j IHj]; [cbn [race]; lra|].
    pose proof (race_step (S I) (S j) ltac:(lia) ltac:(lia)) as E. cbn [Nat.sub] in E.
    rewrite !Nat.sub_0_r in E. specialize (IHI (S j)). lra.
  Qed.

  (* One step less to do helps, one step less of the other hurts: both at once, by induction. *)
  Lemma race_mono_1 I :
    (forall j, race u I j <= race u I (S j)) /\ (forall j, race u (S I) j <= race u I j).
  Proof.
    assert (Hleft : forall I, (forall j, race u I j <= race u I (S j)) ->
                              forall j, race u (S I) j <= race u I j).
    { clear I. intros I Hr. induction j as [|j IHj]; [apply race_bounds|].
      pose proof (race_step (S I) (S j) ltac:(lia) ltac:(lia)) as E. cbn [Nat.sub] in E.
      rewrite !Nat.sub_0_r in E. specialize (Hr j). lra. }
    assert (Hright : forall j, race u I j <= race u I (S j)); [|auto].
    induction I as [|I IHI]; [intros j; cbn [race]; lra|]. intros j.
    pose proof (race_step (S I) (S j) ltac:(lia) ltac:(lia)) as E. cbn [Nat.sub] in E.
    rewrite !Nat.sub_0_r in E. pose proof (Hleft I IHI j). specialize (IHI j). lra.
  Qed.

  Lemma race_mono I I' j j' : (I' <= I)%nat -> (j <= j')%nat -> race u I j <= race u I' j'.
  Proof.
    intros HI Hj. apply Qle_trans with (race u I j').
    - induction Hj as [|j' Hj IH]; [lra|]. pose proof (proj1 (race_mono_1 I) j'). lra.
    - induction HI as [|I HI IH]; [lra|]. pose proof (proj2 (race_mono_1 I) j'). lra.
  Qed.
End Race.
