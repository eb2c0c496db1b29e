#!/bin/sh
# Four boards with a Cortex-M3 in QEMU: qemu.sh PROGRAM BOARD-RING. They elect, survive a power cut and
# overwritten memories on bad wires, every interaction is accounted for; and however the host program ends, no
# emulator is left. Waits for events, with generous limits: nothing here depends on how fast it goes.
program=$(realpath "$1") ring=$(realpath "$2")
. "$(dirname "$0")/tools.sh"
need arm-none-eabi-gcc qemu-system-arm pgrep
pid=
trap '[ -z "$pid" ] || kill -s KILL "$pid" 2>/dev/null; rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM
build cortex-m3 4
mkdir "$scratch/logs"

set -- "$ring" --on qemu --firmware "$scratch/cortex-m3.elf" --logs "$scratch/logs" -n 4
"$@" --limit 250 --cuts 1 --overwrites 2 --hold 0.5 --loss 0.1 --duplicate 0.1 --bad 0.005 >"$scratch/story" ||
    { cat "$scratch/story"; fail "not elected"; }
cat "$scratch/story"
grep -q 'was reset by its watchdog' "$scratch/story" || fail "a board that has lost its way stays lost"
boards/check.sh "$program" 4 "$scratch/logs"
! pgrep -f "$scratch/" >/dev/null || fail "left behind: $(pgrep -af "$scratch/")"

for signal in INT KILL; do
    rm "$scratch"/logs/*
    "$@" --hold 1000 --limit 250 >"$scratch/story" 2>"$scratch/errors" &
    pid=$!
    until grep -q heard "$scratch/logs/03.log" 2>/dev/null || ! kill -0 "$pid"; do sleep 0.1; done
    kill -s $signal "$pid"
    status=0
    wait "$pid" || status=$?
    [ "$signal $status" = "INT 1" ] || [ "$signal $status" = "KILL 137" ] || fail "SIG$signal: exit $status"
    pid=
    until ! pgrep -f "$scratch/cortex" >/dev/null; do sleep 0.1; done
done
