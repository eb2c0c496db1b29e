(* SPDX-License-Identifier: MIT

   Quiet configurations: those of C_NI where no signal is between a bullet and its nearest left
   leader.

   In C_NI this holds of live bullets. It need not hold of the dummy bullets there were at the
   start, but no such bullet is ever made anew, and they disappear within n(2n - 1) steps on
   average. *)

From Coq Require Import List Bool Arith ZArith Lia.
From Ringleader Require Import Model Step Sets Bullets Peace Safe Sums Expect Sweep.
Import ListNotations.
Open Scope Z_scope.

(* ---- Definitions ----------------------------------------------------------------------------- *)

(* u_p is a leader, u_{p+1} .. u_{p+d} are followers, and none of them has a signal. *)
Definition Hush (c : config) (p d : Z) : Prop :=
  leader (c @ p) = true /\
  (forall x, 0 < x <= d -> leader (c @ (p + x)) = false) /\
  (forall x, 0 <= x <= d -> signal (c @ (p + x)) = false).

Definition Silent (c : config) (i : Z) : Prop := exists d, 0 <= d /\ Hush c (i - d) d.

Definition silent (c : config) (i : Z) : bool :=
  match d_L c i with
  | Some d => for_all_to d (fun j => negb (signal (c @ (i - Z.of_nat j))))
  | None => false
  end.

Definition noisy (c : config) (i : Z) : bool := is_bullet (bullet (c @ i)) && negb (silent c i).

Definition quiet (N : nat) (c : config) : bool :=
  C_NI N c && for_all_agents c (fun i => negb (noisy c i)).

(* Once round the ring there would be the leader again. *)
Lemma hush_short c p d : (0 < length c)%nat -> Hush c p d -> d < size c.
Proof.
  intros Hn (Hl & Hf & _). destruct (Z_lt_ge_dec d (size c)) as [H|H]; [exact H|exfalso].
  specialize (Hf (size c)). rewrite at_around, Hl in Hf.
  discriminate Hf. unfold size in *. lia.
Qed.

(* d_L finds the leader of the hush. *)
Lemma silent_spec c i : (0 < length c)%nat -> silent c i = true <-> Silent c i.
Proof.
  intros Hn. unfold silent. split.
  - destruct (d_L c i) as [d|] eqn:E; [|discriminate]. rewrite for_all_to_spec. intros H.
    apply d_L_spec in E as (Hd & Hl & Hf). exists (Z.of_nat d). split; [lia|].
    split; [assumption|]. split; intros x Hx.
    + specialize (Hf (d - Z.to_nat x)%nat ltac:(lia)).
      now replace (i - Z.of_nat d + x) with (i - Z.of_nat (d - Z.to_nat x)) by lia.
    + specialize (H (d - Z.to_nat x)%nat ltac:(lia)). apply negb_true_iff in H.
      now replace (i - Z.of_nat d + x) with (i - Z.of_nat (d - Z.to_nat x)) by lia.
  - intros (d & Hd & Hh). pose proof (hush_short _ _ _ Hn Hh) as Hs. destruct Hh as (Hl & Hf & Hg).
    assert (E : d_L c i = Some (Z.to_nat d)).
    { apply d_L_spec. rewrite Z2Nat.id by lia. unfold size in Hs.
      split; [lia|]. split; [assumption|]. intros j Hj. specialize (Hf (d - Z.of_nat j) ltac:(lia)).
      now replace (i - Z.of_nat j) with (i - d + (d - Z.of_nat j)) by lia. }
    rewrite E. apply for_all_to_spec. intros j Hj. apply negb_true_iff.
    specialize (Hg (d - Z.of_nat j) ltac:(lia)).
    now replace (i - Z.of_nat j) with (i - d + (d - Z.of_nat j)) by lia.
Qed.

Lemma silent_mod c i : Silent c (i mod size c) <-> Silent c i.
Proof.
  unfold Silent, Hush.
  split; intros (d & Hd & Hl & Hf & Hg); exists d; (split; [assumption|]);
    unfold Z.sub in *; rewrite <- ?Z.add_assoc in *; rewrite ?at_mod_add in *;
    (split; [assumption|]); split; intros x Hx; specialize (Hf x); specialize (Hg x);
    rewrite <- !Z.add_assoc in *; rewrite at_mod_add in *; auto.
Qed.

Lemma noisy_spec c i :
  (0 < length c)%nat -> noisy c i = true <-> bullet (c @ i) <> Nothing /\ ~ Silent c i.
