# c = a + b, by 1 2 3 4 and 10 20 30 40; n = 3 leaves the last element as it was.
$ cp $LW_TEST_ROOT/examples/objects/vector_add_gfx950.co v.co
$ make_npy x.npy '<f4' '(4,)' '0000803f000000400000404000008040'
$ make_npy y.npy '<f4' '(4,)' '000020410000a0410000f04100002042'
$ lanewise run v.co --grid 1 --block 256 --threads 1 out:c.npy=f32[4] x.npy y.npy i32:3 | sed 's/in [0-9.]* s/in T s/'
| vector_add on gfx950: 1 workgroup, 4 waves
| ran 41 instructions, 0 of them matrix instructions, in T s (budget 3,000,000,000)
| serial on 1 thread: one thread was asked for
| evidence: 15 kinds of instruction ran, the weakest label is vendor
| not written by the kernel: 1 of 4 elements of argument 0 (c), element [3]
| wrote c.npy: float32 4
$ show_npy c.npy
| {'descr': '<f4', 'shape': (4,), }
|  00 00 30 41 00 00 b0 41 00 00 04 42 a5 a5 a5 a5
$ lanewise run v.co --grid 1 --block 256 zero:c0.npy=like:x.npy in:x.npy y.npy u32:3 | tail -1
| wrote c0.npy: float32 4
$ show_npy c0.npy
| {'descr': '<f4', 'shape': (4,), }
|  00 00 30 41 00 00 b0 41 00 00 04 42 00 00 00 00
$ lanewise run v.co:vector_add --items 64 --block 64 n=bytes:04000000 b=y.npy 'c=out:c4.npy=f32[2,2]' a=x.npy | tail -1
| wrote c4.npy: float32 2x2
$ show_npy c4.npy
| {'descr': '<f4', 'shape': (2, 2), }
|  00 00 30 41 00 00 b0 41 00 00 04 42 00 00 30 42
$ lanewise run v.co --grid 1 --block 64 a=x.npy c=out:-=f32[4] y.npy i32:3 --expect c.npy | tail -1
| expect c.npy: all 4 elements equal, bit for bit
$ lanewise run v.co --grid 1 --block 64 inout:x.npy=ci.npy x.npy y.npy i32:2 | tail -1
| wrote ci.npy: float32 4
$ show_npy ci.npy
| {'descr': '<f4', 'shape': (4,), }
|  00 00 30 41 00 00 b0 41 00 00 40 40 00 00 80 40

# Comparing instead of writing, and both.
$ lanewise run v.co --grid 1 --block 64 out:-=f32[4] x.npy y.npy i32:3 --expect c.npy | tail -1
| expect c.npy: all 4 elements equal, bit for bit
$ lanewise run v.co --grid 1 --block 64 out:-=f32[4] x.npy y.npy i32:3 --expect c=c.npy >/dev/null
$ lanewise run v.co --grid 1 --block 64 out:-=f32[4] x.npy y.npy i32:3 --expect 0=c0.npy | tail -2
| expect c0.npy: 1 of 4 elements differ; the largest difference is 631612837 ulp
|   [3] is 0xa5a5a5a5 (-2.87351825e-16), expected 0x00000000 (0), 631612837 ulp
$ lanewise run v.co --grid 1 --block 64 out:-=f32[4] x.npy y.npy i32:3 --expect c0.npy >/dev/null
= 1
$ lanewise run v.co --grid 1 --block 64 out:w.npy=f32[4] x.npy y.npy i32:4 --expect c0.npy --rtol 0.5 >/dev/null
= 1
$ ls w.npy
| w.npy
$ lanewise run v.co --grid 1 --block 64 out:-=f32[4] x.npy y.npy i32:3 --expect c0.npy --expect c.npy --check races --junit j.xml >/dev/null
= 1
$ cat j.xml
| <?xml version="1.0" encoding="UTF-8"?>
| <testsuite name="lanewise run" tests="4" failures="1" errors="0">
|   <testcase classname="lanewise run" name="vector_add"/>
|   <testcase classname="lanewise run" name="checks"/>
|   <testcase classname="lanewise run" name="c0.npy">
|     <failure message="1 of 4 elements differ"/>
|   </testcase>
|   <testcase classname="lanewise run" name="c.npy"/>
| </testsuite>
$ cp c.npy 'a&<b>.npy'
$ lanewise run v.co --grid 1 --block 64 out:-=f32[4] x.npy y.npy i32:3 --expect 'a&<b>.npy' --junit j.xml >/dev/null
$ grep npy j.xml
|   <testcase classname="lanewise run" name="a&#38;&#60;b&#62;.npy"/>
$ lanewise run v.co --grid 1 --block 64 out:-=f32[4] x.npy y.npy i32:3 --budget 2 --expect c0.npy --junit j.xml >/dev/null 2>&1
= 3
$ sed -n 's/ message=.*//; 2,7p' j.xml
| <testsuite name="lanewise run" tests="2" failures="0" errors="2">
|   <testcase classname="lanewise run" name="vector_add">
|     <error
|   </testcase>
|   <testcase classname="lanewise run" name="c0.npy">
|     <error
$ lanewise run v.co --grid 1 --block 64 out:-=f32[4] x.npy y.npy i32:3 --junit absent/j.xml
! lanewise: run: cannot write absent/j.xml: folder absent: No such file or directory
= 2
$ lanewise run v.co --grid 1 --block 64 out:-=f32[4] x.npy y.npy i32:3 --junit /dev/full >/dev/null
! lanewise: run: --junit /dev/full: cannot write it: the device is full or gone
= 2
$ rm j.xml 'a&<b>.npy'

