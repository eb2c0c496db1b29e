(* SPDX-License-Identifier: MIT

   The lower bound, for every protocol: two copies of a safe ring's leader, glued into one ring,
   take long to find out about each other.

   Take the w - 1 agents on either side of the leader of a safe configuration, twice, and make a
   ring of n agents of them. What an agent can know spreads by one agent an interaction: as long as
   the ends of the two windows, four fronts, have not come to the leaders in their middle, each
   leader is in the state that it would have in the safe ring, and so outputs L. A front moves in
   when one certain arc occurs, 1/n of the time. *)

From Coq Require Import List Bool Arith ZArith Lia QArith Lqa.
From Ringleader Require Import Model Ring Sums Expect Tail Below.
Import ListNotations.
Open Scope Z_scope.

Section Protocol.
  Context {state : Type} {any : Inhabited state}
          (transition : state -> state -> state * state) (output : state -> bool).
  Notation step := (ring_step transition).
  Notation reachable := (ring_reachable transition).

  (* A safe configuration, and its leader u_p. *)
  Context (S : list state) (HS : ring_safe transition output S) (Hn : (2 <= length S)%nat)
          (p : Z) (Hp : output (S @ p) = true).
  Notation n := (length S).

  (* ---- The light cone ------------------------------------------------------------------------ *)

  (* Around u_P, from lo to hi, D is as some configuration that S reaches is around u_p. *)
  Definition Alike (D : list state) (P lo hi : Z) : Prop :=
    exists S', reachable S S' /\ forall j, lo <= j <= hi -> D @ (P + j) = S' @ (p + j).

  (* An arc into the window or out of it takes one agent of it away. *)
  Definition hits (i a : Z) : bool := i mod Z.of_nat n =? a mod Z.of_nat n.

  Lemma alike_step D P lo hi i :
    length D = n -> hi - lo + 1 < Z.of_nat n -> Alike D P lo hi ->
    Alike (step D i) P (if hits i (P + lo - 1) then lo + 1 else lo)
                       (if hits i (P + hi) then hi - 1 else hi).
  Proof.
    intros ED Hw (S' & HR & HA). assert (HnD : (2 <= length D)%nat) by lia.
    assert (Es : size D = Z.of_nat n) by (unfold size; now rewrite ED).
    destruct (Z_lt_ge_dec hi lo) as [Hempty|Hlo].
    { exists S'. split; [assumption|]. intros j Hj. destruct (hits _ _), (hits _ _) in Hj; lia. }
    destruct (ring_arc_from transition D HnD (P + lo - 1) i) as (k & Hk & Ei & Est).
    assert (E1 : hits i (P + lo - 1) = (k =? 0)).
    { unfold hits. rewrite <- Es, Ei. apply eq_true_iff_eq. rewrite !Z.eqb_eq. split.
      - intros E. replace (P + lo - 1) with (P + lo - 1 + 0) in E at 2 by lia.
        apply same_offset in E; lia.
      - intros ->. f_equal. lia. }
    assert (E2 : hits i (P + hi) = (k =? hi - lo + 1)).
    { unfold hits. rewrite <- Es, Ei. apply eq_true_iff_eq. rewrite !Z.eqb_eq. split.
      - intros E. replace (P + hi) with (P + lo - 1 + (hi - lo + 1)) in E by lia.
        apply same_offset in E; lia.
      - intros ->. f_equal. lia. }
    rewrite E1, E2, Est. clear E1 E2 Ei Est.
    assert (HD : forall j, lo <= j <= hi -> step D (P + lo - 1 + k) @ (P + j) =
              if j - lo + 1 =? k
              then fst (transition (D @ (P + lo - 1 + k)) (D @ (P + lo - 1 + k + 1)))
              else if j - lo + 1 =? k + 1
              then snd (transition (D @ (P + lo - 1 + k)) (D @ (P + lo - 1 + k + 1)))
              else D @ (P + j)).
    { intros j Hj. replace (P + j) with (P + lo - 1 + (j - lo + 1)) by lia.
      rewrite ring_step_from by (assumption || lia).
      destruct (Z.eqb_spec (j - lo + 1) 0) as [|_]; [lia|]. now rewrite andb_false_l, orb_false_r. }
    destruct (Z_le_gt_dec 1 k) as [Hk1|Hk1]; [destruct (Z_lt_le_dec k (hi - lo + 1)) as [Hk2|Hk2]|].
    - (* both agents inside: the safe ring makes the same move *)
      destruct (Z.eqb_spec k 0) as [|_]; [lia|].
      destruct (Z.eqb_spec k (hi - lo + 1)) as [|_]; [lia|].
      exists (step S' (p + lo - 1 + k)). split; [now apply reachable_step|]. intros j Hj.
      pose proof (reachable_length _ _ _ HR) as ES'.
      assert (Es' : size S' = Z.of_nat n) by (unfold size; now rewrite ES').
      rewrite HD by assumption.
      replace (p + j) with (p + lo - 1 + (j - lo + 1)) by lia.
      rewrite ring_step_from by lia.
      destruct (Z.eqb_spec (j - lo + 1) 0) as [|_]; [lia|]. rewrite andb_false_l, orb_false_r.
      pose proof (HA (lo - 1 + k) ltac:(lia)) as Hl. pose proof (HA (lo + k) ltac:(lia)) as Hr.
      replace (P + (lo - 1 + k)) with (P + lo - 1 + k) in Hl by lia.
      replace (P + (lo + k)) with (P + lo - 1 + k + 1) in Hr by lia.
      rewrite Hl, Hr, HA by assumption.
      replace (p + (lo - 1 + k)) with (p + lo - 1 + k) by lia.
      replace (p + (lo + k)) with (p + lo - 1 + k + 1) by lia.
      now replace (p + lo - 1 + (j - lo + 1)) with (p + j) by lia.
    - (* the arc out of the window, or one beyond it *)
      exists S'. split; [assumption|]. intros j Hj. destruct (Z.eqb_spec k 0); [lia|].
      destruct (Z.eqb_spec k (hi - lo + 1)); rewrite HD by lia;
        destruct (Z.eqb_spec (j - lo + 1) k), (Z.eqb_spec (j - lo + 1) (k + 1)); try lia;
        apply HA; lia.
    - (* the arc into it *)
      exists S'. split; [assumption|]. intros j Hj. assert (k = 0) as -> by lia.
      rewrite Z.eqb_refl in Hj. destruct (Z.eqb_spec 0 (hi - lo + 1)); [lia|].
      rewrite HD by lia.
      destruct (Z.eqb_spec (j - lo + 1) 0), (Z.eqb_spec (j - lo + 1) (0 + 1)); try lia.
      apply HA; lia.
  Qed.

  (* Safety is used here, and nowhere else: whatever has happened, u_p outputs L. *)
  Lemma alike_leader D P lo hi : Alike D P lo hi -> lo <= 0 <= hi -> output (D @ P) = true.
  Proof.
    intros (S' & HR & HA) H0. destruct HS as (_ & Hout). specialize (HA 0 H0).
    rewrite !Z.add_0_r in HA. now rewrite HA, Hout.
  Qed.

  (* ---- Two windows --------------------------------------------------------------------------- *)

  (* w - 1 agents on either side of the leaders u_P1 and u_P2. *)
  Definition w : Z := (Z.of_nat n + 2) / 4.
  Definition P1 : Z := w - 1.
  Definition P2 : Z := 3 * w - 2.

  Lemma w_bounds : 1 <= w /\ 4 * w - 2 <= Z.of_nat n /\ Z.of_nat n - 1 <= 4 * w.
  Proof.
    unfold w. pose proof (Z.div_mod (Z.of_nat n + 2) 4 ltac:(lia)).
    pose proof (Z.mod_pos_bound (Z.of_nat n + 2) 4 ltac:(lia)). lia.
  Qed.

  Definition glued : list state :=
    map (fun k => if k <? 2 * w - 1 then S @ (p - P1 + k) else S @ (p - P2 + k)) (arcs n).

  Lemma glued_length : length glued = n.
  Proof. unfold glued. now rewrite map_length, arcs_length. Qed.

  Lemma glued_states a : In a glued -> In a S.
  Proof.
    intros Ha. unfold glued in Ha. apply in_map_iff in Ha as (k & <- & _).
    destruct (k <? 2 * w - 1); apply at_in; lia.
  Qed.

  (* How far the four ends have moved in. *)
  Record Fronts (D : list state) (x1 x2 x3 x4 : nat) : Prop := {
    front_length : length D = n;
    front_1 : Alike D P1 (Z.of_nat x1 - (w - 1)) (w - 1 - Z.of_nat x2);
    front_2 : Alike D P2 (Z.of_nat x3 - (w - 1)) (w - 1 - Z.of_nat x4)
  }.

  Lemma fronts_start : Fronts glued 0 0 0 0.
  Proof.
    pose proof w_bounds as Hw. unfold P1, P2 in *.
    split; [apply glued_length|..]; exists S; (split; [now exists []|]); intros j Hj;
      unfold glued, P1, P2; rewrite at_map by lia.
    - destruct (Z.ltb_spec (w - 1 + j) (2 * w - 1)); [f_equal|]; lia.
    - destruct (Z.ltb_spec (3 * w - 2 + j) (2 * w - 1)); [|f_equal]; lia.
  Qed.

  (* Each front has one arc that moves it. *)
  Definition moved (i a : Z) (x : nat) : nat := if hits i a then Datatypes.S x else x.
  Definition arc_1 (x : nat) : Z := P1 - w + Z.of_nat x.
  Definition arc_2 (x : nat) : Z := P1 + w - 1 - Z.of_nat x.
  Definition arc_3 (x : nat) : Z := P2 - w + Z.of_nat x.
  Definition arc_4 (x : nat) : Z := P2 + w - 1 - Z.of_nat x.

  Lemma fronts_step D x1 x2 x3 x4 i :
    Fronts D x1 x2 x3 x4 ->
    Fronts (step D i) (moved i (arc_1 x1) x1) (moved i (arc_2 x2) x2)
                      (moved i (arc_3 x3) x3) (moved i (arc_4 x4) x4).
  Proof.
    pose proof w_bounds as Hw.
    assert (Hend : forall P x y, Alike D P (Z.of_nat x - (w - 1)) (w - 1 - Z.of_nat y) ->
              length D = n ->
              Alike (step D i) P (Z.of_nat (moved i (P - w + Z.of_nat x) x) - (w - 1))
                                 (w - 1 - Z.of_nat (moved i (P + w - 1 - Z.of_nat y) y))).
    { intros P x y HA ED. pose proof (fun Hw => alike_step D P _ _ i ED Hw HA) as H.
      specialize (H ltac:(lia)).
      replace (P + (Z.of_nat x - (w - 1)) - 1) with (P - w + Z.of_nat x) in H by lia.
      replace (P + (w - 1 - Z.of_nat y)) with (P + w - 1 - Z.of_nat y) in H by lia.
      unfold moved.
      destruct (hits i (P - w + Z.of_nat x)), (hits i (P + w - 1 - Z.of_nat y));
        destruct H as (S' & HR & H); exists S'; (split; [assumption|]); intros j Hj; apply H; lia. }
    intros [ED H1 H2]. split; [now rewrite ring_step_length|..]; now apply Hend.
  Qed.

  (* While no front has come to a leader there are two of them. *)
  Lemma fronts_leaders D x1 x2 x3 x4 :
    Fronts D x1 x2 x3 x4 -> ring_leaders output D = 1%nat ->
    w <= Z.of_nat x1 \/ w <= Z.of_nat x2 \/ w <= Z.of_nat x3 \/ w <= Z.of_nat x4.
  Proof.
    intros [ED H1 H2] Hone. pose proof w_bounds as Hw.
    destruct (Z_lt_ge_dec (Z.of_nat x1) w), (Z_lt_ge_dec (Z.of_nat x2) w),
      (Z_lt_ge_dec (Z.of_nat x3) w), (Z_lt_ge_dec (Z.of_nat x4) w); try lia. exfalso.
    apply alike_leader in H1; [|lia]. apply alike_leader in H2; [|lia].
    rewrite leaders_count, ED in Hone. unfold P1, P2 in *.
    assert (Hle : (length [w - 1; 3 * w - 2]%Z <= 1)%nat).
    { rewrite <- Hone. apply NoDup_incl_length.
      - repeat constructor; cbn [In]; lia.
      - intros i Hi. apply filter_In. cbn [In] in Hi.
        destruct Hi as [<-|[<-|[]]]; (split; [apply in_arcs; lia|assumption]). }
    cbn [length] in Hle. lia.
  Qed.

  (* ---- Potentials of the fronts -------------------------------------------------------------- *)

  Open Scope Q_scope.

  (* The sum over all arcs of what becomes of a function of one front. *)
  Lemma front_sum (F : nat -> Q) (a : Z) (x : nat) :
    qsum (fun i => F (moved i a x)) (arcs n) == (q n - 1) * F x + F (Datatypes.S x).
  Proof.
    set (b := (a mod Z.of_nat n)%Z).
    assert (Hb : In b (arcs n)) by (apply in_arcs, Z.mod_pos_bound; lia).
    rewrite (qsum_eq _ (fun i => F x + (F (Datatypes.S x) - F x) * (if (i =? b)%Z then 1 else 0))).
    - rewrite (qsum_plus (fun _ => F x)), qsum_const, qsum_scale, arcs_length.
      rewrite (qsum_indicator b (arcs n) (arcs_NoDup n) Hb). ring.
    - intros i Hi. apply in_arcs in Hi. unfold moved, hits. rewrite (Z.mod_small i) by lia.
      fold b. destruct (i =? b)%Z; ring.
  Qed.

  Context (target : list state -> bool)
          (Htarget : forall D, length D = n -> target D = true -> ring_leaders output D = 1%nat).

  (* K steps are looked at. With k of them to go, a front at x takes G k x off A k; it does so by
     at most e more after a step, on average times n. *)
  Lemma fronts_below (K : nat) (A e : nat -> Q) (G : nat -> nat -> Q) (b : Q) :
    0 <= b -> A 0%nat <= b ->
    (forall k x, 0 <= G k x) ->
    (forall k x, (k <= K)%nat -> (w <= Z.of_nat x)%Z -> A k <= G k x) ->
    (forall k x, (q n - 1) * G k x + G k (Datatypes.S x) <= q n * G (Datatypes.S k) x + e k) ->
    (forall k, q n * A (Datatypes.S k) + 4 * e k <= q n * A k + q n) ->
    (A K - 4 * G K 0%nat) * q (n ^ K) <=
    q (expect n step target K glued) + b * q (missing n step target K glued).
  Proof.
    intros Hb HA HG Hw Hfront Hfall.
    setoid_replace (A K - 4 * G K 0%nat)
      with (A K - (G K 0%nat + G K 0%nat + G K 0%nat + G K 0%nat))
      by ring.
    apply (drift_below n step target (fun k D v => (k <= K)%nat /\ exists x1 x2 x3 x4,
      Fronts D x1 x2 x3 x4 /\ v = A k - (G k x1 + G k x2 + G k x3 + G k x4)) b Hb).
    - intros k D v (HkK & x1 & x2 & x3 & x4 & HF & ->) Ht.
      pose proof (HG k x1). pose proof (HG k x2). pose proof (HG k x3). pose proof (HG k x4).
      specialize (Htarget D (front_length _ _ _ _ _ HF) Ht).
      destruct (fronts_leaders D x1 x2 x3 x4 HF Htarget) as [Hx|[Hx|[Hx|Hx]]];
        specialize (Hw k _ HkK Hx); lra.
    - intros D v (_ & x1 & x2 & x3 & x4 & _ & ->).
      pose proof (HG 0%nat x1). pose proof (HG 0%nat x2). pose proof (HG 0%nat x3).
      pose proof (HG 0%nat x4). lra.
    - intros k D v (HkK & x1 & x2 & x3 & x4 & HF & ->) _.
      exists (fun i => A k - (G k (moved i (arc_1 x1) x1) + G k (moved i (arc_2 x2) x2) +
                              G k (moved i (arc_3 x3) x3) + G k (moved i (arc_4 x4) x4))).
      split.
      + intros i _. split; [lia|]. eexists _, _, _, _.
        split; [apply fronts_step; exact HF|reflexivity].
      + unfold Qminus. rewrite (qsum_plus (fun _ => A k)), qsum_const, arcs_length.
        rewrite (qsum_eq (fun i => - _) (fun i => -1 * (G k (moved i (arc_1 x1) x1) +
          G k (moved i (arc_2 x2) x2) + G k (moved i (arc_3 x3) x3) + G k (moved i (arc_4 x4) x4))))
          by (intros; ring).
        rewrite qsum_scale, !qsum_plus, !front_sum.
        pose proof (Hfront k x1). pose proof (Hfront k x2). pose proof (Hfront k x3).
        pose proof (Hfront k x4). specialize (Hfall k). lra.
    - split; [lia|]. exists 0%nat, 0%nat, 0%nat, 0%nat. split; [apply fronts_start|reflexivity].
  Qed.
End Protocol.
