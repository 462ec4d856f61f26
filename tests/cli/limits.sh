#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Inputs that are not regular files, files with huge contents, and the exit statuses for resources that a host cannot supply.
# Usage: limits.sh PROGRAM
set -u
program=$(realpath "${1:?usage: limits.sh PROGRAM}")
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/helpers.sh"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
cp "$root/examples/objects/vector_add_gfx950.co" v.co
make_npy x.npy '<f4' '(4,)' "$(repeat 4 0000803f)"
make_npy lanes.npy '<u4' '(1, 32)' "$(repeat 32 01000000)"
make_npy half.npy '<f2' '(16, 16)' "$(repeat 256 003c)"
mfma='v_mfma_f32_16x16x16_f16 --arch gfx942'
movmatrix='movmatrix.sync.aligned.m8n8.trans.b16 --arch sm_90'
failures=0

# check WHAT STATUS PATTERN COMMAND...: exit status, and a line it prints; ten seconds at most
check() {
    local what=$1 wanted=$2 pattern=$3 status
    shift 3
    timeout 10 "$@" >out 2>err </dev/null
    status=$?
    if [ "$status" -ne "$wanted" ] || ! grep -qE -- "$pattern" err out; then
        echo "$what: exit status $status, not $wanted, or no '$pattern' in:"
        head -c 600 err
        failures=$((failures + 1))
    fi
}

# Every verb that reads files, on everything that is not a regular file: none may read for ever or wait.
mkfifo pipe
mkdir folder
for special in /dev/zero /dev/null pipe folder /dev/stdin; do
    what='it is a|not a regular file|a folder|directory'
    check "list $special" 2 "$what" "$program" list $special
    check "disasm $special" 2 "$what" "$program" disasm $special
    check "validate $special" 2 "$what" "$program" validate $special
    check "run $special" 2 "$what" "$program" run $special --grid 1 --block 64
    check "run: an array from $special" 2 "$what" \
        "$program" run v.co --grid 1 --block 64 out:-=f32[4] in:$special x.npy i32:4
    check "run --expect $special" 2 "$what" \
        "$program" run v.co --grid 1 --block 64 out:-=f32[4] x.npy x.npy i32:4 --expect $special
    check "run: a block from $special" 2 "$what" "$program" run v.co --grid 1 --block 64 kernarg:$special
    check "run: a model from $special" 2 "$what" \
        "$program" run v.co --grid 1 --block 64 out:-=like:$special x.npy x.npy i32:4
    check "eval $special" 2 "$what" "$program" eval $mfma --a $special
    check "eval --memory $special" 2 "$what" \
        "$program" eval ldmatrix.sync.aligned.m8n8.x4.shared.b16 --arch sm_90 --memory $special
    check "eval --registers $special" 2 "$what" "$program" eval $movmatrix --registers $special
    check "eval --expect $special" 2 "$what" "$program" eval $movmatrix --registers lanes.npy --expect $special
    check "pack $special" 2 "$what" "$program" pack $special --tiles 2
    check "layout --check @$special" 2 "$what" "$program" layout $mfma --operand A --check @$special
    check "layout --check-a @$special" 2 "$what" "$program" layout $mfma --check-a @$special --check-b x
    check "layout --tile @$special" 2 "$what" \
        "$program" layout $mfma --operand A --banks b128 --shape 64x64 --tile @$special
    check "layout --tile @$special --to" 2 "$what" "$program" layout --tile @$special --shape 64x64 --to cute
    check "layout --guess @$special" 2 "$what" "$program" layout --guess @$special --arch gfx942
    check "layout --convert @$special" 2 "$what" "$program" layout --convert @$special --shape 16x16 --to cute
    check "layout --index $special" 2 "$what" \
        "$program" layout v_smfmac_f32_16x16x32_f16 --arch gfx942 --operand A --index $special --lane 1
done

# A file whose size alone is too large.
truncate -s 1T huge
cp x.npy huge.npy && truncate -s 1T huge.npy
check "list of a huge file" 3 'exceed the memory limit' "$program" list huge
check "disasm of a huge file" 3 'exceeds? the memory limit' "$program" disasm huge
check "pack of a huge file" 3 'exceed the memory limit' "$program" pack huge.npy --tiles 2
check "layout --check of a huge file" 3 'huge: [0-9]+ bytes exceed the memory limit' \
    "$program" layout $mfma --operand A --check @huge
check "layout --guess of a huge file" 3 'exceed the memory limit' "$program" layout --guess @huge --arch gfx942
check "layout --index of a huge file" 3 'exceed the memory limit' \
    "$program" layout v_smfmac_f32_16x16x32_f16 --arch gfx942 --operand A --index huge.npy --lane 1
# validate and --launches read line by line, whatever the file holds.
head -c 5000000 /dev/zero | tr '\0' x >line
printf 'none\0\n' >zero
for name in huge zero line; do
    check "validate of $name" 2 "$name: not a file of results" "$program" validate $name
done

# Files that list cannot load are also reported on stderr.
head -c 100 "$root/tests/data/loaders/v4.co" >cut.co
check "list of a damaged file" 2 'cut.co: the ELF program headers reach' "$program" list cut.co

