(* SPDX-License-Identifier: MIT

   The paper's predicates and sets in the form that proofs use.

   A live bullet at u_i is peaceful because of its nearest left leader u_p. Proofs follow the
   stretch u_p .. u_{p+d} = u_i from the leader: it is [calm] if the leader is shielded, those
   after it are followers, and none has a signal; [humble] if dist is at most the distance from
   the leader. An agent is secure if dist + d <= N for some leader d to the right: it need not be
   the nearest. Every form is proved equivalent to the definition in Model.v. *)

From Coq Require Import List Bool Arith ZArith Lia.
From Ringleader Require Import Model Step.
Import ListNotations.
Open Scope Z_scope.

(* ---- The forms ------------------------------------------------------------------------------- *)

Definition Calm (c : config) (p d : Z) : Prop :=
  leader (c @ p) = true /\ shield (c @ p) = true /\
  (forall x, 0 < x <= d -> leader (c @ (p + x)) = false) /\
  (forall x, 0 <= x <= d -> signal (c @ (p + x)) = false).

Definition Humble (c : config) (p d : Z) : Prop :=
  forall x, 0 <= x <= d -> Z.of_nat (dist (c @ (p + x))) <= x.

Definition Peaceful (c : config) (i : Z) : Prop :=
  exists d, 0 <= d < size c /\ Calm c (i - d) d.

Definition Modest (c : config) (i : Z) : Prop :=
  exists d, 0 <= d < size c /\ Calm c (i - d) d /\ Humble c (i - d) d.

Definition Secure (N : nat) (c : config) (i : Z) : Prop :=
  if leader (c @ i) then dist (c @ i) = 0%nat
  else exists d, 0 < d < size c /\ leader (c @ (i + d)) = true /\
                 Z.of_nat (dist (c @ i)) + d <= Z.of_nat N.

Definition Has_leader (c : config) : Prop := exists i, leader (c @ i) = true.

(* Exactly one leader, u_p. *)
Definition Only_leader (c : config) (p : Z) : Prop :=
  leader (c @ p) = true /\ forall x, 0 < x < size c -> leader (c @ (p + x)) = false.

(* ---- Searching the ring ---------------------------------------------------------------------- *)

(* The first of 0, 1, ... that is found is the least. *)
Lemma find_least f n d :
  find f (seq 0 n) = Some d <->
  (d < n)%nat /\ f d = true /\ forall j, (j < d)%nat -> f j = false.
Proof.
  enough (H : forall a, find f (seq a n) = Some d <->
            (a <= d < a + n)%nat /\ f d = true /\ forall j, (a <= j < d)%nat -> f j = false).
  { rewrite H. intuition auto with zarith. }
  induction n as [|n IH]; intros a; cbn.
  - split; [discriminate | lia].
  - destruct (f a) eqn:Ea; [split|].
    + intros [= <-]. repeat split; [lia | lia | assumption | lia].
    + intros (Hd & Hf & Hj). destruct (Nat.eq_dec a d) as [->|Hne]; [reflexivity|].
      rewrite Hj in Ea by lia. discriminate.
    + rewrite IH. split; intros (Hd & Hf & Hj).
      * repeat split; [lia | lia | assumption |]. intros j Hj'.
        destruct (Nat.eq_dec a j) as [<-|]; [assumption | apply Hj; lia].
      * assert (a <> d) by congruence.
        repeat split; [lia | lia | assumption |]. intros j Hj'. apply Hj. lia.
Qed.

(* Nothing is found if there is nothing. *)
Lemma find_nothing f n : find f (seq 0 n) = None <-> forall j, (j < n)%nat -> f j = false.
Proof.
  split.
  - intros E j Hj. apply (find_none _ _ E), in_seq. lia.
  - intros H. destruct (find f (seq 0 n)) as [d|] eqn:E; [|reflexivity].
    apply find_least in E. destruct E as (Hd & Hf & _). rewrite H in Hf by assumption. discriminate.
Qed.

(* Some j is d_L(i), or there is no leader. *)
Lemma d_L_spec c i d :
  d_L c i = Some d <->
  (d < length c)%nat /\ leader (c @ (i - Z.of_nat d)) = true /\
  forall j, (j < d)%nat -> leader (c @ (i - Z.of_nat j)) = false.
Proof. apply find_least. Qed.

Lemma d_R_spec c i d :
  d_R c i = Some d <->
  (d < length c)%nat /\ leader (c @ (i + Z.of_nat d)) = true /\
  forall j, (j < d)%nat -> leader (c @ (i + Z.of_nat j)) = false.
