(* SPDX-License-Identifier: MIT

   Drift from below: a potential that falls by at most 1 on average, and is at most 0 in the
   target, is at most the expected time.

   The potential may depend on the steps that are looked at, and it may be positive at the end of
   them, by b at most: then b times the share of schedules that have missed the target is all that
   is lost, and Markov's inequality makes it small. *)

From Coq Require Import List Bool Arith ZArith Lia QArith Qround Lqa.
From Ringleader Require Import Model Ring Sums Expect Tail.
Import ListNotations.
Open Scope Q_scope.

Section Process.
  Context {X : Type} (n : nat) (next : X -> Z -> X) (target : X -> bool).
  Notation expect := (expect n next target).
  Notation missing := (missing n next target).

  (* P k x v says that v is a potential of x with k steps to go. *)
  Lemma drift_below (P : nat -> X -> Q -> Prop) (b : Q) :
    0 <= b ->
    (forall k x v, P k x v -> target x = true -> v <= 0) ->
    (forall x v, P 0%nat x v -> v <= b) ->
    (forall k x v, P (S k) x v -> target x = false ->
       exists f, (forall i, In i (arcs n) -> P k (next x i) (f i)) /\
                 q n * v <= qsum f (arcs n) + q n) ->
    forall k x v, P k x v -> v * q (n ^ k) <= q (expect k x) + b * q (missing k x).
  Proof.
    intros Hb Htarget Hend Hfall.
    assert (Hthere : forall k x v, P k x v -> target x = true ->
              v * q (n ^ k) <= q (expect k x) + b * q (missing k x)).
    { intros k x v HP E. specialize (Htarget k x v HP E).
      rewrite expect_target, missing_target by assumption. pose proof (q_nonneg (n ^ k)).
      change (q 0) with 0. nra. }
    induction k as [|k IH]; intros x v HP; (destruct (target x) eqn:E; [now apply Hthere|]).
    - rewrite missing_0 by assumption. specialize (Hend x v HP). cbn [Model.expect Nat.pow].
      change (q 0) with 0. change (q 1) with 1. lra.
    - destruct (Hfall k x v HP E) as (f & Hf & Hsum).
      rewrite expect_S, missing_S by assumption. unfold sum. rewrite q_add, !q_list_sum.
      cbn [Nat.pow]. rewrite q_mul.
      assert (Hnext : q (n ^ k) * qsum f (arcs n) <=
                      qsum (fun i => q (expect k (next x i))) (arcs n) +
                      b * qsum (fun i => q (missing k (next x i))) (arcs n)).
      { rewrite <- !qsum_scale, <- qsum_plus. apply qsum_le. intros i Hi. rewrite Qmult_comm.
        now apply IH, Hf. }
      apply (Qmult_le_compat_r _ _ (q (n ^ k))) in Hsum; [|apply q_nonneg]. lra.
  Qed.

  (* What is a lower bound for every number of steps, but for b / k, is one. *)
  Lemma below_bound (x : X) (v b : Q) (A B : nat) :
    (0 < n)%nat -> 0 <= b ->
    (forall k, v * q (n ^ k) <= q (expect k x) + b * q (missing k x)) ->
    (forall k, (expect k x * B <= A * n ^ k)%nat) -> v * q B <= q A.
  Proof.
    intros Hn Hb Hv HB. apply Qnot_lt_le. intros Hlt.
    set (gap := v * q B - q A). assert (Hgap : 0 < gap) by (unfold gap; lra).
    set (z := Qceiling (b * q A / gap)). set (k := S (Z.to_nat z)).
    assert (Hk : b * q A < gap * q k).
    { assert (H : b * q A / gap < q k).
      { eapply Qle_lt_trans; [apply Qle_ceiling|]. fold z. unfold q, k. rewrite <- Zlt_Qlt. lia. }
      apply (Qmult_lt_r _ _ gap) in H; [|assumption].
      setoid_replace (b * q A / gap * gap) with (b * q A) in H by (field; lra). lra. }
    pose proof (q_pos (n ^ k) ltac:(apply Nat.neq_0_lt_0, Nat.pow_nonzero; lia)) as Hpow.
    pose proof (q_pos k ltac:(unfold k; lia)) as Hqk.
    specialize (Hv k). specialize (HB k). pose proof (markov n next target k x) as HM.
    apply q_le in HB. apply q_le in HM. rewrite !q_mul in *.
    set (E := q (expect k x)) in *. set (M := q (missing k x)) in *. set (W := q (n ^ k)) in *.
    pose proof (q_nonneg B) as HqB.
    assert (H1 : v * W * (q k * q B) <= (E + b * M) * (q k * q B))
      by (apply Qmult_le_compat_r; [assumption|nra]).
    assert (H2 : M * q k * (b * q B) <= E * (b * q B))
      by (apply Qmult_le_compat_r; [assumption|nra]).
    assert (H3 : E * q B * (q k + b) <= q A * W * (q k + b))
      by (apply Qmult_le_compat_r; [assumption|lra]).
    assert (H4 : v * W * (q k * q B) <= q A * W * (q k + b)).
    { eapply Qle_trans; [exact H1|]. eapply Qle_trans; [|exact H3].
      setoid_replace ((E + b * M) * (q k * q B)) with (E * q B * q k + M * q k * (b * q B)) by ring.
      setoid_replace (E * q B * (q k + b)) with (E * q B * q k + E * (b * q B)) by ring.
      lra. }
    assert (H5 : gap * q k * W <= b * q A * W).
    { unfold gap. setoid_replace ((v * q B - q A) * q k * W)
        with (v * W * (q k * q B) - q A * W * q k) by ring.
      setoid_replace (q A * W * (q k + b)) with (q A * W * q k + b * q A * W) in H4 by ring. lra. }
    apply (Qmult_lt_r _ _ W) in Hk; [|assumption]. lra.
  Qed.
End Process.
