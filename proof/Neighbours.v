(* SPDX-License-Identifier: MIT

   The leaders of a ring, their neighbours, and sums over them.

   Every agent has a next leader to the right and to the left, once round itself if there is no
   other. The gaps of all leaders together go round once. *)

From Coq Require Import List Bool Arith ZArith Lia QArith Lqa.
From Ringleader Require Import Model Step Sets Sums Gaps.
Import ListNotations.
Open Scope Q_scope.

(* ---- The next leader on either side ---------------------------------------------------------- *)

(* The next leader after u_i in direction s, which is 1 or -1, is m agents away. *)
Definition Next (c : config) (s i : Z) (m : nat) : Prop :=
  (0 < m)%nat /\ leader (c @ (i + s * Z.of_nat m)%Z) = true /\
  forall x, (0 < x < m)%nat -> leader (c @ (i + s * Z.of_nat x)%Z) = false.

Definition right (c : config) (i : Z) : nat :=
  match d_R c (i + 1) with Some d => S d | None => 0%nat end.

Definition left (c : config) (i : Z) : nat :=
  match d_L c (i - 1) with Some d => S d | None => 0%nat end.

Lemma next_unique c s i m m' : Next c s i m -> Next c s i m' -> m = m'.
Proof.
  intros (Hm & Hl & Hf) (Hm' & Hl' & Hf').
  destruct (Nat.lt_trichotomy m m') as [H|[H|H]]; [|assumption|]; exfalso.
  - rewrite Hf' in Hl by lia. discriminate.
  - rewrite Hf in Hl' by lia. discriminate.
Qed.

Section Ring.
  Context (c : config) (Hn : (0 < length c)%nat) (Hleader : Has_leader c).

  (* Some agent to the right, less than once round away, is a leader. *)
  Lemma leader_within i : exists j, (j < length c)%nat /\ leader (c @ (i + Z.of_nat j)%Z) = true.
  Proof.
    destruct Hleader as (p & Hp). exists (Z.to_nat ((p - i) mod size c)).
    pose proof (Z.mod_pos_bound (p - i) (size c) ltac:(unfold size; lia)) as Hb.
    split; [unfold size in *; lia|]. rewrite Z2Nat.id by lia.
    rewrite Z.add_comm, at_mod_add. now replace (p - i + i)%Z with p by lia.
  Qed.

  (* d_R finds it, starting one agent further on. *)
  Lemma right_next i : Next c 1 i (right c i).
  Proof.
    unfold right. destruct (d_R c (i + 1)) as [d|] eqn:E.
    - apply d_R_spec in E as (Hd & Hl & Hf). split; [lia|]. split.
      + now replace (i + 1 * Z.of_nat (S d))%Z with (i + 1 + Z.of_nat d)%Z by lia.
      + intros x Hx. specialize (Hf (x - 1)%nat ltac:(lia)).
        now replace (i + 1 * Z.of_nat x)%Z with (i + 1 + Z.of_nat (x - 1))%Z by lia.
    - exfalso. unfold d_R in E. rewrite find_nothing in E.
      destruct (leader_within (i + 1)) as (j & Hj & Hl). rewrite (E j Hj) in Hl. discriminate.
  Qed.

  Lemma left_next i : Next c (-1) i (left c i).
  Proof.
    unfold left. destruct (d_L c (i - 1)) as [d|] eqn:E.
    - apply d_L_spec in E as (Hd & Hl & Hf). split; [lia|]. split.
      + now replace (i + -1 * Z.of_nat (S d))%Z with (i - 1 - Z.of_nat d)%Z by lia.
      + intros x Hx. specialize (Hf (x - 1)%nat ltac:(lia)).
        now replace (i + -1 * Z.of_nat x)%Z with (i - 1 - Z.of_nat (x - 1))%Z by lia.
    - exfalso. unfold d_L in E. rewrite find_nothing in E.
      destruct (leader_within i) as (j & Hj & Hl).
      specialize (E (length c - 1 - j)%nat ltac:(lia)). cbn beta in E.
      rewrite <- (at_around c) in E. unfold size in E.
      replace (i - 1 - Z.of_nat (length c - 1 - j) + Z.of_nat (length c))%Z
        with (i + Z.of_nat j)%Z in E by lia. congruence.
  Qed.

  (* The gap to the right of a leader, and the one to the left of it. *)
  Lemma right_gap i : leader (c @ i) = true -> Gap c i (right c i).
  Proof.
    intros H. destruct (right_next i) as (Hm & Hl & Hf). rewrite Z.mul_1_l in Hl.
    repeat split; try assumption. intros x Hx. specialize (Hf x Hx). now rewrite Z.mul_1_l in Hf.
  Qed.

  Lemma left_gap i : leader (c @ i) = true -> Gap c (i - Z.of_nat (left c i)) (left c i).
  Proof.
    intros H. destruct (left_next i) as (Hm & Hl & Hf).
    replace (i + -1 * Z.of_nat (left c i))%Z with (i - Z.of_nat (left c i))%Z in Hl by lia.
    repeat split; [assumption..| |].
    - now replace (i - Z.of_nat (left c i) + Z.of_nat (left c i))%Z with i by lia.
    - intros x Hx. specialize (Hf (left c i - x)%nat ltac:(lia)).
      now replace (i - Z.of_nat (left c i) + Z.of_nat x)%Z
        with (i + -1 * Z.of_nat (left c i - x))%Z by lia.
  Qed.

  Lemma gap_right i m : Gap c i m -> right c i = m.
  Proof.
    intros H. apply (gap_unique c i); [|assumption]. apply right_gap. apply H.
  Qed.

  Lemma gap_left i m : Gap c (i - Z.of_nat m) m -> left c i = m.
  Proof.
    intros (Hm & Hl & _ & Hf). apply (next_unique c (-1) i); [apply left_next|].
    split; [assumption|]. split.
    - now replace (i + -1 * Z.of_nat m)%Z with (i - Z.of_nat m)%Z by lia.
    - intros x Hx. specialize (Hf (m - x)%nat ltac:(lia)).
      now replace (i + -1 * Z.of_nat x)%Z with (i - Z.of_nat m + Z.of_nat (m - x))%Z by lia.
  Qed.

  (* ---- Sums over the leaders ----------------------------------------------------------------- *)

  Definition lsum (f : Z -> Q) : Q :=
    qsum (fun i => if leader (c @ i) then f i else 0) (arcs (length c)).

  Lemma lsum_le f g : (forall i, leader (c @ i) = true -> f i <= g i) -> lsum f <= lsum g.
  Proof.
    intros H. apply qsum_le. intros i _. destruct (leader (c @ i)) eqn:E; [now apply H|lra].
  Qed.

  Lemma lsum_nonneg f : (forall i, leader (c @ i) = true -> 0 <= f i) -> 0 <= lsum f.
  Proof.
    intros H. apply qsum_nonneg. intros i _. destruct (leader (c @ i)) eqn:E; [now apply H|lra].
  Qed.

  Lemma lsum_plus f g : lsum (fun i => f i + g i) == lsum f + lsum g.
  Proof.
    unfold lsum. rewrite <- qsum_plus. apply qsum_eq. intros i _. destruct (leader (c @ i)); lra.
  Qed.

  Lemma lsum_scale a f : lsum (fun i => a * f i) == a * lsum f.
  Proof.
    unfold lsum. rewrite <- qsum_scale. apply qsum_eq. intros i _. destruct (leader (c @ i)); lra.
  Qed.

  Lemma lsum_one : lsum (fun _ => 1) == q (leaders c).
  Proof.
    unfold lsum. rewrite leaders_count. induction (arcs (length c)) as [|i l IH]; [reflexivity|].
    cbn [qsum filter]. rewrite IH. destruct (leader (c @ i)); cbn [length]; [rewrite q_S|]; lra.
  Qed.

  (* Walking on to the next leader, agent by agent: the distances of all agents but the leaders
     recur, less 1, one agent further on. *)
  Lemma lsum_around (s : Z) (f : Z -> nat) :
    (forall i, Next c s i (f i)) -> lsum (fun i => q (f i)) == q (length c).
  Proof.
    intros Hf.
    assert (Hstep : forall i,
              q (f i) == 1 + (if leader (c @ (s + i)%Z) then 0 else q (f (s + i)%Z))).
    { intros i. destruct (Hf i) as (Hm & Hl & Hb).
      destruct (leader (c @ (s + i)%Z)) eqn:El.
      - replace (f i) with 1%nat; [reflexivity|]. apply (next_unique c s i); [|apply Hf].
        split; [lia|]. split; [|lia]. now replace (i + s * Z.of_nat 1)%Z with (s + i)%Z by lia.
      - replace (f i) with (S (f (s + i)%Z)); [rewrite q_S; lra|].
        apply (next_unique c s i); [|apply Hf].
        destruct (Hf (s + i)%Z) as (Hm' & Hl' & Hb'). split; [lia|]. split.
        + now replace (i + s * Z.of_nat (S (f (s + i)%Z)))%Z
            with (s + i + s * Z.of_nat (f (s + i)%Z))%Z by lia.
        + intros x Hx. destruct (Nat.eq_dec x 1) as [->|Hx1].
          * now replace (i + s * Z.of_nat 1)%Z with (s + i)%Z by lia.
          * specialize (Hb' (x - 1)%nat ltac:(lia)).
            now replace (i + s * Z.of_nat x)%Z with (s + i + s * Z.of_nat (x - 1))%Z by lia. }
    assert (Hper : periodic (fun i => if leader (c @ i) then 0 else q (f i)) (length c)).
    { intros i. fold (size c). rewrite at_around.
      replace (f (i + size c)%Z) with (f i); [reflexivity|].
      apply (next_unique c s i); [apply Hf|]. destruct (Hf (i + size c)%Z) as (Hm & Hl & Hb).
      split; [assumption|]. split.
      - rewrite <- at_around. now replace (i + s * Z.of_nat (f (i + size c)) + size c)%Z
          with (i + size c + s * Z.of_nat (f (i + size c)))%Z by lia.
      - intros x Hx. rewrite <- at_around. specialize (Hb x Hx).
        now replace (i + s * Z.of_nat x + size c)%Z with (i + size c + s * Z.of_nat x)%Z by lia. }
    assert (Hall : qsum (fun i => q (f i)) (arcs (length c)) ==
                   q (length c) +
                   qsum (fun i => if leader (c @ i) then 0 else q (f i)) (arcs (length c))).
    { rewrite <- (qsum_shift _ _ s Hper). rewrite <- (arcs_length (length c)) at 2.
      rewrite <- (Qmult_1_l (q (length (arcs (length c))))), <- qsum_const, <- qsum_plus.
      apply qsum_eq. intros i _. apply Hstep. }
    assert (Hsplit : qsum (fun i => q (f i)) (arcs (length c)) ==
                     lsum (fun i => q (f i)) +
                     qsum (fun i => if leader (c @ i) then 0 else q (f i)) (arcs (length c))).
    { unfold lsum. rewrite <- qsum_plus. apply qsum_eq. intros i _.
      destruct (leader (c @ i)); lra. }
    lra.
  Qed.

  (* The arithmetic and the harmonic mean: 1/w >= 2z - w z^2, whatever z is. *)
  Lemma harmonic (w : Z -> Q) (total : Q) :
    0 < total -> (forall i, leader (c @ i) = true -> 0 < w i) -> lsum w == total ->
    q (leaders c) * q (leaders c) / total <= lsum (fun i => / w i).
  Proof.
    intros Htotal Hw Hsum. set (s := q (leaders c)). set (z := s / total).
    assert (Hz : z * total == s) by (unfold z; field; lra).
    apply Qle_trans with (lsum (fun i => 2 * z + - (z * z) * w i)).
    - rewrite (lsum_plus (fun _ => 2 * z)), (lsum_scale (- (z * z)) w), Hsum.
      assert (E : lsum (fun _ => 2 * z) == 2 * z * s).
      { rewrite <- (Qmult_1_r (2 * z)) at 1. unfold s. rewrite <- lsum_one, <- lsum_scale.
        unfold lsum. apply qsum_eq. intros i _. destruct (leader (c @ i)); lra. }
      rewrite E. setoid_replace (s * s / total) with (z * s) by (unfold z; field; lra).
      setoid_replace (- (z * z) * total) with (- (z * s)) by (rewrite <- Hz; ring). lra.
    - apply lsum_le. intros i Hi. specialize (Hw i Hi).
      assert (E : / w i - (2 * z + - (z * z) * w i) == (1 - w i * z) * (1 - w i * z) * / w i)
        by (field; lra).
      assert (Hsquare : 0 <= (1 - w i * z) * (1 - w i * z))
        by (generalize (1 - w i * z); intros t; nra).
      assert (0 <= / w i) by (apply Qinv_le_0_compat; lra).
      assert (0 <= (1 - w i * z) * (1 - w i * z) * / w i) by (apply Qmult_le_0_compat; assumption).
      lra.
  Qed.
End Ring.
