(* SPDX-License-Identifier: MIT

   Sums over the arcs (or the agents, both are numbered 0 .. n-1), of natural and of rational
   numbers.

   Potentials are rational numbers, so what the scheduler makes of them on average is such a sum
   divided by n. *)

From Coq Require Import List Bool Arith ZArith Lia QArith Lqa Permutation.
From Ringleader Require Import Model Ring.
Import ListNotations.

Open Scope nat_scope.

(* ---- Sums of natural numbers ----------------------------------------------------------------- *)

(* Sums of natural numbers over the arcs, term by term. *)
Lemma list_sum_le (f g : Z -> nat) l :
  (forall i, In i l -> f i <= g i) -> list_sum (map f l) <= list_sum (map g l).
Proof.
  induction l as [|i l IH]; intros H; [cbn; lia|]. cbn [map list_sum fold_right].
  pose proof (H i (or_introl eq_refl)). specialize (IH (fun i Hi => H i (or_intror Hi))).
  unfold list_sum in *. lia.
Qed.

Lemma list_sum_scale (f : Z -> nat) a l :
  list_sum (map (fun i => f i * a) l) = list_sum (map f l) * a.
Proof.
  induction l as [|i l IH]; [reflexivity|]. cbn [map list_sum fold_right] in *.
  unfold list_sum in *. lia.
Qed.

Lemma list_sum_add (f g : Z -> nat) l :
  list_sum (map (fun i => f i + g i) l) = list_sum (map f l) + list_sum (map g l).
Proof.
  induction l as [|i l IH]; [reflexivity|]. cbn [map list_sum fold_right] in *.
  unfold list_sum in *. lia.
Qed.

Lemma list_sum_const (a : nat) (l : list Z) : list_sum (map (fun _ => a) l) = length l * a.
Proof.
  induction l as [|i l IH]; [reflexivity|]. cbn [map list_sum fold_right length] in *.
  unfold list_sum in *. lia.
Qed.

(* If a sum is small, one of its terms is. *)
Lemma list_sum_some (f : Z -> nat) a l :
  list_sum (map f l) < length l * a -> exists i, In i l /\ f i < a.
Proof.
  induction l as [|i l IH]; cbn [map list_sum fold_right length]; intros H; [lia|].
  destruct (le_lt_dec a (f i)) as [Hi|Hi]; [|exists i; split; [now left | assumption]].
  destruct IH as (j & Hj & Hlt); [unfold list_sum in *; lia|]. exists j. split;
    [now right | assumption].
Qed.

Open Scope Q_scope.

(* ---- Natural numbers as rationals ------------------------------------------------------------ *)

Definition q (k : nat) : Q := inject_Z (Z.of_nat k).

Lemma q_add a b : q (a + b) == q a + q b.
Proof. unfold q. now rewrite Nat2Z.inj_add, inject_Z_plus. Qed.

Lemma q_mul a b : q (a * b) == q a * q b.
Proof. unfold q. now rewrite Nat2Z.inj_mul, inject_Z_mult. Qed.

Lemma q_S a : q (S a) == q a + 1.
Proof. unfold q. rewrite Nat2Z.inj_succ. unfold Z.succ. now rewrite inject_Z_plus. Qed.

Lemma q_le a b : (a <= b)%nat -> q a <= q b.
Proof. intros H. unfold q. rewrite <- Zle_Qle. lia. Qed.

Lemma q_le_inv a b : q a <= q b -> (a <= b)%nat.
Proof. unfold q. rewrite <- Zle_Qle. lia. Qed.

Lemma q_pos a : (0 < a)%nat -> 0 < q a.
Proof. intros H. change 0 with (inject_Z 0). unfold q. rewrite <- Zlt_Qlt. lia. Qed.

Lemma q_nonneg a : 0 <= q a.
Proof. change 0 with (q 0). apply q_le. lia. Qed.

(* Equations and inequalities between sums of such numbers, by lia over the integers. *)
Ltac qlia :=
  unfold q;
  repeat match goal with
  | |- context [Qmake ?a 1] => progress change (Qmake a 1) with (inject_Z a)
  end;
  rewrite <- ?inject_Z_mult; rewrite <- ?inject_Z_plus; rewrite <- ?inject_Z_mult;
  rewrite <- ?inject_Z_plus;
  first [rewrite inject_Z_injective | rewrite <- Zle_Qle | rewrite <- Zlt_Qlt]; lia.

