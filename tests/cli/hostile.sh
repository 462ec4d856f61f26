#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Arguments and files that make no sense: each call ends with a documented exit status and a message, never with a crash or a
# hang. Usage: hostile.sh LANEWISE [ROUNDS [SEED]]. The same SEED gives the same commands.
set -u
lanewise=$(readlink -f "${1:?}") rounds=${2:-500} seed=${3:-1}
. "${LW_SOURCE_DIR:?}/tests/cli/helpers.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1

make_npy a.npy '<f2' '(16, 16)' "$(repeat 256 003c)"
make_npy i8.npy '|i1' '(16, 64)' "$(repeat 1024 7f)"
make_npy flat.npy '<f2' '(256,)' "$(repeat 256 ff7f)"
make_npy f64.npy '<f8' '(2, 2)' "$(repeat 4 000000000000f0ff)"
make_npy none.npy '|u1' '(0, 16)' ''
make_npy huge.npy '<f2' '(4294967296, 4294967296)' 00
make_npy lies.npy '<f2' '(16, 16)' 0011
head -c 40 a.npy >cut.npy
printf '\223NUMPY\001\000\377\377{' >head.npy
: >empty.npy
mkdir dir.npy
cp "$LW_SOURCE_DIR/examples/objects/vector_add_gfx950.co" v.co
head -c 700 v.co >cut.co
vectors=$LW_SOURCE_DIR/tests/data
head -n 60 "$vectors/nvidia-mma-rows.csv" >n.csv
head -n 60 "$vectors/amd_rdna34_dot2_wmma_hw_vectors.csv" >amd.csv

verbs=(list info layout eval run disasm validate list info layout eval validate frob '')
insns=(v_mfma_f32_16x16x16_f16 v_mfma_f64_16x16x4_f64 v_smfmac_f32_16x16x32_f16 v_wmma_f32_16x16x16_f16 v_swmmac_f32_16x16x32_f16
    v_wmma_scale16_f32_16x16x128_f8f6f4 v_mfma_scale_f32_16x16x128_f8f6f4 mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
    mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 ldmatrix.sync.aligned.m8n8.x4.b16 wmma.load.a.m8n8k32.int4
    mma.sync.aligned.m16n8k999 v_ '' %s%n v.co v.co:vector_add cut.co a.npy n.csv amd.csv broken.csv dir.npy nowhere -)
archs=(gfx908 gfx942 gfx950 gfx1100 gfx1201 gfx1250 gfx940 gfx12-generic sm_70 sm_80 sm_90 sm_90a sm_100a sm_120a sm_120f gfx sm_ '' %n nan 950)
options=(--arch --operand --format --lane --register --element --block --mod --wave --probe --unfold --json --a --b --c --index
    --scale-a --scale-b -o --explain --mode --numerics --expect --ulp --rtol --evidence --family --grid --items --smem --budget
    --threads --schedule --poison --trace --trace-limit --check --assume --workgroup --list --cases --only --seed --device --help
    --frob -x --)
values=(0 1 -1 3 7 16 63 64 255 256 65536 2147483647 2147483648 4294967295 4294967296 99999999999999999999 1e9 nan inf -0 0x10 07
    '' ' ' , 3,5 3, ,3 3,5, -1,0 15,15 16,16 3,5,9 1,1,1,1 a,b %s%n A B C D index scale_a E grid listing csv json svg png uninit
    banks serial random: random:5 random:x fp16_ovfl f32_flush_in doubled-k:tr8 doubled-k: : overflow:ieee cbsz:1 blgp:7
    'neg_lo:[1,0,1]' 'cbsz:fp4' wave:64 assume:neg-c clamp selector:3 a.npy i8.npy flat.npy f64.npy none.npy huge.npy lies.npy
    cut.npy head.npy empty.npy dir.npy nowhere.npy out.npy out:-=f32[4] out:-=f32[99999999999] zero:z.npy=u8[-1] i32:5 f32:x
    bytes:zz null x=null mfma 10 2,2,2)

# Sets `pick` to an element of the array named $1; `state` is a generator of the range's own.
state=$seed
pick_from() {
    local -n from=$1
    state=$(((state * 1103515245 + 12345) & 0x7fffffff))
    pick=${from[$(((state >> 8) % ${#from[@]}))]}
}
chance() { # one of $1
    state=$(((state * 1103515245 + 12345) & 0x7fffffff))
    [ $(((state >> 8) % $1)) = 0 ]
}

# n.csv or amd.csv with some bytes of a line replaced
corrupt() {
    local source=n.csv line bad=(, ,, 0xfffffffff -1 nan sm_99 '"' x $'\t' 99999999999999999999 '')
    chance 2 && source=amd.csv
    state=$(((state * 1103515245 + 12345) & 0x7fffffff))
    line=$(((state >> 8) % 60 + 1))
    pick_from bad
    sed "${line}s/[0-9a-f]*,/${pick}/$((state % 5 + 1))" $source >broken.csv
    chance 4 && head -c $((state % 9000)) $source >broken.csv
}

known_options() { # options that the verb usually takes, so that their values are examined
    case $1 in
    layout) known=(--operand --lane --register --element --block --mod --wave --format --probe) ;;
    eval) known=(--a --b --c --index --scale-a --mod --explain --mode --numerics --expect --rtol -o) ;;
    info) known=(--mod --wave --json) ;;
    validate) known=(--list --cases --only --seed --part --part-file) ;;
    run) known=(--grid --items --block --smem --budget --threads --schedule --check --expect --trace-limit --workgroup --poison) ;;
    *) known=("${options[@]}") ;;
    esac
}

bad=0
for ((n = 0; n < rounds; n++)); do
    pick_from verbs; args=("$pick"); known_options "$pick"
    corrupt
    chance 8 || { pick_from insns; args+=("$pick"); }
    chance 5 || { pick_from archs; args+=(--arch "$pick"); }
    if [ "${args[0]}" = run ] && ! chance 3; then
        args=(run v.co --grid 1 --block 64 --budget 5000 'out:-=f32[64]' 'zero:-=f32[64]' 'zero:-=f32[64]' i32:64)
    fi
    for i in 1 2 3; do
        chance 3 && continue
        if chance 4; then pick_from options; else pick_from known; fi
        args+=("$pick")
        chance 6 || { pick_from values; args+=("$pick"); }
    done
    timeout 20 "$lanewise" "${args[@]}" >out 2>err </dev/null
    status=$?
    if [ $status -gt 3 ] || { [ $status -ge 2 ] && ! [ -s err ]; } || grep -qa -e 'Sanitizer' -e 'runtime error' err; then
        printf 'round %d: exit status %d:' $n $status
        printf ' %q' "${args[@]}"
        echo
        head -n 4 err
        bad=1
    fi
done
[ $bad = 0 ] && echo "$rounds commands"
exit $bad
