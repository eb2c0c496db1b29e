(* SPDX-License-Identifier: MIT

   Where bullets come from, and Lemma 1: a bullet disappears before it moves N times. *)

From Coq Require Import List Bool Arith ZArith Lia.
From Ringleader Require Import Model Step Sets.
Import ListNotations.
Open Scope Z_scope.

(* A follower that becomes a leader by lines 3-5. *)
Definition created (N : nat) (c : config) (j : Z) : Prop :=
  leader (c @ j) = false /\ dist_r N (c @ (j - 1)) (c @ j) = N.

(* A follower that a bullet of its left neighbour can move to. *)
Definition open_to (N : nat) (c : config) (j : Z) : Prop :=
  leader (c @ j) = false /\ bullet (c @ j) = Nothing /\ (dist_l (c @ (j - 1)) + 1 < N)%nat.

Section OneStep.
  Context (N : nat) (c : config) (HV : valid N c).

  (* What the responder u_j becomes, in words. *)
  Lemma responder_leader l r : leader r = true -> responder N l r = hit_leader l r.
  Proof. intros E. unfold responder. now rewrite E. Qed.

  Lemma responder_created l r :
    leader r = false -> dist_r N l r = N -> responder N l r = new_leader.
  Proof. intros E Ed. unfold responder. now rewrite E, Ed, Nat.eqb_refl. Qed.

  Lemma responder_passed l r :
    leader r = false -> dist_r N l r <> N -> responder N l r = passed_follower N l r.
  Proof. intros E Ed. unfold responder. rewrite E. apply Nat.eqb_neq in Ed. now rewrite Ed. Qed.

  (* An open follower is not created, and counts on. *)
  Lemma open_dist_r j :
    open_to N c j -> dist_r N (c @ (j - 1)) (c @ j) = (dist_l (c @ (j - 1)) + 1)%nat.
  Proof. intros (_ & Hb & Hd). unfold dist_r. rewrite Hb. cbn. lia. Qed.

  (* What a bullet that moves, or none, makes of an open follower. *)
  Lemma open_passed j :
    open_to N c j ->
    responder N (c @ (j - 1)) (c @ j) =
    Agent false (bullet_l (c @ (j - 1))) (shield (c @ j))
          (negb (is_bullet (bullet_l (c @ (j - 1)))) && signal (c @ j))
          (dist_l (c @ (j - 1)) + 1).
  Proof.
    intros Ho. pose proof (open_dist_r j Ho) as E. destruct Ho as (Hl & Hb & Hd).
    rewrite responder_passed by (assumption || lia). unfold passed_follower. rewrite E, Hb.
    reflexivity.
  Qed.

  (* The bullet at u_j after a step is the one that was there, or has moved from u_{j-1}, or is new:
     fired live by u_{j-1}, fired as a dummy by u_j, or that of a new leader. *)
  Inductive origin (i j : Z) : Prop :=
  | Waited (not_i : i mod size c <> j mod size c)
           (had : is_bullet (bullet (c @ j)) = true)
           (same : bullet (step N c i @ j) = bullet (c @ j))
  | Moved (by_arc : step N c i = step N c (j - 1))
          (to_open : open_to N c j)
          (no_fire : fires (c @ (j - 1)) = false)
          (had : is_bullet (bullet (c @ (j - 1))) = true)
          (same : bullet (step N c i @ j) = bullet (c @ (j - 1)))
  | Fired_live (by_arc : step N c i = step N c (j - 1))
               (to_open : open_to N c j)
               (fire : fires (c @ (j - 1)) = true)
  | Fired_dummy (by_arc : step N c i = step N c (j - 1))
                (fire : fires (c @ j) = true)
                (is_dummy : bullet (step N c i @ j) = Dummy)
  | New_leader (by_arc : step N c i = step N c (j - 1))
               (is_created : created N c j)
               (becomes : step N c i @ j = new_leader).

  Lemma origin_of i j : is_bullet (bullet (step N c i @ j)) = true -> origin i j.
  Proof.
    pose proof (valid_size N c HV) as Hs. intros Hb.
    destruct (Z.eq_dec (i mod size c) (j mod size c)) as [Ei|Ei].
    { rewrite (step_same N c HV i j Ei), step_initiator in Hb by assumption. discriminate Hb. }
    destruct (step_roles N c HV i j) as [Es B|Es B|_ _ B].
    { rewrite B in Hb. discriminate Hb. }
    2: { rewrite B in Hb. apply Waited; [assumption..|]. now rewrite B. }
    rewrite B in Hb. destruct (leader (c @ j)) eqn:El.
    - rewrite responder_leader in * by assumption. cbn [hit_leader bullet] in Hb.
      destruct (signal (c @ j)) eqn:Eg.
      + apply Fired_dummy; [assumption | unfold fires; now rewrite El, Eg |].
        rewrite B. cbn [hit_leader bullet]. now rewrite Eg.
      + apply Waited; [assumption..|]. rewrite B. cbn [hit_leader bullet]. now rewrite Eg.
    - destruct (Nat.eq_dec (dist_r N (c @ (j - 1)) (c @ j)) N) as [Ed|Ed].
      { rewrite responder_created in * by assumption. now apply New_leader. }
      rewrite responder_passed in * by assumption. cbn [passed_follower bullet] in Hb.
      destruct (is_bullet (bullet (c @ j))) eqn:Eb.
      { apply Waited; [assumption..|]. rewrite B. cbn [passed_follower bullet]. now rewrite Eb. }
      assert (Ho : open_to N c j).
      { repeat split; [assumption | now apply no_bullet_spec |].
        unfold dist_r in Ed. rewrite Eb in Ed. lia. }
      destruct (fires (c @ (j - 1))) eqn:Ef; [now apply Fired_live|].
      unfold bullet_l in Hb. rewrite Ef in Hb.
      apply Moved; [assumption..|]. rewrite B. cbn [passed_follower bullet].
      rewrite Eb. unfold bullet_l. now rewrite Ef.
  Qed.

  (* An agent that is not the initiator keeps its bullet, or has a new one. *)
  Lemma bullet_waits i j :
    i mod size c <> j mod size c -> is_bullet (bullet (c @ j)) = true ->
    is_bullet (bullet (step N c i @ j)) = true.
  Proof.
    intros Hi Hb. rewrite step_at_mod by assumption.
    destruct (Z.eqb_spec (j mod size c) (i mod size c)); [congruence|].
    destruct (Z.eqb_spec (j mod size c) ((i + 1) mod size c)) as [E|_]; [|assumption].
    rewrite (at_same c _ _ E) in Hb. unfold responder, hit_leader, passed_follower, new_leader.
    destruct (leader _); cbn [bullet]; [now destruct (signal _)|].
    destruct (_ =? N)%nat; cbn [bullet]; [reflexivity|]. now rewrite Hb.
  Qed.

  (* A follower with a bullet keeps its dist, which is how bullets count their moves. *)
  Lemma bullet_keeps_dist i j :
    i mod size c <> j mod size c -> is_bullet (bullet (c @ j)) = true ->
    leader (c @ j) = false -> (dist (c @ j) < N)%nat ->
    leader (step N c i @ j) = false /\ dist (step N c i @ j) = dist (c @ j).
  Proof.
    intros Hi Hb Hl Hd. rewrite step_at_mod by assumption.
    destruct (Z.eqb_spec (j mod size c) (i mod size c)); [congruence|].
    destruct (Z.eqb_spec (j mod size c) ((i + 1) mod size c)) as [E|_]; [|now split].
    rewrite (at_same c _ _ E) in *.
    assert (Ed : forall l, dist_r N l (c @ (i + 1)) = dist (c @ (i + 1)))
      by (intros l; unfold dist_r; now rewrite Hb).
    rewrite responder_passed by (assumption || rewrite Ed; lia). cbn. now rewrite Ed.
  Qed.

  (* The paper's "disappears", in the words used here. *)
  Lemma open_spec i : disappears N c i = false <-> open_to N c (i + 1).
  Proof.
    pose proof (valid_size N c HV) as Hs.
    unfold disappears, open_to, dist_l. replace (i + 1 - 1) with i by lia.
    rewrite !orb_false_iff, no_bullet_spec, Nat.leb_gt. intuition lia.
  Qed.

  (* A bullet that does not disappear moves on, and the dist under it grows. *)
  Lemma bullet_moves_on i :
    disappears N c i = false -> is_bullet (bullet (c @ i)) = true ->
    leader (step N c i @ (i + 1)) = false /\
    is_bullet (bullet (step N c i @ (i + 1))) = true /\
    dist (step N c i @ (i + 1)) = (dist_l (c @ i) + 1)%nat /\ (dist_l (c @ i) + 1 < N)%nat.
  Proof.
    intros Hd Hb. apply open_spec in Hd.
    pose proof (open_passed _ Hd) as E. destruct Hd as (_ & _ & Hd).
    replace (i + 1 - 1) with i in * by lia.
    rewrite step_responder, E by assumption. cbn. repeat split; [|assumption].
    unfold bullet_l. now destruct (fires (c @ i)).
  Qed.
End OneStep.

(* A bullet that has moved m times sits on a follower with m <= dist < N: dist grows with each move
   and stands still in between. *)
Lemma moves_bounded N schedule : forall c i m,
  valid N c -> is_bullet (bullet (c @ i)) = true ->
  m = 0%nat \/ leader (c @ i) = false /\ (m <= dist (c @ i) < N)%nat ->
  (m + moves N c i schedule < N)%nat.
Proof.
  induction schedule as [|j rest IH]; intros c i m HV Hb Hm; cbn [moves].
  - pose proof (valid_positive N c HV). lia.
  - pose proof (valid_positive N c HV) as HN. pose proof (valid_step N c j HV) as HV'.
    fold (size c). destruct (Z.eqb_spec (j mod size c) (i mod size c)) as [E|E].
    + destruct (disappears N c i) eqn:Hd; [lia|].
      destruct (bullet_moves_on N c HV i Hd Hb) as (Hl' & Hb' & Hd' & Hlt).
      rewrite <- (step_same N c HV j i E) in Hl', Hb', Hd'.
      specialize (IH (step N c j) (i + 1) (S m) HV' Hb').
      assert (m <= dist_l (c @ i))%nat.
      { destruct Hm as [->|(Hl & Hm)]; [lia|]. unfold dist_l. rewrite Hl. lia. }
      specialize (IH ltac:(right; split; [assumption | lia])). lia.
    + apply IH; [assumption | now apply bullet_waits |].
      destruct Hm as [->|(Hl & Hm)]; [now left | right].
      destruct (bullet_keeps_dist N c HV j i E Hb Hl) as (Hl' & Hd'); [lia|].
      rewrite Hd'. now split.
Qed.

(* Lemma 1. Every bullet disappears before it moves N times. *)
Theorem lemma_1 N c i schedule :
  valid N c -> bullet (c @ i) <> Nothing -> (moves N c i schedule < N)%nat.
Proof.
  intros HV Hb. apply (moves_bounded N schedule c i 0); [assumption | | now left].
  now apply is_bullet_spec.
Qed.
