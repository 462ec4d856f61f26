#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks the pages about adding things. Instructions: the rows shown are in the files named, the checks named are tests, and
# the instruction that was removed as an example is in the files that the page lists and in no others. Generations: every
# table that names one of three generations is on the page. All: the files in their tables exist.
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
shown "$(grep -m1 '^VOP1(' $document)" isa_tables/amdgpu/vop1.inc
shown "$(grep -m1 '^INT1(' $document)" emu/amdgpu/vector/vint.c

# The files in the tables exist, and name the instruction that was removed as an example.
for file in $(sed -n 's/^| `\([a-zA-Z_/.-]*\)`.*/\1/p' $document); do
    [ -e "$file" ] || say "there is no $file"
done
removed=$(sed -n 's/^Counted by removing `\([a-z0-9_]*\)`.*/\1/p' $document)
[ -n "$removed" ] || say "names no instruction that was taken out"
for file in isa_tables/matrix.inc isa_tables/documented.inc tests/data/amd-matrix.csv docs/instructions.md; do
    grep -q "$removed" $file || say "$file does not name $removed"
done
others=$(grep -rlw "$removed" isa_tables emu layouts loaders cli tests docs bench |
    grep -vxE "isa_tables/(matrix|documented).inc|tests/data/amd-matrix.csv|docs/(instructions|adding-an-instruction).md")
[ -z "$others" ] || say "does not list $others, where $removed stands too"

for test in $(grep -o '`[a-z]*_[a-z]*`' $document | tr -d '\140' | sort -u); do
    case $test in
    valu_*) [ -f "tests/valu/test_${test#valu_}.c" ] || say "there is no test $test" ;;
    matrix_* | mma_* | fast_* | evidence_one_*) grep -rq "lw_add_.*test($test\>" tests || [ "$test" = matrix_llvm_names ] || say "there is no test $test" ;;
    esac
done

# Files in the first columns of the other pages; NAME stands for the thing that is added.
for document in docs/adding-a-check.md docs/adding-a-generation.md docs/architecture.md; do
    files=$(sed -n '/^ *| `/p' $document | cut -d'|' -f2 | grep -o '`[^`]*`' | tr -d '\140' | grep -v NAME)
    [ -n "$files" ] || say "names no files"
    for file in $files; do
        [ -e "$file" ] || say "there is no $file"
    done
    for test in $(grep ' fails\? |$' $document | awk -F'|' '{ print $(NF - 1) }' | grep -o '`[a-z_]*`' | tr -d '\140' | sort -u); do
        grep -rq "lw_add_\(script_\)\?test($test\>" tests || [ -f "tests/cli/cases/${test#cli_}.t" ] || say "there is no test $test"
    done
done

document=docs/adding-a-generation.md
for file in $(grep -rlE '(\b|LW_ARCH_)GFX(90A|942|950)\b' include isa_tables layouts emu loaders observers cli validate); do
    grep -q -F "\`$file\`" $document || say "does not list $file, which names generations"
done

[ $bad = 0 ] && echo "the pages about adding things: rows, files and tests are there"
exit $bad
