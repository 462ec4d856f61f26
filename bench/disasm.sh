#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How long a code object of 1 MiB takes to list and to disassemble, beside llvm-objdump: processor time, the best of ten runs.
# What is printed goes to /dev/null: 19 MB in a file cost the kernel as much as a third of our time.
# usage: disasm.sh LANEWISE [OBJECT]     OBJECT: whose code is repeated; by default one of examples/objects
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
lanewise=$(realpath "$1")
object=$(realpath "${2:-$here/examples/objects/mxfp4_blocked.co}")
objdump=${OBJDUMP:-llvm-objdump-22} objcopy=${OBJCOPY:-llvm-objcopy-22} clang=${CLANG:-clang-22}
for tool in "$objdump" "$objcopy" "$clang"; do
    command -v "$tool" >/dev/null || { echo "$tool is not installed" >&2; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

arch=$("$lanewise" list "$object" | sed -n 's/.*code object for \(gfx[0-9a-f]*\).*/\1/p;q')
"$objcopy" -O binary --only-section=.text "$object" text.bin
cat >big.s <<END
.text
.globl repeated
.p2align 8
.type repeated,@function
repeated:
.rept $((1048576 / $(stat -c %s text.bin) + 1))
.incbin "text.bin"
.endr
END
"$clang" --target=amdgcn-amd-amdhsa -mcpu="$arch" -x assembler big.s -o big.co

taken() { # COMMAND...: seconds of processor time, the program's and the kernel's for it
    { TIMEFORMAT='%U %S'; time "$@" >/dev/null; } 2>&1 | awk '{ print $1 + $2 }'
}
least() { printf '%s\n' "$@" | sort -g | head -n 1; }

# in turns: other work on the machine then slows them alike
listed=() ours=() theirs=()
for _ in 1 2 3 4 5 6 7 8 9 10; do
    listed+=("$(taken "$lanewise" list big.co)")
    theirs+=("$(taken "$objdump" -d big.co)")
    ours+=("$(taken "$lanewise" disasm big.co)")
done
lines=$("$lanewise" disasm big.co | wc -l)
listed=$(least "${listed[@]}") ours=$(least "${ours[@]}") theirs=$(least "${theirs[@]}")
printf '%s of %s, %u lines: list %s s, disasm %s s, %s %s s, ratio ' "$(stat -c %s big.co) bytes" "$arch" "$lines" "$listed" "$ours" \
    "$objdump" "$theirs"
awk "BEGIN { printf \"%.1f\\n\", $theirs / $ours }"
