#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# docs/adding-an-instruction.md tells the truth: the rows it shows stand in the files it names, the checks it names are
# tests, and the commit it shows adds that row and nothing else (where there is a history to ask).
set -u
cd "${LW_SOURCE_DIR:?}" || exit 1
document=docs/adding-an-instruction.md bad=0
say() { echo "$document: $*"; bad=1; }
squeeze() { tr -s ' ' <"$1"; }

shown() { # ROW FILE: the row, however it is spaced
    [ -n "$1" ] || { say "shows no row of $2"; return; }
    squeeze "$2" | grep -q -F -e "$(tr -s ' ' <<<"$1")" || say "the row shown is not in $2: $1"
}
shown "$(grep -m1 '^MATRIX(' $document)" isa_tables/matrix.inc
shown "$(grep -m1 '^RECIPE(' $document)" isa_tables/recipes.inc
row=$(sed -n 's/^+\(LANE_DOT(.*\)/\1/p' $document)
shown "$row" isa_tables/lane_dots.inc

for test in $(grep -o '`[a-z]*_[a-z]*`' $document | tr -d '\140' | sort -u); do
    case $test in
    matrix_* | mma_* | fast_*) grep -rq "lw_add_.*test($test\>" tests || [ "$test" = matrix_llvm_names ] || say "there is no test $test" ;;
    esac
done

subject=$(sed -n "s/^.*git show ':\/\([^']*\)'.*$/\1/p" $document)
[ -n "$subject" ] || say "names no commit"
if git rev-parse --git-dir >/dev/null 2>&1 && commit=$(git log --format=%H --grep="^$subject" -1) && [ -n "$commit" ]; then
    [ "$(git show --format= --numstat "$commit")" = "1	0	isa_tables/lane_dots.inc" ] || say "commit $commit does more"
    git show --format= "$commit" | grep -q -F -x -e "+$row" || say "commit $commit adds another row"
else
    echo "no history here: the commit was not looked at"
fi
[ $bad = 0 ] && echo "$document: rows, tests and commit are there"
exit $bad
