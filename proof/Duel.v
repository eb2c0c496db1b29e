(* SPDX-License-Identifier: MIT

   Lemma 12, the arithmetic: three neighbouring leaders u_p, u_q, u_r and the potential that bounds
   how long all three of them live.

   Nothing here speaks of agents. The first gap has m1 arcs, the second m2. A gap is known by its
   clock (Gap.v): the number of moves, of the bullet to the right and then of the signal to the
   left, until its left leader fires anew. Trio.v shows that a duel in a ring goes as [follows]
   says. Arcs are counted from u_p: arc 0 is e_p, arc n-1 is e_{p-1}, arc m1-1 is e_{q-1}, arc m1
   is e_q. *)

From Coq Require Import List Bool Arith ZArith Lia QArith Lqa Qminmax.
From Ringleader Require Import Model Step Sums Race.
Import ListNotations.
Open Scope Q_scope.

(* The offset of the arc that makes a clock r > 0 tick: the arc at the bullet, which is at offset
   2m - 1 - r, or the arc to the left of the leftmost signal, which is at offset r. *)
Definition tick (m r : nat) : nat := if (m <=? r)%nat then (2 * m - 1 - r)%nat else (r - 1)%nat.

(* The clock after arc i, counted from the left leader, with n arcs in all. At 0 the leader has
   its signal: its own arc fires a live bullet, the arc before it a dummy one, which has one more
   move to make. *)
Definition clock_next (n : Z) (m r : nat) (i : Z) : nat :=
  if (r =? 0)%nat
  then if (i =? 0)%Z then (2 * m - 2)%nat else if (i =? n - 1)%Z then (2 * m - 1)%nat else 0%nat
  else if (i =? Z.of_nat (tick m r))%Z then (r - 1)%nat else r.

(* A clock ticks by an arc of its own gap, and by the last arc just if it is at m. *)
Lemma tick_bound m k : (0 < k <= 2 * m - 1)%nat -> (tick m k < m)%nat.
Proof. intros H. unfold tick. destruct (Nat.leb_spec m k); lia. Qed.

Lemma tick_last m k : (0 < k <= 2 * m - 1)%nat -> k = m -> tick m k = (m - 1)%nat.
Proof. intros H. unfold tick. destruct (Nat.leb_spec m k); lia. Qed.

Lemma tick_inner m k : (0 < k <= 2 * m - 1)%nat -> k <> m -> (tick m k < m - 1)%nat.
Proof. intros H. unfold tick. destruct (Nat.leb_spec m k); lia. Qed.

Record duel := Duel {
  clock1 : nat;     (* of the gap from u_p to u_q *)
  clock2 : nat;     (* of the gap from u_q to u_r *)
  shielded : bool;  (* u_q is shielded *)
  flying : bool     (* the first gap has one bullet, it is live and has left u_p *)
}.

