#!/usr/bin/env bash
# Every mutation still applies: its pattern changes its file, and a test of its name exists. Builds nothing.
# Usage: stale.sh (the build folder is LW_BINARY_DIR)
set -u
cd "${LW_SOURCE_DIR:?}" || exit 1
tests=$(ctest --test-dir "${LW_BINARY_DIR:?}" -N | sed -n 's/^ *Test *#[0-9]*: //p')
[ -n "$tests" ] || { echo "no tests are listed"; exit 1; }
bad=0 count=0
while IFS='|' read -r file test what script; do
    case $file in '' | '#'*) continue ;; esac
    read -r file <<<"$file"
    read -r test <<<"$test"
    count=$((count + 1))
    if ! [ -f "$file" ] || sed "${script# }" "$file" | cmp -s - "$file"; then
        echo "no longer applies to $file:$what"
        bad=1
    fi
    # tests that need other tools may not exist on this machine
    case $test in decode_llvm_* | matrix_llvm_* | layout_probe_* | matrix_assemble | python_*) continue ;; esac
    grep -qx "$test" <<<"$tests" || { echo "no test is called $test:$what"; bad=1; }
done <tests/mutations/mutations.txt
[ $count -gt 100 ] || { echo "only $count mutations were read"; exit 1; }
[ $bad = 0 ] && echo "$count mutations apply"
exit $bad
