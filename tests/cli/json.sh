#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The output with --json is one JSON object, errors included. Usage: json.sh PROGRAM
set -u
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "${1:?usage: json.sh PROGRAM}")
root=${here%/tests/cli}
command -v python3 >/dev/null 2>&1 || { echo "python3 is not installed"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
. "$here/helpers.sh"
cd "$work" || exit 1
make_npy a.npy '<f2' '(16, 16)' "$(repeat 256 003c)"
make_npy x.npy '<f4' '(4,)' '0000803f000000400000404000008040'
cp "$root"/examples/objects/vector_add_gfx950.co v.co
printf 'step 3\nprint s0\nbreak x\ncontinue\n' >commands
bad=0
while IFS= read -r words; do
    [ -n "$words" ] || continue
    # shellcheck disable=SC2086
    "$program" $words --json >out 2>err </dev/null
    python3 -c 'import json, sys; d = json.load(open("out")); assert isinstance(d, dict) and d' 2>why ||
        { echo "no JSON object: $words"; head -3 out; tail -1 why; bad=1; }
done <<'CASES'
list
list --arch gfx950
list --arch gfx950 --evidence
list v.co
list absent.co
info v_mfma_f32_16x16x16_f16 --arch gfx942
info v_mfma_scale_f32_16x16x128_f8f6f4 --arch gfx950
info nothing"at\all --arch gfx950
layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand A
layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand Z
layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand A --check i=l%15,k=4*(l/16)+v
layout v_mfma_f32_16x16x16_f16 --arch gfx942 --check-a i=l%16,k=4*(l/16)+v --check-b j=l%16,k=4*(l/16)+v
layout v_mfma_f32_16x16x16_f16 --arch gfx942 --check-a i=l%16,k=4*(l/16)+v --check-b j=
layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand D --next A
layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand A --banks b64
layout --guess i=l%16,k=4*(l/16)+v --arch gfx942
eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b a.npy
eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b a.npy --explain 1,2
eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b a.npy --expect x.npy
eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b a.npy -o d.npy
eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b a.npy --expect d.npy
run v.co --grid 1 --block 64 out:-=f32[4] x.npy x.npy i32:4
run v.co --grid 1 --block 64 out:-=f32[4] x.npy x.npy i32:4 --check uninit,banks --expect x.npy --evidence
run v.co --grid 1 --block 64 out:-=f32[4] null x.npy i32:4
run v.co --grid 1 --block 64 out:-=f32[4] x.npy x.npy i32:4 --budget 3
run v.co --grid 1 --block 64 nothing x.npy x.npy i32:4
debug v.co --grid 1 --block 64 out:-=f32[4] x.npy x.npy i32:4
debug v.co --grid 1 --block 64 out:-=f32[4] x.npy x.npy i32:4 --script commands
disasm v.co
disasm x.npy
validate
validate x.npy
eval ldmatrix.sync.aligned.m8n8.x1.shared.b16 --arch sm_90 --memory a.npy
eval ldmatrix.sync.aligned.m8n8.x1.shared.b16 --arch sm_90 --memory a.npy --address 8+16
info ldmatrix.sync.aligned.m8n8.x1.shared.b16 --arch sm_90
validate --list --arch gfx950
run v.co --grid 1 --block 64 out:-=f32[4] x.npy x.npy i32:4 --junit /dev/full
run v.co --grid 1 --block 64 out:-=f32[4] x.npy x.npy i32:4 --check races --sarif /dev/full
run v.co --grid 1 --block 64 out:-=f32[4] x.npy x.npy i32:4 --budget 8 --junit /dev/full
CASES
exit $bad
