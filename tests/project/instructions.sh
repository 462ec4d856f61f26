#!/usr/bin/env bash
# docs/instructions.md is what the program prints. Usage: instructions.sh LANEWISE
set -u
cd "${LW_SOURCE_DIR:?}" || exit 1
if ! diff docs/instructions.md <(docs/instructions.sh "$1"); then
    echo "docs/instructions.md is out of date: docs/instructions.sh $1 > docs/instructions.md"
    exit 1
fi
echo "docs/instructions.md is what the program prints"
