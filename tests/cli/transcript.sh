#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the transcripts of tests/cli/cases: what a command prints on stdout and stderr, and its exit status.
#   # comment    $ command    | line of stdout    ! line of stderr    = exit status (absent when 0)
# Each case runs in an empty directory of its own, with tests/cli/helpers.sh sourced.
# Usage: transcript.sh PROGRAM [--rebase REASON] CASE...
# --rebase writes the current output into the cases and the reason into cases/REBASED.
set -u
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "${1:?usage: transcript.sh PROGRAM [--rebase REASON] CASE...}")
shift
reason=
if [ "${1:-}" = --rebase ]; then
    reason=${2:-}
    [ -n "$reason" ] || { echo "--rebase needs a reason: what changed, and why that is right"; exit 2; }
    shift 2
fi
[ $# -gt 0 ] || set -- "$here"/cases/*.t

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$program" "$work/bin/lanewise"
export PATH="$work/bin:$PATH" LC_ALL=C LW_TEST_DATA="$here/data" LW_TEST_ROOT="${here%/tests/cli}"

# Prefixes each line; marks a last line without a newline.
prefix() {
    local line
    while IFS= read -r line; do
        [ -n "$line" ] && printf '%s %s\n' "$1" "$line" || printf '%s\n' "$1"
    done
    [ -z "$line" ] || printf '%s %s (no newline)\n' "$1" "$line"
}

# Runs the commands of one case; prints the current transcript.
replay() {
    local dir=$work/dir line status
    rm -rf "$dir"
    mkdir "$dir"
    while IFS= read -r line; do
        case $line in
        '$ '*)
            echo "$line"
            (cd "$dir" && . "$here/helpers.sh" && eval "${line#\$ }") >"$work/out" 2>"$work/err" </dev/null
            status=$?
            prefix '|' <"$work/out"
            prefix '!' <"$work/err"
            [ $status = 0 ] || echo "= $status"
            ;;
        '#'* | '') echo "$line" ;;
        esac
    done <"$1"
}

bad=0
for case in "$@"; do
    replay "$case" >"$work/now"
    if [ -n "$reason" ] && ! cmp -s "$case" "$work/now"; then
        cp "$work/now" "$case"
        echo "$(basename "$case"): $reason" >>"$here/cases/REBASED"
    elif ! diff -u "$case" "$work/now"; then
        bad=$((bad + 1))
    fi
done
echo "$# transcripts, $bad differ"
[ $bad = 0 ]
