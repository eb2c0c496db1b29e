(* SPDX-License-Identifier: MIT

   The gap between two neighbouring leaders, and its clock.

   In a quiet configuration a gap goes round like this. Its left leader fires; the bullet moves
   to the right leader and disappears; then a signal moves to the left leader, which fires anew.
   The clock says how many moves are left until then. Each is made by one arc, and no other arc
   changes the clock. *)

From Coq Require Import List Bool Arith ZArith Lia.
From Ringleader Require Import Model Step Sets Bullets Peace Safe Quiet Duel.
Import ListNotations.
Open Scope nat_scope.

(* ---- The clock ------------------------------------------------------------------------------- *)

Section Clock.
  (* The bullets and signals of the agents of the gap, counted from its left leader. *)
  Context (b : nat -> bullet_kind) (g : nat -> bool) (m : nat).

  Definition bulletless (k : nat) : Prop := forall y, y < k -> b y = Nothing.
  Definition signalless (k : nat) : Prop := forall y, y < k -> g y = false.

  (* 2m - 1 - x if the leftmost bullet is at x, or else the place of the leftmost signal. *)
  Definition Clock (r : nat) : Prop :=
    (exists x, x < m /\ b x <> Nothing /\ bulletless x /\ r = 2 * m - 1 - x) \/
    (bulletless m /\ r <= m /\ (r < m -> g r = true) /\ signalless r).

  Definition clock_of : nat :=
    match find (fun x => is_bullet (b x)) (seq 0 m) with
    | Some x => 2 * m - 1 - x
    | None => match find g (seq 0 m) with Some y => y | None => m end
    end.

  (* The first bullet, or else the first signal, is found. *)
  Lemma clock_of_spec : Clock clock_of.
  Proof.
    unfold clock_of. destruct (find (fun x => is_bullet (b x)) (seq 0 m)) as [x|] eqn:E.
    - apply find_least in E as (Hx & Hb & Hf). left. exists x.
      apply is_bullet_spec in Hb. repeat split; try assumption.
      intros y Hy. apply no_bullet_spec. auto.
    - right. rewrite find_nothing in E.
      split; [intros y Hy; apply no_bullet_spec; auto|].
      destruct (find g (seq 0 m)) as [y|] eqn:Eg.
      + apply find_least in Eg as (Hy & Hg & Hf). repeat split; [lia|auto|exact Hf].
      + rewrite find_nothing in Eg. repeat split; [lia|lia|exact Eg].
  Qed.

  (* There is only one leftmost bullet, and one leftmost signal. *)
  Lemma clock_unique r r' : Clock r -> Clock r' -> r = r'.
  Proof.
    intros [(x & Hx & Hb & Hn & ->)|(Hn & Hr & Hg & Hs)]
           [(x' & Hx' & Hb' & Hn' & ->)|(Hn' & Hr' & Hg' & Hs')].
    - destruct (Nat.lt_trichotomy x x') as [H|[->|H]]; [|reflexivity|];
        exfalso; [apply Hb, Hn' | apply Hb', Hn]; exact H.
    - exfalso. apply Hb, Hn', Hx.
    - exfalso. apply Hb', Hn, Hx'.
    - destruct (Nat.lt_trichotomy r r') as [H|[->|H]]; [|reflexivity|]; exfalso.
      + specialize (Hs' r H). specialize (Hg ltac:(lia)). congruence.
      + specialize (Hs r' H). specialize (Hg' ltac:(lia)). congruence.
  Qed.

  Lemma clock_bound r : 0 < m -> Clock r -> r <= 2 * m - 1.
  Proof. intros Hm [(x & Hx & _ & _ & ->)|(_ & Hr & _)]; lia. Qed.

  (* The clock is at 0 just if the leader has its signal, and then there is no bullet. *)
  Lemma clock_zero : 0 < m -> Clock 0 <-> bulletless m /\ g 0 = true.
  Proof.
    intros Hm. split.
    - intros [(x & Hx & _ & _ & E)|(Hn & _ & Hg & _)]; [lia|]. auto.
    - intros [Hn Hg]. right. repeat split; [assumption|lia|auto|]. intros y Hy. lia.
  Qed.

  (* The only bullet of the gap is live, at x, and has left the leader. *)
  Definition Flying (x : nat) : Prop :=
    0 < x < m /\ b x = Live /\ forall y, y < m -> y <> x -> b y = Nothing.

  Definition flying_of : bool :=
    existsb (fun x => is_live (b x) &&
                      forallb (fun y => (y =? x) || negb (is_bullet (b y))) (seq 0 m))
            (seq 1 (m - 1)).

  Lemma flying_of_spec : flying_of = true <-> exists x, Flying x.
  Proof.
    unfold flying_of. rewrite existsb_exists. unfold Flying. split.
    - intros (x & Hx & H). apply in_seq in Hx. apply andb_true_iff in H as [Hl Hf].
      apply is_live_spec in Hl. rewrite forallb_forall in Hf. exists x.
      repeat split; [lia|lia|assumption|].
      intros y Hy Hne. specialize (Hf y ltac:(apply in_seq; lia)).
      apply Nat.eqb_neq in Hne. rewrite Hne in Hf. now apply no_bullet_spec, negb_true_iff.
    - intros (x & Hx & Hl & Hf). exists x. split; [apply in_seq; lia|].
      apply andb_true_iff. split; [now apply is_live_spec|]. apply forallb_forall. intros y Hy.
      apply in_seq in Hy. destruct (Nat.eqb_spec y x) as [|Hne]; [reflexivity|].
      now rewrite Hf by lia.
  Qed.

  (* The bullet in flight is the leftmost one. *)
  Lemma flying_clock x : Flying x -> Clock (2 * m - 1 - x).
  Proof.
    intros (Hx & Hl & Hf). left. exists x. repeat split; [lia|congruence|]. intros y Hy.
    apply Hf; lia.
  Qed.
End Clock.

(* ---- What an arc does to a gap --------------------------------------------------------------- *)

Section Tick.
  (* n arcs in all; arc k is counted from the left leader, arc n-1 is the one before it. Before:
     b, g. After: b', g'. *)
  Context (n m k : nat) (Hn : 2 <= n) (Hm : 0 < m <= n) (Hk : k < n)
          (b b' : nat -> bullet_kind) (g g' : nat -> bool).

  (* The bullet that arc k sends to the right. *)
  Definition shot : bullet_kind := if (k =? 0) && g 0 then Live else b k.

  Record arc_done : Prop := {
    left_bullet : k < m -> b' k = Nothing;
    left_signal : S k < m -> g' k = (negb (k =? 0) && g k) || (negb (is_bullet shot) && g (S k));
    last_signal : S k = m -> g' k = true;
    right_bullet : S k < m -> b' (S k) = if is_bullet (b (S k)) then b (S k) else shot;
    right_signal : S k < m -> g' (S k) = negb (is_bullet shot) && g (S k);
    dummy_bullet : k = n - 1 -> b' 0 = if g 0 then Dummy else b 0;
    dummy_signal : k = n - 1 -> g' 0 = false;
    elsewhere : forall x, x < m -> x <> k -> x <> S k -> ~ (x = 0 /\ k = n - 1) ->
                b' x = b x /\ g' x = g x
  }.

  Context (H : arc_done)
          (Hquiet : forall x y, x < m -> y <= x -> b x <> Nothing -> g y = false).

  (* Without a signal at the leader, an agent that is not at arc k stays as it is. *)
  Lemma rest y :
    y < m -> y <> k -> y <> S k -> g 0 = false \/ k <> n - 1 ->
    b' y = b y /\ (g y = false -> g' y = false).
  Proof.
    intros Hy H1 H2 Hg. destruct (Nat.eq_dec y 0) as [->|H3], (Nat.eq_dec k (n - 1)) as [H4|H4].
    1: rewrite (dummy_bullet H H4), (dummy_signal H H4); destruct Hg as [->|]; [now split|lia].
    all: destruct (elsewhere H _ Hy H1 H2 ltac:(lia)) as [-> ->]; now split.
  Qed.

  (* What there is not at y does not come by the arc, if it is not sent there. *)
  Lemma stays_bulletless x :
    x <= m -> bulletless b x -> shot = Nothing \/ x <= S k -> g 0 = false \/ k <> n - 1 ->
    bulletless b' x.
  Proof.
    intros Hx Hb Hs Hg y Hy. specialize (Hb y Hy).
    destruct (Nat.eq_dec y k) as [->|H1]; [apply H; lia|].
    destruct (Nat.eq_dec y (S k)) as [->|H2].
    - rewrite (right_bullet H), Hb by lia. cbn. destruct Hs; [assumption|lia].
    - now rewrite (proj1 (rest y ltac:(lia) H1 H2 Hg)).
  Qed.

  (* Nor does a signal come, if it is not the one at the right end. *)
  Lemma stays_signalless x : x <= m -> signalless g x -> x <> S k -> signalless g' x.
  Proof.
    intros Hx Hg Hne y Hy. specialize (Hg y Hy) as Hgy.
    destruct (Nat.eq_dec y k) as [->|H1].
    { rewrite (left_signal H), Hgy, (Hg (S k)), !andb_false_r by lia. reflexivity. }
    destruct (Nat.eq_dec y (S k)) as [->|H2].
    { rewrite (right_signal H), Hgy by lia. apply andb_false_r. }
    apply (rest y); [lia|assumption..| |assumption]. left. apply Hg. lia.
  Qed.

  (* The arc at the leftmost bullet moves it; no other arc changes it. *)
  Lemma bullet_ticks x :
    x < m -> b x <> Nothing -> bulletless b x ->
    Clock b' g' m (clock_next (Z.of_nat n) m (2 * m - 1 - x) (Z.of_nat k)).
  Proof.
    intros Hx Hb Hn0.
    assert (Hg0 : g 0 = false) by (apply (Hquiet x); lia || assumption).
    assert (Hgx : signalless g (S x)) by (intros y Hy; apply (Hquiet x); lia || assumption).
    assert (Hshot : shot = b k) by (unfold shot; now rewrite Hg0, andb_false_r).
    assert (E : clock_next (Z.of_nat n) m (2 * m - 1 - x) (Z.of_nat k) =
                if k =? x then 2 * m - 1 - S x else 2 * m - 1 - x).
    { unfold clock_next, tick. destruct (Nat.eqb_spec (2 * m - 1 - x) 0); [lia|].
      destruct (Nat.leb_spec m (2 * m - 1 - x)); [|lia].
      destruct (Nat.eqb_spec k x);
      match goal with |- context [(?p =? ?q)%Z] => destruct (Z.eqb_spec p q) end; lia. }
    rewrite E. destruct (Nat.eqb_spec k x) as [Ekx|Hne].
    + subst x. destruct (Nat.eq_dec (S k) m) as [Em|Em].
      * right. split; [|split; [lia|split]].
        -- rewrite <- Em. intros y Hy. destruct (Nat.eq_dec y k) as [->|Hyx]; [apply H; lia|].
           apply (stays_bulletless k); [lia|assumption|right; lia|now left|lia].
        -- intros _. replace (2 * m - 1 - S k) with k by lia. now apply (last_signal H).
        -- replace (2 * m - 1 - S k) with k by lia. apply stays_signalless; [lia| |lia].
           intros y Hy. apply Hgx. lia.
      * left. exists (S k). repeat split; [lia| |].
        -- rewrite (right_bullet H) by lia. destruct (is_bullet (b (S k))) eqn:Eb.
           ++ now apply is_bullet_spec.
           ++ congruence.
        -- intros y Hy. destruct (Nat.eq_dec y k) as [->|Hyx]; [apply H; lia|].
           apply (stays_bulletless k); [lia|assumption|right; lia|now left|lia].
    + left. exists x. repeat split; [lia| |].
      * destruct (Nat.eq_dec x (S k)) as [->|H2].
        -- rewrite (right_bullet H) by lia. now rewrite (proj2 (is_bullet_spec _) Hb).
        -- rewrite (proj1 (rest x ltac:(lia) ltac:(lia) H2 (or_introl Hg0))). assumption.
      * apply stays_bulletless; [lia|assumption| |now left].
        destruct (Nat.lt_ge_cases (S k) x); [left; rewrite Hshot; apply Hn0; lia|right; lia].
  Qed.

  (* If the leader has its signal and there is no bullet, its two arcs fire one. *)
  Lemma leader_ticks :
    bulletless b m -> g 0 = true ->
    Clock b' g' m (clock_next (Z.of_nat n) m 0 (Z.of_nat k)).
  Proof.
    intros Hn0 Hg.
    unfold clock_next. cbn [Nat.eqb].
    destruct (Z.eqb_spec (Z.of_nat k) 0) as [Ek|Ek].
    * assert (k = 0) as Hk0 by lia.
      assert (Hshot : shot = Live) by (unfold shot; now rewrite Hk0, Hg).
      destruct (Nat.eq_dec m 1) as [Em|Em].
      -- replace (2 * m - 2) with 0 by lia. right. split; [|split; [lia|split]].
         ++ intros y Hy. replace y with k by lia. apply H. lia.
         ++ intros _. replace 0 with k by lia. apply (last_signal H). lia.
         ++ intros y Hy. lia.
      -- left. exists 1. split; [lia|]. split; [|split; [|lia]].
         ++ rewrite <- Hk0 at 1. rewrite (right_bullet H), Hn0, Hshot by lia. discriminate.
         ++ intros y Hy. replace y with k by lia. apply H. lia.
    * destruct (Z.eqb_spec (Z.of_nat k) (Z.of_nat n - 1)) as [Ek'|Ek'].
      -- left. exists 0. split; [lia|]. split; [|split; [|lia]].
         ++ rewrite (dummy_bullet H) by lia. rewrite Hg. discriminate.
         ++ intros y Hy. lia.
      -- right. split; [|split; [lia|split]].
         ++ apply stays_bulletless; [lia|assumption| |right; lia].
            destruct (Nat.lt_ge_cases k m); [left|right; lia].
            unfold shot. destruct (Nat.eqb_spec k 0); [lia|]. apply Hn0. assumption.
         ++ intros _.
            rewrite (proj2 (elsewhere H 0 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia))).
            assumption.
         ++ intros y Hy. lia.
  Qed.

  (* Without a bullet, the arc before the leftmost signal moves that. *)
  Lemma signal_ticks r :
    0 < r <= m -> bulletless b m -> (r < m -> g r = true) -> signalless g r ->
    Clock b' g' m (clock_next (Z.of_nat n) m r (Z.of_nat k)).
  Proof.
    intros Hr Hn0 Hg Hs.
    assert (Hg0 : g 0 = false) by (apply Hs; lia).
    assert (Hb' : bulletless b' m).
    { apply stays_bulletless; [lia|assumption| |now left].
      destruct (Nat.lt_ge_cases k m); [left|right; lia].
      unfold shot. rewrite Hg0, andb_false_r. now apply Hn0. }
    assert (E : clock_next (Z.of_nat n) m r (Z.of_nat k) = if k =? r - 1 then r - 1 else r).
    { unfold clock_next, tick. destruct (Nat.eqb_spec r 0); [lia|].
      destruct (Nat.leb_spec m r), (Nat.eqb_spec k (r - 1));
      match goal with |- context [(?p =? ?q)%Z] => destruct (Z.eqb_spec p q) end; lia. }
    rewrite E. right. split; [assumption|].
    destruct (Nat.eqb_spec k (r - 1)) as [Ek|Ek].
    * split; [lia|]. split.
      -- intros _. rewrite <- Ek.
         destruct (Nat.eq_dec (S k) m) as [Em|Em]; [now apply (last_signal H)|].
         rewrite (left_signal H) by lia. replace (S k) with r by lia. rewrite Hg by lia.
         unfold shot. rewrite Hg0, andb_false_r, (Hn0 k) by lia. apply orb_true_r.
      -- apply stays_signalless; [lia| |lia]. intros y Hy. apply Hs. lia.
    * split; [lia|]. split.
      -- intros Hrm. specialize (Hg Hrm). destruct (Nat.eq_dec r k) as [->|H1].
         ++ destruct (Nat.eq_dec (S k) m) as [Em|Em]; [now apply (last_signal H)|].
            rewrite (left_signal H), Hg by lia. destruct (Nat.eqb_spec k 0); [lia|reflexivity].
         ++ rewrite (proj2 (elsewhere H r Hrm H1 ltac:(lia) ltac:(lia))). assumption.
      -- apply stays_signalless; [lia|assumption|lia].
  Qed.

  (* The clock ticks by one arc, or strikes. *)
  Lemma clock_ticks r : Clock b g m r -> Clock b' g' m (clock_next (Z.of_nat n) m r (Z.of_nat k)).
  Proof.
    intros [(x & Hx & Hb & Hn0 & ->)|(Hn0 & Hr & Hg & Hs)]; [now apply bullet_ticks|].
    destruct (Nat.eq_dec r 0) as [->|Hr0]; [apply leader_ticks; [assumption|apply Hg; lia]|].
    apply signal_ticks; (assumption || lia).
  Qed.

  (* A live bullet in flight flies on, until it arrives. *)
  Lemma flying_on x : Flying b m x -> S k < m \/ k <> x -> exists x', Flying b' m x'.
  Proof.
    intros (Hx & Hl & Hf) Hkx.
    assert (Hg0 : g 0 = false) by (apply (Hquiet x); [lia|lia|congruence]).
    assert (Hshot : shot = b k) by (unfold shot; now rewrite Hg0, andb_false_r).
    destruct (Nat.eq_dec k x) as [Ekx|Hne].
    - subst x. exists (S k). split; [lia|]. split.
      + rewrite (right_bullet H), Hf by lia. cbn. congruence.
      + intros y Hy Hyx. destruct (Nat.eq_dec y k) as [->|H1]; [apply H; lia|].
        rewrite (proj1 (rest y Hy ltac:(lia) ltac:(lia) (or_introl Hg0))). apply Hf; lia.
    - exists x. split; [lia|]. split.
      + destruct (Nat.eq_dec x (S k)) as [->|H2].
        * rewrite (right_bullet H), Hl by lia. reflexivity.
        * rewrite (proj1 (elsewhere H x ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia))). assumption.
      + intros y Hy Hyx. destruct (Nat.eq_dec y k) as [->|H1]; [apply H; lia|].
        destruct (Nat.eq_dec y (S k)) as [->|H2].
        * rewrite (right_bullet H), (Hf (S k)), Hshot by lia. cbn. apply Hf; lia.
        * rewrite (proj1 (rest y Hy ltac:(lia) ltac:(lia) (or_introl Hg0))). apply Hf; lia.
  Qed.

  (* A live bullet takes off. *)
  Lemma flying_starts : Clock b g m 0 -> k = 0 -> 2 <= m -> exists x', Flying b' m x'.
  Proof.
    intros Hc Hk0 Hm2. apply clock_zero in Hc as [Hn0 Hg]; [|lia].
    assert (Hshot : shot = Live) by (unfold shot; now rewrite Hk0, Hg).
    exists 1. split; [lia|]. split.
    - replace 1 with (S k) by lia. rewrite (right_bullet H), Hn0, Hshot by lia. reflexivity.
    - intros y Hy Hyx. destruct (Nat.eq_dec y k) as [->|H1]; [apply H; lia|].
      rewrite (proj1 (elsewhere H y ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia))). now apply Hn0.
  Qed.
End Tick.
