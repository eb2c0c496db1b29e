(* SPDX-License-Identifier: MIT

   Algorithm 1 as OCaml once more, with the machine's integers for natural numbers, for bounds that
   nobody would count to. *)

From Coq Require Import Arith Extraction ExtrOcamlBasic ExtrOcamlNatInt.
From Ringleader Require Import Model.

Extract Inlined Constant Nat.min => "Stdlib.min".
Extraction "model_large.ml" interact.