Proof. apply find_least. Qed.

Lemma for_all_to_spec d P : for_all_to d P = true <-> forall j, (j <= d)%nat -> P j = true.
Proof.
  unfold for_all_to. rewrite forallb_forall. split; intros H j Hj.
  - apply H, in_seq. lia.
  - apply in_seq in Hj. apply H. lia.
Qed.

Lemma for_all_agents_spec c P :
  for_all_agents c P = true <-> forall i, 0 <= i < size c -> P i = true.
Proof.
  unfold for_all_agents. rewrite forallb_forall. unfold size.
  split; intros H i Hi; apply H, in_arcs; exact Hi.
Qed.

(* ---- The forms are the definitions ----------------------------------------------------------- *)

(* What a calm stretch says of d_L at its end. *)
Lemma calm_d_L c i d : 0 <= d < size c -> Calm c (i - d) d -> d_L c i = Some (Z.to_nat d).
Proof.
  intros Hd (Hl & _ & Hf & _). apply d_L_spec. unfold size in *.
  rewrite Z2Nat.id by lia. repeat split; [lia | assumption |].
  intros j Hj. specialize (Hf (d - Z.of_nat j)).
  replace (i - d + (d - Z.of_nat j)) with (i - Z.of_nat j) in Hf by lia. apply Hf. lia.
Qed.

(* The stretch back to the nearest left leader, read from the leader on. *)
Lemma calm_spec c i d :
  d_L c i = Some d ->
  (shield (c @ (i - Z.of_nat d))
   && for_all_to d (fun j => negb (signal (c @ (i - Z.of_nat j)))) = true
   <-> Calm c (i - Z.of_nat d) (Z.of_nat d)).
Proof.
  intros E. apply d_L_spec in E. destruct E as (Hd & Hl & Hf).
  rewrite andb_true_iff, for_all_to_spec. unfold Calm. split.
  - intros (Hs & Hg). repeat split; [assumption | assumption | |]; intros x Hx.
    + specialize (Hf (d - Z.to_nat x)%nat).
      replace (i - Z.of_nat (d - Z.to_nat x)) with (i - Z.of_nat d + x) in Hf by lia.
      apply Hf. lia.
    + specialize (Hg (d - Z.to_nat x)%nat).
      replace (i - Z.of_nat (d - Z.to_nat x)) with (i - Z.of_nat d + x) in Hg by lia.
      apply negb_true_iff, Hg. lia.
  - intros (_ & Hs & _ & Hg). split; [assumption|]. intros j Hj. apply negb_true_iff.
    specialize (Hg (Z.of_nat (d - j))).
    replace (i - Z.of_nat d + Z.of_nat (d - j)) with (i - Z.of_nat j) in Hg by lia.
    apply Hg. lia.
Qed.

(* A bullet is peaceful if its stretch is calm. *)
Lemma peaceful_spec c i : peaceful c i = true <-> Peaceful c i.
Proof.
  unfold peaceful, Peaceful. split.
  - destruct (d_L c i) as [d|] eqn:E; [|discriminate]. intros H.
    exists (Z.of_nat d). rewrite (calm_spec _ _ _ E) in H.
    apply d_L_spec in E. unfold size. split; [lia | assumption].
  - intros (d & Hd & Hc). pose proof (calm_d_L _ _ _ Hd Hc) as E. rewrite E.
    apply calm_spec; [assumption|]. now rewrite Z2Nat.id by lia.
Qed.

(* In a calm stretch, the x-th agent has its nearest left leader at distance x. *)
Lemma calm_within c p d x : Calm c p d -> 0 <= x <= d -> Calm c p x.
Proof.
  intros (Hl & Hs & Hf & Hg) Hx. repeat split; try assumption; intros y Hy; [apply Hf | apply Hg];
    lia.
Qed.

(* The dist of the agents of a calm stretch, read from the leader on. *)
Lemma humble_spec c i d :
  0 <= d < size c -> Calm c (i - d) d ->
  (for_all_to (Z.to_nat d) (fun j =>
     match d_L c (i - Z.of_nat j) with
     | Some d' => (dist (c @ (i - Z.of_nat j)) <=? d')%nat
     | None => true
     end) = true <-> Humble c (i - d) d).
