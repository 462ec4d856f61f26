#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The page in a browser. Usage: page.sh PROGRAM PAGE_DIR answers|times
set -u
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "${1:?usage: page.sh PROGRAM PAGE_DIR answers|times}")
page=${2:?usage: page.sh PROGRAM PAGE_DIR answers|times}
what=${3:?usage: page.sh PROGRAM PAGE_DIR answers|times}
if grep -q -E '^CMAKE_C_FLAGS:STRING=.*(-fsanitize|--coverage)' "${LW_BINARY_DIR:-.}/CMakeCache.txt" 2>/dev/null; then
    echo "the page is the same whatever the program is built with: tested without sanitizers"
    exit 77
fi
command -v python3 >/dev/null 2>&1 || { echo "python3 is not installed"; exit 77; }
[ -f "$page/explorer.html" ] || { echo "the page is not built: explorer_build says why"; exit 77; }
exec python3 "$here/page.py" "$program" "$page" "$what"
