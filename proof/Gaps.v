(* SPDX-License-Identifier: MIT

   The gaps of a ring: as long as the leader at its right end lives, the clock of a gap ticks as
   Gap.v says. *)

From Coq Require Import List Bool Arith ZArith Lia.
From Ringleader Require Import Model Step Sets Quiet Duel Gap.
Import ListNotations.
Open Scope nat_scope.

(* ---- Gaps ------------------------------------------------------------------------------------ *)

Definition gap_bullet (c : config) (p : Z) (x : nat) : bullet_kind := bullet (c @ (p + Z.of_nat x)).
Definition gap_signal (c : config) (p : Z) (x : nat) : bool := signal (c @ (p + Z.of_nat x)).

(* u_p and u_{p+m} are leaders, those between them are not. *)
Definition Gap (c : config) (p : Z) (m : nat) : Prop :=
  0 < m /\ leader (c @ p) = true /\ leader (c @ (p + Z.of_nat m)) = true /\
  forall x, 0 < x < m -> leader (c @ (p + Z.of_nat x)) = false.

(* No signal is to the left of a bullet. *)
Definition Hushed (c : config) (p : Z) (m : nat) : Prop :=
  forall x y, x < m -> y <= x -> gap_bullet c p x <> Nothing -> gap_signal c p y = false.

Definition clock (c : config) (p : Z) (m : nat) : nat :=
  clock_of (gap_bullet c p) (gap_signal c p) m.
Definition flies (c : config) (p : Z) (m : nat) : bool := flying_of (gap_bullet c p) m.

(* Once round there is u_p itself. *)
Lemma gap_le c p m : 0 < length c -> Gap c p m -> m <= length c.
Proof.
  intros Hn (_ & Hp & _ & Hf).
  destruct (Nat.le_gt_cases m (length c)) as [|Hgt]; [assumption|exfalso].
  specialize (Hf (length c) ltac:(lia)). fold (size c) in Hf. rewrite at_around in Hf. congruence.
Qed.

