#!/bin/sh
# presets.sh FILE.plan...: rows of C for src/study/presets.c, the name and the text of each plan.
set -eu
for file; do
    printf '{"%s",\n' "$(basename "$file" .plan)"
    sed 's/[\\"]/\\&/g; s/.*/"&\\n"/' "$file"
    echo '},'
done
