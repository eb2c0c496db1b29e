(* SPDX-License-Identifier: MIT

   Expected times without measure theory.

   [expect k x] of Model.v is n^k E[min(T, k)], T the first step at which the process from x is
   in the target. All bounds on expected times come from [drift] below: a potential that falls by
   1 on average, as long as the target is not reached, bounds the expected time. *)

From Coq Require Import List Bool Arith ZArith Lia QArith Lqa.
From Ringleader Require Import Model Ring Sums.
Import ListNotations.
Open Scope Q_scope.

Section Process.
  Context {X : Type} (n : nat) (next : X -> Z -> X) (target : X -> bool).

  Notation expect := (expect n next target).

  Lemma expect_S k x :
    target x = false -> expect (S k) x = (n ^ S k + sum n (fun i => expect k (next x i)))%nat.
  Proof. intros E. cbn [Model.expect]. now rewrite E. Qed.

  Lemma expect_target k x : target x = true -> expect k x = 0%nat.
  Proof. intros E. destruct k; cbn [Model.expect]; [reflexivity|]. now rewrite E. Qed.

  (* There are n^k schedules of length k: one is an arc and a schedule of length k - 1. *)
  Lemma schedules_length k : length (schedules n k) = (n ^ k)%nat.
  Proof.
    induction k as [|k IH]; [reflexivity|]. cbn [schedules Nat.pow].
    rewrite <- (arcs_length n) at 2. rewrite <- IH.
    induction (arcs n) as [|i l IHl]; [reflexivity|].
    cbn [flat_map length]. rewrite app_length, map_length, IHl. reflexivity.
  Qed.

  (* expect is what Model.v says it is: the sum of the steps over all schedules. *)
  Theorem expect_counts k x : expect k x = list_sum (map (steps_to next target x) (schedules n k)).
  Proof.
    revert x. induction k as [|k IH]; intros x; [reflexivity|].
    destruct (target x) eqn:E.
    - rewrite expect_target by assumption. symmetry.
      assert (H : forall l : list (list Z), list_sum (map (steps_to next target x) l) = 0%nat).
      { induction l as [|[|i s] l IHl]; [reflexivity|assumption|].
        cbn [map list_sum fold_right steps_to]. now rewrite E. }
      apply H.
    - rewrite expect_S by assumption. cbn [schedules]. unfold sum.
      replace (n ^ S k)%nat with (length (arcs n) * n ^ k)%nat by now rewrite arcs_length.
      induction (arcs n) as [|i l IHl]; [reflexivity|].
      cbn [map length flat_map list_sum fold_right] in *.
      rewrite map_app, list_sum_app, <- IHl, map_map, IH. clear IHl.
      rewrite <- (schedules_length k).
      assert (H : forall s, list_sum (map (fun s => steps_to next target x (i :: s)) s) =
                            (length s + list_sum (map (steps_to next target (next x i)) s))%nat).
      { intros ss. rewrite map_ext with (g := fun s => S (steps_to next target (next x i) s)).
        - induction ss as [|s ss IHs]; [reflexivity|].
          cbn [map length list_sum fold_right] in *. unfold list_sum in *. lia.
        - intros s. cbn [steps_to]. now rewrite E. }
      rewrite H. unfold list_sum. lia.
  Qed.

  (* ---- Drift --------------------------------------------------------------------------------- *)

  (* P x v says that v is a potential of x. Let it fall by 1 on average outside of the target.
     Then it bounds the expected time: by induction over the number of steps looked at. *)
  Theorem drift (P : X -> Q -> Prop) :
    (forall x v, P x v -> 0 <= v) ->
    (forall x v, P x v -> target x = false ->
       exists f, (forall i, In i (arcs n) -> P (next x i) (f i)) /\
                 qsum f (arcs n) + q n <= q n * v) ->
    forall k x v, P x v -> q (expect k x) <= v * q (n ^ k).
  Proof.
    intros Hpos Hfall. induction k as [|k IH]; intros x v HP.
    - cbn [Model.expect Nat.pow]. specialize (Hpos x v HP). change (q 0) with 0.
      change (q 1) with 1. lra.
    - pose proof (q_nonneg (n ^ k)) as Hn. specialize (Hpos x v HP) as Hv.
      destruct (target x) eqn:E.
      + rewrite expect_target by assumption.
        apply Qmult_le_0_compat; [assumption | apply q_nonneg].
      + rewrite expect_S by assumption. destruct (Hfall x v HP E) as (f & Hf & Hsum).
        unfold sum. rewrite q_add, q_list_sum. cbn [Nat.pow]. rewrite q_mul.
        assert (Hnext : qsum (fun i => q (expect k (next x i))) (arcs n) <=
                        q (n ^ k) * qsum f (arcs n)).
        { rewrite <- qsum_scale. apply qsum_le. intros i Hi. rewrite Qmult_comm. now apply IH, Hf. }
        apply (Qmult_le_compat_r _ _ (q (n ^ k))) in Hsum; [|assumption]. lra.
  Qed.

  (* The same with a function for the potential, and an invariant. *)
  Lemma drift_potential (inv : X -> Prop) (V : X -> Q) :
    (forall x i, inv x -> In i (arcs n) -> inv (next x i)) ->
    (forall x, inv x -> 0 <= V x) ->
    (forall x, inv x -> target x = false ->
       qsum (fun i => V (next x i)) (arcs n) + q n <= q n * V x) ->
    forall B x, inv x -> V x <= q B -> forall k, (expect k x <= B * n ^ k)%nat.
  Proof.
    intros Hinv Hpos Hfall B x Hx HB k. apply q_le_inv. rewrite q_mul.
    apply Qle_trans with (V x * q (n ^ k)); [|apply Qmult_le_compat_r; [assumption|apply q_nonneg]].
    apply (drift (fun x v => inv x /\ v = V x)); [..|easy].
    - intros y v [Hy ->]. now apply Hpos.
    - intros y v [Hy ->] E. exists (fun i => V (next y i)). split; [|now apply Hfall].
      intros i Hi. split; [now apply Hinv|reflexivity].
  Qed.

  (* Waiting for the arcs a 0, a 1, ..., a (J - 1) in turn takes at most n J steps: each comes
     after n steps on average. inv t is what holds while waiting for a t, outside of the target. *)
  Lemma wait_for_arcs (a : nat -> Z) (J : nat) (inv : nat -> X -> Prop) :
    (forall t, In (a t) (arcs n)) ->
    (forall t x i, (t < J)%nat -> target x = false -> inv t x ->
       In i (arcs n) -> i <> a t -> inv t (next x i)) ->
    (forall t x, (t < J)%nat -> target x = false -> inv t x -> inv (S t) (next x (a t))) ->
    (forall x, inv J x -> target x = true) ->
    forall x, inv 0%nat x -> forall k, (expect k x <= (n * J) * n ^ k)%nat.
  Proof.
    intros Ha Hother Hturn Hend x Hx k. apply q_le_inv. rewrite q_mul.
    apply (drift (fun x v => exists t, (t <= J)%nat /\ inv t x /\ v = q (n * (J - t)))).
    - intros y v (t & _ & _ & ->). apply q_nonneg.
    - intros y v (t & Ht & Hy & ->) E.
      assert (HtJ : (t < J)%nat).
      { apply Nat.lt_eq_cases in Ht as [Ht| ->]; [exact Ht|]. apply Hend in Hy. congruence. }
      exists (fun i => if Z.eq_dec i (a t) then q (n * (J - S t)) else q (n * (J - t))). split.
      + intros i Hi. destruct (Z.eq_dec i (a t)) as [->|Hne].
        * exists (S t). repeat split; [lia|]. now apply Hturn.
        * exists t. repeat split; [lia|]. now apply Hother.
      + eapply Qle_trans.
        * apply Qplus_le_l. apply qsum_few with (few := [a t]) (v := q (n * (J - t))).
          -- constructor; [easy|constructor].
          -- intros i [<-|[]]. apply Ha.
          -- intros i _ Hi. destruct (Z.eq_dec i (a t)) as [->|_]; [|lra]. now destruct Hi; left.
        * cbn [qsum]. destruct (Z.eq_dec (a t) (a t)) as [_|]; [|congruence].
          replace (J - t)%nat with (S (J - S t)) by lia. rewrite !q_mul, q_S. lra.
    - exists 0%nat. rewrite Nat.sub_0_r. split; [lia|]. split; [assumption|reflexivity].
  Qed.
