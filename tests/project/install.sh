#!/usr/bin/env bash
# Installs the build to a scratch folder and builds tests/consumer against it, by CMake package and by pkg-config.
set -eu
src=${LW_SOURCE_DIR:?} bin=${LW_BINARY_DIR:?} cc=${1:?usage: install.sh CC}
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
if grep -q -E '^CMAKE_C_FLAGS:STRING=.*(-fsanitize|--coverage)' "$bin/CMakeCache.txt"; then
    echo "skipped: an instrumented library is not what users install"; exit 77
fi
cmake --install "$bin" --prefix "$tmp/prefix" >"$tmp/log" || { cat "$tmp/log"; exit 1; }
[ -f "$tmp/prefix/include/lanewise/lanewise.h" ]
# internals are not installed: only lanewise/*.h is
others=$(find "$tmp/prefix/include" -type f ! -path '*/include/lanewise/*.h')
[ -z "$others" ] || { echo "installed besides the public headers: $others"; exit 1; }
cmake -S "$src/tests/consumer" -B "$tmp/b" -DCMAKE_PREFIX_PATH="$tmp/prefix" -DCMAKE_C_COMPILER="$cc" >"$tmp/log" 2>&1 || { cat "$tmp/log"; exit 1; }
cmake --build "$tmp/b" >"$tmp/log" 2>&1 || { cat "$tmp/log"; exit 1; }
"$tmp/b/consumer"
pc=$(dirname "$(find "$tmp/prefix" -name lanewise.pc)")
# as users call it: the file must find its own prefix and name what a static library needs
flags=$(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs lanewise)
case $flags in *"$tmp/prefix"* | *"$pc"*) ;; *) echo "lanewise.pc names another prefix: $flags"; exit 1 ;; esac
# shellcheck disable=SC2086
"$cc" -std=c11 "$src/tests/consumer/consumer.c" $flags -o "$tmp/consumer"
"$tmp/consumer"
if command -v c++ >/dev/null; then # a project that has C++ only
    cmake -S "$src/tests/consumer/cxx" -B "$tmp/cxx" -DCMAKE_PREFIX_PATH="$tmp/prefix" >"$tmp/log" 2>&1 || { cat "$tmp/log"; exit 1; }
    cmake --build "$tmp/cxx" >"$tmp/log" 2>&1 || { cat "$tmp/log"; exit 1; }
    "$tmp/cxx/consumer"
fi
if grep -q '^LW_BUILD_RUNTIME:BOOL=ON' "$bin/CMakeCache.txt"; then # a program that calls ptx_run and links nothing else
    printf '#include <lanewise/ptxrun.h>\nint main(void) { return ptx_run_status(); }\n' >"$tmp/ptx.c"
    lib=$(dirname "$(find "$tmp/prefix" -name libptxrun.so)")
    "$cc" -std=c11 "$tmp/ptx.c" -I "$tmp/prefix/include" -L "$lib" -lptxrun -Wl,-rpath,"$lib" -o "$tmp/ptx"
    "$tmp/ptx"
fi
if [ -x "$tmp/prefix/bin/lanewise" ]; then
    "$tmp/prefix/bin/lanewise" --version
    for file in man/man1/lanewise.1 bash-completion/completions/lanewise zsh/site-functions/_lanewise \
        fish/vendor_completions.d/lanewise.fish; do
        [ -s "$tmp/prefix/share/$file" ] || { echo "share/$file is not installed"; exit 1; }
    done
fi
