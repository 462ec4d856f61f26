# Kernels whose metadata name source types; partial workgroups; two kernels in a file.
$ cp $LW_TEST_DATA/words.co .
$ lanewise list words.co
| words.co: code object for gfx950
|   amdgcn-amd-amdhsa--gfx950, code object version 6
|   kernel fill
|     wave 64, workgroup up to 64 work-items, 0 bytes of LDS, 0 bytes of scratch
|     registers: 8 VGPRs, 0 AGPRs, 32 SGPRs
|     argument 0  p                buffer       8 bytes at 0, float*
|     argument 1  n                value        4 bytes at 8, int
|     argument 2  x                value        4 bytes at 12, float
|   kernel unset
|     wave 64, workgroup up to 64 work-items, 64 bytes of LDS, 0 bytes of scratch
|     registers: 8 VGPRs, 0 AGPRs, 32 SGPRs
|     argument 0  p                buffer       8 bytes at 0, uint*
|   kernel dynamic
|     wave 64, workgroup up to 64 work-items, 0 bytes of LDS, 0 bytes of scratch
|     registers: 8 VGPRs, 0 AGPRs, 32 SGPRs
|     argument 0  (no name)        buffer       8 bytes at 0
$ lanewise run words.co --grid 1 --block 64 out:f.npy=f32[4] 3 1.5
! lanewise: run: words.co: which kernel? Say words.co:KERNEL, one of fill, unset, dynamic
= 2
$ lanewise run words.co:fill --items 100 --block 64 zero:f.npy=f32[102] 102 -0.5 | sed 's/in [0-9.]* s/in T s/' | sed '/^parallel/d'
| fill on gfx950: 2 workgroups, 2 waves
| ran 20 instructions, 0 of them matrix instructions, in T s (budget 3,000,000,000)
| evidence: 10 kinds of instruction ran, the weakest label is exact
| not written by the kernel: 2 of 102 elements of argument 0 (p), the first is [100]
| wrote f.npy: float32 102
$ show_npy f.npy | tail -3
|  00 00 00 bf 00 00 00 bf 00 00 00 bf 00 00 00 bf
|  00 00 00 bf 00 00 00 bf 00 00 00 bf 00 00 00 bf
|  00 00 00 00 00 00 00 00
$ lanewise run words.co:fill --grid 1 --block 64 zero:g.npy=f32[4] x=1e-50 n=2 >/dev/null
$ lanewise run words.co:fill --grid 1 --block 64 zero:g.npy=f32[4] 2.5 1 >/dev/null
! lanewise: run: argument 1 (n), int: '2.5' is not of type i32: needs a decimal or 0x number that fits in 32 bits with sign
= 2
$ lanewise run words.co:fill --grid 1 --block 64 zero:g.npy=f32[4] 2147483648 1 >/dev/null
! lanewise: run: argument 1 (n), int: '2147483648' is not of type i32: needs a decimal or 0x number that fits in 32 bits with sign
= 2
$ lanewise run words.co:fill --grid 1 --block 64 zero:g.npy=bf16[8] 2 f32:-0 --expect p=g.npy >/dev/null
! lanewise: run: --expect g.npy: it holds float32 4, but the result is uint16 8
= 2
$ lanewise run words.co:fill --grid 1 --block 64 zero:h.npy=bf16[8] 2 f32:inf >/dev/null
$ show_npy h.npy
| {'descr': '<u2', 'shape': (8,), }
|  00 00 80 7f 00 00 80 7f 00 00 00 00 00 00 00 00

