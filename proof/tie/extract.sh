#!/bin/sh
# The other half: the model in DIRECTORY, extracted and compiled. PROGRAM prints all parts but
# "large", PROGRAM-large that one.
# usage: extract.sh DIRECTORY PROGRAM
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "$2")
cp "$here"/Extract*.v "$here"/tie*.ml "$1"
cd "$1"
{
    [ -f Model.vo ] || coqc -q -Q . Ringleader Model.v
    coqc -q -Q . Ringleader Extract.v
    coqc -q -Q . Ringleader Extract_large.v
    ocamlopt model.mli model.ml tie.ml -o "$program"
    ocamlopt model_large.mli model_large.ml tie_large.ml -o "$program-large"
} >extract.log 2>&1 || {
    cat extract.log >&2
    exit 1
}
