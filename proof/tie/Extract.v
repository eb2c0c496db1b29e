(* SPDX-License-Identifier: MIT

   The model as OCaml, for the tie to the C. Numbers stay as Coq has them; only bool, lists, options
   and pairs become OCaml's own. *)

From Coq Require Import Extraction ExtrOcamlBasic.
From Ringleader Require Import Model.

Extraction "model.ml" interact no_agent ring_step C_PB C_NI S_RL.