Section Duel.
  Context (n m1 m2 : nat) (Hm1 : (0 < m1)%nat) (Hm2 : (0 < m2)%nat) (Hn : (m1 + m2 <= n)%nat).

  (* Fields that no duel in a ring violates. *)
  Definition proper (d : duel) : Prop :=
    (clock1 d <= 2 * m1 - 1)%nat /\ (clock2 d <= 2 * m2 - 1)%nat /\
    (flying d = true -> m1 <= clock1 d <= 2 * m1 - 2)%nat.

  (* An arc counted from u_q instead of u_p. *)
  Definition from_q (i : Z) : Z :=
    if (Z.of_nat m1 <=? i)%Z then (i - Z.of_nat m1)%Z else (i - Z.of_nat m1 + Z.of_nat n)%Z.

  Definition shield_next (d : duel) (i : Z) : bool :=
    if (clock2 d =? 0)%nat
    then if (i =? Z.of_nat m1)%Z then true
         else if (i =? Z.of_nat m1 - 1)%Z then false else shielded d
    else shielded d.

  (* u_q is unshielded, or will be if arc m1-1 comes next. *)
  Definition open (d : duel) : Prop := shielded d = false \/ clock2 d = 0%nat.

  (* What arc i may make of a duel, None if one of the three leaders dies. *)
  Record follows (d : duel) (i : Z) (after : option duel) : Prop := {
    f_clock1 : forall d', after = Some d' -> clock1 d' = clock_next (Z.of_nat n) m1 (clock1 d) i;
    f_clock2 : forall d', after = Some d' ->
              clock2 d' = clock_next (Z.of_nat n) m2 (clock2 d) (from_q i);
    f_shield : forall d', after = Some d' -> shielded d' = shield_next d i;
    f_flies : forall d', after = Some d' -> flying d = true ->
              i <> (Z.of_nat m1 - 1)%Z \/ clock1 d <> m1 -> flying d' = true;
    f_starts : forall d', after = Some d' -> clock1 d = 0%nat -> (2 <= m1)%nat -> i = 0%Z ->
               flying d' = true;
    f_arrives : flying d = true -> clock1 d = m1 -> i = (Z.of_nat m1 - 1)%Z -> open d ->
                after = None;
    f_next_door : clock1 d = 0%nat -> m1 = 1%nat -> i = 0%Z -> open d -> after = None;
    f_behind : clock1 d = 0%nat -> clock2 d = 0%nat -> m2 = 1%nat ->
               i = Z.of_nat m1 -> m1 = (n - 1)%nat -> after = None
  }.

  (* The duel after arc i, if it goes on as if no neighbour had died. *)
  Definition goes_on (d : duel) (i : Z) : duel :=
    Duel (clock_next (Z.of_nat n) m1 (clock1 d) i)
         (clock_next (Z.of_nat n) m2 (clock2 d) (from_q i))
         (shield_next d i) (flying d).

  (* ---- The potentials ------------------------------------------------------------------------ *)

  (* An attempt to kill u_q waits for u_q's coin, up to 2 m2 ticks, and for u_p's, up to 2 m1
     more; then the bullet, if it is live, needs m1 moves. It succeeds with probability 1/4, so
     that 4u is enough. *)
  Definition u : Q := (5 # 2) * q m1 + 2 * q m2.

  (* u times the probability that a bullet makes its I moves before u_q tosses its coin, with j
     ticks to go; then what u_q's shield is now is what the bullet meets. *)
  Definition hit (I j : nat) : Q := race (fun _ => u) I j.

  (* The same from when u_p has its signal: the next arc that matters is one of u_p's two or the
     one tick of u_q's clock. In a ring of two leaders the tick may be by the arc of u_p's dummy. *)
  Fixpoint at_signal (j : nat) : Q :=
    match j with
    | O => 0
    | S j' => if ((j =? m2) && (m1 + m2 =? n))%nat then hit (m1 - 1) j
              else (2 * hit (m1 - 1) j + at_signal j') / 3
    end.

  (* And from when u_p's clock is at r. *)
  Definition lead (r j : nat) : Q := race at_signal r j.

  (* Waiting for u_q to fire. *)
  Definition pot_a (j : nat) : Q := 4 * u - 2 * q m2 + q j.

  (* Waiting for u_p to fire. *)
  Definition pot_b (x : bool) (r j : nat) : Q :=
    3 * u + (if x then lead r j else - lead r j) + q r + (1 # 2) * q m1.

  (* A live bullet is on its way to u_q and has I moves to make. *)
  Definition pot_c (x : bool) (I j : nat) : Q :=
    2 * u + (if x then 2 * hit I j else - (2) * hit I j) + q I.

  Definition moves_left (d : duel) : nat := (clock1 d + 1 - m1)%nat.

  Definition a_of (d : duel) : Q := pot_a (clock2 d).
  Definition b_of (d : duel) : Q := pot_b (shielded d) (clock1 d) (clock2 d).
  Definition c_of (d : duel) : Q := pot_c (shielded d) (moves_left d) (clock2 d).

  Definition pot (d : duel) : Q :=
    Qmin (a_of d) (Qmin (b_of d) (if flying d then c_of d else a_of d)).

  Definition value (o : option duel) : Q := match o with Some d => pot d | None => 0 end.

  (* ---- What is plain about them -------------------------------------------------------------- *)

  Let q_m1 : 1 <= q m1. Proof. change 1 with (q 1). now apply q_le. Qed.
  Let q_m2 : 1 <= q m2. Proof. change 1 with (q 1). now apply q_le. Qed.
  Let u_pos : 0 <= u. Proof. unfold u. lra. Qed.

  (* The races are worth 0 to u. *)
  Lemma hit_bounds I j : 0 <= hit I j <= u.
  Proof. apply race_bounds. intros _. lra. Qed.

  (* The longer u_q's coin takes, the better for a bullet. *)
  Lemma hit_mono I j j' : (j <= j')%nat -> hit I j <= hit I j'.
  Proof. intros H. apply (race_mono _ u); [intros _; lra..|lia|assumption]. Qed.

  (* It is at most what it is after a live shot. *)
  Lemma at_signal_below j : 0 <= at_signal j <= hit (m1 - 1) j.
  Proof.
    induction j as [|j IH]; [cbn [at_signal]; pose proof (hit_bounds (m1 - 1) 0); lra|].
    pose proof (hit_bounds (m1 - 1) (S j)). pose proof (hit_mono (m1 - 1) j (S j) ltac:(lia)).
    cbn [at_signal]. destruct ((S j =? m2) && (m1 + m2 =? n))%nat; [lra|].
    split; [apply Qle_shift_div_l; lra|apply Qle_shift_div_r; lra].
  Qed.

  (* By induction, for it is a mean of hit and of what it was with one tick less. *)
  Lemma at_signal_mono j : at_signal j <= at_signal (S j).
  Proof.
    pose proof (at_signal_below j). pose proof (hit_mono (m1 - 1) j (S j) ltac:(lia)).
    change (at_signal (S j)) with (if ((S j =? m2) && (m1 + m2 =? n))%nat then hit (m1 - 1) (S j)
                                   else (2 * hit (m1 - 1) (S j) + at_signal j) / 3).
    destruct ((S j =? m2) && (m1 + m2 =? n))%nat; [lra|]. apply Qle_shift_div_l; lra.
  Qed.

  Let at_signal_bounds j : 0 <= at_signal j <= u.
  Proof. pose proof (at_signal_below j). pose proof (hit_bounds (m1 - 1) j). lra. Qed.

  Lemma lead_bounds r j : 0 <= lead r j <= u.
  Proof. apply race_bounds, at_signal_bounds. Qed.

  Lemma lead_mono r r' j j' : (r' <= r)%nat -> (j <= j')%nat -> lead r j <= lead r' j'.
  Proof. apply (race_mono _ u); [apply at_signal_bounds|apply at_signal_mono]. Qed.

  (* If u_q has its signal, its coin is tossed first, for all that is known. *)
  Lemma lead_lost r : lead r 0 = 0.
  Proof. destruct r; reflexivity. Qed.

  (* All potentials are at least 0, for the races are at most u. *)
  Lemma pot_a_pos j : 0 <= pot_a j.
  Proof. unfold pot_a, u. pose proof (q_nonneg j). lra. Qed.

  Lemma pot_b_pos x r j : 0 <= pot_b x r j.
  Proof.
    unfold pot_b. pose proof (lead_bounds r j). pose proof (q_nonneg r). destruct x; lra.
  Qed.

  Lemma pot_c_pos x I j : 0 <= pot_c x I j.
  Proof.
    unfold pot_c. pose proof (hit_bounds I j). pose proof (q_nonneg I). destruct x; lra.
  Qed.

  (* The least of them is one of them. *)
  Lemma pot_cases d :
    pot d == a_of d \/
    pot d == b_of d \/
    (pot d == c_of d /\ flying d = true).
  Proof.
    unfold pot. destruct (Q.min_spec (a_of d) (Qmin (b_of d) (if flying d then c_of d else a_of d)))
      as [[H1 E1]|[H1 E1]]; rewrite E1; [left; reflexivity|].
    destruct (Q.min_spec (b_of d) (if flying d then c_of d else a_of d)) as [[H2 E2]|[H2 E2]];
      rewrite E2 in *.
    - right. left. reflexivity.
    - destruct (flying d); [right; right; split; reflexivity | left; reflexivity].
  Qed.

  Lemma value_pos o : 0 <= value o.
  Proof.
    destruct o as [d|]; cbn [value]; [|lra].
    destruct (pot_cases d) as [E|[E|[E _]]]; rewrite E;
      [apply pot_a_pos|apply pot_b_pos|apply pot_c_pos].
  Qed.

  (* The least potential is at most each one that applies. *)
  Lemma value_le_a o j : (forall d, o = Some d -> clock2 d = j) -> value o <= pot_a j.
  Proof.
    intros H. destruct o as [d|]; cbn [value]; [|apply pot_a_pos].
    rewrite <- (H d eq_refl). apply Q.le_min_l.
  Qed.

  Lemma value_le_b o x r j :
    (forall d, o = Some d -> shielded d = x /\ clock1 d = r /\ clock2 d = j) ->
    value o <= pot_b x r j.
  Proof.
    intros H. destruct o as [d|]; cbn [value]; [|apply pot_b_pos].
    destruct (H d eq_refl) as (<- & <- & <-). eapply Qle_trans; [apply Q.le_min_r|apply Q.le_min_l].
  Qed.

  Lemma value_le_c o x I j :
    (forall d, o = Some d -> flying d = true) ->
    (forall d, o = Some d -> shielded d = x /\ clock1 d = (I + m1 - 1)%nat /\ clock2 d = j) ->
    value o <= pot_c x I j.
  Proof.
    intros Hf H. destruct o as [d|]; cbn [value]; [|apply pot_c_pos].
    destruct (H d eq_refl) as (<- & E & <-). unfold pot. rewrite (Hf d eq_refl).
    replace I with (moves_left d) by (unfold moves_left; lia).
    eapply Qle_trans; [apply Q.le_min_r|apply Q.le_min_r].
  Qed.

  (* At least 2u if u_q is shielded, or if no live bullet is on its way. *)
  Lemma pot_half d : shielded d = true \/ flying d = false -> 2 * u <= pot d.
  Proof.
    intros H. pose proof (lead_bounds (clock1 d) (clock2 d)).
    pose proof (hit_bounds (moves_left d) (clock2 d)). pose proof (q_nonneg (clock1 d)).
    pose proof (q_nonneg (clock2 d)). pose proof (q_nonneg (moves_left d)).
    destruct (pot_cases d) as [->|[->|[-> Hf]]].
    - unfold a_of, pot_a, u. lra.
    - unfold b_of, pot_b. destruct (shielded d); lra.
    - destruct H as [H|H]; [|congruence]. unfold c_of, pot_c. rewrite H. lra.
  Qed.

  (* At most 4u = 10 m1 + 8 m2, for waiting for u_q is never worse. *)
  Lemma value_bound o : (forall d, o = Some d -> proper d) -> value o <= 10 * q m1 + 8 * q m2.
  Proof.
    intros H. destruct o as [d|]; [|cbn [value]; lra]. destruct (H d eq_refl) as (_ & Hj & _).
    pose proof (value_le_a (Some d) (clock2 d)) as Hle.
    assert (Hq : q (clock2 d) <= 2 * q m2) by qlia. unfold pot_a, u in Hle.
    eapply Qle_trans; [apply Hle; congruence|lra].
  Qed.

  (* ---- How they fall ------------------------------------------------------------------------- *)

  Context (r j : nat) (x fl : bool).
  Notation d := (Duel r j x fl).
  Context (Hr : (r <= 2 * m1 - 1)%nat) (Hj : (j <= 2 * m2 - 1)%nat)
          (Hfl : fl = true -> (m1 <= r <= 2 * m1 - 2)%nat)
          (next : Z -> option duel)
          (Hnext : forall i, In i (arcs n) -> follows d i (next i)).

  Notation L := (Z.of_nat n).
  Notation M := (Z.of_nat m1).
  Notation t1 := (Z.of_nat (tick m1 r)).
  Notation t2 := (Z.of_nat m1 + Z.of_nat (tick m2 j))%Z.

  (* Only the arcs that matter have to be looked at. *)
  Lemma fall few v :
    v == pot d -> NoDup few -> incl few (arcs n) ->
    (forall i, In i (arcs n) -> ~ In i few -> value (next i) <= v) ->
    qsum (fun i => value (next i) - v) few <= - (1) ->
    qsum (fun i => value (next i)) (arcs n) + 1 <= q n * pot d.
  Proof.
    intros Hv Hnd Hincl Hrest Hfew.
    pose proof (qsum_few (fun i => value (next i)) v n few Hnd Hincl Hrest) as H. cbv beta in H.
    rewrite <- Hv. lra.
  Qed.

  (* The clocks and the shield after arc i, by cases that lia decides. *)
  Ltac decide_all :=
    repeat match goal with
    | |- context [(?a <=? ?b)%Z] => destruct (Z.leb_spec a b); try (exfalso; lia)
    | |- context [(?a =? ?b)%nat] => destruct (Nat.eqb_spec a b); try (exfalso; lia)
    | |- context [(?a =? ?b)%Z] => destruct (Z.eqb_spec a b); try (exfalso; lia)
    end; try reflexivity; try lia.


  (* The second clock. *)
  Lemma next_clock2 i d' :
    (0 <= i < L)%Z -> next i = Some d' ->
    clock2 d' = if (j =? 0)%nat
                then if (i =? M)%Z then (2 * m2 - 2)%nat
                     else if (i =? M - 1)%Z then (2 * m2 - 1)%nat else 0%nat
                else if (i =? t2)%Z then (j - 1)%nat else j.
  Proof.
    intros Hi E. rewrite (f_clock2 _ _ _ (Hnext i (proj2 (in_arcs n i) Hi)) d' E).
    unfold clock_next, from_q. cbn [clock2].
    destruct (Nat.eqb_spec j 0); [|pose proof (tick_bound m2 j ltac:(lia))]; decide_all.
  Qed.

  Lemma next_clock1 i d' :
    (0 <= i < L)%Z -> next i = Some d' -> clock1 d' = clock_next L m1 r i.
  Proof. intros Hi E. exact (f_clock1 _ _ _ (Hnext i (proj2 (in_arcs n i) Hi)) d' E). Qed.

  Lemma next_shield i d' : (0 <= i < L)%Z -> next i = Some d' -> shielded d' = shield_next d i.
  Proof. intros Hi E. exact (f_shield _ _ _ (Hnext i (proj2 (in_arcs n i) Hi)) d' E). Qed.

  (* Arcs that change nothing. *)
  Lemma clock1_rests i d' :
    (0 <= i < L)%Z -> next i = Some d' ->
    (r = 0%nat -> i <> 0 /\ i <> L - 1)%Z -> ((0 < r)%nat -> i <> t1) -> clock1 d' = r.
  Proof. intros Hi E H0 H1. rewrite (next_clock1 i d' Hi E). unfold clock_next. decide_all. Qed.

  Lemma clock2_rests i d' :
    (0 <= i < L)%Z -> next i = Some d' ->
    (j = 0%nat -> i <> M /\ i <> M - 1)%Z -> ((0 < j)%nat -> i <> t2) -> clock2 d' = j.
  Proof. intros Hi E H0 H1. rewrite (next_clock2 i d' Hi E). decide_all. Qed.

  Lemma shield_rests i d' :
    (0 <= i < L)%Z -> next i = Some d' -> (j = 0%nat -> i <> M /\ i <> M - 1)%Z -> shielded d' = x.
  Proof.
    intros Hi E H0. rewrite (next_shield i d' Hi E). unfold shield_next. cbn [clock2 shielded].
    decide_all.
  Qed.

  (* Solves "the fields after arc i are these". *)
  Ltac fields :=
    let d' := fresh "d'" in let E := fresh "E" in
    intros d' E;
    match type of E with next ?i = _ =>
      let Hi := fresh "Hi" in
      assert (Hi : (0 <= i < L)%Z) by lia;
      repeat apply conj;
      match goal with
      | |- shielded d' = _ => first
          [ apply (shield_rests i d' Hi E); lia
          | rewrite (next_shield i d' Hi E); unfold shield_next; cbn [clock2 shielded]; decide_all ]
      | |- clock1 d' = _ => first
          [ rewrite (clock1_rests i d' Hi E); lia
          | rewrite (next_clock1 i d' Hi E); unfold clock_next; decide_all ]
      | |- clock2 d' = _ => first
          [ rewrite (clock2_rests i d' Hi E); lia
          | rewrite (next_clock2 i d' Hi E); decide_all ]
      end
    end.

  Lemma arc_in i : (0 <= i < L)%Z -> In i (arcs n).
  Proof. apply in_arcs. Qed.

  Ltac few_arcs := first
    [ repeat constructor; cbn [In]; lia
    | let i := fresh in let Hi := fresh in intros i Hi; cbn [In] in Hi; apply in_arcs; lia ].

  Ltac others bound :=
    let i := fresh "i" in let Hi := fresh "Hi" in let Hno := fresh "Hno" in
    intros i Hi Hno; apply in_arcs in Hi; cbn [In] in Hno;
    apply bound; fields.

  (* u_q fires live. *)
  Lemma next_live :
    j = 0%nat -> value (next M) <= pot_b true r (2 * m2 - 2).
  Proof.
    intros Hj0. destruct (Nat.eq_dec r 0) as [Hr0|Hr0].
    - destruct (Nat.eq_dec m1 (n - 1)).
      + rewrite (f_behind _ _ _ (Hnext M ltac:(apply arc_in; lia))); [apply pot_b_pos|cbn; lia..].
      + apply value_le_b. fields.
    - pose proof (tick_bound m1 r ltac:(lia)). apply value_le_b. fields.
  Qed.

  (* u_q fires a dummy; the first clock may tick at the same time. *)
  Lemma next_dummy :
    j = 0%nat -> value (next (M - 1)%Z) <= pot_b false r (2 * m2 - 1).
  Proof.
    intros Hj0. destruct (Nat.eq_dec r m1) as [Hrm|Hrm]; [|destruct (Nat.eq_dec r 0) as [Hr0|Hr0]].
    - apply Qle_trans with (pot_b false (r - 1) (2 * m2 - 1)).
      + pose proof (tick_last m1 r ltac:(lia) Hrm). apply value_le_b. fields.
      + pose proof (lead_mono r (r - 1) (2 * m2 - 1) (2 * m2 - 1) ltac:(lia) ltac:(lia)).
        assert (q (r - 1) <= q r) by qlia. unfold pot_b. lra.
    - destruct (Nat.eq_dec m1 1).
      + rewrite (f_next_door _ _ _ (Hnext (M - 1)%Z ltac:(apply arc_in; lia)));
          [apply pot_b_pos|cbn; lia..|right; cbn; lia].
      + apply value_le_b. fields.
    - pose proof (tick_inner m1 r ltac:(lia) Hrm). apply value_le_b. fields.
  Qed.

  (* u_q's coin, tossed while waiting for u_p: what is lost if it shows live is won if it shows
     dummy. *)
  Lemma coin : pot_b true r (2 * m2 - 2) + pot_b false r (2 * m2 - 1) <= 6 * u + 2 * q r + q m1.
  Proof.
    pose proof (lead_mono r r (2 * m2 - 2) (2 * m2 - 1) ltac:(lia) ltac:(lia)). unfold pot_b. lra.
  Qed.

  (* Waiting for u_q, its clock ticks. *)
  Lemma fall_a : pot_a j == pot d -> qsum (fun i => value (next i)) (arcs n) + 1 <= q n * pot d.
  Proof.
    intros Hv. destruct (Nat.eq_dec j 0) as [Hj0|Hj0].
    - apply (fall [M; M - 1]%Z _ Hv); [few_arcs..|others value_le_a|].
      cbn [qsum]. pose proof (next_live Hj0). pose proof (next_dummy Hj0). pose proof coin.
      assert (q r + 1 <= 2 * q m1) by qlia. unfold pot_a, u in *. pose proof (q_nonneg j). lra.
    - pose proof (tick_bound m2 j ltac:(lia)).
      apply (fall [t2]%Z _ Hv); [few_arcs..|others value_le_a|].
      assert (Ht : value (next t2) <= pot_a (j - 1)) by (apply value_le_a; fields).
      assert (q (j - 1) + 1 == q j) by qlia. cbn [qsum]. unfold pot_a in *. lra.
  Qed.

  (* Waiting for u_p, its clock ticks: race and clock both fall. *)
  Lemma fall_b_ticks :
    (0 < r)%nat -> pot_b x r j == pot d ->
    qsum (fun i => value (next i)) (arcs n) + 1 <= q n * pot d.
  Proof.
    intros Hr0 Hv. pose proof (tick_bound m1 r ltac:(lia)) as Ht1.
    assert (Hq : q (r - 1) + 1 == q r) by qlia.
    destruct (Nat.eq_dec j 0) as [Hj0|Hj0].
    - pose proof (next_live Hj0) as Hlive.
      assert (Hb : pot_b x r j == 3 * u + q r + (1 # 2) * q m1)
        by (unfold pot_b; rewrite Hj0, lead_lost; destruct x; lra).
      destruct (Nat.eq_dec r m1) as [Hrm|Hrm].
      + pose proof (tick_last m1 r ltac:(lia) Hrm).
        apply (fall [M - 1; M]%Z _ Hv); [few_arcs..|others value_le_b|].
        assert (Hdummy : value (next (M - 1)%Z) <= pot_b false (r - 1) (2 * m2 - 1))
          by (apply value_le_b; fields).
        pose proof (lead_mono r (r - 1) (2 * m2 - 2) (2 * m2 - 1) ltac:(lia) ltac:(lia)).
        cbn [qsum]. rewrite Hb. unfold pot_b in Hlive, Hdummy. lra.
      + pose proof (tick_inner m1 r ltac:(lia) Hrm).
        apply (fall [t1; M - 1; M]%Z _ Hv); [few_arcs..|others value_le_b|].
        assert (Ht : value (next t1) <= pot_b x (r - 1) j) by (apply value_le_b; fields).
        unfold pot_b in Ht. rewrite Hj0, lead_lost in Ht. pose proof (next_dummy Hj0).
        pose proof coin.
        cbn [qsum]. rewrite Hb. destruct x; lra.
    - pose proof (tick_bound m2 j ltac:(lia)).
      apply (fall [t1; t2]%Z _ Hv); [few_arcs..|others value_le_b|].
      assert (H1 : value (next t1) <= pot_b x (r - 1) j) by (apply value_le_b; fields).
      assert (H2 : value (next t2) <= pot_b x r (j - 1)) by (apply value_le_b; fields).
      pose proof (race_step at_signal r j ltac:(lia) ltac:(lia)) as Hrace.
      cbn [qsum]. unfold pot_b, lead in *. destruct x; lra.
  Qed.

  (* u_p has its signal, and so has u_q. If u_p fires live the bullet flies (next door, it has
     arrived); if it fires a dummy, wait for u_q. *)
  Lemma fall_b_both :
    r = 0%nat -> j = 0%nat -> pot_b x r j == pot d ->
    qsum (fun i => value (next i)) (arcs n) + 1 <= q n * pot d.
  Proof.
    intros Hr0 Hj0 Hv.
    assert (Hqj : q j + 1 <= 2 * q m2) by qlia.
    assert (Hq1 : q (m1 - 1) + 1 == q m1) by qlia.
    assert (Hqr : q r == 0) by (rewrite Hr0; reflexivity).
    pose proof (next_live Hj0) as Hlive. pose proof (next_dummy Hj0) as Hdummy.
    pose proof coin as Hcoin.
    assert (Hqj0 : q j == 0) by (rewrite Hj0; reflexivity).
    assert (Hb : pot_b x r j == 3 * u + (1 # 2) * q m1)
      by (unfold pot_b; rewrite Hj0, lead_lost; destruct x; lra).
    assert (Hwait : (n - 1)%nat <> m1 -> value (next (L - 1)%Z) <= pot_a j)
      by (intros Hnm; apply value_le_a; fields).
    assert (Hdead : (n - 1)%nat = m1 -> value (next M) == 0).
    { intros Hnm.
      rewrite (f_behind _ _ _ (Hnext M ltac:(apply arc_in; lia))); [reflexivity|cbn; lia..]. }
    destruct (Nat.eq_dec m1 1) as [H1|H1].
    + assert (Hkill : value (next 0%Z) == 0).
      { rewrite (f_next_door _ _ _ (Hnext 0%Z ltac:(apply arc_in; lia)));
          [reflexivity|assumption..|reflexivity|now right]. }
      assert (Hlive' : value (next M) <= 4 * u + (1 # 2) * q m1).
      { pose proof (lead_bounds r (2 * m2 - 2)). unfold pot_b in Hlive. lra. }
      destruct (Nat.eq_dec (n - 1) m1) as [Hnm|Hnm].
      * specialize (Hdead Hnm). apply (fall [0; M]%Z _ Hv); [few_arcs..|others value_le_b|].
        cbn [qsum]. rewrite Hb. unfold u. lra.
      * specialize (Hwait Hnm).
        apply (fall [0; L - 1; M]%Z _ Hv); [few_arcs..|others value_le_b|].
        cbn [qsum]. rewrite Hb. unfold pot_a, u in *. lra.
    + assert (Hstart : value (next 0%Z) <= 2 * u + q m1 - 1).
      { assert (Hc : pot_c x (m1 - 1) j == 2 * u + q m1 - 1).
        { unfold pot_c, hit. rewrite Hj0, race_lost by lia. destruct x; lra. }
        rewrite <- Hc. apply value_le_c; [|fields]. intros d' E.
        apply (f_starts _ _ _ (Hnext 0%Z ltac:(apply arc_in; lia)) d' E Hr0); [lia|reflexivity]. }
      destruct (Nat.eq_dec (n - 1) m1) as [Hnm|Hnm].
      * specialize (Hdead Hnm).
        apply (fall [0; M - 1; M]%Z _ Hv); [few_arcs..|others value_le_b|].
        pose proof (lead_bounds r (2 * m2 - 1)). unfold pot_b in Hdummy.
        cbn [qsum]. rewrite Hb. unfold u in *. lra.
      * specialize (Hwait Hnm).
        apply (fall [0; L - 1; M - 1; M]%Z _ Hv); [few_arcs..|others value_le_b|].
        cbn [qsum]. rewrite Hb. unfold pot_a, u in *. lra.
  Qed.

  (* u_p has its signal alone: its bullet races u_q's clock. *)
  Lemma fall_b_alone :
    r = 0%nat -> j <> 0%nat -> pot_b x r j == pot d ->
    qsum (fun i => value (next i)) (arcs n) + 1 <= q n * pot d.
  Proof.
    intros Hr0 Hj0 Hv.
    assert (Hqj : q j + 1 <= 2 * q m2) by qlia.
    assert (Hq1 : q (m1 - 1) + 1 == q m1) by qlia.
    assert (Hqr : q r == 0) by (rewrite Hr0; reflexivity).
    pose proof (tick_bound m2 j ltac:(lia)) as Ht2.
    assert (Hlead : lead r j = at_signal j) by (rewrite Hr0; reflexivity).
    assert (Hstart : value (next 0%Z) <= pot_c x (m1 - 1) j).
    { destruct (Nat.eq_dec m1 1) as [H1|H1].
      - destruct (Bool.bool_dec x true) as [Hx|Hx].
        + apply Qle_trans with (pot_a j); [apply value_le_a; fields|].
          unfold pot_a, pot_c, hit. rewrite Hx. replace (m1 - 1)%nat with 0%nat in * by lia.
          cbn [race].
          change (q 0) with 0 in *. lra.
        + rewrite (f_next_door _ _ _ (Hnext 0%Z ltac:(apply arc_in; lia)));
            [apply pot_c_pos|assumption..|reflexivity|left; now destruct x].
      - apply value_le_c; [|fields]. intros d' E.
        apply (f_starts _ _ _ (Hnext 0%Z ltac:(apply arc_in; lia)) d' E Hr0); [lia|reflexivity]. }
    assert (Hsig : at_signal j == if ((j =? m2) && (m1 + m2 =? n))%nat then hit (m1 - 1) j
                                  else (2 * hit (m1 - 1) j + at_signal (j - 1)) / 3).
    { destruct j as [|j']; [lia|]. cbn [Nat.sub at_signal]. rewrite Nat.sub_0_r. reflexivity. }
    assert (Hlast : (L - 1)%Z = t2 <-> ((j =? m2) && (m1 + m2 =? n))%nat = true).
    { rewrite andb_true_iff, !Nat.eqb_eq. destruct (Nat.eq_dec j m2) as [Ej|Ej].
      - rewrite (tick_last m2 j ltac:(lia) Ej). lia.
      - pose proof (tick_inner m2 j ltac:(lia) Ej). lia. }
    destruct (Z.eq_dec (L - 1) t2) as [Et|Et].
    + assert (Hwait : value (next (L - 1)%Z) <= pot_a (j - 1)) by (apply value_le_a; fields).
      assert (Hq2 : q (j - 1) + 1 == q j) by qlia.
      rewrite (proj1 Hlast Et) in Hsig.
      apply (fall [0; L - 1]%Z _ Hv); [few_arcs..|others value_le_b|].
      cbn [qsum]. unfold pot_a, pot_b, pot_c in *. rewrite Hlead. destruct x; lra.
    + assert (Hwait : value (next (L - 1)%Z) <= pot_a j) by (apply value_le_a; fields).
      assert (H2 : value (next t2) <= pot_b x r (j - 1)) by (apply value_le_b; fields).
      assert (Hlead' : lead r (j - 1) = at_signal (j - 1)) by (rewrite Hr0; reflexivity).
      assert (Hsig3 : 3 * at_signal j == 2 * hit (m1 - 1) j + at_signal (j - 1)).
      { rewrite Hsig.
        destruct ((j =? m2) && (m1 + m2 =? n))%nat; [now destruct Et; apply Hlast|]. field. }
      apply (fall [0; L - 1; t2]%Z _ Hv); [few_arcs..|others value_le_b|].
      cbn [qsum]. unfold pot_a, pot_b, pot_c in *. rewrite Hlead, Hlead' in *. destruct x; lra.
  Qed.

  Lemma fall_b_fires :
    r = 0%nat -> pot_b x r j == pot d -> qsum (fun i => value (next i)) (arcs n) + 1 <= q n * pot d.
  Proof.
    intros Hr0 Hv. destruct (Nat.eq_dec j 0); [now apply fall_b_both|now apply fall_b_alone].
  Qed.

  (* A live bullet flies: it kills if u_q is unshielded when it arrives. *)
  Lemma fall_c :
    fl = true -> pot_c x (r + 1 - m1) j == pot d ->
    qsum (fun i => value (next i)) (arcs n) + 1 <= q n * pot d.
  Proof.
    intros Hf Hv. pose proof (Hfl Hf) as Hfr. pose proof (tick_bound m1 r ltac:(lia)) as Ht1.
    assert (Hflies : forall i d', (0 <= i < L)%Z -> next i = Some d' -> i <> (M - 1)%Z \/ r <> m1 ->
                     flying d' = true).
    { intros i d' Hi E. exact (f_flies _ _ _ (Hnext i (arc_in i Hi)) d' E Hf). }
    assert (Harrives : r = m1 -> x = false \/ j = 0%nat -> value (next (M - 1)%Z) = 0).
    { intros Hrm Ho. rewrite (f_arrives _ _ _ (Hnext (M - 1)%Z ltac:(apply arc_in; lia)));
        [reflexivity|assumption..|reflexivity|assumption]. }
    set (I := (r + 1 - m1)%nat) in *.
    assert (HI : (r = I + m1 - 1 /\ 0 < I)%nat) by lia.
    assert (Hq : q (I - 1) + 1 == q I) by qlia.
    pose proof (q_nonneg (I - 1)) as HqI.
    assert (Hrests : forall i, (0 <= i < L)%Z -> i <> t1 -> (i <> M - 1 \/ r <> m1)%Z ->
              (j = 0%nat -> i <> M /\ i <> M - 1)%Z -> ((0 < j)%nat -> i <> t2) ->
              value (next i) <= pot_c x I j).
    { intros i Hi H1 H2 H3 H4. apply value_le_c; [intros d' E; now apply (Hflies i d')|].
      intros d' E. repeat split; [now apply (shield_rests i)| |now apply (clock2_rests i)].
      rewrite (clock1_rests i d' Hi E); [lia..|auto]. }
    destruct (Nat.eq_dec j 0) as [Hj0|Hj0].
    - assert (Hc : pot_c x I j == 2 * u + q I).
      { unfold pot_c, hit. rewrite Hj0, race_lost by lia. destruct x; lra. }
      assert (Hlive : value (next M) <= pot_c true I (2 * m2 - 2)).
      { apply value_le_c; [|fields]. intros d' E. apply (Hflies M d'); [lia|exact E|lia]. }
      pose proof (hit_bounds I (2 * m2 - 2)) as Hh.
      destruct (Nat.eq_dec r m1) as [Hrm|Hrm].
      + pose proof (tick_last m1 r ltac:(lia) Hrm).
        apply (fall [M - 1; M]%Z _ Hv); [few_arcs..| |].
        * intros i Hi Hno. apply in_arcs in Hi. cbn [In] in Hno. apply Hrests; lia.
        * cbn [qsum]. rewrite (Harrives Hrm (or_intror Hj0)), Hc. unfold pot_c, u in *. lra.
      + pose proof (tick_inner m1 r ltac:(lia) Hrm).
        apply (fall [t1; M - 1; M]%Z _ Hv); [few_arcs..| |].
        * intros i Hi Hno. apply in_arcs in Hi. cbn [In] in Hno. apply Hrests; lia.
        * assert (Ht : value (next t1) <= pot_c x (I - 1) j).
          { apply value_le_c; [|fields]. intros d' E. apply (Hflies t1 d'); [lia|exact E|lia]. }
          assert (Hdummy : value (next (M - 1)%Z) <= pot_c false I (2 * m2 - 1)).
          { apply value_le_c; [|fields]. intros d' E.
            apply (Hflies (M - 1)%Z d'); [lia|exact E|lia]. }
          unfold pot_c, hit in Ht. rewrite Hj0, race_lost in Ht by lia.
          pose proof (hit_mono I (2 * m2 - 2) (2 * m2 - 1) ltac:(lia)).
          cbn [qsum]. rewrite Hc. unfold pot_c in *. destruct x; lra.
    - pose proof (tick_bound m2 j ltac:(lia)).
      assert (Ht : value (next t1) <= pot_c x (I - 1) j).
      { destruct (Nat.eq_dec r m1) as [Hrm|Hrm].
        - replace t1 with (M - 1)%Z by (rewrite (tick_last m1 r ltac:(lia) Hrm); lia).
          destruct (Bool.bool_dec x true) as [Hx|Hx].
          + apply Qle_trans with (pot_a j); [apply value_le_a; fields|].
            replace (I - 1)%nat with 0%nat by lia. assert (q j <= 2 * q m2) by qlia.
            unfold pot_a, pot_c, hit. rewrite Hx. cbn [race]. change (q 0) with 0. lra.
          + rewrite (Harrives Hrm) by (left; now destruct x). apply pot_c_pos.
        - pose proof (tick_inner m1 r ltac:(lia) Hrm).
          apply value_le_c; [|fields]. intros d' E. apply (Hflies t1 d'); [lia|exact E|lia]. }
      assert (Ht2 : value (next t2) <= pot_c x I (j - 1)).
      { apply value_le_c; [|fields]. intros d' E. apply (Hflies t2 d'); [lia|exact E|lia]. }
      apply (fall [t1; t2]%Z _ Hv); [few_arcs..| |].
      + intros i Hi Hno. apply in_arcs in Hi. cbn [In] in Hno. apply Hrests; try lia.
        destruct (Nat.eq_dec r m1) as [Hrm|Hrm]; [|lia].
        pose proof (tick_last m1 r ltac:(lia) Hrm). lia.
      + pose proof (race_step (fun _ => u) I j ltac:(lia) ltac:(lia)).
        cbn [qsum]. unfold pot_c, hit in *. destruct x; lra.
  Qed.

  (* Lemma 12, the arithmetic: the least potential falls by 1/n on average. *)
  Lemma duel_falls : qsum (fun i => value (next i)) (arcs n) + 1 <= q n * pot d.
  Proof.
    destruct (pot_cases d) as [E|[E|[E Hf]]]; symmetry in E.
    - exact (fall_a E).
    - destruct (Nat.eq_dec r 0) as [Hr0|Hr0]; [now apply fall_b_fires|].
      apply fall_b_ticks; [lia|exact E].
    - exact (fall_c Hf E).
  Qed.
End Duel.
