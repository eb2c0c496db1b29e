(* SPDX-License-Identifier: MIT

   What is proved about: population protocols on a directed ring, the uniformly random scheduler,
   and protocol P_RL.

   This is the file to read with the paper beside it (Yokota, Sudo, Masuzawa, "Time-Optimal
   Self-Stabilizing Leader Election on Rings in Population Protocols"). It has definitions only,
   each as the paper prints it, and every one of them computes. The other files prove things
   about them. The first half is about any protocol, and all that the lower bound speaks of; the
   second is about P_RL.

   A property that can be decided is a function to bool; read [P = true] as "P holds". *)

From Coq Require Import List Bool Arith ZArith.
Import ListNotations.

(* ---- The ring (section 2), for any protocol -------------------------------------------------- *)

(* A state that stands for u_i where there are no agents. Nothing depends on which one it is. *)
Class Inhabited (state : Type) := nobody : state.

(* 0, 1, ..., n-1: the agents, and the arcs e_i = (u_i, u_{i+1}). *)
Definition arcs (n : nat) : list Z := map Z.of_nat (seq 0 n).

Section Ring.
  (* Any set of states, any transition function, any output: true is L, false is F. *)
  Context {state : Type} {any : Inhabited state}
          (transition : state -> state -> state * state) (output : state -> bool).

  (* A configuration is the list of the states of u_0 .. u_{n-1}; this is n. *)
  Definition size (c : list state) : Z := Z.of_nat (length c).

  (* u_i. Agents are numbered by integers modulo n. *)
  Definition agent_at (c : list state) (i : Z) : state := nth (Z.to_nat (i mod size c)) c nobody.

  (* C' such that C -> C' by arc e_i: u_i and u_{i+1} interact, all others stay as they are. *)
  Definition ring_step (c : list state) (i : Z) : list state :=
    let (l, r) := transition (agent_at c i) (agent_at c (i + 1)) in
    map (fun j => if (j =? i mod size c)%Z then l
                  else if (j =? (i + 1) mod size c)%Z then r
                  else agent_at c j)
        (arcs (length c)).

  (* The execution from c along a sequence of arcs. *)
  Definition ring_run (c : list state) (schedule : list Z) : list state :=
    fold_left ring_step schedule c.

  Definition ring_reachable (c c' : list state) : Prop :=
    exists schedule, c' = ring_run c schedule.

  Definition ring_leaders (c : list state) : nat := length (filter output c).

  (* Definition 1: one leader, and no output ever changes. *)
  Definition ring_safe (c : list state) : Prop :=
    ring_leaders c = 1 /\
    forall c', ring_reachable c c' -> forall i, output (agent_at c' i) = output (agent_at c i).
End Ring.

Notation "c @ i" := (agent_at c i) (at level 30, right associativity).

(* ---- The uniformly random scheduler, as counting --------------------------------------------- *)

(* All arc sequences of length k, n^k of them, are equally likely. *)
Fixpoint schedules (n k : nat) : list (list Z) :=
  match k with
  | 0 => [[]]
  | S k => flat_map (fun i => map (cons i) (schedules n k)) (arcs n)
  end.

(* The process may be any: X is its set of states (here configurations), next x i is what becomes of
   x by arc i. *)
Section Process.
  Context {X : Type} (n : nat) (next : X -> Z -> X) (target : X -> bool).

  (* The number of steps until the target is hit; the length of the schedule if it is not. *)
  Fixpoint steps_to (x : X) (schedule : list Z) : nat :=
    match schedule with
    | [] => 0
    | i :: rest => if target x then 0 else 1 + steps_to (next x i) rest
    end.

  (* No configuration of the execution is in the target, from the first to the last. *)
  Fixpoint misses (x : X) (schedule : list Z) : bool :=
    negb (target x) && match schedule with [] => true | i :: rest => misses (next x i) rest end.

  Definition sum (f : Z -> nat) : nat := list_sum (map f (arcs n)).

  (* n^k E[min(T, k)], where T is the first step at which the process from x is in the target: the
     sum of steps_to over all schedules of length k (Expect.v proves that it is). So if

       expect k x <= B * n^k for every k, then E[T] <= B. *)
  Fixpoint expect (k : nat) (x : X) : nat :=
    match k with
    | 0 => 0
    | S k => if target x then 0 else n ^ (1 + k) + sum (fun i => expect k (next x i))
    end.
End Process.

(* "The expected number of steps from c to the target is at most B." *)
Definition expected_at_most {state} {_ : Inhabited state}
    (transition : state -> state -> state * state) (target : list state -> bool)
    (c : list state) (B : nat) : Prop :=
  forall k, expect (length c) (ring_step transition) target k c <= B * length c ^ k.

(* "It is at least a / b": every bound x / y that holds is at least a / b. *)
Definition expected_at_least {state} {_ : Inhabited state}
    (transition : state -> state -> state * state) (target : list state -> bool)
    (c : list state) (a b : nat) : Prop :=
  forall x y, 0 < y ->
    (forall k, expect (length c) (ring_step transition) target k c * y <= x * length c ^ k) ->
    a * y <= x * b.

(* ---- The agents of P_RL ---------------------------------------------------------------------- *)

(* The variable bullet: 0 (none), 1 (dummy), 2 (live). *)
Inductive bullet_kind := Nothing | Dummy | Live.

(* The variables of an agent. dist is 0 .. N. An agent outputs L if leader is true, else F. *)
Record agent := Agent {
  leader : bool;
  bullet : bullet_kind;
  shield : bool;
  signal : bool;
  dist : nat
}.

Definition set_leader (x : bool) (a : agent) := Agent x (bullet a) (shield a) (signal a) (dist a).
Definition set_bullet (x : bullet_kind) (a : agent) :=
  Agent (leader a) x (shield a) (signal a) (dist a).
Definition set_shield (x : bool) (a : agent) := Agent (leader a) (bullet a) x (signal a) (dist a).
Definition set_signal (x : bool) (a : agent) := Agent (leader a) (bullet a) (shield a) x (dist a).
Definition set_dist (x : nat) (a : agent) := Agent (leader a) (bullet a) (shield a) (signal a) x.

Definition is_live (b : bullet_kind) : bool := match b with Live => true | _ => false end.
Definition is_bullet (b : bullet_kind) : bool := match b with Nothing => false | _ => true end.

(* ---- Algorithm 1 ----------------------------------------------------------------------------- *)

(* The interaction of initiator l and responder r, assignment by assignment. The numbers on the
   right are the paper's lines. *)
Definition interact (N : nat) (l r : agent) : agent * agent :=
  let l := if leader l then set_dist 0 l else l in                                       (*  1 *)
  let r := if leader r then set_dist 0 r                                                 (*  2 *)
           else if negb (is_bullet (bullet r)) then set_dist (Nat.min (dist l + 1) N) r
           else r in
  let r := if dist r =? N                                                                (*  3 *)
           then set_dist 0 (set_signal false (set_shield true                            (*  4 *)
                  (set_bullet Live (set_leader true r))))
           else r in                                                                     (*  5 *)
  let l := if leader l && signal l                                                       (*  6 *)
           then set_signal false (set_shield true (set_bullet Live l))                   (*  7 *)
           else l in                                                                     (*  8 *)
  let r := if leader r && signal r                                                       (*  9 *)
           then set_signal false (set_shield false (set_bullet Dummy r))                 (* 10 *)
           else r in                                                                     (* 11 *)
  let (l, r) :=
    if is_bullet (bullet l) && leader r then                                             (* 12 *)
      let r := if is_live (bullet l) && negb (shield r)                                  (* 13 *)
               then set_leader false r else r in
      (set_bullet Nothing l, r)                                                          (* 14 *)
    else if is_bullet (bullet l) && negb (leader r) then                                 (* 15 *)
      let r := if is_bullet (bullet r) then r else set_bullet (bullet l) r in            (* 16 *)
      (set_bullet Nothing l, set_signal false r)                                         (* 17 *)
    else (l, r) in                                                                       (* 18 *)
  (set_signal (signal l || signal r || leader r) l, r).                                  (* 19 *)

(* ---- The ring of P_RL ------------------------------------------------------------------------ *)

Definition config := list agent.

#[global] Instance no_agent : Inhabited agent := Agent false Nothing false false 0.

Notation step N := (ring_step (interact N)).
Notation run N := (ring_run (interact N)).
Notation reachable N := (ring_reachable (interact N)).
Notation leaders := (ring_leaders leader).
Notation safe N := (ring_safe (interact N) leader).
Notation expected_steps_at_most N := (expected_at_most (interact N)).
Notation expected_steps_at_least N := (expected_at_least (interact N)).

(* All configurations of all rings that the protocol is for: 2 <= n <= N, and dist is 0 .. N. *)
Definition valid (N : nat) (c : config) : Prop :=
  2 <= length c <= N /\ Forall (fun a => dist a <= N) c.

Definition closed (N : nat) (set : config -> bool) : Prop :=
  forall c c', valid N c -> set c = true -> reachable N c c' -> set c' = true.

(* ---- The paper's predicates and sets (section 4.1) ------------------------------------------- *)

(* d_L(i) = min { j >= 0 | u_{i-j}.leader = 1 }; None is infinity, where there is no leader. *)
Definition d_L (c : config) (i : Z) : option nat :=
  find (fun j => leader (c @ (i - Z.of_nat j))) (seq 0 (length c)).

(* d_R(i) = min { j >= 0 | u_{i+j}.leader = 1 } *)
Definition d_R (c : config) (i : Z) : option nat :=
  find (fun j => leader (c @ (i + Z.of_nat j))) (seq 0 (length c)).

(* For all j = 0, 1, ..., d. *)
Definition for_all_to (d : nat) (P : nat -> bool) : bool := forallb P (seq 0 (d + 1)).

Definition peaceful (c : config) (i : Z) : bool :=
  match d_L c i with
  | Some d => shield (c @ (i - Z.of_nat d))
              && for_all_to d (fun j => negb (signal (c @ (i - Z.of_nat j))))
  | None => false
  end.

Definition modest (c : config) (i : Z) : bool :=
  peaceful c i &&
  match d_L c i with
  | Some d => for_all_to d (fun j =>
                match d_L c (i - Z.of_nat j) with
                | Some d' => dist (c @ (i - Z.of_nat j)) <=? d'
                | None => true
                end)
  | None => false
  end.

Definition secure (N : nat) (c : config) (i : Z) : bool :=
  if leader (c @ i) then dist (c @ i) =? 0
  else match d_R c i with
       | Some d => dist (c @ i) + d <=? N
       | None => false
       end.

(* For all agents u_i. *)
Definition for_all_agents (c : config) (P : Z -> bool) : bool := forallb P (arcs (length c)).

Definition C_PB (c : config) : bool :=
  existsb leader c &&
  for_all_agents c (fun j => implb (is_live (bullet (c @ j))) (peaceful c j)).

Definition C_NI (N : nat) (c : config) : bool :=
  C_PB c &&
  for_all_agents c (fun i => secure N c i) &&
  for_all_agents c (fun j => implb (is_live (bullet (c @ j))) (modest c j)).

Definition S_RL (N : nat) (c : config) : bool := C_NI N c && (leaders c =? 1).

(* ---- Bullets (section 3.2) ------------------------------------------------------------------- *)

(* The bullet at u_i disappears at arc e_i, for u_{i+1} is a leader, has a bullet, or becomes a
   leader. (dist as it is after line 1.) Otherwise it moves to u_{i+1}. *)
Definition disappears (N : nat) (c : config) (i : Z) : bool :=
  leader (c @ (i + 1)) || is_bullet (bullet (c @ (i + 1)))
  || (N - 1 <=? if leader (c @ i) then 0 else dist (c @ i)).

(* How often the bullet at u_i moves until it disappears or the schedule ends. *)
Fixpoint moves (N : nat) (c : config) (i : Z) (schedule : list Z) : nat :=
  match schedule with
  | [] => 0
  | j :: rest =>
      if (j mod size c =? i mod size c)%Z
      then if disappears N c i then 0 else 1 + moves N (step N c j) (i + 1) rest
      else moves N (step N c j) i rest
  end.