Proof.
  intros Hn. unfold noisy.
  rewrite andb_true_iff, negb_true_iff, is_bullet_spec, <- silent_spec, not_true_iff_false
    by assumption.
  reflexivity.
Qed.

Lemma noisy_mod c i : (0 < length c)%nat -> noisy c (i mod size c) = noisy c i.
Proof.
  intros Hn. apply eq_true_iff_eq. rewrite !noisy_spec, at_mod, silent_mod by assumption.
  reflexivity.
Qed.

Lemma quiet_not_noisy N c i : (0 < length c)%nat -> quiet N c = true -> noisy c i = false.
Proof.
  intros Hn [_ HQ]%andb_true_iff. rewrite for_all_agents_spec in HQ.
  rewrite <- noisy_mod by assumption.
  apply negb_true_iff, HQ, Z.mod_pos_bound. unfold size. lia.
Qed.

Lemma quiet_C_NI N c : quiet N c = true -> C_NI N c = true.
Proof. unfold quiet. now intros [H _]%andb_true_iff. Qed.

(* ---- A step that creates no leader ----------------------------------------------------------- *)

(* The arc e creates no leader: Algorithm 1 without lines 3 to 5. *)
Definition Creates_none (N : nat) (c : config) (e : Z) : Prop :=
  responder N (c @ e) (c @ (e + 1)) =
  if leader (c @ (e + 1)) then hit_leader (c @ e) (c @ (e + 1))
  else passed_follower N (c @ e) (c @ (e + 1)).

