(* SPDX-License-Identifier: MIT

   Lemmas 2, 3 and 4: peaceful bullets stay peaceful and modest ones modest, and new ones are both.

   Both kinds are treated at once: a stretch is [Guarded m] if it is calm and, where m is true, also
   humble. *)

From Coq Require Import List Bool Arith ZArith Lia.
From Ringleader Require Import Model Step Sets Bullets.
Open Scope Z_scope.

Definition Guarded (m : bool) (c : config) (p d : Z) : Prop :=
  Calm c p d /\ (m = true -> Humble c p d).

(* The bullet at u_i has a guarded stretch from its nearest left leader. *)
Definition Good (m : bool) (c : config) (i : Z) : Prop :=
  exists d, 0 <= d < size c /\ Guarded m c (i - d) d.

(* Guarded without humility is peaceful, with it modest. *)
Lemma good_peaceful c i : Good false c i <-> Peaceful c i.
Proof.
  split; intros (d & Hd & H); exists d; (split; [assumption|]); [apply H | split;
    [assumption | easy]].
Qed.

Lemma good_modest c i : Good true c i <-> Modest c i.
Proof.
  split; intros (d & Hd & Hc & Hh); exists d; (split; [assumption|]); split; auto.
Qed.

(* Both can be decided. *)
Lemma good_dec m c i : Good m c i \/ ~ Good m c i.
Proof.
  destruct m; [rewrite good_modest, <- modest_spec | rewrite good_peaceful, <- peaceful_spec].
  - destruct (modest c i); auto.
  - destruct (peaceful c i); auto.
Qed.

