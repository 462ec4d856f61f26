#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Compiles the probes' kernels, without a GPU: for every NVIDIA target that this nvcc knows, and for a few of AMD's. Usage: compile.sh LANEWISE. Status 77: no compiler here.
set -u
lanewise=${1:?usage: compile.sh LANEWISE}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
done=0
# -I replaces the headers that the device's half of the program does not need
compile() { # ARCH COMMAND...
    local arch=$1
    shift
    "$lanewise" validate --kernels "$arch" >"$work/$arch.inc" || exit 1
    "$@" -DPROBE_KERNELS="\"$work/$arch.inc\"" "$here/probe.cu" >"$work/log" 2>&1 || {
        echo "$arch: the kernels do not compile"
        head -20 "$work/log"
        exit 1
    }
    done=$((done + 1))
}
if command -v nvcc >/dev/null; then
    # nvcc 13 dropped the oldest targets
    for arch in sm_70 sm_72 sm_75 sm_80 sm_86 sm_89 sm_90 sm_100 sm_100a sm_120 sm_120a sm_120f; do
        case $arch in
        sm_7[02]) nvcc --list-gpu-code | grep -qx $arch || continue ;;
        esac
        compile $arch nvcc -std=c++17 -arch=$arch -cubin -o "$work/$arch.cubin"
    done
fi
clang=$(command -v clang-22 || command -v clang || true)
if [ -n "$clang" ] && "$clang" -print-targets 2>/dev/null | grep -q amdgcn; then
    for arch in gfx942 gfx950 gfx1100 gfx1201; do
        compile $arch "$clang" -std=c++17 -x hip --offload-arch=$arch -nogpulib -nogpuinc \
            --cuda-device-only -DPROBE_COMPILE_ONLY -c -O1 -o "$work/$arch.o"
    done
fi
[ $done -gt 0 ] || {
    echo "neither nvcc nor a clang with AMDGPU here"
    exit 77
}
echo "kernels compile for $done GPUs"
