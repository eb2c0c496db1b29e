#!/bin/sh
# The cache of compiled protocols: nothing of somebody else's runs, and nothing half-made or mixed up is
# ever opened.
#   cache.sh PROGRAM SAVES, how often a file is saved while it is compiled
. "$(dirname "$0")/../program.sh"
saves=$2
chmod 755 "$scratch"
cd "$scratch"
mkdir home
export XDG_CACHE_HOME="$scratch/home"
unset CC

# protocol FILE WHO: of two leaders that meet, WHO (l or r) gives up.
protocol() {
    cat >"$1.new" <<END
#define NAME "duel"
#define VARIABLES(NUMBER, SYMBOLS) SYMBOLS(leader, "", "L")
#include "ringleader/agent.h"
static inline void meet(struct world world, struct agent *l, struct agent *r)
{
    if (l->leader && r->leader)
        $2->leader = 0;
}
static inline bool leads(struct agent agent)
{
    return agent.leader;
}
END
    mv "$1.new" "$1"
}
# elect FILE: which leaders are left.
elect() {
    "$program" elect -p "$1" -n 9 --start random --seed 3 --until steps=2000 --end end 2>err >out ||
        fail "elect -p $1 failed"
    cat end
}
protocol l.c l && protocol r.c r
of_l=$(elect l.c) of_r=$(elect r.c)
[ "$of_l" != "$of_r" ] || fail "the two rules are the same"

# An editor that saves while it is compiled: what runs is one of the two, and neither is poisoned.
i=0
while [ $((i += 1)) -le "$saves" ]; do
    rm -rf home/ringleader
    protocol duel.c l
    "$program" elect -p duel.c -n 9 --start random --seed 3 --until steps=2000 --end first >out 2>err &
    sleep "0.0$(((i * 37) % 90 + 10))"
    protocol duel.c r
    wait $! || fail "the election during which it was saved failed"
    case $(cat first) in "$of_l" | "$of_r") ;; *) fail "neither the old rule nor the new one ran" ;; esac
    [ "$(elect duel.c)" = "$of_r" ] || fail "save $i: the new file runs the old rule"
    protocol duel.c l
    [ "$(elect duel.c)" = "$of_l" ] || fail "save $i: the old file runs the new rule"
done

# Code in the working directory is nobody's.
mkdir -p strange/simulate strange/ringleader elsewhere
for name in simulate/own.h simulate/specialise.c ringleader/agent.h ringleader/protocol.h; do
    echo '#error "this is not ours"' >"strange/$name"
done
protocol elsewhere/duel.c l
(cd strange && rm -rf ../home/ringleader && elect ../elsewhere/duel.c >/dev/null)

# What is included is found beside the file, from wherever it is named.
sed 's/^static inline void meet/#include "rule.h"\n&/; s/l->leader = 0/RULE/' elsewhere/duel.c >elsewhere/with.c
echo '#define RULE r->leader = 0' >elsewhere/rule.h
[ "$(elect elsewhere/with.c)" = "$of_r" ] || fail "what is included is not found"
[ "$(cd elsewhere && elect with.c)" = "$of_r" ] || fail "what is included is not found from its own directory"

# A cache that others can write to is not used, and named.
# distrusted WHY: the election is held all the same.
distrusted() {
    [ "$(elect l.c)" = "$of_l" ] || fail "not elected"
    grep -q "^ringleader: the cache .*/ringleader is not used: it, or what holds it, is not this user's alone" err || fail "not refused: $1"
}
chmod 770 home/ringleader
distrusted 'its group or others can write to it'
rm -rf home/ringleader && mkdir other && chmod 700 other && ln -s ../other home/ringleader
distrusted 'it is a link'
rm home/ringleader
chmod 777 home
distrusted 'its group or others can write to it'
[ ! -e home/ringleader ] || fail "made where others can write"
chmod 700 home
if [ "$(id -u)" = 0 ]; then
    elect l.c >/dev/null
    chown -R 65534 home/ringleader
    distrusted 'it belongs to another user'
    chown -R 0 home/ringleader && chown 65534 home
    distrusted 'it belongs to another user'
    chown 0 home
    chown 65534 home/ringleader/*.so # an object of another user's in our directory is made again
    elect l.c >/dev/null
    [ -z "$(find home/ringleader -user 65534)" ] || fail "another user's object stays"
else
    echo "not tried: directories of another user, which takes root"
fi
rm -rf home/ringleader
(umask 0 && elect l.c >/dev/null)
[ -z "$(find home/ringleader -perm /022)" ] || fail "others can write to what was made with umask 0"

# What a killed compilation leaves is removed by one that comes an hour later; another's is left alone.
mkdir -p home/ringleader/work.killed home/ringleader/work.now && touch home/ringleader/work.killed/fresh.so
touch -d '2 hours ago' home/ringleader/work.killed
elect l.c >/dev/null
[ "$(ls home/ringleader | grep work)" = work.now ] || fail "a killed compilation's directory stays, or another's goes"

# A full disk is a full disk, and no mistake in the file.
if [ "$(id -u)" = 0 ] && mkdir full && mount -t tmpfs -o size=64k,mode=700 tmpfs full 2>/dev/null; then
    status=0
    head -c 60000 /dev/zero >full/filler 2>/dev/null || true
    XDG_CACHE_HOME=$scratch/full "$program" elect -p r.c -n 9 --until steps=9 >out 2>err || status=$?
    umount full
    [ "$status" = 3 ] && grep -q 'cannot be compiled: the disk of .* is full' err || fail "a full disk: status $status"
else
    echo "not tried: a full disk, which takes root and a mount"
fi
echo "$saves saves, none poisoned; no stranger's code ran"
