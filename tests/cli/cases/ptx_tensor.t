# Tensor maps among the arguments: over an input and a result, over another argument's array, and what is refused.
$ cp $LW_TEST_ROOT/tests/ptx/corpus/async_nvcc.ptx a.ptx; make_npy x.npy '<u4' '(32, 64)' "$(for ((i = 0; i < 2048; i++)); do printf '%02x%02x0000' $((i % 256)) $((i / 256)); done)"; make_npy w.npy '<u4' '(64, 32)' "$(for ((i = 0; i < 2048; i++)); do j=$((i % 32 * 64 + i / 32 + 1)); printf '%02x%02x0000' $((j % 256)) $((j / 256)); done)"
$ lanewise run a.ptx:turn --grid 2,1 --block 64 --threads 1 tma:x.npy,box=32x32,swizzle=128B 'tma:out:y.npy=u32[64,32],box=32x32,swizzle=128B' --expect w.npy | grep -v ' s (budget'
| turn on sm_90: 2 blocks, 4 warps
| serial on 1 thread: one thread was asked for
| evidence: 22 kinds of instruction ran, the weakest label is vendor
| wrote y.npy: uint32 64x32
| expect w.npy: all 2048 elements equal, bit for bit
$ lanewise run a.ptx:turn --grid 1 --block 64 --threads 1 tma:in:x.npy,swizzle=128B,box=32x32,steps=1x1 'tma:out:y.npy=u32[64,32],box=32x32,swizzle=128B' | grep -e written -e wrote
| not written by the kernel: 1024 of 2048 elements of argument 1 (turn_param_1), the first is [32,0]
| wrote y.npy: uint32 64x32
$ make_npy s.npy '<u4' '(32, 32)' "$(repeat 1024 2a000000)"; make_npy t.npy '<u4' '(32, 32)' "$(repeat 1024 2b000000)"
$ lanewise run a.ptx:turn --grid 1 --block 32 turn_param_1=tma:@turn_param_0,swizzle=128B,box=32x32 tma:inout:s.npy=-,box=32x32,swizzle=128B --expect t.npy | grep expect
| expect t.npy: all 1024 elements equal, bit for bit
$ lanewise run a.ptx:turn --grid 1 --block 32 tma:inout:s.npy=-,box=32x32,swizzle=128B tma:@0,box=32x32,swizzle=128B --expect t.npy | grep expect
| expect t.npy: all 1024 elements equal, bit for bit
$ head -c 256 /dev/zero >block; lanewise run a.ptx:turn --grid 1 --block 32 kernarg:block +0=tma:s.npy,box=32x32,swizzle=128B '+128=tma:out:-=u32[32,32],box=32x32,swizzle=128B' --expect t.npy | grep expect
| expect t.npy: all 1024 elements equal, bit for bit
$ lanewise run a.ptx:turn --grid 1 --block 32 kernarg:block +32=tma:s.npy,box=32x32,swizzle=128B
! lanewise: run: argument '+32=tma:s.npy,box=32x32,swizzle=128B': a tensor map is aligned to 64 bytes, but the argument is at byte 32
= 2
$ lanewise run a.ptx:turn --grid 1 --block 32 kernarg:block +192=tma:s.npy,box=32x32,swizzle=128B
! lanewise: run: argument '+192=tma:s.npy,box=32x32,swizzle=128B': 128 bytes at 192 do not fit into a block of 256
= 2
$ lanewise run a.ptx:turn --grid 1 --block 32 tma:s.npy,box=32x32,swizzle=128B tma:@0,box=32x32,swizzle=128B >/dev/null
! lanewise: run: kernel turn, block (0,0,0), warp 0, lane 0, pc +0x3c "line 734: cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd5, {%r2, %r1}], [%r45]": stores to address 0x1000000000 in read-only allocation "argument 0 (turn_param_0)"; no array was written
= 3
$ lanewise run a.ptx:turn --grid 1 --block 32 s.npy tma:@0,box=32x32
! lanewise: run: argument 0 (turn_param_0) is a value of 128 bytes, but 's.npy' is an array
= 2
$ lanewise run a.ptx:turn --grid 1 --block 32 tma:s.npy tma:@0,box=32x32
! lanewise: run: argument 'tma:s.npy': needs a box, innermost dimension first, as in tma:ARRAY,box=64x32
= 2
$ lanewise run a.ptx:turn --grid 1 --block 32 tma:s.npy,swizzle=64B tma:@0,box=32x32
! lanewise: run: argument 'tma:s.npy,swizzle=64B': needs a box, innermost dimension first, as in tma:ARRAY,box=64x32
= 2
$ lanewise run a.ptx:turn --grid 1 --block 32 tma:s.npy,box=64x32,swizzle=128B tma:@0,box=32x32
! lanewise: run: argument 'tma:s.npy,box=64x32,swizzle=128B': the box has rows of 256 bytes; a swizzle of 128 bytes takes no more than these
= 2
$ lanewise run a.ptx:turn --grid 1 --block 32 tma:s.npy,box=32x32,swizzle=12B tma:@0,box=32x32
! lanewise: run: argument 'tma:s.npy,box=32x32,swizzle=12B': 'swizzle=12B': swizzles are none, 32B, 64B, 96B, 128B, 128B_ATOM_32B, 128B_ATOM_32B_FLIP_8B and 128B_ATOM_64B
= 2
$ lanewise run a.ptx:turn --grid 1 --block 32 tma:s.npy,box=32x32,interleave=16B tma:@0,box=32x32
! lanewise: run: argument 'tma:s.npy,box=32x32,interleave=16B': 'interleave=16B': interleaved layouts, filling with NaN and tf32 are not supported; a tensor map takes box=64x32 (or im2col=64x128, lower=-1x-1, upper=-1x-1, wide=w|w128), swizzle=none|32B|64B|96B|128B[_ATOM_32B[_FLIP_8B]|_ATOM_64B] and steps=1x2
= 2
$ lanewise run a.ptx:turn --grid 1 --block 32 tma:s.npy,box=32x32,fill=nan tma:@0,box=32x32
! lanewise: run: argument 'tma:s.npy,box=32x32,fill=nan': 'fill=nan': interleaved layouts, filling with NaN and tf32 are not supported; a tensor map takes box=64x32 (or im2col=64x128, lower=-1x-1, upper=-1x-1, wide=w|w128), swizzle=none|32B|64B|96B|128B[_ATOM_32B[_FLIP_8B]|_ATOM_64B] and steps=1x2
= 2
$ lanewise run a.ptx:turn --grid 1 --block 32 tma:s.npy,box=32,x32 tma:@0,box=32x32
! lanewise: run: argument 'tma:s.npy,box=32,x32': 'x32' is not valid: a tensor map takes box=64x32 (or im2col=64x128, lower=-1x-1, upper=-1x-1, wide=w|w128), swizzle=none|32B|64B|96B|128B[_ATOM_32B[_FLIP_8B]|_ATOM_64B] and steps=1x2 (at most 5 numbers)
= 2
$ lanewise run a.ptx:turn --grid 1 --block 32 tma:s.npy,box=32x32x4 tma:@0,box=32x32
! lanewise: run: argument 'tma:s.npy,box=32x32x4': the array has 2 dimensions, but box= has 3 and steps= 0; box=, and steps= if given, need one number for each dimension, 1 to 5
= 2
$ lanewise run a.ptx:turn --grid 1 --block 32 tma:s.npy,box=0x4 tma:@0,box=32x32
! lanewise: run: argument 'tma:s.npy,box=0x4': 'box=0x4' is not valid: a tensor map takes box=64x32 (or im2col=64x128, lower=-1x-1, upper=-1x-1, wide=w|w128), swizzle=none|32B|64B|96B|128B[_ATOM_32B[_FLIP_8B]|_ATOM_64B] and steps=1x2 (at most 5 numbers)
= 2
$ lanewise run a.ptx:turn --grid 1 --block 32 tma:s.npy,box=1x2x3x4x5x6 tma:@0,box=32x32
! lanewise: run: argument 'tma:s.npy,box=1x2x3x4x5x6': 'box=1x2x3x4x5x6' is not valid: a tensor map takes box=64x32 (or im2col=64x128, lower=-1x-1, upper=-1x-1, wide=w|w128), swizzle=none|32B|64B|96B|128B[_ATOM_32B[_FLIP_8B]|_ATOM_64B] and steps=1x2 (at most 5 numbers)
= 2
$ lanewise run a.ptx:turn --grid 1 --block 32 tma:s.npy,box=32x99999999999 tma:@0,box=32x32
! lanewise: run: argument 'tma:s.npy,box=32x99999999999': the box has 4294967295 elements in dimension 1; it takes 1 to 256
= 2
$ lanewise run a.ptx:turn --grid 1 --block 32 tma:s.npy,box=32x32,steps=1x9 tma:@0,box=32x32
! lanewise: run: argument 'tma:s.npy,box=32x32,steps=1x9': a step of 9 in dimension 1; it is 1 to 8
= 2
$ lanewise run a.ptx:turn --grid 1 --block 32 tma:s.npy,box=32x32,boxes=3 tma:@0,box=32x32
! lanewise: run: argument 'tma:s.npy,box=32x32,boxes=3': 'boxes=3' is not valid: a tensor map takes box=64x32 (or im2col=64x128, lower=-1x-1, upper=-1x-1, wide=w|w128), swizzle=none|32B|64B|96B|128B[_ATOM_32B[_FLIP_8B]|_ATOM_64B] and steps=1x2 (at most 5 numbers)
= 2
$ lanewise run a.ptx:turn --grid 1 --block 32 tma:i32:5,box=32x32 tma:@0,box=32x32
! lanewise: run: argument 'tma:i32:5,box=32x32': a tensor map describes an array: x.npy, in:, inout:, out:, zero: or @ARGUMENT
= 2
$ lanewise run a.ptx:turn --grid 1 --block 32 tma:tma:s.npy,box=32x32 tma:@0,box=32x32
! lanewise: run: argument 'tma:tma:s.npy,box=32x32': a tensor map describes an array, not another tensor map
= 2
$ lanewise run a.ptx:turn --grid 1 --block 32 tma:@1,box=32x32 tma:@0,box=32x32
! lanewise: run: argument 'tma:@1,box=32x32': 'tma:@0,box=32x32' is not an array
= 2
$ lanewise run a.ptx:turn --grid 1 --block 32 tma:@q,box=32x32 tma:@0,box=32x32
! lanewise: run: argument 'tma:@q,box=32x32': turn has no argument 'q'
= 2
$ lanewise run a.ptx:election --grid 1 --block 32 tma:s.npy,box=32x32
! lanewise: run: argument 0 (election_param_0) has 8 bytes, but 'tma:s.npy,box=32x32' has 128
= 2
