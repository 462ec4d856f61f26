#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The pictures of docs/layouts.md, docs/worked and docs/learn are the program's output, and all of them are used. Usage: images.sh LANEWISE
set -u
cd "${LW_SOURCE_DIR:?}" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
docs/images.sh "$1" "$work" || exit 1
diff -rq docs/images "$work" || { echo "docs/images is out of date: docs/images.sh $1"; exit 1; }
for picture in docs/images/*.svg; do
    grep -q -F "images/${picture##*/})" docs/layouts.md docs/worked/*.md docs/learn/*.md || { echo "$picture is shown on no page"; exit 1; }
done
echo "the pictures are what the program draws"
