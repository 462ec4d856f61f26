#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A HIP program on the vendor's headers, as Debian has them (libamdhip64-dev 5.2.3), compiled by clang-22 and run on the stand-in.
# Usage: headers.sh LANEWISE STANDINS (LW_FULL=1: on more targets)
set -u
lanewise=${1:?} standins=${2:?}
source=${LW_SOURCE_DIR:?}/tests/runtime/programs/headers.hip
clang=$(command -v clang++-22) || { echo "skipped: there is no clang++-22"; exit 77; }
[ -f /usr/include/hip/hip_runtime.h ] || { echo "skipped: there are no headers of HIP (libamdhip64-dev)"; exit 77; }
if ldd "$standins/libamdhip64.so" | grep -qE 'lib(asan|tsan|ubsan)'; then
    echo "skipped: programs without a sanitizer cannot load a stand-in that was built with one"
    exit 77
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
bad=0
rows="gfx942:64 gfx1201:32"
[ "${LW_FULL:-}" = 1 ] && rows="gfx90a:64 gfx942:64 gfx950:64 gfx1100:32 gfx1201:32"
for row in $rows; do
    arch=${row%:*} wave=${row#*:}
    # headers of 2022 use a macro that clang 22 no longer has
    "$clang" -x hip -nogpulib --offload-arch="$arch" -D__AMDGCN_WAVEFRONT_SIZE="$wave" -Wno-unused-value -O2 "$source" -L "$standins" -lamdhip64 \
        -o "$tmp/program" 2>"$tmp/err" || { echo "clang++-22 does not compile the program for $arch"; cat "$tmp/err"; exit 1; }
    "$lanewise" exec --arch "$arch" --devices 2 --check all -- "$tmp/program" >"$tmp/out" 2>"$tmp/err"
    status=$?
    # the second hipFree fails, with the API's own error
    if [ $status != 1 ] || ! grep -q "^$arch.*, waves of $wave, .*: 1$" "$tmp/out" || ! grep -q "^fine, ran 1 times$" "$tmp/out" ||
        ! grep -q "hipFree(x): hipErrorInvalidValue (" "$tmp/out" || ! grep -q "1 launch of 1 kernel on $arch" "$tmp/err"; then
        echo "wrong: $arch, exit status $status"
        cat "$tmp/out" "$tmp/err"
        bad=1
    fi
done
exit $bad