# The schedule and the number of threads change nothing.
$ lanewise run v.co --grid 1 --block 64 out:-=f32[4] x.npy y.npy i32:3 --expect c.npy --schedule random:7 --threads 2 | tail -1
| expect c.npy: all 4 elements equal, bit for bit
$ lanewise run v.co --grid 1 --block 64 out:-=f32[4] x.npy y.npy i32:3 --expect c.npy --schedule random:7 --async random:7 --json | sed '/"lanewise"/,/^  \],/d; s/"seconds": [0-9.]*/"seconds": T/'
| {
|   "kernel": "vector_add",
|   "arch": "gfx950",
|   "workgroups": 1,
|   "waves": 1,
|   "instructions": 20,
|   "matrix_instructions": 0,
|   "budget": 3000000000,
|   "seconds": T,
|   "threads": 1,
|   "schedule": "random order",
|   "schedule_reason": "a random order was asked for",
|   "repeated": false,
|   "weakest": "vendor",
|   "counts": [
|     {
|       "instruction": "global_load_dword",
|       "executed": 2,
|       "matrix": false,
|       "label": "exact",
|       "source": "",
|       "aspects": []
|     },
|     {
|       "instruction": "global_store_dword",
|       "executed": 1,
|       "matrix": false,
|       "label": "exact",
|       "source": "",
|       "aspects": []
|     },
|     {
|       "instruction": "s_and_saveexec_b64",
|       "executed": 1,
|       "matrix": false,
|       "label": "exact",
|       "source": "",
|       "aspects": []
|     },
|     {
|       "instruction": "s_cbranch_execz",
|       "executed": 1,
|       "matrix": false,
|       "label": "exact",
|       "source": "",
|       "aspects": []
|     },
|     {
|       "instruction": "s_endpgm",
|       "executed": 1,
|       "matrix": false,
|       "label": "exact",
|       "source": "",
|       "aspects": []
|     },
|     {
|       "instruction": "s_load_dword",
|       "executed": 1,
|       "matrix": false,
|       "label": "exact",
|       "source": "",
|       "aspects": []
|     },
|     {
|       "instruction": "s_load_dwordx2",
|       "executed": 1,
|       "matrix": false,
|       "label": "exact",
|       "source": "",
|       "aspects": []
|     },
|     {
|       "instruction": "s_load_dwordx4",
|       "executed": 1,
|       "matrix": false,
|       "label": "exact",
|       "source": "",
|       "aspects": []
|     },
|     {
|       "instruction": "s_waitcnt",
|       "executed": 3,
|       "matrix": false,
|       "label": "exact",
|       "source": "",
|       "aspects": []
|     },
|     {
|       "instruction": "v_add_f32",
|       "executed": 1,
|       "matrix": false,
|       "label": "vendor",
|       "source": "",
|       "aspects": []
|     },
|     {
|       "instruction": "v_cmp_gt_u32",
|       "executed": 1,
|       "matrix": false,
|       "label": "exact",
|       "source": "",
|       "aspects": []
|     },
|     {
|       "instruction": "v_lshl_add_u64",
|       "executed": 3,
|       "matrix": false,
|       "label": "exact",
|       "source": "",
|       "aspects": []
|     },
|     {
|       "instruction": "v_lshl_or_b32",
|       "executed": 1,
|       "matrix": false,
|       "label": "exact",
|       "source": "",
|       "aspects": []
|     },
|     {
|       "instruction": "v_lshlrev_b64",
|       "executed": 1,
|       "matrix": false,
|       "label": "exact",
|       "source": "",
|       "aspects": []
|     },
|     {
|       "instruction": "v_mov_b32",
|       "executed": 1,
|       "matrix": false,
|       "label": "exact",
|       "source": "",
|       "aspects": []
|     }
|   ],
|   "not_written": [
|     {
|       "argument": 0,
|       "name": "c",
|       "elements": 4,
|       "missing": 1,
|       "first": 3
|     }
|   ],
|   "wrote": [],
|   "expect": [
|     {
|       "file": "c.npy",
|       "equal": true,
|       "accepted": true,
|       "elements": 4,
|       "differ": 0,
|       "outside": 0,
|       "largest_ulp": 0,
|       "samples": []
|     }
|   ],
|   "status": 0
| }

