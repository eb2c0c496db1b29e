(* SPDX-License-Identifier: MIT

   Lemmas 10 and 11: from every configuration to a leader, and to C_NI.

   Four sweeps. The first removes the live bullets that are not modest. If there is no leader
   then, the second creates one. From there on [All_good true] holds, and the third removes the
   bullets that sit on insecure agents: this is the repair of the paper's proof, for an insecure
   agent that carries a bullet does not learn from a secure left neighbour. It removes the noisy
   bullets, too, so that the ring is quiet in the end. The fourth makes one agent after the other
   secure. *)

From Coq Require Import List Bool Arith ZArith Lia.
From Ringleader Require Import Model Step Sets Bullets Peace Safe Expect Sweep Quiet.
Open Scope Z_scope.

(* ---- Lemma 10 -------------------------------------------------------------------------------- *)

Definition has_leader (c : config) : bool := existsb leader c.

(* No leader, agent by agent. *)
Lemma no_leader_spec c : has_leader c = false <-> forall i, leader (c @ i) = false.
Proof.
  unfold has_leader. split.
  - intros H i. apply not_true_is_false. intros Hi.
    assert (existsb leader c = true) by (apply has_leader_spec; now exists i). congruence.
  - intros H. apply not_true_is_false. intros Hc. apply has_leader_spec in Hc.
    destruct Hc as (i & Hi).
    rewrite H in Hi. discriminate.
Qed.

(* Without a leader, a bullet stays as long as no leader is created: it moves on or meets
   another. *)
Lemma bullet_stays N c i :
  valid N c -> has_leader c = false -> has_leader (step N c i) = false ->
  (exists j, is_bullet (bullet (c @ j)) = true) ->
  exists j, is_bullet (bullet (step N c i @ j)) = true.
