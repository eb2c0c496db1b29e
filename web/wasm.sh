#!/bin/sh
# Compiles the library and the page's shim to WebAssembly with clang.
#   wasm.sh OUTPUT GENERATED-INCLUDES "PROTOCOL FLAGS"...
# OUTPUT.o is all of it before the last link, for `ringleader page` to link one protocol more with.
# The list of protocols, each with the flags it is compiled with, comes from
# src/protocols/meson.build by way of the arguments.
set -eu
output=$1
generated=$2
shift 2
root=$(cd "$(dirname "$0")/.." && pwd)
objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT

# compile OBJECT SOURCE [flags]. A page has one thread.
compile() {
    object=$1
    source=$2
    shift 2
    clang --target=wasm32 -ffreestanding -fno-builtin -std=gnu11 -O3 -ffp-contract=off \
        -mbulk-memory -D_Thread_local= -Wall -Wextra -Wno-missing-field-initializers -Werror \
        -isystem "$root/web/libc" -I"$root/include" -I"$root/src" -I"$root" -I"$generated" \
        "$@" -c "$source" -o "$objects/$object.o"
}

for protocol; do
    # shellcheck disable=SC2086 # the flags are meant to be split
    compile "engine-${protocol%% *}" "$root/src/simulate/specialise.c" ${protocol#* }
done
for source in "$root"/src/core/*.c "$root/src/protocols/registry.c" "$root"/web/*.c \
    "$root/web/libc/memory.c"; do
    compile "$(basename "$source" .c)" "$source"
done
for name in engine hits memory schedule specialise; do
    compile "simulate-$name" "$root/src/simulate/$name.c"
done
wasm-ld -r "$objects"/*.o -o "$output.o"
wasm-ld --no-entry --gc-sections --strip-all -z stack-size=131072 "$output.o" -o "$output"
