# wgmma as an instruction: every width has its row, found by spelling or short name; lanes are four warps
$ lanewise info wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e5m2 --arch H100 | head -20
| wgmma.m64n128k32.f32.fp8.fp8 on sm_90, Hopper (H100, H200)
|
| shape          64 x 128 x 32  (A is m x k, B is k x n, C and D are m x n)
| family         wgmma
| spelling       wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e5m2
| since          PTX ISA 8.0
| on             sm_90
|
| operands
|   A        e4m3        8 bits   4 registers  registers or shared memory
|   B        e5m2        8 bits                shared memory
|   C        f32        32 bits  64 registers  registers
|   D        f32        32 bits  64 registers  registers
|
| modifiers      scale-d imm-scale-a imm-scale-b
|   The operands of wgmma that are constants: scale-d:0 leaves C out (D = A * B); imm-scale-a:-1 and
|   imm-scale-b:-1 negate the elements of A and B; imm-trans-a:1 and imm-trans-b:1 say that A and B
|   lie M-major and N-major in shared memory. N is any multiple of 8 up to 256, of integers and bits
|   from 32 on of 16: part of the name, as in m64n128k16.
|
! note: H100 is sm_90
$ lanewise layout wgmma.m64n256k16.f32.f16.f16 --arch sm_90 --operand D --lane 77 --register 6
| lane 77  register  6  bits 31:0   D[i=43][j=10]
$ lanewise layout wgmma.m64n8k16.f32.f16.f16 --arch sm_90 --operand A --element 26,9
| lane 40  register  3  bits 31:16  A[i=26][k=9]
$ lanewise layout wgmma.m64n16k16.f32.f16.f16 --arch sm_90 --operand D --format cute
| ((4,8,4),(2,2,2)):((128,1,16),(64,8,512))
$ lanewise layout wgmma.m64n8k16.f32.f16.f16 --arch sm_90 --operand all --lane 33
| lane 33  register  0  bits 15:0   A[i=16][k=2]
| lane 33  register  0  bits 31:16  A[i=16][k=3]
| lane 33  register  1  bits 15:0   A[i=24][k=2]
| lane 33  register  1  bits 31:16  A[i=24][k=3]
| lane 33  register  2  bits 15:0   A[i=16][k=10]
| lane 33  register  2  bits 31:16  A[i=16][k=11]
| lane 33  register  3  bits 15:0   A[i=24][k=10]
| lane 33  register  3  bits 31:16  A[i=24][k=11]
| in shared memory, where a descriptor says: --descriptor
| lane 33  register  0  bits 31:0   C[i=16][j=2]
| lane 33  register  1  bits 31:0   C[i=16][j=3]
| lane 33  register  2  bits 31:0   C[i=24][j=2]
| lane 33  register  3  bits 31:0   C[i=24][j=3]
| lane 33  register  0  bits 31:0   D[i=16][j=2]
| lane 33  register  1  bits 31:0   D[i=16][j=3]
| lane 33  register  2  bits 31:0   D[i=24][j=2]
| lane 33  register  3  bits 31:0   D[i=24][j=3]
# B, and A if a kernel wants so, is in shared memory
$ lanewise layout wgmma.m64n16k16.f32.f16.f16 --arch sm_90 --operand B
! lanewise: layout: B of wgmma.m64n16k16.f32.f16.f16 is in no register: it is in shared memory, where a descriptor says (lanewise layout --descriptor, lw_tile_of_descriptor)
= 3
$ lanewise layout wgmma.m64n16k16.f32.f16.f16 --arch sm_90 --operand B --descriptor 0x4000004000010040
| B of wgmma.m64n16k16.f32.f16.f16: 16-bit elements, k 0 to 15, j 0 to 15
| The descriptor: start 0x400, leading-dimension offset 16, stride offset 1024, swizzle of 128 bytes
| Evidence: vendor. Equal to CUTLASS's descriptors and layouts, element for element.
| Byte addresses of 16 bytes each, of the 8 elements from the k at the head of the column on.
| j\k      0      8
|   0 0x0400 0x0410
|   1 0x0490 0x0480
|   2 0x0520 0x0530
|   3 0x05b0 0x05a0
|   4 0x0640 0x0650
|   5 0x06d0 0x06c0
|   6 0x0760 0x0770
|   7 0x07f0 0x07e0
|   8 0x0800 0x0810
|   9 0x0890 0x0880
|  10 0x0920 0x0930
|  11 0x09b0 0x09a0
|  12 0x0a40 0x0a50
|  13 0x0ad0 0x0ac0
|  14 0x0b60 0x0b70
|  15 0x0bf0 0x0be0
$ lanewise layout wgmma.m64n64k16.f32.f16.f16 --arch sm_90 --operand A --descriptor 0x4000004000010040 --element 63,15
| A[i=63][k=15] is at byte 0x23ee
$ lanewise layout wgmma.m64n256k16.f32.f16.f16 --arch sm_90 --operand B --descriptor 0x4000004002000400 --mod imm-trans-b:1 --element 15,200
| B[k=15][j=200] is at byte 0xa7e0
$ lanewise layout wgmma.m64n8k16.f32.f16.f16 --arch sm_90 --operand B --descriptor 0x4000004000010000 --format listing | head -3
| 0 0 0
| 0 1 1152
| 0 2 2304
$ lanewise layout wgmma.m64n8k16.f32.f16.f16 --arch sm_90 --operand B --descriptor 0x0000001000080000 --format cute
| ((8,2),8):((1,64),8)
$ lanewise layout wgmma.m64n8k8.f32.tf32.tf32 --arch sm_90 --operand B --descriptor 0x4000004000010000 --json | head -12
| {
|   "instruction": "wgmma.m64n8k8.f32.tf32.tf32",
|   "operand": "B",
|   "start": 0,
|   "leading": 16,
|   "stride": 1024,
|   "swizzle": 128,
|   "width": 32,
|   "entries": [
|     {
|       "x": 0,
|       "y": 0,
$ lanewise layout wgmma.m64n8k16.f32.f16.f16 --arch sm_90 --operand B --descriptor 0x4002004000010000
! lanewise: layout: --descriptor: the descriptor has the base offset 1: nothing is known of others than 0
= 3
$ lanewise layout wgmma.m64n8k16.f32.f16.f16 --arch sm_90 --operand B --descriptor x
! lanewise: layout: --descriptor x: not a number of 64 bits, as in 0x4000004000010040
= 2
$ lanewise layout wgmma.m64n8k16.f32.f16.f16 --arch sm_90 --operand B --descriptor 0x4000004000010000 --element 16,0
! lanewise: layout: --element 16,0: B has k up to 15 and j up to 7
= 2
$ lanewise layout wgmma.m64n8k16.f32.f16.f16 --arch sm_90 --operand D --descriptor 0
! lanewise: layout: --descriptor: descriptors are of A and B of wgmma and tcgen05.mma
= 2
$ lanewise layout mma.m16n8k16.f32.f16.f16.f32 --arch sm_90 --operand B --descriptor 0
! lanewise: layout: --descriptor: descriptors are of A and B of wgmma and tcgen05.mma
= 2
$ lanewise layout wgmma.m64n8k16.f32.f16.f16 --arch sm_90 --operand B --descriptor 0 --lane 3
! lanewise: layout: --descriptor is about shared memory and takes no --lane
= 2
# numbers: the operands that are constants are modifiers
$ make_npy a.npy '<f2' '(64, 16)' "$(repeat 1024 003c)"
$ make_npy b.npy '<f2' '(16, 8)' "$(repeat 128 0040)"
$ make_npy c.npy '<f4' '(64, 8)' "$(repeat 512 0000803f)"
$ lanewise eval wgmma.m64n8k16.f32.f16.f16 --arch sm_90 --a a.npy --b b.npy --c c.npy | tail -3
| 33 33 33 33 33 33 33 33
| 33 33 33 33 33 33 33 33
| evidence, finite results: measured (arXiv 2511.10909: about a million random and adversarial cases compared with an H100 bit for bit)
$ lanewise eval wgmma.m64n8k16.f32.f16.f16 --arch sm_90 --a a.npy --b b.npy --c c.npy --mod imm-scale-a:-1 | sed -n 64p
| -31 -31 -31 -31 -31 -31 -31 -31
$ lanewise eval wgmma.m64n8k16.f32.f16.f16 --arch sm_90 --a a.npy --b b.npy --c c.npy --mod scale-d:0 | sed -n 64p
| 32 32 32 32 32 32 32 32
$ lanewise eval wgmma.m64n8k16.f32.f16.f16 --arch sm_90 --a a.npy --b b.npy --explain 63,7 | tail -8
|      13               1               2                     2     1        33554432  2^-24
|      14               1               2                     2     1        33554432  2^-24
|      15               1               2                     2     1        33554432  2^-24
|     accumulator on the grid 2^-24: 0
|   total on the grid 2^-24: 32
|   converted: cut towards zero: 32 (0x42000000)
| D = 32 (0x42000000)
| evidence, finite results: measured (arXiv 2511.10909: about a million random and adversarial cases compared with an H100 bit for bit)
$ lanewise eval wgmma.m64n9k16.f32.f16.f16 --arch sm_90 --a a.npy --b b.npy
! lanewise: eval: wgmma.m64n9k16.f32.f16.f16: no wgmma has this short name; N is 8 to 256 by 8, of integers and bits above 32 by 16, and full spellings begin with wgmma.mma_async; short names near it: wgmma.m64n8k16.f32.f16.f16, wgmma.m64n96k16.f32.f16.f16
= 2
$ lanewise eval wgmma.m64n8k16.f32.f16.f16 --arch sm_90 --a a.npy --b b.npy --mod imm-scale-a:0
! lanewise: eval: --mod: imm-scale-a is 1 or -1, not "0"
= 2
$ lanewise info wgmma.m64n8k32.f32.fp8.fp8 --arch sm_90 --mod imm-trans-a:1
! lanewise: info: --mod: wgmma.m64n8k32.f32.fp8.fp8 does not take "imm-trans-a:1"; beside its spelling it takes: scale-d imm-scale-a imm-scale-b; types, layouts and qualifiers are part of the spelling, as in mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
= 3
$ lanewise list --arch sm_90 --evidence | grep wgmma | head -20
| wgmma.m64n8k16.f16.f16.f16               64x8x16      f16      f16      f16    measured   unknown
| wgmma.m64n8k16.f32.bf16.bf16             64x8x16      bf16     bf16     f32    measured   unknown
| wgmma.m64n8k16.f32.f16.f16               64x8x16      f16      f16      f32    measured   unknown
| wgmma.m64n8k256.s32.b1.b1                64x8x256     b1       b1       s32    vendor     vendor
| wgmma.m64n8k32.f16.fp8.fp8               64x8x32      fp8      fp8      f16    measured   unknown
| wgmma.m64n8k32.f32.fp8.fp8               64x8x32      fp8      fp8      f32    recorded   unknown
| wgmma.m64n8k32.s32.int8.int8             64x8x32      s8/u8    s8/u8    s32    vendor     unknown
| wgmma.m64n8k8.f32.tf32.tf32              64x8x8       tf32     tf32     f32    measured   unknown
| wgmma.sp.m64n8k16.f32.tf32.tf32          64x8x16      tf32     tf32     f32    inferred   unknown
| wgmma.sp.m64n8k32.f16.f16.f16            64x8x32      f16      f16      f16    inferred   unknown
| wgmma.sp.m64n8k32.f32.bf16.bf16          64x8x32      bf16     bf16     f32    inferred   unknown
| wgmma.sp.m64n8k32.f32.f16.f16            64x8x32      f16      f16      f32    inferred   unknown
| wgmma.sp.m64n8k64.f16.fp8.fp8            64x8x64      fp8      fp8      f16    inferred   unknown
| wgmma.sp.m64n8k64.f32.fp8.fp8            64x8x64      fp8      fp8      f32    inferred   unknown
| wgmma.sp.m64n8k64.s32.int8.int8          64x8x64      s8/u8    s8/u8    s32    vendor     unknown
# blocks in clusters
$ cp $LW_TEST_ROOT/tests/ptx/corpus/cluster_nvcc.ptx k.ptx
$ lanewise list k.ptx | grep -A1 -E "kernel (places|ring)"
|   kernel places
|     warp 32, 0 bytes of shared memory, 0 bytes of local memory
| --
|   kernel ring
|     warp 32, clusters of 8,1,1, 528 bytes of shared memory, 0 bytes of local memory
$ lanewise run k.ptx:places --threads 1 --grid 4 --block 32 --cluster 2 zero:o.npy=i32[4,8] | grep -v ' s (budget'
| places on sm_90: 4 blocks, 4 warps
| serial on 1 thread: one thread was asked for
| evidence: 11 kinds of instruction ran, the weakest label is vendor
| wrote o.npy: int32 4x8
$ lanewise run k.ptx:stuck --threads 1 --grid 2 --block 32 zero:o.npy=i32[32] | grep -v ' s (budget'
| stuck on sm_90: 0 blocks, 2 warps
| serial on 1 thread: one thread was asked for
| evidence: 11 kinds of instruction ran, the weakest label is vendor
| where the warps stand:
|   block 0,0,0 warp 0  +0x15     line 885: barrier.cluster.wait           waits at the cluster's barrier that 1 of 2 warps have reached
|   block 1,0,0 warp 0  +0x12     line 879: @!done bra again               repeats the same 2 instructions, and no memory changes: polls shared memory+0x0, an mbarrier that lacks 1 of 1 arrivals
! lanewise: run: kernel stuck: no warp can go on: each repeats itself or waits, and no memory changes; nobody is left to change what is polled: 1 repeats itself, 1 waits, all other warps have ended; block (0,0,0), warp 0, pc +0x15 "line 885: barrier.cluster.wait": waits at the cluster's barrier that 1 of 2 warps have reached; block (1,0,0), warp 0, pc +0x12 "line 879: @!done bra again": repeats the same 2 instructions, and no memory changes: polls shared memory+0x0, an mbarrier that lacks 1 of 1 arrivals; no array was written
$ lanewise run k.ptx:leaver --threads 1 --grid 2 --block 32 zero:o.npy=i32[32] | grep -v ' s (budget'
| leaver on sm_90: 0 blocks, 2 warps
| serial on 1 thread: one thread was asked for
| evidence: 13 kinds of instruction ran, the weakest label is vendor
! lanewise: run: kernel leaver, block (1,0,0), warp 0, lane 0, pc +0x19 "line 830: ld.u32 %r11, [%rd5]": reads shared memory of block 0 of the cluster, which has ended: the blocks have to meet at the cluster's barrier before one of them ends (executed by lanes 0xffffffff); no array was written
$ lanewise run k.ptx:places --threads 1 --grid 4 --block 32 --cluster 2 zero:o.npy=i32[4,8] --check races | sed -n '/^check/,/^evidence/p' | grep -v '^evidence'
| check races: nothing found
|   not checked: paths that no wave took; orders of flag accesses other than those of this run
$ lanewise run k.ptx:ring --threads 1 --grid 8 --block 64 zero:-=i32[512] zero:-=i32[512] 1 --check races | sed -n '/^check/,/^evidence/p' | grep -v '^evidence'
| check races: nothing found
|   not checked: paths that no wave took; orders of flag accesses other than those of this run
$ lanewise run k.ptx:ring --threads 1 --async early --grid 8 --block 64 zero:-=i32[512] zero:-=i32[512] 3 --check races | grep '^check'
| check races: nothing found
$ lanewise run k.ptx:multicast --threads 1 --grid 4 --block 64 zero:-=i32[256] zero:-=i32[256] --check races | grep '^check'
| check races: nothing found
$ lanewise run k.ptx:send --threads 1 --grid 4 --block 64 zero:-=i32[256] zero:-=i32[256] --check races | grep '^check'
| check races: nothing found
# What is added arrives in any order; the two warps of a block that set the word to 0 are no harm.
$ lanewise run k.ptx:gathered --threads 1 --grid 4 --block 64 zero:-=i32[256] zero:-=i32[256] --check races | grep -A1 '^check'
| check races: 1 info
|   info race-write: shared byte 0x300 is written; warp 0 has written it, and the two are not ordered; the write changed nothing
$ lanewise run k.ptx:places --threads 1 --grid 5 --block 32 --cluster 2 zero:o.npy=i32[5,8]
! lanewise: run: a grid of 5 x 1 x 1 blocks is not a multiple of clusters of 2 x 1 x 1
= 2
$ lanewise run k.ptx:places --threads 1 --grid 4 --block 32 --cluster x zero:o.npy=i32[5,8]
! lanewise: run: --cluster x: needs X, X,Y or X,Y,Z, each from 1 to 4294967295
= 2
$ lanewise run k.ptx:multicast --threads 1 --grid 4 --block 32 --cluster 2 zero:i.npy=i32[256] zero:o.npy=i32[256]
! lanewise: run: kernel multicast was compiled for clusters of 4 x 1 x 1 only
= 2
# Accesses to a tile are those of one wave.
$ lanewise layout wgmma.m64n64k16.f32.f16.f16 --arch H100 --operand A --banks b32 --shape 64x64
! note: H100 is sm_90
! lanewise: layout: the operand is in the 128 lanes of a warpgroup; accesses are those of one warp
= 1

# Each block of a cluster has barriers of its own: all threads of block 0 read 7, those of block 1 8.
$ lanewise run $LW_TEST_ROOT/tests/data/checks/cluster_barriers.ptx --grid 2 --block 64 zero:o.npy=u32[128] zero:-=u32[2] >/dev/null; od -An -tu4 -v -j128 o.npy | tr -s ' ' '\n' | uniq -c | grep -v ' $'
|      64 7
|      64 8
