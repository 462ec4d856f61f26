#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Rebuilds the binaries of this folder from their sources. Needs clang-22, lld-22, LLVM 22's tools,
# python3 and zstd. Usage: build.sh [FOLDER] (default: this one).
set -eu
src=$(cd "$(dirname "$0")" && pwd)
out=${1:-$src}
cd "$src"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

hip() { clang-22 -x hip -O2 -nogpulib -nogpuinc "$@"; }
device() { hip -cuid=0 --offload-device-only --no-gpu-bundle-output "$@"; }

for v in 4 5 6; do
    device --offload-arch=gfx950 -mcode-object-version=$v kernels.hip -o "$out/v$v.co"
done
for gfx in gfx908 gfx90a gfx942 gfx1100 gfx1201 gfx1250 gfx1030; do
    device --offload-arch=$gfx kernels.hip -o "$tmp/$gfx.co"
done
for gfx in gfx908 gfx90a gfx1100 gfx1201 gfx1250; do
    llvm-strip-22 "$tmp/$gfx.co" -o "$out/$gfx.co"
done
device --offload-arch=gfx9-4-generic tables.hip -o "$out/generic.co"
device --offload-arch=gfx950 tables.hip -o "$out/tables.co"
llvm-strip-22 --strip-sections "$out/tables.co" -o "$out/stripped.co"

llvm-mc-22 -triple=amdgcn-amd-amdhsa -mcpu=gfx942 -mattr=+sramecc,-xnack --amdhsa-code-object-version=4 -filetype=obj hand.s -o "$tmp/hand.o"
cp "$tmp/hand.o" "$out/unlinked.obj"
ld.lld-22 -shared "$tmp/hand.o" -o "$out/hand.co"

# ---- Line tables ----
# With each file, llvm-dwarfdump's reading of it. Only sections that line tables need are kept.
lines() { # output, version, how it is compressed, if it is
    device --offload-arch=gfx942 -gdwarf-$2 -fdebug-compilation-dir=/src lines.hip -o "$tmp/lines.co"
    llvm-objcopy-22 -R .debug_info -R .debug_abbrev -R .debug_frame -R .debug_loc -R .debug_ranges -R .debug_aranges \
        -R .debug_loclists -R .debug_rnglists -R .debug_addr -R .debug_str_offsets -R .debug_names -R .debug_str \
        ${3:+--compress-debug-sections=$3} "$tmp/lines.co" "$out/$1.co"
    (cd "$out" && llvm-dwarfdump-22 --debug-line "$1.co" >"$1.txt")
}
lines lines_v2 2
lines lines_v3 3
lines lines_v4 4
lines lines_v5 5
lines lines_zlib 5 zlib
lines lines_zstd 5 zstd

# ---- Containers ----
hosts=host-x86_64-unknown-linux-gnu-
: >"$tmp/empty"
bundle() { # output, then pairs of target and file
    local output=$1 targets=$hosts inputs=(-input="$tmp/empty")
    shift
    while [ $# -gt 0 ]; do
        targets=$targets,hipv4-amdgcn-amd-amdhsa--$1
        inputs+=(-input="$2")
        shift 2
    done
    clang-offload-bundler-22 -type=o -bundle-align=4096 -targets="$targets" "${inputs[@]}" -output="$output"
}
llvm-strip-22 "$tmp/gfx942.co" -o "$tmp/a.co"
llvm-strip-22 "$out/v6.co" -o "$tmp/b.co"
llvm-strip-22 "$tmp/gfx1030.co" -o "$tmp/c.co"
bundle "$out/bundle.hipfb" gfx942:sramecc+:xnack- "$tmp/a.co" gfx950 "$tmp/b.co" gfx1030 "$tmp/c.co"
clang-offload-bundler-22 -type=o -bundle-align=4096 -compress -targets=$hosts,hipv4-amdgcn-amd-amdhsa--gfx950 \
    -input="$tmp/empty" -input="$tmp/b.co" -output="$out/v3_zstd.hipfb"
llvm-offload-binary-22 -o "$out/two.offload" \
    --image=file="$tmp/a.co",triple=amdgcn-amd-amdhsa,arch=gfx942,kind=hip \
    --image=file="$tmp/b.co",triple=amdgcn-amd-amdhsa,arch=gfx950,kind=hip
# Older compressed bundles, written from the format's description.
bundle "$tmp/one.hipfb" gfx942 "$tmp/a.co"
zstd -q -f "$tmp/one.hipfb" -o "$tmp/one.zst"
python3 - "$tmp/one.hipfb" "$tmp/one.zst" "$out" <<'PY'
import struct, sys, zlib
plain = open(sys.argv[1], 'rb').read()
streams = {0: zlib.compress(plain, 9), 1: open(sys.argv[2], 'rb').read()}
heads = {
    1: lambda method, n: struct.pack('<4sHHIQ', b'CCOB', 1, method, len(plain), 0),
    2: lambda method, n: struct.pack('<4sHHIIQ', b'CCOB', 2, method, n + 24, len(plain), 0),
    3: lambda method, n: struct.pack('<4sHHQQQ', b'CCOB', 3, method, n + 32, len(plain), 0),
}
for version, method in ((1, 0), (1, 1), (2, 0), (2, 1), (3, 0)):
    stream = streams[method]
    with open('%s/v%d_%s.hipfb' % (sys.argv[3], version, ('zlib', 'zstd')[method]), 'wb') as f:
        f.write(heads[version](method, len(stream)) + stream)
PY

# ---- Host files ----
hip --offload-arch=gfx950 -c -fPIC -DNAME=one -cuid=one host.hip -o "$tmp/one.o"
hip --offload-arch=gfx950 --offload-arch=gfx942 --offload-compress -c -fPIC -DNAME=two -cuid=two host.hip -o "$tmp/two.o"
hip --target=aarch64-unknown-linux-gnu --offload-arch=gfx942 -c -DNAME=arm -cuid=arm host.hip -o "$tmp/arm.o"
hip --offload-arch=gfx942 -fgpu-rdc -c -DNAME=rdc -cuid=rdc host.hip -o "$tmp/rdc.o"
ld.lld-22 -shared --unresolved-symbols=ignore-all -s "$tmp/one.o" "$tmp/two.o" -o "$out/host.so"
cp "$tmp/arm.o" "$out/host_arm64.obj"
cp "$tmp/rdc.o" "$out/host_rdc.obj"
echo 'int main(void) { return 0; }' >"$tmp/main.c"
clang-22 -c "$tmp/main.c" -o "$tmp/main.o"
cp "$tmp/main.o" "$out/host_plain.obj"
llvm-objcopy-22 --add-section .llvm.offloading="$out/two.offload" "$tmp/main.o" "$out/host_offloading.obj"
