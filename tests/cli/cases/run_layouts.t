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
# PTX.
$ cp $LW_TEST_ROOT/tests/data/ptx/vector_add_nvcc_sm_80.ptx n.ptx; lanewise run n.ptx --grid 1 --block 32 a.npy a.npy out:d.npy=f32[100] 3 --layouts
! lanewise: run: --layouts traces the matrix instructions of AMD GPUs; it cannot read operands of PTX
= 3
