#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# docs/checks.md and docs/checks/banks.md agree with the tables about the targets with bank rules, and those whose kernels run under --check banks. Usage: banks.sh ROOT
set -u
cd "${1:?usage: banks.sh ROOT}" || exit 1
bad=0
ruled=$(sed -nE 's/^(RULE|WARP)\((GFX[0-9A-F]+|SM_[0-9]+[A-Z]?),.*/\2/p' isa_tables/banks.inc | uniq)
all=$(sed -nE 's/^ARCH\(([A-Z0-9_]+),.*/\1/p' isa_tables/arch.inc)
kernels=$(sed -nE 's/^ARCH\(([A-Z0-9_]+),.*, true, [0-9]+\)$/\1/p' isa_tables/arch.inc)
[ -n "$ruled" ] && [ -n "$all" ] && [ -n "$kernels" ] || { echo "the tables have another form"; exit 1; }
missing=$(echo "$all" | grep '^SM_' | grep -vxF "$ruled")
[ -z "$missing" ] || { echo "no bank rule for $missing"; bad=1; }
amd() { grep '^GFX' | tr 'A-Z' 'a-z' | paste -sd, | sed 's/,/, /g'; }
expect() {
    grep -qF -- "$1" docs/checks.md docs/checks/banks.md || { echo "docs/checks.md and docs/checks/banks.md do not say: $1"; bad=1; }
}
expect "There are rules for $(echo "$all" | grep -xF "$ruled" | amd) and all sm_ targets, not for $(echo "$all" | grep -vxF "$ruled" | amd)."
expect "but time | all; LDS: $(echo "$kernels" | grep -xF "$ruled" | amd), all sm_ targets"
exit $bad
