(* SPDX-License-Identifier: MIT

   Lemma 13: from C_NI one leader is left within 26 n^2 expected steps.

   Each leader q takes part in the duel of q and its two neighbours, with potential pot_q <= w_q =
   10 m1 + 8 m2. The w_q of all s leaders add up to 18n, so the sum of 1/w_q is at least s^2 / 18n.
   A kill renews the potentials of the two neighbours of the dead leader, and both were at least
   w_q / 2: the left one, who has killed, is shielded; from the dead one no live bullet was on its
   way to the right one. So

     W = 540 (1/23 - 1/(10s + 3)) + (18 / s^2) (sum of pot_q / w_q),    0 in S_RL,

   falls by 1/n^2 on average, and W <= 540/23 < 24. *)

From Coq Require Import List Bool Arith ZArith Lia QArith Lqa.
From Ringleader Require Import Model Step Sets Safe Sums Expect Sweep Quiet Duel Gaps Neighbours
  Trio.
Import ListNotations.
Open Scope Q_scope.

(* ---- The potential --------------------------------------------------------------------------- *)

Definition first_of (c : config) (i : Z) : Z := (i - Z.of_nat (left c i))%Z.

Definition weight (c : config) (i : Z) : Q := 10 * q (left c i) + 8 * q (right c i).

(* pot_q / w_q, now and after arc e, as if no neighbour had died. *)
Definition share (c : config) (i : Z) : Q :=
  value (length c) (left c i) (right c i)
    (Some (duel_at c (first_of c i) (left c i) (right c i))) / weight c i.

Definition share_after (N : nat) (c : config) (e i : Z) : Q :=
  value (length c) (left c i) (right c i)
    (outcome N c (first_of c i) (left c i) (right c i) e) / weight c i.

(* What is kept in store for the kills to come, with s leaders. *)
Definition store (s : Q) : Q := 540 * (1 / 23 - 1 / (10 * s + 3)).

Definition potential (N : nat) (c : config) : Q :=
  if S_RL N c then 0
  else store (q (leaders c)) + 18 / (q (leaders c) * q (leaders c)) * lsum c (share c).

(* ---- Arithmetic ------------------------------------------------------------------------------ *)

Lemma div_le a b x y : 0 < b -> 0 < y -> a * y <= x * b -> a / b <= x / y.
Proof.
  intros Hb Hy H. apply Qle_shift_div_l; [assumption|].
  setoid_replace (a / b * y) with (a * y / b) by (field; lra).
  now apply Qle_shift_div_r.
Qed.

Lemma store_nonneg s : 2 <= s -> 0 <= store s.
Proof.
  intros Hs. unfold store.
  assert (1 / (10 * s + 3) <= 1 / 23) by (apply div_le; lra). lra.
Qed.

(* A kill: the store pays for two duels that are renewed by half, and for the smaller s. *)
Lemma store_pays s before after :
  3 <= s -> 0 <= after -> after <= before + 1 -> after <= s - 1 ->
  store (s - 1) + 18 / ((s - 1) * (s - 1)) * after <= store s + 18 / (s * s) * before.
Proof.
  intros Hs Ha Hab Has.
  assert (Hss : 0 < s * s) by nra. assert (Hss1 : 0 < (s - 1) * (s - 1)) by nra.
  set (y := 1 / ((s - 1) * (s - 1))). set (z := 1 / (s * s)).
  assert (Hz : 0 <= z) by (apply Qle_shift_div_l; lra).
  assert (Hyz : z <= y) by (apply div_le; nra).
  assert (H1 : z * after <= z * (before + 1))
    by (rewrite !(Qmult_comm z); now apply Qmult_le_compat_r).
  assert (H2 : (y - z) * after <= (y - z) * (s - 1)).
  { rewrite !(Qmult_comm (y - z)). apply Qmult_le_compat_r; lra. }
  assert (H3 : (y - z) * (s - 1) + z == (3 * s - 2) / (s * s * (s - 1)))
    by (unfold y, z; field; lra).
  assert (H4 : (3 * s - 2) / (s * s * (s - 1)) <= 300 / ((10 * s - 7) * (10 * s + 3))).
  { apply div_le; [nra|nra|].
    setoid_replace ((3 * s - 2) * ((10 * s - 7) * (10 * s + 3)))
      with (300 * (s * s * (s - 1)) - (20 * s * s - 17 * s - 42)) by ring. nra. }
  assert (H5 : store s - store (s - 1) == 18 * (300 / ((10 * s - 7) * (10 * s + 3)))).
  { unfold store. field. lra. }
  assert (H6 : 18 / ((s - 1) * (s - 1)) == 18 * y) by (unfold y; field; lra).
  assert (H7 : 18 / (s * s) == 18 * z) by (unfold z; field; lra).
  rewrite H6, H7. lra.
