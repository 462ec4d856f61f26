#!/bin/sh
# SPDX-License-Identifier: MIT
# With the three layouts of A in LDS, reads (ds_read_b128) hit each bank with 8, 2 and 1 lanes.
# usage: banks.sh SOURCE_DIR LANEWISE GEMM_REFERENCE
set -eu

OBJECTS=$1/examples/objects
LANEWISE=$2
GEMM_REFERENCE=$3
. "$1/examples/gemm.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
set_shape 16,32,256
"$GEMM_REFERENCE" mxfp4-data "$work" "$m" "$n" "$k"

# the worst conflict of one instruction in a report of --check banks
degree_of() {
    sed -n "/+0x.*$1/{s/.* \([0-9]*\)-way conflict.*/\1/;s/.*no conflict.*/1/;p;}" | sort -n | tail -n 1
}

status=0
for pair in direct:8 half:2 swizzled:1 double:1; do
    stage=${pair%:*}
    run_mxfp4 "$work" "$stage" c.npy --check banks >"$work/report"
    worst=$(degree_of ds_read_b128 <"$work/report")
    echo "$stage: $worst lanes a bank"
    [ "$worst" = "${pair#*:}" ] || { echo "  expected ${pair#*:}"; status=1; }
done
exit $status
