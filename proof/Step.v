(* SPDX-License-Identifier: MIT

   What one step does: Algorithm 1 in closed form, and who is changed by an arc.

   All later proofs rest on [initiator] and [responder], never on [interact], and on the lemmas
   [step_roles] and [step_from] about a step, never on residues modulo n. *)

From Coq Require Import List Bool Arith ZArith Lia.
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

(* ---- The ring -------------------------------------------------------------------------------- *)

Lemma arcs_length n : length (arcs n) = n.
Proof. unfold arcs. now rewrite map_length, seq_length. Qed.

Lemma in_arcs n i : In i (arcs n) <-> (0 <= i < Z.of_nat n)%Z.
Proof.
  unfold arcs. rewrite in_map_iff. split.
  - intros (k & <- & Hk). apply in_seq in Hk. lia.
  - intros Hi. exists (Z.to_nat i). split; [lia|]. apply in_seq. lia.
Qed.

Lemma nth_arcs n k : k < n -> nth k (arcs n) 0%Z = Z.of_nat k.
Proof.
  intros Hk. unfold arcs. change 0%Z with (Z.of_nat 0).
  rewrite map_nth, seq_nth by assumption. reflexivity.
Qed.

Lemma at_nil i : [] @ i = nobody.
Proof. unfold agent_at. now destruct (Z.to_nat _). Qed.

(* Agents are numbered modulo n. *)
Lemma at_mod c i : c @ (i mod size c) = c @ i.
Proof.
  destruct c as [|a c]; [now rewrite !at_nil|]. unfold agent_at. fold (size (a :: c)).
  now rewrite Z.mod_mod by (unfold size; cbn [length]; lia).
Qed.

Lemma at_same c i j : (i mod size c = j mod size c)%Z -> c @ i = c @ j.
Proof. intros E. now rewrite <- at_mod, E, at_mod. Qed.

(* Once round the ring is the same agent. *)
Lemma at_around c i : c @ (i + size c) = c @ i.
Proof.
  destruct c as [|a c]; [now rewrite !at_nil|].
  apply at_same. rewrite <- (Z.mul_1_l (size _)) at 1. apply Z.mod_add. unfold size. cbn [length].
  lia.
Qed.

(* u_k is the k-th of the list. *)
Lemma at_nth c k : k < length c -> c @ Z.of_nat k = nth k c nobody.
Proof. intros Hk. unfold agent_at, size. rewrite Z.mod_small by lia. now rewrite Nat2Z.id. Qed.

