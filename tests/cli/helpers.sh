# SPDX-License-Identifier: MIT
# Helper functions for transcripts and scripts. Sourced.

# enter_new_folder: goes into a folder, $work, that is removed at the end
enter_new_folder() {
    work=$(mktemp -d) && cd "$work" || exit 1
    trap 'rm -rf "$work"' EXIT
}

# fail WHAT...: tells it, and sets $bad, the script's exit status
bad=0
fail() { echo "FAILED: $*"; bad=1; }

# make_npy FILE DESCR SHAPE HEX: an array, e.g. make_npy a.npy '<f4' '(2,)' '0000803f 00000040'
make_npy() {
    local head="{'descr': '$2', 'fortran_order': False, 'shape': $3, }" total
    total=$(((10 + ${#head} + 1 + 63) / 64 * 64))
    {
        printf '\223NUMPY\001\000'
        printf "\\x$(printf %02x $(((total - 10) % 256)))\\x$(printf %02x $(((total - 10) / 256)))"
        printf "%-$((total - 11))s\n" "$head"
        printf "$(printf %s "$4" | tr -d ' ' | sed 's/../\\x&/g')"
    } >"$1"
}

# repeat COUNT HEX: HEX, COUNT times
repeat() {
    local i
    for ((i = 0; i < $1; i++)); do printf %s "$2"; done
}

# show_npy FILE: descr and shape, then the elements' bytes
show_npy() {
    local head
    head=$(od -An -tu2 -j8 -N2 "$1" | tr -d ' ')
    tail -c +11 "$1" | head -c "$head" | tr -s ' ' | sed "s/'fortran_order': False, //; s/ *$//"
    od -An -v -tx1 -j$((10 + head)) "$1"
}
