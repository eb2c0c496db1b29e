#!/bin/sh
# Every C file is formatted as .clang-format says, by clang-format 14: other versions disagree with it.
set -eu
cd "$(dirname "$0")/.."
. tests/lib.sh
needs_version clang-format 14
list=$(mktemp)
trap 'rm -f "$list"' EXIT
if git rev-parse --git-dir >/dev/null 2>&1; then
    git ls-files -z --cached --others --exclude-standard '*.c' '*.h' >"$list"
else
    find include src tests bench examples -name '*.[ch]' -print0 >"$list" 2>/dev/null || true
fi
[ -s "$list" ] || { echo "no C file found"; exit 1; }
xargs -0 clang-format --dry-run -Werror <"$list"
