#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What `lanewise why` costs: elements of the MXFP4 product of 16 x 2112 x 7168 by three of the kernels of examples/: seconds by the clock,
# the most memory that the program held, and what the record took. Elements are the corners, the middle and some others.
# usage: why.sh LANEWISE GEMM_REFERENCE [M,N,K]     exits 1 where one takes 5 s or 1 GiB or more
# Needs GNU time (exit 77 without it) and the program of examples/reference for the arrays.
set -eu
type -P time >/dev/null || { echo "GNU time is not installed"; exit 77; }
LANEWISE=$(realpath "$1") GEMM_REFERENCE=$(realpath "$2")
OBJECTS=$(cd "$(dirname "$0")/../examples/objects" && pwd)
. "$OBJECTS/../gemm.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
set_shape "${3:-16,2112,7168}"
"$GEMM_REFERENCE" mxfp4-data "$work" "$m" "$n" "$k"
status=0

element() { # STAGE ROW COLUMN
    local stage=$1 line
    # shellcheck disable=SC2046 # the sizes are words
    command time -o "$work/cost" -f '%e %M' "$LANEWISE" why "$OBJECTS/mxfp4_$stage.co" $(launch_size "$stage") "C=out:-=u16[$m,$n]" "A=$work/a.npy" \
        "B=$work/b.npy" "Bscale=$work/bscale.npy" "m=u32:$m" "n=u32:$n" "k=u32:$k" --element "C:$2,$3" >"$work/tree"
    line=$(sed -n 's/^noted: //p' "$work/tree")
    [ -n "$line" ] || { echo "no record for C[$2,$3] of $stage" >&2; exit 1; }
    awk -v what="mxfp4_$stage, C[$2,$3]" -v noted="$line" '{ printf "%8.2f %8.0f  %s: %s\n", $1, $2 / 1024, what, noted; exit $1 >= 5 || $2 >= 1048576 }' \
        "$work/cost" || status=1
}

echo "       s      MiB"
for stage in basic splitk preload; do
    element $stage 0 0
    element $stage 0 $((n - 1))
    element $stage $((m - 1)) 0
    element $stage $((m - 1)) $((n - 1))
    element $stage $((m / 2)) $((n / 2))
    element $stage 2 17
done
exit $status
