#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# recordings.py finds what its list lacks.
# Usage: recordings_negative.sh PYTHON SCRIPT
set -u
python=$1 script=$2 list=$LW_SOURCE_DIR/tests/data/recordings.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
finds() { # SED SENTENCE
    sed "$1" "$list" >"$work/list"
    "$python" "$script" "$LW_SOURCE_DIR" "$work/list" >"$work/out" 2>&1
    [ $? = 1 ] && grep -q "$2" "$work/out" || { echo "sed '$1' is not found: $(cat "$work/out")"; exit 1; }
}
finds '/^Not: .*ptx-mma/d' 'ptx-mma.csv has 0 entries'
finds '/^File: .*dot2/,/^$/d' 'amd_rdna34_dot2_wmma_hw_vectors.csv has 0 entries'
finds '0,/^Driver: /{/^Driver: /d}' 'its fields are'
finds 's/^Toolkit: TheRock.*/Toolkit: /' 'no value'
finds 's/^SHA-256: 1f/SHA-256: 2f/' 'another digest'
finds 's/^Replayed: test_rdna_programs.c/Replayed: test_rdna.c/' 'test_rdna.c does not read it'

# a recording of a device anywhere, and too many bytes
mkdir -p "$work/tests/data" "$work/validate"
grep '^#' "$list" >"$work/tests/data/recordings.txt"
printf 'lanewise recording 1\nsource: gpu\n' >"$work/validate/h100.txt"
: >"$work/NOTICE"
"$python" "$script" "$work" >"$work/out" && grep -q 'validate/h100.txt has 0 entries' "$work/out" && exit 1
head -c 8000001 /dev/zero >"$work/tests/data/big.csv"
rm "$work/validate/h100.txt"
cat >"$work/tests/data/recordings.txt" <<L
File: tests/data/big.csv
Holds: zeros
Source: a test
Devices: none
Driver: none
Toolkit: none
Operands: none
Converted: no
Licence: MIT
SHA-256: $(sha256sum "$work/tests/data/big.csv" | cut -d' ' -f1)
Replayed: test_big.c
L
echo '// big.csv' >"$work/tests/test_big.c"
"$python" "$script" "$work" >"$work/out"
[ $? = 1 ] && grep -q '^FAILED: 8000001 bytes of recordings' "$work/out" && [ "$(wc -l <"$work/out")" = 1 ] || { cat "$work/out"; exit 1; }
echo "what a list lacks is found"
