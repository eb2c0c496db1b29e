(* SPDX-License-Identifier: MIT

   Time-optimal, from both sides: no protocol elects a leader on a ring of n agents in fewer than
   n(n-1)/16 expected steps from everywhere, and P_RL needs at most a constant times n^2 if N is at
   most a constant times n. *)

From Coq Require Import List Bool Arith ZArith Lia QArith Lqa.
From Ringleader Require Import Model Ring Sums Expect Tail Below Glued.
From Ringleader Require Import Step Sets Safe Creation Theorem1.
Import ListNotations.
Open Scope nat_scope.

(* ---- Any protocol ---------------------------------------------------------------------------- *)

Section Protocol.
  Context {state : Type} {any : Inhabited state}
          (transition : state -> state -> state * state) (output : state -> bool)
          (S : list state) (HS : ring_safe transition output S) (Hn : 2 <= length S)
          (p : Z) (Hp : output (S @ p) = true)
          (target : list state -> bool)
          (Htarget : forall D, length D = length S -> target D = true ->
                               ring_leaders output D = 1).
  Notation n := (length S).
  Notation w := (Glued.w S).
  Notation C := (glued S p).

  (* What bounds every expectation that stops after some steps bounds the expectation. *)
  Lemma at_least (v b : Q) (x y : nat) :
    (0 <= b)%Q ->
    (forall k, (v * q (n ^ k) <= q (expect n (ring_step transition) target k C) +
                                 b * q (missing n (ring_step transition) target k C))%Q) ->
    (q x <= v * q y)%Q -> expected_at_least transition target C x y.
  Proof.
    intros Hb Hv Hxy A B HB Hbound. rewrite glued_length in Hbound.
    pose proof (below_bound n _ target C v b A B ltac:(lia) Hb Hv Hbound) as H.
    apply q_le_inv. rewrite !q_mul. pose proof (q_nonneg B). pose proof (q_nonneg y).
    apply (Qmult_le_compat_r _ _ (q B)) in Hxy; [|assumption].
    apply (Qmult_le_compat_r _ _ (q y)) in H; [|assumption]. lra.
  Qed.

  Open Scope Q_scope.

  Let q_w : q n - 1 <= 4 * inject_Z w.
  Proof.
    pose proof (w_bounds S Hn) as (_ & _ & H). unfold q. change 4 with (inject_Z 4).
    change 1 with (inject_Z 1). unfold Qminus. rewrite <- inject_Z_opp, <- inject_Z_plus,
      <- inject_Z_mult, <- Zle_Qle. lia.
  Qed.

  (* First moment: n/4 times the distance that all fronts together still have to w falls by 1. *)
  Lemma first_moment : expected_at_least transition target C (n * (n - 1)) 16.
  Proof.
    pose proof (q_pos n ltac:(lia)) as Hqn. pose proof q_w as Hw.
    assert (Hqw : 0 <= inject_Z w).
    { change 0 with (inject_Z 0). rewrite <- Zle_Qle. pose proof (w_bounds S Hn). lia. }
    apply (at_least (q n * inject_Z w / 4) (q n * inject_Z w / 4)).
    - apply Qle_shift_div_l; [lra|]. nra.
    - intros k.
      pose proof (fronts_below transition output S HS Hn p Hp target Htarget k
        (fun _ => q n * inject_Z w / 4) (fun _ => q n / 4) (fun _ x => q n / 4 * q x)
        (q n * inject_Z w / 4)) as H.
      cbv beta in H. change (q 0) with 0 in H.
      setoid_replace (q n * inject_Z w / 4 - 4 * (q n / 4 * 0)) with (q n * inject_Z w / 4) in H
        by ring.
      apply H; clear H.
      + apply Qle_shift_div_l; [lra|]. nra.
      + lra.
      + intros _ x. pose proof (q_nonneg x). apply Qmult_le_0_compat; [|assumption].
        apply Qle_shift_div_l; lra.
      + intros _ x _ Hx. assert (Hwx : inject_Z w <= q x) by (unfold q; now rewrite <- Zle_Qle).
        setoid_replace (q n * inject_Z w / 4) with (inject_Z w * (q n / 4)) by (field; lra).
        rewrite (Qmult_comm (q n / 4)). apply Qmult_le_compat_r; [assumption|].
        apply Qle_shift_div_l; lra.
      + intros _ x. rewrite q_S. apply Qle_lteq. right. ring.
      + intros _. apply Qle_lteq. right. field.
    - rewrite q_mul. change (q 16) with 16.
      assert (E : q (n - 1) == q n - 1) by (replace n with (Datatypes.S (n - 1)) at 2 by lia;
        rewrite q_S; ring).
      rewrite E. setoid_replace (q n * inject_Z w / 4 * 16) with (q n * (4 * inject_Z w))
        by (field; lra).
      rewrite !(Qmult_comm (q n)). apply Qmult_le_compat_r; [exact Hw|lra].
  Qed.

  (* Second moment: the fronts keep to their mean, K/n after K steps. *)
  Lemma second_moment (r g : nat) :
    (0 < g)%nat -> (Z.of_nat (r + g) <= w)%Z ->
    forall k, k = (n * r)%nat ->
    q k * (1 - 4 * q r / (q g * q g)) * q (n ^ k) <= q (expect n (ring_step transition) target k C).
  Proof.
    intros Hg Hrg K HK. pose proof (q_pos n ltac:(lia)) as Hqn. pose proof (q_pos g Hg) as Hqg.
    pose proof (q_nonneg r) as Hr. assert (Hgg : 0 < q g * q g) by nra.
    assert (EK : q K == q n * q r) by (rewrite HK; apply q_mul).
    set (c := q K / (q g * q g)).
    assert (Hc : 0 <= c) by (apply Qle_shift_div_l; [assumption|]; pose proof (q_nonneg K); lra).
    assert (Ecg : c * (q g * q g) == q K) by (unfold c; field; lra).
    set (tau := fun k => (q K - q k) / q n).
    assert (Etau : forall k, tau k == tau (Datatypes.S k) + 1 / q n)
      by (intros k; unfold tau; rewrite q_S; field; lra).
    pose proof (fronts_below transition output S HS Hn p Hp target Htarget K
      (fun k => q k - 4 * c * q k / q n) (fun _ => c)
      (fun k x => c * ((q x - tau k) * (q x - tau k))) 0) as H.
    cbv beta in H. rewrite Qmult_0_l, Qplus_0_r in H.
    assert (E : q K - 4 * c * q K / q n -
                4 * (c * ((q 0 - tau K) * (q 0 - tau K))) == q K * (1 - 4 * q r / (q g * q g))).
    { assert (E0 : tau K == 0) by (unfold tau; field; lra). rewrite E0. change (q 0) with 0.
      unfold c. rewrite EK. field. lra. }
    rewrite E in H. apply H; clear H E.
    - lra.
    - change (q 0) with 0. apply Qle_lteq. right. field. lra.
    - intros k x. apply Qmult_le_0_compat; [assumption|]. generalize (q x - tau k). intros t. nra.
    - intros k x HkK Hx.
      assert (Ht : tau k <= q r).
      { unfold tau. apply Qle_shift_div_r; [assumption|]. pose proof (q_nonneg k). nra. }
      assert (Hxg : q g <= q x - tau k).
      { assert (q r + q g <= q x); [|lra]. rewrite <- q_add. apply q_le. lia. }
      assert (Hsq : q g * q g <= (q x - tau k) * (q x - tau k)) by nra.
      apply (Qmult_le_compat_r _ _ c) in Hsq; [|assumption].
      assert (0 <= 4 * c * q k / q n)
        by (apply Qle_shift_div_l; [assumption|]; pose proof (q_nonneg k); nra).
      apply q_le in HkK. lra.
    - intros k x. rewrite q_S.
      set (y := q x - tau (Datatypes.S k)).
      assert (Ey : q x - tau k == y - 1 / q n) by (unfold y; rewrite Etau; ring).
      assert (Ey1 : q x + 1 - tau k == y - 1 / q n + 1) by (unfold y; rewrite Etau; ring).
      rewrite Ey, Ey1.
      setoid_replace ((q n - 1) * (c * ((y - 1 / q n) * (y - 1 / q n))) +
                      c * ((y - 1 / q n + 1) * (y - 1 / q n + 1)))
        with (q n * (c * (y * y)) + c - c / q n) by (field; lra).
      assert (0 <= c / q n) by (apply Qle_shift_div_l; lra). lra.
    - intros k. rewrite q_S. apply Qle_lteq. right. field. lra.
  Qed.
