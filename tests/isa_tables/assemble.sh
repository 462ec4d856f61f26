#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every matrix instruction, under each of its names, through LLVM's assembler: it must take the operands
# that the row states and encode the row's op, in as many bytes. Usage: assemble.sh DUMP_ROWS
set -u
mc=$(command -v llvm-mc-22) || { echo "skipped: llvm-mc-22 is not installed"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
"$1" > "$work/rows" || exit 1
bad=0 total=0

# v[0:n-1] for n registers beginning at $1
tuple() { if [ "$2" = 1 ]; then echo "v$1"; else echo "v[$1:$(($1 + $2 - 1))]"; fi; }

for arch in $(cut -d' ' -f1 "$work/rows" | sort -u); do
    : > "$work/asm"; : > "$work/want"
    while read -r a op bytes sparse scaled d ra rb names; do
        [ "$a" = "$arch" ] || continue
        for name in $names; do
            last=$(tuple 0 "$d"); [ "$sparse" = 1 ] && last=v200
            more=""; [ "$scaled" = 1 ] && more=", v202, v203"
            echo "$name $(tuple 0 "$d"), $(tuple 64 "$ra"), $(tuple 128 "$rb"), $last$more" >> "$work/asm"
            echo "$op $bytes $name" >> "$work/want"
        done
    done < "$work/rows"
    "$mc" -arch=amdgcn -mcpu="$arch" -show-encoding < "$work/asm" > "$work/out" 2> "$work/err" ||
        { echo "$arch: the assembler refuses a row"; cat "$work/err"; bad=1; }
    # the op field is bits 22:16 of the last instruction half's first dword, the byte before 0xd3
    sed -n 's/.*encoding: \[\(.*\)\]/\1/p' "$work/out" | while IFS= read -r line; do
        IFS=, read -ra b <<< "$line"
        echo "$((b[${#b[@]} - 6] & 0x7f)) ${#b[@]} $((b[${#b[@]} - 5]))"
    done > "$work/got"
    while read -r op bytes name <&3 && read -r got_op got_bytes prefix <&4; do
        total=$((total + 1))
        [ "$op $bytes 211" = "$got_op $got_bytes $prefix" ] ||
            { echo "$arch $name: row says op $op in $bytes bytes, llvm-mc $got_op in $got_bytes"; bad=1; }
    done 3< "$work/want" 4< "$work/got"
    [ "$(wc -l < "$work/want")" = "$(wc -l < "$work/got")" ] ||
        { echo "$arch: $(wc -l < "$work/want") names, $(wc -l < "$work/got") encodings"; bad=1; }
done
echo "$total spellings assembled"
exit $bad
