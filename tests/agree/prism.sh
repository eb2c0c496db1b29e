#!/bin/sh
# Does the exported PRISM text mean what the verifier says? Its expressions are C but for the
# spelling of three operators, so a C compiler can be their interpreter: the expected steps to each
# label, from the worst configuration, by plain sweeps, against `verify --json`.
. "$(dirname "$0")/../program.sh"
cc=${CC:-cc}

# Expressions: `=` is `==`, `&` is `&&`, `|` is `||`.
translate() {
    sed -e 's/\([^<>]\)=/\1==/g' -e 's/&/\&\&/g' -e 's/|/||/g'
}

for size in "2 2" "2 3"; do
    # shellcheck disable=SC2086 # two words
    set -- $size
    "$program" export -n "$1" -N "$2" --format prism >"$scratch/model.pm"
    {
        echo '#include <stdbool.h>'
        echo '#include <stdio.h>'
        # Each formula as a function of u0 and u1.
        sed -n '/^formula/,/;$/p' "$scratch/model.pm" | tr '\n' ' ' | sed 's/; /;\n/g' |
            while read -r _ name _ body; do
                [ -n "$name" ] || continue
                echo "static int $name(int u0, int u1) { return $(echo "$body" | translate) }"
            done
        grep '^label' "$scratch/model.pm" | while read -r _ name _ body; do
            name=$(echo "$name" | tr -d '"')
            echo "static int in_$name(int u0, int u1) { return $(echo "$body" | translate) }"
        done
        classes=$(sed -n 's/.*u0 : \[0\.\.\([0-9]*\)\];/\1/p' "$scratch/model.pm")
        cat <<C
enum { K = $classes + 1 };
static double x[K][K];
static void worst(const char *name, int (*in)(int, int))
{
    for (int a = 0; a < K; a++)
        for (int b = 0; b < K; b++)
            x[a][b] = 0;
    double most = 0;
    for (int sweep = 0; sweep < 2000; sweep++)
        for (int a = 0; a < K; a++)
            for (int b = 0; b < K; b++)
                if (!in(a, b)) {
                    x[a][b] = 1 + (x[l0(a, b)][r0(a, b)] + x[r1(a, b)][l1(a, b)]) / 2;
                    most = x[a][b] > most ? x[a][b] : most;
                }
    printf("%s %.6f\n", name, most);
}
int main(void)
{
    worst("C_PB", in_C_PB);
    worst("C_NI", in_C_NI);
    worst("S_RL", in_S_RL);
    return leaders(0, 0);
}
C
    } >"$scratch/model.c"
    "$cc" -O1 -w -o "$scratch/model" "$scratch/model.c"
    "$scratch/model" >"$scratch/theirs"
    json=$("$program" verify -n "$1" -N "$2" --only expected --json)
    for set in C_PB C_NI S_RL; do
        # Only expected_steps has `worst` right after the name of the set.
        worst=$(echo "$json" | sed "s/.*\"$set\":{\"worst\":\([0-9.]*\),.*/\1/")
        echo "$set $(printf '%.6f' "$worst")"
    done >"$scratch/ours"
    diff "$scratch/ours" "$scratch/theirs"
done
