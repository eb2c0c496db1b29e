#!/bin/sh
# Installs the Debian packages that are missing for a purpose: run, web, python, test or proof. Without
# root or sudo it names them and stops.
set -eu

run="gcc libc6-dev meson ninja-build pkg-config libgmp-dev libsqlite3-dev libcairo2-dev"
run="$run libsodium-dev fonts-dejavu-core"
web="$run clang lld nodejs npm"
python="$run python3-venv python3-pip python3-mesonpy python3-cffi python3-numpy python3-pandas"
python="$python python3-dev python3-tqdm"
test="$web $python g++ mandoc libclang-rt-14-dev clang-format libcmocka-dev valgrind"
test="$test libopenmpi-dev openmpi-bin"
test="$test mypy python3-pytest python3-nbconvert python3-ipykernel python3-matplotlib"
test="$test sqlite3 chromium poppler-utils procps"
proof="gcc libc6-dev make coq ocaml"

case ${1:-} in
run) wanted=$run ;;
web) wanted=$web ;;
python) wanted=$python ;;
test) wanted=$test ;;
proof) wanted=$proof ;;
*)
    echo "usage: scripts/setup.sh run|web|python|test|proof" >&2
    exit 2
    ;;
esac

missing=
for package in $wanted; do
    # Node.js may have come from elsewhere, with an npm of its own.
    case $package in
    nodejs) command -v node >/dev/null && continue ;;
    npm) command -v npm >/dev/null && continue ;;
    esac
    state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
    sudo=
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    sudo=sudo
else
    echo "These Debian packages are missing, and there is neither root nor sudo to install them:" >&2
    echo "  apt-get install$missing" >&2
    exit 3
fi
echo "installing$missing"
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086 # the list is meant to be split
if ! { $sudo apt-get update && $sudo apt-get install -y --no-install-recommends $missing; } \
    >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "could not install:$missing" >&2
    exit 3
fi
