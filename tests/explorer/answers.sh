#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The page's library answers as the program does. Usage: answers.sh PROGRAM PAGE_DIR
set -u
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "${1:?usage: answers.sh PROGRAM PAGE_DIR}")
page=${2:?usage: answers.sh PROGRAM PAGE_DIR}
if grep -q -E '^CMAKE_C_FLAGS:STRING=.*(-fsanitize|--coverage)' "${LW_BINARY_DIR:-.}/CMakeCache.txt" 2>/dev/null; then
    echo "the page is the same whatever the program is built with: tested without sanitizers"
    exit 77
fi
command -v node >/dev/null 2>&1 || { echo "node is not installed"; exit 77; }
[ -f "$page/lanewise.wasm" ] || { echo "the page is not built: explorer_build says why"; exit 77; }
exec node --no-warnings "$here/answers.mjs" "$program" "$page"
