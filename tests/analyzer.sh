#!/bin/sh
# clang's analyzer has nothing to say about any source of the library and the program, each with the
# flags that it is compiled with. What it cannot know is asserted, so that a reader need not wonder.
#   analyzer.sh BUILD
set -eu
. "$(dirname "$0")/lib.sh"
needs_version clang 14
cd "$1"
# "command": "COMPILER FLAGS -MD ... -o OBJECT -c FILE"; the tests' own copies of a source say nothing new.
sed -n -e '/-Itests\//d' -e 's/\\"/"/g' \
    -e 's/^ *"command": "[^-]*\(-.*\) -MD .* -c \([^ ]*src\/[^ ]*\.c\)",$/\1 \2/p' \
    compile_commands.json >analyzer.flags
[ "$(wc -l <analyzer.flags)" -ge 100 ] # else the form of that file has changed
tr '\n' '\0' <analyzer.flags | xargs -0 -P 2 -I FLAGS \
    sh -c 'clang --analyze --analyzer-output text -Xclang -analyzer-werror \
        -Xclang -analyzer-config -Xclang max-nodes=30000 FLAGS'
