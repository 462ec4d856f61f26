#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the library for wasm32 and runs digest.c there and natively: the output must be the same. Usage: run.sh NATIVE BUILD_DIR
# The engine is wasmtime's Python package or Node.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=${here%/tests/wasm}
native=${1:?usage: run.sh NATIVE BUILD_DIR}
build=${2:?usage: run.sh NATIVE BUILD_DIR}
for tool in clang-22 wasm-ld-22 cmake; do
    command -v "$tool" >/dev/null 2>&1 || { echo "$tool is not installed"; exit 77; }
done
printf '#include <stdio.h>\nint main(void) { return puts("") < 0; }\n' |
    clang-22 -Wno-deprecated --target=wasm32-wasi -x c - -o /dev/null 2>/dev/null ||
    { echo "clang-22 cannot build for wasm32-wasi: wasi-libc or libclang-rt-22-dev-wasm32 is not installed"; exit 77; }
if python3 -c 'import wasmtime' 2>/dev/null; then
    engine=(python3 "$here/run.py")
elif command -v node >/dev/null 2>&1; then
    engine=(node --no-warnings "$here/run.mjs")
else
    echo "no engine for WebAssembly: neither wasmtime (Python) nor node is installed"
    exit 77
fi

mkdir -p "$build" || exit 1
cmake -S "$root" -B "$build" -DCMAKE_TOOLCHAIN_FILE="$root/cmake/wasm32-wasi.cmake" -DCMAKE_BUILD_TYPE=Release \
    -DLW_WERROR=ON -DLW_BUILD_CLI=OFF -DLW_BUILD_TESTS=OFF -DLW_BUILD_EXAMPLES=OFF \
    -DLW_WITH_ZLIB=OFF -DLW_WITH_ZSTD=OFF >"$build/log" 2>&1 &&
    cmake --build "$build" -j 2 >"$build/log" 2>&1 &&
    clang-22 -Wno-deprecated --target=wasm32-wasi -std=c11 -O2 -Wall -Wextra -Wconversion -Werror -Wl,-z,stack-size=1048576 \
        -I"$root/include" -I"$build/include" "$here/digest.c" "$build/liblanewise.a" -o "$build/digest.wasm" \
        >>"$build/log" 2>&1 || { grep -E 'error|warning' "$build/log" | head -20; tail -5 "$build/log"; exit 1; }

awk -F, 'FNR > 1 && FNR % 3 == 0 { for (i = 1; i <= NF; i++) if ($i ~ /^(mma|wmma)\./) { print "sm_80 " $i; print "sm_90 " $i
    print "sm_120a " $i; break } }' "$root/tests/data/ptx-mma.csv" >"$build/spellings"
LANEWISE_CPU=portable "$native" <"$build/spellings" >"$build/here" || { echo "the native program failed"; exit 1; }
"${engine[@]}" "$build/digest.wasm" <"$build/spellings" >"$build/there" || { echo "the wasm32 program failed"; exit 1; }
lines=$(wc -l <"$build/here")
[ "$lines" -gt 400 ] || { echo "only $lines lines"; exit 1; }
diff "$build/here" "$build/there" >"$build/diff" || { head -20 "$build/diff"; exit 1; }
echo "wasm32: $lines lines are the same"
