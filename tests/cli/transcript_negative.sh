#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The transcript driver detects differences. Usage: transcript_negative.sh PROGRAM
set -u
here=$(cd "$(dirname "$0")" && pwd)
program=${1:?usage: transcript_negative.sh PROGRAM}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
bad=0
expect() {
    printf '%s\n' "$2" >"$work/case.t"
    "$here/transcript.sh" "$program" "$work/case.t" >/dev/null
    [ $? = "$1" ] || { echo "driver answers $? instead of $1 for: $2"; bad=1; }
}
expect 0 $'$ echo a\n| a'
expect 0 $'$ echo a >&2; false\n! a\n= 1'
expect 1 $'$ echo b\n| a'
expect 1 $'$ echo a\n! a'
expect 1 $'$ echo a; echo b\n| a'
expect 1 $'$ echo a\n| a\n| b'
expect 1 $'$ echo a; false\n| a'
expect 1 $'$ echo a\n| a\n= 1'
expect 1 $'$ printf a\n| a'
expect 1 $'$ lanewise --version\n| lanewise'
"$here/transcript.sh" "$program" --rebase "" "$work/case.t" >/dev/null && { echo "rebased without a reason"; bad=1; }
exit $bad
