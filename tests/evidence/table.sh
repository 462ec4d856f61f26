#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The table between the marks in docs/numerics.md is what the rows say. Usage: table.sh PROGRAM [--write]
set -u
cd "${LW_SOURCE_DIR:-.}" || exit 1
document=docs/numerics.md begin='<!-- evidence: made by tests/evidence/table.sh -->' end='<!-- evidence ends -->'
if [ "${2:-}" = --write ]; then
    "$1" >"$document.table" || exit 1
    sed -i -e "/^$(sed 's/[\/&.]/\\&/g' <<<"$begin")\$/,/^$end\$/{//!d}" "$document"
    sed -i -e "/^$(sed 's/[\/&.]/\\&/g' <<<"$begin")\$/r $document.table" "$document"
    rm "$document.table"
fi
rows=$("$1" | grep -c '^| [a-z]*ed |')
[ "$rows" -ge 20 ] || { echo "only $rows rows"; exit 1; }
if ! diff <(sed -n "/^$(sed 's/[\/&.]/\\&/g' <<<"$begin")\$/,/^$end\$/{//!p}" "$document") <("$1"); then
    echo "$document is out of date: LW_SOURCE_DIR=. tests/evidence/table.sh $1 --write"
    exit 1
fi
echo "$document has $rows rows of what was compared with a chip, as the tables do"
