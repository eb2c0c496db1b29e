(* SPDX-License-Identifier: MIT

   Lemma 12: of three neighbouring leaders one is dead after n (11 m1 + 9 m2) expected steps.

   All distances are counted from the first of the three, u_p. The gap to u_q, q = p + m1, and
   the gap from there to u_{q + m2} share arc e_{q-1} alone, which makes the first clock tick if
   it is at m1, and fires u_q's dummy bullet if the second is at 0. *)

From Coq Require Import List Bool Arith ZArith Lia QArith Lqa.
From Ringleader Require Import Model Step Sets Peace Safe Sums Expect Sweep Quiet Duel Gap Gaps.
Import ListNotations.
Open Scope nat_scope.

(* ---- Three leaders --------------------------------------------------------------------------- *)

Definition alive (c : config) (p : Z) (m1 m2 : nat) : bool :=
  leader (c @ p) && leader (c @ (p + Z.of_nat m1)) && leader (c @ (p + Z.of_nat (m1 + m2))).

Definition duel_at (c : config) (p : Z) (m1 m2 : nat) : duel :=
  Duel (clock c p m1) (clock c (p + Z.of_nat m1) m2)
       (shield (c @ (p + Z.of_nat m1))) (flies c p m1).

(* The duel after arc e. It ends when u_q dies, and in a ring of two leaders when the other does;
   when another neighbour dies it goes on as if that one lived. *)
Definition outcome (N : nat) (c : config) (p : Z) (m1 m2 : nat) (e : Z) : option duel :=
  let c' := step N c e in
  if alive c' p m1 m2 then Some (duel_at c' p m1 m2)
  else if leader (c' @ (p + Z.of_nat m1)) && (m1 + m2 <? length c)
  then Some (goes_on (length c) m1 m2 (duel_at c p m1 m2) ((e - p) mod size c))
  else None.

(* Arcs are numbered modulo n. *)
Lemma outcome_same N c (HV : valid N c) p m1 m2 e e' :
  (e mod size c = e' mod size c)%Z -> outcome N c p m1 m2 e = outcome N c p m1 m2 e'.
Proof.
  intros E. unfold outcome. rewrite (step_same N c HV e e' E).
  now replace ((e - p) mod size c)%Z with ((e' - p) mod size c)%Z
    by (now rewrite Zminus_mod, <- E, <- Zminus_mod).
Qed.

Lemma outcome_around N c (HV : valid N c) p m1 m2 e :
  outcome N c p m1 m2 (e + size c) = outcome N c p m1 m2 e.
Proof.
  apply outcome_same; [assumption|]. rewrite <- (Z.mul_1_l (size c)) at 1. apply Z.mod_add.
  pose proof (valid_size N c HV). lia.
Qed.

(* The only leader that a live bullet in a gap can be from is shielded and has no signal. *)
Lemma live_in_gap N c p m x :
  0 < length c -> C_NI N c = true -> Gap c p m -> x < m -> bullet (c @ (p + Z.of_nat x)) = Live ->
  shield (c @ p) = true /\ signal (c @ p) = false.
Proof.
  intros Hn HC (_ & Hp & _ & Hf) Hx Hb. apply C_NI_spec in HC as (_ & _ & HM); [|assumption].
  destruct (HM _ Hb) as (d & Hd & (Hl & Hs & Hfd & Hg) & _).
  assert (d = Z.of_nat x) as ->.
  { destruct (Z.lt_trichotomy d (Z.of_nat x)) as [H|[H|H]]; [exfalso|assumption|exfalso].
    - specialize (Hf (x - Z.to_nat d)). replace (p + Z.of_nat (x - Z.to_nat d))%Z
        with (p + Z.of_nat x - d)%Z in Hf by lia. rewrite Hf in Hl by lia. discriminate.
    - specialize (Hfd (d - Z.of_nat x)%Z ltac:(lia)).
      replace (p + Z.of_nat x - d + (d - Z.of_nat x))%Z with p in Hfd by lia. congruence. }
  specialize (Hg 0%Z ltac:(lia)). rewrite Z.add_0_r in Hg.
  replace (p + Z.of_nat x - Z.of_nat x)%Z with p in * by lia. now split.
Qed.

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

    Lemma open_says : open (duel_at c p m1 m2) -> shield (c @ M) = false \/ signal (c @ M) = true.
    Proof. intros [H|H]; [now left|right]. now apply (clock_zero_signal c M m2). Qed.

    (* ---- Who dies ---------------------------------------------------------------------------- *)

    (* A live bullet that arrives at an open u_q. *)
    Lemma arrival_kills :
      flies c p m1 = true -> clock c p m1 = m1 -> k = (Z.of_nat m1 - 1)%Z ->
      open (duel_at c p m1 m2) -> leader (c' @ M) = false.
    Proof.
      intros Hf Hc1 Hk1 Ho. destruct (duel_at_flying Hf) as (x & (Hx & Hl & _) & Ec).
      replace M with (p + k + 1)%Z by lia.
      apply kill; try assumption; replace (p + k + 1)%Z with M by lia;
        [|apply HG1|now apply open_says].
      assert (Hkx : k = Z.of_nat x) by lia. rewrite Hkx. unfold bullet_l, fires.
      destruct HG1 as (_ & _ & _ & Hfo). rewrite Hfo by lia. exact Hl.
    Qed.

    (* u_p fires live next door. *)
    Lemma next_door_kills :
      clock c p m1 = 0 -> m1 = 1 -> k = 0%Z -> open (duel_at c p m1 m2) -> leader (c' @ M) = false.
    Proof.
      intros Hc0 Hm Hk1 Ho. replace M with (p + k + 1)%Z by lia.
      apply kill; try assumption; replace (p + k + 1)%Z with M by lia;
        [|apply HG1|now apply open_says].
      apply clock_zero_signal in Hc0; [|assumption..]. replace (p + k)%Z with p by lia.
      unfold bullet_l, fires. destruct HG1 as (_ & Hp & _). now rewrite Hp, Hc0.
    Qed.

    (* u_q fires live at u_p, once round. *)
    Lemma shot_behind_kills :
      clock c p m1 = 0 -> clock c M m2 = 0 -> k = Z.of_nat m1 -> m1 = n - 1 ->
      leader (c' @ p) = false.
    Proof.
      intros Hc0 Hc2 Hk1 Hround'.
      apply clock_zero_signal in Hc0; [|assumption..].
      apply clock_zero_signal in Hc2; [|assumption..].
      destruct HG1 as (_ & Hp & Hq & _).
      assert (Eround : (p + k + 1 = p + size c)%Z) by lia.
      assert (El : leader (c' @ (p + k + 1)%Z) = false).
      { apply kill; try assumption; rewrite ?Eround, ?at_around; [|assumption|now right].
        rewrite Hk1. unfold bullet_l, fires. now rewrite Hq, Hc2. }
      rewrite Eround, <- (step_size N c (p + k)), at_around in El. exact El.
    Qed.

    (* ---- All three live ---------------------------------------------------------------------- *)

    Lemma shield_follows : shield (c' @ M) = shield_next m1 (duel_at c p m1 m2) k.
    Proof.
      destruct HG1 as (_ & _ & HlM & _).
      unfold shield_next. cbn [duel_at clock2 shielded].
      assert (Hz : (clock c M m2 =? 0) = signal (c @ M)).
      { apply eq_true_iff_eq. rewrite Nat.eqb_eq. now apply clock_zero_signal. }
      rewrite Hz. rewrite step_from by (assumption || lia).
      destruct (Z.eqb_spec (Z.of_nat m1) k) as [<-|Hne].
      - rewrite Z.eqb_refl. cbn [initiator shield]. unfold fires. rewrite HlM.
        destruct (signal (c @ M)); reflexivity.
      - destruct (Z.eqb_spec k (Z.of_nat m1)); [lia|].
        destruct (Z.eqb_spec (Z.of_nat m1) (k + 1)) as [Ek1|Ek1].
        + cbn [orb]. rewrite no_creation by assumption.
          replace (p + k + 1)%Z with M by lia. rewrite HlM. cbn [hit_leader shield].
          destruct (Z.eqb_spec k (Z.of_nat m1 - 1)); [|lia].
          destruct (signal (c @ M)); reflexivity.
        + cbn [orb]. destruct (Z.eqb_spec (Z.of_nat m1) 0); [lia|]. cbn [andb].
          destruct (Z.eqb_spec k (Z.of_nat m1 - 1)); [lia|].
          destruct (signal (c @ M)); reflexivity.
    Qed.

    (* The clocks of both gaps tick, and bullets arrive, as Gap.v says. *)
    Lemma living_follow :
      alive c' p m1 m2 = true ->
      follows n m1 m2 (duel_at c p m1 m2) k (Some (duel_at c' p m1 m2)).
    Proof.
      intros Ha. destruct (alive_leaders Ha) as (Hp & Hq & Hr).
      set (k0 := Z.to_nat k). assert (Ek : k = Z.of_nat k0) by lia.
      assert (Hk0 : k0 < n) by lia.
      assert (Hdone : arc_done n m1 k0 (gap_bullet c p) (gap_bullet c' p)
                               (gap_signal c p) (gap_signal c' p))
        by (rewrite Ek in *; now apply gap_arc_done).
      split; cbn [duel_at clock1 clock2 shielded flying].
      - intros d' [= <-]. cbn [duel_at clock1]. rewrite Ek in *. now apply clock_step.
      - intros d' [= <-]. cbn [duel_at clock2].
        destruct arc_from_q as [Hkq Eq]. rewrite Eq in *.
        set (k2 := Z.to_nat (from_q n m1 k)). assert (Ek2 : from_q n m1 k = Z.of_nat k2) by lia.
        rewrite Ek2 in *. apply clock_step; try assumption. lia.
      - intros d' [= <-]. apply shield_follows.
      - intros d' [= <-] Hf Hne. cbn [duel_at flying].
        destruct (duel_at_flying Hf) as (x & Hx & Ec). rewrite Ec in Hne.
        apply flying_of_spec. pose proof (proj1 Hx) as Hxm.
        apply (flying_on n m1 k0 ltac:(lia) ltac:(lia) Hk0 _ _ _ _ Hdone HQ1 x Hx). lia.
      - intros d' [= <-] Hc0 Hm Hk1. cbn [duel_at flying]. apply flying_of_spec.
        apply (flying_starts n m1 k0 ltac:(lia) ltac:(lia) Hk0 _ _ _ _ Hdone);
          [|lia|assumption].
        rewrite <- Hc0. apply clock_of_spec.
      - intros Hf Hc1 Hk1 Ho. rewrite arrival_kills in Hq by assumption. discriminate.
      - intros Hc0 Hm Hk1 Ho. rewrite next_door_kills in Hq by assumption. discriminate.
      - intros Hc0 Hc2 _ Hk1 Hm. rewrite shot_behind_kills in Hp by assumption. discriminate.
    Qed.

    (* ---- A neighbour dies -------------------------------------------------------------------- *)

    (* The duel goes on as if it had not. The initiator does not die, so the arc is not e_p. *)
    Lemma dead_follow :
      leader (c' @ M) = true -> m1 + m2 < n -> alive c' p m1 m2 = false ->
      follows n m1 m2 (duel_at c p m1 m2) k (Some (goes_on n m1 m2 (duel_at c p m1 m2) k)).
    Proof.
      intros Hq Hmn' Ha.
      split; try (intros d' [= <-]; reflexivity).
      - now intros d' [= <-] Hf _.
      - intros d' [= <-] Hc0 Hm Hk1. exfalso. destruct HG1 as (_ & Hp & _).
        destruct HG2 as (_ & _ & Hr & _). unfold alive in Ha. rewrite Hq, andb_true_r in Ha.
        apply andb_false_iff in Ha as [Ha|Ha].
        + rewrite Hk1, Z.add_0_r, step_initiator in Ha by assumption. cbn in Ha. congruence.
        + rewrite step_from in Ha by (assumption || lia).
          destruct (Z.eqb_spec (Z.of_nat (m1 + m2)) k); [lia|].
          destruct (Z.eqb_spec (Z.of_nat (m1 + m2)) (k + 1)); [lia|].
          destruct (Z.eqb_spec (Z.of_nat (m1 + m2)) 0); [lia|]. cbn [orb andb] in Ha.
          rewrite Nat2Z.inj_add, Z.add_assoc in Ha. congruence.
      - intros Hf Hc1 Hk1 Ho. rewrite arrival_kills in Hq by assumption. discriminate.
      - intros Hc0 Hm Hk1 Ho. rewrite next_door_kills in Hq by assumption. discriminate.
      - intros _ _ Hm Hk1 Hm'. lia.
    Qed.

    Lemma nobody_follows :
      follows n m1 m2 (duel_at c p m1 m2) k None.
    Proof. split; (discriminate || reflexivity). Qed.

    Lemma trio_follows :
      follows n m1 m2 (duel_at c p m1 m2) k (outcome N c p m1 m2 (p + k)).
    Proof.
      unfold outcome. replace ((p + k - p) mod size c)%Z with k
        by (rewrite Z.add_simpl_l, Z.mod_small; lia).
      destruct (alive c' p m1 m2) eqn:Ha; [now apply living_follow|].
      destruct (leader (c' @ M)) eqn:Hq; [|apply nobody_follows].
      destruct (Nat.ltb_spec (m1 + m2) n); [now apply dead_follow|apply nobody_follows].
    Qed.

    (* Whoever kills u_r is behind a shield: u_q, for its bullets are the only ones in the gap. *)
    Lemma killer_is_shielded :
      leader (c' @ (M + Z.of_nat m2)) = false -> m1 + m2 < n ->
      shield_next m1 (duel_at c p m1 m2) k = true.
    Proof.
      intros Hdead Hmn'. pose proof HG2 as (_ & HM & Hr & Hf).
      assert (Ek : k = (Z.of_nat (m1 + m2) - 1)%Z).
      { replace (M + Z.of_nat m2)%Z with (p + Z.of_nat (m1 + m2))%Z in * by lia.
        rewrite step_from in Hdead by (assumption || lia).
        destruct (Z.eqb_spec (Z.of_nat (m1 + m2)) k) as [E|_].
        { cbn in Hdead. rewrite <- E in Hdead. congruence. }
        destruct (Z.eqb_spec (Z.of_nat (m1 + m2)) (k + 1)); [lia|].
        destruct (Z.eqb_spec (Z.of_nat (m1 + m2)) 0); [lia|]. cbn [orb andb] in Hdead. congruence. }
      assert (Hlive : bullet_l (c @ (M + Z.of_nat (m2 - 1))) = Live).
      { replace (M + Z.of_nat m2)%Z with (p + k + 1)%Z in * by lia.
        rewrite step_responder, no_creation, Hr in Hdead by assumption. cbn in Hdead.
        apply orb_false_iff in Hdead as [Hdead _]. apply negb_false_iff, is_live_spec in Hdead.
        now replace (M + Z.of_nat (m2 - 1))%Z with (p + k)%Z by lia. }
      rewrite <- shield_follows.
      destruct (fires (c @ (M + Z.of_nat (m2 - 1)))) eqn:Ef.
      - assert (m2 = 1) as E2.
        { destruct (Nat.eq_dec m2 1) as [|Hne]; [assumption|exfalso]. unfold fires in Ef.
          rewrite Hf in Ef by lia. discriminate. }
        replace (M + Z.of_nat (m2 - 1))%Z with M in Ef by lia.
        replace (p + k)%Z with M by lia. rewrite step_initiator by assumption.
        cbn [initiator shield]. now rewrite Ef.
      - unfold bullet_l in Hlive. rewrite Ef in Hlive.
        destruct (live_in_gap N c M m2 (m2 - 1) ltac:(lia) HC HG2 ltac:(lia) Hlive) as (Hs & Hg).
        rewrite shield_follows. unfold shield_next. cbn [duel_at clock2 shielded].
        destruct (Nat.eqb_spec (clock c M m2) 0) as [E|_]; [|assumption].
        apply clock_zero_signal in E; [congruence|assumption..].
    Qed.

    (* A leader with a live bullet on its way is shielded, and does not die. *)
    Lemma dead_has_no_bullet : leader (c' @ p) = false -> flies c p m1 = false.
    Proof.
      intros Hdead. apply not_true_is_false. intros Hf.
      destruct (duel_at_flying Hf) as (x & (Hx & Hlive & _) & _). pose proof HG1 as (_ & Hp & _).
      destruct (live_in_gap N c p m1 x ltac:(lia) HC HG1 ltac:(lia) Hlive) as (Hs & Hg).
      rewrite shielded_stays in Hdead by assumption. discriminate.
    Qed.

    (* So a duel that has lost a neighbour is worth one half at least. *)
    Lemma dead_worth_half :
      leader (c' @ M) = true -> alive c' p m1 m2 = false -> m1 + m2 < n ->
      (2 * u m1 m2 <= value n m1 m2 (outcome N c p m1 m2 (p + k)))%Q.
    Proof.
      intros Hq Ha Hmn'. unfold outcome. replace ((p + k - p) mod size c)%Z with k
        by (rewrite Z.add_simpl_l, Z.mod_small; lia).
      rewrite Ha, Hq, (proj2 (Nat.ltb_lt _ _) Hmn'). cbn [andb value].
      apply (pot_half n m1 m2 Hm1 Hm2 Hround). cbn [goes_on shielded flying duel_at].
      unfold alive in Ha. rewrite Hq, andb_true_r in Ha. apply andb_false_iff in Ha as [Ha|Ha].
      - right. now apply dead_has_no_bullet.
      - left. apply killer_is_shielded; [|assumption].
        now rewrite Nat2Z.inj_add, Z.add_assoc in Ha.
    Qed.
  End Arc.

  (* Lemma 12: the potential of the three falls by 1/n on average, until u_q or both others die. *)
  Lemma trio_falls :
    (qsum (fun k => value n m1 m2 (outcome N c p m1 m2 (p + k))) (arcs n) + 1 <=
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
    apply noisy_origin in Hno as (Hne & [Hno|(Hno & Hl & _)]); try assumption.
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

  (* The duel as it stands, if the three live. *)
  Definition standing (x : config) : option duel :=
    if alive x p m1 m2 then Some (duel_at x p m1 m2) else None.

  (* From there on the potential falls. *)
  Lemma duel_ends x :
    Swept (m1 + m2) x -> expected_steps_at_most N one_is_dead x (n * (10 * m1 + 8 * m2)).
  Proof.
    intros Hx. pose proof Hx as (_ & _ & En & _). unfold expected_steps_at_most. rewrite En.
    assert (Hm : forall y, alive y p m1 m2 = true -> Swept (m1 + m2) y -> 0 < m1 /\ 0 < m2).
    { intros y Ha Hy. destruct (swept_hushed y Hy Ha) as ((H1 & _) & (H2 & _) & _). now split. }
    assert (Hvalue : forall y, Swept (m1 + m2) y -> (0 <= value n m1 m2 (standing y))%Q).
    { intros y Hy. unfold standing. destruct (alive y p m1 m2) eqn:Ha; [|apply Qle_refl].
      destruct (Hm y Ha Hy). now apply value_pos. }
    apply (drift_potential n (step N) one_is_dead (Swept (m1 + m2))
             (fun y => (q n * value n m1 m2 (standing y))%Q)).
    - intros y i Hy _. now apply swept_closed.
    - intros y Hy. apply Qmult_le_0_compat; [apply q_nonneg|now apply Hvalue].
    - intros y Hy Hd. unfold one_is_dead in Hd. apply negb_false_iff in Hd.
      destruct (Hm y Hd Hy) as [Hm1 Hm2].
      destruct (swept_hushed y Hy Hd) as (HG1 & HG2 & HQ1 & HQ2). destruct Hy as (HV & HC & Ey & _).
      pose proof (trio_falls N y HV HC p m1 m2 HG1 HG2 ltac:(lia) HQ1 HQ2) as Hfall.
      rewrite Ey in Hfall.
      rewrite (qsum_shift (fun e => value n m1 m2 (outcome N y p m1 m2 e))) in Hfall
        by (intros e; rewrite <- Ey; fold (size y); now rewrite outcome_around).
      rewrite qsum_scale. unfold standing at 2. rewrite Hd. cbn [value].
      assert (Hle : (qsum (fun e => value n m1 m2 (standing (step N y e))) (arcs n) <=
                     qsum (fun e => value n m1 m2 (outcome N y p m1 m2 e)) (arcs n))%Q).
      { apply qsum_le. intros e _. unfold standing, outcome.
        destruct (alive (step N y e) p m1 m2); [apply Qle_refl|]. apply value_pos; assumption. }
      apply (Qmult_le_compat_r _ _ (q n)) in Hfall; [|apply q_nonneg].
      apply (Qmult_le_compat_r _ _ (q n)) in Hle; [|apply q_nonneg]. lra.
    - exact Hx.
    - unfold standing. destruct (alive x p m1 m2) eqn:Ha.
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
