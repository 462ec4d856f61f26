#!/bin/sh
# SPDX-License-Identifier: MIT
# Every example kernel gives the bytes of its reference, with LW_FULL=1 for the six shapes the kernels were made for,
# otherwise for small and ragged ones.
# usage: kernels.sh SOURCE_DIR LANEWISE GEMM_REFERENCE
set -eu

OBJECTS=$1/examples/objects
LANEWISE=$2
GEMM_REFERENCE=$3
. "$1/examples/gemm.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# check WHAT COMMAND...: the command must succeed
check() {
    what=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        echo "ok    $what"
    else
        echo "WRONG $what"
        sed 's/^/      /' "$work/log" | head -n 8
        failures=$((failures + 1))
    fi
}

vector_adds() {
    for count in 1 255 1000; do
        "$GEMM_REFERENCE" add-data "$work" $count
        for arch in gfx942 gfx950 gfx1100; do
            check "vector_add $arch $count" run_add "$work" $arch $count c.npy --expect "$work/expected.npy"
        done
    done
}

# mxfp4_shape M,N,K SPREAD: all stages on one shape
mxfp4_shape() {
    set_shape "$1"
    "$GEMM_REFERENCE" mxfp4-data "$work" "$m" "$n" "$k" 1 "$2"
    for parts in 1 4; do
        [ $((k % (128 * parts))) -ne 0 ] || "$GEMM_REFERENCE" mxfp4 "$work" "$m" "$n" "$k" expected$parts.npy chained $parts
    done
    for stage in $STAGES; do
        parts=$(parts_of "$stage")
        [ $((k % (128 * parts))) -eq 0 ] || continue
        check "mxfp4 $stage $1 spread $2" run_mxfp4 "$work" "$stage" c.npy --expect "$work/expected$parts.npy"
    done
}

# Rows past m must be out of range whether or not the range check counts the scalar offset.
other_range_check() {
    set_shape 4,96,512
    "$GEMM_REFERENCE" mxfp4-data "$work" "$m" "$n" "$k"
    "$GEMM_REFERENCE" mxfp4 "$work" "$m" "$n" "$k" expected.npy
    for stage in direct double; do
        check "mxfp4 $stage, scalar offset not range-checked" run_mxfp4 "$work" $stage c.npy \
            --reading buffer-range:without-soffset --expect "$work/expected.npy"
    done
}

# Loads to LDS may arrive at any moment before a wait that covers them.
any_arrival() {
    set_shape 4,96,512
    "$GEMM_REFERENCE" mxfp4-data "$work" "$m" "$n" "$k"
    "$GEMM_REFERENCE" mxfp4 "$work" "$m" "$n" "$k" expected.npy
    for stage in direct double; do
        for when in early late random:1 random:2 random:3; do
            check "mxfp4 $stage, loads to LDS $when" run_mxfp4 "$work" $stage c.npy --async $when \
                --expect "$work/expected.npy"
        done
    done
}

gemm_shape() {
    set_shape "$1"
    "$GEMM_REFERENCE" gemm-data "$work" "$m" "$n" "$k"
    check "gemm_f16 $1" run_gemm "$work" c.npy --expect "$work/expected.npy"
}

matmul_shape() {
    set_shape "$1"
    "$GEMM_REFERENCE" matmul-data "$work" "$m" "$n" "$k"
    check "matmul_wmma $1" run_matmul "$work" c.npy --expect "$work/expected.npy"
}

skinny_shape() {
    set_shape "8,$1"
    "$GEMM_REFERENCE" skinny-data "$work" "$n" "$k" 1 "$2"
    for kind in vdmfma dense; do
        "$GEMM_REFERENCE" skinny "$work" "$n" "$k" expected.npy $kind
        check "skinny $kind $1 spread $2" run_skinny "$work" $kind c.npy --expect "$work/expected.npy"
    done
}

vector_adds
other_range_check
any_arrival
if [ "${LW_FULL:-0}" = 1 ]; then
    for shape in $SHAPES; do
        mxfp4_shape "$shape" 0
    done
    mxfp4_shape 16,2112,7168 20
    skinny_shape 2304,8192 0
    gemm_shape 1024,1024,1024
else
    for shape in 1,32,256 4,96,512 17,64,768 64,64,1024; do
        mxfp4_shape $shape 0
        mxfp4_shape $shape 20
    done
    skinny_shape 64,64 0
    gemm_shape 64,64,64
    gemm_shape 128,192,320
    matmul_shape 64,64,128
    matmul_shape 128,256,512
    skinny_shape 48,512 6
fi
[ $failures -eq 0 ] || { echo "$failures wrong"; exit 1; }
