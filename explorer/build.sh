#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the page: explorer/build.sh [BUILD_DIR [PAGE_DIR]], by default build/wasm32 and build/explorer. PAGE_DIR can be
# put on any static server; PAGE_DIR/explorer.html is the same in one file, to be opened from disk.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=${here%/explorer}
build=${1:-$root/build/wasm32}
page=${2:-$root/build/explorer}
for tool in clang-22 wasm-ld-22 cmake python3; do
    command -v "$tool" >/dev/null 2>&1 || { echo "$tool is not installed"; exit 77; }
done
mkdir -p "$build" "$page"
# The same options as tests/wasm/run.sh, which shares the folder.
{
    cmake -S "$root" -B "$build" -DCMAKE_TOOLCHAIN_FILE="$root/cmake/wasm32-wasi.cmake" -DCMAKE_BUILD_TYPE=Release \
        -DLW_WERROR=ON -DLW_BUILD_CLI=OFF -DLW_BUILD_TESTS=OFF -DLW_BUILD_EXAMPLES=OFF \
        -DLW_WITH_ZLIB=OFF -DLW_WITH_ZSTD=OFF &&
        cmake --build "$build" -j 2 --target explorer_wasm
} >"$build/explorer.log" 2>&1 || { grep -E 'error|warning' "$build/explorer.log" | head -20; tail -5 "$build/explorer.log"; exit 1; }
rm -rf "$page/js"
mkdir -p "$page/js"
cp "$here/index.html" "$here/style.css" "$page/"
cp "$here"/js/*.js "$page/js/"
cp "$build/explorer/wasm/lanewise.wasm" "$page/"
python3 "$here/single.py" "$page" "$page/explorer.html"
echo "page: $page/index.html; in one file: $page/explorer.html"