Proof.
  intros Hd Hc. rewrite for_all_to_spec. unfold Humble.
  assert (E : forall x, 0 <= x <= d -> d_L c (i - d + x) = Some (Z.to_nat x)).
  { intros x Hx. apply calm_d_L; [lia|]. replace (i - d + x - x) with (i - d) by lia.
    now apply (calm_within _ _ d). }
  split; intros H.
  - intros x Hx. specialize (H (Z.to_nat (d - x)) ltac:(lia)).
    replace (i - Z.of_nat (Z.to_nat (d - x))) with (i - d + x) in H by lia.
    rewrite E in H by assumption. apply Nat.leb_le in H. lia.
  - intros j Hj. specialize (H (d - Z.of_nat j) ltac:(lia)).
    specialize (E (d - Z.of_nat j) ltac:(lia)).
    replace (i - d + (d - Z.of_nat j)) with (i - Z.of_nat j) in * by lia.
    rewrite E. apply Nat.leb_le. lia.
Qed.

(* A bullet is modest if its stretch is calm and humble. *)
Lemma modest_spec c i : modest c i = true <-> Modest c i.
Proof.
  unfold modest. rewrite andb_true_iff, peaceful_spec. split.
  - intros ((d & Hd & Hc) & H). pose proof (calm_d_L _ _ _ Hd Hc) as E. rewrite E in H.
    apply humble_spec in H; [|assumption..]. now exists d.
  - intros (d & Hd & Hc & Hh). split; [now exists d|].
    rewrite (calm_d_L _ _ _ Hd Hc). now apply humble_spec.
Qed.

(* Modest bullets are peaceful. *)
Lemma modest_peaceful c i : Modest c i -> Peaceful c i.
Proof. intros (d & Hd & Hc & _). now exists d. Qed.

