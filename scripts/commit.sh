#!/bin/sh
# The commit that this tree is: from git, or, in a tarball, from the line that git put there.
commit='$Format:%h$'
case $commit in
*Format*)
    cd "$(dirname "$0")/.." || exit 1
    commit=$(git rev-parse --short HEAD 2>/dev/null) || commit=unknown
    [ "$commit" = unknown ] || git diff --quiet HEAD 2>/dev/null || commit=$commit+
    ;;
esac
echo "$commit"
