# SPDX-License-Identifier: MIT
# Completion for fish. The program knows what can follow; status 1 means: names of files.
function __ringleader_complete
    set -l words (commandline -opc) (commandline -ct)
    $words[1] --complete $words[2..] 2>/dev/null; and return
    __fish_complete_path $words[-1]
end
complete -c ringleader -f -a '(__ringleader_complete)'