Section OneStep.
  Context (N : nat) (c : config) (HV : valid N c).

  (* A shielded leader without a signal is not killed: it cannot fire a dummy, which would take its
     shield, in the same step. *)
  Lemma shielded_stays i p :
    leader (c @ p) = true -> shield (c @ p) = true -> signal (c @ p) = false ->
    leader (step N c i @ p) = true.
  Proof.
    intros Hl Hs Hg. destruct (step_roles N c HV i p) as [_ ->|_ ->|_ _ ->];
      [assumption| |assumption].
    rewrite responder_leader by assumption. cbn. rewrite Hs, Hg. apply orb_true_r.
  Qed.

  Section Stretch.
    Context (m : bool) (p d : Z) (Hd : 0 <= d < size c) (HG : Guarded m c p d).

    (* In a humble stretch nobody is created: dist is too small. *)
    Lemma humble_not_created x :
      m = true -> 0 <= x < d -> dist_r N (c @ (p + x)) (c @ (p + x + 1)) <> N.
    Proof.
      intros Em Hx. pose proof (valid_size N c HV) as Hs. destruct HG as (_ & Hh).
      specialize (Hh Em).
      pose proof (Hh x ltac:(lia)) as H0. pose proof (Hh (x + 1) ltac:(lia)) as H1.
      rewrite Z.add_assoc in H1. pose proof (dist_l_le (c @ (p + x))). unfold dist_r.
      destruct (is_bullet _); lia.
    Qed.

    Section Arc.
      Context (k : Z) (Hk : 0 <= k < size c).
      Notation c' := (step N c (p + k)).

      (* An arc within the stretch that makes a new leader: from there on it is guarded. *)
      Lemma stretch_cut :
        k < d -> dist_r N (c @ (p + k)) (c @ (p + k + 1)) = N ->
        Guarded m c' (p + (k + 1)) (d - (k + 1)).
      Proof.
        intros Hlt Ec. destruct HG as ((Hl & Hsh & Hf & Hg) & Hh).
        assert (Hm : m <> true) by (intros E; now apply (humble_not_created k E)).
        split; [|congruence].
        assert (Hlr : leader (c @ (p + k + 1)) = false) by (rewrite <- Z.add_assoc; apply Hf; lia).
        assert (H0 : c' @ (p + (k + 1)) = new_leader).
        { rewrite step_from by (assumption || lia). replace (k + 1 =? k) with false by lia.
          rewrite Z.eqb_refl. cbn [orb]. now apply responder_created. }
        assert (H1 : forall x, 0 < x <= d - (k + 1) ->
                               c' @ (p + (k + 1) + x) = c @ (p + (k + 1) + x)).
        { intros x Hx. rewrite <- Z.add_assoc, step_from by (assumption || lia).
          replace (k + 1 + x =? k) with false by lia.
          replace (k + 1 + x =? k + 1) with false by lia.
          replace (k + 1 + x =? 0) with false by lia. reflexivity. }
        unfold Calm. rewrite H0. repeat split.
        - intros x Hx. rewrite H1, <- Z.add_assoc by assumption. apply Hf. lia.
        - intros x Hx. destruct (Z.eq_dec x 0) as [->|]; [now rewrite Z.add_0_r, H0|].
          rewrite H1, <- Z.add_assoc by lia. apply Hg. lia.
      Qed.

      (* Another arc within the stretch changes nothing that matters. *)
      Lemma stretch_inside :
        k < d -> dist_r N (c @ (p + k)) (c @ (p + k + 1)) <> N -> Guarded m c' p d.
      Proof.
        intros Hlt Ec. destruct HG as ((Hl & Hsh & Hf & Hg) & Hh).
        assert (Hlr : leader (c @ (p + k + 1)) = false) by (rewrite <- Z.add_assoc; apply Hf; lia).
        assert (Hgr : signal (c @ (p + k + 1)) = false) by (rewrite <- Z.add_assoc; apply Hg; lia).
        assert (H : forall x, 0 <= x <= d ->
                  let a := c' @ (p + x) in
                  leader a = leader (c @ (p + x)) /\ signal a = false /\
                  (x = 0 -> shield a = true) /\
                  (m = true -> Z.of_nat (dist a) <= x)).
        { intros x Hx. cbn zeta. rewrite step_from by (assumption || lia).
          rewrite (responder_passed N _ _ Hlr Ec).
          destruct (Z.eqb_spec x k) as [->|Hxk].
          { unfold initiator. rewrite (responder_passed N _ _ Hlr Ec). cbn.
            rewrite (Hg k), Hgr by lia.
            rewrite !andb_false_r. repeat split.
            - intros ->. rewrite Z.add_0_r, Hsh. apply orb_true_r.
            - intros Em. specialize (Hh Em k ltac:(lia)).
              pose proof (dist_l_le (c @ (p + k))). lia. }
          destruct (Z.eqb_spec x (k + 1)) as [->|Hxk1]; cbn [orb].
          { cbn [passed_follower leader signal shield dist]. rewrite Hgr, andb_false_r, Hf by lia.
            repeat split; [lia|]. intros Em.
            pose proof (Hh Em k ltac:(lia)) as H0. pose proof (Hh Em (k + 1) ltac:(lia)) as H1.
            rewrite Z.add_assoc in H1. pose proof (dist_l_le (c @ (p + k))). unfold dist_r.
            destruct (is_bullet _); lia. }
          replace (k =? size c - 1) with false by lia. rewrite andb_false_r.
          repeat split; [now apply Hg | intros ->; now rewrite Z.add_0_r | intros Em;
            now apply Hh]. }
        split; [unfold Calm; repeat split|].
        - destruct (H 0 ltac:(lia)) as (E & _). now rewrite Z.add_0_r in E; rewrite E.
        - destruct (H 0 ltac:(lia)) as (_ & _ & E & _). rewrite Z.add_0_r in E. now apply E.
        - intros x Hx. destruct (H x ltac:(lia)) as (E & _). rewrite E. now apply Hf.
        - intros x Hx. now destruct (H x Hx) as (_ & E & _).
        - intros Em x Hx. destruct (H x Hx) as (_ & _ & _ & E). now apply E.
      Qed.

      (* Nor does one beyond it; the leader may be its responder. *)
      Lemma stretch_outside : d < k -> Guarded m c' p d.
      Proof.
        intros Hge. destruct HG as ((Hl & Hsh & Hf & Hg) & Hh).
        assert (H : forall x, 0 < x <= d -> c' @ (p + x) = c @ (p + x)).
        { intros x Hx. rewrite step_from by (assumption || lia). replace (x =? k) with false by lia.
          replace (x =? k + 1) with false by lia. now replace (x =? 0) with false by lia. }
        assert (H0 : let a := c' @ p in
                  leader a = true /\ shield a = true /\ signal a = false /\
                  (dist a <= dist (c @ p))%nat).
        { cbn zeta. pose proof (step_from N c HV p k 0 Hk ltac:(lia)) as E.
          rewrite Z.add_0_r in E. rewrite E.
          specialize (Hg 0 ltac:(lia)). rewrite Z.add_0_r in Hg.
          replace (0 =? k) with false by lia. replace (0 =? k + 1) with false by lia.
          rewrite Z.eqb_refl. cbn [orb andb]. destruct (Z.eqb_spec k (size c - 1)) as [->|_];
            [|auto].
          replace (p + (size c - 1) + 1) with (p + size c) by lia. rewrite at_around.
          rewrite (responder_leader N) by assumption. cbn. rewrite Hg, Hsh. cbn.
          rewrite orb_true_r. repeat split. lia. }
        destruct H0 as (Hl0 & Hs0 & Hg0 & Hd0). split; [unfold Calm; repeat split|]; try assumption.
        - intros x Hx. rewrite H by assumption. now apply Hf.
        - intros x Hx. destruct (Z.eq_dec x 0) as [->|]; [now rewrite Z.add_0_r|].
          rewrite H by lia. apply Hg. lia.
        - intros Em x Hx. specialize (Hh Em x Hx). destruct (Z.eq_dec x 0) as [->|].
          + rewrite Z.add_0_r in *. lia.
          + now rewrite H by lia.
      Qed.

      (* So an arc that does not move the bullet at its end leaves the stretch guarded, or its
         rest from a new leader on. *)
      Lemma stretch_stays : k <> d -> exists x, 0 <= x <= d /\ Guarded m c' (p + x) (d - x).
      Proof.
        intros Hkd. destruct (Z_lt_dec k d) as [Hlt|Hge].
        - destruct (Nat.eq_dec (dist_r N (c @ (p + k)) (c @ (p + k + 1))) N) as [Ec|Ec].
          + exists (k + 1). split; [lia|]. now apply stretch_cut.
          + exists 0. split; [lia|]. rewrite Z.add_0_r, Z.sub_0_r. now apply stretch_inside.
        - exists 0. split; [lia|]. rewrite Z.add_0_r, Z.sub_0_r. apply stretch_outside. lia.
      Qed.
    End Arc.

    (* A bullet that moves on makes its stretch longer. *)
    Lemma stretch_grows :
      is_bullet (bullet (c @ (p + d))) = true -> open_to N c (p + d + 1) ->
      d + 1 < size c /\ Guarded m (step N c (p + d)) p (d + 1).
    Proof.
      intros Hb Ho. pose proof (valid_size N c HV) as Hs.
      destruct HG as ((Hl & Hsh & Hf & Hg) & Hh).
      assert (Hd1 : d + 1 < size c).
      { destruct (Z.eq_dec (d + 1) (size c)) as [E|]; [|lia]. exfalso. destruct Ho as (Hlo & _).
        rewrite <- Z.add_assoc, E, at_around in Hlo. congruence. }
      split; [assumption|].
      pose proof (open_passed N c _ Ho) as Hr. replace (p + d + 1 - 1) with (p + d) in Hr by lia.
      assert (Hbl : is_bullet (bullet_l (c @ (p + d))) = true)
        by (unfold bullet_l; now destruct (fires _)).
      assert (H : forall x, 0 <= x <= d + 1 ->
                let a := step N c (p + d) @ (p + x) in
                leader a = (if x <=? d then leader (c @ (p + x)) else false) /\ signal a = false /\
                (x = 0 -> shield a = true) /\ (m = true -> Z.of_nat (dist a) <= x)).
      { intros x Hx. cbn zeta. rewrite (step_from N c HV) by lia. unfold initiator. rewrite Hr, Hbl.
        destruct (Z.eqb_spec x d) as [->|Hxd].
        { rewrite Z.leb_refl. cbn. rewrite Hg by lia. rewrite andb_false_r. repeat split.
          - intros ->. rewrite Z.add_0_r, Hsh. apply orb_true_r.
          - intros Em. specialize (Hh Em d ltac:(lia)). pose proof (dist_l_le (c @ (p + d))). lia. }
        destruct (Z.eqb_spec x (d + 1)) as [->|Hxd1]; cbn [orb].
        { replace (d + 1 <=? d) with false by lia. cbn [leader signal shield dist negb andb].
          repeat split; [lia|].
          intros Em. specialize (Hh Em d ltac:(lia)). pose proof (dist_l_le (c @ (p + d))). lia. }
        replace (d =? size c - 1) with false by lia. rewrite andb_false_r.
        replace (x <=? d) with true by lia.
        repeat split; [apply Hg; lia | intros ->; now rewrite Z.add_0_r | intros Em; apply Hh;
          [assumption|lia]]. }
      split; [unfold Calm; repeat split|].
      - destruct (H 0 ltac:(lia)) as (E & _). replace (0 <=? d) with true in E by lia.
        rewrite Z.add_0_r in E. now rewrite E.
      - destruct (H 0 ltac:(lia)) as (_ & _ & E & _). rewrite Z.add_0_r in E. now apply E.
      - intros x Hx. destruct (H x ltac:(lia)) as (E & _). rewrite E.
        destruct (x <=? d) eqn:Ex; [apply Hf; lia | reflexivity].
      - intros x Hx. now destruct (H x Hx) as (_ & E & _).
      - intros Em x Hx. destruct (H x Hx) as (_ & _ & _ & E). now apply E.
    Qed.
  End Stretch.

  Context (m : bool).

  (* A good bullet that waits stays good. *)
  Lemma good_waits i j :
    Good m c j -> i mod size c <> j mod size c -> Good m (step N c i) j.
  Proof.
    intros (d & Hd & HG) Hi. pose proof (valid_size N c HV) as Hs.
    destruct (arc_from N c HV (j - d) i) as (k & Hk & Ei & Es).
    assert (Hkd : k <> d) by (intros ->; apply Hi; rewrite Ei; f_equal; lia).
    destruct (stretch_stays m (j - d) d Hd HG k Hk Hkd) as (x & Hx & HG').
    exists (d - x). rewrite step_size, Es. split; [lia|].
    now replace (j - (d - x)) with (j - d + x) by lia.
  Qed.

  (* A good bullet that moves stays good. *)
  Lemma good_moves j :
    Good m c j -> is_bullet (bullet (c @ j)) = true -> open_to N c (j + 1) ->
    Good m (step N c j) (j + 1).
  Proof.
    intros (d & Hd & HG) Hb Ho. replace j with (j - d + d) in Hb, Ho by lia.
    destruct (stretch_grows m (j - d) d Hd HG Hb Ho) as (Hd' & HG').
    exists (d + 1). rewrite step_size. split; [lia|].
    replace (j - d + d) with j in HG' by lia. now replace (j + 1 - (d + 1)) with (j - d) by lia.
  Qed.

  (* A bullet fired live is good: the leader is next to it, shielded and without a signal. *)
  Lemma good_fired j :
    fires (c @ j) = true -> open_to N c (j + 1) -> Good m (step N c j) (j + 1).
  Proof.
    intros Hf Ho. pose proof (valid_size N c HV) as Hs. pose proof (open_passed N c _ Ho) as Hr.
    replace (j + 1 - 1) with j in Hr by lia.
    assert (Hl : leader (c @ j) = true) by (unfold fires in Hf; destruct (leader (c @ j)); auto).
    assert (Hb : bullet_l (c @ j) = Live) by (unfold bullet_l; now rewrite Hf).
    assert (E0 : step N c j @ j = Agent true Nothing true false 0).
    { rewrite step_initiator by assumption. unfold initiator, dist_l. rewrite Hr, Hb, Hf, Hl.
      reflexivity. }
    assert (E1 : step N c j @ (j + 1) = Agent false Live (shield (c @ (j + 1))) false 1).
    { rewrite step_responder by assumption. rewrite Hr, Hb. unfold dist_l. rewrite Hl. reflexivity.
      }
    exists 1. rewrite step_size. replace (j + 1 - 1) with j by lia. split; [lia|].
    assert (Hx : forall x, 0 <= x <= 1 -> x = 0 \/ x = 1) by lia.
    split; [unfold Calm; rewrite E0; repeat split; intros x Hx'|intros _ x Hx'].
    - replace x with 1 by lia. now rewrite E1.
    - destruct (Hx x Hx') as [->| ->]; [now rewrite Z.add_0_r, E0 | now rewrite E1].
    - destruct (Hx x Hx') as [->| ->]; [rewrite Z.add_0_r, E0 | rewrite E1]; cbn; lia.
  Qed.

  (* So is that of a new leader. *)
  Lemma good_new i j : step N c i @ j = new_leader -> Good m (step N c i) j.
  Proof.
    intros E. pose proof (valid_size N c HV) as Hs. exists 0. rewrite step_size, Z.sub_0_r.
    split; [lia|]. split; [unfold Calm; rewrite E; repeat split; intros x Hx|intros _ x Hx].
    - lia.
    - replace x with 0 by lia. now rewrite Z.add_0_r, E.
    - replace x with 0 by lia. rewrite Z.add_0_r, E. cbn. lia.
  Qed.

  (* After a step, a live bullet is good, or is the same as a live one that was not good before. *)
  Lemma good_origin i j :
    bullet (step N c i @ j) = Live ->
    Good m (step N c i) j \/
    (i mod size c <> j mod size c /\ bullet (c @ j) = Live /\ ~ Good m c j) \/
    (step N c i = step N c (j - 1) /\ open_to N c j /\ bullet (c @ (j - 1)) = Live /\
     ~ Good m c (j - 1)).
  Proof.
    intros Hb. assert (Hb' : is_bullet (bullet (step N c i @ j)) = true) by now rewrite Hb.
    destruct (origin_of N c HV i j Hb') as [Hi Hh Es|Es Ho Hf Hh E|Es Ho Hf|Es Hf E|Es Hc E].
    - destruct (good_dec m c j) as [HG|HG]; [left; now apply good_waits|].
      right. left. rewrite Hb in Es. auto.
    - rewrite Hb in E. destruct (good_dec m c (j - 1)) as [HG|HG]; [left | right; right; auto].
      rewrite Es. pose proof (good_moves (j - 1)) as H. replace (j - 1 + 1) with j in H by lia.
      auto.
    - left. rewrite Es. pose proof (good_fired (j - 1)) as H.
      replace (j - 1 + 1) with j in H by lia.
      auto.
    - congruence.
    - left. now apply good_new.
  Qed.

  (* While every live bullet is good, some leader stays: who is killed is killed by a live
     bullet, and that has a shielded leader on its left, which is not killed in the same step. *)
  Lemma leader_stays i :
    (forall j, bullet (c @ j) = Live -> Good m c j) -> Has_leader c -> Has_leader (step N c i).
  Proof.
    intros HG (q & Hq). destruct (leader (step N c i @ q)) eqn:E; [now exists q|].
    destruct (step_roles N c HV i q) as [_ B|Es B|_ _ B]; rewrite B in E; [cbn in E;
      congruence| |congruence].
    rewrite responder_leader in E by assumption. cbn in E. apply orb_false_iff in E.
    destruct E as (E & _).
    apply negb_false_iff, is_live_spec in E. unfold bullet_l in E.
    destruct (fires (c @ (q - 1))) eqn:Ef.
    - exists (q - 1). rewrite Es, step_initiator by assumption. cbn. unfold fires in Ef.
      now destruct (leader (c @ (q - 1))).
    - destruct (HG _ E) as (d & Hd & (Hl & Hs & _ & Hg) & _).
      specialize (Hg 0 ltac:(lia)). rewrite Z.add_0_r in Hg.
      exists (q - 1 - d). now apply shielded_stays.
  Qed.
End OneStep.

(* There is a leader, and every live bullet is good. *)
Definition All_good (m : bool) (c : config) : Prop :=
  Has_leader c /\ forall j, bullet (c @ j) = Live -> Good m c j.

(* By what is said above of bullets and of leaders. *)
Lemma all_good_step m N c i : valid N c -> All_good m c -> All_good m (step N c i).
Proof.
  intros HV (Hl & HG). split; [now apply (leader_stays N c HV m)|].
  intros j Hj. destruct (good_origin N c HV m i j Hj) as [H|[(_ & H & Hn)|(_ & _ & H & Hn)]];
    [assumption | destruct Hn; now apply HG ..].
Qed.

(* Of peaceful bullets, this is C_PB. *)
Lemma all_good_C_PB c : (0 < length c)%nat -> C_PB c = true <-> All_good false c.
Proof.
  intros Hn. rewrite C_PB_spec by assumption. unfold All_good.
  split; intros (Hl & H); (split; [assumption|]); intros j Hj; apply good_peaceful, H, Hj.
Qed.

(* Lemma 2. C_PB is closed. *)
Theorem lemma_2 N : closed N C_PB.
Proof.
  apply closed_by_steps. intros c i HV H.
  assert (Hn : (0 < length c)%nat) by (destruct HV; lia).
  apply all_good_C_PB; [now rewrite step_length|].
  apply all_good_step; [assumption | now apply all_good_C_PB].
Qed.

(* Lemma 3. A modest bullet never becomes non-modest, whether it waits or moves. *)
Theorem lemma_3 N c i j :
  valid N c -> bullet (c @ j) = Live -> modest c j = true ->
  (i mod size c <> j mod size c -> modest (step N c i) j = true) /\
  (disappears N c j = false -> modest (step N c j) (j + 1) = true).
Proof.
  intros HV Hb. rewrite !modest_spec, <- !good_modest. intros HG. split.
  - now apply good_waits.
  - intros Hd. apply good_moves; [assumption.. | now rewrite Hb | now apply open_spec].
Qed.

(* Lemma 4. A newly fired live bullet is modest: one that a leader with a signal fires, and that
   of a leader just created. *)
Theorem lemma_4 N c i :
  valid N c ->
  (leader (c @ i) = true -> signal (c @ i) = true -> disappears N c i = false ->
   bullet (step N c i @ (i + 1)) = Live /\ modest (step N c i) (i + 1) = true) /\
  (leader (c @ (i + 1)) = false -> leader (step N c i @ (i + 1)) = true ->
   bullet (step N c i @ (i + 1)) = Live /\ modest (step N c i) (i + 1) = true).
Proof.
  intros HV. rewrite modest_spec, <- good_modest. split.
  - intros Hl Hg Hd. apply open_spec in Hd; [|assumption].
    assert (Hf : fires (c @ i) = true) by (unfold fires; now rewrite Hl, Hg).
    split; [|now apply good_fired].
    pose proof (open_passed N c _ Hd) as E. replace (i + 1 - 1) with i in E by lia.
    rewrite step_responder, E by assumption. cbn. unfold bullet_l. now rewrite Hf.
  - intros Hl Hl'. rewrite step_responder in Hl' by assumption.
    assert (E : step N c i @ (i + 1) = new_leader).
    { rewrite step_responder by assumption. unfold responder in *. rewrite Hl in *.
      destruct (_ =? N)%nat; [reflexivity | discriminate]. }
    split; [now rewrite E | now apply good_new].
Qed.
