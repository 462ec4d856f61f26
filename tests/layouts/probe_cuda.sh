#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The CUDA programs that find layouts compile. Usage: probe_cuda.sh PROBE_EMULATOR
set -u
emulator=$1
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
[ -x "$nvcc" ] || { echo "skipped: no nvcc"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 count=0
while read -r arch text; do
    count=$((count + 1))
    "$emulator" print "$arch" "$text" >"$work/probe.cu" &&
        "$nvcc" -arch="$arch" -cubin -o "$work/probe.cubin" "$work/probe.cu" >"$work/log" 2>&1 && continue
    echo "failed: $arch $text"
    head -3 "$work/log"
    failed=1
done <<'LIST'
sm_80 mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
sm_80 mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64
sm_80 mma.sp.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32 selector:1
sm_90 wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16
sm_120a mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e2m1.e5m2.f32.ue8m0 byte-id-a:1 thread-id-b:2
LIST
echo "$count probes compiled"
exit $failed
