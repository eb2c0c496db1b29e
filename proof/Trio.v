(* SPDX-License-Identifier: MIT

   Lemma 12: of three neighbouring leaders one is dead after n (11 m1 + 9 m2) expected steps.

   All distances are counted from the first of the three, u_p. The gap to u_q, q = p + m1, and
   the gap from there to u_{q + m2} share arc e_{q-1} alone, which makes the first clock tick if
   it is at m1, and fires u_q's dummy bullet if the second is at 0. *)

From Coq Require Import List Bool Arith ZArith Lia QArith Lqa.
From Ringleader Require Import Model Step Sets Safe Sums Expect Sweep Quiet Duel Gap Gaps.
Import ListNotations.
Open Scope nat_scope.

(* ---- Three leaders --------------------------------------------------------------------------- *)

Definition alive (c : config) (p : Z) (m1 m2 : nat) : bool :=
  leader (c @ p) && leader (c @ (p + Z.of_nat m1)) && leader (c @ (p + Z.of_nat (m1 + m2))).

Definition duel_at (c : config) (p : Z) (m1 m2 : nat) : duel :=
  Duel (clock c p m1) (clock c (p + Z.of_nat m1) m2)
       (shield (c @ (p + Z.of_nat m1))) (flies c p m1).

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

  (* The clock tells where a bullet in flight is. *)
  Lemma duel_at_flying :
    flies c p m1 = true ->
    exists x, Flying (gap_bullet c p) m1 x /\ clock c p m1 = 2 * m1 - 1 - x.
  Proof.
    intros H. apply flying_of_spec in H as (x & Hx). exists x. split; [assumption|].
    apply (clock_unique (gap_bullet c p) (gap_signal c p) m1); [apply clock_of_spec|].
    now apply flying_clock.
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

    (* The clocks of both gaps tick, and bullets arrive, as Gap.v says. *)
    Lemma trio_follows : follows n m1 m2 (duel_at c p m1 m2) k (outcome c' p m1 m2).
    Proof.
      set (k0 := Z.to_nat k). assert (Ek : k = Z.of_nat k0) by lia.
      assert (Hk0 : k0 < n) by lia.
      assert (Hsome : forall d', outcome c' p m1 m2 = Some d' ->
                d' = duel_at c' p m1 m2 /\
                leader (c' @ p) = true /\ leader (c' @ M) = true /\
                leader (c' @ (M + Z.of_nat m2)) = true).
      { intros d' E. unfold outcome in E. destruct (alive c' p m1 m2) eqn:Ea; [|discriminate].
        split; [congruence|now apply alive_leaders]. }
      assert (Hdone : leader (c' @ M) = true ->
                arc_done n m1 k0 (gap_bullet c p) (gap_bullet c' p)
                         (gap_signal c p) (gap_signal c' p)).
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
            destruct (Z.eqb_spec k (Z.of_nat m1 - 1)); [|lia].
            destruct (signal (c @ M)); reflexivity.
          * cbn [orb]. destruct (Z.eqb_spec (Z.of_nat m1) 0); [lia|]. cbn [andb].
            destruct (Z.eqb_spec k (Z.of_nat m1 - 1)); [lia|].
            destruct (signal (c @ M)); reflexivity.
      - intros d' E Hf Hne. destruct (Hsome d' E) as (-> & _ & Hq & _). cbn [duel_at flying].
        destruct (duel_at_flying Hf) as (x & Hx & Ec). rewrite Ec in Hne.
        apply flying_of_spec. pose proof (proj1 Hx) as Hxm.
        apply (flying_on n m1 k0 ltac:(lia) ltac:(lia) Hk0 _ _ _ _ (Hdone Hq) HQ1 x Hx). lia.
      - intros d' E Hc0 Hm Hk1. destruct (Hsome d' E) as (-> & _ & Hq & _). cbn [duel_at flying].
        apply flying_of_spec.
        apply (flying_starts n m1 k0 ltac:(lia) ltac:(lia) Hk0 _ _ _ _ (Hdone Hq));
          [|lia|assumption].
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
        apply clock_zero_signal in Hc0; [|assumption..].
        apply clock_zero_signal in Hc2; [|assumption..].
        destruct HG1 as (_ & Hp & Hq & _).
        assert (Eround : (p + k + 1 = p + size c)%Z) by lia.
        assert (El : leader (c' @ (p + k + 1)%Z) = false).
        { apply kill; try assumption; rewrite ?Eround, ?at_around; [|assumption|now right].
          rewrite Hk1. unfold bullet_l, fires. now rewrite Hq, Hc2. }
        rewrite Eround, <- (step_size N c (p + k)), at_around in El. exact El.
    Qed.
  End Arc.

  (* Lemma 12: the potential of the three falls by 1/n on average, until one of them dies. *)
  Lemma trio_falls :
    (qsum (fun k => value n m1 m2 (outcome (step N c (p + k)) p m1 m2)) (arcs n) + 1 <=
     q n * pot n m1 m2 (duel_at c p m1 m2))%Q.
  Proof.
    destruct duel_at_proper as (Hr & Hj & Hf). unfold duel_at in *. cbn [clock1 clock2 flying] in *.
    apply (duel_falls n m1 m2 Hm1 Hm2 Hround _ _ _ _ Hr Hj Hf).
    intros i Hi. apply in_arcs in Hi. now apply trio_follows.
  Qed.
End Trio.

(* ---- Lemma 12 -------------------------------------------------------------------------------- *)

Section Lemma12.
  Context (N n : nat) (p : Z) (m1 m2 : nat).
  Notation q_at := (p + Z.of_nat m1)%Z.
  Hypothesis Hround : m1 + m2 <= n.

  (* As long as the three live, the gaps are as they were, and a sweep that has come to arc t of
     them has all noisy bullets before it. *)
  Definition Swept (t : nat) (x : config) : Prop :=
    valid N x /\ C_NI N x = true /\ length x = n /\
    (alive x p m1 m2 = true ->
     Gap x p m1 /\ Gap x q_at m2 /\
     forall z, z < m1 + m2 -> noisy x (p + Z.of_nat z) = true -> t <= z).

  (* No leader is created. *)
  Lemma alive_before x e :
    valid N x -> C_NI N x = true -> alive (step N x e) p m1 m2 = true -> alive x p m1 m2 = true.
  Proof.
    intros HV HC. unfold alive. rewrite !andb_true_iff. intros [[H1 H2] H3].
    repeat split; now apply (no_new_leader N x e).
  Qed.

  (* A noisy bullet stays or moves to the right, and not over a leader; arc t takes it along. *)
  Lemma swept_step t x e :
    Swept t x ->
    Swept (if (e mod size x =? (p + Z.of_nat t) mod size x)%Z then S t else t) (step N x e).
  Proof.
    intros (HV & HC & En & Hx). split; [now apply valid_step|]. split; [now apply C_NI_step|].
    split; [now rewrite step_length|]. intros Ha. pose proof (alive_before x e HV HC Ha) as Hb.
    destruct (Hx Hb) as (HG1 & HG2 & Hz).
    unfold alive in Ha. rewrite !andb_true_iff, Nat2Z.inj_add, Z.add_assoc in Ha.
    destruct Ha as [[Hp Hq] Hr].
    split; [now apply gap_stays|]. split; [now apply gap_stays|]. intros z Hzm Hno.
    apply noisy_origin in Hno as (Hne & [Hno|[Hno Hl]]); try assumption.
    - specialize (Hz z Hzm Hno).
      destruct (Z.eqb_spec (e mod size x) ((p + Z.of_nat t) mod size x)) as [E|_]; [|assumption].
      assert (z <> t) by congruence. lia.
    - assert (z <> 0)
        by (intros ->; rewrite Z.add_0_r in Hl; destruct HG1 as (_ & H & _); congruence).
      replace (p + Z.of_nat z - 1)%Z with (p + Z.of_nat (z - 1))%Z in Hno by lia.
      specialize (Hz (z - 1) ltac:(lia) Hno). destruct (_ =? _)%Z; lia.
  Qed.

  Lemma swept_closed t x e : t <= m1 + m2 -> Swept t x -> Swept t (step N x e).
  Proof.
    intros Ht Hx. destruct (swept_step t x e Hx) as (HV & HC & En & Ha).
    repeat (split; [assumption|]). intros Hal. destruct (Ha Hal) as (HG1 & HG2 & Hz).
    repeat (split; [assumption|]). intros z Hzm Hno. specialize (Hz z Hzm Hno).
    destruct (_ =? _)%Z in Hz; lia.
  Qed.

  Lemma swept_hushed x :
    Swept (m1 + m2) x -> alive x p m1 m2 = true ->
    Gap x p m1 /\ Gap x q_at m2 /\ Hushed x p m1 /\ Hushed x q_at m2.
  Proof.
    intros (HV & _ & _ & Hx) Ha. destruct (Hx Ha) as (HG1 & HG2 & Hz).
    assert (Hno : forall z, z < m1 + m2 -> noisy x (p + Z.of_nat z) = false).
    { intros z Hzm. apply not_true_is_false. intros H. specialize (Hz z Hzm H). lia. }
    assert (Hn : 0 < length x) by (destruct HV; lia).
    repeat (split; [assumption|]). split; apply silent_hushed; try assumption; intros y Hy.
    - apply Hno. lia.
    - replace (q_at + Z.of_nat y)%Z with (p + Z.of_nat (m1 + y))%Z by lia. apply Hno. lia.
  Qed.

  Definition one_is_dead (x : config) : bool := negb (alive x p m1 m2).

  (* Both gaps are swept, or one of the three is dead. *)
  Definition swept (x : config) : bool :=
    one_is_dead x || forallb (fun z => negb (noisy x (p + Z.of_nat z))) (seq 0 (m1 + m2)).

  (* From there on the potential falls. *)
  Lemma duel_ends x :
    Swept (m1 + m2) x -> expected_steps_at_most N one_is_dead x (n * (10 * m1 + 8 * m2)).
  Proof.
    intros Hx. pose proof Hx as (_ & _ & En & _). unfold expected_steps_at_most. rewrite En.
    assert (Hm : forall y, alive y p m1 m2 = true -> Swept (m1 + m2) y -> 0 < m1 /\ 0 < m2).
    { intros y Ha Hy. destruct (swept_hushed y Hy Ha) as ((H1 & _) & (H2 & _) & _). now split. }
    assert (Hvalue : forall y, Swept (m1 + m2) y -> (0 <= value n m1 m2 (outcome y p m1 m2))%Q).
    { intros y Hy. unfold outcome. destruct (alive y p m1 m2) eqn:Ha; [|apply Qle_refl].
      destruct (Hm y Ha Hy). now apply value_pos. }
    apply (drift_potential n (step N) one_is_dead (Swept (m1 + m2))
             (fun y => (q n * value n m1 m2 (outcome y p m1 m2))%Q)).
    - intros y i Hy _. now apply swept_closed.
    - intros y Hy. apply Qmult_le_0_compat; [apply q_nonneg|now apply Hvalue].
    - intros y Hy Hd. unfold one_is_dead in Hd. apply negb_false_iff in Hd.
      destruct (swept_hushed y Hy Hd) as (HG1 & HG2 & HQ1 & HQ2). destruct Hy as (HV & HC & Ey & _).
      pose proof (trio_falls N y HV HC p m1 m2 HG1 HG2 ltac:(lia) HQ1 HQ2) as Hfall.
      rewrite Ey in Hfall.
      rewrite (qsum_shift (fun e => value n m1 m2 (outcome (step N y e) p m1 m2))) in Hfall
        by (intros e; rewrite <- Ey; fold (size y); rewrite step_around by assumption; reflexivity).
      rewrite qsum_scale. unfold outcome at 2. rewrite Hd. cbn [value].
      apply (Qmult_le_compat_r _ _ (q n)) in Hfall; [|apply q_nonneg]. lra.
    - exact Hx.
    - unfold outcome. destruct (alive x p m1 m2) eqn:Ha.
      + destruct (swept_hushed x Hx Ha) as (HG1 & HG2 & _). destruct Hx as (HV & _).
        pose proof (value_bound n m1 m2 (proj1 HG1) (proj1 HG2) Hround
                      (Some (duel_at x p m1 m2))) as Hb.
        rewrite q_mul, !(Qmult_comm (q n)). apply Qmult_le_compat_r; [|apply q_nonneg].
        rewrite q_add, !q_mul. apply Hb. intros d E. injection E as <-.
        apply (duel_at_proper N x HV); (assumption || lia).
      + cbn [value]. rewrite Qmult_0_r. apply q_nonneg.
  Qed.

  (* Sweep both gaps, then let the duel go on. *)
  Lemma trio_ends x :
    Swept 0 x -> expected_steps_at_most N one_is_dead x (n * (11 * m1 + 9 * m2)).
  Proof.
    intros Hx. pose proof Hx as (HV & HC & En & _).
    assert (Hswept : expected_steps_at_most N swept x (length x * (m1 + m2))).
    { apply (sweep N swept p (m1 + m2) Swept); [assumption| | |assumption].
      - intros t y i _ _ Hy. now apply swept_step.
      - intros y _ Hy. unfold swept, one_is_dead. destruct (alive y p m1 m2) eqn:Ha; [|reflexivity].
        apply forallb_forall. intros z Hz. apply in_seq in Hz.
        apply negb_true_iff, not_true_is_false.
        intros Hno. destruct Hy as (_ & _ & _ & Hy). destruct (Hy Ha) as (_ & _ & H).
        specialize (H z ltac:(lia) Hno). lia. }
    rewrite En in Hswept. intros k. specialize (Hswept k). rewrite En in *.
    pose proof (expect_phases n (step N) (Swept 0) swept one_is_dead (n * (10 * m1 + 8 * m2))) as H.
    specialize (H ltac:(intros y i Hy _; apply swept_closed; [lia|assumption])).
    eapply Nat.le_trans; [apply H; [|assumption]|nia].
    intros y Hy Hs j. pose proof Hy as (HVy & HCy & Ey & Hay).
    enough (HJ : Swept (m1 + m2) y) by (pose proof (duel_ends y HJ j) as E; now rewrite Ey in E).
    repeat (split; [assumption|]). intros Ha. destruct (Hay Ha) as (HG1 & HG2 & _).
    repeat (split; [assumption|]). intros z Hz Hno. unfold swept, one_is_dead in Hs.
    rewrite Ha in Hs.
    cbn [negb orb] in Hs. rewrite forallb_forall in Hs. specialize (Hs z ltac:(apply in_seq; lia)).
    rewrite Hno in Hs. discriminate.
  Qed.
End Lemma12.

(* Lemma 12. In a configuration of C_NI with two leaders or more, let u_p be the nearest left
   leader of u_q, q = p + d1, and u_q that of u_{q + d2}. One of the three becomes a follower
   within n (11 d1 + 9 d2) steps in expectation. *)
Theorem lemma_12 N c p d1 d2 :
  valid N c -> C_NI N c = true -> 2 <= leaders c -> Gap c p d1 -> Gap c (p + Z.of_nat d1) d2 ->
  expected_steps_at_most N (one_is_dead p d1 d2) c (length c * (11 * d1 + 9 * d2)).
Proof.
  intros HV HC Hmany HG1 HG2. assert (Hn : 2 <= length c) by (destruct HV; lia).
  apply trio_ends; [now apply (gaps_apart c p)|].
  split; [assumption|]. split; [assumption|]. split; [reflexivity|]. intros _.
  split; [assumption|]. split; [assumption|]. intros. lia.
Qed.