(* ---- Sums of rational numbers ---------------------------------------------------------------- *)

Fixpoint qsum (f : Z -> Q) (l : list Z) : Q :=
  match l with [] => 0 | i :: l => f i + qsum f l end.

Lemma qsum_le f g l : (forall i, In i l -> f i <= g i) -> qsum f l <= qsum g l.
Proof.
  induction l as [|i l IH]; intros H; cbn [qsum]; [lra|].
  specialize (IH (fun i Hi => H i (or_intror Hi))). specialize (H i (or_introl eq_refl)). lra.
Qed.

Lemma qsum_eq f g l : (forall i, In i l -> f i == g i) -> qsum f l == qsum g l.
Proof.
  intros H. apply Qle_antisym; apply qsum_le; intros i Hi; specialize (H i Hi); lra.
Qed.

Lemma qsum_plus f g l : qsum (fun i => f i + g i) l == qsum f l + qsum g l.
Proof. induction l as [|i l IH]; cbn [qsum app map]; [lra|]. rewrite IH. lra. Qed.

Lemma qsum_scale a f l : qsum (fun i => a * f i) l == a * qsum f l.
Proof. induction l as [|i l IH]; cbn [qsum app map]; [lra|]. rewrite IH. lra. Qed.

Lemma qsum_const a l : qsum (fun _ => a) l == a * q (length l).
Proof.
  induction l as [|i l IH]; cbn [qsum length]; [change (q 0) with 0; lra|]. rewrite IH, q_S. lra.
Qed.

Lemma qsum_nonneg f l : (forall i, In i l -> 0 <= f i) -> 0 <= qsum f l.
Proof.
  intros H. rewrite <- (Qmult_0_l (q (length l))), <- (qsum_const 0 l). now apply qsum_le.
Qed.

Lemma qsum_app f l l' : qsum f (l ++ l') == qsum f l + qsum f l'.
Proof. induction l as [|i l IH]; cbn [qsum app map]; [lra|]. rewrite IH. lra. Qed.

Lemma qsum_perm f l l' : Permutation l l' -> qsum f l == qsum f l'.
Proof. induction 1; cbn [qsum]; lra. Qed.

