#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The program that `layout --probe` prints, for every instruction in every wave size and for a choice of modifiers, run on
# the emulator: all relations must be as the layouts claim.
# Usage: probe.sh PROBE_EMULATOR CC STEP ARCH...     STEP: every STEP-th place is tested
set -u
emulator=$1 cc=$2 step=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# ARCH WAVE MODIFIERS INSTRUCTION, one per line
subjects() {
    for arch in "$@"; do
        case $arch in
        gfx11* | gfx1201) waves='32 64' ;;
        gfx1250 | sm_*) waves=32 ;;
        *) waves=64 ;;
        esac
        # .xor.popc cannot show a single place: the other spelling is used for its rows
        names=$("$emulator" names "$arch" | sed -E 's/^mma\.(m[0-9nk]*)\.s32\.b1\.b1\.s32$/mma.sync.aligned.\1.row.col.s32.b1.b1.s32.and.popc/;
            s/^wmma\.mma\.(m[0-9nk]*)\.s32\.b1\.b1\.s32$/wmma.mma.and.popc.sync.aligned.row.col.\1.s32.b1.b1.s32/')
        for name in $names; do
            for wave in $waves; do
                echo "$arch $wave - $name"
                modifiers "$arch" "$wave" "$name" | sed "s/^/$arch $wave /; s/\$/ $name/"
            done
        done
    done
}

# Modifiers that move elements or select formats; `;` stands for a blank.
modifiers() {
    case "$1 $2 $3" in
    "gfx950 "*scale*f8f6f4) printf '%s\n' 'cbsz:fp4;blgp:bf6;op_sel:[1,0];op_sel_hi:[0,1]' 'cbsz:fp6;blgp:fp8' ;;
    "gfx950 "*f8f6f4) printf '%s\n' 'cbsz:fp4;blgp:bf6' 'cbsz:bf8;blgp:fp4' ;;
    gfx9*_4x4x4*_16b_f16 | gfx9*_4x4x4f16) printf '%s\n' 'cbsz:2;abid:3' 'blgp:5' ;;
    gfx9*_32x32x4*_2b_f16 | gfx9*_32x32x4f16) printf '%s\n' 'cbsz:1;abid:1;blgp:3' ;;
    gfx9*_smfmac_f32_16x16x32_f16) printf '%s\n' 'abid:3' ;;
    "gfx950 "*_smfmac_f32_32x32x32_bf16) printf '%s\n' 'abid:1' ;;
    gfx11*_wmma_f16_*) printf '%s\n' 'op_sel:[0,0,1]' ;;
    "gfx1201 "*_swmmac_f16_*) printf '%s\n' 'index_key:1' ;;
    "gfx1201 64 "*_swmmac_i32_16x16x32_iu8) printf '%s\n' 'index_key:3' ;;
    "gfx1250 "*scale*f8f6f4) printf '%s\n' \
        'matrix_a_fmt:MATRIX_FMT_FP4;matrix_b_fmt:MATRIX_FMT_BF6;matrix_b_scale:MATRIX_SCALE_ROW1' \
        'matrix_b_fmt:MATRIX_FMT_FP6;matrix_a_scale:MATRIX_SCALE_ROW1' ;;
    sm_*mma.sp*f32.f16.f16.f32) printf '%s\n' 'selector:1' ;;
    sm_*.mxf8f6f4.mxf8f6f4.*) printf '%s\n' 'byte-id-a:1;thread-id-a:1;byte-id-b:2;thread-id-b:3' ;;
    "gfx1250 "*wmma_f32*f8f6f4) printf '%s\n' 'matrix_a_fmt:MATRIX_FMT_FP6;matrix_b_fmt:MATRIX_FMT_FP4' ;;
    esac
}

# One subject: the program, compiled; prints nothing unless that fails.
compile() {
    set -- $1
    object="$work/$1-$2-$4-$(echo "$3" | tr -c 'a-z0-9\n' _)"
    mods=
    [ "$3" = - ] || mods=${3//;/ }
    case $1 in gfx*) mods="$mods wave:$2" ;; esac
    "$emulator" print "$1" "$4 $mods" >"$object.c" && "$cc" -O1 -w -fPIC -shared "$object.c" -o "$object.so" || echo "failed: $1 $2 $3 $4"
}
export -f compile
export emulator cc work

subjects "$@" >"$work/subjects"
xargs -P "$(nproc)" -d '\n' -I{} bash -c 'compile "$1"' _ {} <"$work/subjects" >"$work/compiled" 2>&1
ls "$work" | grep '\.so$' | sed "s|^|$work/|" | xargs -P "$(nproc)" -n 20 "$emulator" "$step" >"$work/out" 2>&1
status=$?
count=$(grep -c ' 0 differ$' "$work/out")
wanted=$(wc -l <"$work/subjects")
cat "$work/compiled"
grep -v ' 0 differ$' "$work/out" | head -40
echo "$count of $wanted probes find what is claimed"
[ $status -eq 0 ] && [ ! -s "$work/compiled" ] && [ "$count" -eq "$wanted" ] && [ "$wanted" -gt 0 ]
