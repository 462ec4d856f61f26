#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Writes cli/gpu/templates.inc: a code object of each AMD target with one kernel "k" whose code is ROOM bytes of
# zeros, for `lanewise validate --device hip` to put the code of a case into. The files are what clang and lld
# write, so that AMD's loader meets nothing unusual; only the code differs from case to case.
# Usage: templates.sh [CLANG] >cli/gpu/templates.inc
set -eu
export LC_ALL=C
clang=${1:-clang-22}
room=2048
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

assemble() { # TARGET LANES
    {
        echo ".amdgcn_target \"amdgcn-amd-amdhsa--$1\""
        echo '.text'
        echo '.globl k'
        echo '.p2align 8'
        echo '.type k,@function'
        echo "k: .fill $room, 1, 0"
        echo ".size k, $room"
        echo '.rodata'
        echo '.p2align 6'
        echo '.amdhsa_kernel k'
        echo '.amdhsa_kernarg_size 16'
        echo '.amdhsa_user_sgpr_kernarg_segment_ptr 1'
        echo '.amdhsa_system_sgpr_workgroup_id_x 1'
        echo ".amdhsa_float_denorm_mode_32 3"
        echo '.amdhsa_next_free_vgpr 128'
        echo '.amdhsa_next_free_sgpr 32'
        case $1 in
        gfx90a | gfx942 | gfx950) echo '.amdhsa_accum_offset 128' ;;
        gfx1*) echo ".amdhsa_wavefront_size32 $((2 - $2 / 32))" ;;
        esac
        echo '.end_amdhsa_kernel'
        echo '.amdgpu_metadata'
        echo 'amdhsa.version: [1, 2]'
        echo 'amdhsa.kernels:'
        echo '  - .name: k'
        echo '    .symbol: k.kd'
        echo '    .kernarg_segment_size: 16'
        echo '    .kernarg_segment_align: 8'
        echo '    .group_segment_fixed_size: 0'
        echo '    .private_segment_fixed_size: 0'
        echo "    .wavefront_size: $2"
        echo '    .sgpr_count: 32'
        echo '    .vgpr_count: 128'
        echo "    .max_flat_workgroup_size: $2"
        echo '    .args:'
        for name in in out; do
            echo "      - .name: $name"
            echo '        .address_space: global'
            echo '        .value_kind: global_buffer'
            echo '        .size: 8'
            [ $name = in ] && echo '        .offset: 0' || echo '        .offset: 8'
        done
        echo '.end_amdgpu_metadata'
    } >"$work/k.s"
    wave=
    [ "$2" = 32 ] || case $1 in gfx1*) wave=-mwavefrontsize64 ;; esac
    "$clang" -target amdgcn-amd-amdhsa -mcpu="$1" $wave -mcode-object-version=5 -o "$work/k.co" "$work/k.s"
}

# the runs of bytes that are not zero; gaps of less than eight zeros are kept
write() { # TARGET LANES
    text=$(llvm-readelf-22 -s "$work/k.co" | awk '$4 == "FUNC" { print $2; exit }')
    section=$(llvm-readelf-22 -S "$work/k.co" | sed 's/^ *\[ *[0-9]*\] *//' | awk '$1 == ".text" { print $3, $4 }')
    offset=$((0x$text - 0x${section% *} + 0x${section#* }))
    echo
    echo "TEMPLATE(\"$1\", $2, $(stat -c %s "$work/k.co"), $offset, $room,"
    od -An -v -tu1 -w1 "$work/k.co" | awk '
        function flush(  i, line) {
            if (!count) return
            line = "    RUN(" start ", " count
            for (i = 0; i < count; i++) {
                line = line ", " run[i]
                if (length(line) > 108) { print line; line = "       " }
            }
            print line ")"
            count = 0
        }
        { at = NR - 1; v = $1 + 0 }
        v { while (count && zeros) { run[count++] = 0; zeros-- }
            if (!count) start = at
            zeros = 0
            run[count++] = v
            if (count >= 240) flush()
            next }
        count { if (++zeros == 8) { flush(); zeros = 0 } }
        END { flush() }'
    echo ')'
}

echo '/* SPDX-License-Identifier: MIT */'
echo '/* clang-format off */'
echo '/* Written by validate/gpu/templates.sh: TEMPLATE(target, lanes, bytes of the file, offset of the code, room for'
echo '   it, runs of bytes: RUN(offset, count, bytes), all others being zero). */'
for target in gfx908 gfx90a gfx942 gfx950; do
    assemble $target 64
    write $target 64
done
for target in gfx1100 gfx1150 gfx1201 gfx1250; do
    for lanes in 32 64; do
        [ $target$lanes = gfx125064 ] && continue
        assemble $target $lanes
        write $target $lanes
    done
done
echo '/* clang-format on */'