Qed.

(* ---- Quiet configurations -------------------------------------------------------------------- *)

(* A quiet ring, and what follows from it. *)
Record Quiet_ring (N : nat) (c : config) : Prop := {
  ring_valid : valid N c;
  ring_quiet : quiet N c = true;
  ring_two : (2 <= length c)%nat;
  ring_some : (0 < length c)%nat;
  ring_C_NI : C_NI N c = true;
  ring_has_leader : Has_leader c
}.

Lemma quiet_ring N c : valid N c -> quiet N c = true -> Quiet_ring N c.
Proof.
  intros HV HQ. assert (Hn : (2 <= length c)%nat) by (destruct HV; lia).
  assert (Hn0 : (0 < length c)%nat) by lia. pose proof (quiet_C_NI _ _ HQ) as HC.
  constructor; try assumption. now apply C_NI_spec in HC.
Qed.

Lemma quiet_ring_step N c e : Quiet_ring N c -> Quiet_ring N (step N c e).
Proof. intros [HV HQ _ _ _ _]. apply quiet_ring; [now apply valid_step|now apply quiet_step]. Qed.

(* Outside of S_RL there are two leaders or more. *)
Lemma many_leaders N c : Quiet_ring N c -> S_RL N c = false -> (2 <= leaders c)%nat.
Proof.
  intros [_ _ _ _ HC Hl] HS. unfold S_RL in HS. rewrite HC in HS. apply Nat.eqb_neq in HS.
  enough (leaders c <> 0)%nat by lia.
  apply has_leader_spec, existsb_exists in Hl as (a & Ha & Hla). unfold ring_leaders. intros E.
  apply length_zero_iff_nil in E. assert (Hin : In a (filter leader c)) by now apply filter_In.
  rewrite E in Hin. exact Hin.
Qed.

