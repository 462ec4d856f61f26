# The tiling of a matrix product.
$ lanewise schedule 100x300x500 --types f16,f16,f32 --arch gfx942
| M = 100 is padded to 128: more than 32, so a multiple of 32
| N = 300 is padded to 384: more than 128, so a multiple of 128
| intensity 2MNK / (MN + NK + MK) = 161, between cut-offs 1, 1000, 7000: medium
| seeds: 4 subgroups, 8 tiles along M and N, 2048 bits = 128 elements along K
| instruction: MFMA_F32_16x16x16_F16; M, N or K is not a multiple of it and is padded
| 8 by 24 tiles of the instruction; half of 4 subgroups is 2, half of 8 tiles 2
| 4 divides along M: 2 subgroups of 2 tiles; along N common divisors: 2 of 4
| along K the common divisor of 32 and 8 tiles: 8
| valid: A and B take 49152 of 65536 bytes of LDS
| MFMA_F32_16x16x16_F16: 2 x 4 tiles for each of 2 x 2 subgroups, 8 along K
| workgroup: 64 x 128 of C, 128 of K at a time, 256 threads; 6 workgroups; LDS 49152 of 65536 bytes (75 %)
| #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, padding = [64, 128, 128], promote_operands = [0, 1], reduction = [0, 0, 8], subgroup = [2, 4, 0], workgroup = [64, 128, 0]}>
| a workgroup's 64 x 128, a letter for each subgroup's tile of 16 x 16:
| AAAABBBB
| AAAABBBB
| CCCCDDDD
| CCCCDDDD
$ lanewise schedule 4096x4096x4096 --types f16,f16,f32 --arch gfx942 --check '#iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, promote_operands = [0, 1], reduction = [0, 0, 2], subgroup = [4, 4, 0], workgroup = [128, 128, 0]}>' | tail -1
| this is what IREE derives
$ lanewise schedule 4096x4096x4096 --types f16,f16,f32 --arch gfx942 --check '#iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, promote_operands = [0, 1], reduction = [0, 0, 2], subgroup = [4, 4, 0], workgroup = [128, 100, 0]}>'
! lanewise: schedule: the workgroup's 100 along N is not a whole number of subgroups of 64
= 1
$ lanewise schedule 4096x4096x4096 --types f16,f16,f32 --arch gfx942 --check 'workgroup = [1'
! lanewise: schedule: --check: column 1: '#iree_gpu.lowering_config<' is expected here
= 2
$ lanewise schedule 4096x4096x4096 --types f16,f16,f32 --arch gfx942 --check 'lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, promote_operands = [0, 1], reduction = [0, 0, 64], subgroup_basis = [[2, 2, 1], [0, 1, 2]], workgroup = [64, 128, 0]}>' | sed -n 2p
| MFMA_F32_16x16x16_F16: 2 x 4 tiles for each of 2 x 2 subgroups, 4 along K
$ lanewise schedule 4096x4096x4096 --types f16,f16,f32 --arch gfx942 --check '#iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, reduction = [0, 0, 2], subgroup = [4, 4, 0], subgroup = [4, 4, 0], workgroup = [128, 128, 0]}>'
! lanewise: schedule: --check: column 129: this parameter is said twice
= 2
$ lanewise schedule 4096x4096x4096 --types f16,f16,f32 --arch gfx942 --check '#iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, reduction = [0, 0, 2], lane_basis = [1], subgroup = [4, 4, 0], workgroup = [128, 128, 0]}>'
! lanewise: schedule: --check: column 107: this parameter is not read
= 2
$ lanewise schedule 4096x4096x4096 --types f16,f16,f32 --arch gfx942 --check '#iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, reduction = [0, 0, 2], subgroup = [4, 4, 1], workgroup = [128, 128, 0]}>'
! lanewise: schedule: --check: workgroup and subgroup need 0 along K, reduction along M and N, subgroup_basis 1 along K
= 2
$ lanewise schedule 4x4096x4096 --types f16,f16,f32 --arch gfx1100
! lanewise: schedule: IREE uses no matrix instruction here: none of gfx1100 takes f16, f16 and f32 for so few rows or columns
= 1
$ lanewise schedule 128x256 --types f16,f16,f32 --arch gfx942
! lanewise: schedule: 128x256: must be MxNxK, as in 128x256x512, each 1 to 1048576
= 2
$ lanewise schedule 128x256x512 --types f16 --arch gfx942
! lanewise: schedule: --types f16: needs three, of A, B and C, as in f16,f16,f32
= 2
$ lanewise schedule 128x256x512 --types f16,f16,f32 --arch gfx942 --json | head -6
| {
|   "intrinsic": "MFMA_F32_16x16x16_F16",
|   "tiles": {
|     "m": 2,
|     "n": 4,
|     "k": 8
# A tile from another tool.
$ lanewise schedule 4096x4096x4096 --types f16,f16,f32 --arch gfx942 --tile 128x128x32 --subgroups 2x2 | tail -1
| this is what IREE derives
$ lanewise schedule 4096x4096x4096 --types f16,f16,f32 --arch gfx942 --tile '(_64, _128, _64)' --subgroups 1x4 --intrinsic MFMA_F32_32x32x8_F16
| valid: A and B take 24576 of 65536 bytes of LDS
| MFMA_F32_32x32x8_F16: 2 x 1 tiles for each of 1 x 4 subgroups, 8 along K
| workgroup: 64 x 128 of C, 64 of K at a time, 256 threads; 2048 workgroups; LDS 24576 of 65536 bytes (37 %)
| #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<MFMA_F32_32x32x8_F16>, promote_operands = [0, 1], reduction = [0, 0, 8], subgroup = [2, 1, 0], workgroup = [64, 128, 0]}>
| a workgroup's 64 x 128, a letter for each subgroup's tile of 32 x 32:
| ABCD
| ABCD
| possible; IREE derives another:
| #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, promote_operands = [0, 1], reduction = [0, 0, 2], subgroup = [4, 4, 0], workgroup = [128, 128, 0]}>
$ lanewise schedule 4096x4096x4096 --types f16,f16,f32 --arch gfx942 --tile 256,256,128 --subgroups 2x2
! lanewise: schedule: not valid: A and B take 131072 bytes of LDS, of 65536
= 1
$ lanewise schedule 4096x4096x4096 --types f16,f16,f32 --arch gfx942 --tile 128x100x32 --subgroups 2x2
! lanewise: schedule: the tile's 100 along N is not a multiple of 32: 16 of MFMA_F32_16x16x16_F16, for each subgroup
= 1
$ lanewise schedule 4096x4096x4096 --types f16,f16,f32 --arch gfx942 --tile 128x128
! lanewise: schedule: --tile 128x128: needs 3 numbers, as in 128x256x64
= 2
$ lanewise schedule 4096x4096x4096 --types f16,f16,f32 --arch gfx942 --subgroups 2x2
! lanewise: schedule: --subgroups and --intrinsic have no effect without --tile
= 2
$ lanewise schedule 100x100x100 --types f16,f16,f32 --arch gfx942 --tile 64x64x32 --subgroups 2x2 --json | head -5
| {
|   "intrinsic": "MFMA_F32_16x16x16_F16",
|   "tiles": {
|     "m": 2,
|     "n": 2,
$ lanewise schedule 4096x4096x4096 --types f16,f16,f32 --arch sm_80
! lanewise: schedule: sm_80: IREE's rules for it are not known here; lw_tiling_check (--tile) takes a tile of yours
= 1

$ lanewise schedule 100x4096x4096 --types fp8,fp8,f32 --arch sm_89 --tile 64x64x64 --subgroups 2x2 | head -4
| M, N or K is not a multiple of the tile's and is padded
| possible: A and B take 8192 of 101376 bytes of shared memory, room for 12 stages
| mma.m16n8k32.f32.fp8.fp8.f32: 2 x 4 tiles for each of 2 x 2 warps, 2 along K
| block: 64 x 64 of C, 64 of K at a time, 128 threads; 128 blocks; shared memory 8192 of 101376 bytes (8 %)

$ lanewise schedule 4096x4096x4096 --types f16,f16,f32 --arch sm_80 --tile 256x256x256 --subgroups 2x4
! lanewise: schedule: not valid: A and B take 262144 bytes of shared memory, a block has at most 166912
= 1

$ lanewise schedule 4096x4096x4096 --types f16,f16,f32 --arch sm_80 --tile 128x100x64 --subgroups 2x2
! lanewise: schedule: the tile's 100 along N is not a multiple of 16: 8 of mma.m16n8k16.f32.f16.f16.f32, for each subgroup
= 1
