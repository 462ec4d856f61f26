#!/usr/bin/env bash
# The layering check must catch an offence: this plants one in a copy and expects status 1.
set -u
root=${LW_SOURCE_DIR:?}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
(cd "$root" && tar cf - include isa_tables layouts emu observers loaders cli validate 2>/dev/null) | tar xf - -C "$tmp"
printf '#include "emu/num/nothing.h"\n' >"$tmp/loaders/offender.c"
if out=$("$root/tests/project/layering.sh" "$tmp"); then
    echo "a loader that includes emu/num was not caught"
    exit 1
fi
case $out in
*'loaders/offender.c includes "emu/num/nothing.h"'*) echo "caught: $out" ;;
*) echo "failed for another reason: $out"; exit 1 ;;
esac
