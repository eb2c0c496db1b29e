(* SPDX-License-Identifier: MIT

   Lemma 9: a sequence of h arcs occurs within n h expected steps. And what it is used for: waiting
   for the arcs e_p, e_{p+1}, ... in turn, a sweep round the ring.

   [bullets_vanish]: bullets of a kind that is never made anew are gone after a sweep of N + n arcs.
   The sweep pushes each of them before it; their dist counts their moves, and stays below N. *)

From Coq Require Import List Bool Arith ZArith Lia.
From Ringleader Require Import Model Step Sets Bullets Expect.
Import ListNotations.
Open Scope Z_scope.

(* ---- Lemma 9 --------------------------------------------------------------------------------- *)

(* The arcs of gamma occur in this order in the schedule, not necessarily in a row. *)
Inductive occurs : list Z -> list Z -> Prop :=
| Occurs_end schedule : occurs [] schedule
| Occurs_now i gamma schedule : occurs gamma schedule -> occurs (i :: gamma) (i :: schedule)
| Occurs_later i gamma schedule : occurs gamma schedule -> occurs gamma (i :: schedule).

(* What is still to occur of gamma after arc i. *)
Definition remaining (gamma : list Z) (i : Z) : list Z :=
  match gamma with [] => [] | e :: rest => if i =? e then rest else gamma end.

Definition completed (gamma : list Z) : bool := match gamma with [] => true | _ => false end.

(* What occurs, occurs without its first arc. *)
Lemma occurs_less e gamma schedule : occurs (e :: gamma) schedule -> occurs gamma schedule.
Proof.
  induction schedule as [|i s IH]; inversion 1; subst; apply Occurs_later; auto.
Qed.

(* Taking each arc as soon as it comes is the quickest. *)
Lemma remaining_occurs schedule : forall gamma,
  completed (fold_left remaining schedule gamma) = true <-> occurs gamma schedule.
Proof.
  induction schedule as [|i s IH]; intros gamma; cbn [fold_left].
  - destruct gamma; cbn; split; intros H; try discriminate;
      [constructor | reflexivity | inversion H].
  - rewrite IH. destruct gamma as [|e gamma]; cbn [remaining].
    + split; constructor.
    + destruct (Z.eqb_spec i e) as [->|Hne].
      * split; [apply Occurs_now|]. inversion 1; subst; [assumption | now apply (occurs_less e)].
      * split; [apply Occurs_later|]. inversion 1; subst; [congruence | assumption].
Qed.

(* What is left of a list begins with the next element. *)
Lemma skipn_nth {A} (d : A) l t : (t < length l)%nat -> skipn t l = nth t l d :: skipn (S t) l.
Proof.
  revert t. induction l as [|a l IH]; intros t Ht; [cbn in Ht; lia|].
  destruct t as [|t]; [reflexivity|]. cbn in Ht. cbn [nth].
  change (skipn (S t) (a :: l)) with (skipn t l).
  rewrite IH by lia. reflexivity.
Qed.

(* Lemma 9. A sequence of h arcs occurs within n h steps in expectation. *)
Theorem lemma_9 n gamma :
  (forall e, In e gamma -> In e (arcs n)) ->
  (forall schedule,
     completed (fold_left remaining schedule gamma) = true <-> occurs gamma schedule) /\
  forall k, (expect n remaining completed k gamma <= n * length gamma * n ^ k)%nat.
Proof.
  intros Hg. split; [intros; apply remaining_occurs|]. intros k.
  destruct gamma as [|e0 gamma0] eqn:Eg; [rewrite expect_target; [lia | reflexivity]|].
  rewrite <- Eg in *. assert (H0 : In e0 gamma) by (subst; now left). clear Eg.
  apply (wait_for_arcs n remaining completed (fun t => nth t gamma e0) (length gamma)
           (fun t x => x = skipn t gamma)); try reflexivity.
  - intros t. apply Hg. destruct (Nat.lt_ge_cases t (length gamma)) as [Ht|Ht]; [now apply nth_In|].
    now rewrite nth_overflow.
  - intros t x i Ht _ -> _ Hi. rewrite (skipn_nth e0) by assumption. cbn [remaining].
    apply Z.eqb_neq in Hi. now rewrite Hi.
  - intros t x Ht _ ->. rewrite (skipn_nth e0) by assumption. cbn [remaining].
    now rewrite Z.eqb_refl.
  - intros x ->. now rewrite skipn_all.
Qed.

(* ---- Sweeps ---------------------------------------------------------------------------------- *)

(* If the invariant survives every arc outside of the target, and e_{p+t} takes stage t to t + 1,
   then J stages take n J steps. *)
Lemma sweep N target (p : Z) (J : nat) (inv : nat -> config -> Prop) c :
  valid N c ->
  (forall t x i, valid N x -> target x = false -> inv t x ->
     inv (if i mod size x =? (p + Z.of_nat t) mod size x then S t else t) (step N x i)) ->
  (forall x, valid N x -> inv J x -> target x = true) ->
  inv 0%nat c -> expected_steps_at_most N target c (length c * J).
