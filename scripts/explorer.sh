#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# One command: installs what is missing, builds the page for the browser and opens it. --no-open: says only where it is.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/scripts/common.sh"
cd "$here"
[ "$#" = 0 ] || [ "$*" = --no-open ] || die "takes --no-open or nothing"

need "the page" clang-22 lld-22 wasi-libc libclang-rt-22-dev-wasm32 cmake make python3 ||
    die "without these the page cannot be built; the program answers the same without it: scripts/demo.sh builds it"

say "building the page in build/explorer/page (the first time: the whole library)"
explorer/build.sh build/wasm32 build/explorer/page || die "the page was not built"

page="file://$here/build/explorer/page/explorer.html"
say "the page in one file: $page"
echo "who holds D[3][5]?        $page#operand=D&cell=0,3,5"
if [ "$*" != --no-open ] && [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && command -v xdg-open >/dev/null 2>&1; then
    xdg-open "$page"
fi
