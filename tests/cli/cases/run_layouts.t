# Which elements of the arguments are in the operands of matrix instructions.
$ cp $LW_TEST_ROOT/examples/objects/gemm_f16.co $LW_TEST_ROOT/examples/objects/skinny_vdmfma.co .
$ make_npy a.npy '<f2' '(64, 64)' "$(repeat 8192 00)"; make_npy b.npy '<f2' '(128, 32)' "$(repeat 8192 00)"
$ lanewise run gemm_f16.co --grid 1 --block 256 'out:-=f32[64,64]' a.npy a.npy i32:64 i32:64 --layouts | sed -n '/wave 2/,/wave 3/p' | head -10
| v_mfma_f32_32x32x16_f16 v[2:17], v[30:33], v[34:37], v[2:17], workgroup 0,0,0 wave 2, +0x188
|   A[i][k]: argument 1 (A), rows 32..63 by i, columns 0..15 by k
|   B[k][j]: argument 2 (B), rows 0..31 by j, columns 0..15 by k
|   C[i][j]: constants
|   A and B match in k
| v_mfma_f32_32x32x16_f16 v[2:17], v[38:41], v[42:45], v[2:17], workgroup 0,0,0 wave 2, +0x1ac
|   A[i][k]: argument 1 (A), rows 32..63 by i, columns 16..31 by k
|   B[k][j]: argument 2 (B), rows 0..31 by j, columns 16..31 by k
|   C[i][j]: computed by the kernel
|   A and B match in k
# An array with another shape: half of its rows are read as the second half of other rows.
$ lanewise run gemm_f16.co --grid 1 --block 256 'out:-=f32[64,64]' a.npy b.npy i32:64 i32:64 --layouts >out; echo $?; grep -m1 -B3 'do not match' out
| 1
|   A[i][k]: argument 1 (A), rows 0..31 by i, columns 32..47 by k
|   B[k][j]: argument 2 (B), rows 1, 3, 5, 7, 9, 11, 13, 15, .. by j, columns 0..15 by k
|   C[i][j]: computed by the kernel
|   A and B do not match: at k = 0, A has k = 32 of its array and B k = 0 of its own
$ lanewise run gemm_f16.co --grid 1 --block 256 'out:-=f32[64,64]' a.npy b.npy i32:64 i32:64 --layouts --json | grep -c '"k": "different"'
| 8
# The results are those of the original arrays: the passes leave no traces.
$ lanewise run gemm_f16.co --grid 1 --block 256 'out:c.npy=f32[64,64]' a.npy a.npy i32:64 i32:64 --layouts >out && lanewise run gemm_f16.co --grid 1 --block 256 'out:-=f32[64,64]' a.npy a.npy i32:64 i32:64 --expect c.npy | tail -1
| expect c.npy: all 4096 elements equal, bit for bit
# Eight rows on a sparse instruction: the k of B are shuffled to match what the index keeps of A.
$ make_npy s.npy '<f2' '(8, 64)' "$(repeat 1024 00)"; make_npy t.npy '<f2' '(16, 64)' "$(repeat 2048 00)"
$ lanewise run skinny_vdmfma.co --grid 1 --block 64 'out:-=f32[8,16]' s.npy t.npy i32:16 i32:64 --layouts | sed -n '/^v_smfmac/,/index/p' | sed -n 2,9p
|   A[i][stored k]: 256 of 256 elements are copies
|       A[0][0] is argument 1 (A) [0][0]
|       A[0][1] is argument 1 (A) [0][1]
|       A[0][2] is argument 1 (A) [0][2]
|       A[0][3] is argument 1 (A) [0][3]
|       and 252 more: --json lists all
|   B[k][j]: argument 2 (B), rows 0..15 by j, columns 0..1, 8..9, 2..3, 10..11, 16..17, 24..25, 18..19, 26..27, .. by k
|   index[i][group]: constants
# An array that is not traced: the operand is then constant.
$ lanewise run gemm_f16.co --grid 1 --block 256 'out:-=f32[64,64]' a.npy a.npy i32:64 i32:64 --layouts --layouts-keep B | grep -m1 'B\[k\]'
|   B[k][j]: constants
$ lanewise run gemm_f16.co --grid 1 --block 256 'out:-=f32[64,64]' a.npy a.npy i32:64 i32:64 --layouts --layouts-keep Q
! lanewise: run: --layouts-keep Q: the kernel has no such argument
= 2
$ lanewise run gemm_f16.co --grid 1 --block 256 'out:-=f32[64,64]' a.npy a.npy i32:64 i32:64 --layouts-keep B
! lanewise: run: --layouts-keep has no effect without --layouts
= 2
# PTX: registers in any order, by loads, by cp.async and ldmatrix through shared memory, in fragments of wmma.
$ cp $LW_TEST_ROOT/examples/ptx/warp_gemm.ptx g.ptx; cp $LW_TEST_ROOT/tests/ptx/corpus/kernels_nvcc.ptx k.ptx; cp $LW_TEST_ROOT/tests/ptx/corpus/wgmma_nvcc.ptx w.ptx
$ make_npy pa.npy '<f2' '(32, 64)' "$(repeat 4096 00)"; make_npy pb.npy '<f2' '(24, 64)' "$(repeat 3072 00)"
$ lanewise run g.ptx --grid 3,2 --block 32 'out:-=f32[32,24]' pa.npy pb.npy i32:24 i32:64 --layouts | sed -n '/^mma/,$p'
| mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%c0, %c1, %c2, %c3}, {%a0, %a1, %a2, %a3}, {%b0, %b1}, {%c0, %c1, %c2, %c3}, block 0,0,0 warp 0, +0x1e, first of 4 times
|   A[i][k]: argument 1 (A), rows 0..15 by i, columns 0..15 by k
|   B[k][j]: argument 2 (B), rows 0..7 by j, columns 0..15 by k
|   C[i][j]: constants
|   A and B match in k
$ make_npy a1.npy '<f2' '(16, 32)' "$(repeat 1024 00)"; make_npy b1.npy '<f2' '(8, 32)' "$(repeat 512 00)"; make_npy b3.npy '<f2' '(16, 16)' "$(repeat 512 00)"
$ lanewise run k.ptx:gemm_mma --grid 1 --block 32 a1.npy b1.npy 'out:-=f32[16,8]' --layouts | sed -n '/0x9d/,$p' | sed 1d
|   A[i][k]: argument 0 (gemm_mma_param_0), rows 0..15 by i, columns 16..31 by k
|   B[k][j]: argument 1 (gemm_mma_param_1), rows 0..7 by j, columns 16..31 by k
|   C[i][j]: computed by the kernel
|   A and B match in k
$ lanewise run k.ptx:gemm_wmma --grid 1 --block 32 a1.npy a1.npy 'out:-=f32[16,16]' --layouts | sed -n '/+0xf/,$p' | sed 1d
|   A[i][k]: argument 0 (gemm_wmma_param_0), rows 0..15 by i, columns 16..31 by k
|   B[k][j]: argument 1 (gemm_wmma_param_1), rows 0..15 by j, columns 16..31 by k
|   C[i][j]: computed by the kernel
|   A and B match in k
# B of other rows than the kernel takes it for: its second eight columns are found in the first's rows.
$ lanewise run k.ptx:gemm_mma --grid 1 --block 32 a1.npy b3.npy 'out:-=f32[16,8]' --layouts | sed -n '/0x9d/,$p' | sed -n '3p;$p'
|   B[k][j]: argument 1 (gemm_mma_param_1), rows 1, 3, 5, 7, 9, 11, 13, 15 by j, columns 0..15 by k
|   A and B do not match: at k = 0, A has k = 16 of its array and B k = 0 of its own
# Sparse: the metadata must stay what they are.
$ make_npy sa.npy '<u4' '(16, 8)' "$(repeat 512 00)"; make_npy sb.npy '<u4' '(8, 16)' "$(repeat 512 00)"; make_npy se.npy '<u4' '(32,)' "$(repeat 128 e4)"
$ lanewise run k.ptx:product_sparse --grid 1 --block 32 sa.npy sb.npy se.npy 'out:-=f32[16,8]' --layouts --layouts-keep 2 | tail -4
|   A[i][stored k]: argument 0 (product_sparse_param_0), rows 0..15 by i, columns 0..15 by stored k
|   B[k][j]: argument 1 (product_sparse_param_1), rows 0..7 by j, columns 0..31 by k
|   C[i][j]: constants
|   index[i][group]: constants
# wgmma: A in registers, B in shared memory where n lies side by side; both in shared memory, swizzled, by tensor copies.
$ make_npy wa.npy '<u2' '(64, 48)' "$(repeat 6144 00)"; make_npy wb.npy '<u2' '(48, 32)' "$(repeat 3072 00)"
$ lanewise run w.ptx:wgmma_registers --grid 1 --block 128 wa.npy wb.npy 'out:-=f32[64,32]' 3 --layouts | sed -n '/warp 2/,/match/p' | sed 1d
|   A[i][k]: argument 0 (wgmma_registers_param_0), rows 32..47 by i, columns 0..15 by k
|   B[k][j]: argument 1 (wgmma_registers_param_1), rows 0..15 by k, columns 0..31 by j
|   A and B match in k
$ make_npy ta.npy '<f2' '(128, 128)' "$(repeat 32768 00)"; make_npy tb.npy '<f2' '(192, 128)' "$(repeat 49152 00)"
$ lanewise run w.ptx:wgmma_pipeline --grid 3,2 --block 160 --smem 32768 tma:ta.npy,box=64x64,swizzle=128B tma:tb.npy,box=64x64,swizzle=128B 'out:-=f32[128,192]' 2 --layouts | sed -n '/warp 3, +0x12d/,/match/p' | sed 1d
|   A[i][k]: argument 0 (wgmma_pipeline_param_0), rows 48..63 by i, columns 32..47 by k
|   B[k][j]: argument 1 (wgmma_pipeline_param_1), rows 0..63 by j, columns 32..47 by k
|   A and B match in k
$ cp $LW_TEST_ROOT/tests/data/ptx/vector_add_nvcc_sm_80.ptx n.ptx; lanewise run n.ptx --grid 1 --block 32 a.npy a.npy out:d.npy=f32[100] 3 --layouts | grep layouts
| layouts: no matrix instruction with operands in registers ran
# A trace shows the matrices of PTX too.
$ lanewise run g.ptx --grid 1 --block 32 'out:-=f32[32,24]' pa.npy pb.npy i32:24 i32:16 --trace - | sed -n '/ mma/,/block 0/p' | sed 1d
|       A (f16)
|       block 0, k 0..15