(* Two leaders at different distances would be within the larger gap. *)
Lemma gap_unique c p m m' : Gap c p m -> Gap c p m' -> m = m'.
Proof.
  intros (Hm & _ & Hl & Hf) (Hm' & _ & Hl' & Hf').
  destruct (Nat.lt_trichotomy m m') as [H|[H|H]]; [|assumption|]; exfalso.
  - rewrite Hf' in Hl by lia. discriminate.
  - rewrite Hf in Hl' by lia. discriminate.
Qed.

(* With another leader in the ring, the gaps on both sides of a leader do not overlap. *)
Lemma gaps_apart c p m1 m2 :
  2 <= length c -> 2 <= leaders c -> Gap c p m1 -> Gap c (p + Z.of_nat m1) m2 ->
  m1 + m2 <= length c.
Proof.
  intros Hn Hmany HG1 (_ & _ & _ & Hf2). pose proof (gap_le c p m1 ltac:(lia) HG1) as Hle.
  destruct HG1 as (Hm1 & Hp & _ & Hf1).
  destruct (Nat.eq_dec m1 (length c)) as [E|E].
  - exfalso. enough (leaders c = 1) by lia. apply one_leader_spec; [assumption|]. exists p.
    split; [assumption|]. intros x Hx. specialize (Hf1 (Z.to_nat x)). unfold size in Hx.
    rewrite Z2Nat.id in Hf1 by lia. apply Hf1. lia.
  - destruct (Nat.le_gt_cases (m1 + m2) (length c)) as [H|H]; [assumption|exfalso].
    specialize (Hf2 (length c - m1) ltac:(lia)).
    replace (p + Z.of_nat m1 + Z.of_nat (length c - m1))%Z with (p + size c)%Z in Hf2
      by (unfold size; lia).
    rewrite at_around in Hf2. congruence.
Qed.

(* The nearest left leader of a bullet in the gap is u_p. *)
Lemma silent_hushed c p m :
  0 < length c -> Gap c p m -> (forall x, x < m -> noisy c (p + Z.of_nat x) = false) ->
  Hushed c p m.
Proof.
  intros Hn (_ & Hp & _ & Hf) HQ x y Hx Hy Hb.
  assert (HS : Silent c (p + Z.of_nat x)).
  { specialize (HQ x Hx). apply not_true_iff_false in HQ. rewrite noisy_spec in HQ by assumption.
    apply silent_spec; [assumption|].
    destruct (silent c (p + Z.of_nat x)) eqn:E; [reflexivity|exfalso].
    apply HQ. split; [exact Hb|]. rewrite <- silent_spec by assumption. congruence. }
  destruct HS as (d & Hd & Hl & Hfd & Hg).
  assert (d = Z.of_nat x) as ->.
  { destruct (Z.lt_trichotomy d (Z.of_nat x)) as [H|[H|H]]; [exfalso|assumption|exfalso].
    - specialize (Hf (x - Z.to_nat d)). replace (p + Z.of_nat (x - Z.to_nat d))%Z
        with (p + Z.of_nat x - d)%Z in Hf by lia. rewrite Hf in Hl by lia. discriminate.
    - specialize (Hfd (d - Z.of_nat x)%Z ltac:(lia)).
      replace (p + Z.of_nat x - d + (d - Z.of_nat x))%Z with p in Hfd by lia. congruence. }
  specialize (Hg (Z.of_nat y) ltac:(lia)). unfold gap_signal.
  now replace (p + Z.of_nat x - Z.of_nat x + Z.of_nat y)%Z with (p + Z.of_nat y)%Z in Hg by lia.
Qed.

Lemma quiet_hushed N c p m :
  0 < length c -> quiet N c = true -> Gap c p m -> Hushed c p m.
Proof.
  intros Hn HQ HG. apply silent_hushed; [assumption..|]. intros x _. now apply (quiet_not_noisy N).
Qed.

(* A leader with a signal has no bullet in a hushed gap. *)
Lemma clock_zero_signal c p m :
  0 < m -> Hushed c p m -> clock c p m = 0 <-> signal (c @ p) = true.
Proof.
  intros Hm Hq. pose proof (clock_of_spec (gap_bullet c p) (gap_signal c p) m) as Hc.
  assert (Hp : gap_signal c p 0 = signal (c @ p)) by (unfold gap_signal; do 2 f_equal; lia).
  split.
  - intros E. unfold clock in E. rewrite E in Hc.
    apply clock_zero in Hc as [_ Hg]; [congruence|assumption].
  - intros Hg. apply (clock_unique _ _ _ _ _ Hc). apply clock_zero; [assumption|].
    split; [|congruence]. intros y Hy. destruct (gap_bullet c p y) eqn:Eb; [reflexivity|exfalso..];
      (rewrite (Hq y 0) in Hp; [congruence|lia|lia|congruence]).
Qed.

(* ---- A step ---------------------------------------------------------------------------------- *)

Section Step.
  Context (N : nat) (c : config) (HV : valid N c) (HC : C_NI N c = true).

  Let n := length c.
  Let Hn : 2 <= n. Proof. destruct HV. unfold n. lia. Qed.

  (* No leader is created in it. *)
  Lemma gap_stays p m e :
    Gap c p m -> leader (step N c e @ p) = true -> leader (step N c e @ (p + Z.of_nat m)) = true ->
    Gap (step N c e) p m.
  Proof.
    intros (Hm & _ & _ & Hf) Hp Hq. repeat split; try assumption.
    intros x Hx. apply follower_stays; auto.
  Qed.

  (* A live bullet kills a leader that has no shield or has to fire a dummy now. *)
  Lemma kill e :
    bullet_l (c @ e) = Live -> leader (c @ (e + 1)%Z) = true ->
    shield (c @ (e + 1)%Z) = false \/ signal (c @ (e + 1)%Z) = true ->
    leader (step N c e @ (e + 1)%Z) = false.
  Proof.
    intros Hb Hl Ho. rewrite step_responder, no_creation, Hl by assumption. cbn. rewrite Hb.
    destruct Ho as [-> | ->]; cbn; rewrite ?andb_false_r; reflexivity.
  Qed.

  Section InGap.
    Context (p : Z) (m : nat) (HG : Gap c p m) (k : nat) (Hk : k < n).
    Notation c' := (step N c (p + Z.of_nat k)).
    Context (Hq : leader (c' @ (p + Z.of_nat m)) = true).

    Let Hm : 0 < m <= n. Proof. split; [apply HG|].
    apply (gap_le c p); [destruct HV; lia|assumption]. Qed.

    (* Only the leader of the gap can fire. *)
    Lemma shot_is_bullet_l :
      k < m -> bullet_l (c @ (p + Z.of_nat k)) = shot k (gap_bullet c p) (gap_signal c p).
    Proof.
      intros Hkm. destruct HG as (_ & Hp & _ & Hf).
      unfold bullet_l, fires, shot, gap_bullet, gap_signal.
      destruct (Nat.eqb_spec k 0) as [->|Hk0].
      - rewrite Z.add_0_r, Hp. reflexivity.
      - now rewrite Hf by lia.
    Qed.

    (* Arc k does to the gap what Gap.v says. *)
    Lemma gap_arc_done :
      arc_done n m k (gap_bullet c p) (gap_bullet c' p) (gap_signal c p) (gap_signal c' p).
    Proof.
      destruct HG as (_ & Hp & _ & Hf).
      assert (Hnz : Z.of_nat n = size c) by reflexivity.
      assert (Hat : forall x, x < m -> c' @ (p + Z.of_nat x) =
        if x =? k then initiator N (c @ (p + Z.of_nat k)) (c @ (p + Z.of_nat k + 1))
        else if (x =? S k) || ((x =? 0) && (k =? n - 1))
        then responder N (c @ (p + Z.of_nat k)) (c @ (p + Z.of_nat k + 1))
        else c @ (p + Z.of_nat x)).
      { intros x Hx. rewrite step_from by (assumption || lia).
        replace (Z.of_nat x =? Z.of_nat k)%Z with (x =? k) by
          (destruct (Nat.eqb_spec x k), (Z.eqb_spec (Z.of_nat x) (Z.of_nat k)); lia || reflexivity).
        replace (Z.of_nat x =? Z.of_nat k + 1)%Z with (x =? S k) by
          (destruct (Nat.eqb_spec x (S k)), (Z.eqb_spec (Z.of_nat x) (Z.of_nat k + 1));
           lia || reflexivity).
        replace (Z.of_nat x =? 0)%Z with (x =? 0) by
          (destruct (Nat.eqb_spec x 0), (Z.eqb_spec (Z.of_nat x) 0); lia || reflexivity).
        replace (Z.of_nat k =? size c - 1)%Z with (k =? n - 1) by
          (destruct (Nat.eqb_spec k (n - 1)), (Z.eqb_spec (Z.of_nat k) (size c - 1));
           lia || reflexivity).
        reflexivity. }
      assert (Hnext : S k < m -> responder N (c @ (p + Z.of_nat k)) (c @ (p + Z.of_nat k + 1)) =
                      passed_follower N (c @ (p + Z.of_nat k)) (c @ (p + Z.of_nat (S k)))).
      { intros HS. rewrite no_creation by assumption.
        replace (p + Z.of_nat k + 1)%Z with (p + Z.of_nat (S k))%Z by lia. now rewrite Hf by lia. }
      assert (Hself : k = n - 1 -> responder N (c @ (p + Z.of_nat k)) (c @ (p + Z.of_nat k + 1)) =
                      hit_leader (c @ (p + Z.of_nat k)) (c @ p)).
      { intros HS. rewrite no_creation by assumption.
        replace (p + Z.of_nat k + 1)%Z with (p + size c)%Z by lia. now rewrite at_around, Hp. }
      unfold gap_bullet, gap_signal. split.
      - intros Hkm. rewrite Hat, Nat.eqb_refl by assumption. reflexivity.
      - intros HS. rewrite Hat, Nat.eqb_refl by lia. cbn [initiator signal].
        rewrite Hnext by assumption.
        cbn [passed_follower signal leader]. rewrite shot_is_bullet_l by lia.
        replace (leader (c @ (p + Z.of_nat k))) with (k =? 0).
        + now rewrite orb_false_r.
        + destruct (Nat.eqb_spec k 0) as [->|Hk0]; [now rewrite Z.add_0_r|symmetry; apply Hf; lia].
      - intros HS. rewrite Hat, Nat.eqb_refl by lia. cbn [initiator signal].
        assert (E : c' @ (p + Z.of_nat m) =
                    responder N (c @ (p + Z.of_nat k)) (c @ (p + Z.of_nat k + 1))).
        { rewrite <- step_responder by assumption. f_equal. lia. }
        rewrite <- E, Hq. apply orb_true_r.
      - intros HS. rewrite Hat, (proj2 (Nat.eqb_neq (S k) k)), Nat.eqb_refl by lia. cbn [orb].
        rewrite Hnext by assumption. cbn [passed_follower bullet].
        now rewrite shot_is_bullet_l by lia.
      - intros HS. rewrite Hat, (proj2 (Nat.eqb_neq (S k) k)), Nat.eqb_refl by lia. cbn [orb].
        rewrite Hnext by assumption. cbn [passed_follower signal].
        now rewrite shot_is_bullet_l by lia.
      - intros HS. rewrite Hat, (proj2 (Nat.eqb_neq 0 k)), (proj2 (Nat.eqb_eq k (n - 1))) by lia.
        rewrite orb_true_r, Hself by assumption. rewrite Z.add_0_r. reflexivity.
      - intros HS. rewrite Hat, (proj2 (Nat.eqb_neq 0 k)), (proj2 (Nat.eqb_eq k (n - 1))) by lia.
        rewrite orb_true_r, Hself by assumption. reflexivity.
      - intros x Hx H1 H2 H3. rewrite Hat by assumption.
        rewrite (proj2 (Nat.eqb_neq x k) H1), (proj2 (Nat.eqb_neq x (S k)) H2). cbn [orb].
        destruct (Nat.eqb_spec x 0), (Nat.eqb_spec k (n - 1)); cbn [andb]; [lia|now split..].
    Qed.

    Context (HQ : Hushed c p m).

    (* So the clock of Gap.v is that of the ring. *)
    Lemma clock_step : clock c' p m = clock_next (Z.of_nat n) m (clock c p m) (Z.of_nat k).
    Proof.
      apply (clock_unique (gap_bullet c' p) (gap_signal c' p) m); [apply clock_of_spec|].
      apply (clock_ticks n m k Hn Hm Hk _ _ _ _ gap_arc_done HQ), clock_of_spec.
    Qed.
  End InGap.
End Step.
