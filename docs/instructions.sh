#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Prints docs/instructions.md from the program's own tables: docs/instructions.sh LANEWISE > docs/instructions.md
set -eu
lanewise=${1:?usage: instructions.sh LANEWISE}
cat <<'TEXT'
# Matrix instructions and how sure we are of them

Made by `docs/instructions.sh build/cli/lanewise`; a test compares. "finite" is the label of ordinary finite results,
"weakest aspect" that of the least known aspect (subnormals, sign of zero, overflow, NaN bits). Below each table stands
how many instructions have which label, aspect by aspect. `lanewise info` says what each label rests on.
TEXT
for arch in gfx908 gfx90a gfx942 gfx950 gfx1100 gfx1150 gfx1201 gfx1250 sm_70 sm_75 sm_80 sm_89 sm_90 sm_100a sm_120a; do
    printf '\n## %s\n\n```\n' $arch
    "$lanewise" list --arch $arch --evidence
    printf '```\n'
done
