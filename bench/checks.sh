#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What checks cost: kernels on one thread, without a check and with each, in turn; the best of several runs, seconds of the launch as the
# program prints them, and how many times as long as without.
# usage: checks.sh LANEWISE [CASE [RUNS]]     CASE: part of a case's name
# Needs python3 for the arrays. Kernels that are not in the tree are compiled by clang-22 (CLANG) and left out where it is absent.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
lanewise=$(realpath "$1")
only=${2:-} runs=${3:-5} clang=${CLANG:-clang-22}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >copy.hip <<'END'
#include "gpu.h"
KERNEL(256) copy(float *out, const float *in, unsigned each)
{
    unsigned at = __builtin_amdgcn_workgroup_id_x() * 256 * each + __builtin_amdgcn_workitem_id_x();
    for (unsigned i = 0; i < each; i++, at += 256)
        out[at] = in[at];
}
END
cat >copy.ptx <<'END'
.version 8.0
.target sm_80
.address_size 64
.visible .entry copy(.param .u64 out, .param .u64 in, .param .u32 each) {
.reg .b64 %o, %i, %d; .reg .b32 %t, %c, %n, %e, %w; .reg .pred %p;
ld.param.u64 %o, [out]; ld.param.u64 %i, [in]; ld.param.u32 %n, [each];
mov.u32 %t, %tid.x; mov.u32 %c, %ctaid.x; mul.lo.u32 %c, %c, 256; mad.lo.u32 %t, %c, %n, %t;
mul.wide.u32 %d, %t, 4; add.u64 %o, %o, %d; add.u64 %i, %i, %d;
next:
ld.global.b32 %w, [%i]; st.global.b32 [%o], %w;
add.u64 %o, %o, 1024; add.u64 %i, %i, 1024; sub.u32 %n, %n, 1; setp.ne.u32 %p, %n, 0; @%p bra next;
ret;
}
END

python3 - <<'END'
import array, random
def save(name, shape, code, descr):
    count = 1
    for n in shape:
        count *= n
    random.seed(name)
    few = [random.uniform(-1, 1) for _ in range(997)]
    values = array.array('f', (few[i % 997] for i in range(count)))
    if code == 'e':  # f16: the numbers n / 64
        import struct
        values = b''.join(struct.pack('<e', round(64 * x) / 64) for x in values)
    header = "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }" % (descr, ''.join('%d,' % n for n in shape))
    header += ' ' * (63 - (len(header) + 10) % 64) + '\n'
    with open(name + '.npy', 'wb') as out:
        out.write(b'\x93NUMPY\x01\x00' + len(header).to_bytes(2, 'little') + header.encode() + bytes(values))
for name, shape in ('a256', (256, 256)), ('b256', (256, 256)), ('a512', (512, 512)), ('b512', (512, 512)):
    save(name, shape, 'e', '<f2')
for name, shape in ('q', (128, 16)), ('k', (48, 16)), ('v', (48, 16)), ('qw', (512, 32)), ('kw', (512, 32)), ('vw', (512, 32)), ('in', (4194304,)):
    save(name, shape, 'f', '<f4')
END

build() { # SOURCE TARGET: the object's path; nothing where clang is missing
    local to
    to=$(basename "$1").$2
    if command -v "$clang" >/dev/null; then
        "$clang" -x hip --cuda-device-only --no-gpu-bundle-output -nogpulib -nogpuinc -fuse-cuid=none --offload-arch="$2" -O3 \
            -I "$here/tests/corpus/kernels" "$1" -o "$to" 2>log || { cat log >&2; exit 1; }
        echo "$to"
    fi
}

once() { # CHECK COMMAND...: seconds
    local check=$1 line
    shift
    line=$("$lanewise" run "$@" --threads 1 --json ${check:+--check "$check"} 2>&1) || true
    sed -n 's/^ *"seconds": \([0-9.]*\).*/\1/p' <<<"$line"
}

# NAME RUN-ARGUMENTS...
measure() {
    local name=$1 check i base=
    shift
    case $name in *"$only"*) ;; *) return ;; esac
    [ -n "${1%%:*}" ] || { echo "          -        -  $name: $clang is not installed"; return; }
    declare -A best=()
    for ((i = 0; i < runs; i++)); do
        for check in none hazards waits races uninit banks bounds numerics; do
            local s
            s=$(once "${check#none}" "$@")
            [ -n "$s" ] || { echo "$name does not run under $check" >&2; exit 1; }
            best[$check]=$(printf '%s\n' ${best[$check]:-} "$s" | sort -n | head -n 1)
        done
    done
    base=${best[none]}
    for check in none hazards waits races uninit banks bounds numerics; do
        awk -v s="${best[$check]}" -v b="$base" -v n="$name" -v c="$check" 'BEGIN { printf "%11.3f %8.2f  %s, check: %s\n", s, s / b, n, c }'
    done
}

echo "          s    ratio"
objects=$here/examples/objects ptx=$here/tests/ptx/corpus
measure "GEMM gfx950 (gemm_f16, 512)" "$objects/gemm_f16.co" --grid 8,8 --block 256 out:-=f32[512,512] a512.npy b512.npy u32:512 u32:512
measure "GEMM sm_80 (gemm.ptx, 256)" "$here/bench/ptx/gemm.ptx:gemm_f16" --grid 2,2 --block 256 --smem 61440 a256.npy b256.npy \
    out:-=f32[256,256] 256 256
measure "attention gfx950" "$(build "$here/tests/corpus/kernels/attention.hip" gfx950):attention" --grid 8 --block 64 out:-=f32[512,32] \
    out:-=f32[512] qw.npy kw.npy vw.npy u32:512 f32:0.2
measure "attention sm_80" "$ptx/more_nvcc.ptx:attention" --grid 1 --block 128 q.npy k.npy v.npy out:-=f32[128,16]
measure "copy gfx950" "$(build copy.hip gfx950):copy" --grid 64 --block 256 out:-=f32[4194304] in.npy u32:256
measure "copy sm_80" copy.ptx:copy --grid 64 --block 256 out:-=f32[4194304] in.npy 256
