#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The stand-ins have every function that the vendors' headers declare, so that programs start and get the API's own error
# for what is not served. Headers: HIP's (Debian's libamdhip64-dev) and CUDA's (cuda.h with cudaTypedefs.h beside it).
# Usage: names.sh STANDINS CC
set -u
standins=${1:?} cc=${2:?}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
bad=0 tried=0
command -v nm >/dev/null || { echo "skipped: there is no nm"; exit 77; }

# missing LIBRARY: prints the names of standard input that it does not export
missing() { sort -u | comm -23 - <(nm -D --defined-only "$1" | awk '{ print $3 }' | sort -u); }
declared() { "$cc" -w -E "$@" - 2>/dev/null | grep -oE "\b$prefix[A-Z][A-Za-z0-9_]* *\(" | tr -d ' ('; }

if [ -f /usr/include/hip/hip_runtime_api.h ]; then
    tried=1 prefix=hip
    # inline functions of C++, and one that only an older library has
    lost=$(echo '#include <hip/hip_runtime_api.h>' | declared -D__HIP_PLATFORM_AMD__ |
        grep -vxE 'hipCreateChannelDesc|hipApiName|hipKernelNameRef|hipKernelNameRefByPtr' | missing "$standins/libamdhip64.so")
    [ -z "$lost" ] || { echo "libamdhip64.so lacks" $lost; bad=1; }
fi

typedefs=$(find /usr/local/cuda*/include /usr/local/include /usr/include -maxdepth 1 -name cudaTypedefs.h 2>/dev/null | head -1)
if [ -n "$typedefs" ]; then
    tried=1 prefix=cu
    # what drivers after 12.4 brought: PFN_NAME_vVERSION; of a name with a suffix, the newest form may be later
    grep -oE 'PFN_cu[A-Za-z0-9_]+_v[0-9]+' "$typedefs" | sed -E 's/^PFN_//; s/_v([0-9]+)$/ \1/' |
        awk '!($1 in first) || $2 < first[$1] { first[$1] = $2 } !($1 in last) || $2 > last[$1] { last[$1] = $2 }
             END { for (n in first) if (first[n] > 12040) print n; for (n in last) if (last[n] > 12040) print n "_v" }' >"$tmp/later"
    # once more as programs see them that are compiled for a default stream of each thread
    for stream in NONE CUDA_API_PER_THREAD_DEFAULT_STREAM; do
        echo '#include <cuda.h>' | declared "-D$stream" -I "$(dirname "$typedefs")"
    done >"$tmp/declared"
    grep -q _ptsz "$tmp/declared" || { echo "cuda.h has no forms for a stream of each thread"; bad=1; }
    lost=$(missing "$standins/libcuda.so.1" <"$tmp/declared" |
        while read -r name; do
            base=${name%_pt[sd][sz]}
            base=${base%_v[0-9]}
            grep -qx -e "$base" "$tmp/later" && continue
            [ "${name#"$base"_v}" != "$name" ] && grep -qx -e "${base}_v" "$tmp/later" && continue
            echo "$name"
        done)
    [ -z "$lost" ] || { echo "libcuda.so.1 lacks" $lost; bad=1; }
fi
[ $tried = 1 ] || { echo "skipped: there are no headers of HIP or CUDA"; exit 77; }
exit $bad