End Protocol.

Open Scope Z_scope.

(* For n >= 200 e^3 take fronts that move r = w - g in the mean, with g = n/8e to spare. *)
Lemma spare_is_enough (n e g w r : Z) :
  (1 <= e -> 200 * (e * e * e) <= n -> 8 * e * g <= n < 8 * e * (g + 1) ->
   n - 1 <= 4 * w <= n + 2 -> r = w - g ->
   25 <= g /\ g <= w /\ (e - 1) * n * (g * g) <= 4 * e * r * (g * g - 4 * r))%Z.
Proof.
  intros He Hn Hg Hw ->.
  assert (Hge : 25 * (e * e) < g + 1).
  { apply (Zmult_lt_reg_r _ _ (8 * e)); [lia|].
    replace (25 * (e * e) * (8 * e)) with (200 * (e * e * e)) by ring. lia. }
  assert (Hg25 : 25 <= g) by nia.
  assert (Hgw : g <= w).
  { assert (8 * g <= 8 * e * g) by (apply Z.mul_le_mono_nonneg_r; lia). lia. }
  split; [assumption|]. split; [assumption|].
  pose (R := 4 * (w - g)).
  assert (Hn2 : n + 2 <= e * (8 * g + 10)).
  { replace (e * (8 * g + 10)) with (8 * e * (g + 1) + 2 * e) by ring. lia. }
  assert (Hsquare : 25 * ((n + 2) * (n + 2)) <= g * ((8 * g + 10) * (8 * g + 10))).
  { apply Z.le_trans with (25 * ((e * (8 * g + 10)) * (e * (8 * g + 10)))).
    - apply Z.mul_le_mono_nonneg_l; [lia|]. apply Z.mul_le_mono_nonneg; lia.
    - replace (25 * (e * (8 * g + 10) * (e * (8 * g + 10))))
        with (25 * (e * e) * ((8 * g + 10) * (8 * g + 10))) by ring.
      apply Z.mul_le_mono_nonneg_r; [apply Z.mul_nonneg_nonneg; lia|lia]. }
  assert (Hcube : (n + 2) * (n + 2) <= 4 * (g * g * g) - g * g).
  { assert (0 <= g * g * (g - 25)) by (repeat apply Z.mul_nonneg_nonneg; lia).
    assert (0 <= g * (g - 25)) by (apply Z.mul_nonneg_nonneg; lia).
    replace (g * ((8 * g + 10) * (8 * g + 10))) with (64 * (g * g * g) + 160 * (g * g) + 100 * g)
      in Hsquare by ring. lia. }
  assert (HRR : R * R <= (n + 2) * (n + 2)) by (unfold R; apply Z.mul_le_mono_nonneg; lia).
  assert (HRg : (n - 1 - 4 * g) * (g * g) <= R * (g * g))
    by (unfold R; apply Z.mul_le_mono_nonneg_r; [apply Z.mul_nonneg_nonneg|]; lia).
  assert (Hng : 8 * e * g * (g * g) <= n * (g * g))
    by (apply Z.mul_le_mono_nonneg_r; [apply Z.mul_nonneg_nonneg|]; lia).
  apply Z.le_trans with (e * ((n - 1 - 4 * g) * (g * g) - (4 * (g * g * g) - g * g))).
  - replace (e * ((n - 1 - 4 * g) * (g * g) - (4 * (g * g * g) - g * g)))
      with (e * n * (g * g) - 8 * e * g * (g * g)) by ring.
    replace ((e - 1) * n * (g * g)) with (e * n * (g * g) - n * (g * g)) by ring. lia.
  - replace (4 * e * (w - g) * (g * g - 4 * (w - g))) with (e * (R * (g * g) - R * R))
      by (unfold R; ring).
    apply Z.mul_le_mono_nonneg_l; lia.
