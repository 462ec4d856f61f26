#!/bin/sh
# SPDX-License-Identifier: MIT
# --check uninit through scratch: clang's -O0 keeps every variable there, beside registers that it has written in some lanes
# only. An element of an array that no lane has written is reported as that byte of scratch; where all are, nothing is.
# usage: spilled.sh LANEWISE
set -eu
lanewise=$1
clang=${CLANG:-clang-22}
command -v "$clang" >/dev/null || { echo "skipped: no $clang"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >kernel.hip <<'HIP'
extern "C" __attribute__((global)) void spilled(float *out, int n)
{
    float kept[4];
    int i = __builtin_amdgcn_workitem_id_x();
    if (i < n)
        kept[i & 3] = 1.0f;
    out[i] = kept[i & 3];
}
HIP

# check N: kernel.co's launch with n = N, as a report
check() {
    "$lanewise" run kernel.co:spilled --grid 1 --block 64 'out=out:out.npy=f32[64]' n=i32:"$1" --check uninit >report
}

for target in gfx90a gfx942 gfx1100 gfx1201; do
    "$clang" -x hip --cuda-device-only --no-gpu-bundle-output -nogpuinc -nogpulib -fuse-cuid=none --offload-arch=$target -O0 \
        -fhip-kernel-arg-name kernel.hip -o kernel.co
    check 64 && grep -q '^check uninit: nothing found' report || { echo "$target: a report"; cat report; exit 1; }
    if check 32; then
        echo "$target: no report"
        exit 1
    fi
    grep -q 'error undefined-store: .* depends on scratch byte 0x20, which nothing has written' report ||
        { echo "$target: another report"; cat report; exit 1; }
done