Proof.
  intros HV Hl Hl' (j & Hj). rewrite no_leader_spec in Hl, Hl'.
  destruct (Z.eq_dec (i mod size c) (j mod size c)) as [E|E].
  - exists (j + 1). specialize (Hl' (j + 1)). rewrite (step_same N c HV i j E) in *.
    rewrite step_responder in * by assumption. unfold responder in *. rewrite Hl in *.
    destruct (_ =? N)%nat; [reflexivity|]. cbn.
    destruct (is_bullet (bullet (c @ (j + 1)))) eqn:Eb; [assumption|].
    unfold bullet_l, fires. now rewrite Hl.
  - exists j. now apply bullet_waits.
Qed.

(* With a bullet on the ring: bullets would vanish, and one stays. *)
Lemma create_with_bullet N c :
  valid N c -> (exists j, is_bullet (bullet (c @ j)) = true) ->
  expected_steps_at_most N has_leader c (length c * (N + length c)).
Proof.
  intros HV Hb.
  apply (bullets_vanish N has_leader
           (fun x => has_leader x = true \/ exists j, is_bullet (bullet (x @ j)) = true)
           (fun x j => has_leader x = false /\ is_bullet (bullet (x @ j)) = true)); auto.
  - intros x i HVx Hx [H|H]; [congruence|]. destruct (has_leader (step N x i)) eqn:E;
      [now left | right].
    now apply bullet_stays.
  - intros x j _ (_ & H). exact H.
  - intros x HVx Hx _ i j (Hx' & Hj). rewrite no_leader_spec in Hx'. pose proof Hx as Hl.
    rewrite no_leader_spec in Hl.
    assert (Hnf : forall k, fires (x @ k) = false) by (intros k; unfold fires; now rewrite Hl).
    destruct (origin_of N x HVx i j Hj) as [Hi Hh E|Es Ho Hf Hh E|Es Ho Hf|Es Hf E|Es Hc E].
    + left. auto.
    + right. auto.
    + now rewrite Hnf in Hf.
    + now rewrite Hnf in Hf.
    + specialize (Hx' j). rewrite E in Hx'. discriminate.
  - intros x HVx [H|(j & Hj)] Hk; [assumption|].
    destruct (has_leader x) eqn:E; [reflexivity|]. now destruct (Hk j).
Qed.

(* Without a bullet: while e_0, e_1, ... occur, the dist of the agents behind the sweep counts
   on. *)
Definition Counted (N t : nat) (c : config) : Prop :=
  (forall i, leader (c @ i) = false) /\ (forall i, bullet (c @ i) = Nothing) /\
  forall x, Z.of_nat t - size c < x <= Z.of_nat t ->
    x <= Z.of_nat (dist (c @ x)) /\ (0 < x -> (dist (c @ x) < N)%nat).

(* An arc elsewhere leaves the count behind the sweep alone; an arc behind it counts anew from a
   left neighbour that has counted far enough; and e_t carries it on. *)
Lemma counted_step N t c i :
  valid N c -> Counted N t c -> has_leader (step N c i) = false ->
  Counted N (if i mod size c =? (0 + Z.of_nat t) mod size c then S t else t) (step N c i).
Proof.
  intros HV (Hl & Hb & Hd) Hl'. rewrite no_leader_spec in Hl'. pose proof (valid_size N c HV) as Hs.
  assert (Hagent : forall x,
    bullet (step N c i @ x) = Nothing /\
    (dist (step N c i @ x) = dist (c @ x) /\ (i + 1) mod size c <> x mod size c \/
     dist (step N c i @ x) = (dist (c @ (x - 1)) + 1)%nat /\
     (dist (step N c i @ x) < N)%nat /\ i mod size c = (x - 1) mod size c)).
  { intros x. destruct (Z.eq_dec (i mod size c) ((x - 1) mod size c)) as [E|E].
    - specialize (Hl' x). rewrite (step_same N c HV i (x - 1) E) in *.
      pose proof (step_responder N c HV (x - 1)) as B. replace (x - 1 + 1) with x in B by lia.
      rewrite B in *. unfold responder in *. rewrite Hl in *.
      destruct (Nat.eqb_spec (dist_r N (c @ (x - 1)) (c @ x)) N) as [_|Hne]; [discriminate|].
      unfold dist_r, dist_l in *. cbn [passed_follower bullet dist].
      unfold dist_r, dist_l, bullet_l, fires.
      rewrite Hb, Hb, Hl in *. cbn [is_bullet andb] in *. split; [reflexivity | right]. lia.
    - assert (Hr : (i + 1) mod size c <> x mod size c).
      { intros E'. apply E. replace i with (i + 1 - 1) by lia.
        now rewrite Zminus_mod, E', <- Zminus_mod. }
      rewrite step_at_mod by assumption.
      destruct (Z.eqb_spec (x mod size c) (i mod size c)) as [Ex|_].
      + rewrite (at_same c x i Ex). cbn. unfold dist_l. rewrite Hl. auto.
      + destruct (Z.eqb_spec (x mod size c) ((i + 1) mod size c)); [congruence | auto]. }
  split; [assumption|]. split; [intros x; apply Hagent|]. rewrite step_size. intros x Hx.
  rewrite Z.add_0_l in *. destruct (Hagent x) as (_ & [(Ed & Hi)|(Ed & Hlt & Hi)]).
  - rewrite Ed. destruct (Z.eqb_spec (i mod size c) (Z.of_nat t mod size c)) as [Et|_];
      [|now apply Hd].
    assert (x <> Z.of_nat t + 1).
    { intros ->. apply Hi. now rewrite <- Z.add_mod_idemp_l, Et, Z.add_mod_idemp_l by lia. }
    apply Hd. lia.
  - assert (Hwin : Z.of_nat t - size c < x - 1 <= Z.of_nat t).
    { destruct (Z.eqb_spec (i mod size c) (Z.of_nat t mod size c)) as [_|Et]; [lia|].
      assert (x - 1 <> Z.of_nat t - size c); [|lia].
      intros E. apply Et. rewrite Hi, E.
      replace (Z.of_nat t - size c) with (Z.of_nat t + (-1) * size c) by lia.
      apply Z.mod_add. lia. }
    destruct (Hd (x - 1) Hwin) as (Hx1 & _). lia.
Qed.

(* So after N arcs somebody has counted to N, and is a leader. *)
Lemma create_without_bullet N c :
  valid N c -> (forall i, bullet (c @ i) = Nothing) ->
  expected_steps_at_most N has_leader c (length c * N).
Proof.
  intros HV Hb. destruct (has_leader c) eqn:Hc.
  { intros k. rewrite expect_target by assumption. lia. }
  apply (sweep N has_leader 0 N (fun t x => has_leader x = true \/ Counted N t x)); [assumption|..].
  - intros t x i HVx Hx [H|H]; [congruence|].
    destruct (has_leader (step N x i)) eqn:E; [now left | right]. now apply counted_step.
  - intros x HVx [H|(_ & _ & Hd)]; [assumption|]. pose proof (valid_size N x HVx) as Hs.
    specialize (Hd (Z.of_nat N) ltac:(lia)). lia.
  - right. rewrite no_leader_spec in Hc. repeat split; [assumption.. | |]; lia.
Qed.

(* A larger bound is a bound. *)
Lemma weaken N target c A B :
  (A <= B)%nat -> expected_steps_at_most N target c A -> expected_steps_at_most N target c B.
Proof. intros H HA k. specialize (HA k). nia. Qed.

(* Lemma 10. From a configuration without a leader, a leader is created within n (N + n) steps in
   expectation, which is at most 2 n N. *)
Theorem lemma_10 N c :
  valid N c -> expected_steps_at_most N (existsb leader) c (length c * (N + length c)).
Proof.
  intros HV. destruct (existsb (fun a => is_bullet (bullet a)) c) eqn:Eb.
  - apply create_with_bullet; [assumption|]. apply existsb_exists in Eb.
    destruct Eb as (a & Ha & Hb).
    apply in_config in Ha. destruct Ha as (j & _ & ->). now exists j.
  - apply (weaken _ _ _ (length c * N)); [nia|]. apply create_without_bullet; [assumption|].
    intros i. apply no_bullet_spec, not_true_is_false. intros Hi.
    assert (existsb (fun a => is_bullet (bullet a)) c = true); [|congruence].
    apply existsb_exists. exists (c @ i). split; [apply at_in; destruct HV; lia | assumption].
Qed.

(* ---- First sweep: the live bullets that are not modest --------------------------------------- *)

Definition live_are_modest (c : config) : bool :=
  for_all_agents c (fun j => implb (is_live (bullet (c @ j))) (modest c j)).

(* As a set, and as the proofs say it. *)
Lemma live_are_modest_spec c :
  (0 < length c)%nat ->
  live_are_modest c = true <-> forall j, bullet (c @ j) = Live -> Good true c j.
Proof.
  intros Hn. apply for_all_spec; [assumption| |].
  - intros i. apply (live_spec c (modest c)). intros j. now rewrite modest_spec, good_modest.
  - intros i. now rewrite at_mod, !good_modest, modest_mod.
Qed.

(* There are at least two agents. *)
Lemma valid_nonempty N c : valid N c -> (0 < length c)%nat.
Proof. intros (Hn & _). lia. Qed.

(* Lemmas 3 and 4: no live bullet becomes non-modest, and new ones are modest. *)
Lemma immodest_vanish N c :
  valid N c -> expected_steps_at_most N live_are_modest c (length c * (N + length c)).
Proof.
  intros HV.
  apply (bullets_vanish N live_are_modest (fun _ => True)
           (fun x j => bullet (x @ j) = Live /\ ~ Good true x j)); auto.
  - intros x j _ (Hb & _). now rewrite Hb.
  - intros x HVx _ _ i j (Hb & HG).
    destruct (good_origin N x HVx true i j Hb) as [H|[(Hi & H)|(Es & Ho & H)]];
      [contradiction|left|right]; auto.
  - intros x HVx _ Hk. apply live_are_modest_spec; [now apply (valid_nonempty N)|].
    intros j Hj. destruct (good_dec true x j) as [H|H]; [assumption | now destruct (Hk j)].
Qed.

(* It is closed, by Lemmas 3 and 4, with or without a leader. *)
Lemma live_are_modest_step N c i :
  valid N c -> live_are_modest c = true -> live_are_modest (step N c i) = true.
Proof.
  intros HV H. pose proof (valid_nonempty N c HV) as Hn.
  pose proof (proj1 (live_are_modest_spec c Hn) H) as HG.
  apply live_are_modest_spec; [now rewrite step_length|]. intros j Hj.
  destruct (good_origin N c HV true i j Hj) as [H'|[(_ & Hb & H')|(_ & _ & Hb & H')]];
    [assumption | now destruct H'; apply HG..].
Qed.

(* ---- Second sweep: a leader ------------------------------------------------------------------ *)

(* All_good true, as a set. *)
Definition settled (c : config) : bool := live_are_modest c && has_leader c.

(* As a set, and as the proofs say it. *)
Lemma settled_spec c : (0 < length c)%nat -> settled c = true <-> All_good true c.
Proof.
  intros Hn. unfold settled, All_good, has_leader.
  rewrite andb_true_iff, live_are_modest_spec, has_leader_spec by assumption. tauto.
Qed.

(* Lemma 10, while all live bullets stay modest. *)
Lemma settle N c :
  valid N c -> expected_steps_at_most N settled c (length c * (N + length c + (N + length c))).
Proof.
  intros HV. apply phases with live_are_modest; [assumption | now apply immodest_vanish |].
  intros x HVx Ex Hx k. rewrite <- Ex. etransitivity; [|apply (lemma_10 N x HVx k)].
  apply (expect_larger (length x) (step N) (fun y => valid N y /\ live_are_modest y = true)).
  - intros y i (HVy & Hy) _. split; [now apply valid_step | now apply live_are_modest_step].
  - intros y (_ & Hy) H. unfold settled. now rewrite Hy.
  - now split.
Qed.

(* ---- Third sweep: the bullets on insecure agents, and the noisy ones ------------------------- *)

(* Every bullet sits on a secure agent and is not noisy. *)
Definition orderly (N : nat) (c : config) : bool :=
  settled c && for_all_agents c (fun j => implb (is_bullet (bullet (c @ j))) (secure N c j)) &&
  for_all_agents c (fun j => negb (noisy c j)).

(* As a set, and as the proofs say it. *)
Lemma orderly_spec N c :
  (0 < length c)%nat ->
  orderly N c = true <->
  All_good true c /\ (forall j, is_bullet (bullet (c @ j)) = true -> Secure N c j) /\
  forall j, noisy c j = false.
Proof.
  intros Hn. unfold orderly. rewrite !andb_true_iff, settled_spec by assumption.
  rewrite (for_all_spec c _ (fun j => is_bullet (bullet (c @ j)) = true -> Secure N c j));
    [|assumption| |].
  - rewrite (for_all_spec c _ (fun j => noisy c j = false)); [tauto|assumption| |].
    + intros i. apply negb_true_iff.
    + intros i. now rewrite noisy_mod.
  - intros i. now rewrite implb_true_iff, secure_spec.
  - intros i. now rewrite at_mod, secure_mod.
Qed.

(* Security can be decided. *)
Lemma secure_dec N c j : (0 < length c)%nat -> Secure N c j \/ ~ Secure N c j.
Proof. intros Hn. rewrite <- secure_spec by assumption. destruct (secure N c j); auto. Qed.

(* A bullet takes security along, and whoever fires is a leader. *)
Lemma insecure_never_new N c :
  valid N c -> All_good true c ->
  Never_new N c (fun x j => is_bullet (bullet (x @ j)) = true /\ ~ Secure N x j).
Proof.
  intros HV HG i j (Hb & HS). pose proof (valid_nonempty N c HV) as Hn.
  pose proof (secure_responder N c HV HG j) as Hresp.
  destruct (origin_of N c HV i j Hb) as [Hi Hh E|Es Ho Hf Hh E|Es Ho Hf|Es Hf E|Es Hc E].
  - left. repeat split; [assumption..|]. intros HSj. apply HS.
    destruct (Z.eq_dec ((i + 1) mod size c) (j mod size c)) as [Er|Er];
      [|now apply secure_elsewhere].
    assert (Ej : i mod size c = (j - 1) mod size c).
    { replace i with (i + 1 - 1) by lia. now rewrite Zminus_mod, Er, <- Zminus_mod. }
    rewrite (step_same N c HV i (j - 1) Ej). auto.
  - right. repeat split; try assumption; try apply Ho. intros HSj. apply HS. rewrite Es.
    destruct Ho as (_ & Hnb & _). auto 6.
  - destruct HS. rewrite Es. destruct Ho as (_ & Hnb & _). apply Hresp. right. right.
    split; [assumption | left]. unfold fires in Hf. now destruct (leader (c @ (j - 1))).
  - destruct HS. rewrite Es. apply Hresp. left. unfold fires in Hf. now destruct (leader (c @ j)).
  - destruct HS. unfold Secure. now rewrite E.
Qed.

(* The bullets that have to go. *)
Definition disorderly (N : nat) (c : config) (j : Z) : Prop :=
  (is_bullet (bullet (c @ j)) = true /\ ~ Secure N c j) \/ noisy c j = true.

Lemma disorderly_never_new N c : valid N c -> All_good true c -> Never_new N c (disorderly N).
Proof.
  intros HV HG i j [H|H].
  - destruct (insecure_never_new N c HV HG i j H) as [(Hi & Hj)|(Es & Ho & Hj)];
      [left|right]; repeat (split; [assumption|]); now left.
  - destruct (noisy_never_new N c HV HG i j H) as [(Hi & Hj)|(Es & Ho & Hj)];
      [left|right]; repeat (split; [assumption|]); now right.
Qed.

Lemma none_is_orderly N c :
  (0 < length c)%nat -> All_good true c -> (forall j, ~ disorderly N c j) -> orderly N c = true.
Proof.
  intros Hn HG Hk. apply orderly_spec; [assumption|]. split; [assumption|]. split; intros j.
  - intros Hj. destruct (secure_dec N c j Hn) as [H|H]; [assumption|]. destruct (Hk j). now left.
  - apply not_true_is_false. intros H. destruct (Hk j). now right.
Qed.

(* Hence they vanish, as all bullets of a kind that is never made anew. *)
Lemma disorderly_bullets_vanish N c :
  valid N c -> settled c = true ->
  expected_steps_at_most N (orderly N) c (length c * (N + length c)).
Proof.
  intros HV Hc. pose proof (valid_nonempty N c HV) as Hn. apply settled_spec in Hc; [|assumption].
  apply (bullets_vanish N (orderly N) (All_good true) (disorderly N)); auto.
  - intros x i HVx _ Hx. now apply all_good_step.
  - intros x j _ [(Hb & _)|H]; [exact Hb|]. unfold noisy in H. now destruct (is_bullet _).
  - intros x HVx _ Hx. now apply disorderly_never_new.
  - intros x HVx Hx Hk. apply none_is_orderly; [now apply (valid_nonempty N)|assumption..].
Qed.

(* And they do not come back. *)
Lemma orderly_step N c i : valid N c -> orderly N c = true -> orderly N (step N c i) = true.
Proof.
  intros HV H. pose proof (valid_nonempty N c HV) as Hn.
  apply orderly_spec in H; [|assumption]. destruct H as (HG & HS & HQ).
  apply none_is_orderly; [now rewrite step_length|now apply all_good_step|]. intros j Hj.
  assert (Hno : forall k, ~ disorderly N c k).
  { intros k [(Hb & Hk)|Hk]; [now apply Hk, HS|]. rewrite HQ in Hk. discriminate. }
  destruct (disorderly_never_new N c HV HG i j Hj) as [(_ & H)|(_ & _ & H)]; now apply (Hno _ H).
Qed.

(* ---- Fourth sweep: one agent after the other becomes secure ---------------------------------- *)

(* A leader that is killed leaves a stretch of secure agents before it, from the leader that the
   bullet came from. *)
Lemma killed_leaves_secure N c i q :
  valid N c -> All_good true c -> leader (c @ q) = true -> leader (step N c i @ q) = false ->
  exists e, 0 < e < size c /\ leader (step N c i @ (q - e)) = true /\
            forall y, - e <= y < 0 -> Secure N (step N c i) (q + y).
Proof.
  intros HV HG Hq Hq'. pose proof (valid_size N c HV) as Hs.
  destruct (killed_by N c HV i q Hq Hq') as (Es & [Hl|Hb]).
  - exists 1. assert (Hl' : leader (step N c i @ (q - 1)) = true)
      by (rewrite Es, initiator_keeps_leader; assumption).
    split; [lia|]. split; [assumption|]. intros y Hy. replace (q + y) with (q - 1) by lia.
    unfold Secure. rewrite Hl', Es, step_initiator by assumption. cbn. unfold dist_l.
    now rewrite Hl.
  - destruct (proj2 HG _ Hb) as (e & He & (Hl & Hsh & Hf & Hg) & Hh). specialize (Hh eq_refl).
    specialize (Hg 0 ltac:(lia)). rewrite Z.add_0_r in Hg.
    pose proof (shielded_stays N c HV i _ Hl Hsh Hg) as Hl'.
    assert (He1 : e + 1 < size c).
    { destruct (Z.eq_dec (e + 1) (size c)) as [E|]; [|lia]. exfalso.
      replace (q - 1 - e) with (q - size (step N c i)) in Hl' by (rewrite step_size; lia).
      rewrite <- at_around in Hl'.
      replace (q - size (step N c i) + size (step N c i)) with q in Hl' by lia. congruence. }
    exists (e + 1). replace (q - (e + 1)) with (q - 1 - e) by lia. repeat split;
      [lia | lia | assumption |].
    intros y Hy. rewrite Es. apply secure_elsewhere; [assumption..| |].
    + intros E. replace (q - 1 + 1) with (q + y + (- y)) in E by lia.
      rewrite <- (Z.add_0_r (q + y)) in E at 2.
      symmetry in E. apply same_offset in E; [lia | destruct HV; lia | lia..].
    + specialize (Hh (y + 1 + e) ltac:(lia)).
      replace (q - 1 - e + (y + 1 + e)) with (q + y) in Hh by lia.
      unfold Secure. destruct (Z.eq_dec y (- e - 1)) as [->|Hne].
      * replace (q + (- e - 1)) with (q - 1 - e) in * by lia. rewrite Hl. lia.
      * specialize (Hf (y + 1 + e) ltac:(lia)).
        replace (q - 1 - e + (y + 1 + e)) with (q + y) in Hf by lia.
        rewrite Hf. exists (- y). replace (q + y + - y) with q by lia. repeat split;
          (assumption || lia).
Qed.

(* After t arcs of the sweep from e_{p-1} on: a leader at or before u_p, and from it to u_{p+t-1}
   all are secure. *)
Definition Secured (N : nat) (p : Z) (t : nat) (c : config) : Prop :=
  exists d, 0 <= d /\ (t = 0%nat -> d = 0) /\ leader (c @ (p - d)) = true /\
            forall x, - d <= x < Z.of_nat t -> Secure N c (p + x).

(* If the stretch goes once round, all are secure. *)
Lemma secured_around N p t d c :
  (0 < length c)%nat -> size c <= d + Z.of_nat t ->
  (forall x, - d <= x < Z.of_nat t -> Secure N c (p + x)) -> forall j, Secure N c j.
Proof.
  intros Hn Hw H j. assert (Hs : 0 < size c) by (unfold size; lia).
  pose proof (Z.mod_pos_bound (j - (p - d)) (size c) Hs) as Hb.
  specialize (H ((j - (p - d)) mod size c - d) ltac:(lia)).
  apply secure_mod. apply secure_mod in H.
  replace (j mod size c) with ((p + ((j - (p - d)) mod size c - d)) mod size c); [assumption|].
  replace (p + ((j - (p - d)) mod size c - d)) with ((j - (p - d)) mod size c + (p - d)) by lia.
  rewrite Z.add_mod_idemp_l by lia. f_equal. lia.
Qed.

(* The responder is secure afterwards if its left neighbour is, or if it is a leader. *)
Lemma orderly_responder N c j i :
  valid N c -> orderly N c = true -> step N c i = step N c (j - 1) ->
  leader (c @ j) = true \/ Secure N c (j - 1) -> Secure N (step N c i) j.
Proof.
  intros HV HT -> H. apply orderly_spec in HT; [|destruct HV; lia]. destruct HT as (HG & HB & _).
  apply secure_responder; [assumption..|].
  destruct (is_bullet (bullet (c @ j))) eqn:Eb; [right; left; auto|].
  apply no_bullet_spec in Eb. tauto.
Qed.

(* A stretch of secure agents that begins with a leader stays secure, and arc k, out of it, makes it
   one longer; p - d is where it begins, t is where it ends. *)
Lemma stretch_stays_secure N c p d t k x :
  valid N c -> orderly N c = true -> 0 <= d -> d + Z.of_nat t < size c ->
  leader (c @ (p - d)) = true -> (forall x, - d <= x < Z.of_nat t -> Secure N c (p + x)) ->
  0 <= k < size c ->
  - d <= x < Z.of_nat t \/
    (x = Z.of_nat t /\ (p - d + k) mod size c = (p - 1 + Z.of_nat t) mod size c) ->
  Secure N (step N c (p - d + k)) (p + x).
Proof.
  intros HV HT Hd Hw Hq HS Hk Hx. pose proof (valid_size N c HV) as Hs.
  assert (Hn : (2 <= length c)%nat) by (destruct HV; lia).
  assert (Hfirst : k = size c - 1 -> Secure N (step N c (p - d + k)) (p - d)).
  { intros ->. apply orderly_responder; [assumption..| |now left].
    replace (p - d + (size c - 1)) with (p - d - 1 + size c) by lia. now apply step_around. }
  destruct Hx as [Hx|(-> & E)].
  - assert (HG : All_good true c) by (apply orderly_spec in HT; [apply HT|lia]).
    destruct (Z.eq_dec (x + d) (k + 1)) as [E|E].
    + replace (p + x) with (p - d + k + 1) by lia.
      apply orderly_responder; [assumption..|f_equal; lia|]. right.
      replace (p - d + k + 1 - 1) with (p + (x - 1)) by lia. apply HS. lia.
    + destruct (Z.eq_dec k (size c - 1)) as [Ek|Ek]; [destruct (Z.eq_dec x (- d)) as [->|Hx0]|].
      * now apply Hfirst.
      * apply secure_elsewhere; [assumption..| |now apply HS]. intros E'.
        replace (p + x) with (p - d + (x + d)) in E' by lia.
        rewrite <- Z.add_assoc in E'. symmetry in E'. apply same_offset in E'; lia.
      * apply secure_elsewhere; [assumption..| |now apply HS]. intros E'.
        replace (p + x) with (p - d + (x + d)) in E' by lia.
        rewrite <- Z.add_assoc in E'. symmetry in E'. apply same_offset in E'; lia.
  - destruct (Z.eq_dec (d + Z.of_nat t) 0) as [E0|E0].
    + replace (p + Z.of_nat t) with (p - d) by lia. apply Hfirst.
      replace (p - 1 + Z.of_nat t) with (p - d + (size c - 1) + (-1) * size c) in E by lia.
      rewrite Z.mod_add in E by lia. apply same_offset in E; lia.
    + replace (p - 1 + Z.of_nat t) with (p - d + (d + Z.of_nat t - 1)) in E by lia.
      apply same_offset in E; [|lia..]. assert (k = d + Z.of_nat t - 1) as -> by lia.
      apply orderly_responder; [assumption..|f_equal; lia|]. right.
      replace (p + Z.of_nat t - 1) with (p + (Z.of_nat t - 1)) by lia.
      apply HS. lia.
Qed.

(* So does the stretch behind the sweep: when the leader at its beginning is killed, that one leaves
   a secure stretch before it. *)
Lemma secured_step N p t c i :
  valid N c -> orderly N c = true -> C_NI N c = false -> Secured N p t c ->
  Secured N p (if i mod size c =? (p - 1 + Z.of_nat t) mod size c then S t else t) (step N c i).
Proof.
  intros HV HT HC (d & Hd & Ht0 & Hq & HS). pose proof (valid_size N c HV) as Hs.
  assert (HG : All_good true c) by (apply orderly_spec in HT; [apply HT|destruct HV; lia]).
  assert (Hw : d + Z.of_nat t < size c).
  { apply Z.lt_nge. intros Hge. assert (C_NI N c = true); [|congruence].
    assert (Hn : (0 < length c)%nat) by (destruct HV; lia).
    apply all_good_C_NI; [lia|]. split; [assumption|]. apply (secured_around N p t d); auto. }
  destruct (arc_from N c HV (p - d) i) as (k & Hk & Ei & Es). rewrite Ei, Es.
  set (t' := if _ =? _ then S t else t).
  assert (Hnew : forall x, - d <= x < Z.of_nat t' -> Secure N (step N c (p - d + k)) (p + x)).
  { intros x Hx. unfold t' in Hx. apply (stretch_stays_secure N c p d t k x); try assumption.
    destruct (Z.eqb_spec ((p - d + k) mod size c) ((p - 1 + Z.of_nat t) mod size c)) as [E|_];
      [|now left].
    destruct (Z.eq_dec x (Z.of_nat t)) as [->|Hne]; [now right|left; lia]. }
  destruct (leader (step N c (p - d + k) @ (p - d))) eqn:El.
  { exists d. repeat split; try assumption. unfold t'. destruct (_ =? _);
      [discriminate | assumption]. }
  assert (Ek : k = size c - 1).
  { pose proof (step_from N c HV (p - d) k 0 Hk ltac:(lia)) as B. rewrite Z.add_0_r in B.
    rewrite B in El.
    destruct (Z.eqb_spec 0 k) as [<-|_]; [rewrite Z.add_0_r in El; cbn in El; congruence|].
    replace (0 =? k + 1) with false in El by lia. cbn [orb andb Z.eqb] in El.
    destruct (Z.eqb_spec k (size c - 1)); [assumption | congruence]. }
  destruct (killed_leaves_secure N c _ _ HV HG Hq El) as (e & He & Hl' & HS').
  exists (d + e). repeat split; [lia | | now replace (p - (d + e)) with (p - d - e) by lia |].
  - unfold t'. intros Ht'. exfalso.
    destruct (Z.eqb_spec ((p - d + k) mod size c) ((p - 1 + Z.of_nat t) mod size c))
      as [_|E]; [discriminate|]. apply E. subst t' k. rewrite Ht' in *. rewrite (Ht0 eq_refl) in *.
    replace (p - 0 + (size c - 1)) with (p - 1 + Z.of_nat 0 + 1 * size c) by lia. apply Z.mod_add.
    lia.
  - intros x Hx. destruct (Z_lt_dec x (- d)) as [Hlt|Hge]; [|apply Hnew; lia].
    replace (p + x) with (p - d + (x + d)) by lia. apply HS'. lia.
Qed.

(* Orderly and secure is quiet. *)
Lemma orderly_quiet N c : (0 < length c)%nat -> orderly N c = true -> quiet N c = C_NI N c.
Proof.
  intros Hn H. unfold orderly in H. apply andb_true_iff in H as [_ H]. unfold quiet. rewrite H.
  apply andb_true_r.
Qed.

(* After n arcs the stretch goes once round. *)
Lemma become_secure N c :
  valid N c -> orderly N c = true ->
  expected_steps_at_most N (quiet N) c (length c * length c).
Proof.
  intros HV HT. pose proof (valid_nonempty N c HV) as Hn.
  pose proof (proj1 (orderly_spec N c Hn) HT) as ((( p & Hp) & _) & _).
  apply (sweep N (quiet N) (p - 1) (length c)
           (fun t x => orderly N x = true /\ size x = size c /\ Secured N p t x));
             [assumption|..].
  - intros t x i HVx HQ (HTx & Ex & HSx).
    rewrite orderly_quiet in HQ by (assumption || now apply (valid_nonempty N)). repeat split.
    + now apply orderly_step.
    + now rewrite step_size.
    + now apply secured_step.
  - intros x HVx (HTx & Ex & d & Hd & _ & _ & HS). pose proof (valid_nonempty N x HVx) as Hnx.
    rewrite orderly_quiet by assumption.
    apply orderly_spec in HTx; [|assumption]. apply all_good_C_NI; [assumption|].
    split; [apply HTx|]. apply (secured_around N p (length c) d); [assumption | unfold size in *;
      lia | assumption].
  - repeat split; [assumption|]. exists 0. rewrite Z.sub_0_r. repeat split; (assumption || lia).
Qed.

(* From every configuration a quiet one is reached within n (3 N + 4 n) steps in expectation. *)
Lemma become_quiet N c :
  valid N c -> expected_steps_at_most N (quiet N) c (length c * (3 * N + 4 * length c)).
Proof.
  intros HV.
  replace (3 * N + 4 * length c)%nat
    with (N + length c + (N + length c) + (N + length c + length c))%nat by lia.
  apply phases with settled; [assumption | now apply settle |].
  intros x HVx Ex Hx. rewrite <- Ex.
  apply phases with (orderly N); [assumption | now apply disorderly_bullets_vanish |].
  intros y HVy Ey Hy. rewrite <- Ey. now apply become_secure.
Qed.

(* Lemma 11. C_NI is reached within so many: it has all quiet configurations. *)
Theorem lemma_11 N c :
  valid N c -> expected_steps_at_most N (C_NI N) c (length c * (3 * N + 4 * length c)).
Proof.
  intros HV k. eapply Nat.le_trans; [|now apply become_quiet].
  apply (expect_larger _ _ (valid N)); [|intros x _; apply quiet_C_NI|assumption].
  intros x i Hx _. now apply valid_step.
Qed.