Section Quiet.
  Context (N : nat) (c : config) (R : Quiet_ring N c) (Hmany : (2 <= leaders c)%nat).
  Notation n := (length c).

  Lemma gaps_of i :
    leader (c @ i) = true ->
    Gap c (first_of c i) (left c i) /\ Gap c (first_of c i + Z.of_nat (left c i)) (right c i).
  Proof.
    destruct (R) as [_ _ _ Hn0 _ Hl]. intros Hi. unfold first_of. split; [now apply left_gap|].
    replace (i - Z.of_nat (left c i) + Z.of_nat (left c i))%Z with i by lia. now apply right_gap.
  Qed.

  Lemma two_gaps i : leader (c @ i) = true -> (left c i + right c i <= n)%nat.
  Proof.
    intros Hi. destruct (gaps_of i Hi).
    apply (gaps_apart c (first_of c i)); try assumption. apply R.
  Qed.

  Lemma weight_pos i : 0 < weight c i.
  Proof.
    destruct (R) as [_ _ _ Hn0 _ Hl]. destruct (left_next c Hn0 Hl i) as (H1 & _).
    pose proof (q_pos _ H1). pose proof (q_nonneg (right c i)).
    unfold weight. lra.
  Qed.

  (* Once round to the right, and once to the left. *)
  Lemma weight_sum : lsum c (weight c) == 18 * q n.
  Proof.
    destruct (R) as [_ _ _ Hn0 _ Hl].
    unfold weight. rewrite (lsum_plus c (fun i => 10 * q (left c i))), !lsum_scale.
    rewrite (lsum_around c Hn0 (-1) (left c)), (lsum_around c Hn0 1 (right c)); [lra|..].
    - now apply right_next.
    - now apply left_next.
  Qed.

  Lemma share_after_nonneg e i : leader (c @ i) = true -> 0 <= share_after N c e i.
  Proof.
    intros Hi. destruct (gaps_of i Hi) as [H1 H2]. unfold share_after, Qdiv.
    apply Qmult_le_0_compat.
    - apply value_pos; [apply H1|apply H2|now apply two_gaps].
    - apply Qinv_le_0_compat. pose proof (weight_pos i). lra.
  Qed.

  (* A duel is worth at most its weight. *)
  Lemma share_bounds i : leader (c @ i) = true -> 0 <= share c i <= 1.
  Proof.
    intros Hi. destruct (gaps_of i Hi) as [H1 H2]. pose proof (weight_pos i) as Hw.
    set (o := Some (duel_at c (first_of c i) (left c i) (right c i))).
    unfold share. fold o.
    assert (Hle : value (length c) (left c i) (right c i) o <= weight c i).
    { apply (value_bound n _ _ (proj1 H1) (proj1 H2) (two_gaps i Hi)). intros d E.
      injection E as <-.
      apply (duel_at_proper N c (ring_valid N c R)); auto using two_gaps. }
    assert (Hge : 0 <= value (length c) (left c i) (right c i) o)
      by (apply value_pos; [apply H1|apply H2|now apply two_gaps]).
    split; [|apply Qle_shift_div_r; lra]. unfold Qdiv. apply Qmult_le_0_compat; [assumption|].
    apply Qinv_le_0_compat. lra.
  Qed.

  (* Lemma 12, for each leader. *)
  Lemma share_falls i :
    leader (c @ i) = true ->
    qsum (fun e => share_after N c e i) (arcs n) + / weight c i <= q n * share c i.
  Proof.
    destruct (R) as [HV HQ _ Hn0 HC _].
    intros Hi. destruct (gaps_of i Hi) as [H1 H2]. pose proof (weight_pos i) as Hw.
    pose proof (trio_falls N c HV HC (first_of c i) (left c i) (right c i) H1 H2 (two_gaps i Hi)
      (quiet_hushed N c _ _ Hn0 HQ H1) (quiet_hushed N c _ _ Hn0 HQ H2)) as Hfall.
    rewrite (qsum_shift (fun e => value (length c) (left c i) (right c i)
      (outcome N c (first_of c i) (left c i) (right c i) e))) in Hfall.
    - unfold share_after, share, Qdiv. cbn [value].
      rewrite (qsum_eq _ (fun e => / weight c i * value (length c) (left c i) (right c i)
        (outcome N c (first_of c i) (left c i) (right c i) e))) by (intros; ring).
      rewrite qsum_scale.
      assert (Hinv : 0 <= / weight c i) by (apply Qinv_le_0_compat; lra).
      apply (Qmult_le_compat_r _ _ (/ weight c i)) in Hfall; [|assumption]. lra.
    - intros e. fold (size c). now rewrite outcome_around.
  Qed.
End Quiet.

(* ---- A step ---------------------------------------------------------------------------------- *)

