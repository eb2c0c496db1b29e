#!/bin/sh
# The layers hold: layers.sh BUILD-DIRECTORY.
#
#     core <- base <- protocols <- device <- simulate <- own <- verify <- study <- draw <- report <- net <- cli | web
#
# Arrows point left only: a file includes headers of its own layer and of layers to the left of it.
# (cli and web do not know each other, nor do the rooms of verify: enumerate, every_n, explore.) A public
# header belongs to the layer of what it declares (below). core, protocols and device are freestanding:
# they include only the compiler's own headers and assert.h, compile without any other, and call
# nothing of the C library. Only cli prints, exits or reads the environment. At the end the test breaks each rule in a copy and sees that it is told.
set -eu
build=$(realpath "${1:-build}")
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

layers="core base protocols device simulate own verify study draw report net cli web"
freestanding="assert.h limits.h float.h stdalign.h stdarg.h stdbool.h stddef.h stdint.h stdnoreturn.h"

# place LAYER: its place from the left, or nothing.
place() {
    number=0
    for layer in $layers; do
        number=$((number + 1))
        [ "$layer" != "$1" ] || echo "$number"
    done
}

# layer_of_header NAME: of a header as it is included.
layer_of_header() {
    case $1 in
    ringleader.h) echo report ;; # it includes the whole library
    protocol_list.h | ringleader/agent.h) echo protocols ;;
    version.h) echo core ;;
    presets.h) echo study ;;
    command_list.h) echo cli ;;
    ringleader/status.h | ringleader/protocol.h | ringleader/ring.h | ringleader/experiment.h) echo core ;;
    ringleader/device.h | ringleader/frame.h) echo device ;;
    ringleader/run.h) echo simulate ;;
    ringleader/own.h) echo own ;;
    ringleader/verify.h | ringleader/explore.h | ringleader/prove.h) echo verify ;;
    ringleader/study.h) echo study ;;
    ringleader/picture.h) echo draw ;;
    ringleader/report.h) echo report ;;
    */*) echo "${1%%/*}" ;;
    esac
}

# layer_of_file PATH
layer_of_file() {
    case $1 in
    include/ringleader.h) echo report ;;
    include/*) layer_of_header "${1#include/}" ;;
    web/*) echo web ;;
    src/*) echo "$1" | cut -d / -f 2 ;;
    esac
}

complain() {
    echo "$1"
    echo x >>"$scratch/complaints"
}

check_includes() {
    file=$1
    layer=$(layer_of_file "$file")
    from=$(place "$layer")
    [ -n "$from" ] || { complain "$file: belongs to no layer"; return; }
    sed -nE 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*([<"][^>"]+)[>"].*/\1/p' "$file" \
        >"$scratch/includes"
    while read -r included; do
        name=${included#?}
        case $included in
        '<'*)
            case $layer in core | protocols | device) ;; *) continue ;; esac
            case " $freestanding " in *" $name "*) ;; *)
                complain "$file: <$name> is not freestanding" ;;
            esac
            ;;
        *)
            other=$(layer_of_header "$name")
            to=$(place "$other")
            if [ -z "$to" ]; then
                complain "$file: \"$name\" belongs to no layer"
            elif [ "$to" -gt "$from" ] || [ "$layer $other" = "web cli" ]; then
                complain "$file: $layer must not include \"$name\" of $other"
            fi
            case $name in verify/*/*) case $file in "src/${name%/*}"/* | tests/*) ;; *)
                complain "$file: \"$name\" is of another room" ;;
            esac ;; esac
            ;;
        esac
    done <"$scratch/includes"
}

# Code without comments and strings. Nothing but cli may name these.
check_silence() {
    gcc -fpreprocessed -dD -E -P -w -x c "$1" | sed -E 's/"([^"\\]|\\.)*"//g' >"$scratch/code"
    names='v?printf|puts|putchar|perror|exit|_Exit|abort|getenv|secure_getenv|system'
    grep -nE "\b($names)[[:space:]]*\(|\b(stdin|stdout|stderr)\b" "$scratch/code" \
        >"$scratch/found" || return 0
    complain "$1: only cli prints, exits or reads the environment: $(head -n 1 "$scratch/found")"
}

# compile SOURCE [OPTION...]: without an operating system's headers, and calling nothing of libc
# but what every compiler expects of a freestanding program.
check_freestanding() {
    source=$1
    shift
    if ! gcc -std=gnu11 -O1 -ffreestanding -nostdinc -isystem "$(gcc -print-file-name=include)" \
        -isystem "$scratch/assert" -Iinclude -Isrc -I"$build" -Wall -Werror "$@" \
        -c "$source" -o "$scratch/object.o"; then
        complain "$source: does not compile freestanding"
        return
    fi
    nm -u "$scratch/object.o" | awk '{ print $2 }' |
        grep -vE '^(rl_|memcpy$|memset$|memmove$|memcmp$|assertion_failed$|_GLOBAL_OFFSET_TABLE_$|__stack_chk_fail$)' \
            >"$scratch/called" || return 0
    complain "$source: calls $(tr '\n' ' ' <"$scratch/called")"
}

check_file() {
    check_includes "$1"
    case $1 in src/cli/*) ;; *) check_silence "$1" ;; esac
    case $1 in
    src/core/*.c | src/device/*.c | src/protocols/registry.c | src/protocols/rulebook.c)
        check_freestanding "$1" ;;
    src/protocols/*.c) # with its declaration, which makes something of all that is static in it
        printf '#include "%s"\n#include "protocols/declare.h"\n%s\n' "${1#src/}" \
            'const struct rl_protocol *const rl_x = &DECLARED;' >"$scratch/declared.c"
        check_freestanding "$scratch/declared.c"
        ;;
    esac
}

mkdir "$scratch/assert"
echo 'void assertion_failed(void);' >"$scratch/assert/assert.h"
echo '#define assert(x) ((x) ? (void)0 : assertion_failed())' >>"$scratch/assert/assert.h"
: >"$scratch/complaints"
for file in $(find include src web -name '*.[ch]' -not -path '*/node_modules/*' 2>/dev/null); do
    check_file "$file"
done
[ ! -s "$scratch/complaints" ]

# plant FILE TEXT: a file with a violation in it must be refused.
cp -R include src "$scratch"
plant() {
    mkdir -p "$scratch/$(dirname "$1")"
    [ ! -f "$1" ] || cp "$1" "$scratch/$1"
    printf '%s\n' "$2" >>"$scratch/$1"
    (cd "$scratch" && check_file "$1") >"$scratch/told" 2>&1
    [ ! -f "$1" ] || cp "$1" "$scratch/$1"
    grep -q "^$1: " "$scratch/told" || { echo "not noticed: '$2' in $1"; exit 1; }
}
plant src/core/ring.c '#include "simulate/specialise.h"'
plant src/core/ring.c '#include "ringleader/run.h"'
plant src/simulate/run.c '#include "cli/cli.h"'
plant src/simulate/run.c '#include "ringleader.h"'
plant src/verify/enumerate/closed.c '#include "study/plan.h"'
plant src/verify/explore/explore.c '#include "verify/enumerate/words.h"'
plant src/report/page.c '#include "cli/cli.h"'
plant web/shim.c '#include "cli/cli.h"'
plant src/core/text.c '#include <stdio.h>'
plant src/core/text.c 'void *malloc(__SIZE_TYPE__); void *rl_x(void); void *rl_x(void) { return malloc(1); }'
plant src/device/link.c '#include "ringleader/run.h"'
plant src/device/link.c '#include <string.h>'
plant src/simulate/batch.c 'void rl_x(void) { exit(1); }'
plant include/ringleader/ring.h 'void *rl_x = stderr;'
echo "the layers hold, and fourteen violations of them were noticed"
