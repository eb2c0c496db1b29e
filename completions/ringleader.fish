# SPDX-License-Identifier: MIT
# Completion for fish. The program knows what can follow; status 1 means: names of files.
function __ringleader_complete
    set -l words (commandline -opc) (commandline -ct)
    $words[1] --complete $words[2..] 2>/dev/null; and return
    set -l option (string match -r -- '^--[^=]*=' $words[-1])
    for path in (__fish_complete_path (string replace -- "$option" '' $words[-1]))
        printf '%s\n' "$option$path"
    end
end
complete -c ringleader -f -a '(__ringleader_complete)'
