#!/bin/sh
# SPDX-License-Identifier: MIT
# The committed code objects match their sources: same machine code and same kernel descriptors.
# Only meaningful under the compiler that made them. usage: rebuild.sh SOURCE_DIR
set -eu

examples=$1/examples
recorded=$(cat "$examples/objects/COMPILER")
clang=${CLANG:-clang-22}
objcopy=${OBJCOPY:-llvm-objcopy-22}
for tool in "$clang" "$objcopy"; do
    command -v "$tool" >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
found=$("$clang" --version | head -n 1)
[ "$found" = "$recorded" ] || { echo "skipped: objects were made by '$recorded', here is '$found'"; exit 77; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$examples/build.sh" "$work/new"

status=0
for new in "$work"/new/*.co; do
    name=$(basename "$new")
    old=$examples/objects/$name
    for section in .text .rodata .note; do
        "$objcopy" -O binary --only-section="$section" "$new" "$work/a"
        "$objcopy" -O binary --only-section="$section" "$old" "$work/b"
        [ -s "$work/a" ] || { echo "$name: no $section"; status=1; }
        cmp -s "$work/a" "$work/b" || { echo "$name: $section differs from its source"; status=1; }
    done
done
for old in "$examples"/objects/*.co; do
    [ -f "$work/new/$(basename "$old")" ] || { echo "$(basename "$old"): nothing builds it"; status=1; }
done
exit $status