End Process.

(* ---- Phases ---------------------------------------------------------------------------------- *)

(* To reach a second target takes at most as long as to reach a first and then the second from
   there. *)
Lemma expect_phases {X} n next (inv : X -> Prop) first second B :
  (forall x i, inv x -> In i (arcs n) -> inv (next x i)) ->
  (forall x, inv x -> first x = true -> forall k, expect n next second k x <= B * n ^ k)%nat ->
  forall k x, inv x -> (expect n next second k x <= expect n next first k x + B * n ^ k)%nat.
Proof.
  intros Hinv HB. induction k as [|k IH]; intros x Hx; [cbn; lia|].
  destruct (first x) eqn:E1; [specialize (HB x Hx E1 (S k)); lia|].
  destruct (second x) eqn:E2; [rewrite (expect_target n next second) by assumption; lia|].
  rewrite !expect_S by assumption.
  assert (H : (sum n (fun i => expect n next second k (next x i)) <=
               sum n (fun i => expect n next first k (next x i)) + B * n ^ S k)%nat).
  { assert (Hl : forall l, incl l (arcs n) ->
      (list_sum (map (fun i => expect n next second k (next x i)) l) <=
       list_sum (map (fun i => expect n next first k (next x i)) l) + B * (length l * n ^ k))%nat).
    { induction l as [|i l IHl]; intros Hi; [cbn; lia|]. cbn [map length list_sum fold_right].
      specialize (IHl (fun i Hi' => Hi i (or_intror Hi'))).
      specialize (IH (next x i) (Hinv x i Hx (Hi i (or_introl eq_refl)))). unfold list_sum in *.
      lia. }
    specialize (Hl (arcs n) (incl_refl _)). now rewrite arcs_length in Hl. }
  lia.
Qed.

(* A larger target is reached sooner. *)
Lemma expect_larger {X} n next (inv : X -> Prop) (small large : X -> bool) :
  (forall x i, inv x -> In i (arcs n) -> inv (next x i)) ->
  (forall x, inv x -> small x = true -> large x = true) ->
  forall k x, inv x -> (expect n next large k x <= expect n next small k x)%nat.
Proof.
  intros Hinv Hsub k x Hx. rewrite <- (Nat.add_0_r (expect n next small k x)).
  change 0%nat with (0 * n ^ k)%nat. apply (expect_phases n next inv); [assumption| |assumption].
  intros y Hy E j. rewrite expect_target; [lia|]. now apply Hsub.
Qed.
