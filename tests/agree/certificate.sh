#!/bin/sh
# Certificates of proofs for every n: certificate.sh PROGRAM. The program writes them and checks
# them; the independent checker beside this script agrees, also about certificates with one number or
# word changed.
. "$(dirname "$0")/../program.sh"
here=$(cd "$(dirname "$0")" && pwd)
cd "$scratch"

for protocol in fj06 prl-oracle; do
    "$program" prove -p "$protocol" --certificate "$protocol" >told
    [ "$(wc -c <"$protocol")" -lt 1000000 ] || fail "$protocol: more than a megabyte"
    "$program" prove --check "$protocol" >told || fail "$protocol: refused"
    python3 "$here/certificate.py" "$protocol" || fail "$protocol: refused by certificate.py"
done

# Whether each of them accepts a damaged certificate. A ring is shown where the program refuses what
# it could read.
ours() {
    "$program" prove --check damaged >told 2>&1 && return 0
    grep -q -e "^ringleader: damaged: .*: [-LBs* ]*$" -e "expected" -e "does not allow" \
        -e "must not be lost" -e "enumerated again" -e "reports at once" told || fail "refused without a reason: $(cat told)"
    return 1
}
theirs() {
    python3 "$here/certificate.py" damaged >/dev/null 2>&1
}

# Every twenty-ninth number after the tables, in turn one more or one less.
first=$(grep -n '^automaton' fj06 | head -n 1 | cut -d : -f 1)
refused=0 accepted=0
for change in $(seq 1 29 900); do
    awk -v first="$first" -v change="$change" 'NR < first { print; next }
        { for (i = 1; i <= NF; i++)
              if ($i ~ /^[0-9]+$/ && ++count == change) $i = count % 2 && $i > 0 ? $i - 1 : $i + 1
          print }' fj06 >damaged
    cmp -s fj06 damaged && break
    ours && a=yes || a=no
    theirs && b=yes || b=no
    [ "$a" = "$b" ] || fail "change $change: the program says $a, certificate.py $b: $(cat told)"
    [ "$a" = yes ] && accepted=$((accepted + 1)) || refused=$((refused + 1))
done
[ "$refused" -gt 10 ] || fail "only $refused refused"

# Words of the head, and a move for another. That the first move may be "left" as well as "right", or
# "arc", is so: each of its rings needs one interaction only, which is a sweep both ways.
while IFS='|' read -r wanted change; do
    sed "$change" fj06 >damaged
    ! cmp -s fj06 damaged || fail "$change changes nothing"
    ours && a=yes || a=no
    theirs && b=yes || b=no
    [ "$a,$b" = "$wanted,$wanted" ] || fail "$change: the program says $a, certificate.py $b"
    refused=$((refused + 1))
done <<'END'
no|s/delay 0/delay 5/
no|/^states/{n;s/.*/0 0 0 0 0 0 0 0/}
no|/^states/{n;s/^0 1/1 0/}
no|s/^L 1$/L 0/
no|s/^- 0$/- 1/
no|s/^sizes 1 1/sizes 2 1 0/
no|s/^assumes defined-c/assumes nothing/
no|s/  3 1  4 1/  3 1  4 0/
no|s/^end/end end/
no|0,/^move right/s/^move right/move seam/
yes|0,/^move right/s/^move right/move left/
yes|0,/^move right/s/^move right/move arc/
END
echo "$refused damaged certificates refused, $accepted still proofs"
