#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `lanewise disasm` prints whole files as llvm-objdump-22 -d does: the examples' code objects, and one made here with
# data between instructions, unknown words, zeros and a tail, one with a very long name, and a kernel of the
# corpus for each sibling of a target. Usage: objdump.sh PROGRAM
set -u
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "${1:?usage: objdump.sh PROGRAM}")
root=${here%/tests/cli}
command -v llvm-objdump-22 >/dev/null 2>&1 || { echo "llvm-objdump-22 is not installed"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cp "$root"/examples/objects/*.co "$work"
if command -v clang-22 >/dev/null 2>&1 && command -v ld.lld-22 >/dev/null 2>&1; then
    cat >"$work/odd.s" <<'ASM'
.text
.globl one
.type one,@function
one:
 s_nop 0
 .long 0xffffffff
 .long 0xd2ff0000
 s_branch 65530
 .long 0, 0, 0, 0, 0
 s_endpgm
two:
three:
 s_branch 0
 s_branch label
 s_call_b64 s[0:1], label
 .long 0xbf80
 v_mfma_f32_16x16x16_f16 v[0:3], v[4:5], v[6:7], v[0:3]
 s_cbranch_scc0 65533
 .long 0, 7
 .long 0, 0, 7
label:
also_label:
 s_cbranch_execz label
 s_cbranch_vccz four
.type four,@function
four:
four_label:
 s_branch four_label
.section .text.other,"ax",@progbits
one_more:
 s_branch one_more
 .byte 1, 2, 3
ASM
    clang-22 -target amdgcn-amd-amdhsa -mcpu=gfx950 -c "$work/odd.s" -o "$work/odd.o" &&
        ld.lld-22 -shared "$work/odd.o" -o "$work/odd.co" || exit 1
    name=$(printf '%70000s' '' | tr ' ' s)
    printf '.type %s,@function\n%s:\n s_nop 0\n s_branch %s\n' "$name" "$name" "$name" >"$work/name.s"
    clang-22 -target amdgcn-amd-amdhsa -mcpu=gfx950 -c "$work/name.s" -o "$work/name.o" &&
        ld.lld-22 -shared "$work/name.o" -o "$work/name.co" || exit 1
    while read -r arch file; do
        clang-22 -x hip --cuda-device-only --no-gpu-bundle-output -nogpulib -nogpuinc -fuse-cuid=none "--offload-arch=$arch" \
            -std=c++17 -O2 "$root/tests/corpus/kernels/$file.hip" -o "$work/$arch-$file.co" || exit 1
    done <<END
gfx1101 wmma
gfx1102 machine
gfx1103 dense
gfx1151 wmma
gfx1152 permlane
gfx1153 lanes
gfx1200 swmmac
gfx1251 wmma_gfx1250
gfx1251 shares
gfx1251 tiles_gfx1250
END
fi
cd "$work" || exit 1
bad=0
files=0
for file in *.co; do
    "$program" disasm "$file" >ours || bad=1
    llvm-objdump-22 -d "$file" >theirs
    diff ours theirs | head -20
    cmp -s ours theirs || bad=1
    files=$((files + 1))
done
echo "$files files"
exit $bad
