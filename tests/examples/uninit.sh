#!/bin/sh
# SPDX-License-Identifier: MIT
# No example kernel reads a register or an LDS byte that was never written, and no result depends on the initial contents of
# such places, on the number of threads or on the order of waves.
# usage: uninit.sh SOURCE_DIR LANEWISE GEMM_REFERENCE
set -eu

OBJECTS=$1/examples/objects
LANEWISE=$2
GEMM_REFERENCE=$3
. "$1/examples/gemm.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

# steady WHAT RUN...: RUN is a launch up to the output's name
steady() {
    what=$1
    shift
    "$@" first.npy --check uninit,uninit=strict >"$work/report" || { echo "$what:"; cat "$work/report"; status=1; }
    "$@" second.npy --poison 0xffffffff --threads 1 >/dev/null
    "$@" third.npy --poison 0 --schedule random:7 >/dev/null
    for other in second third; do
        cmp "$work/first.npy" "$work/$other.npy" || { echo "$what: another result in the $other run"; status=1; }
    done
}

set_shape 17,64,512
"$GEMM_REFERENCE" mxfp4-data "$work" "$m" "$n" "$k"
for stage in $STAGES; do
    steady "mxfp4_$stage" run_mxfp4 "$work" "$stage"
done
set_shape 8,32,128
"$GEMM_REFERENCE" skinny-data "$work" "$n" "$k"
for kind in vdmfma dense; do
    steady "skinny_$kind" run_skinny "$work" $kind
done
exit $status
