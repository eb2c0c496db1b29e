(* SPDX-License-Identifier: MIT

   What the model does, as lines of text: the half of the tie that prints them from the extraction
   of Model.v. tie.c prints the same lines from prl.c, and says what they are. *)

open Model

let rec nat k = if k = 0 then O else S (nat (k - 1))
let rec int_of_nat = function O -> 0 | S k -> 1 + int_of_nat k

let rec positive k =
  if k = 1 then XH else if k mod 2 = 0 then XO (positive (k / 2)) else XI (positive (k / 2))

let integer k = if k = 0 then Z0 else Zpos (positive k)

(* The numbering of states by the C: dist runs fastest, then leader, bullet, shield, signal. *)
let state_at bound index =
  let rest = index / (bound + 1) in
  { leader = rest mod 2 = 1;
    bullet = [| Nothing; Dummy; Live |].(rest / 2 mod 3);
    shield = rest / 6 mod 2 = 1;
    signal = rest / 12 mod 2 = 1;
    dist = nat (index mod (bound + 1)) }

let text a =
  string_of_int (int_of_nat a.dist)
  ^ (if a.leader then "L" else "")
  ^ (match a.bullet with Nothing -> "" | Dummy -> "b" | Live -> "B")
  ^ (if a.shield then "s" else "")
  ^ if a.signal then "!" else ""

let bit b = if b then " 1" else " 0"

let print_ring bound ring =
  print_string (String.concat " " (List.map text ring));
  print_string (":" ^ bit (c_PB ring) ^ bit (c_NI bound ring) ^ bit (s_RL bound ring) ^ "\n")

let print_pairs () =
  for bound = 2 to 8 do
    let states = 24 * (bound + 1) in
    for i = 0 to (states * states) - 1 do
      let l = state_at bound (i / states) and r = state_at bound (i mod states) in
      let l', r' = interact (nat bound) l r in
      Printf.printf "%d: %s %s -> %s %s\n" bound (text l) (text r) (text l') (text r')
    done
  done

let rec power base k = if k = 0 then 1 else base * power base (k - 1)

let print_sets_of n bound =
  let states = 24 * (bound + 1) in
  let all = Array.init states (state_at bound) and limit = nat bound in
  let rec ring number k =
    if k = 0 then [] else all.(number mod states) :: ring (number / states) (k - 1)
  in
  for number = 0 to power states n - 1 do
    print_ring limit (ring number n)
  done

let drawn = ref 1

let draw_below limit =
  drawn := ((!drawn * 1103515245) + 12345) mod 2147483648;
  !drawn / 65536 mod limit

(* A ring in C_NI, most with one variable of one agent drawn anew, as tie.c draws it. *)
let print_near_of n bound =
  let limit = nat bound in
  for _ = 1 to 1000 do
    let from_leader = ref 0 in
    let draw i =
      let leader = draw_below 6 = 0 || i = 0 in
      from_leader := if leader then 0 else !from_leader + 1;
      let shield = if leader then true else draw_below 2 = 1 in
      let bullet = [| Nothing; Dummy; Live |].(draw_below 4 mod 3) in
      { leader; bullet; shield; signal = false; dist = nat (draw_below (!from_leader + 1)) }
    in
    let agents = Array.make n (draw 0) in
    for i = 1 to n - 1 do
      agents.(i) <- draw i
    done;
    let change = draw_below 8 in
    let i = draw_below n in
    let drawn_dist = nat (draw_below (bound + 1)) and u = agents.(i) in
    agents.(i) <-
      (match change with
      | 0 -> { u with leader = not u.leader }
      | 1 -> { u with shield = not u.shield }
      | 2 -> { u with signal = not u.signal }
      | 3 -> { u with bullet = Live }
      | 4 | 5 -> { u with dist = drawn_dist }
      | _ -> u);
    let shift = draw_below n in
    print_ring limit (List.init n (fun i -> agents.((i + n - shift) mod n)))
  done

let print_samples_of n bound =
  let limit = nat bound in
  for _ = 1 to 3 do
    let rec draw k =
      if k = 0 then []
      else
        let a = state_at bound (draw_below (24 * (bound + 1))) in
        a :: draw (k - 1)
    in
    let ring = ref (draw n) in
    for _ = 1 to 6 * n * bound do
      ring := ring_step no_agent (interact limit) !ring (integer (draw_below n));
      print_ring limit !ring
    done
  done

let () =
  match Sys.argv with
  | [| _; "pairs" |] -> print_pairs ()
  | [| _; "sets" |] ->
      List.iter (fun (n, bound) -> print_sets_of n bound) [ (2, 2); (2, 3); (2, 4); (3, 3) ]
  | [| _; "near" |] ->
      for n = 4 to 12 do
        print_near_of n n;
        print_near_of n (n + 3)
      done
  | [| _; "samples" |] ->
      List.iter (fun (n, bound) -> print_samples_of n bound) [ (4, 4); (5, 7); (8, 8); (12, 20) ]
  | _ -> prerr_endline "usage: tie pairs|sets|near|samples"; exit 2
