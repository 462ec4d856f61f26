#!/usr/bin/env bash
# Checks the README: its C program is the one that is built, and the commands of its ```console blocks print
# what it shows ("[...]" stands for any lines). Usage: readme.sh LANEWISE [DOCUMENT]: of another document, the commands only.
set -u
root=${LW_SOURCE_DIR:?} lanewise=${1:?usage: readme.sh LANEWISE [DOCUMENT]} document=${2:-README.md}
bad=0
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/bin" && ln -s "$(readlink -f "$lanewise")" "$tmp/bin/lanewise"
PATH=$tmp/bin:$PATH
cd "$root" || exit 1

sed -n '/^```c$/,/^```$/p' README.md | sed '1d;$d' >"$tmp/readme.c"
[ "$document" != README.md ] || tail -n +2 examples/one_mfma.c | cmp -s - "$tmp/readme.c" || { echo "the C program of README.md is not examples/one_mfma.c"; bad=1; }

sed -n '/^```python$/,/^```$/p' README.md | sed '1d;$d' >"$tmp/readme.py"
[ "$document" != README.md ] || tail -n +2 examples/one_mfma.py | cmp -s - "$tmp/readme.py" || { echo "the Python program of README.md is not examples/one_mfma.py"; bad=1; }
sed -n '/^```cmake$/,/^```$/p' README.md | sed '1d;$d' >"$tmp/readme.cmake"
[ "$document" != README.md ] || { [ -s "$tmp/readme.cmake" ] && ! grep -v -x -F -f tests/consumer/cxx/CMakeLists.txt "$tmp/readme.cmake"; } ||
    { echo "the CMake lines of README.md are not in tests/consumer/cxx"; bad=1; }

commands=0
check() { # compares the output of $command with $tmp/want
    [ -n "${command:-}" ] || return 0
    commands=$((commands + 1))
    bash -c "$command" >"$tmp/got" 2>&1
    if grep -q -F -x '[...]' "$tmp/want"; then
        # every shown line, in this order
        grep -v -F -x '[...]' "$tmp/want" >"$tmp/shown"
        grep -F -x -f "$tmp/shown" "$tmp/got" | cmp -s - "$tmp/shown" || { echo "$document: '$command' prints otherwise"; bad=1; }
    elif ! diff "$tmp/want" "$tmp/got" >"$tmp/diff"; then
        echo "$document: '$command' prints otherwise:"; cat "$tmp/diff"; bad=1
    fi
}
command=
while IFS= read -r line; do
    case $line in
    '$ '*) check; command=${line#'$ '}; : >"$tmp/want" ;;
    *) printf '%s\n' "$line" >>"$tmp/want" ;;
    esac
done < <(sed -n '/^```console$/,/^```$/p' "$document" | grep -v '^```')
check
[ "$commands" -ge 1 ] || { echo "only $commands commands found in $document"; bad=1; }
[ $bad = 0 ] && echo "$document: $commands commands (and of the README the program) are as shown"
exit $bad
