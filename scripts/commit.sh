#!/bin/sh
# "+COMMIT", which commit this tree is: from git, or, in a tarball, from the line that git put there. With
# .changed behind it if files were changed since; nothing if it is not known.
commit='$Format:%h$'
case $commit in
*Format*)
    cd "$(dirname "$0")/.." || exit 1
    commit=$(git rev-parse --short HEAD 2>/dev/null) || exit 0
    git diff --quiet HEAD -- 2>/dev/null || commit=$commit.changed
    ;;
esac
echo "+$commit"