# Only some workgroups: two of 64 work-items, the second alone.
$ make_npy l.npy '<f4' '(128,)' "$(repeat 128 0000803f)"
$ lanewise run v.co --grid 2 --block 64 zero:l2.npy=like:l.npy l.npy l.npy i32:128 --workgroup 1 >/dev/null
$ lanewise run v.co --grid 2 --block 64 zero:-=like:l.npy l.npy l.npy i32:128 --workgroup 1 --expect l2.npy | tail -1
| expect l2.npy: all 128 elements equal, bit for bit
$ lanewise run v.co --grid 2 --block 64 zero:-=like:l.npy l.npy l.npy i32:128 --workgroup 0 --expect l2.npy | grep expect
| expect l2.npy: 64 of 128 elements differ; the largest difference is 1073741824 ulp
|   [0] is 0x40000000 (2), expected 0x00000000 (0), 1073741824 ulp
|   [1] is 0x40000000 (2), expected 0x00000000 (0), 1073741824 ulp
|   [2] is 0x40000000 (2), expected 0x00000000 (0), 1073741824 ulp
|   [3] is 0x40000000 (2), expected 0x00000000 (0), 1073741824 ulp

# Watching.
$ lanewise run v.co --grid 1 --block 64 out:-=f32[4] x.npy y.npy i32:3 --check uninit=strict,banks | grep check
| check uninit=strict: every register and LDS byte was written before it was read
| check banks: no instruction accessed LDS
| check banks: accesses of global memory in blocks of 64 bytes
$ lanewise run v.co --grid 1 --block 64 out:-=f32[4] x.npy y.npy i32:3 --trace - --trace-limit 2 | head -11
| [0,0,0] w0 #0 +0x0000  s_load_dword s3, s[0:1], 0x18
|          s0 = 00000000
|          s1 = 00000007
|       => s3 = 00000003
|       global load: 1 x 4 bytes within 0x700000018..0x70000001b
| [0,0,0] w0 #1 +0x0008  v_lshl_or_b32 v0, s2, 8, v0
|          s2 = 00000000
|          v0 = 00000000 + 0x1 * lane
|       => v0 = 00000000 + 0x1 * lane
| the trace ends here: its limit is 2 instructions
| vector_add on gfx950: 1 workgroup, 1 wave
$ lanewise run v.co --grid 1 --block 64 out:-=f32[4] x.npy y.npy i32:3 --trace t.txt >/dev/null
$ grep -c s_endpgm t.txt
| 1
$ lanewise run v.co --grid 1 --block 64 out:-=f32[4] x.npy y.npy i32:3 --evidence | sed -n '/^evidence/,$p'
| evidence: 15 kinds of instruction ran, the weakest label is vendor:
|   vendor    v_add_f32                                1 time
|   exact     global_load_dword                        2 times
|   exact     global_store_dword                       1 time
|   exact     s_and_saveexec_b64                       1 time
|   exact     s_cbranch_execz                          1 time
|   exact     s_endpgm                                 1 time
|   exact     s_load_dword                             1 time
|   exact     s_load_dwordx2                           1 time
|   exact     s_load_dwordx4                           1 time
|   exact     s_waitcnt                                3 times
|   exact     v_cmp_gt_u32                             1 time
|   exact     v_lshl_add_u64                           3 times
|   exact     v_lshl_or_b32                            1 time
|   exact     v_lshlrev_b64                            1 time
|   exact     v_mov_b32                                1 time
| not written by the kernel: 1 of 4 elements of argument 0 (c), element [3]

