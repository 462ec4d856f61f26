#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every matrix instruction of AMD's GPUs, under each of its names and in each size of wave, through LLVM's
# assembler: it must take the operands that the row states and encode the row's op, in as many bytes; with one
# register more or fewer for A or B it must refuse. Usage: assemble.sh DUMP_ROWS
set -u
mc=$(command -v llvm-mc-22) || { echo "skipped: llvm-mc-22 is not installed"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
"$1" > "$work/rows" || exit 1
bad=0 total=0

# tuple FILE FIRST COUNT: v[0:7], or v0 for one register
tuple() { if [ "$3" = 1 ]; then echo "$1$2"; else echo "$1[$2:$(($2 + $3 - 1))]"; fi; }

# line NAME FILE D A B LAST SPARSE SCALE
line() {
    local last more=""
    if [ "$7" = 1 ]; then last=$(tuple v 200 "$6"); else last=$(tuple "$2" 0 "$6"); fi
    [ "$8" = 0 ] || more=", $(tuple v 202 "$8"), $(tuple v 204 "$8")"
    echo "$1 $(tuple "$2" 0 "$3"), $(tuple v 64 "$4"), $(tuple v 128 "$5"), $last$more"
}

# Other targets to which LLVM gives the same instructions: their assembler must agree.
targets() {
    case $1 in
        gfx1100) echo "gfx1100 gfx1101 gfx1102 gfx1103 gfx1150 gfx1151 gfx1152 gfx1153 gfx11-generic" ;;
        gfx1201) echo "gfx1200 gfx1201 gfx12-generic" ;;
        gfx1250) echo "gfx1250 gfx1251" ;;
        *) echo "$1" ;;
    esac
}

# assemble TARGET WAVE: op, bytes, prefix of each line of $work/asm
assemble() {
    local features=""
    case $1 in gfx11* | gfx120* | gfx12-*) features="-mattr=+wavefrontsize$2" ;; esac
    # shellcheck disable=SC2086
    "$mc" -arch=amdgcn -mcpu="$1" $features -show-encoding < "$work/asm" > "$work/out" 2> "$work/err"
    # the op field is bits 22:16 (23:16 on gfx1250) of the last half's first dword, beside 0xd3 or 0xcc
    sed -n 's/.*encoding: \[\(.*\)\]/\1/p' "$work/out" | while IFS= read -r text; do
        IFS=, read -ra b <<< "$text"
        local op=$((b[${#b[@]} - 6])) prefix=$((b[${#b[@]} - 5]))
        case $1 in gfx125*) ;; *) op=$((op & 0x7f)) ;; esac
        echo "$op ${#b[@]} $prefix"
    done > "$work/got"
}

for arch in $(cut -d' ' -f1 "$work/rows" | sort -u); do
    for wave in 32 64; do
        : > "$work/asm"; : > "$work/want"; : > "$work/names"
        while read -r a w op bytes sparse file d ra rb last scale names; do
            [ "$a $w" = "$arch $wave" ] || continue
            prefix=211; case $arch in gfx11* | gfx12*) prefix=204 ;; esac
            for name in $names; do
                line "$name" "$file" "$d" "$ra" "$rb" "$last" "$sparse" "$scale" >> "$work/asm"
                echo "$op $bytes $prefix" >> "$work/want"
                echo "$name" >> "$work/names"
            done
        done < "$work/rows"
        [ -s "$work/asm" ] || continue
        for target in $(targets "$arch"); do
            assemble "$target" "$wave"
            total=$((total + $(wc -l < "$work/got")))
            cmp -s "$work/want" "$work/got" || { echo "$target, waves of $wave: row's op, bytes, prefix; llvm-mc's"
                paste "$work/names" "$work/want" "$work/got" | awk -F'\t' '$2 != $3'; cat "$work/err"; bad=1; }
        done
        # one register more
        : > "$work/asm"; : > "$work/names"
        while read -r a w op bytes sparse file d ra rb last scale names; do
            [ "$a $w" = "$arch $wave" ] || continue
            name=${names%% *}
            line "$name" "$file" "$d" $((ra + 1)) "$rb" "$last" "$sparse" "$scale" >> "$work/asm"
            line "$name" "$file" "$d" "$ra" $((rb + 1)) "$last" "$sparse" "$scale" >> "$work/asm"
            line "$name" "$file" $((d + 1)) "$ra" "$rb" "$last" "$sparse" "$scale" >> "$work/asm"
            echo "$name" >> "$work/names"
        done < "$work/rows"
        assemble "$(targets "$arch" | cut -d' ' -f1)" "$wave"
        [ ! -s "$work/got" ] || { echo "$arch, waves of $wave: a wrong number of registers assembles"
            grep encoding "$work/out"; bad=1; }
    done
done
echo "$total spellings assembled"
exit $bad
