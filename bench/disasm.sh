#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How long a code object of 1 MiB takes to list and to disassemble, beside llvm-objdump: processor time, the best of ten runs.
# usage: disasm.sh LANEWISE [OBJECT]     OBJECT: whose code is repeated; by default one of examples/objects
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
lanewise=$(realpath "$1")
object=${2:-$here/examples/objects/mxfp4_blocked.co}
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

best() { # COMMAND...: seconds of processor time
    local least=
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        local t
        t=$({ TIMEFORMAT=%U; time "$@" >out; } 2>&1)
        least=$(printf '%s\n' $least "$t" | sort -n | head -n 1)
    done
    echo "$least"
}

listed=$(best "$lanewise" list big.co)
ours=$(best "$lanewise" disasm big.co)
lines=$(wc -l <out)
theirs=$(best "$objdump" -d big.co)
printf '%s of %s, %u lines: list %s s, disasm %s s, %s %s s, ratio ' "$(stat -c %s big.co) bytes" "$arch" "$lines" "$listed" "$ours" \
    "$objdump" "$theirs"
awk "BEGIN { printf \"%.1f\\n\", $theirs / $ours }"