(* The order of two sums can be changed. *)
Lemma qsum_swap (f : Z -> Z -> Q) l l' :
  qsum (fun i => qsum (f i) l') l == qsum (fun j => qsum (fun i => f i j) l) l'.
Proof.
  induction l as [|i l IH]; cbn [qsum]; [rewrite qsum_const; lra|]. rewrite IH, <- qsum_plus.
  reflexivity.
Qed.

(* The sums of Model.v are sums of this kind. *)
Lemma q_list_sum (f : Z -> nat) l : q (list_sum (map f l)) == qsum (fun i => q (f i)) l.
Proof. induction l as [|i l IH]; [reflexivity|]. cbn -[q]. rewrite q_add, IH. lra. Qed.

(* A sum that is 1 for one agent and 0 for all others. *)
Lemma qsum_indicator a l : NoDup l -> In a l -> qsum (fun i => if (i =? a)%Z then 1 else 0) l == 1.
Proof.
  induction 1 as [|i l Hi Hnd IH]; [easy|]. intros [->|Ha]; cbn [qsum].
  - rewrite Z.eqb_refl. rewrite (qsum_eq _ (fun _ => 0)), qsum_const; [lra|].
    intros j Hj. destruct (Z.eqb_spec j a) as [->|]; [easy|reflexivity].
  - rewrite (IH Ha). destruct (Z.eqb_spec i a) as [->|]; [easy|lra].
Qed.

(* If all but a few summands are at most v, the few decide. *)
Lemma qsum_few f v n few :
  NoDup few -> incl few (arcs n) ->
  (forall i, In i (arcs n) -> ~ In i few -> f i <= v) ->
  qsum f (arcs n) <= v * q n + qsum (fun i => f i - v) few.
Proof.
  intros Hnd Hincl Hrest.
  assert (Hsplit : Permutation (arcs n)
    (few ++ filter (fun i => negb (if in_dec Z.eq_dec i few then true else false)) (arcs n))).
  { apply NoDup_Permutation; [apply arcs_NoDup| |].
    - assert (Hdisjoint : forall l, NoDup l -> (forall i, In i few -> ~ In i l) ->
                          NoDup (few ++ l)).
      { clear - Hnd. intros l Hl. induction Hnd as [|a few Ha Hnd IH]; intros Hd; [exact Hl|].
        cbn. constructor.
        - rewrite in_app_iff. intros [H|H]; [easy|]. now apply (Hd a (or_introl eq_refl)).
        - apply IH. intros i Hi. apply Hd. now right. }
      apply Hdisjoint; [now apply NoDup_filter, arcs_NoDup|].
      intros i Hi Hi'. apply filter_In in Hi'. destruct (in_dec Z.eq_dec i few); [easy|tauto].
    - intros i. rewrite in_app_iff, filter_In.
      destruct (in_dec Z.eq_dec i few) as [Hi|Hi]; cbn; split; intuition. }
  set (rest := filter _ _) in Hsplit.
  assert (Hlen : q n == q (length few) + q (length rest)).
  { rewrite <- q_add, <- app_length, <- (Permutation_length Hsplit), arcs_length. reflexivity. }
  assert (Hfew : qsum (fun i => f i - v) few == qsum f few - v * q (length few)).
  { unfold Qminus. rewrite qsum_plus, qsum_const. lra. }
  assert (Hle : qsum f rest <= v * q (length rest)).
  { rewrite <- qsum_const. apply qsum_le. intros i Hi. apply filter_In in Hi as [Hi Hi'].
    apply Hrest; [assumption|]. now destruct (in_dec Z.eq_dec i few). }
  rewrite (qsum_perm f _ _ Hsplit), qsum_app, Hfew, Hlen. lra.
Qed.

(* ---- Sums once round the ring ---------------------------------------------------------------- *)

Lemma arcs_S n : arcs (S n) = arcs n ++ [Z.of_nat n].
Proof. unfold arcs. now rewrite seq_S, map_app. Qed.

(* A sum shifted by one has lost its first summand and won the next. *)
Lemma qsum_telescope f n :
  qsum (fun i => f (1 + i)%Z) (arcs n) == qsum f (arcs n) + f (Z.of_nat n) - f 0%Z.
Proof.
  induction n as [|n IH]; [cbn; lra|].
  rewrite arcs_S, !qsum_app, IH. cbn [qsum].
  replace (1 + Z.of_nat n)%Z with (Z.of_nat (S n)) by lia. lra.
Qed.

Definition periodic (f : Z -> Q) (n : nat) : Prop := forall i, f (i + Z.of_nat n)%Z == f i.

(* It does not matter where a sum once round begins. *)
Lemma qsum_shift f n p : periodic f n -> qsum (fun i => f (p + i)%Z) (arcs n) == qsum f (arcs n).
Proof.
  assert (Hone : forall g, periodic g n ->
                 qsum (fun i => g (1 + i)%Z) (arcs n) == qsum g (arcs n)).
  { intros g Hg. rewrite qsum_telescope. specialize (Hg 0%Z). rewrite Z.add_0_l in Hg. lra. }
  assert (Hforward : forall p, (0 <= p)%Z -> forall g, periodic g n ->
                     qsum (fun i => g (p + i)%Z) (arcs n) == qsum g (arcs n)).
  { intros k Hk. pattern k. apply natlike_ind; [..|exact Hk].
    - intros g _. reflexivity.
    - intros x Hx IH g Hg. rewrite <- (Hone g Hg), <- (IH (fun i => g (1 + i)%Z)).
      + apply qsum_eq. intros i _. replace (Z.succ x + i)%Z with (1 + (x + i))%Z by lia.
        reflexivity.
      + intros i. rewrite Z.add_assoc. apply Hg. }
  intros Hf. destruct (Z_le_gt_dec 0 p) as [Hp|Hp]; [now apply Hforward|].
  symmetry. rewrite <- (Hforward (- p)%Z ltac:(lia) (fun i => f (p + i)%Z)).
  - apply qsum_eq. intros i _. replace (p + (- p + i))%Z with i by lia. reflexivity.
  - intros i. rewrite Z.add_assoc. apply Hf.
Qed.
