(* SPDX-License-Identifier: MIT

   What a bound on expected steps gives: the target can be reached within so many steps, and the
   share of schedules that miss it halves with each twice as many (Markov's inequality,
   repeated). *)

From Coq Require Import List Bool Arith ZArith Lia.
From Ringleader Require Import Model Ring Sums Expect.
Import ListNotations.
Open Scope nat_scope.

Section Process.
  Context {X : Type} (n : nat) (next : X -> Z -> X) (target : X -> bool).

  (* The number of schedules of length k that miss the target. *)
  Definition missing (k : nat) (x : X) : nat :=
    length (filter (misses next target x) (schedules n k)).

  (* In the target no schedule misses it; elsewhere one of length 0 does, and a longer one if the
     rest does after its first arc. *)
  Lemma missing_target k x : target x = true -> missing k x = 0.
  Proof.
    intros E. unfold missing. induction (schedules n k) as [|s l IH]; [reflexivity|].
    cbn. destruct s; cbn; rewrite E; exact IH.
  Qed.

  Lemma missing_0 x : target x = false -> missing 0 x = 1.
  Proof. intros E. unfold missing. cbn. now rewrite E. Qed.

  Lemma missing_S k x : target x = false -> missing (S k) x = sum n (fun i => missing k (next x i)).
  Proof.
    intros E. unfold missing, sum. cbn [schedules].
    assert (H : forall i ss, length (filter (misses next target x) (map (cons i) ss)) =
                             length (filter (misses next target (next x i)) ss)).
    { intros i ss. induction ss as [|s ss IHs]; [reflexivity|]. cbn [map filter misses]. rewrite E.
      cbn [negb andb]. destruct (misses next target (next x i) s); cbn [length]; now rewrite IHs. }
    induction (arcs n) as [|i l IH]; [reflexivity|].
    cbn [flat_map map list_sum fold_right]. rewrite filter_app, app_length, IH, H. reflexivity.
  Qed.

  (* There are n^k schedules in all. *)
  Lemma missing_le k x : missing k x <= n ^ k.
  Proof.
    unfold missing. rewrite <- (schedules_length n k). generalize (schedules n k) as l.
    induction l as [|s l IH]; [cbn; lia|]. cbn. destruct (misses next target x s); cbn; lia.
  Qed.

  (* Markov: a schedule that misses the target is counted with all its k steps. *)
  Lemma markov k : forall x, missing k x * k <= expect n next target k x.
  Proof.
    induction k as [|k IH]; intros x; [lia|].
    destruct (target x) eqn:E; [rewrite missing_target by assumption; lia|].
    rewrite missing_S, expect_S by assumption. unfold sum.
    rewrite <- list_sum_scale,
      (map_ext _ (fun i => missing k (next x i) * k + missing k (next x i)))
      by (intros i; lia).
    rewrite list_sum_add.
    assert (H1 : list_sum (map (fun i => missing k (next x i) * k) (arcs n)) <=
                 list_sum (map (fun i => expect n next target k (next x i)) (arcs n)))
      by (apply list_sum_le; auto).
    assert (H2 : list_sum (map (fun i => missing k (next x i)) (arcs n)) <= n ^ S k).
    { etransitivity; [apply (list_sum_le _ (fun _ => n ^ k)); intros; apply missing_le|].
      rewrite list_sum_const, arcs_length. cbn. lia. }
    lia.
  Qed.

  Context (inv : X -> Prop) (Hinv : forall x i, inv x -> In i (arcs n) -> inv (next x i)).

  (* After any k steps, M further steps leave at most the share that they leave from anywhere. *)
  Lemma missing_split k M a b x :
    (forall y, inv y -> missing M y * a <= b) ->
    inv x -> missing (k + M) x * a <= missing k x * b.
  Proof.
    intros H. revert x. induction k as [|k IH]; intros x Hx; destruct (target x) eqn:E.
    - rewrite !missing_target by assumption. lia.
    - rewrite missing_0 by assumption. rewrite Nat.mul_1_l. now apply H.
    - rewrite !missing_target by assumption. lia.
    - cbn [Nat.add]. rewrite !missing_S by assumption. unfold sum. rewrite <- !list_sum_scale.
      apply list_sum_le. intros i Hi. apply IH. now apply Hinv.
  Qed.

  Context (B : nat) (HB : forall x k, inv x -> expect n next target k x <= B * n ^ k).

  (* Of the n^(2Bm) schedules of length 2Bm, at most the 2^m-th part misses the target. *)
  Theorem tail m x : 0 < B -> inv x -> missing (2 * B * m) x * 2 ^ m <= n ^ (2 * B * m).
  Proof.
    intros HB0. revert x. induction m as [|m IH]; intros x Hx.
    - rewrite Nat.mul_0_r. pose proof (missing_le 0 x). cbn [Nat.pow] in *. lia.
    - replace (2 * B * S m) with (2 * B + 2 * B * m) by lia.
      pose proof (missing_split (2 * B) (2 * B * m) (2 ^ m) _ x IH Hx) as H.
      rewrite Nat.pow_add_r. cbn [Nat.pow].
      assert (Hhalf : missing (2 * B) x * 2 <= n ^ (2 * B)).
      { pose proof (markov (2 * B) x). specialize (HB x (2 * B) Hx). nia. }
      nia.
  Qed.

  (* The target is reached by some schedule of at most B arcs: otherwise all would take longer. *)
  Lemma reached x :
    inv x -> 0 < n ->
    exists schedule, length schedule <= B /\ target (fold_left next schedule x) = true.
  Proof.
    intros Hx Hn.
    assert (H : forall k y, expect n next target (S k) y < S k * n ^ S k ->
              exists schedule, length schedule <= k /\ target (fold_left next schedule y) = true).
    { induction k as [|k IH]; intros y Hy; (destruct (target y) eqn:E; [exists []; cbn; split;
        [lia | assumption]|]);
        rewrite expect_S in Hy by assumption.
      - lia.
      - destruct (list_sum_some (fun i => expect n next target (S k) (next y i))
                    (S k * n ^ S k) (arcs n))
          as (i & _ & Hi).
        { rewrite arcs_length. unfold sum in Hy. cbn [Nat.pow] in *. lia. }
        destruct (IH _ Hi) as (s & Hs & Ht). exists (i :: s). cbn. split; [lia | assumption]. }
    apply H. specialize (HB x (S B) Hx).
    assert (0 < n ^ S B) by (apply Nat.neq_0_lt_0, Nat.pow_nonzero; lia). nia.
  Qed.
End Process.
