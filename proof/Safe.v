(* SPDX-License-Identifier: MIT

   Lemmas 5 to 8: security, C_NI and S_RL.

   The invariant that carries them is [All_good true]: there is a leader, and every live bullet is
   modest. It is closed by itself, without security. *)

From Coq Require Import List Bool Arith ZArith Lia.
From Ringleader Require Import Model Step Sets Bullets Peace.
Import ListNotations.
Open Scope Z_scope.

Section OneStep.
  Context (N : nat) (c : config) (HV : valid N c).

  (* Who is a leader and is none after the step was hit by a live bullet, fired by its left
     neighbour in this step or before. *)
  Lemma killed_by i q :
    leader (c @ q) = true -> leader (step N c i @ q) = false ->
    step N c i = step N c (q - 1) /\
    (leader (c @ (q - 1)) = true \/ bullet (c @ (q - 1)) = Live).
  Proof.
    intros Hq E. destruct (step_roles N c HV i q) as [_ B|Es B|_ _ B]; rewrite B in E;
      [cbn in E; congruence| |congruence].
    split; [assumption|]. rewrite responder_leader in E by assumption. cbn in E.
    apply orb_false_iff in E. destruct E as (E & _).
    apply negb_false_iff, is_live_spec in E. unfold bullet_l, fires in E.
    destruct (leader (c @ (q - 1))); [now left | right; assumption].
  Qed.

  (* Nobody is killed or created as the initiator. *)
  Lemma initiator_keeps_leader i : leader (step N c i @ i) = leader (c @ i).
  Proof. now rewrite step_initiator. Qed.

  Context (HG : All_good true c).

  (* A follower u_j that is secure by a leader on its right stays so: if a modest bullet kills
     that leader, then the bullet's own leader is between the two, or u_j is in the bullet's
     humble stretch and its dist is at most the distance to that leader. *)
  Lemma right_leader_stays i j d :
    leader (c @ j) = false -> 0 < d < size c -> leader (c @ (j + d)) = true ->
    Z.of_nat (dist (c @ j)) + d <= Z.of_nat N ->
    exists d', 0 < d' < size c /\ leader (step N c i @ (j + d')) = true /\
               Z.of_nat (dist (c @ j)) + d' <= Z.of_nat N.
  Proof.
    intros Hj Hd Hq HD. pose proof (valid_size N c HV) as Hs.
    destruct (leader (step N c i @ (j + d))) eqn:E; [now exists d|].
    destruct (killed_by i (j + d) Hq E) as (Es & [Hl|Hb]).
    - assert (d <> 1) by (intros ->; replace (j + 1 - 1) with j in Hl by lia; congruence).
      exists (d - 1). replace (j + (d - 1)) with (j + d - 1) by lia.
      rewrite Es, initiator_keeps_leader. repeat split; [lia | lia | assumption | lia].
    - destruct (proj2 HG _ Hb) as (e & He & (Hl & Hsh & Hf & Hg) & Hh).
      specialize (Hg 0 ltac:(lia)). rewrite Z.add_0_r in Hg.
      pose proof (shielded_stays N c HV i _ Hl Hsh Hg) as Hl'.
      destruct (Z_lt_dec e (d - 1)) as [Hlt|Hge].
      + exists (d - 1 - e). replace (j + (d - 1 - e)) with (j + d - 1 - e) by lia.
        repeat split; [lia | lia | assumption | lia].
      + specialize (Hh eq_refl (e - (d - 1)) ltac:(lia)).
        replace (j + d - 1 - e + (e - (d - 1))) with j in Hh by lia.
        assert (e - (d - 1) <> 0).
        { intros E0. replace (j + d - 1 - e) with j in Hl by lia. congruence. }
        exists (size c - (e - (d - 1))).
        replace (j + (size c - (e - (d - 1)))) with (j + d - 1 - e + size (step N c i))
          by (rewrite step_size; lia).
        rewrite at_around. repeat split; [lia | lia | assumption | lia].
  Qed.

  (* With a leader somewhere, dist = 0 is secure, leader or not. *)
  Lemma zero_secure (c0 : config) j :
    (size c0 <= Z.of_nat N) -> 0 < size c0 -> Has_leader c0 -> dist (c0 @ j) = 0%nat ->
    Secure N c0 j.
  Proof.
    intros Hs Hpos (q & Hq) Hd. unfold Secure. destruct (leader (c0 @ j)) eqn:El; [assumption|].
    exists ((q - j) mod size c0). pose proof (Z.mod_pos_bound (q - j) (size c0) Hpos) as Hb.
    assert (E : c0 @ (j + (q - j) mod size c0) = c0 @ q).
    { rewrite Z.add_comm, at_mod_add. f_equal. lia. }
    assert ((q - j) mod size c0 <> 0).
    { intros E0. rewrite E0, Z.add_0_r in E. congruence. }
    rewrite E. repeat split; [lia | lia | assumption | lia].
  Qed.

  (* Every agent but the responder keeps its security. *)
  Lemma secure_elsewhere i j :
    (i + 1) mod size c <> j mod size c -> Secure N c j -> Secure N (step N c i) j.
  Proof.
    intros Hi HS.
    assert (H : leader (step N c i @ j) = leader (c @ j) /\
                (dist (step N c i @ j) <= dist (c @ j))%nat).
    { rewrite step_at_mod by assumption.
      destruct (Z.eqb_spec (j mod size c) (i mod size c)) as [E|_].
      - rewrite (at_same c j i E). cbn. split; [reflexivity | apply dist_l_le].
      - destruct (Z.eqb_spec (j mod size c) ((i + 1) mod size c)); [congruence | now split]. }
    destruct H as (El & Ed). unfold Secure in *. rewrite El.
    destruct (leader (c @ j)) eqn:Hj; [lia|]. destruct HS as (d & Hd & Hq & HD).
    destruct (right_leader_stays i j d Hj Hd Hq HD) as (d' & Hd' & Hq' & HD').
    rewrite step_size. exists d'. repeat split; (assumption || lia).
  Qed.

  (* The responder is secure afterwards if it is a leader, or has a bullet and is secure, or has
     none and its left neighbour is a leader or secure. *)
  Lemma secure_responder j :
    leader (c @ j) = true \/
    (is_bullet (bullet (c @ j)) = true /\ Secure N c j) \/
    (bullet (c @ j) = Nothing /\ (leader (c @ (j - 1)) = true \/ Secure N c (j - 1))) ->
    Secure N (step N c (j - 1)) j.
  Proof.
    intros H. pose proof (valid_size N c HV) as Hs. pose proof (step_size N c (j - 1)) as Es.
    pose proof (step_responder N c HV (j - 1)) as B. replace (j - 1 + 1) with j in B by lia.
    assert (Hlead : Has_leader (step N c (j - 1))) by (eapply leader_stays;
      [assumption | apply HG..]).
    destruct (leader (c @ j)) eqn:Hj.
    { apply zero_secure; [lia | lia | assumption |]. rewrite B, responder_leader by assumption.
      reflexivity. }
    destruct H as [H|H]; [discriminate|].
    destruct (Nat.eq_dec (dist_r N (c @ (j - 1)) (c @ j)) N) as [Ec|Ec].
    { apply zero_secure; [lia | lia | assumption |]. rewrite B, responder_created by assumption.
      reflexivity. }
    rewrite (responder_passed N _ _ Hj Ec) in B.
    unfold Secure. rewrite B. cbn [passed_follower leader dist]. rewrite Es. unfold dist_r.
    destruct H as [(Hb & HS)|(Hb & H)]; rewrite Hb; cbn [is_bullet].
    - unfold Secure in HS. rewrite Hj in HS. destruct HS as (d & Hd & Hq & HD).
      now apply right_leader_stays with (d := d).
    - destruct (leader (c @ (j - 1))) eqn:Hl.
      + exists (size c - 1).
        replace (j + (size c - 1)) with (j - 1 + size (step N c (j - 1))) by lia.
        rewrite at_around, initiator_keeps_leader by assumption.
        unfold dist_l. rewrite Hl. repeat split; (assumption || lia).
      + destruct H as [H|HS]; [discriminate|]. unfold Secure in HS. rewrite Hl in HS.
        destruct HS as (d & Hd & Hq & HD).
        destruct (right_leader_stays (j - 1) (j - 1) d Hl Hd Hq HD) as (d' & Hd' & Hq' & HD').
        assert (d' <> 1).
        { intros ->. replace (j - 1 + 1) with j in Hq' by lia. rewrite B in Hq'. discriminate. }
        exists (d' - 1). replace (j + (d' - 1)) with (j - 1 + d') by lia.
        pose proof (dist_l_le (c @ (j - 1))). repeat split; (assumption || lia).
  Qed.
End OneStep.

(* Lemma 5. Where all live bullets are modest, a secure agent becomes insecure only in an
   interaction with its left neighbour, which is insecure. *)
Theorem lemma_5 N c i j :
  valid N c -> (forall k, bullet (c @ k) = Live -> modest c k = true) ->
  secure N c j = true -> secure N (step N c i) j = false ->
  i mod size c = (j - 1) mod size c /\ secure N c (j - 1) = false.
Proof.
  intros HV HM HS HS'. pose proof (valid_size N c HV) as Hs.
  assert (Hn : (0 < length c)%nat) by (destruct HV; lia).
  apply secure_spec in HS; [|assumption].
  assert (HnS' : ~ Secure N (step N c i) j).
  { rewrite <- secure_spec by now rewrite step_length. congruence. }
  assert (HG : All_good true c).
  { split; [|intros k Hk; now apply good_modest, modest_spec, HM].
    unfold Secure in HS. destruct (leader (c @ j)) eqn:Hj; [now exists j|].
    destruct HS as (d & _ & Hq & _). now exists (j + d). }
  assert (Hi : i mod size c = (j - 1) mod size c).
  { destruct (Z.eq_dec ((i + 1) mod size c) (j mod size c)) as [E|E].
    - replace i with (i + 1 - 1) by lia. rewrite Zminus_mod, E, <- Zminus_mod. reflexivity.
    - exfalso. apply HnS'. now apply secure_elsewhere. }
  split; [assumption|]. apply not_true_is_false. intros Hl. apply secure_spec in Hl; [|assumption].
  apply HnS'. rewrite (step_same N c HV i (j - 1) Hi). apply secure_responder; [assumption..|].
  destruct (leader (c @ j)); [now left | right].
  destruct (bullet (c @ j)); [right | left | left]; auto.
Qed.

(* C_NI is this invariant, and security. *)
Lemma all_good_C_NI N c :
  (0 < length c)%nat -> C_NI N c = true <-> All_good true c /\ forall i, Secure N c i.
Proof.
  intros Hn. rewrite C_NI_spec by assumption. unfold All_good. split.
  - intros (Hl & HS & HM). repeat split; try assumption. intros j Hj. now apply good_modest, HM.
  - intros ((Hl & HM) & HS). repeat split; try assumption. intros j Hj. now apply good_modest, HM.
Qed.

(* The responder is secure because it was, or because its left neighbour was. *)
Lemma C_NI_step N c i : valid N c -> C_NI N c = true -> C_NI N (step N c i) = true.
Proof.
  intros HV H. assert (Hn : (0 < length c)%nat) by (destruct HV; lia).
  apply all_good_C_NI in H; [|assumption]. destruct H as (HG & HS).
  apply all_good_C_NI; [now rewrite step_length|]. split; [now apply all_good_step|].
  intros j. destruct (Z.eq_dec ((i + 1) mod size c) (j mod size c)) as [E|E];
    [|now apply secure_elsewhere].
  assert (Hi : i mod size c = (j - 1) mod size c).
  { replace i with (i + 1 - 1) by lia. rewrite Zminus_mod, E, <- Zminus_mod. reflexivity. }
  rewrite (step_same N c HV i (j - 1) Hi). apply secure_responder; [assumption..|].
  destruct (leader (c @ j)); [now left | right].
  destruct (bullet (c @ j)); [right | left | left]; auto.
Qed.

(* Lemma 6. C_NI is closed. *)
Theorem lemma_6 N : closed N (C_NI N).
Proof. apply closed_by_steps. apply C_NI_step. Qed.

(* A secure agent does not count to N. *)
Lemma secure_not_created N c j :
  valid N c -> Secure N c (j - 1) -> Secure N c j -> ~ created N c j.
Proof.
  intros HV Hl Hr (Hj & Ed). pose proof (valid_size N c HV) as Hs.
  unfold Secure in *. rewrite Hj in Hr. destruct Hr as (d & Hd & _ & HD).
  unfold dist_r, dist_l in Ed. destruct (is_bullet (bullet (c @ j))); [lia|].
  destruct (leader (c @ (j - 1))); [lia|]. destruct Hl as (e & He & Hq & HE).
  assert (e = 1) as -> by lia. replace (j - 1 + 1) with j in Hq by lia. congruence.
Qed.

(* So a follower stays one. *)
Lemma no_new_leader N c i j :
  valid N c -> C_NI N c = true -> leader (step N c i @ j) = true -> leader (c @ j) = true.
Proof.
  intros HV H Hl. assert (Hn : (0 < length c)%nat) by (destruct HV; lia).
  apply all_good_C_NI in H; [|assumption]. destruct H as (_ & HS).
  destruct (leader (c @ j)) eqn:Hj; [reflexivity|]. exfalso.
  destruct (step_roles N c HV i j) as [_ B|_ B|_ _ B]; rewrite B in Hl; [cbn in Hl;
    congruence| |congruence].
  apply (secure_not_created N c j HV (HS _) (HS _)). split; [assumption|].
  unfold responder in Hl. rewrite Hj in Hl.
  destruct (Nat.eqb_spec (dist_r N (c @ (j - 1)) (c @ j)) N);
    [assumption | discriminate].
Qed.

(* Lemma 7. No new leader is created in an execution from C_NI. *)
Theorem lemma_7 N c c' i j :
  valid N c -> C_NI N c = true -> reachable N c c' ->
  leader (step N c' i @ j) = true -> leader (c' @ j) = true.
Proof.
  intros HV H Hr. apply no_new_leader.
  - destruct Hr as (schedule & ->). now apply valid_run.
  - now apply (lemma_6 N c c').
Qed.

(* In S_RL a step changes no output: no leader is created, and some leader stays, which can only
   be the one there is. *)
Lemma S_RL_outputs N c i j :
  valid N c -> S_RL N c = true -> leader (step N c i @ j) = leader (c @ j).
Proof.
  intros HV H. assert (Hn : (2 <= length c)%nat) by (destruct HV; lia).
  pose proof (size_pos c Hn) as Hs.
  apply S_RL_spec in H; [|assumption]. destruct H as (HC & p & Hp & Hf).
  destruct (leader (step N c i @ j)) eqn:El.
  - symmetry. now apply (no_new_leader N c i j).
  - destruct (leader (c @ j)) eqn:Ej; [|reflexivity]. exfalso.
    assert (Honly : forall q, leader (c @ q) = true -> (q - p) mod size c = 0).
    { intros q Hq. pose proof (Z.mod_pos_bound (q - p) (size c) ltac:(lia)) as Hb.
      destruct (Z.eq_dec ((q - p) mod size c) 0) as [|Hne]; [assumption|].
      specialize (Hf ((q - p) mod size c) ltac:(lia)). rewrite Z.add_comm, at_mod_add in Hf.
      replace (q - p + p) with q in Hf by lia. congruence. }
    pose proof (C_NI_step N c i HV HC) as HC'.
    apply all_good_C_NI in HC'; [|rewrite step_length; lia]. destruct HC' as (((q & Hq) & _) & _).
    pose proof (no_new_leader N c i q HV HC Hq) as Hq0.
    assert (E : q mod size c = j mod size c).
    { apply Honly in Hq0. apply Honly in Ej. replace q with (q - p + p) by lia.
      replace j with (j - p + p) by lia.
      now rewrite <- Z.add_mod_idemp_l, Hq0, <- Ej, Z.add_mod_idemp_l by lia. }
    rewrite <- (step_size N c i) in E. rewrite (at_same _ _ _ E) in Hq. congruence.
Qed.

(* C_NI stays, and so do all outputs. *)
Lemma S_RL_step N c i : valid N c -> S_RL N c = true -> S_RL N (step N c i) = true.
Proof.
  intros HV H. pose proof (S_RL_outputs N c i) as Ho.
  assert (Hn : (2 <= length c)%nat) by (destruct HV; lia).
  pose proof H as H0. apply S_RL_spec in H; [|assumption]. destruct H as (HC & p & Hp & Hf).
  apply S_RL_spec; [now rewrite step_length|]. split; [now apply C_NI_step|].
  exists p. split; [now rewrite Ho|]. rewrite step_size. intros x Hx. rewrite Ho by assumption.
  auto.
Qed.

(* The same along an execution. *)
Lemma S_RL_run N schedule : forall c j,
  valid N c -> S_RL N c = true ->
  S_RL N (run N c schedule) = true /\ leader (run N c schedule @ j) = leader (c @ j).
Proof.
  induction schedule as [|i s IH]; intros c j HV H; [now split|]. cbn.
  destruct (IH (step N c i) j) as (H' & E); [now apply valid_step | now apply S_RL_step |].
  split; [exact H'|]. etransitivity; [exact E | now apply S_RL_outputs].
Qed.

(* Lemma 8. S_RL is closed and includes only safe configurations. *)
Theorem lemma_8 N : closed N (S_RL N) /\ forall c, valid N c -> S_RL N c = true -> safe N c.
Proof.
  split; [apply closed_by_steps, S_RL_step|].
  intros c HV H. split.
  - unfold S_RL in H. apply andb_true_iff in H. now apply Nat.eqb_eq.
  - intros c' (schedule & ->) j. now apply S_RL_run.
Qed.