Qed.

Open Scope nat_scope.

(* No protocol is faster. Let a protocol, which may know n, have a safe configuration S on the ring
   of n agents. Then there is a configuration, made of states of S, from which it takes n(n-1)/16
   expected steps until there is one leader (for the first time, not to say for good), and
   (1 - 1/e) n^2/4 if n >= 200 e^3. *)
Theorem lower_bound {state : Type} {any : Inhabited state}
    (transition : state -> state -> state * state) (output : state -> bool) (S : list state) :
  let n := length S in
  2 <= n -> ring_safe transition output S ->
  exists C, length C = n /\ (forall a, In a C -> In a S) /\
    forall target,
      (forall D, length D = n -> target D = true -> ring_leaders output D = 1) ->
      expected_at_least transition target C (n * (n - 1)) 16 /\
      forall e, 1 <= e -> 200 * e ^ 3 <= n ->
        expected_at_least transition target C ((e - 1) * (n * n)) (4 * e).
Proof.
  intros n Hn HS.
  assert (Hleader : exists p, output (S @ p) = true).
  { destruct HS as (Hone & _). unfold ring_leaders in Hone.
    destruct (filter output S) as [|a l] eqn:Ef; [discriminate|].
    assert (Ha : In a (filter output S)) by (rewrite Ef; now left).
    apply filter_In in Ha as (Ha & Hout). apply in_config in Ha as (i & _ & ->). now exists i. }
  destruct Hleader as (p & Hp). exists (glued S p).
  split; [apply glued_length|]. split; [now apply glued_states|]. intros target Htarget.
  split; [now apply (first_moment transition output)|]. intros e He Hne.
  pose proof (w_bounds S Hn) as Hw. fold n in Hw.
  set (g := n / (8 * e)).
  assert (Hg : 8 * e * g <= n < 8 * e * (g + 1)).
  { unfold g. pose proof (Nat.div_mod n (8 * e) ltac:(lia)).
    pose proof (Nat.mod_upper_bound n (8 * e) ltac:(lia)). nia. }
  set (r := Z.to_nat (Glued.w S - Z.of_nat g)).
  destruct (spare_is_enough (Z.of_nat n) (Z.of_nat e) (Z.of_nat g) (Glued.w S)
              (Glued.w S - Z.of_nat g)) as (Hg25 & Hgw & H); try lia.
  { replace (e ^ 3) with (e * e * e) in Hne by (cbn; lia). lia. }
  replace (Glued.w S - Z.of_nat g)%Z with (Z.of_nat r) in H by (unfold r; lia).
  pose proof (second_moment transition output S HS Hn p Hp target Htarget r g ltac:(lia)
                ltac:(unfold r; lia) (n * r) eq_refl) as Hv.
  fold n in Hv. set (k := n * r) in *.
  intros A B HB Hbound. rewrite glued_length in Hbound. fold n in Hbound. specialize (Hbound k).
  apply q_le in Hbound. rewrite !q_mul in Hbound.
  pose proof (q_pos (n ^ k) ltac:(apply Nat.neq_0_lt_0, Nat.pow_nonzero; lia)) as Hpow.
  pose proof (q_pos g ltac:(lia)) as Hqg. pose proof (q_pos B HB) as HqB.
  pose proof (q_pos e He) as Hqe. pose proof (q_pos n ltac:(lia)) as Hqn.
  set (v := (q k * (1 - 4 * q r / (q g * q g)))%Q) in *.
  assert (HvA : (v * q B <= q A)%Q).
  { apply Qmult_le_r with (q (n ^ k)); [assumption|]. eapply Qle_trans; [|exact Hbound].
    apply (Qmult_le_compat_r _ _ (q B)) in Hv; lra. }
  assert (Hve : (q ((e - 1) * (n * n)) <= v * q (4 * e))%Q).
  { assert (Egg : (0 < q g * q g)%Q) by nra.
    apply Qmult_le_r with (q g * q g)%Q; [assumption|]. unfold v, k.
    rewrite !q_mul. change (q 4) with 4%Q.
    setoid_replace (q n * q r * (1 - 4 * q r / (q g * q g)) * (4 * q e) * (q g * q g))%Q
      with (q n * (4 * q e * q r * (q g * q g - 4 * q r)))%Q by (field; lra).
    assert (Hq : (q (e - 1) * q n * (q g * q g) <= 4 * q e * q r * (q g * q g - 4 * q r))%Q).
    { unfold q. change 4%Q with (inject_Z 4). unfold Qminus.
      rewrite <- ?inject_Z_mult, <- ?inject_Z_opp, <- ?inject_Z_plus, <- ?inject_Z_mult, <- Zle_Qle.
      rewrite Nat2Z.inj_sub by assumption. lia. }
    apply (Qmult_le_compat_r _ _ (q n)) in Hq; lra. }
  apply q_le_inv. rewrite (q_mul _ B), (q_mul A).
  apply (Qmult_le_compat_r _ _ (q B)) in Hve; [|lra].
  apply (Qmult_le_compat_r _ _ (q (4 * e))) in HvA; [|apply q_nonneg]. lra.
