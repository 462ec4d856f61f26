#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the probes of ARCH on the GPU of this machine and compares its answers with the readings.
# Usage: run.sh ARCH RESULTS [ROUNDS]     ROUNDS of random operands, default 100
# Needs nvcc (sm_*) or hipcc (gfx*) and the program lanewise, in $LANEWISE, ./build*/cli or the path.
set -eu
[ $# -ge 2 ] || {
    echo "usage: $0 ARCH RESULTS [ROUNDS]" >&2
    exit 2
}
arch=$1 results=$2 rounds=${3:-100}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
lanewise=${LANEWISE:-}
for candidate in "$root"/build*/cli/lanewise "$(command -v lanewise || true)"; do
    [ -n "$lanewise" ] || [ ! -x "$candidate" ] || lanewise=$candidate
done
[ -n "$lanewise" ] || {
    echo "$0: no program lanewise: build it, or name it in LANEWISE" >&2
    exit 2
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$lanewise" validate --kernels "$arch" >"$work/kernels.inc"
"$lanewise" validate --cases "$arch" --random "$rounds" >"$work/cases.txt"
case $arch in
sm_90) nvcc -std=c++17 -arch=sm_90a -DPROBE_KERNELS="\"$work/kernels.inc\"" -o "$work/probe" "$here/probe.cu" ;;
sm_*) nvcc -std=c++17 -arch="$arch" -DPROBE_KERNELS="\"$work/kernels.inc\"" -o "$work/probe" "$here/probe.cu" ;;
gfx*) hipcc -std=c++17 -x hip --offload-arch="$arch" -DPROBE_KERNELS="\"$work/kernels.inc\"" -o "$work/probe" "$here/probe.cu" ;;
*)
    echo "$0: $arch: neither sm_* nor gfx*" >&2
    exit 2
    ;;
esac
"$work/probe" "$work/cases.txt" "$results"
"$lanewise" validate "$results"
