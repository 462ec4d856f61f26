#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cli/gpu/templates.inc is what validate/gpu/templates.sh writes. Status 77: there is no clang-22 here.
set -u
command -v clang-22 >/dev/null && command -v llvm-readelf-22 >/dev/null && command -v ld.lld >/dev/null || {
    echo "clang-22, llvm-readelf-22 or ld.lld is missing"
    exit 77
}
work=$(mktemp)
trap 'rm -f "$work"' EXIT
"$LW_SOURCE_DIR/validate/gpu/templates.sh" >"$work" || exit 1
cmp "$work" "$LW_SOURCE_DIR/cli/gpu/templates.inc" || exit 1
[ "$(grep -c ^TEMPLATE "$work")" = 11 ] || exit 1
echo "eleven templates as committed"