if command -v python3 >/dev/null 2>&1; then
    python3 -B "$root/tests/cli/bundles.py" "$root/tests/data/loaders/v4.co" v.co
    for file in plain_4096.hipfb inflated_500.hipfb; do
        check "list of $file" 0 'kernel' "$program" list $file
        wanted=${file#*_} wanted=${wanted%.hipfb}
        [ "$(grep -c 'offload bundle for ' out)" = "$wanted" ] || { echo "$file: not $wanted code objects"; failures=$((failures + 1)); }
    done
    check "a bundle that inflates to more than it says" 2 'says that 4096 bytes come out; it is more' "$program" list more.hipfb
    check "a bundle that inflates to less" 2 'says that 99999 bytes come out; it is [0-9]+$' "$program" list less.hipfb
    check "a small object that asks for much scratch" 3 'each with 16777216 bytes of scratch' \
        "$program" run greedy.co --grid 1 --block 256 --memory-limit 2G out:-=f32[4] x.npy x.npy i32:4
    check "list inflates within the limit" 3 'bytes come out, which exceeds the memory limit of [0-9]+ bytes' \
        "$program" list inflated_500.hipfb --memory-limit $(($(stat -c %s inflated_500.hipfb) + 4096))
    check "a bundle that says too much" 3 'limit for all of a file' "$program" list boast.hipfb
else
    echo "python3 is not installed: bundles are left out"
fi

# One budget for memory: a workgroup's scratch, arrays, the program.
check "scratch beyond the limit" 3 'takes [0-9]+ bytes \(256 work-items, each with 16777216 bytes of scratch\); the memory limit of 1073741824 bytes' \
    "$program" run v.co --grid 1 --block 256 --scratch 16777216 --memory-limit 1G out:-=f32[4] x.npy x.npy i32:4
check "an array beyond the limit" 3 'its 4000000000000 bytes exceed the memory limit' \
    "$program" run v.co --grid 1 --block 64 'out:-=f32[1000000000000]' x.npy x.npy i32:4
check "arrays beyond the limit together" 3 'exceed the memory limit of 1048576 bytes' \
    "$program" run v.co --grid 1 --block 64 --memory-limit 1M 'out:-=f32[200000]' 'zero:-=f32[200000]' x.npy i32:4
make_npy big.npy '<f4' '(75000,)' "$(repeat 75000 0000803f)"
check "a copy of an array counts while it is placed" 3 'memory limit of 524288 bytes leaves' \
    "$program" run v.co --grid 1 --block 64 --memory-limit 512K out:-=f32[4] big.npy x.npy i32:4
check "arrays of --expect count" 3 'big.npy: 300128 bytes, with what is held already, exceed the memory limit of 524288 bytes' \
    "$program" run v.co --grid 1 --block 64 --memory-limit 512K out:-=f32[75000] x.npy x.npy i32:4 --expect big.npy
check "an array file beyond the limit is not read" 3 'huge.npy: [0-9]+ bytes.* exceed the memory limit' \
    "$program" run v.co --grid 1 --block 64 out:-=f32[4] huge.npy x.npy i32:4
check "eval, too" 3 'huge.npy: [0-9]+ bytes.* exceed the memory limit' \
    "$program" eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a huge.npy --b x.npy
check "the block counts" 3 'huge: [0-9]+ bytes exceed' "$program" run v.co --grid 1 --block 64 kernarg:huge
check "no room for the program" 3 'exceeds the memory limit of 4096 bytes' \
    "$program" run v.co --grid 1 --block 64 --memory-limit 4K out:-=f32[4] x.npy x.npy i32:4
check "a limit that is no size" 2 'needs a size' "$program" run v.co --grid 1 --block 64 --memory-limit 1Q

# --memory-limit of the other verbs that read files.
check "list within a limit" 3 'v.co: [0-9]+ bytes exceed the memory limit of 4096 bytes' "$program" list v.co --memory-limit 4K
check "list within enough" 0 'vector_add' "$program" list v.co --memory-limit 1M
check "disasm within a limit" 3 'exceeds the memory limit of 4096 bytes' "$program" disasm v.co --memory-limit 4K
check "disasm within enough" 0 'vector_add' "$program" disasm v.co --memory-limit 1M
check "eval within a limit" 3 'half.npy: 640 bytes exceed the memory limit of 600 bytes' \
    "$program" eval $mfma --a half.npy --b half.npy --memory-limit 600
check "eval: arrays count together" 3 '--b: half.npy: 640 bytes, with what is held already, exceed the memory limit of 1000 bytes' \
    "$program" eval $mfma --a half.npy --b half.npy --memory-limit 1000
check "eval: --expect counts" 3 '--expect: lanes.npy: 256 bytes, with what is held already, exceed the memory limit of 300 bytes' \
    "$program" eval $movmatrix --registers lanes.npy --expect lanes.npy --memory-limit 300
check "eval within enough" 0 'evidence' "$program" eval $mfma --a half.npy --b half.npy --memory-limit 2K
check "pack within a limit" 3 'half.npy: 640 bytes exceed the memory limit of 600 bytes' \
    "$program" pack half.npy --tiles 4 --memory-limit 600
check "pack: the result counts" 3 'the result and the array of 512 bytes exceed the memory limit of 1000 bytes' \
    "$program" pack half.npy --tiles 4 --memory-limit 1000
check "pack within enough" 0 'to   4x16x4' "$program" pack half.npy --tiles 4 --memory-limit 1K
echo 'i = l%16, k = 4*(l/16)+v' >said
check "layout within a limit" 3 'said: 25 bytes exceed the memory limit of 20 bytes' \
    "$program" layout $mfma --operand A --check @said --memory-limit 20
check "layout within enough" 0 'A: ' "$program" layout $mfma --operand A --check @said --memory-limit 25
for verb in list disasm eval pack layout; do
    check "$verb: a limit that is no size" 2 'needs a size' "$program" $verb v.co --memory-limit 1Q
done
check "a limit that suffices" 0 'vector_add' \
    "$program" run v.co --grid 64 --block 64 --memory-limit 2M out:-=f32[4] x.npy x.npy i32:4

[ $failures -eq 0 ] || { echo "$failures failures"; exit 1; }