Section Step.
  Context (N : nat) (c : config) (R : Quiet_ring N c) (Hmany : (2 <= leaders c)%nat) (e : Z).
  Notation n := (length c).
  Notation c' := (step N c e).
  Notation d := ((e + 1) mod size c)%Z.

  Let R' : Quiet_ring N c'. Proof. now apply quiet_ring_step. Qed.

  Lemma leader_before i : leader (c' @ i) = true -> leader (c @ i) = true.
  Proof. destruct (R) as [HV _ _ _ HC _]. now apply no_new_leader. Qed.

  (* Only the responder can die. *)
  Lemma dies i : leader (c @ i) = true -> leader (c' @ i) = false -> (i mod size c = d)%Z.
  Proof.
    destruct (R) as [HV _ _ _ HC _].
    intros Hi Hi'. destruct (turns N c HV HC e i) as [_ B|Hw _ _|Hw _ _|_ _ B];
      [rewrite B in Hi'; cbn in Hi'; congruence|now symmetry..|congruence].
  Qed.

  (* If all three live, their gaps and the duel are the same as before. *)
  Lemma share_kept i :
    leader (c' @ i) = true -> alive c' (first_of c i) (left c i) (right c i) = true ->
    share c' i = share_after N c e i.
  Proof.
    destruct (R) as [HV _ _ _ HC _], (R') as [_ _ _ Hn' _ Hl'].
    intros Hi Ha. destruct (gaps_of N c R Hmany i (leader_before i Hi)) as [H1 H2].
    unfold share_after, outcome. rewrite Ha.
    unfold alive in Ha. rewrite !andb_true_iff in Ha. destruct Ha as [[Hp Hm] Hr].
    rewrite Nat2Z.inj_add, Z.add_assoc in Hr.
    assert (E1 : left c' i = left c i).
    { apply gap_left; [assumption..|]. now apply gap_stays. }
    assert (E2 : right c' i = right c i).
    { apply gap_right; [assumption..|].
      replace i with (first_of c i + Z.of_nat (left c i))%Z at 1 by (unfold first_of; lia).
      now apply gap_stays. }
    unfold share, weight, first_of. rewrite E1, E2, step_length. reflexivity.
  Qed.

  (* If nobody dies nothing is renewed. *)
  Lemma no_kill :
    (forall i, leader (c' @ i) = leader (c @ i)) ->
    leaders c' = leaders c /\ lsum c' (share c') == lsum c (share_after N c e).
  Proof.
    intros Hsame. split.
    - rewrite !leaders_count, step_length. f_equal. apply filter_ext. exact Hsame.
    - unfold lsum. rewrite step_length. apply qsum_eq. intros i _. rewrite Hsame.
      destruct (leader (c @ i)) eqn:Hi; [|reflexivity].
      rewrite share_kept; [reflexivity|congruence|].
      destruct (gaps_of N c R Hmany i Hi) as [(_ & Hp & Hm & _) (_ & _ & Hr & _)].
      unfold alive. rewrite !Hsame, Hp, Hm, Nat2Z.inj_add, Z.add_assoc, Hr. reflexivity.
  Qed.

  (* Neighbours, too, are numbered modulo n. *)
  Lemma right_mod i : right c (i mod size c) = right c i.
  Proof.
    destruct (R) as [_ _ _ Hn0 _ Hl]. apply (next_unique c 1 i); [|now apply right_next].
    destruct (right_next c Hn0 Hl (i mod size c)) as (Hm & Hr & Hf). rewrite at_mod_add in Hr.
    split; [assumption|]. split; [assumption|]. intros x Hx. specialize (Hf x Hx).
    now rewrite at_mod_add in Hf.
  Qed.

  Lemma left_mod i : left c (i mod size c) = left c i.
  Proof.
    destruct (R) as [_ _ _ Hn0 _ Hl]. apply (next_unique c (-1) i); [|now apply left_next].
    destruct (left_next c Hn0 Hl (i mod size c)) as (Hm & Hr & Hf). rewrite at_mod_add in Hr.
    split; [assumption|]. split; [assumption|]. intros x Hx. specialize (Hf x Hx).
    now rewrite at_mod_add in Hf.
  Qed.

  (* A duel that has lost one of its neighbours is that of the left or the right neighbour of the
     dead. *)
  Lemma renewed i :
    (0 <= i < size c)%Z -> leader (c' @ i) = true ->
    alive c' (first_of c i) (left c i) (right c i) = false ->
    (i = (d + Z.of_nat (right c d)) mod size c \/ i = (d - Z.of_nat (left c d)) mod size c)%Z.
  Proof.
    destruct (R) as [HV _ _ Hn0 _ Hl]. intros Hi0 Hi Ha. pose proof (valid_size N c HV) as Hs.
    pose proof (leader_before i Hi) as Hi1. destruct (gaps_of N c R Hmany i Hi1) as [H1 H2].
    unfold alive in Ha. rewrite !andb_false_iff in Ha.
    replace (first_of c i + Z.of_nat (left c i))%Z with i in * by (unfold first_of; lia).
    destruct Ha as [[Ha|Ha]|Ha]; [|congruence|].
    - left. pose proof (dies _ (proj1 (proj2 H1)) Ha) as E.
      rewrite <- E, right_mod. rewrite Z.add_mod_idemp_l by lia.
      rewrite (gap_right c Hn0 Hl _ _ H1). unfold first_of.
      replace (i - Z.of_nat (left c i) + Z.of_nat (left c i))%Z with i by lia.
      now rewrite Z.mod_small.
    - right. replace (first_of c i + Z.of_nat (left c i + right c i))%Z
        with (i + Z.of_nat (right c i))%Z in Ha by (unfold first_of; lia).
      pose proof (dies _ (proj1 (proj2 (proj2 H2))) Ha) as E.
      rewrite <- E, left_mod. rewrite Zminus_mod_idemp_l.
      assert (Er : left c (i + Z.of_nat (right c i)) = right c i).
      { apply (gap_left c Hn0 Hl).
        now replace (i + Z.of_nat (right c i) - Z.of_nat (right c i))%Z with i by lia. }
      rewrite Er. replace (i + Z.of_nat (right c i) - Z.of_nat (right c i))%Z with i by lia.
      now rewrite Z.mod_small.
  Qed.

  (* In a ring of two leaders one is left. *)
  Lemma other_dies i :
    leader (c' @ i) = true -> alive c' (first_of c i) (left c i) (right c i) = false ->
    (left c i + right c i)%nat = n -> leaders c' = 1%nat.
  Proof.
    intros Hi Ha En. pose proof (ring_two N c R) as Hn. pose proof (leader_before i Hi) as Hi1.
    destruct (gaps_of N c R Hmany i Hi1) as [(H1 & _ & _ & Hf1) (H2 & _ & _ & Hf2)].
    replace (first_of c i + Z.of_nat (left c i))%Z with i in * by (unfold first_of; lia).
    assert (Er : forall x, (Z.of_nat (right c i) + x = size c - Z.of_nat (left c i) + x)%Z)
      by (intros x; unfold size; lia).
    assert (Hdead : leader (c' @ (i + Z.of_nat (right c i))%Z) = false).
    { unfold alive in Ha.
      replace (first_of c i + Z.of_nat (left c i))%Z with i in Ha by (unfold first_of; lia).
      rewrite Hi, andb_true_r in Ha. apply andb_false_iff in Ha as [Ha|Ha].
      - rewrite <- at_around, step_size in Ha.
        replace (first_of c i + size c)%Z with (i + Z.of_nat (right c i))%Z in Ha
          by (unfold first_of, size; lia). exact Ha.
      - now replace (first_of c i + Z.of_nat (left c i + right c i))%Z
          with (i + Z.of_nat (right c i))%Z in Ha by (unfold first_of; lia). }
    apply one_leader_spec; [now rewrite step_length|]. exists i. split; [assumption|].
    rewrite step_size. intros x Hx. apply not_true_is_false. intros Hlx.
    destruct (Z.lt_trichotomy x (Z.of_nat (right c i))) as [H|[H|H]].
    - apply leader_before in Hlx. specialize (Hf2 (Z.to_nat x) ltac:(lia)).
      rewrite Z2Nat.id in Hf2 by lia. congruence.
    - subst x. congruence.
    - apply leader_before in Hlx.
      specialize (Hf1 (Z.to_nat x - right c i)%nat ltac:(unfold size in *; lia)).
      rewrite <- at_around in Hf1.
      replace (first_of c i + Z.of_nat (Z.to_nat x - right c i) + size c)%Z with (i + x)%Z in Hf1
        by (unfold first_of, size; lia). congruence.
  Qed.

  (* With two leaders left, a duel that has lost a neighbour was worth half of its weight. *)
  Lemma renewed_half i :
    (2 <= leaders c')%nat -> leader (c' @ i) = true ->
    alive c' (first_of c i) (left c i) (right c i) = false -> (1 # 2) <= share_after N c e i.
  Proof.
    destruct (R) as [HV HQ _ Hn0 HC _].
    intros Hmany' Hi Ha. pose proof (leader_before i Hi) as Hi1.
    destruct (gaps_of N c R Hmany i Hi1) as [H1 H2].
    pose proof (two_gaps N c R Hmany i Hi1) as Hround.
    assert (Hlt : (left c i + right c i < n)%nat).
    { apply Nat.lt_eq_cases in Hround as [|E]; [assumption|]. apply other_dies in E; lia || auto. }
    destruct (arc_from N c HV (first_of c i) e) as (k & Hk & Em & Es).
    pose proof (dead_worth_half N c HV HC (first_of c i) (left c i) (right c i) H1 H2 Hround
      (quiet_hushed N c _ _ Hn0 HQ H2) k Hk) as Hhalf.
    rewrite <- Es in Hhalf.
    replace (first_of c i + Z.of_nat (left c i))%Z with i in Hhalf at 1
      by (unfold first_of; lia).
    specialize (Hhalf Hi Ha Hlt). rewrite (outcome_same N c HV _ _ _ _ e) in Hhalf
      by (symmetry; exact Em).
    unfold share_after. pose proof (weight_pos N c R i).
    apply Qle_shift_div_l; [assumption|]. unfold weight. unfold u in Hhalf. lra.
  Qed.

  (* A kill: one leader less, and the two neighbours of the dead one have new duels. *)
  Lemma one_kill i0 :
    leader (c @ i0) = true -> leader (c' @ i0) = false ->
    leaders c = S (leaders c') /\
      ((2 <= leaders c')%nat -> lsum c' (share c') <= lsum c (share_after N c e) + 1).
  Proof.
    intros H0 H0'. pose proof (valid_size N c (ring_valid N c R)) as Hs.
    pose proof (dies i0 H0 H0') as E0.
    assert (Hmod : forall i, In (i mod size c)%Z (arcs n)).
    { intros i. apply in_arcs. apply (Z.mod_pos_bound i (size c)). lia. }
    assert (Hd : leader (c @ d) = true) by now rewrite <- E0, at_mod.
    assert (Hd' : leader (c' @ d) = false).
    { rewrite <- E0. rewrite <- (step_size N c e) at 1. now rewrite at_mod. }
    split.
    - enough (H : q (leaders c) == q (leaders c') + 1).
      { rewrite <- q_S in H. apply Nat.le_antisymm; apply q_le_inv; lra. }
      rewrite <- !lsum_one. rewrite <- (qsum_indicator d (arcs n) (arcs_NoDup n) (Hmod (e + 1)%Z)).
      unfold lsum. rewrite step_length, <- qsum_plus. apply qsum_eq. intros i Hi.
      apply in_arcs in Hi.
      destruct (Z.eqb_spec i d) as [->|Hne]; [rewrite Hd, Hd'; lra|].
      destruct (leader (c @ i)) eqn:El, (leader (c' @ i)) eqn:El'; try lra; exfalso.
      + apply Hne. rewrite <- (dies i El El'). symmetry. apply Z.mod_small. exact Hi.
      + rewrite (leader_before i El') in El. discriminate.
    - intros Hmany'. set (a := ((d + Z.of_nat (right c d)) mod size c)%Z).
      set (b := ((d - Z.of_nat (left c d)) mod size c)%Z).
      pose proof (qsum_indicator a (arcs n) (arcs_NoDup n) (Hmod _)) as Ha.
      pose proof (qsum_indicator b (arcs n) (arcs_NoDup n) (Hmod _)) as Hb.
      setoid_replace 1 with ((1 # 2) * 1 + (1 # 2) * 1) by reflexivity.
      rewrite <- Ha at 1. rewrite <- Hb, <- !qsum_scale.
      unfold lsum. rewrite step_length, <- !qsum_plus. apply qsum_le. intros i Hi.
      apply in_arcs in Hi.
      assert (Hrest : 0 <= if leader (c @ i) then share_after N c e i else 0).
      { destruct (leader (c @ i)) eqn:El; [now apply (share_after_nonneg N)|lra]. }
      destruct (leader (c' @ i)) eqn:El'.
      + destruct (alive c' (first_of c i) (left c i) (right c i)) eqn:Ealive.
        * rewrite (share_kept i El' Ealive), (leader_before i El').
          destruct (i =? a)%Z, (i =? b)%Z; lra.
        * assert (Hone : share c' i <= 1).
          { now apply (share_bounds N c'). }
          rewrite (leader_before i El'). pose proof (renewed_half i Hmany' El' Ealive) as Hhalf.
          destruct (renewed i Hi El' Ealive) as [Ea|Eb].
          -- rewrite (proj2 (Z.eqb_eq i a) Ea). destruct (i =? b)%Z; lra.
          -- rewrite (proj2 (Z.eqb_eq i b) Eb). destruct (i =? a)%Z; lra.
      + destruct (i =? a)%Z, (i =? b)%Z; lra.
  Qed.

  (* Whoever dies or not, the potential is at most what it would be if the dead duels were at 0. *)
  Lemma potential_after :
    potential N c' <= store (q (leaders c)) +
      18 / (q (leaders c) * q (leaders c)) * lsum c (share_after N c e).
  Proof.
    assert (Hs : 2 <= q (leaders c)) by (change 2 with (q 2); now apply q_le).
    assert (Hafter : 0 <= lsum c (share_after N c e)).
    { apply lsum_nonneg. intros i Hi. now apply (share_after_nonneg N). }
    unfold potential. destruct (S_RL N c') eqn:HS'.
    - pose proof (store_nonneg _ Hs). set (s := q (leaders c)) in *.
      assert (0 <= 18 / (s * s) * lsum c (share_after N c e)); [|lra].
      apply Qmult_le_0_compat; [|assumption]. apply Qle_shift_div_l; nra.
    - pose proof (many_leaders N c' R' HS') as Hmany'.
      destruct (existsb (fun i => leader (c @ i) && negb (leader (c' @ i))) (arcs n)) eqn:Ek.
      + apply existsb_exists in Ek as (i & _ & Hi). apply andb_true_iff in Hi as [Hi Hi'].
        apply negb_true_iff in Hi'. destruct (one_kill i Hi Hi') as [Eq Hsum].
        specialize (Hsum Hmany').
        assert (Eq' : q (leaders c') == q (leaders c) - 1) by (rewrite Eq, q_S; lra).
        assert (Hs' : 2 <= q (leaders c')) by (change 2 with (q 2); now apply q_le).
        assert (Hle : lsum c' (share c') <= q (leaders c')).
        { rewrite <- lsum_one. apply lsum_le. intros j Hj. now apply (share_bounds N c'). }
        assert (Hge : 0 <= lsum c' (share c')).
        { apply lsum_nonneg. intros j Hj. now apply (share_bounds N c'). }
        assert (Hstore : store (q (leaders c')) == store (q (leaders c) - 1)).
        { unfold store. now rewrite Eq'. }
        rewrite Hstore, Eq'. apply store_pays; lra.
      + assert (Hsame : forall i, leader (c' @ i) = leader (c @ i)).
        { intros i. pose proof (ring_some N c R) as Hn0.
          assert (Hi : In (i mod size c)%Z (arcs n)) by (apply in_arcs, Z.mod_pos_bound; lia).
          destruct (leader (c @ i)) eqn:El, (leader (c' @ i)) eqn:El'; try reflexivity; exfalso.
          - rewrite <- not_true_iff_false, existsb_exists in Ek. apply Ek. exists (i mod size c)%Z.
            split; [assumption|]. rewrite at_mod, El. rewrite <- (step_size N c e), at_mod, El'.
            reflexivity.
          - rewrite (leader_before i El') in El. discriminate. }
        destruct (no_kill Hsame) as [-> ->]. lra.
  Qed.
End Step.

(* ---- Lemma 13 -------------------------------------------------------------------------------- *)

Lemma potential_nonneg N c : Quiet_ring N c -> 0 <= potential N c.
Proof.
  intros R. unfold potential. destruct (S_RL N c) eqn:HS; [lra|].
  pose proof (many_leaders N c R HS) as Hmany.
  assert (Hs : 2 <= q (leaders c)) by (change 2 with (q 2); now apply q_le).
  pose proof (store_nonneg _ Hs). set (s := q (leaders c)) in *.
  assert (0 <= 18 / (s * s) * lsum c (share c)); [|lra].
  apply Qmult_le_0_compat; [apply Qle_shift_div_l; nra|].
  apply lsum_nonneg. intros i Hi. now apply (share_bounds N).
Qed.

(* The shares of s leaders are at most s, and 18/s is less than what the store lacks of 540/23. *)
Lemma potential_bound N c : Quiet_ring N c -> potential N c <= 540 # 23.
Proof.
  intros R. unfold potential. destruct (S_RL N c) eqn:HS; [lra|].
  pose proof (many_leaders N c R HS) as Hmany.
  assert (Hs : 2 <= q (leaders c)) by (change 2 with (q 2); now apply q_le).
  assert (Hle : lsum c (share c) <= q (leaders c)).
  { rewrite <- lsum_one. apply lsum_le. intros i Hi. now apply (share_bounds N). }
  set (s := q (leaders c)) in *.
  assert (H1 : 18 / (s * s) * lsum c (share c) <= 18 / (s * s) * s).
  { rewrite !(Qmult_comm (18 / (s * s))). apply Qmult_le_compat_r; [assumption|].
    apply Qle_shift_div_l; nra. }
  assert (H2 : 18 / (s * s) * s == 18 / s) by (field; lra).
  assert (H3 : 18 / s <= 540 / (10 * s + 3)) by (apply div_le; lra).
  assert (H4 : store s == (540 # 23) - 540 / (10 * s + 3)) by (unfold store; field; lra).
  lra.
Qed.

(* The potential falls by 1/n^2 on average: add up potential_after over the arcs and share_falls
   over the leaders. *)
Lemma potential_falls N c :
  Quiet_ring N c -> S_RL N c = false ->
  qsum (fun e => potential N (step N c e)) (arcs (length c)) + / q (length c) <=
  q (length c) * potential N c.
Proof.
  intros R HS. pose proof (ring_some N c R) as Hn. pose proof (many_leaders N c R HS) as Hmany.
  assert (Hs : 2 <= q (leaders c)) by (change 2 with (q 2); now apply q_le).
  pose proof (q_pos _ Hn) as Hqn.
  set (s := q (leaders c)) in *. set (n := length c) in *. set (z := 18 / (s * s)).
  assert (Hz : 0 <= z) by (apply Qle_shift_div_l; nra).
  assert (Hsum : qsum (fun e => potential N (step N c e)) (arcs n) <=
                 q n * store s + z * qsum (fun e => lsum c (share_after N c e)) (arcs n)).
  { rewrite <- qsum_scale. rewrite <- (arcs_length n) at 2. rewrite (Qmult_comm (q _)).
    rewrite <- qsum_const, <- qsum_plus. apply qsum_le. intros e _. now apply potential_after. }
  assert (Hfall : qsum (fun e => lsum c (share_after N c e)) (arcs n) +
                  lsum c (fun i => / weight c i) <= q n * lsum c (share c)).
  { rewrite <- lsum_scale. unfold lsum at 1. rewrite qsum_swap.
    apply Qle_trans with (lsum c (fun i =>
      qsum (fun e => share_after N c e i) (arcs n) + / weight c i)).
    - rewrite lsum_plus. apply Qplus_le_l. unfold lsum. apply qsum_le. intros i _.
      destruct (leader (c @ i)); [lra|]. rewrite qsum_const. lra.
    - apply lsum_le. intros i Hi. now apply share_falls. }
  assert (Hmean : s * s / (18 * q n) <= lsum c (fun i => / weight c i)).
  { apply harmonic; [lra| |now apply (weight_sum N)]. intros i _. now apply (weight_pos N). }
  assert (H1 : z * (s * s / (18 * q n)) == / q n) by (unfold z; field; lra).
  assert (H2 : z * (s * s / (18 * q n)) <= z * lsum c (fun i => / weight c i)).
  { rewrite !(Qmult_comm z). now apply Qmult_le_compat_r. }
  assert (H3 : z * (qsum (fun e => lsum c (share_after N c e)) (arcs n) +
                    lsum c (fun i => / weight c i)) <= z * (q n * lsum c (share c))).
  { rewrite !(Qmult_comm z). now apply Qmult_le_compat_r. }
  unfold potential at 2. rewrite HS. fold s z. lra.
Qed.

(* From quiet configurations. *)
Lemma quiet_to_S_RL N c :
  valid N c -> quiet N c = true ->
  expected_steps_at_most N (S_RL N) c (24 * (length c * length c)).
Proof.
  intros HV HQ. unfold expected_steps_at_most. set (n := length c).
  assert (Hqn : 0 < q n) by (apply q_pos; destruct HV; lia).
  apply (drift_potential n (step N) (S_RL N)
    (fun x => Quiet_ring N x /\ length x = n) (fun x => q n * q n * potential N x)).
  - intros x i (Rx & Ex) _. split; [now apply quiet_ring_step|now rewrite step_length].
  - intros x (Rx & _). pose proof (potential_nonneg N x Rx).
    apply Qmult_le_0_compat; [nra|assumption].
  - intros x (Rx & Ex) HS. pose proof (potential_falls N x Rx HS) as Hfall.
    rewrite Ex in Hfall. rewrite qsum_scale.
    assert (Hnn : 0 <= q n * q n) by nra.
    apply (Qmult_le_compat_r _ _ (q n * q n)) in Hfall; [|assumption].
    setoid_replace (q n * (q n * q n * potential N x))
      with (q n * potential N x * (q n * q n)) by ring.
    eapply Qle_trans; [|exact Hfall]. apply Qle_lteq. right. field. lra.
  - split; [now apply quiet_ring|reflexivity].
  - pose proof (potential_bound N c (quiet_ring N c HV HQ)) as HB. fold n.
    rewrite !q_mul. change (q 24) with 24.
    apply (Qmult_le_compat_r _ _ (q n * q n)) in HB; [|nra]. nra.
Qed.

(* Lemma 13. From every configuration of C_NI, S_RL is reached within 26 n^2 steps in
   expectation. *)
Theorem lemma_13 N c :
  valid N c -> C_NI N c = true ->
  expected_steps_at_most N (S_RL N) c (26 * (length c * length c)).
Proof.
  intros HV HC.
  assert (H : expected_steps_at_most N (S_RL N) c
                (length c * (2 * length c - 1 + 24 * length c))).
  { apply (phases N (quiet N) (S_RL N) _ _ c HV (reaches_quiet N c HV HC)).
    intros x HVx Ex HQ k. pose proof (quiet_to_S_RL N x HVx HQ k) as Hx. rewrite Ex in *.
    now replace (length c * (24 * length c))%nat with (24 * (length c * length c))%nat by lia. }
  intros k. specialize (H k). eapply Nat.le_trans; [exact H|]. apply Nat.mul_le_mono_r. nia.
Qed.