Qed.

(* ---- P_RL ------------------------------------------------------------------------------------ *)

(* It has a safe configuration on every ring that it is for. *)
Lemma P_RL_safe N n :
  2 <= n <= N -> exists S, length S = n /\ valid N S /\ safe N S.
Proof.
  intros Hn.
  assert (HV : valid N (repeat nobody n)).
  { split; [now rewrite repeat_length|]. apply Forall_forall. intros a Ha.
    apply repeat_spec in Ha as ->. cbn. lia. }
  destruct (S_RL_reachable N _ HV) as (schedule & _ & HS).
  exists (run N (repeat nobody n) schedule). pose proof (valid_run N _ schedule HV) as HV'.
  split; [rewrite run_length; apply repeat_length|]. split; [exact HV'|].
  now apply (proj2 (lemma_8 N)).
Qed.

(* Time-optimal, both sides. Let N be between n and h n, and the target anything from S_RL to the
   configurations with one leader: S_RL itself, or the safe configurations. P_RL is there within
   31 h n^2 expected steps from everywhere, and from somewhere it takes n(n-1)/16. *)
Theorem time_optimal N n h target :
  2 <= n <= N -> N <= h * n ->
  (forall x, valid N x -> S_RL N x = true -> target x = true) ->
  (forall x, length x = n -> target x = true -> leaders x = 1) ->
  (forall c, valid N c -> length c = n ->
     expected_steps_at_most N target c (31 * h * (n * n))) /\
  (exists c, valid N c /\ length c = n /\ expected_steps_at_least N target c (n * (n - 1)) 16).
Proof.
  intros Hn Hh Hlarge Hone. split.
  - intros c HV Ec. apply (weaken _ _ _ (31 * (length c * N))); [rewrite Ec; nia|].
    now apply expected_steps_larger.
  - destruct (P_RL_safe N n Hn) as (S & ES & HV & HS).
    destruct (lower_bound (interact N) leader S ltac:(lia) HS) as (C & EC & Hin & HC).
    exists C. split; [|split; [lia|]].
    + split; [lia|]. apply Forall_forall. intros a Ha. destruct HV as (_ & HF).
      rewrite Forall_forall in HF. now apply HF, Hin.
    + rewrite <- ES. apply HC. now rewrite ES.
Qed.