Section Step.
  Context (N : nat) (c : config) (HV : valid N c)
          (Hmodest : forall i, bullet (c @ i) = Live -> Modest c i).

  Let Hn : (0 < length c)%nat. Proof. destruct HV. lia. Qed.

  Context (e : Z) (Hnone : Creates_none N c e).
  Notation c' := (step N c e).

  Lemma passes i : e mod size c = i mod size c -> Creates_none N c i.
  Proof.
    intros E. pose proof (valid_size N c HV) as Hs.
    assert (E1 : (e + 1) mod size c = (i + 1) mod size c)
      by now rewrite <- Z.add_mod_idemp_l, E, Z.add_mod_idemp_l by lia.
    unfold Creates_none in *. now rewrite <- (at_same c _ _ E), <- (at_same c _ _ E1).
  Qed.

  (* What becomes of agent j, without lines 3 to 5. *)
  Inductive turn (j : Z) : Prop :=
  | Shoots (where_ : e mod size c = j mod size c)
           (becomes : c' @ j = initiator N (c @ j) (c @ (j + 1)))
  | Struck (where_ : (e + 1) mod size c = j mod size c) (was : leader (c @ j) = true)
           (becomes : c' @ j = hit_leader (c @ (j - 1)) (c @ j))
  | Passed (where_ : (e + 1) mod size c = j mod size c) (was : leader (c @ j) = false)
           (becomes : c' @ j = passed_follower N (c @ (j - 1)) (c @ j))
  | Rests (not_i : e mod size c <> j mod size c) (not_r : (e + 1) mod size c <> j mod size c)
          (becomes : c' @ j = c @ j).

  (* The initiator, the responder, and the others, by cases. *)
  Lemma turns_by j : turn j.
  Proof.
    pose proof (valid_size N c HV) as Hs.
    destruct (Z.eq_dec (e mod size c) (j mod size c)) as [Ei|Ei].
    - apply Shoots; [assumption|]. rewrite (step_same N c HV e j Ei). now apply step_initiator.
    - destruct (Z.eq_dec ((e + 1) mod size c) (j mod size c)) as [Er|Er].
      + assert (E : e mod size c = (j - 1) mod size c).
        { replace e with (e + 1 - 1) by lia. rewrite Zminus_mod, Er, <- Zminus_mod. reflexivity. }
        assert (Eb : c' @ j = responder N (c @ (j - 1)) (c @ j)).
        { rewrite (step_same N c HV e (j - 1) E). pose proof (step_responder N c HV (j - 1)) as H.
          now replace (j - 1 + 1) with j in H by lia. }
        pose proof (passes (j - 1) E) as Hno. unfold Creates_none in Hno.
        replace (j - 1 + 1) with j in Hno by lia.
        rewrite Hno in Eb. destruct (leader (c @ j)) eqn:El; [now apply Struck | now apply Passed].
      + apply Rests; [assumption..|].
        destruct (step_roles N c HV e j) as [Hi|Hr|_ _ H]; [..|exact H].
        all: rewrite step_at_mod by assumption;
          destruct (Z.eqb_spec (j mod size c) (e mod size c)); [congruence|];
          destruct (Z.eqb_spec (j mod size c) ((e + 1) mod size c)); [congruence|reflexivity].
  Qed.

  (* No leader is created. *)
  Lemma follower_stays_by j : leader (c @ j) = false -> leader (c' @ j) = false.
  Proof. intros H. destruct (turns_by j) as [_ ->|_ E _|_ _ ->|_ _ ->]; cbn; congruence. Qed.

  (* Signals come into a hush at its right end alone, and not there if it keeps a bullet. *)
  Lemma hush_stays p d :
    0 <= d -> Hush c p d -> bullet (c' @ (p + d)) <> Nothing -> leader (c' @ p) = true ->
    Hush c' p d.
  Proof.
    intros Hd (Hl & Hf & Hg) Hb Hl'. split; [assumption|]. split; intros x Hx.
    - apply follower_stays_by, Hf, Hx.
    - destruct (turns_by (p + x)) as [Ee B|_ _ B|_ _ B|_ _ B].
      + assert (Hxd : x <> d) by (intros ->; rewrite B in Hb; now apply Hb).
        pose proof (Hf (x + 1) ltac:(lia)) as Hf1. pose proof (Hg (x + 1) ltac:(lia)) as Hg1.
        rewrite Z.add_assoc in Hf1, Hg1.
        rewrite B. cbn. rewrite (passes _ Ee), Hf1. cbn. rewrite Hg, Hg1, !andb_false_r by lia.
        reflexivity.
      + now rewrite B.
      + rewrite B. cbn. rewrite Hg by lia. apply andb_false_r.
      + rewrite B. now apply Hg.
  Qed.

  (* Who kills u_p leaves a hush behind: it is a leader itself and has just fired, or its bullet
     was peaceful. *)
  Lemma hush_of_killer p :
    leader (c @ p) = true -> leader (c' @ p) = false -> exists d, 0 < d /\ Hush c' (p - d) d.
  Proof.
    intros Hl Hl'. pose proof (valid_size N c HV) as Hs.
    destruct (turns_by p) as [_ B|Hw _ B|_ E _|_ _ B]; rewrite ?B in Hl'; cbn in Hl';
      try congruence.
    apply orb_false_iff in Hl' as [Hlive Hunshielded]. apply negb_false_iff, is_live_spec in Hlive.
    assert (E : e mod size c = (p - 1) mod size c).
    { replace e with (e + 1 - 1) by lia. rewrite Zminus_mod, Hw, <- Zminus_mod. reflexivity. }
    assert (Bi : c' @ (p - 1) = initiator N (c @ (p - 1)) (c @ p)).
    { rewrite (step_same N c HV e (p - 1) E), step_initiator by assumption.
      now replace (p - 1 + 1) with p by lia. }
    assert (Er : responder N (c @ (p - 1)) (c @ p) = c' @ p).
    { pose proof (passes (p - 1) E) as H. unfold Creates_none in H.
      replace (p - 1 + 1) with p in H by lia. now rewrite H, Hl, B. }
    assert (Hp : leader (c' @ p) = false) by (rewrite B; cbn; now rewrite Hlive, Hunshielded).
    assert (Hgp : signal (c' @ p) = false) by now rewrite B.
    unfold bullet_l in Hlive. destruct (fires (c @ (p - 1))) eqn:Ef.
    - exists 1. split; [lia|]. unfold fires in Ef. apply andb_true_iff in Ef as [Hll Hgl].
      split; [|split]; intros.
      + now rewrite Bi.
      + replace (p - 1 + x) with p by lia. assumption.
      + assert (x = 0 \/ x = 1) as [->| ->] by lia.
        * rewrite Z.add_0_r, Bi. cbn. rewrite Hll, Er, Hgp, Hp. reflexivity.
        * now replace (p - 1 + 1) with p by lia.
    - destruct (modest_peaceful _ _ (Hmodest _ Hlive)) as (d & Hd & Hll & Hsh & Hf & Hg).
      exists (d + 1). split; [lia|]. replace (p - (d + 1)) with (p - 1 - d) by lia.
      pose proof (Hg 0 ltac:(lia)) as Hg0. rewrite Z.add_0_r in Hg0.
      split; [now apply shielded_stays|]. split; intros x Hx.
      + destruct (Z.eq_dec x (d + 1)) as [->|Hne].
        * now replace (p - 1 - d + (d + 1)) with p by lia.
        * apply follower_stays_by, Hf. lia.
      + destruct (Z.eq_dec x (d + 1)) as [->|Hne];
          [now replace (p - 1 - d + (d + 1)) with p by lia|].
        destruct (Z.eq_dec x d) as [->|Hne'].
        * replace (p - 1 - d + d) with (p - 1) in * by lia. rewrite Bi. cbn.
          specialize (Hg d ltac:(lia)). replace (p - 1 - d + d) with (p - 1) in Hg by lia.
          now rewrite Hg, Er, Hgp, Hp, andb_false_r.
        * destruct (turns_by (p - 1 - d + x)) as [Hi B'|_ _ B'|_ _ B'|_ _ B']; rewrite B'.
          -- exfalso. rewrite E in Hi. replace (p - 1) with (p - 1 - d + d) in Hi at 1 by lia.
             apply (same_offset c) in Hi; [lia|destruct HV; lia..].
          -- reflexivity.
          -- cbn. rewrite Hg by lia. apply andb_false_r.
          -- apply Hg. lia.
  Qed.

  (* So a hush with a bullet at its end goes on after the step, from another leader if need be. *)
  Lemma silent_stays i :
    Silent c i -> bullet (c' @ i) <> Nothing -> Silent c' i.
  Proof.
    intros (d & Hd & Hh) Hb. destruct (leader (c' @ (i - d))) eqn:El.
    - exists d. split; [assumption|]. apply hush_stays; try assumption.
      now replace (i - d + d) with i by lia.
    - destruct Hh as (Hl & Hf & Hg).
      destruct (hush_of_killer (i - d) Hl El) as (d' & Hd' & Hl' & Hf' & Hg').
      exists (d' + d). split; [lia|]. replace (i - (d' + d)) with (i - d - d') by lia.
      split; [assumption|]. split; intros x Hx.
      + destruct (Z_le_gt_dec x d') as [Hle|Hgt]; [apply Hf'; lia|].
        replace (i - d - d' + x) with (i - d + (x - d')) by lia. apply follower_stays_by, Hf. lia.
      + destruct (Z_le_gt_dec x d') as [Hle|Hgt]; [apply Hg'; lia|].
        replace (i - d - d' + x) with (i - d + (x - d')) by lia.
        destruct (turns_by (i - d + (x - d'))) as [Ee B|_ _ B|_ _ B|_ _ B]; rewrite B.
        * assert (Hxd : x - d' <> d).
          { intros Ex. rewrite Ex in B. replace (i - d + d) with i in B by lia.
            rewrite B in Hb. now apply Hb. }
          pose proof (Hf (x - d' + 1) ltac:(lia)) as Hf1.
          pose proof (Hg (x - d' + 1) ltac:(lia)) as Hg1.
          rewrite Z.add_assoc in Hf1, Hg1.
          cbn. rewrite (passes _ Ee), Hf1. cbn. rewrite Hg, Hg1, !andb_false_r by lia. reflexivity.
        * reflexivity.
        * cbn. rewrite Hg by lia. apply andb_false_r.
        * apply Hg. lia.
  Qed.

  (* ---- A bullet that moves on, to the follower u_i ------------------------------------------- *)

  Section Moves.
    Context (i : Z) (Hw : (e + 1) mod size c = i mod size c) (Hl : leader (c @ i) = false)
            (Hbl : is_bullet (bullet_l (c @ (i - 1))) = true).

    Lemma moved_arc : e mod size c = (i - 1) mod size c.
    Proof. replace e with (e + 1 - 1) by lia. now rewrite Zminus_mod, Hw, <- Zminus_mod. Qed.

    Let Er : responder N (c @ (i - 1)) (c @ i) = passed_follower N (c @ (i - 1)) (c @ i).
    Proof.
      pose proof (passes (i - 1) moved_arc) as H. unfold Creates_none in H.
      replace (i - 1 + 1) with i in H by lia. now rewrite H, Hl.
    Qed.

    Let Bi : c' @ (i - 1) = initiator N (c @ (i - 1)) (c @ i).
    Proof.
      rewrite (step_same N c HV e (i - 1) moved_arc), step_initiator by assumption.
      now replace (i - 1 + 1) with i by lia.
    Qed.

    Let B : c' @ i = passed_follower N (c @ (i - 1)) (c @ i).
    Proof.
      rewrite (step_same N c HV e (i - 1) moved_arc), <- Er.
      pose proof (step_responder N c HV (i - 1)) as H. now replace (i - 1 + 1) with i in H by lia.
    Qed.

    (* A leader that has just fired it is next to it. *)
    Lemma silent_fired : fires (c @ (i - 1)) = true -> Silent c' i.
    Proof.
      intros Ef. exists 1. split; [lia|].
      pose proof Ef as Ef'. unfold fires in Ef'. apply andb_true_iff in Ef' as [Hll Hgl].
      split; [now rewrite Bi|]. split; intros x Hx.
      - replace (i - 1 + x) with i by lia. now rewrite B.
      - assert (x = 0 \/ x = 1) as [->| ->] by lia.
        + rewrite Z.add_0_r, Bi. cbn. rewrite Hll, Er. cbn. unfold bullet_l. now rewrite Ef.
        + replace (i - 1 + 1) with i by lia. rewrite B. cbn. unfold bullet_l. now rewrite Ef.
    Qed.

    (* Its hush gets one agent longer. *)
    Lemma silent_moves : Silent c (i - 1) -> Silent c' i.
    Proof.
      intros (d & Hd & Hh). exists (d + 1). split; [lia|].
      replace (i - (d + 1)) with (i - 1 - d) by lia. pose proof (hush_short _ _ _ Hn Hh) as Hds.
      destruct Hh as (Hll & Hf & Hg).
      assert (Hgi : signal (c' @ i) = false) by (rewrite B; cbn; now rewrite Hbl).
      split; [|split; intros x Hx].
      - destruct (turns_by (i - 1 - d)) as [_ B'|Hw' _ _|_ H _|_ _ B'];
          [now rewrite B' | exfalso | congruence | now rewrite B'].
        rewrite Hw in Hw'. rewrite (at_same _ _ _ Hw') in Hl. congruence.
      - destruct (Z.eq_dec x (d + 1)) as [->|Hne].
        + replace (i - 1 - d + (d + 1)) with i by lia. now rewrite B.
        + apply follower_stays_by, Hf. lia.
      - destruct (Z.eq_dec x (d + 1)) as [->|Hne];
          [now replace (i - 1 - d + (d + 1)) with i by lia|].
        specialize (Hg x ltac:(lia)).
        destruct (Z.eq_dec x d) as [->|Hne'].
        + replace (i - 1 - d + d) with (i - 1) in * by lia. rewrite Bi. cbn.
          rewrite Er, Hg. cbn. now rewrite Hbl, andb_false_r.
        + destruct (turns_by (i - 1 - d + x)) as [Hi' _|_ _ B'|_ _ B'|_ _ B'].
          * exfalso. rewrite moved_arc in Hi'.
            replace (i - 1) with (i - 1 - d + d) in Hi' at 1 by lia.
            apply (same_offset c) in Hi'; [lia|destruct HV; lia..].
          * now rewrite B'.
          * rewrite B'. cbn. rewrite Hg. apply andb_false_r.
          * now rewrite B'.
    Qed.
  End Moves.

  (* A noisy bullet was noisy before, at the same agent or one to the left of it. *)
  Lemma noisy_origin_by i :
    noisy c' i = true ->
    e mod size c <> i mod size c /\
    (noisy c i = true \/
     (noisy c (i - 1) = true /\ leader (c @ i) = false /\ bullet (c @ i) = Nothing /\
      e mod size c = (i - 1) mod size c)).
  Proof.
    assert (Hn' : (0 < length c')%nat) by now rewrite step_length.
    rewrite !noisy_spec by assumption. intros (Hb & Hno).
    assert (Hi : e mod size c <> i mod size c).
    { intros E. apply Hb. rewrite (step_same N c HV e i E), step_initiator by assumption.
      reflexivity. }
    split; [assumption|].
    assert (Hstays : bullet (c @ i) <> Nothing /\ ~ Silent c i \/ bullet (c @ i) = Nothing).
    { destruct (bullet (c @ i)) eqn:Eb; [now right|left..]; (split; [discriminate|]);
        intros HS; now apply Hno, silent_stays. }
    destruct (turns_by i) as [H _|Hw Hl B|Hw Hl B|_ _ B]; [congruence| | |].
    - exfalso. apply Hno. destruct (leader (c' @ i)) eqn:El.
      + exists 0. split; [lia|]. rewrite Z.sub_0_r. split; [assumption|].
        split; intros x Hx; [lia|].
        replace (i + x) with i by lia. now rewrite B.
      + destruct (hush_of_killer i Hl El) as (d & Hd & Hh). exists d. split; [lia|assumption].
    - destruct Hstays as [H|Eb]; [now left|]. right.
      rewrite B in Hb. cbn in Hb. rewrite Eb in Hb. cbn in Hb.
      pose proof (proj2 (is_bullet_spec _) Hb) as Hbl. unfold bullet_l in Hb.
      split; [|repeat split; (assumption || now apply moved_arc)].
      destruct (fires (c @ (i - 1))) eqn:Ef; [exfalso; now apply Hno, silent_fired|].
      split; [assumption|]. intros HS. now apply Hno, silent_moves.
    - left. rewrite B in Hb. destruct Hstays as [H|Eb]; [assumption|congruence].
  Qed.
End Step.

(* ---- A step that creates a leader ------------------------------------------------------------ *)

(* It makes hushes shorter, or leaves them alone. *)
Lemma creation_origin N c e i :
  valid N c -> created N c (e + 1) -> noisy (step N c e) i = true ->
  e mod size c <> i mod size c /\ noisy c i = true.
Proof.
  intros HV (Hl & Hd). pose proof (valid_size N c HV) as Hs.
  assert (Hn : (0 < length c)%nat) by (destruct HV; lia).
  replace (e + 1 - 1) with e in Hd by lia.
  rewrite !noisy_spec by (rewrite ?step_length; assumption). intros (Hb & Hno).
  assert (Hnew : step N c e @ (e + 1) = new_leader)
    by (rewrite step_responder by assumption; now apply responder_created).
  assert (Hi : e mod size c <> i mod size c).
  { intros E. apply Hb. rewrite (step_same N c HV e i E), step_initiator by assumption.
    reflexivity. }
  split; [assumption|].
  assert (Hj : (e + 1) mod size c <> i mod size c).
  { intros E. apply Hno. exists 0. rewrite Z.sub_0_r. split; [lia|].
    rewrite <- (step_size N c e) in E. rewrite (at_same _ _ _ E) in Hnew.
    split; [now rewrite Hnew|]. split; intros x Hx; [lia|].
    assert (x = 0) as -> by lia. now rewrite Z.add_0_r, Hnew. }
  assert (Hsame : step N c e @ i = c @ i).
  { rewrite step_at_mod by assumption. destruct (Z.eqb_spec (i mod size c) (e mod size c));
      [congruence|].
    destruct (Z.eqb_spec (i mod size c) ((e + 1) mod size c)); [congruence|reflexivity]. }
  split; [congruence|]. intros (d & Hd0 & Hh). apply Hno.
  pose proof (hush_short _ _ _ Hn Hh) as Hds. destruct Hh as (Hlp & Hf & Hg).
  destruct (arc_from N c HV (i - d) e) as (k & Hk & Ek & Es). rewrite Es in *.
  assert (Hkd : k <> d) by (intros ->; apply Hi; rewrite Ek; f_equal; lia).
  assert (Hkd1 : k + 1 <> d).
  { intros E. apply Hj. rewrite <- Z.add_mod_idemp_l, Ek, Z.add_mod_idemp_l by lia. f_equal. lia. }
  assert (Hstep : forall x, 0 <= x <= d -> x <> k -> x <> k + 1 -> (x = 0 -> k <> size c - 1) ->
            step N c (i - d + k) @ (i - d + x) = c @ (i - d + x)).
  { intros x Hx H1 H2 H3. rewrite step_from by (assumption || lia).
    destruct (Z.eqb_spec x k); [lia|]. destruct (Z.eqb_spec x (k + 1)); [lia|].
    destruct (Z.eqb_spec x 0), (Z.eqb_spec k (size c - 1)); try reflexivity. lia. }
  assert (Hnot0 : k <> size c - 1).
  { intros E. assert (E' : (e + 1) mod size c = (i - d) mod size c).
    { rewrite <- Z.add_mod_idemp_l, Ek, Z.add_mod_idemp_l, E by lia.
      replace (i - d + (size c - 1) + 1) with (i - d + 1 * size c) by lia. apply Z.mod_add. lia. }
    rewrite (at_same _ _ _ E') in Hl. congruence. }
  destruct (Z_lt_ge_dec k d) as [Hlt|Hge].
  - exists (d - (k + 1)). split; [lia|].
    assert (Hat : step N c (i - d + k) @ (i - (d - (k + 1))) = new_leader).
    { rewrite <- Hnew. apply at_same. rewrite step_size.
      rewrite <- (Z.add_mod_idemp_l e), Ek, Z.add_mod_idemp_l by lia. f_equal. lia. }
    split; [now rewrite Hat|].
    assert (Hx' : forall x, i - (d - (k + 1)) + x = i - d + (k + 1 + x)) by (intros; lia).
    split; intros x Hx.
    + rewrite Hx', Hstep by lia. apply Hf. lia.
    + destruct (Z.eq_dec x 0) as [->|Hx0]; [now rewrite Z.add_0_r, Hat|].
      rewrite Hx', Hstep by lia. apply Hg. lia.
  - exists d. split; [assumption|].
    assert (Hall : forall x, 0 <= x <= d ->
              step N c (i - d + k) @ (i - d + x) = c @ (i - d + x)) by (intros; apply Hstep; lia).
    split; [pose proof (Hall 0 ltac:(lia)) as H0; rewrite Z.add_0_r in H0; now rewrite H0|].
    split; intros x Hx; rewrite Hall by lia; [apply Hf | apply Hg]; lia.
Qed.

(* Noisy bullets are never made anew, as long as all live bullets are modest. *)
Lemma noisy_never_new N c :
  valid N c -> All_good true c -> Never_new N c (fun x j => noisy x j = true).
Proof.
  intros HV HG e j Hj. pose proof (valid_size N c HV) as Hs.
  assert (HM : forall i, bullet (c @ i) = Live -> Modest c i)
    by (intros i Hi; now apply good_modest, HG).
  destruct (leader (c @ (e + 1))) eqn:Hl;
    [|destruct (Nat.eq_dec (dist_r N (c @ e) (c @ (e + 1))) N) as [Ed|Ed]].
  - assert (Hnone : Creates_none N c e) by (unfold Creates_none, responder; now rewrite Hl).
    destruct (noisy_origin_by N c HV HM e Hnone j Hj) as (Hi & [H|(_ & Hlj & _ & E)]); [now left|].
    exfalso. assert (E' : (e + 1) mod size c = j mod size c).
    { rewrite <- Z.add_mod_idemp_l, E, Z.add_mod_idemp_l by lia. f_equal. lia. }
    rewrite (at_same _ _ _ E') in Hl. congruence.
  - left. apply (creation_origin N c e j HV); [|assumption]. split; [assumption|].
    now replace (e + 1 - 1) with e by lia.
  - assert (Hnone : Creates_none N c e).
    { unfold Creates_none, responder. rewrite Hl. apply Nat.eqb_neq in Ed. now rewrite Ed. }
    destruct (noisy_origin_by N c HV HM e Hnone j Hj) as (Hi & [H|(H & Hlj & Hb & E)]); [now left|].
    right. split; [now apply step_same|]. split; [|assumption]. split; [assumption|].
    split; [assumption|].
    assert (E' : (e + 1) mod size c = j mod size c).
    { rewrite <- Z.add_mod_idemp_l, E, Z.add_mod_idemp_l by lia. f_equal. lia. }
    rewrite (at_same _ _ _ E), (at_same _ _ _ E') in Ed. unfold dist_r in Ed. rewrite Hb in Ed.
    cbn [is_bullet] in Ed. lia.
Qed.

(* ---- In C_NI --------------------------------------------------------------------------------- *)

Section InC_NI.
  Context (N : nat) (c : config) (HV : valid N c) (HC : C_NI N c = true).

  Let Hn : (0 < length c)%nat. Proof. destruct HV. lia. Qed.
  Let Hmodest : forall i, bullet (c @ i) = Live -> Modest c i.
  Proof. now apply C_NI_spec in HC. Qed.

  (* No follower counts to N, for the next leader is near. *)
  Lemma no_creation i :
    responder N (c @ i) (c @ (i + 1)) =
    if leader (c @ (i + 1)) then hit_leader (c @ i) (c @ (i + 1))
    else passed_follower N (c @ i) (c @ (i + 1)).
  Proof.
    unfold responder. destruct (leader (c @ (i + 1))) eqn:El; [reflexivity|].
    destruct (Nat.eqb_spec (dist_r N (c @ i) (c @ (i + 1))) N) as [E|_]; [exfalso|reflexivity].
    assert (Hsecure : forall j, Secure N c j) by now apply C_NI_spec in HC.
    apply (secure_not_created N c (i + 1) HV); try apply Hsecure.
    split; [assumption|]. now replace (i + 1 - 1) with i by lia.
  Qed.

  Lemma turns e j : turn N c e j.
  Proof. apply turns_by; [assumption|apply no_creation]. Qed.

  Lemma follower_stays e j : leader (c @ j) = false -> leader (step N c e @ j) = false.
  Proof. apply follower_stays_by; [assumption|apply no_creation]. Qed.

  Lemma noisy_origin e i :
    noisy (step N c e) i = true ->
    e mod size c <> i mod size c /\
    (noisy c i = true \/
     (noisy c (i - 1) = true /\ leader (c @ i) = false /\ bullet (c @ i) = Nothing /\
      e mod size c = (i - 1) mod size c)).
  Proof. apply noisy_origin_by; [assumption|assumption|apply no_creation]. Qed.
End InC_NI.

(* Quiet is closed. *)
Lemma quiet_step N c i : valid N c -> quiet N c = true -> quiet N (step N c i) = true.
Proof.
  intros HV HQ. assert (Hn : (0 < length c)%nat) by (destruct HV; lia).
  assert (Hall : forall j, noisy c j = false) by (intros j; now apply (quiet_not_noisy N)).
  unfold quiet in *. apply andb_true_iff in HQ as [HC _].
  apply andb_true_iff. split; [now apply C_NI_step|]. apply for_all_agents_spec.
  intros j _. apply negb_true_iff, not_true_is_false. intros Hj.
  apply noisy_origin in Hj as (_ & [Hj|(Hj & _)]); try assumption; rewrite Hall in Hj; discriminate.
Qed.

(* From C_NI to quiet: sweep the ring for 2n - 1 arcs. The noisy bullets are before the sweep;
   those that have gone past u_{n-1} have met followers only, and some agent is a leader, so none
   gets to u_{2n-1}. *)
Lemma reaches_quiet N c :
  valid N c -> C_NI N c = true ->
  expected_steps_at_most N (quiet N) c (length c * (2 * length c - 1)).
Proof.
  intros HV HC.
  apply (sweep N (quiet N) 0 (2 * length c - 1) (fun t x =>
    size x = size c /\ C_NI N x = true /\
    forall i, noisy x i = true -> exists z, z mod size c = i mod size c /\ Z.of_nat t <= z /\
      forall y, size c <= y <= z -> leader (x @ y) = false)); [assumption| | |].
  - intros t x i HVx _ (Es & HCx & Hx). rewrite Es, step_size.
    split; [assumption|]. split; [now apply C_NI_step|]. intros j Hj.
    apply noisy_origin in Hj as (Hne & [Hj|(Hj & Hl & _)]); try assumption; rewrite Es in Hne.
    + destruct (Hx j Hj) as (z & Hz & Ht & Hf). exists z. split; [assumption|]. split.
      * destruct (Z.eqb_spec (i mod size c) ((0 + Z.of_nat t) mod size c)) as [E|_]; [|lia].
        assert (z <> Z.of_nat t) by (intros ->; rewrite Z.add_0_l in E; congruence). lia.
      * intros y Hy. now apply follower_stays, Hf.
    + destruct (Hx _ Hj) as (z & Hz & Ht & Hf). exists (z + 1).
      pose proof (valid_size N c HV) as Hs.
      assert (Hz1 : (z + 1) mod size c = j mod size c).
      { rewrite <- Z.add_mod_idemp_l, Hz, Z.add_mod_idemp_l by lia. f_equal. lia. }
      split; [assumption|]. split; [destruct (_ =? _); lia|]. intros y Hy.
      apply follower_stays; try assumption.
      destruct (Z.eq_dec y (z + 1)) as [->|Hyz]; [|apply Hf; lia].
      rewrite <- Es in Hz1. now rewrite (at_same _ _ _ Hz1).
  - intros x HVx (Es & HCx & Hx). pose proof (valid_size N x HVx) as Hs.
    assert (Hnx : (0 < length x)%nat) by (destruct HVx; lia).
    unfold quiet. rewrite HCx. apply for_all_agents_spec. intros i _.
    apply negb_true_iff, not_true_is_false.
    intros Hi. destruct (Hx i Hi) as (z & _ & Hz & Hf).
    apply C_NI_spec in HCx as ((p & Hp) & _); [|assumption].
    specialize (Hf (p mod size x + size x)). rewrite at_around, at_mod, Hp in Hf.
    discriminate Hf. pose proof (Z.mod_pos_bound p (size x) ltac:(lia)). unfold size in *. lia.
  - split; [reflexivity|]. split; [assumption|]. intros i _. exists (i mod size c).
    pose proof (valid_size N c HV) as Hs. pose proof (Z.mod_pos_bound i (size c) ltac:(lia)).
    rewrite Z.mod_mod by lia. split; [reflexivity|]. split; [lia|]. intros y Hy. lia.
Qed.
