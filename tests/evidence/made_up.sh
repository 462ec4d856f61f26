#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A row that no list names is `inferred` at best, whatever its neighbours earned: in info, layout and list --evidence.
# Usage: made_up.sh LANEWISE, built with two rows that do not exist (see CMakeLists.txt)
set -u
lanewise=$1 bad=0
say() {
    echo "$*"
    bad=1
}

# INSN ARCH NEIGHBOUR: the neighbour has the same class and shape of places, and has a stronger label.
judge() {
    local info labels places
    info=$("$lanewise" info "$1" --arch "$2" --json) || { say "info $1: $info"; return; }
    labels=$(python3 -c 'import json, sys
print(*[e["label"] for e in json.load(sys.stdin)["evidence"]])' <<<"$info")
    for label in $labels; do
        case $label in inferred | unknown) ;; *) say "$1 on $2 is called $label: $labels" ;; esac
    done
    case $labels in inferred*) ;; *) say "finite results of $1 on $2: $labels" ;; esac
    "$lanewise" info "$3" --arch "$2" | grep -q '^  finite results *\(recorded\|measured\)' ||
        say "$3 on $2 earned nothing: the test shows nothing"
    for operand in A B C D; do
        places=$("$lanewise" layout "$1" --arch "$2" --operand $operand --json | sed -n 's/^ *"evidence": "\(.*\)",/\1/p')
        [ "$places" = inferred ] || say "places of $operand of $1 on $2: $places"
        places=$("$lanewise" layout "$3" --arch "$2" --operand $operand --json | sed -n 's/^ *"evidence": "\(.*\)",/\1/p')
        [ "$places" = inferred ] && say "places of $operand of $3 on $2: $places; the test shows nothing"
    done
    "$lanewise" list --arch "$2" --evidence | grep -q "^$1 .* inferred  *\(inferred\|unknown\)$" ||
        say "$("$lanewise" list --arch "$2" --evidence | grep "^$1 ")"
}

judge v_mfma_f32_16x16x8_dream gfx942 v_mfma_f32_16x16x16_f16
judge mma.m16n8k32.f32.f16.f16.f32 sm_80 mma.m16n8k16.f32.f16.f16.f32
[ $bad = 0 ] && echo "two rows that no list names: inferred"
exit $bad
