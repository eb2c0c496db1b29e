(* SPDX-License-Identifier: MIT

   Three neighbouring leaders in a ring: their duel goes on as Duel.v says.

   All distances are counted from the first of the three, u_p. The gap to u_q, q = p + m1, and the gap
   from there to u_{q + m2} share arc e_{q-1} alone, which makes the first clock tick if it is at m1,
   and fires u_q's dummy bullet if the second is at 0. *)

From Coq Require Import List Bool Arith ZArith Lia QArith Lqa.
From Ringleader Require Import Model Step Sets Bullets Peace Safe Sums Expect Quiet Duel Gap.
Import ListNotations.
Open Scope nat_scope.

(* ---- Gaps ------------------------------------------------------------------------------------- *)

Definition gap_bullet (c : config) (p : Z) (x : nat) : bullet_kind := bullet (c @ (p + Z.of_nat x)).
Definition gap_signal (c : config) (p : Z) (x : nat) : bool := signal (c @ (p + Z.of_nat x)).

(* u_p and u_{p+m} are leaders, those between them are not. *)
Definition Gap (c : config) (p : Z) (m : nat) : Prop :=
  0 < m /\ leader (c @ p) = true /\ leader (c @ (p + Z.of_nat m)) = true /\
  forall x, 0 < x < m -> leader (c @ (p + Z.of_nat x)) = false.

(* No signal is to the left of a bullet. *)
Definition Hushed (c : config) (p : Z) (m : nat) : Prop :=
  forall x y, x < m -> y <= x -> gap_bullet c p x <> Nothing -> gap_signal c p y = false.

Definition clock (c : config) (p : Z) (m : nat) : nat := clock_of (gap_bullet c p) (gap_signal c p) m.
Definition flies (c : config) (p : Z) (m : nat) : bool := flying_of (gap_bullet c p) m.

(* Once round there is u_p itself. *)
Lemma gap_le c p m : 0 < length c -> Gap c p m -> m <= length c.
Proof.
  intros Hn (_ & Hp & _ & Hf). destruct (Nat.le_gt_cases m (length c)) as [|Hgt]; [assumption|exfalso].
  specialize (Hf (length c) ltac:(lia)). fold (size c) in Hf. rewrite at_around in Hf. congruence.
Qed.

Lemma gap_unique c p m m' : Gap c p m -> Gap c p m' -> m = m'.
Proof.
  intros (Hm & _ & Hl & Hf) (Hm' & _ & Hl' & Hf').
  destruct (Nat.lt_trichotomy m m') as [H|[H|H]]; [|assumption|]; exfalso.
  - rewrite Hf' in Hl by lia. discriminate.
  - rewrite Hf in Hl' by lia. discriminate.
Qed.

(* The nearest left leader of a bullet in the gap is u_p. *)
Lemma quiet_hushed N c p m :
  0 < length c -> quiet N c = true -> Gap c p m -> Hushed c p m.
Proof.
  intros Hn HQ (_ & Hp & _ & Hf) x y Hx Hy Hb. apply quiet_spec in HQ as [_ HQ]; [|assumption].
  destruct (HQ _ Hb) as (d & Hd & Hl & Hfd & Hg).
  assert (d = Z.of_nat x) as ->.
  { destruct (Z.lt_trichotomy d (Z.of_nat x)) as [H|[H|H]]; [exfalso|assumption|exfalso].
    - specialize (Hf (x - Z.to_nat d)). replace (p + Z.of_nat (x - Z.to_nat d))%Z
        with (p + Z.of_nat x - d)%Z in Hf by lia. rewrite Hf in Hl by lia. discriminate.
    - specialize (Hfd (d - Z.of_nat x)%Z ltac:(lia)).
      replace (p + Z.of_nat x - d + (d - Z.of_nat x))%Z with p in Hfd by lia. congruence. }
  specialize (Hg (Z.of_nat y) ltac:(lia)). unfold gap_signal.
  now replace (p + Z.of_nat x - Z.of_nat x + Z.of_nat y)%Z with (p + Z.of_nat y)%Z in Hg by lia.
Qed.

Lemma clock_zero_signal c p m :
  0 < m -> Hushed c p m -> clock c p m = 0 <-> signal (c @ p) = true.
Proof.
  intros Hm Hq. pose proof (clock_of_spec (gap_bullet c p) (gap_signal c p) m) as Hc.
  assert (Hp : gap_signal c p 0 = signal (c @ p)) by (unfold gap_signal; do 2 f_equal; lia).
  split.
  - intros E. unfold clock in E. rewrite E in Hc. apply clock_zero in Hc as [_ Hg]; [congruence|assumption].
  - intros Hg. apply (clock_unique _ _ _ _ _ Hc). apply clock_zero; [assumption|].
    split; [|congruence]. intros y Hy. destruct (gap_bullet c p y) eqn:Eb; [reflexivity|exfalso..];
      (rewrite (Hq y 0) in Hp; [congruence|lia|lia|congruence]).
Qed.

(* ---- A step ----------------------------------------------------------------------------------- *)

Section Step.
  Context (N : nat) (c : config) (HV : valid N c) (HC : C_NI N c = true).

  Let n := length c.
  Let Hn : 2 <= n. Proof. destruct HV. unfold n. lia. Qed.

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

    Let Hm : 0 < m <= n. Proof. split; [apply HG|]. apply (gap_le c p); [destruct HV; lia|assumption]. Qed.

    Lemma shot_is_bullet_l :
      k < m -> bullet_l (c @ (p + Z.of_nat k)) = shot k (gap_bullet c p) (gap_signal c p).
    Proof.
      intros Hkm. destruct HG as (_ & Hp & _ & Hf). unfold bullet_l, fires, shot, gap_bullet, gap_signal.
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
          (destruct (Nat.eqb_spec x (S k)), (Z.eqb_spec (Z.of_nat x) (Z.of_nat k + 1)); lia || reflexivity).
        replace (Z.of_nat x =? 0)%Z with (x =? 0) by
          (destruct (Nat.eqb_spec x 0), (Z.eqb_spec (Z.of_nat x) 0); lia || reflexivity).
        replace (Z.of_nat k =? size c - 1)%Z with (k =? n - 1) by
          (destruct (Nat.eqb_spec k (n - 1)), (Z.eqb_spec (Z.of_nat k) (size c - 1)); lia || reflexivity).
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
      - intros HS. rewrite Hat, Nat.eqb_refl by lia. cbn [initiator signal]. rewrite Hnext by assumption.
        cbn [passed_follower signal leader]. rewrite shot_is_bullet_l by lia.
        replace (leader (c @ (p + Z.of_nat k))) with (k =? 0).
        + now rewrite orb_false_r.
        + destruct (Nat.eqb_spec k 0) as [->|Hk0]; [now rewrite Z.add_0_r|symmetry; apply Hf; lia].
      - intros HS. rewrite Hat, Nat.eqb_refl by lia. cbn [initiator signal].
        assert (E : c' @ (p + Z.of_nat m) = responder N (c @ (p + Z.of_nat k)) (c @ (p + Z.of_nat k + 1))).
        { rewrite <- step_responder by assumption. f_equal. lia. }
        rewrite <- E, Hq. apply orb_true_r.
      - intros HS. rewrite Hat, (proj2 (Nat.eqb_neq (S k) k)), Nat.eqb_refl by lia. cbn [orb].
        rewrite Hnext by assumption. cbn [passed_follower bullet]. now rewrite shot_is_bullet_l by lia.
      - intros HS. rewrite Hat, (proj2 (Nat.eqb_neq (S k) k)), Nat.eqb_refl by lia. cbn [orb].
        rewrite Hnext by assumption. cbn [passed_follower signal]. now rewrite shot_is_bullet_l by lia.
      - intros HS. rewrite Hat, (proj2 (Nat.eqb_neq 0 k)), (proj2 (Nat.eqb_eq k (n - 1))) by lia.
        rewrite orb_true_r, Hself by assumption. rewrite Z.add_0_r. reflexivity.
      - intros HS. rewrite Hat, (proj2 (Nat.eqb_neq 0 k)), (proj2 (Nat.eqb_eq k (n - 1))) by lia.
        rewrite orb_true_r, Hself by assumption. reflexivity.
      - intros x Hx H1 H2 H3. rewrite Hat by assumption.
        rewrite (proj2 (Nat.eqb_neq x k) H1), (proj2 (Nat.eqb_neq x (S k)) H2). cbn [orb].
        destruct (Nat.eqb_spec x 0), (Nat.eqb_spec k (n - 1)); cbn [andb]; [lia|now split..].
    Qed.

    Context (HQ : Hushed c p m).

    Lemma clock_step : clock c' p m = clock_next (Z.of_nat n) m (clock c p m) (Z.of_nat k).
    Proof.
      apply (clock_unique (gap_bullet c' p) (gap_signal c' p) m); [apply clock_of_spec|].
      apply (clock_ticks n m k Hn Hm Hk _ _ _ _ gap_arc_done HQ), clock_of_spec.
    Qed.
  End InGap.
End Step.

(* ---- Three leaders ---------------------------------------------------------------------------- *)

Definition alive (c : config) (p : Z) (m1 m2 : nat) : bool :=
  leader (c @ p) && leader (c @ (p + Z.of_nat m1)) && leader (c @ (p + Z.of_nat (m1 + m2))).

Definition duel_at (c : config) (p : Z) (m1 m2 : nat) : duel :=
  Duel (clock c p m1) (clock c (p + Z.of_nat m1) m2) (shield (c @ (p + Z.of_nat m1))) (flies c p m1).

Definition outcome (c : config) (p : Z) (m1 m2 : nat) : option duel :=
  if alive c p m1 m2 then Some (duel_at c p m1 m2) else None.

Section Trio.
  Context (N : nat) (c : config) (HV : valid N c) (HC : C_NI N c = true)
          (p : Z) (m1 m2 : nat).
  Notation n := (length c).
  Notation M := (p + Z.of_nat m1)%Z.
  Context (HG1 : Gap c p m1) (HG2 : Gap c M m2) (Hround : m1 + m2 <= n)
          (HQ1 : Hushed c p m1) (HQ2 : Hushed c M m2).

  Let Hn : 2 <= n. Proof. destruct HV. lia. Qed.
  Let Hm1 : 0 < m1. Proof. apply HG1. Qed.
  Let Hm2 : 0 < m2. Proof. apply HG2. Qed.
  Let Hmn : Z.of_nat n = size c. Proof. reflexivity. Qed.

  Lemma duel_at_flying :
    flies c p m1 = true ->
    exists x, Flying (gap_bullet c p) m1 x /\ clock c p m1 = 2 * m1 - 1 - x.
  Proof.
    intros H. apply flying_of_spec in H as (x & Hx). exists x. split; [assumption|].
    apply (clock_unique (gap_bullet c p) (gap_signal c p) m1); [apply clock_of_spec|now apply flying_clock].
  Qed.

  Lemma duel_at_proper : proper m1 m2 (duel_at c p m1 m2).
  Proof.
    split; [|split]; cbn [duel_at clock1 clock2 flying].
    - apply (clock_bound (gap_bullet c p) (gap_signal c p)); [assumption|apply clock_of_spec].
    - apply (clock_bound (gap_bullet c M) (gap_signal c M)); [assumption|apply clock_of_spec].
    - intros H. destruct (duel_at_flying H) as (x & (Hx & _) & ->). lia.
  Qed.

  Section Arc.
    Context (k : Z) (Hk : (0 <= k < Z.of_nat n)%Z).
    Notation c' := (step N c (p + k)).

    (* The arc, counted from u_q. *)
    Lemma arc_from_q :
      (0 <= from_q n m1 k < Z.of_nat n)%Z /\ step N c (p + k) = step N c (M + from_q n m1 k).
    Proof.
      unfold from_q. destruct (Z.leb_spec (Z.of_nat m1) k); split; try lia.
      - f_equal. lia.
      - rewrite Hmn. replace (M + (k - Z.of_nat m1 + size c))%Z with (p + k + size c)%Z by lia.
        now rewrite step_around.
    Qed.

    Lemma alive_leaders :
      alive c' p m1 m2 = true ->
      leader (c' @ p) = true /\ leader (c' @ M) = true /\ leader (c' @ (M + Z.of_nat m2)) = true.
    Proof.
      unfold alive. rewrite !andb_true_iff. intros [[H1 H2] H3]. repeat split; try assumption.
      now replace (M + Z.of_nat m2)%Z with (p + Z.of_nat (m1 + m2))%Z by lia.
    Qed.

    Lemma q_dies : leader (c' @ M) = false -> outcome c' p m1 m2 = None.
    Proof. intros H. unfold outcome, alive. rewrite H, andb_false_r. reflexivity. Qed.

    Lemma p_dies : leader (c' @ p) = false -> outcome c' p m1 m2 = None.
    Proof. intros H. unfold outcome, alive. now rewrite H. Qed.

    Lemma open_says : open (duel_at c p m1 m2) -> shield (c @ M) = false \/ signal (c @ M) = true.
    Proof. intros [H|H]; [now left|right]. now apply (clock_zero_signal c M m2). Qed.

    Lemma trio_follows : follows n m1 m2 (duel_at c p m1 m2) k (outcome c' p m1 m2).
    Proof.
      set (k0 := Z.to_nat k). assert (Ek : k = Z.of_nat k0) by lia.
      assert (Hk0 : k0 < n) by lia.
      assert (Hsome : forall d', outcome c' p m1 m2 = Some d' ->
                d' = duel_at c' p m1 m2 /\
                leader (c' @ p) = true /\ leader (c' @ M) = true /\ leader (c' @ (M + Z.of_nat m2)) = true).
      { intros d' E. unfold outcome in E. destruct (alive c' p m1 m2) eqn:Ea; [|discriminate].
        split; [congruence|now apply alive_leaders]. }
      assert (Hdone : leader (c' @ M) = true ->
                arc_done n m1 k0 (gap_bullet c p) (gap_bullet c' p) (gap_signal c p) (gap_signal c' p)).
      { rewrite Ek. intros H. now apply gap_arc_done. }
      split; cbn [duel_at clock1 clock2 shielded flying].
      - intros d' E. destruct (Hsome d' E) as (-> & _ & Hq & _). cbn [duel_at clock1].
        rewrite Ek in *. now apply clock_step.
      - intros d' E. destruct (Hsome d' E) as (-> & _ & _ & Hr). cbn [duel_at clock2].
        destruct arc_from_q as [Hkq Eq]. rewrite Eq in *.
        set (k2 := Z.to_nat (from_q n m1 k)). assert (Ek2 : from_q n m1 k = Z.of_nat k2) by lia.
        rewrite Ek2 in *. apply clock_step; try assumption. lia.
      - intros d' E. destruct (Hsome d' E) as (-> & _ & Hq & _). cbn [duel_at shielded].
        destruct HG1 as (_ & _ & HlM & _).
        unfold shield_next. cbn [duel_at clock2 shielded].
        assert (Hz : (clock c M m2 =? 0) = signal (c @ M)).
        { apply eq_true_iff_eq. rewrite Nat.eqb_eq. now apply clock_zero_signal. }
        rewrite Hz. rewrite step_from by (assumption || lia).
        destruct (Z.eqb_spec (Z.of_nat m1) k) as [<-|Hne].
        + rewrite Z.eqb_refl. cbn [initiator shield]. unfold fires. rewrite HlM.
          destruct (signal (c @ M)); reflexivity.
        + destruct (Z.eqb_spec k (Z.of_nat m1)); [lia|].
          destruct (Z.eqb_spec (Z.of_nat m1) (k + 1)) as [Ek1|Ek1].
          * cbn [orb]. rewrite no_creation by assumption.
            replace (p + k + 1)%Z with M by lia. rewrite HlM. cbn [hit_leader shield].
            destruct (Z.eqb_spec k (Z.of_nat m1 - 1)); [|lia]. destruct (signal (c @ M)); reflexivity.
          * cbn [orb]. destruct (Z.eqb_spec (Z.of_nat m1) 0); [lia|]. cbn [andb].
            destruct (Z.eqb_spec k (Z.of_nat m1 - 1)); [lia|]. destruct (signal (c @ M)); reflexivity.
      - intros d' E Hf Hne. destruct (Hsome d' E) as (-> & _ & Hq & _). cbn [duel_at flying].
        destruct (duel_at_flying Hf) as (x & Hx & Ec). rewrite Ec in Hne.
        apply flying_of_spec. pose proof (proj1 Hx) as Hxm.
        apply (flying_on n m1 k0 ltac:(lia) ltac:(lia) Hk0 _ _ _ _ (Hdone Hq) HQ1 x Hx). lia.
      - intros d' E Hc0 Hm Hk1. destruct (Hsome d' E) as (-> & _ & Hq & _). cbn [duel_at flying].
        apply flying_of_spec.
        apply (flying_starts n m1 k0 ltac:(lia) ltac:(lia) Hk0 _ _ _ _ (Hdone Hq)); [|lia|assumption].
        rewrite <- Hc0. apply clock_of_spec.
      - intros Hf Hc1 Hk1 Ho. destruct (duel_at_flying Hf) as (x & (Hx & Hl & _) & Ec).
        apply q_dies. replace M with (p + k + 1)%Z by lia.
        apply kill; try assumption; replace (p + k + 1)%Z with M by lia;
          [|apply HG1|now apply open_says].
        assert (Hkx : k = Z.of_nat x) by lia. rewrite Hkx. unfold bullet_l, fires.
        destruct HG1 as (_ & _ & _ & Hfo). rewrite Hfo by lia. exact Hl.
      - intros Hc0 Hm Hk1 Ho. apply q_dies. replace M with (p + k + 1)%Z by lia.
        apply kill; try assumption; replace (p + k + 1)%Z with M by lia;
          [|apply HG1|now apply open_says].
        apply clock_zero_signal in Hc0; [|assumption..]. replace (p + k)%Z with p by lia.
        unfold bullet_l, fires. destruct HG1 as (_ & Hp & _). now rewrite Hp, Hc0.
      - intros Hc0 Hc2 Hm Hk1 Hround'. apply p_dies.
        apply clock_zero_signal in Hc0; [|assumption..]. apply clock_zero_signal in Hc2; [|assumption..].
        destruct HG1 as (_ & Hp & Hq & _).
        assert (Eround : (p + k + 1 = p + size c)%Z) by lia.
        assert (El : leader (c' @ (p + k + 1)%Z) = false).
        { apply kill; try assumption; rewrite ?Eround, ?at_around; [|assumption|now right].
          rewrite Hk1. unfold bullet_l, fires. now rewrite Hq, Hc2. }
        rewrite Eround, <- (step_size N c (p + k)), at_around in El. exact El.
    Qed.
  End Arc.

  (* Lemma 12: the potential of the three falls by 1/n on average, until one of them dies. *)
  Theorem trio_falls :
    (qsum (fun k => value m1 m2 (outcome (step N c (p + k)) p m1 m2)) (arcs n) + 1 <=
     q n * pot m1 m2 (duel_at c p m1 m2))%Q.
  Proof.
    destruct duel_at_proper as (Hr & Hj & Hf). unfold duel_at in *. cbn [clock1 clock2 flying] in *.
    apply (duel_falls n m1 m2 Hm1 Hm2 Hround _ _ _ _ Hr Hj Hf).
    intros i Hi. apply in_arcs in Hi. now apply trio_follows.
  Qed.
End Trio.
