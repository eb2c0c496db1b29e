(* SPDX-License-Identifier: MIT

   Rings of agents and what a step does to them, whatever the protocol.

   Proofs about a step rest on [ring_step_at] and [ring_step_from], never on its definition, and
   those about a protocol on [ring_step_from], never on residues modulo n. *)

From Coq Require Import List Bool Arith ZArith Lia FinFun.
From Ringleader Require Import Model.
Import ListNotations.

(* ---- Arcs ------------------------------------------------------------------------------------ *)

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

(* All of them are different. *)
Lemma arcs_NoDup n : NoDup (arcs n).
Proof.
  apply Injective_map_NoDup; [|apply seq_NoDup]. intros a b. apply Nat2Z.inj.
Qed.

Section Ring.
  Context {state : Type} {any : Inhabited state}.
  Implicit Types c : list state.

  (* ---- Agents -------------------------------------------------------------------------------- *)

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

  (* The same with a distance added. *)
  Lemma at_mod_add c i x : c @ (i mod size c + x) = c @ (i + x).
  Proof.
    destruct c as [|a c]; [now rewrite !at_nil|]. apply at_same. apply Z.add_mod_idemp_l.
    unfold size. cbn [length]. lia.
  Qed.

  (* u_k is the k-th of the list. *)
  Lemma at_nth c k : k < length c -> c @ Z.of_nat k = nth k c nobody.
  Proof. intros Hk. unfold agent_at, size. rewrite Z.mod_small by lia. now rewrite Nat2Z.id. Qed.

  (* A ring that is given agent by agent. *)
  Lemma at_map (f : Z -> state) n i :
    (0 <= i < Z.of_nat n)%Z -> map f (arcs n) @ i = f i.
  Proof.
    intros Hi. replace i with (Z.of_nat (Z.to_nat i)) by lia.
    rewrite at_nth by (rewrite map_length, arcs_length; lia).
    rewrite (nth_indep _ nobody (f 0%Z)) by (rewrite map_length, arcs_length; lia).
    now rewrite map_nth, nth_arcs by lia.
  Qed.

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

  (* The agents of the ring in order. *)
  Lemma config_map c : c = map (agent_at c) (arcs (length c)).
  Proof.
    apply nth_ext with nobody nobody; [now rewrite map_length, arcs_length|].
    intros k Hk. rewrite <- (at_nth (map _ _)) by (rewrite map_length, arcs_length; lia).
    now rewrite at_map, at_nth by lia.
  Qed.

  (* A ring has at least two agents. *)
  Lemma size_pos c : 2 <= length c -> (2 <= size c)%Z.
  Proof. unfold size. lia. Qed.

  (* Two agents less than once round apart are different, save the first and the n-th. *)
  Lemma same_offset c p a b :
    2 <= length c ->
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

  (* ---- A step -------------------------------------------------------------------------------- *)

  Context (transition : state -> state -> state * state).
  Notation step := (ring_step transition).
  Notation left_after l r := (fst (transition l r)).
  Notation right_after l r := (snd (transition l r)).

  (* A step keeps the number of agents, and so does an execution. *)
  Lemma ring_step_length c i : length (step c i) = length c.
  Proof. unfold ring_step. destruct (transition _ _). now rewrite map_length, arcs_length. Qed.

  Lemma ring_step_size c i : size (step c i) = size c.
  Proof. unfold size. now rewrite ring_step_length. Qed.

  Lemma run_length c schedule : length (ring_run transition c schedule) = length c.
  Proof.
    revert c. induction schedule as [|i s IH]; intros c; [reflexivity|].
    cbn. unfold ring_run in IH. now rewrite IH, ring_step_length.
  Qed.

  (* An execution may go on. *)
  Lemma reachable_step c c' i :
    ring_reachable transition c c' -> ring_reachable transition c (step c' i).
  Proof.
    intros (s & ->). exists (s ++ [i]). unfold ring_run. now rewrite fold_left_app.
  Qed.

  Lemma reachable_length c c' : ring_reachable transition c c' -> length c' = length c.
  Proof. intros (s & ->). apply run_length. Qed.

  Section OneStep.
    Context (c : list state) (Hn : 2 <= length c).

    (* Arcs, too, are numbered modulo n. *)
    Lemma ring_step_same i j : (i mod size c = j mod size c)%Z -> step c i = step c j.
    Proof.
      intros E. unfold ring_step. fold (size c).
      assert (E1 : ((i + 1) mod size c = (j + 1) mod size c)%Z).
      { pose proof (size_pos c Hn). rewrite (Z.add_mod i), (Z.add_mod j), E by lia. reflexivity. }
      now rewrite E1, E, (at_same c i j E), (at_same c (i + 1) (j + 1) E1).
    Qed.

    Lemma ring_step_around i : step c (i + size c) = step c i.
    Proof.
      apply ring_step_same. pose proof (size_pos c Hn).
      rewrite <- (Z.mul_1_l (size _)) at 1. apply Z.mod_add. lia.
    Qed.

    (* The definition, with residues. *)
    Lemma ring_step_at i j :
      step c i @ j =
      if (j mod size c =? i mod size c)%Z then left_after (c @ i) (c @ (i + 1))
      else if (j mod size c =? (i + 1) mod size c)%Z then right_after (c @ i) (c @ (i + 1))
      else c @ j.
    Proof.
      pose proof (size_pos c Hn) as Hs.
      pose proof (Z.mod_pos_bound j (size c) ltac:(lia)) as Hj.
      rewrite <- (at_mod (step c i)), ring_step_size. unfold ring_step.
      destruct (transition (c @ i) (c @ (i + 1))) as [l r]. cbn [fst snd].
      rewrite at_map by exact Hj. now rewrite at_mod.
    Qed.

    (* Counted from agent p, an arc is the k-th for one k in 0 .. n-1. *)
    Lemma ring_arc_from p i :
      exists k, (0 <= k < size c)%Z /\ (i mod size c = (p + k) mod size c)%Z /\
                step c i = step c (p + k).
    Proof.
      pose proof (size_pos c Hn) as Hs. exists ((i - p) mod size c)%Z.
      assert (E : (i mod size c = (p + (i - p) mod size c) mod size c)%Z).
      { rewrite Z.add_mod_idemp_r by lia. f_equal. lia. }
      split; [apply Z.mod_pos_bound; lia|]. split; [exact E | now apply ring_step_same].
    Qed.

    (* Counted from agent p, with no residues: what the k-th arc does to the x-th agent. *)
    Lemma ring_step_from p k x :
      (0 <= k < size c)%Z -> (0 <= x < size c)%Z ->
      step c (p + k) @ (p + x) =
      if (x =? k)%Z then left_after (c @ (p + k)) (c @ (p + k + 1))
      else if (x =? k + 1)%Z || ((x =? 0)%Z && (k =? size c - 1)%Z)
      then right_after (c @ (p + k)) (c @ (p + k + 1))
      else c @ (p + x).
    Proof.
      intros Hk Hx. pose proof (size_pos c Hn) as Hs. rewrite ring_step_at.
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

  (* ---- Leaders ------------------------------------------------------------------------------- *)

  Context (output : state -> bool).

  (* Leaders, counted by their places. *)
  Lemma leaders_count c :
    ring_leaders output c = length (filter (fun i => output (c @ i)) (arcs (length c))).
  Proof.
    unfold ring_leaders. rewrite (config_map c) at 1.
    induction (arcs (length c)) as [|i l IH]; [reflexivity|].
    cbn [map filter]. destruct (output (c @ i)); cbn [length]; now rewrite IH.
  Qed.
End Ring.
