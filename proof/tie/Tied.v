(* SPDX-License-Identifier: MIT

   The table that prl.c printed (Table.v, made by tie.c) is the transition function of the model. No
   translation is trusted here but the printing of the table: Coq itself computes both sides. *)

From Coq Require Import List Bool Arith Lia.
From Ringleader Require Import Model.
From Tie Require Import Table.
Import ListNotations.

(* The states in the C's order: dist runs fastest, then leader, bullet, shield, signal. *)
Definition states_in_order : list agent :=
  flat_map (fun g => flat_map (fun s => flat_map (fun b => flat_map (fun l =>
    map (fun d => Agent l b s g d) (seq 0 (bound + 1)))
    [false; true]) [Nothing; Dummy; Live]) [false; true]) [false; true].

Lemma prl_c_table :
  table = map (fun p => (p, interact bound (fst p) (snd p)))
              (list_prod states_in_order states_in_order).
Proof. vm_compute. reflexivity. Qed.

Lemma states_in_order_complete a : dist a <= bound -> In a states_in_order.
Proof.
  destruct a as [l b s g d]. cbn [dist]. intros Hd. unfold states_in_order.
  apply in_flat_map. exists g. split; [destruct g; cbn; tauto|].
  apply in_flat_map. exists s. split; [destruct s; cbn; tauto|].
  apply in_flat_map. exists b. split; [destruct b; cbn; tauto|].
  apply in_flat_map. exists l. split; [destruct l; cbn; tauto|].
  apply in_map_iff. exists d. split; [reflexivity | apply in_seq; lia].
Qed.

(* For every pair of states, what the C makes of it is what Algorithm 1 in Model.v makes of it. *)
Theorem prl_c_is_interact l r :
  dist l <= bound -> dist r <= bound ->
  In (l, r, interact bound l r) table /\
  forall l' r', In (l, r, (l', r')) table -> (l', r') = interact bound l r.
Proof.
  intros Hl Hr. rewrite prl_c_table. split.
  - apply in_map_iff. exists (l, r). split; [reflexivity|].
    apply in_prod; now apply states_in_order_complete.
  - intros l' r' H. apply in_map_iff in H. destruct H as ((a, b) & [= <- <- E] & _). now rewrite E.
Qed.
