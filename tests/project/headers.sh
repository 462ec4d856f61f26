#!/usr/bin/env bash
# Each public header compiles alone, as C11 and as C++. Usage: headers.sh CC INCLUDE_DIR...
set -u
cc=${1:?}; shift
inc=(); for d in "$@"; do inc+=("-I$d"); done
cxx=$(command -v g++ || command -v clang++ || command -v clang++-22 || true)
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
bad=0; n=0
for h in "$1"/lanewise/*.h; do
    name=lanewise/$(basename "$h"); n=$((n + 1))
    printf '#include <%s>\n#include <%s>\nint lw_header_alone;\n' "$name" "$name" >"$tmp/t.c"
    "$cc" -std=c11 -Wall -Wextra -Wpedantic -Werror "${inc[@]}" -c "$tmp/t.c" -o "$tmp/t.o" || { echo "$name does not compile alone as C11"; bad=1; }
    if [ -n "$cxx" ]; then
        cp "$tmp/t.c" "$tmp/t.cpp"
        "$cxx" -std=c++11 -Wall -Wextra -Wpedantic -Werror "${inc[@]}" -c "$tmp/t.cpp" -o "$tmp/t.o" || { echo "$name does not compile alone as C++"; bad=1; }
    fi
done
[ "$n" -ge 5 ] || { echo "only $n headers found"; exit 1; }
[ -n "$cxx" ] || echo "C++ not checked: no C++ compiler"
[ $bad = 0 ] && echo "headers: $n compile alone"
exit $bad
