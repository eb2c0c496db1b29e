# To be sourced. Links a program of the build anew with another object for one protocol. The object
# comes first, so that the library's own is not taken.

# relink BUILD TARGET OBJECT OUTPUT
relink() {
    command=$(ninja -C "$1" -t commands "$2" | tail -n 1 | sed "s# -o $2 # -o $4 $3 #")
    (cd "$1" && eval "$command")
}
