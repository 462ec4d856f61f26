# PTX kernels that run: vector_add from nvcc and clang, a fault with its lines, a kernel that needs too much.
$ cp $LW_TEST_ROOT/tests/data/ptx/vector_add_nvcc_sm_80.ptx n.ptx; cp $LW_TEST_ROOT/tests/data/ptx/vector_add_clang_sm_80.ptx c.ptx; cp $LW_TEST_ROOT/tests/data/ptx/vector_add_nvcc_sm_90.ptx h.ptx
$ for k in n c h; do lanewise run $k.ptx:vector_add --threads 1 --grid 2 --block 64 zero:a.npy=f32[100] zero:b.npy=f32[100] out:c$k.npy=f32[100] 100 | grep -v ' s (budget'; done; cmp cn.npy cc.npy && cmp cn.npy ch.npy && cmp cn.npy a.npy
| vector_add on sm_80: 2 blocks, 4 warps
| serial on 1 thread: one thread was asked for
| evidence: 11 kinds of instruction ran, the weakest label is vendor
| not written by the kernel: 100 of 100 elements of argument 0 (vector_add_param_0), the first is [0]
| not written by the kernel: 100 of 100 elements of argument 1 (vector_add_param_1), the first is [0]
| wrote a.npy: float32 100
| wrote b.npy: float32 100
| wrote cn.npy: float32 100
| vector_add on sm_80: 2 blocks, 4 warps
| serial on 1 thread: one thread was asked for
| evidence: 11 kinds of instruction ran, the weakest label is vendor
| not written by the kernel: 100 of 100 elements of argument 0 (vector_add_param_0), the first is [0]
| not written by the kernel: 100 of 100 elements of argument 1 (vector_add_param_1), the first is [0]
| wrote a.npy: float32 100
| wrote b.npy: float32 100
| wrote cc.npy: float32 100
| vector_add on sm_90: 2 blocks, 4 warps
| serial on 1 thread: one thread was asked for
| evidence: 11 kinds of instruction ran, the weakest label is vendor
| not written by the kernel: 100 of 100 elements of argument 0 (vector_add_param_0), the first is [0]
| not written by the kernel: 100 of 100 elements of argument 1 (vector_add_param_1), the first is [0]
| wrote a.npy: float32 100
| wrote b.npy: float32 100
| wrote ch.npy: float32 100
$ lanewise run n.ptx --threads 1 --grid 2 --block 64 a.npy b.npy out:d.npy=f32[99] 100 | grep -v ' s (budget'
| vector_add on sm_80: 1 block, 4 warps
| serial on 1 thread: one thread was asked for
| evidence: 11 kinds of instruction ran, the weakest label is vendor
! lanewise: run: kernel vector_add, block (1,0,0), warp 1, lane 3, pc +0x14 "line 58: st.global.f32 [%rd10], %f3" (vector_add.cu:18:9): stores to address 0x100004018c in no allocation (0 bytes past the end of "argument 2 (vector_add_param_2)", 396 bytes at 0x1000040000) (executed by lanes 0x0000000f); no array was written
$ lanewise run c.ptx --grid 1 --block 32 a.npy b.npy out:d.npy=f32[100] 3 --trace - --trace-limit 2 | grep -v ' s (budget'
| [0,0,0] w0 #0 +0x0000  ld.param.b64 %rd4, [vector_add_param_0]  vector_add.cu:15
|       => %rd4 = 00000000 in all lanes
|       => %rd4+1 = 00000010 in all lanes
| [0,0,0] w0 #1 +0x0001  ld.param.b64 %rd5, [vector_add_param_2]  vector_add.cu:15
|       => %rd5 = 00040000 in all lanes
|       => %rd5+1 = 00000010 in all lanes
| the trace ends here: its limit is 2 instructions
| vector_add on sm_80: 1 block, 1 warp
| serial on 1 thread: observers watch the launch
| evidence: 11 kinds of instruction ran, the weakest label is vendor
| not written by the kernel: 97 of 100 elements of argument 2 (vector_add_param_2), the first is [3]
| wrote d.npy: float32 100
$ lanewise run n.ptx --grid 1 --block 32 a.npy b.npy 17 u32:3 | grep -v ' s (budget'
| vector_add on sm_80: 0 blocks, 1 warp
| serial on 1 thread: there is one workgroup
| evidence: 10 kinds of instruction ran, the weakest label is vendor
! lanewise: run: kernel vector_add, block (0,0,0), warp 0, lane 0, pc +0x14 "line 58: st.global.f32 [%rd10], %f3" (vector_add.cu:18:9): stores 4 bytes at address 0x11 (a null pointer, or near one), which is not a multiple of 4 (executed by lanes 0x00000007); no array was written
$ lanewise run c.ptx --grid 1 --block 32 a.npy b.npy 17 u32:3
! lanewise: run: argument 2 (vector_add_param_2) is a buffer, but '17' is a number
= 2
$ sed 's/add\.f32/nop.rn.f32/' n.ptx > bad.ptx; lanewise run bad.ptx --grid 1 --block 32 a.npy b.npy out:d.npy=f32[100] 3
! lanewise: run: kernel vector_add needs what this version cannot run: nop.rn.f32 (line 53)
= 3
$ lanewise run n.ptx --grid 1 --block 2048 a.npy b.npy out:d.npy=f32[100] 3
! lanewise: run: kernel vector_add takes blocks of 1 to 1024 work-items, not 2048 x 1 x 1
= 2
# what limits exactness, the block size that a kernel states, Triton's hidden parameters
$ cp $LW_TEST_ROOT/tests/data/ptx/trailing_null.ptx t.ptx; make_npy x.npy '<f4' '(32,)' "$(repeat 32 0000803f)"; make_npy y.npy '<f4' '(32,)' "$(repeat 32 00000040)"
$ lanewise list t.ptx
| t.ptx: PTX module for sm_80
|   PTX version 8.7
|   kernel axpy
|     warp 32, block exactly 32,1,1, 0 bytes of shared memory, 0 bytes of local memory
|     approximate, here correctly rounded: ex2.approx.f32 (line 27)
|     the assembler may fuse the product and the sum of lines 25 and 26; here each is rounded
|     argument 0  axpy_param_0     buffer       8 bytes at 0, u64
|     argument 1  axpy_param_1     buffer       8 bytes at 8, u64
|     argument 2  axpy_param_2     value        4 bytes at 16, f32
|     argument 3  axpy_param_3     buffer       8 bytes at 24, u64
|     argument 4  axpy_param_4     buffer       8 bytes at 32, u64
$ lanewise list t.ptx --json | grep -e approximate -e contracted
|           "approximate": "ex2.approx.f32 (line 27)",
|           "contracted": "lines 25 and 26",
$ lanewise run t.ptx --grid 1 x.npy inout:y.npy=z.npy 1.5 | grep -v ' s (budget'
| axpy on sm_80: 1 block, 1 warp
| serial on 1 thread: there is one workgroup
| evidence: 9 kinds of instruction ran, the weakest label is inferred; 1 not measured:
|   inferred  ex2                                      1 time  (correctly rounded; the PTX ISA gives a bound of error, hardware differs in last bits)
| wrote z.npy: float32 32
! lanewise: run: note: axpy: the assembler may fuse the product and the sum of lines 25 and 26 into one rounding; here each is rounded
! lanewise: run: note: axpy: its last two arguments are not given: null, as Triton's runtime passes scratch memory
$ lanewise run t.ptx --grid 1 x.npy inout:y.npy=z.npy | grep -v ' s (budget'
! lanewise: run: note: axpy: the assembler may fuse the product and the sum of lines 25 and 26 into one rounding; here each is rounded
! lanewise: run: axpy takes 5 arguments, but 2 are given; it takes axpy_param_0 (buffer), axpy_param_1 (buffer), axpy_param_2 (4 bytes), axpy_param_3 (buffer), axpy_param_4 (buffer)
= 1

# Which random bits round which number was seen on a B200; elsewhere it is inferred.
$ for t in sm_100a sm_103a; do printf '.version 8.7\n.target %s\n.address_size 64\n.entry k(.param .u64 p) { .reg .b32 %%r<4>; .reg .f32 %%f; .reg .b64 %%d;\nld.param.u64 %%d, [p]; mov.f32 %%f, 0f3f88ffff; mov.b32 %%r1, 0xffff0001;\ncvt.rs.satfinite.e4m3x4.f32 %%r0, {%%f, %%f, %%f, %%f}, %%r1; st.global.b32 [%%d], %%r0; }\n' $t >$t.ptx; lanewise run $t.ptx --grid 1 --block 1 out:o.npy='u32[1]' | grep -e evidence -e cvt; tail -c 4 o.npy | od -An -tx4; done
| evidence: 4 kinds of instruction ran, the weakest label is vendor
|  39393938
| evidence: 4 kinds of instruction ran, the weakest label is inferred; 1 not measured:
|   inferred  cvt                                      1 time  (the PTX ISA leaves a choice open, which is made here)
|  39393938
