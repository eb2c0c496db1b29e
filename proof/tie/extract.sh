#!/bin/sh
# The other half: the model in DIRECTORY, extracted and compiled.
# usage: extract.sh DIRECTORY PROGRAM
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "$2")
cp "$here/Extract.v" "$here/tie.ml" "$1"
cd "$1"
[ -f Model.vo ] || coqc -q -Q . Ringleader Model.v
coqc -q -Q . Ringleader Extract.v >extract.log 2>&1 || { cat extract.log >&2; exit 1; }
ocamlopt model.mli model.ml tie.ml -o "$program" 2>>extract.log || { cat extract.log >&2; exit 1; }