# Faults: no array is written.
$ lanewise run v.co --grid 1 --block 64 out:f.npy=f32[4] null y.npy i32:3 >/dev/null
! lanewise: run: kernel vector_add, workgroup (0,0,0), wave 0, lane 0, pc +0x50 "global_load_dword v6, v[4:5], off": loads from address 0x0 in no allocation (a null pointer, or near one); no array was written
= 3
$ lanewise run v.co --grid 1 --block 64 out:f.npy=f32[2] x.npy y.npy i32:3 >/dev/null
! lanewise: run: kernel vector_add, workgroup (0,0,0), wave 0, lane 2, pc +0x70 "global_store_dword v[0:1], v2, off": stores to address 0x1000000008 in no allocation (0 bytes past the end of "argument 0 (c)", 8 bytes at 0x1000000000); no array was written
= 3
$ lanewise run v.co --grid 1 --block 64 x.npy x.npy y.npy i32:3 >/dev/null
! lanewise: run: kernel vector_add, workgroup (0,0,0), wave 0, lane 0, pc +0x70 "global_store_dword v[0:1], v2, off": stores to address 0x1000000000 in read-only allocation "argument 0 (c)"; no array was written
= 3
$ lanewise run v.co --grid 1 --block 64 out:f.npy=f32[4] null y.npy i32:3 --json | sed 's/"seconds": [0-9.]*/"seconds": T/' | sed -n '/"error"/,$p'
|   "error": "kernel vector_add, workgroup (0,0,0), wave 0, lane 0, pc +0x50 \"global_load_dword v6, v[4:5], off\": loads from address 0x0 in no allocation (a null pointer, or near one)",
|   "fault": {
|     "kernel": "vector_add",
|     "workgroup": [0, 0, 0],
|     "wave": 0,
|     "lane": 0,
|     "pc": "0x800001650",
|     "code_offset": 80,
|     "instruction": "global_load_dword v6, v[4:5], off",
|     "reason": "loads from address 0x0 in no allocation (a null pointer, or near one)"
|   },
|   "status": 3
| }
! lanewise: run: kernel vector_add, workgroup (0,0,0), wave 0, lane 0, pc +0x50 "global_load_dword v6, v[4:5], off": loads from address 0x0 in no allocation (a null pointer, or near one); no array was written
# A file with line tables: faults and traces name the source line; of version 4 without the compiler's folder.
$ lanewise run $LW_TEST_ROOT/tests/data/loaders/lines_v5.co:pick --grid 1 --block 64 out:f.npy=f32[2] x.npy i32:3 >/dev/null
! lanewise: run: kernel pick, workgroup (0,0,0), wave 0, lane 2, pc +0x34 "global_store_dword v0, v1, s[0:1]" (/src/lines.hip:11:16): stores to address 0x1000000008 in no allocation (0 bytes past the end of "argument 0", 8 bytes at 0x1000000000); no array was written
= 3
$ lanewise run $LW_TEST_ROOT/tests/data/loaders/lines_v4.co:mix --grid 1 --block 64 out:f.npy=f32[2] x.npy x.npy f32:1 i32:3 >/dev/null
! lanewise: run: kernel mix, workgroup (0,0,0), wave 0, lane 2, pc +0xd4 "global_store_dword v[10:11], v1, off" (lines.hip:18:16): stores to address 0x1000000008 in no allocation (0 bytes past the end of "argument 0", 8 bytes at 0x1000000000); no array was written
= 3
$ lanewise run $LW_TEST_ROOT/tests/data/loaders/lines_v5.co:pick --grid 1 --block 64 out:f.npy=f32[2] x.npy i32:3 --json 2>/dev/null | sed -n '/"fault"/,$p'
|   "fault": {
|     "kernel": "pick",
|     "workgroup": [0, 0, 0],
|     "wave": 0,
|     "lane": 2,
|     "pc": "0x800001b34",
|     "code_offset": 52,
|     "instruction": "global_store_dword v0, v1, s[0:1]",
|     "source": {
|       "file": "/src/lines.hip",
|       "line": 11,
|       "column": 16
|     },
|     "reason": "stores to address 0x1000000008 in no allocation (0 bytes past the end of \"argument 0\", 8 bytes at 0x1000000000)"
|   },
|   "status": 3
| }
$ lanewise run $LW_TEST_ROOT/tests/data/loaders/lines_v5.co:pick --grid 1 --block 64 out:-=f32[4] x.npy i32:3 --trace - | grep '^\[' | sed -n '6,9p'
| [0,0,0] w0 #5 +0x0018  s_load_dwordx4 s[0:3], s[0:1], 0x0  /src/lines.hip:9:19
| [0,0,0] w0 #6 +0x0020  v_lshlrev_b32_e32 v0, 2, v0
| [0,0,0] w0 #7 +0x0024  s_waitcnt lgkmcnt(0)  /src/lines.hip:11:18
| [0,0,0] w0 #8 +0x0028  global_load_dword v1, v0, s[2:3]  /src/lines.hip:11:18
# A budget that runs out: where every wave is.
$ lanewise run v.co --grid 1 --block 128 out:f.npy=f32[4] x.npy y.npy i32:128 --budget 5 | sed -n '/^where/,$p'
| where the waves stand:
|   workgroup 0,0,0 wave 0  +0x1c     s_cbranch_execz 22                       has used up its budget of 5 instructions
|   workgroup 0,0,0 wave 1  +0x0      s_load_dword s3, s[0:1], 0x18            runs
! lanewise: run: kernel vector_add, workgroup (0,0,0), wave 0, pc +0x1c "s_cbranch_execz 22": has used up its budget of 5 instructions; --budget N allows each wave more; no array was written
$ lanewise run v.co --grid 1 --block 128 out:f.npy=f32[4] x.npy y.npy i32:128 --budget 5 >/dev/null 2>&1
= 3
$ lanewise run v.co --grid 1 --block 512 out:f.npy=f32[4] x.npy y.npy i32:3
! lanewise: run: kernel vector_add takes workgroups of 1 to 256 work-items, not 512 x 1 x 1
= 2
$ lanewise run v.co --grid 1 --block 64 out:f.npy=f32[4] inout:x.npy=/dev/full y.npy i32:3 >/dev/null
! lanewise: run: cannot write /dev/full: No space left on device
= 2
$ ls
| c.npy
| c0.npy
| c4.npy
| ci.npy
| l.npy
| l2.npy
| t.txt
| v.co
| w.npy
| x.npy
| y.npy