# Uninitialised reads: the answer is no, but the array is written.
$ lanewise run words.co:unset --grid 1 --block 64 zero:u.npy=u32[1] --check uninit=strict >report
= 1
$ grep -A2 check report
| check uninit=strict: 2 instructions read what was never written
|   +0xc  ds_read_b32 v3, v1 offset:16: reads LDS byte 0x10 in lane 0, workgroup 0,0,0 wave 0, 1 time
|   +0x18  v_add_u32_e32 v2, v5, v3: reads v5 in lane 0, workgroup 0,0,0 wave 0, 1 time
$ lanewise run words.co:unset --grid 1 --block 64 zero:u.npy=u32[1] --check uninit=strict --json | sed -n '/"uninitialised"/,/]/p'
|   "uninitialised": [
|     {
|       "code_offset": 12,
|       "instruction": "ds_read_b32 v3, v1 offset:16",
|       "what": "LDS byte 0x10",
|       "lane": 0,
|       "wave": 0,
|       "times": 1
|     },
|     {
|       "code_offset": 24,
|       "instruction": "v_add_u32_e32 v2, v5, v3",
|       "what": "v5",
|       "lane": 0,
|       "wave": 0,
|       "times": 1
|     }
|   ],
$ lanewise run words.co:unset --grid 1 --block 64 zero:u.npy=u32[1] --poison 0x11111111 --check banks | grep -A1 check
| check banks: LDS accesses by instruction
|   +0xc      ds_read_b32 v3, v1 offset:16                        1 times  no conflict (phases or banks assumed)
| check banks: accesses of global memory in blocks of 64 bytes
|   1 instruction: as few blocks as the bytes need
$ show_npy u.npy
| {'descr': '<u4', 'shape': (1,), }
|  22 22 22 22

# LDS without an allocation: loads from it give zero. And an argument without a name.
$ lanewise run words.co:dynamic --grid 1 --block 1 zero:l.npy=u32[1] --check uninit=strict | grep -A1 check
| check uninit=strict: 1 instruction reads what was never written
|   +0x18  ds_read_b32 v3, v1: reads LDS byte 0x0, past the workgroup's 0 bytes in lane 0, workgroup 0,0,0 wave 0, 1 time
$ show_npy l.npy
| {'descr': '<u4', 'shape': (1,), }
|  00 00 00 00
$ lanewise run words.co:dynamic --grid 1 --block 1 zero:l.npy=u32[1] --check uninit=strict --smem 4 | grep check
| check uninit=strict: every register and LDS byte was written before it was read
$ show_npy l.npy
| {'descr': '<u4', 'shape': (1,), }
|  07 00 00 00
$ lanewise run words.co:dynamic --grid 1 --block 1 p=zero:l.npy=u32[1]
! lanewise: run: argument 'p=zero:l.npy=u32[1]': the file does not name the arguments of dynamic; give them in order, or compile with -fhip-kernel-arg-name
= 2
$ lanewise run words.co:dynamic --grid 1 --block 1
! lanewise: run: dynamic takes 1 argument, but 0 are given; it takes buffer
= 2

# Options without effect are refused.
$ lanewise run words.co:dynamic --grid 1 --block 1 zero:l.npy=u32[1] --trace-limit 4
! lanewise: run: --trace-limit has no effect without --trace
= 2
$ lanewise run words.co:dynamic --grid 1 --block 1 zero:l.npy=u32[1] --trace-plain
! lanewise: run: --trace-plain has no effect without --trace
= 2
$ lanewise run . --grid 1 --block 1
! lanewise: run: .: not a regular file
= 2

# An array without elements has an address at which nothing may be accessed.
$ make_npy e.npy '<f4' '(0,)' ''
$ lanewise run words.co:fill --grid 1 --block 64 inout:e.npy=f.npy 0 1.5 | tail -1
| wrote f.npy: float32 0
$ lanewise run words.co:fill --grid 1 --block 64 inout:e.npy=f.npy 1 1.5 >/dev/null
! lanewise: run: kernel fill, workgroup (0,0,0), wave 0, lane 0, pc +0x28 "global_store_dword v1, v2, s[4:5]": stores to address 0x1000000000 in no allocation (0 bytes past the end of "argument 0 (p)", 0 bytes at 0x1000000000); no array was written
= 3

# LDS without an allocation is reported.
$ lanewise run words.co:dynamic --grid 1 --block 1 zero:l.npy=u32[1] | grep -A1 LDS | head -2
| LDS: 2 accesses past the workgroup's 0 bytes read zero or stored nothing; the first: +0x10  ds_write_b32 v1, v2, byte 0x0, lane 0, workgroup 0,0,0 wave 0
|      the kernel declares no LDS: --smem BYTES gives it some
