#!/usr/bin/env bash
# The check must catch each form of an offence: this plants it in a copy and expects status 1 and its line.
set -u
root=${LW_SOURCE_DIR:?}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
(cd "$root" && tar cf - isa_tables layouts emu observers loaders cli) | tar xf - -C "$tmp"

caught() { # caught FILE LINE
    printf '%s\n' "$2" >"$tmp/$1"
    if out=$("$root/tests/project/generations.sh" "$tmp"); then
        echo "not caught in $1: $2"
        exit 1
    fi
    case $out in
    *"$1:1:$2"*) echo "caught: $out" ;;
    *) echo "failed for another reason: $out"; exit 1 ;;
    esac
    rm "$tmp/$1"
}

caught emu/num/offender.c 'if (arch == LW_ARCH_GFX942)'
caught layouts/offender.c 'case LW_ARCH_SM_90:'
caught loaders/offender.h 'return lw_insn_on(insn, LW_ARCH_GFX950);'
caught observers/offender.c 'arch < LW_ARCH_SM_80'
caught isa_tables/offender.c 'fast = arch >= LW_ARCH_GFX1100;'
caught isa_tables/offender.c 'case LW_ARCH_GFX908:'
caught isa_tables/offender.c 'if (LW_ARCH_SM_75 != arch)'
