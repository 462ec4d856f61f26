#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The hashes of `run --json` are those of sha256sum, for files of every length modulo 64 at which padding changes, and of
# the file that was read where the run replaces it.
# Usage: inputs.sh PROGRAM
set -u
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "${1:?usage: inputs.sh PROGRAM}")
. "$here/helpers.sh"
enter_new_folder
cp "${here%/tests/cli}"/examples/objects/vector_add_gfx942.co v.co

# told FILE: the path and hash that the report has for it
told() { tr -d '\n' <report | grep -o "\"path\": *\"$1\", *\"sha256\": *\"[0-9a-f]*\"" | sed 's/.*"\([0-9a-f]*\)"$/\1/'; }
check() { [ "$(told "$1")" = "$2" ] || fail "$1: told '$(told "$1")', sha256sum says $2"; }
sum() { sha256sum "$1" | cut -d' ' -f1; }

make_npy y.npy '<f4' '(1,)' '0000803f'
for length in 0 1 55 56 63 64 119; do
    make_npy x.npy '|u1' "($length,)" "$(repeat $length 5a)"
    "$program" run v.co --grid 1 --block 64 'out:-=f32[1]' x.npy y.npy i32:0 --json >report || fail "run of $length bytes"
    for file in v.co x.npy y.npy; do check $file "$(sum $file)"; done
done
version=$("$program" --version | grep -o '[0-9]*\.[0-9]*\.[0-9]*' | head -1)
grep -q "\"lanewise\": *\"$version\"" report || fail "the version $version is not told: $(head -3 report)"

# An array that goes back to its own file; what a run should give.
make_npy x.npy '<f4' '(1,)' '00004040'
make_npy want.npy '<f4' '(1,)' '00008040'
before=$(sum x.npy)
"$program" run v.co --grid 1 --block 64 inout:x.npy=x.npy y.npy y.npy i32:1 --expect want.npy --json >report
[ "$(sum x.npy)" != "$before" ] || fail "the run did not replace x.npy"
check x.npy "$before"
check want.npy "$(sum want.npy)"

# The files that `validate` compares with; the program that `exec` runs, found as the system finds it, and its arguments that are files.
cp "${here%/tests/cli}"/tests/data/gfx1201_wmma_swmmac_digests.csv d.csv
head -40 d.csv >e.csv
"$program" validate --json d.csv e.csv >report || fail "validate: $(cat report)"
check d.csv "$(sum d.csv)"
check e.csv "$(sum e.csv)"
grep -q "\"lanewise\": *\"$version\"" report || fail "validate does not tell the version"
printf '#!/bin/sh\necho changed >y.npy\n' >writes
chmod +x writes
before=$(sum y.npy)
PATH=.:$PATH "$program" exec --arch gfx942 --json -- writes y.npy absent >report 2>said || fail "exec: $(cat said)"
check ./writes "$(sum writes)"
check y.npy "$before"
[ "$(sum y.npy)" != "$before" ] || fail "the program did not run"
grep -q absent report && fail "exec tells of a file that is not there"
grep -q "\"lanewise\": *\"$version\"" report || fail "exec does not tell the version"
exit $bad