Proof.
  intros HV Hstep Hend Hc k. pose proof (valid_size N c HV) as Hs.
  apply (wait_for_arcs (length c) (step N) target (fun t => (p + Z.of_nat t) mod size c) J
           (fun t x => (valid N x /\ size x = size c) /\ inv t x)).
  - intros t. apply in_arcs, Z.mod_pos_bound. unfold size in Hs. lia.
  - intros t x i Ht Hx ((HVx & Ex) & Hi) Hin Hne. apply in_arcs in Hin. fold (size c) in Hin.
    split; [split; [now apply valid_step | now rewrite step_size]|].
    specialize (Hstep t x i HVx Hx Hi). rewrite Ex, Z.mod_small in Hstep by assumption.
    apply Z.eqb_neq in Hne. now rewrite Hne in Hstep.
  - intros t x Ht Hx ((HVx & Ex) & Hi).
    split; [split; [now apply valid_step | now rewrite step_size]|].
    specialize (Hstep t x ((p + Z.of_nat t) mod size c) HVx Hx Hi).
    now rewrite Ex, Z.mod_mod, Z.eqb_refl in Hstep by lia.
  - intros x ((HVx & _) & Hi). now apply Hend.
  - repeat split; assumption || apply HV.
Qed.

(* ---- Phases ---------------------------------------------------------------------------------- *)

(* First to one target, then from there to another. *)
Lemma phases N first second A B c :
  valid N c ->
  expected_steps_at_most N first c (length c * A) ->
  (forall x, valid N x -> length x = length c -> first x = true ->
     expected_steps_at_most N second x (length c * B)) ->
  expected_steps_at_most N second c (length c * (A + B)).
Proof.
  intros HV H1 H2 k. specialize (H1 k).
  pose proof (expect_phases (length c) (step N) (fun x => valid N x /\ length x = length c)
                first second (length c * B)) as H.
  specialize (H ltac:(intros x i (Hx & Ex) _; split;
    [now apply valid_step | now rewrite step_length])).
  specialize (H ltac:(intros x (Hx & Ex) E j; specialize (H2 x Hx Ex E j); now rewrite Ex in H2)).
  specialize (H k c (conj HV eq_refl)). nia.
Qed.

(* ---- Bullets of a kind vanish ---------------------------------------------------------------- *)

(* A kind of bullets is never made anew if such a bullet has waited or moved. *)
Definition Never_new (N : nat) (c : config) (kind : config -> Z -> Prop) : Prop :=
  forall i j, kind (step N c i) j ->
    (i mod size c <> j mod size c /\ kind c j) \/
    (step N c i = step N c (j - 1) /\ open_to N c j /\ kind c (j - 1)).

Section Vanish.
  Context (N : nat) (target : config -> bool) (inv : config -> Prop) (kind : config -> Z -> Prop).

  (* Each bullet of the kind is at a place y >= t counted from u_0 on, round and round; after the
     first round, dist counts how far. *)
  Definition Pushed (t : nat) (c : config) : Prop :=
    inv c /\
    forall j, kind c j ->
      exists y, Z.of_nat t <= y /\ y mod size c = j mod size c /\
        (y < size c \/ leader (c @ j) = false /\ (dist (c @ j) < N)%nat /\
                       y < size c + Z.of_nat (dist (c @ j))).

  Lemma bullets_vanish c :
    (forall x i, valid N x -> target x = false -> inv x -> inv (step N x i)) ->
    (forall x j, inv x -> kind x j -> is_bullet (bullet (x @ j)) = true) ->
    (forall x, valid N x -> target x = false -> inv x -> Never_new N x kind) ->
    (forall x, valid N x -> inv x -> (forall j, ~ kind x j) -> target x = true) ->
    valid N c -> inv c -> expected_steps_at_most N target c (length c * (N + length c)).
  Proof.
    intros Hinv Hbullet Hnew Hend HV Hc.
    apply (sweep N target 0 (N + length c) (fun t x => Pushed t x /\ size x = size c));
      [assumption|..].
    - intros t x i HVx Hx ((Hix & Hk) & Ex). pose proof (valid_size N x HVx) as Hs.
      split; [|now rewrite step_size]. split; [now apply Hinv|]. rewrite step_size.
      intros j Hj. destruct (Hnew x HVx Hx Hix i j Hj) as [(Hi & Hkj)|(Es & Ho & Hkj)].
      + destruct (Hk j Hkj) as (y & Hy & Ey & Hd). exists y. repeat split.
        * destruct (Z.eqb_spec (i mod size x) ((0 + Z.of_nat t) mod size x)) as [E|_];
            [|assumption].
          rewrite Z.add_0_l in E. assert (y <> Z.of_nat t) by congruence. lia.
        * assumption.
        * destruct Hd as [Hd|(Hl & Hd & Hyd)]; [now left | right].
          destruct (bullet_keeps_dist N x HVx i j Hi) as (Hl' & Hd'); [eauto..|].
          rewrite Hd'. auto.
      + destruct (Hk (j - 1) Hkj) as (y & Hy & Ey & Hd). exists (y + 1). repeat split.
        * destruct (_ =? _); lia.
        * rewrite <- Z.add_mod_idemp_l, Ey, Z.add_mod_idemp_l by lia. f_equal. lia.
        * right. pose proof (open_passed N x j Ho) as B. destruct Ho as (_ & _ & Hlt).
          pose proof (step_responder N x HVx (j - 1)) as B'.
          replace (j - 1 + 1) with j in B' by lia.
          rewrite Es, B', B. cbn [leader dist]. repeat split; [assumption|].
          destruct Hd as [Hd|(Hl & _ & Hyd)]; [lia|]. unfold dist_l. rewrite Hl. lia.
    - intros x HVx ((Hix & Hk) & Ex). apply Hend; [assumption..|]. intros j Hj.
      destruct (Hk j Hj) as (y & Hy & _ & Hd). unfold size in *. lia.
    - split; [split; [assumption|] | reflexivity]. intros j Hj. exists (j mod size c).
      pose proof (valid_size N c HV) as Hs. pose proof (Z.mod_pos_bound j (size c) ltac:(lia)).
      rewrite Z.mod_mod by lia. repeat split; lia.
  Qed.
End Vanish.
