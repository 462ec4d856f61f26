#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What docs/learn shows is what the program prints: the table of evidence and the arrays are made again, every page's links lead
# to files, every page is in the site, and the questions name public threads. Usage: learn.sh LANEWISE
set -u
cd "${LW_SOURCE_DIR:?}" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
bad=0
fail() { echo "FAILED: $*"; bad=1; }
python3 -B docs/evidence.py "$1" >"$work/evidence.md" || fail "docs/evidence.py"
cmp "$work/evidence.md" docs/learn/evidence.md || fail "docs/learn/evidence.md is old: python3 docs/evidence.py LANEWISE >docs/learn/evidence.md"
# Counted in another way: the rows of a GPU and an aspect add up to its instructions that compute.
"$1" list --arch gfx942 --evidence | sed -n '/^rests on/,$p' | sed -n 's/^  finite results *//p' >"$work/counts"
sum=0
for n in $(cat "$work/counts"); do sum=$((sum + n)); done
told=$(sed -n '/^## gfx942/,/^## gfx950/p' docs/learn/evidence.md | sed -n 's/^| finite results | [a-z]* | \([0-9]*\) .*/\1/p' | awk '{ sum += $1 } END { print sum }')
[ "$sum" -gt 20 ] && [ "$sum" = "$told" ] || fail "gfx942: $sum instructions by list, $told by the page"
python3 -B docs/learn/arrays.py "$work" || fail "docs/learn/arrays.py"
for array in docs/learn/*.npy; do
    cmp "$array" "$work/${array##*/}" || fail "$array is not what docs/learn/arrays.py writes"
done
pages=0
for page in docs/*.md docs/*/*.md; do
    pages=$((pages + 1))
    grep -q "^ *- ${page#docs/}\$" mkdocs.yml || fail "mkdocs.yml does not name $page"
    while IFS= read -r link; do
        [ -e "$(dirname "$page")/$link" ] || fail "$page: $link does not exist"
    done < <(grep -oE '\]\([^)# ]+' "$page" | sed 's|^](||' | grep -v : | grep -F .)
done
questions=$(grep -c '^## [0-9]' docs/learn/questions.md)
threads=$(grep -oE 'https://github.com/[^/]+/[^/]+/(issues|pull)/[0-9]+' docs/learn/questions.md | sort -u | wc -l)
[ "$questions" -ge 10 ] && [ "$threads" = "$questions" ] || fail "$questions questions, $threads threads"
commands=$(sed -n '/^## [0-9]/p; /^\$ lanewise/p' docs/learn/questions.md | awk '/^##/ { if (open) print last; open = 1; last = $0 } /^\$/ { open = 0 } END { if (open) print last }')
[ -z "$commands" ] || fail "no command answers: $commands"
echo "$pages pages, $questions questions"
exit $bad