(* A configuration is known by its agents. *)
Lemma config_ext c c' : length c = length c' -> (forall i, c @ i = c' @ i) -> c = c'.
Proof.
  intros E H. apply nth_ext with nobody nobody; [exact E|].
  intros k Hk. rewrite <- !at_nth by lia. apply H.
Qed.

(* Agents of the list, and places. *)
Lemma in_config c a : In a c <-> exists i, (0 <= i < size c)%Z /\ a = c @ i.
Proof.
  unfold size. split.
  - intros Ha. destruct (In_nth _ _ nobody Ha) as (k & Hk & <-).
    exists (Z.of_nat k). rewrite at_nth by assumption. split; [lia | reflexivity].
  - intros (i & Hi & ->). unfold agent_at, size. apply nth_In. rewrite Z.mod_small by lia. lia.
Qed.

Lemma at_in c i : 0 < length c -> In (c @ i) c.
Proof.
  intros H. rewrite <- at_mod. apply in_config. exists (i mod size c)%Z.
  split; [apply Z.mod_pos_bound; unfold size; lia | reflexivity].
Qed.

(* A ring has at least two agents. *)
Lemma size_pos c : (2 <= length c)%nat -> (2 <= size c)%Z.
Proof. unfold size. lia. Qed.

(* Two agents less than once round apart are different, save the first and the n-th. *)
Lemma same_offset c p a b :
  (2 <= length c)%nat ->
  (0 <= a < size c)%Z -> (0 <= b <= size c)%Z ->
  ((p + a) mod size c = (p + b) mod size c)%Z -> a = b \/ (a = 0 /\ b = size c)%Z.
Proof.
  intros Hn Ha Hb E. pose proof (size_pos c Hn) as Hs.
  pose proof (Z.div_mod (p + a) (size c) ltac:(lia)).
  pose proof (Z.div_mod (p + b) (size c) ltac:(lia)).
  assert ((a - b = ((p + a) / size c - (p + b) / size c) * size c)%Z) by nia.
  assert (((p + a) / size c - (p + b) / size c = 0 \/
           (p + a) / size c - (p + b) / size c = -1)%Z) by nia. nia.
Qed.

(* ---- A step ---------------------------------------------------------------------------------- *)

(* A step keeps the number of agents. *)
Lemma step_length N c i : length (step N c i) = length c.
Proof. unfold step. destruct (interact _ _ _). now rewrite map_length, arcs_length. Qed.

Lemma step_size N c i : size (step N c i) = size c.
Proof. unfold size. now rewrite step_length. Qed.

(* What is known of n and N. *)
Lemma valid_positive N c : valid N c -> 0 < N.
Proof. intros (Hn & _). lia. Qed.

Lemma valid_size N c : valid N c -> (2 <= size c <= Z.of_nat N)%Z.
Proof. intros (Hn & _). unfold size. lia. Qed.

Section OneStep.
  Context (N : nat) (c : config) (HV : valid N c).

  Let Hn : 2 <= length c := proj1 (proj1 HV).
  Let HN : 0 < N := valid_positive N c HV.

  (* Arcs, too, are numbered modulo n. *)
  Lemma step_same i j : (i mod size c = j mod size c)%Z -> step N c i = step N c j.
  Proof.
    intros E. unfold step. fold (size c).
    assert (E1 : ((i + 1) mod size c = (j + 1) mod size c)%Z).
    { pose proof (size_pos c Hn). rewrite (Z.add_mod i), (Z.add_mod j), E by lia. reflexivity. }
    now rewrite E1, E, (at_same c i j E), (at_same c (i + 1) (j + 1) E1).
  Qed.

  Lemma step_around i : step N c (i + size c) = step N c i.
  Proof.
    apply step_same. pose proof (size_pos c Hn).
    rewrite <- (Z.mul_1_l (size _)) at 1. apply Z.mod_add. lia.
  Qed.

  (* The definition, with residues. *)
  Lemma step_at_mod i j :
    step N c i @ j =
    if (j mod size c =? i mod size c)%Z then initiator N (c @ i) (c @ (i + 1))
    else if (j mod size c =? (i + 1) mod size c)%Z then responder N (c @ i) (c @ (i + 1))
    else c @ j.
  Proof.
    pose proof (size_pos c Hn) as Hs.
    pose proof (Z.mod_pos_bound j (size c) ltac:(lia)) as Hj.
    unfold agent_at at 1. rewrite step_size.
    unfold step. rewrite interact_closed by assumption.
    rewrite (nth_indep _ nobody (c @ 0%Z)) by (rewrite map_length, arcs_length; unfold size in *;
      lia).
    set (f := fun j0 => _).
    assert (E : nth (Z.to_nat (j mod size c)) (map f (arcs (length c))) (c @ 0%Z) =
                f (j mod size c)%Z).
    { rewrite (nth_indep _ (c @ 0%Z) (f 0%Z)) by (rewrite map_length, arcs_length;
        unfold size in *; lia).
      rewrite map_nth, nth_arcs by (unfold size in *; lia). f_equal. lia. }
    rewrite E. unfold f. now rewrite at_mod.
  Qed.

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

  (* Counted from agent p, an arc is the k-th for one k in 0 .. n-1. *)
  Lemma arc_from p i :
    exists k, (0 <= k < size c)%Z /\ (i mod size c = (p + k) mod size c)%Z /\
              step N c i = step N c (p + k).
  Proof.
    pose proof (size_pos c Hn) as Hs. exists ((i - p) mod size c)%Z.
    assert (E : (i mod size c = (p + (i - p) mod size c) mod size c)%Z).
    { rewrite Z.add_mod_idemp_r by lia. f_equal. lia. }
    split; [apply Z.mod_pos_bound; lia|]. split; [exact E | now apply step_same].
  Qed.

  (* Counted from agent p, with no residues: what the k-th arc does to the x-th agent. *)
  Lemma step_from p k x :
    (0 <= k < size c)%Z -> (0 <= x < size c)%Z ->
    step N c (p + k) @ (p + x) =
    if (x =? k)%Z then initiator N (c @ (p + k)) (c @ (p + k + 1))
    else if (x =? k + 1)%Z || ((x =? 0)%Z && (k =? size c - 1)%Z)
    then responder N (c @ (p + k)) (c @ (p + k + 1))
    else c @ (p + x).
  Proof.
    intros Hk Hx. pose proof (size_pos c Hn) as Hs. rewrite step_at_mod.
    destruct (Z.eqb_spec x k) as [->|Hxk]; [now rewrite Z.eqb_refl|].
    destruct (Z.eqb_spec ((p + x) mod size c) ((p + k) mod size c)) as [E|_].
    { apply (same_offset c _ _ _ Hn) in E; lia. }
    destruct (Z.eqb_spec ((p + x) mod size c) ((p + k + 1) mod size c)) as [E|E].
    - rewrite <- Z.add_assoc in E. apply (same_offset c _ _ _ Hn) in E; [|lia..].
      now replace ((x =? k + 1) || (x =? 0) && (k =? size c - 1))%Z with true by lia.
    - destruct (Z.eqb_spec x (k + 1)) as [->|Hxk1].
      { exfalso. apply E. f_equal. lia. }
      destruct (Z.eqb_spec x 0) as [->|Hx0]; [|reflexivity].
      destruct (Z.eqb_spec k (size c - 1)) as [->|Hk1]; [|reflexivity].
      exfalso. apply E. replace (p + (size c - 1) + 1)%Z with (p + 0 + 1 * size c)%Z by lia.
      now rewrite Z.mod_add by lia.
  Qed.
End OneStep.
