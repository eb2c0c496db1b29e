(* SPDX-License-Identifier: MIT

   The part "large" of the tie, from the extraction of Model.v in which natural numbers are the
   machine's integers (Extract_large.v). tie.c prints the same lines from prl.c. *)

open Model_large

let state_at bound kind dist =
  { leader = kind mod 2 = 1;
    bullet = [| Nothing; Dummy; Live |].(kind / 2 mod 3);
    shield = kind / 6 mod 2 = 1;
    signal = kind / 12 mod 2 = 1;
    dist = dist mod (bound + 1) }

let text a =
  string_of_int a.dist
  ^ (if a.leader then "L" else "")
  ^ (match a.bullet with Nothing -> "" | Dummy -> "b" | Live -> "B")
  ^ (if a.shield then "s" else "")
  ^ if a.signal then "!" else ""

let print_pair bound l r =
  let l', r' = interact bound l r in
  Printf.printf "%d: %s %s -> %s %s\n" bound (text l) (text r) (text l') (text r')

let drawn = ref 1

let draw_below limit =
  drawn := ((!drawn * 1103515245) + 12345) mod 2147483648;
  !drawn / 65536 mod limit

let kinds = 24

let print_all_dists bound =
  for dist = 0 to bound do
    for pair = 0 to (kinds * kinds) - 1 do
      let other = draw_below (bound + 1) in
      let l = state_at bound (pair / kinds) and r = state_at bound (pair mod kinds) in
      print_pair bound (l dist) (r other);
      print_pair bound (l other) (r dist)
    done
  done

let draw_dist bound =
  let way = draw_below 4 in
  let small = draw_below 4 in
  let power = draw_below 27 in
  let high = draw_below 32768 in
  let low = draw_below 32768 in
  match way with
  | 0 -> small
  | 1 -> bound - small
  | 2 -> (1 lsl power) + small - 1
  | _ -> (high * 32768) + low

let print_drawn_dists bound =
  for _ = 1 to 100000 do
    let l = draw_below kinds in
    let r = draw_below kinds in
    let l_dist = draw_dist bound in
    let r_dist = draw_dist bound in
    print_pair bound (state_at bound l l_dist) (state_at bound r r_dist)
  done

let () =
  print_all_dists 255;
  print_all_dists 256;
  print_drawn_dists 65536;
  print_drawn_dists 134217727