(* The nearest right leader is the best one to be secure by. *)
Lemma secure_spec N c i : (0 < length c)%nat -> secure N c i = true <-> Secure N c i.
Proof.
  intros Hn. unfold secure, Secure. destruct (leader (c @ i)) eqn:El; [apply Nat.eqb_eq|].
  split.
  - destruct (d_R c i) as [d|] eqn:E; [|discriminate]. rewrite Nat.leb_le. intros H.
    apply d_R_spec in E. destruct E as (Hd & Hl & _). exists (Z.of_nat d).
    assert (d <> 0)%nat by (intros ->; rewrite Z.add_0_r in Hl; congruence).
    unfold size. repeat split; [lia | lia | assumption | lia].
  - intros (d & Hd & Hl & H). unfold size in Hd. destruct (d_R c i) as [d'|] eqn:E.
    + apply d_R_spec in E. destruct E as (_ & _ & Hf). apply Nat.leb_le.
      assert (d' <= Z.to_nat d)%nat; [|lia].
      apply Nat.nlt_ge. intros Hlt. specialize (Hf _ Hlt). rewrite Z2Nat.id in Hf by lia.
      congruence.
    + unfold d_R in E. rewrite find_nothing in E. specialize (E (Z.to_nat d) ltac:(lia)).
      cbn beta in E. rewrite Z2Nat.id in E by lia. congruence.
Qed.

(* ---- The forms are periodic ------------------------------------------------------------------ *)

Lemma calm_mod c i x d : Calm c (i mod size c + x) d <-> Calm c (i + x) d.
Proof.
  unfold Calm. rewrite at_mod_add.
  split; intros (Hl & Hs & Hf & Hg); repeat split; try assumption; intros y Hy;
    specialize (Hf y); specialize (Hg y); rewrite <- Z.add_assoc in *; rewrite at_mod_add in *;
      auto.
Qed.

Lemma humble_mod c i x d : Humble c (i mod size c + x) d <-> Humble c (i + x) d.
Proof.
  unfold Humble. split; intros H y Hy; specialize (H y Hy); rewrite <- Z.add_assoc in *;
    rewrite at_mod_add in *; assumption.
Qed.

Lemma peaceful_mod c i : Peaceful c (i mod size c) <-> Peaceful c i.
Proof.
  unfold Peaceful. split; intros (d & Hd & H); exists d; (split; [assumption|]);
    unfold Z.sub in *; now apply calm_mod.
Qed.

Lemma modest_mod c i : Modest c (i mod size c) <-> Modest c i.
Proof.
  unfold Modest. split; intros (d & Hd & Hc & Hh); exists d; (split; [assumption|]);
    unfold Z.sub in *; split; (now apply calm_mod || now apply humble_mod).
Qed.

Lemma secure_mod N c i : Secure N c (i mod size c) <-> Secure N c i.
Proof.
  unfold Secure. rewrite at_mod. destruct (leader (c @ i)); [reflexivity|].
  split; intros (d & Hd & Hl & H); exists d; rewrite at_mod_add in *; auto.
Qed.

(* ---- The sets -------------------------------------------------------------------------------- *)

Lemma is_live_spec b : is_live b = true <-> b = Live.
Proof. destruct b; cbn; split; congruence. Qed.

Lemma is_bullet_spec b : is_bullet b = true <-> b <> Nothing.
Proof. destruct b; cbn; split; congruence. Qed.

Lemma no_bullet_spec b : is_bullet b = false <-> b = Nothing.
Proof. destruct b; cbn; split; congruence. Qed.

(* Some agent of the list, some place of the ring. *)
Lemma has_leader_spec c : existsb leader c = true <-> Has_leader c.
Proof.
  rewrite existsb_exists. split.
  - intros (a & Ha & Hl). apply in_config in Ha. destruct Ha as (i & _ & ->). now exists i.
  - intros (i & Hi). destruct c as [|a c]; [rewrite at_nil in Hi; discriminate|].
    exists ((a :: c) @ i). split; [apply at_in; cbn; lia | assumption].
Qed.

(* A property of the agents that the residue decides holds for all integers. *)
Lemma for_all_spec c (P : Z -> bool) (Q : Z -> Prop) :
  (0 < length c)%nat -> (forall i, P i = true <-> Q i) -> (forall i, Q (i mod size c) <-> Q i) ->
  for_all_agents c P = true <-> forall i, Q i.
Proof.
  intros Hn HPQ Hmod. rewrite for_all_agents_spec. split.
  - intros H i. apply Hmod, HPQ, H, Z.mod_pos_bound. unfold size. lia.
  - intros H i _. now apply HPQ.
Qed.

(* Of live bullets only. *)
Lemma live_spec c (P : Z -> bool) (Q : Z -> Prop) i :
  (forall j, P j = true <-> Q j) ->
  implb (is_live (bullet (c @ i))) (P i) = true <-> (bullet (c @ i) = Live -> Q i).
Proof. intros H. rewrite implb_true_iff, is_live_spec, H. reflexivity. Qed.

(* C_PB, as the proofs say it. *)
Lemma C_PB_spec c :
  (0 < length c)%nat ->
  C_PB c = true <-> Has_leader c /\ forall i, bullet (c @ i) = Live -> Peaceful c i.
Proof.
  intros Hn. unfold C_PB. rewrite andb_true_iff, has_leader_spec.
  rewrite (for_all_spec c _ (fun i => bullet (c @ i) = Live -> Peaceful c i));
    [reflexivity | assumption | |].
  - intros i. apply (live_spec c (peaceful c)), peaceful_spec.
  - intros i. now rewrite at_mod, peaceful_mod.
Qed.

(* Modest says all that peaceful does. *)
Lemma C_NI_spec N c :
  (0 < length c)%nat ->
  C_NI N c = true <->
  Has_leader c /\ (forall i, Secure N c i) /\ forall i, bullet (c @ i) = Live -> Modest c i.
Proof.
  intros Hn. unfold C_NI. rewrite !andb_true_iff, C_PB_spec by assumption.
  rewrite (for_all_spec c _ (Secure N c));
    [| assumption | intros i; now apply secure_spec | intros i; apply secure_mod].
  rewrite (for_all_spec c _ (fun i => bullet (c @ i) = Live -> Modest c i));
    [| assumption | intros i; apply (live_spec c (modest c)), modest_spec
     | intros i; now rewrite at_mod, modest_mod].
  split; [tauto|]. intros (Hl & Hs & Hm). repeat split; try assumption.
  intros i Hi. now apply modest_peaceful, Hm.
Qed.

(* One leader in number is one leader in place. *)
Lemma one_leader_spec c : (2 <= length c)%nat -> leaders c = 1%nat <-> exists p, Only_leader c p.
Proof.
  intros Hn. rewrite leaders_count. set (f := fun i => leader (c @ i)). set (l := arcs (length c)).
  assert (Hin : forall i, In i (filter f l) <-> 0 <= i < size c /\ leader (c @ i) = true).
  { intros i. rewrite filter_In. unfold l. rewrite in_arcs. reflexivity. }
  assert (Hmod : forall i, 0 <= i mod size c < size c)
    by (intros i; apply Z.mod_pos_bound; unfold size; lia).
  split.
  - intros E. destruct (filter f l) as [|p [|q r]] eqn:Ef; try discriminate.
    destruct (proj1 (Hin p) (or_introl eq_refl)) as (Hp & Hlp).
    exists p. split; [assumption|]. intros x Hx. apply not_true_is_false. intros Hlx.
    assert (H : In ((p + x) mod size c) [p]) by (apply Hin; rewrite at_mod; auto).
    destruct H as [H|[]]. rewrite <- (Z.mod_small p (size c) Hp), <- (Z.add_0_r p) in H at 1.
    apply same_offset in H; unfold size in *; lia.
  - intros (p & Hp & Hx).
    assert (Hall : forall i, In i (filter f l) <-> i = p mod size c).
    { intros i. rewrite Hin. split.
      - intros (Hi & Hli). destruct (Z.eq_dec i (p mod size c)) as [|Hne]; [assumption|].
        exfalso. specialize (Hx ((i - p) mod size c)). rewrite <- at_mod in Hx.
        rewrite Z.add_mod_idemp_r in Hx by lia. replace (p + (i - p)) with i in Hx by lia.
        rewrite at_mod, Hli in Hx. discriminate Hx.
        destruct (Z.eq_dec ((i - p) mod size c) 0) as [E|]; [|specialize (Hmod (i - p)); lia].
        exfalso. apply Hne. rewrite <- (Z.mod_small i (size c)) by assumption.
        replace i with (p + (i - p)) by lia. rewrite <- Z.add_mod_idemp_r, E by lia. f_equal. lia.
      - intros ->. rewrite at_mod. auto. }
    assert (Hnd : NoDup (filter f l)) by apply NoDup_filter, arcs_NoDup.
    destruct (filter f l) as [|a [|b r]]; [|reflexivity|].
    + exfalso. now apply (Hall (p mod size c)).
    + exfalso. assert (a = b) as ->.
      { rewrite (proj1 (Hall a)), (proj1 (Hall b)); cbn; auto. }
      inversion Hnd as [|? ? Hni _]. apply Hni. now left.
Qed.

(* S_RL, as the proofs say it. *)
Lemma S_RL_spec N c :
  (2 <= length c)%nat -> S_RL N c = true <-> C_NI N c = true /\ exists p, Only_leader c p.
Proof.
  intros Hn. unfold S_RL. rewrite andb_true_iff, Nat.eqb_eq. now rewrite one_leader_spec.
Qed.

(* ---- Valid configurations -------------------------------------------------------------------- *)

(* dist is at most N everywhere. *)
Lemma valid_dist N c i : valid N c -> (dist (c @ i) <= N)%nat.
Proof.
  intros ((Hn & _) & Hd). rewrite Forall_forall in Hd. apply Hd, at_in. lia.
Qed.

(* It stays so. *)
Lemma responder_dist N l r :
  (dist l <= N)%nat -> (dist r <= N)%nat -> (dist (responder N l r) <= N)%nat.
Proof.
  intros Hl Hr. unfold responder, hit_leader, new_leader, passed_follower, dist_r.
  destruct (leader r); cbn [dist]; [lia|]. destruct (_ =? N)%nat; cbn [dist]; [lia|].
  destruct (is_bullet (bullet r)); lia.
Qed.

(* Steps do not leave the configurations of the ring. *)
Lemma valid_step N c i : valid N c -> valid N (step N c i).
Proof.
  intros HV. pose proof (valid_dist N c) as Hd. destruct HV as (Hn & HF).
  assert (HV : valid N c) by (split; assumption).
  split; [now rewrite step_length|]. apply Forall_forall. intros a Ha.
  apply in_config in Ha. destruct Ha as (j & _ & ->).
  destruct (step_roles N c HV i j) as [_ ->|_ ->|_ _ ->].
  - cbn [initiator dist]. unfold dist_l. destruct (leader (c @ j)); [lia | auto].
  - apply responder_dist; auto.
  - auto.
Qed.

(* Nor do executions. *)
Lemma valid_run N c schedule : valid N c -> valid N (run N c schedule).
Proof.
  revert c. induction schedule as [|i s IH]; intros c HV; [assumption|].
  cbn. now apply IH, valid_step.
Qed.

(* A set that steps do not leave is closed. *)
Lemma closed_by_steps N (set : config -> bool) :
  (forall c i, valid N c -> set c = true -> set (step N c i) = true) -> closed N set.
Proof.
  intros H c c' HV Hc (schedule & ->). revert c HV Hc.
  induction schedule as [|i s IH]; intros c HV Hc; [assumption|].
  cbn. apply IH; [now apply valid_step | now apply H].
Qed.
