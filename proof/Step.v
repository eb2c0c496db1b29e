(* SPDX-License-Identifier: MIT

   What one step does: Algorithm 1 in closed form, and who is changed by an arc.

   All later proofs about P_RL rest on [initiator] and [responder], never on [interact], and on the
   lemmas [step_roles] and [step_from] about a step, never on residues modulo n. *)

From Coq Require Import List Bool Arith ZArith Lia.
From Ringleader Require Export Ring.
From Ringleader Require Import Model.
Import ListNotations.

(* ---- Algorithm 1 in closed form -------------------------------------------------------------- *)

(* What l has after lines 1 and 8. *)
Definition dist_l (l : agent) : nat := if leader l then 0 else dist l.
Definition fires (l : agent) : bool := leader l && signal l.
Definition bullet_l (l : agent) : bullet_kind := if fires l then Live else bullet l.

(* The dist of a follower r after line 2; at N it becomes a leader. *)
Definition dist_r (N : nat) (l r : agent) : nat :=
  if is_bullet (bullet r) then dist r else Nat.min (dist_l l + 1) N.

Definition new_leader : agent := Agent true Live true false 0.

(* A leader r: fires a dummy if it has a signal, then may be killed. *)
Definition hit_leader (l r : agent) : agent :=
  let b := if signal r then Dummy else bullet r in
  let s := negb (signal r) && shield r in
  Agent (negb (is_live (bullet_l l)) || s) b s false 0.

(* A follower r that stays one: takes the bullet of l if it has none; a bullet wipes its signal. *)
Definition passed_follower (N : nat) (l r : agent) : agent :=
  Agent false (if is_bullet (bullet r) then bullet r else bullet_l l) (shield r)
        (negb (is_bullet (bullet_l l)) && signal r) (dist_r N l r).

(* What the responder becomes. *)
Definition responder (N : nat) (l r : agent) : agent :=
  if leader r then hit_leader l r
  else if dist_r N l r =? N then new_leader
  else passed_follower N l r.

(* What the initiator becomes: its bullet, if it has one, has moved or disappeared. *)
Definition initiator (N : nat) (l r : agent) : agent :=
  Agent (leader l) Nothing (fires l || shield l)
        (negb (leader l) && signal l || signal (responder N l r) || leader (responder N l r))
        (dist_l l).

(* By cases: the lines of Algorithm 1 compute the closed form. *)
Lemma interact_closed N l r : 0 < N -> interact N l r = (initiator N l r, responder N l r).
Proof.
  intros HN.
  destruct l as [ll lb ls lg ld], r as [rl rb rs rg rd].
  unfold interact, initiator, responder, hit_leader, passed_follower, new_leader, bullet_l, fires,
    dist_l, dist_r; cbn [leader bullet shield signal dist set_dist negb is_bullet].
  destruct rl.
  - destruct N; [lia|]. destruct ll, lb, lg, rg, rs; reflexivity.
  - destruct rb; cbn [dist];
      [destruct (Nat.eqb_spec (Nat.min ((if ll then 0 else ld) + 1) N) N) as [E|E]
      | destruct (Nat.eqb_spec rd N) as [E|E] ..];
      destruct ll, lb, lg, rg; cbn -[Nat.min] in *;
      rewrite ?E, ?Nat.eqb_refl, ?(proj2 (Nat.eqb_neq _ _) E); reflexivity.
Qed.

(* Line 1 raises no dist. *)
Lemma dist_l_le l : dist_l l <= dist l.
Proof. unfold dist_l. destruct (leader l); lia. Qed.

(* ---- A step ---------------------------------------------------------------------------------- *)

Lemma step_length N (c : config) i : length (step N c i) = length c.
Proof. apply ring_step_length. Qed.

Lemma step_size N (c : config) i : size (step N c i) = size c.
Proof. apply ring_step_size. Qed.

(* What is known of n and N. *)
Lemma valid_positive N c : valid N c -> 0 < N.
Proof. intros (Hn & _). lia. Qed.

Lemma valid_size N c : valid N c -> (2 <= size c <= Z.of_nat N)%Z.
Proof. intros (Hn & _). unfold size. lia. Qed.