# Source lines in the findings of checks, and where waves are.
$ cp $LW_TEST_ROOT/tests/data/machine/module.co m.co; lanewise run m.co:hand_on --grid 1 --block 64 out:o.npy=u32[64] u32:1 --check banks,uninit=strict | sed -n '/^  +/p'
|   +0x48  ds_read_b32 v3, v0 (/src/module.hip:28): reads LDS byte 0x100 in lane 63, workgroup 0,0,0 wave 0, 1 time
|   +0x38     ds_write_b32 v1, v3                                 1 times  no conflict (phases or banks assumed) (/src/module.hip:24)
|   +0x48     ds_read_b32 v3, v0                                  1 times  no conflict (phases or banks assumed) (/src/module.hip:28)
$ lanewise run m.co:hand_on --grid 1 --block 64 out:o.npy=u32[64] u32:1 --check banks,uninit=strict --json | grep -A4 '"source": {'
|       "source": {
|         "file": "/src/module.hip",
|         "line": 28,
|         "column": 17
|       },
| --
|       "source": {
|         "file": "/src/module.hip",
|         "line": 24,
|         "column": 18
|       },
| --
|       "source": {
|         "file": "/src/module.hip",
|         "line": 28,
|         "column": 17
|       },
| --
|       "source": {
|         "file": "/src/module.hip",
|         "line": 31,
|         "column": 55
|       },
$ lanewise run m.co:spin --grid 1 --block 64 zero:o.npy=u32[2] --budget 50 | sed -n '/^where/,$p'
| where the waves stand:
|   workgroup 0,0,0 wave 0  +0x58     v_cmp_ne_u32_e32 vcc, 0, v2              has used up its budget of 50 instructions (/src/module.hip:37)
! lanewise: run: kernel spin, workgroup (0,0,0), wave 0, pc +0x58 "v_cmp_ne_u32_e32 vcc, 0, v2" (/src/module.hip:37:20): has used up its budget of 50 instructions; --budget N allows each wave more; no array was written
$ lanewise run m.co:spin --grid 1 --block 64 zero:o.npy=u32[2] --budget 50 --json 2>/dev/null | sed -n '/waves_under/,/executed/p'
|   "waves_under_way": [
|     {
|       "workgroup": [0, 0, 0],
|       "wave": 0,
|       "pc": "0x800001c58",
|       "code_offset": 88,
|       "instruction": "v_cmp_ne_u32_e32 vcc, 0, v2",
|       "source": {
|         "file": "/src/module.hip",
|         "line": 37,
|         "column": 20
|       },
|       "executed": 50,
