#!/bin/sh
# The shared library exports what the public headers declare, no less and no more: symbols.sh LIBRARY.
# Each header is C and C++ by itself. A header without RL_BEGIN, and a symbol that slips out, are
# noticed: the test tries.
set -eu
library=$(realpath "$1")
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

for header in include/ringleader.h include/ringleader/*.h; do
    [ "$header" != include/ringleader/agent.h ] || continue # the form of a protocol's file
    echo "#include \"${header#include/}\"" >"$scratch/alone.c"
    cc -std=gnu11 -Wall -Wextra -Werror -Iinclude -fsyntax-only "$scratch/alone.c"
    c++ -std=c++11 -Wall -Wextra -Werror -Iinclude -fsyntax-only -x c++ "$scratch/alone.c"
done

# The functions that a header declares, as the compiler sees them.
declared() {
    gcc -std=gnu11 -Iinclude -fsyntax-only -aux-info "$scratch/info" -x c "$1"
    sed -nE '/ringleader|all\.h/ { /\*\/ static /d; s/^[^(]*[ *](rl_[a-z0-9_]+) \(.*/\1/p }' "$scratch/info" |
        sort -u
}
exported() {
    nm -D --defined-only "$1" | awk '$2 ~ /[TDBRVW]/ { print $3 }' | sort
}
echo '#include "ringleader.h"' >"$scratch/all.h"
declared "$scratch/all.h" >"$scratch/declared"
exported "$library" >"$scratch/exported"
diff "$scratch/declared" "$scratch/exported" || {
    echo "< declared and not exported, > exported and not declared"
    exit 1
}

# The comparison can fail: a function that is nowhere declared, and one that is nowhere defined.
printf '%s\n' '__attribute__((visibility("default"))) int rl_slip(void);' 'int rl_slip(void) { return 0; }' >"$scratch/slip.c"
cc -shared -fPIC "$scratch/slip.c" -o "$scratch/slip.so"
exported "$scratch/slip.so" | grep -qx rl_slip
echo 'int rl_missing(void);' >>"$scratch/all.h"
declared "$scratch/all.h" | grep -qx rl_missing
echo "$(wc -l <"$scratch/exported") symbols, each in a header"
