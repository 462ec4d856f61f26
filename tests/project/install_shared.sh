#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A shared build, installed and then moved: its program starts in its new place, the SONAME is that of the version,
# a C++ program links and Python can call it. The build is kept in the build folder, so that the next run is short.
set -eu
src=${LW_SOURCE_DIR:?} bin=${LW_BINARY_DIR:?}/shared cc=${1:?usage: install_shared.sh CC}
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
if grep -q -E '^CMAKE_C_FLAGS:STRING=.*(-fsanitize|--coverage)' "$LW_BINARY_DIR/CMakeCache.txt"; then
    echo "skipped: an instrumented library is not what users install"; exit 77
fi
say() { "$@" >"$tmp/log" 2>&1 || { cat "$tmp/log"; exit 1; }; }
say cmake -S "$src" -B "$bin" -DBUILD_SHARED_LIBS=ON -DLW_BUILD_TESTS=OFF -DLW_BUILD_EXAMPLES=OFF \
    -DCMAKE_C_COMPILER="$cc" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O0
say cmake --build "$bin" -j 2
say cmake --install "$bin" --prefix "$tmp/first"
mv "$tmp/first" "$tmp/second"
env -u LD_LIBRARY_PATH "$tmp/second/bin/lanewise" --version

lib=$(dirname "$(find "$tmp/second" -name liblanewise.so)")
number() { sed -n "s/^#define LW_VERSION_$1 //p" "$tmp/second/include/lanewise/version.h"; }
soname=liblanewise.so.$(number MAJOR)
[ "$(number MAJOR)" != 0 ] || soname=$soname.$(number MINOR)
readelf -d "$lib/liblanewise.so" | grep -q -F "[$soname]" || { echo "the SONAME is not $soname"; exit 1; }
readelf -d "$tmp/second/bin/lanewise" | grep -q -F "[$soname]" || { echo "the program does not need $soname"; exit 1; }

if command -v c++ >/dev/null; then
    say cmake -S "$src/tests/consumer/cxx" -B "$tmp/cxx" -DCMAKE_PREFIX_PATH="$tmp/second"
    say cmake --build "$tmp/cxx"
    "$tmp/cxx/consumer"
fi
grep -q -F "'$soname'" "$src/python/lanewise/_c.py" || { echo "the Python package loads another library than $soname"; exit 1; }
for python in python3 /usr/bin/python3; do
    "$python" -c 'import numpy' 2>/dev/null || continue
    got=$(cd "$src" && env -u LANEWISE_LIBRARY LD_LIBRARY_PATH="$lib" PYTHONPATH=python "$python" -B examples/one_mfma.py)
    [ "$got" = "-0.5
1000.0 320 0" ] || { echo "one_mfma.py prints $got"; exit 1; }
    exit 0
done
echo "no Python here has NumPy: examples/one_mfma.py was not run"
