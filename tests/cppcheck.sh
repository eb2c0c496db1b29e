#!/bin/sh
# cppcheck has nothing to say. What it cannot know is written so that it, and a reader, need not wonder.
#   cppcheck.sh BUILD
set -eu
build=$(realpath "$1")
cd "$(dirname "$0")/.."
. tests/lib.sh
needs_version cppcheck 2.10
cppcheck --quiet --error-exitcode=1 --enable=warning,portability --std=c11 -j 2 \
    -I include -I src -I "$build" -D__linux__ -D__GNUC__ src
