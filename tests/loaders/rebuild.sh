#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The committed binaries of a folder match their sources. Usage: rebuild.sh FOLDER COUNT: its build.sh makes at least COUNT
# files that are compared. Skipped unless the tools are of the version that built them.
set -u
folder=${1:?usage: rebuild.sh FOLDER COUNT} least=${2:?usage: rebuild.sh FOLDER COUNT}
built_with='22.1.8'
for tool in clang-22 ld.lld-22 llvm-mc-22 llvm-strip-22 llvm-objcopy-22 clang-offload-bundler-22 llvm-offload-binary-22 zstd python3; do
    command -v "$tool" >/dev/null 2>&1 || { echo "$tool is not installed"; exit 77; }
done
clang-22 --version | grep -q "$built_with" || { echo "clang is not version $built_with, which built the files"; exit 77; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
"$folder/build.sh" "$tmp" >"$tmp/log" 2>&1 || { cat "$tmp/log"; exit 1; }
rm "$tmp/log"
bad=0
count=0
for file in "$tmp"/*; do
    name=$(basename "$file")
    # the output of zlib, libzstd and nvcc depends on their versions; the tests of decompression need no rebuild
    case $name in *zlib.* | *zstd.* | large.hipfb | *.ptx | host.so) continue ;; esac
    count=$((count + 1))
    cmp "$file" "$folder/$name" || bad=1
done
[ $count -ge "$least" ] || { echo "only $count files were built"; exit 1; }
[ $bad = 0 ] && echo "$count files are as committed"
exit $bad