Section OneStep.
  Context (N : nat) (c : config) (HV : valid N c).

  Let Hn : 2 <= length c := proj1 (proj1 HV).
  Let HN : 0 < N := valid_positive N c HV.

  (* Ring.v, for this protocol. *)
  Lemma step_same i j : (i mod size c = j mod size c)%Z -> step N c i = step N c j.
  Proof. now apply ring_step_same. Qed.

  Lemma step_around i : step N c (i + size c) = step N c i.
  Proof. now apply ring_step_around. Qed.

  Lemma step_at_mod i j :
    step N c i @ j =
    if (j mod size c =? i mod size c)%Z then initiator N (c @ i) (c @ (i + 1))
    else if (j mod size c =? (i + 1) mod size c)%Z then responder N (c @ i) (c @ (i + 1))
    else c @ j.
  Proof. rewrite ring_step_at, interact_closed by assumption. reflexivity. Qed.

  (* The two agents of the arc. *)
  Lemma step_initiator i : step N c i @ i = initiator N (c @ i) (c @ (i + 1)).
  Proof. rewrite step_at_mod. now rewrite Z.eqb_refl. Qed.

  Lemma step_responder i : step N c i @ (i + 1) = responder N (c @ i) (c @ (i + 1)).
  Proof.
    rewrite step_at_mod, Z.eqb_refl. pose proof (size_pos c Hn) as Hs.
    destruct (Z.eqb_spec ((i + 1) mod size c) (i mod size c)) as [E|_]; [exfalso|reflexivity].
    pose proof (Z.mod_pos_bound i (size c) ltac:(lia)) as Hi.
    rewrite Z.add_mod, (Z.mod_small 1) in E by lia.
    destruct (Z.eq_dec (i mod size c + 1) (size c)) as [E1|E1].
    - rewrite E1, Z.mod_same in E by lia. lia.
    - rewrite Z.mod_small in E by lia. lia.
  Qed.

  (* Agent j is the initiator, or the responder, or stays as it is. *)
  Inductive role (i j : Z) : Prop :=
  | Is_initiator (same : step N c i = step N c j)
                 (becomes : step N c i @ j = initiator N (c @ j) (c @ (j + 1)))
  | Is_responder (same : step N c i = step N c (j - 1))
                 (becomes : step N c i @ j = responder N (c @ (j - 1)) (c @ j))
  | Is_unchanged (not_i : (i mod size c <> j mod size c)%Z)
                 (not_r : ((i + 1) mod size c <> j mod size c)%Z)
                 (becomes : step N c i @ j = c @ j).

  Lemma step_roles i j : role i j.
  Proof.
    pose proof (size_pos c Hn) as Hs.
    destruct (Z.eq_dec (i mod size c) (j mod size c)) as [Ei|Ei].
    - apply Is_initiator; rewrite (step_same i j Ei); [reflexivity | apply step_initiator].
    - destruct (Z.eq_dec ((i + 1) mod size c) (j mod size c)) as [Er|Er].
      + assert (E : (i mod size c = (j - 1) mod size c)%Z).
        { replace i with (i + 1 - 1)%Z by lia. rewrite Zminus_mod, Er, <- Zminus_mod. reflexivity. }
        apply Is_responder; rewrite (step_same i (j - 1) E); [reflexivity|].
        replace (c @ j) with (c @ (j - 1 + 1)) by (f_equal; lia).
        rewrite <- step_responder. f_equal. lia.
      + apply Is_unchanged; [assumption..|]. rewrite step_at_mod.
        destruct (Z.eqb_spec (j mod size c) (i mod size c)); [congruence|].
        destruct (Z.eqb_spec (j mod size c) ((i + 1) mod size c)); [congruence|reflexivity].
  Qed.

  (* Counted from agent p. *)
  Lemma arc_from p i :
    exists k, (0 <= k < size c)%Z /\ (i mod size c = (p + k) mod size c)%Z /\
              step N c i = step N c (p + k).
  Proof. now apply ring_arc_from. Qed.

  Lemma step_from p k x :
    (0 <= k < size c)%Z -> (0 <= x < size c)%Z ->
    step N c (p + k) @ (p + x) =
    if (x =? k)%Z then initiator N (c @ (p + k)) (c @ (p + k + 1))
    else if (x =? k + 1)%Z || ((x =? 0)%Z && (k =? size c - 1)%Z)
    then responder N (c @ (p + k)) (c @ (p + k + 1))
    else c @ (p + x).
  Proof. intros Hk Hx. rewrite ring_step_from, interact_closed by assumption. reflexivity. Qed.
End OneStep.
