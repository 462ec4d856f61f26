#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# LDS of a workgroup and shared memory of a block in isa_tables/arch.inc, against what LLVM's compiler says when a kernel
# has too much, and what nvcc's header of occupancy allows: either part is left out, and says so, without its tool.
# Usage: lds.sh (the sources are LW_SOURCE_DIR)
set -u
table=${LW_SOURCE_DIR:?}/isa_tables/arch.inc
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
bad=0 asked=0

# The row of each architecture, and of each sibling with a row of its own or its architecture's: NAME KIB.
sed -n 's/^ARCH([A-Z0-9_]*, "\([a-z0-9_]*\)".* \([0-9]*\))$/\1 \2/p' "$table" >"$work/rows"
while read -r name arch; do
    kib=$(sed -n "s/^SIBLING_LDS(\"$name\", \([0-9]*\))$/\1/p" "$table")
    [ -n "$kib" ] || kib=$(awk -v n="$(tr '[:upper:]' '[:lower:]' <<<"$arch")" '$1 == n { print $2 }' "$work/rows")
    echo "$name $kib"
done < <(sed -n 's/^SIBLING("\([a-z0-9_-]*\)", \([A-Z0-9_]*\),.*/\1 \2/p' "$table") >"$work/siblings"
cat "$work/siblings" >>"$work/rows"
[ "$(wc -l <"$work/rows")" -ge 40 ] || { echo "$(wc -l <"$work/rows") rows were read"; exit 1; }

# agree NAME KIB OTHER'S-KIB
agree() {
    asked=$((asked + 1))
    [ "$2" = "$3" ] || { echo "$1: $2 KiB in arch.inc, $3 KiB elsewhere"; bad=1; }
}

if command -v clang-22 >/dev/null; then
    echo '__kernel void k(__global int *o) { __local int a[1 << 20]; a[get_local_id(0)] = 1; barrier(1); *o = a[get_local_id(0) ^ 1]; }' >"$work/k.cl"
    while read -r name kib; do
        most=$(clang-22 --target=amdgcn-amd-amdhsa -mcpu="$name" -nogpulib -O2 -c "$work/k.cl" -o "$work/k.o" 2>&1 |
            sed -n 's/.*exceeds limit (\([0-9]*\)).*/\1/p' | head -1)
        [ -z "$most" ] || agree "$name" "$kib" $((most / 1024)) # LLVM 22 has no gfx940 and gfx941 any more
    done < <(grep ^gfx "$work/rows")
    [ $asked -ge 15 ] || { echo "clang-22 answered for $asked targets only"; bad=1; }
else
    echo "not compared with LLVM: clang-22 is not installed"
fi

nvcc=$(command -v nvcc) && header=$(dirname "$(dirname "$(readlink -f "$nvcc")")")/include
if [ -n "${header:-}" ] && [ -f "$header/cuda_occupancy.h" ]; then
    cat >"$work/ask.cpp" <<'END'
#include <climits>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_occupancy.h>
int main(int, char **argv)
{
    cudaOccDeviceProp device;
    memset(&device, 0, sizeof(device));
    device.computeMajor = atoi(argv[1]) / 10;
    device.computeMinor = atoi(argv[1]) % 10;
    int most = 0;
    for (int kib = 1; kib <= 1024; kib++) {
        size_t size = (size_t)kib * 1024;
        if (cudaOccAlignUpShmemSizeVoltaPlus(&size, &device) == CUDA_OCC_SUCCESS)
            most = kib;
    }
    printf("%d\n", most - (device.computeMajor >= 8)); /* the system's part of each block */
}
END
    g++ -w -isystem "$header" "$work/ask.cpp" -o "$work/ask" || { echo "nvcc's header cannot be asked"; exit 1; }
    while read -r name kib; do
        agree "$name" "$kib" "$("$work/ask" "$(tr -dc 0-9 <<<"$name")")"
    done < <(grep ^sm_ "$work/rows")
else
    echo "not compared with NVIDIA's header: nvcc is not installed"
fi
[ $asked -gt 0 ] || { echo "skipped: neither clang-22 nor nvcc is installed"; exit 77; }
[ $bad = 0 ] && echo "$asked targets agree"
exit $bad
