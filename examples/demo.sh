#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the example kernels and compares every byte with references that share no code with Lanewise;
# then shows which results depend on rules that were not measured, and the effect of LDS swizzling.
# Builds nothing. usage: demo.sh LANEWISE GEMM_REFERENCE [WORK_DIR]
set -eu

[ $# -ge 2 ] || { echo "usage: demo.sh LANEWISE GEMM_REFERENCE [WORK_DIR]" >&2; exit 2; }
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
LANEWISE=$1
GEMM_REFERENCE=$2
OBJECTS=$here/objects
. "$here/gemm.sh"
if [ $# -ge 3 ]; then
    work=$3
    mkdir -p "$work"
else
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
fi
failures=0

say() { printf '\n== %s\n' "$*"; }

# same WHAT COMMAND...: runs a launch with --expect
same() {
    what=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        printf '  %-44s same bytes   %s\n' "$what" "$(sed -n 's/^ran \(.*\) (budget.*/\1/p' "$work/log")"
    else
        printf '  %-44s DIFFERENT\n' "$what"
        sed 's/^/      /' "$work/log" | head -n 6
        failures=$((failures + 1))
    fi
}

# mxfp4_everywhere M,N,K STAGE...: one shape, data and expected bytes from the references
mxfp4_everywhere() {
    set_shape "$1"
    shift
    "$GEMM_REFERENCE" mxfp4-data "$work" "$m" "$n" "$k"
    made=
    for stage in "$@"; do
        parts=$(parts_of "$stage")
        case " $made " in *" $parts "*) ;; *)
            "$GEMM_REFERENCE" mxfp4 "$work" "$m" "$n" "$k" "expected$parts.npy" chained "$parts"
            made="$made $parts"
            ;;
        esac
        same "mxfp4_$stage ${m}x${n}x$k" run_mxfp4 "$work" "$stage" c.npy --expect "$work/expected$parts.npy"
    done
}

# depends READING RULE: how many bytes change, by the emulator and by the reference
depends() {
    run_mxfp4 "$work" double other.npy --numerics "$1" >"$work/log"
    mine=$("$GEMM_REFERENCE" compare "$work" c.npy other.npy '<u2' $((m * n)) || true)
    "$GEMM_REFERENCE" mxfp4 "$work" "$m" "$n" "$k" rule.npy "$2"
    theirs=$("$GEMM_REFERENCE" compare "$work" expected.npy rule.npy '<u2' $((m * n)) || true)
    printf '  %-22s %s\n' "$1" "$mine"
    if [ "$mine" != "$theirs" ] || ! cmp -s "$work/other.npy" "$work/rule.npy"; then
        printf '  %-22s the reference says: %s\n' '' "$theirs"
        failures=$((failures + 1))
    fi
}

# what_depends M,N,K TEXT SPREAD [cancel]: the same launch under every named reading
what_depends() {
    set_shape "$1"
    text=$2
    shift 2
    say "How much depends on rules that were not measured: ${m}x${n}x$k, $text"
    "$GEMM_REFERENCE" mxfp4-data "$work" "$m" "$n" "$k" 1 "$@"
    "$GEMM_REFERENCE" mxfp4 "$work" "$m" "$n" "$k" expected.npy
    same "mxfp4_double, default readings" run_mxfp4 "$work" double c.npy --expect "$work/expected.npy"
    depends f8f6f4-group:gtr16 gtr16
    depends f8f6f4-group:tr32 tr32
    depends f8f6f4-blocks:fused fused
    depends f8f6f4-c:keep keep
}

say "vector_add, 1000 elements"
"$GEMM_REFERENCE" add-data "$work" 1000
for arch in gfx942 gfx950; do
    same "vector_add $arch" run_add "$work" $arch 1000 c.npy --expect "$work/expected.npy"
done

say "MXFP4 GEMM on gfx950: C = A * B, A quantized in the kernel"
# shellcheck disable=SC2086 # the stages are words
mxfp4_everywhere 4,2880,512 $STAGES
mxfp4_everywhere 16,2112,7168 double splitk
mxfp4_everywhere 32,4096,512 transposed
mxfp4_everywhere 32,2880,512 swizzled
mxfp4_everywhere 64,7168,2048 blocked
mxfp4_everywhere 256,3072,1536 preload
printf '  against a binary64 product of the unquantized A: '
"$GEMM_REFERENCE" mxfp4-error "$work" "$m" "$n" "$k" c.npy

say "Skinny GEMM on gfx942: 8 x 2304 x 4096, sparse instructions for dense rows, and the padded product"
set_shape 8,2304,4096
"$GEMM_REFERENCE" skinny-data "$work" "$n" "$k"
for kind in vdmfma dense; do
    "$GEMM_REFERENCE" skinny "$work" "$n" "$k" expected.npy $kind
    same "skinny_$kind" run_skinny "$work" $kind $kind.npy --expect "$work/expected.npy"
done
printf '  the two against each other (their sums are in another order): '
"$GEMM_REFERENCE" compare "$work" vdmfma.npy dense.npy '<f4' $((m * n)) || true

what_depends 16,2112,7168 "Gaussian data" 0
what_depends 16,96,2048 "block exponents scattered, exact result 0: all is left over from rounding" 10 cancel

say "How sure is each rule that ran? (mxfp4_double: every kind of instruction, what its rule rests on)"
run_mxfp4 "$work" double c.npy --evidence >"$work/log"
sed -n '/^evidence/,$p' "$work/log" | sed '/^wrote /d; s/^/  /'
"$LANEWISE" info v_mfma_scale_f32_16x16x128_f8f6f4 --arch gfx950 | sed -n '/^evidence/,/^$/p' | sed 's/^/  /'

say "Lanes that meet in one LDS bank while a tile of A is read (ds_read_b128)"
set_shape 16,32,256
"$GEMM_REFERENCE" mxfp4-data "$work" "$m" "$n" "$k"
for stage in direct half swizzled; do
    run_mxfp4 "$work" $stage c.npy --check banks >"$work/log"
    printf '  mxfp4_%-10s' $stage
    sed -n '/+0x.*ds_read_b128/{s/.* times  *//;p;}' "$work/log" | sort | uniq -c | sed 's/^ */ /;s/^ \([0-9]*\) / \1 reads: /'
done

echo
[ $failures -eq 0 ] || { echo "$failures comparisons failed"; exit 1; }
echo "Every byte was the one the references give."
