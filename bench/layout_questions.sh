#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How long answers about layouts take: every `lanewise layout`, `schedule` and `pack` of the transcripts and of the documents, and
# an operand of every architecture in several formats. Prints the slowest, in milliseconds of processor time: the least of five
# runs. The exit status is 1 where one takes more than 20. Usage: bench/layout_questions.sh build/cli/lanewise
set -u
real=$(realpath "$1") root=$(realpath "$(dirname "$0")/..") most=20
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
export LW_TEST_ROOT=$root LC_ALL=C
answers=$scratch/answers
cd "$scratch" || exit 2
. "$root/tests/cli/helpers.sh"

milliseconds()
{
    local TIMEFORMAT='%3U %3S'
    { time "$real" "$@" >out 2>err; } 2>&1 | awk '{ printf "%.0f\n", 1000 * ($1 + $2) }'
}

# Stands in for the program in the lines below.
lanewise()
{
    case ${1-} in
    layout | schedule | pack)
        for _ in 1 2 3 4 5; do milliseconds "$@"; done </dev/null | sort -n | head -1 | tr '\n' ' ' >>"$answers"
        printf '%q ' "$@" >>"$answers"
        echo >>"$answers" ;;
    esac
    "$real" "$@"
}

while IFS= read -r line; do
    eval "${line#$ }" >out2 2>&1 </dev/null
done < <(grep -h '^\$ .*lanewise \(layout\|schedule\|pack\) ' "$root"/tests/cli/cases/{layout,schedule,pack}.t "$root"/docs/{layouts,schedule}.md \
    "$root"/docs/worked/*.md)
lanewise layout --guess 'i = l%16, k = 8*(l/16)+v' >out2
lanewise layout --guess '((4,8),(2,2)):((32,1),(16,8))' >out2
lanewise layout --guess 'int map(int lane, int v) { int g = lane >> 2; int t = lane & 3; int h = v >> 1; int row = g + 8*(h & 1); int k = 2*t + (v & 1) + 8*(v >> 2); }' >out2
lanewise layout --guess 'S[(2,8,2,4,2):(2,4@laneid,4,1@laneid,1)]' >out2
lanewise layout --guess '#ttg.linear<{register = [[0,1],[8,0],[0,8]], lane = [[0,2],[0,4],[1,0],[2,0],[4,0]], warp = [], block = []}>' >out2
lanewise layout mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --arch sm_80 --operand A --format listing >listing.txt 2>&1
lanewise layout --guess @listing.txt >out2
for format in grid table cute triton listing calculator latex svg; do
    lanewise layout wgmma.m64n256k16.f32.f16.f16 --arch sm_90 --operand D --format $format >largest.txt
done
lanewise layout wgmma.m64n256k16.f32.f16.f16 --arch sm_90 --operand D --format listing >largest.txt
lanewise layout wgmma.m64n256k16.f32.f16.f16 --arch sm_90 --operand D --check @largest.txt >out2
for access in b64 write:b64; do
    lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand A --banks $access --shape 256x256 >out2
done
lanewise layout --guess @largest.txt >out2
lanewise layout wgmma.m64n256k16.f32.f16.f16 --arch sm_90 --operand D --format calculator >calculator.txt
lanewise layout wgmma.m64n256k16.f32.f16.f16 --arch sm_90 --operand D --check @calculator.txt >out2
lanewise layout --guess @calculator.txt >out2
lanewise layout v_mfma_f32_32x32x8_f16 --arch gfx942 --operand D --format calculator >calculator.txt
lanewise layout --guess @calculator.txt >out2
lanewise layout --guess 'int row(int lane, int i) { if (lane < 32) return i + 8*(i/4) - i/4*4; return i%4 + 8*(i/4) + 4; } int col(int lane, int i) { return lane & 0x1f; }' >out2
lanewise layout wgmma.m64n256k16.f32.f16.f16 --arch sm_90 --operand D --next A >out2
lanewise layout --convert '((4,8,4),(2,2,32)):((128,1,16),(64,8,512))' --shape 64x256 --to listing >out2
lanewise layout tcgen05.m128n256k16.f32.f16.f16 --arch sm_100a --operand D --format listing >largest.txt
lanewise layout tcgen05.m128n256k16.f32.f16.f16 --arch sm_100a --operand D --check @largest.txt >out2
lanewise layout tcgen05.m128n256k16.f32.f16.f16 --arch sm_100a --operand D --check 'i = l, j = v + 0*l' >out2
lanewise layout tcgen05.m128n256k16.f32.f16.f16 --arch sm_100a --operand D --check 'i = l, j = 255 - v' >out2
lanewise layout tcgen05.m128n256k16.f32.f16.f16 --arch sm_100a --operand D --format svg >out2
for arch in gfx908 gfx90a gfx942 gfx950 gfx1100 gfx1201 gfx1250 sm_70 sm_80 sm_90 sm_120a; do
    case $arch in
    gfx*) insn=$("$real" list --arch $arch | awk '/^v_(mfma|wmma)/ { name = $1 } END { print name }') ;;
    sm_70) insn=mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 ;;
    *) insn=mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 ;;
    esac
    for format in grid cute triton svg json; do lanewise layout "$insn" --arch $arch --operand A --format $format >out2; done
    lanewise layout --guess 'i = l%16, k = 4*(l/16)+v' --arch $arch >out2
    lanewise layout --guess 'i = 8*(v/4) + 4*(l/32) + v%4, j = l%32' --arch $arch >out2
done
sort -rn "$answers" | head -12
sort -n "$answers" | awk -v most=$most '{ all[NR] = $1; slow += $1 > most } END {
    print NR " questions: median " all[int((NR + 1) / 2)] " ms, slowest " all[NR] " ms"; exit slow > 0 }'
