# A matrix result that is read too early: the finding, its cure, the exit status.
$ cp $LW_TEST_ROOT/tests/data/checks/short_wait.co k.co
$ lanewise run k.co --grid 2 --block 64 out:-=u32[64] --check hazards --sarif k.sarif | grep -v '^ran'
| k on gfx942: 2 workgroups, 2 waves
| serial on 1 thread: observers watch the launch
| check hazards: 1 error
|   error matrix-result-read: v12 is needed 0 wait states after the instruction that writes it; it needs 7
|     earlier +0x30  v_mfma_f32_16x16x16_f16 v[12:15], v[4:5], v[6:7], 0
|     later   +0x38  v_mov_b32_e32 v8, v12
|     first in workgroup 0,0,0 wave 0, 2 times
|     rule: an instruction reads the result of a matrix instruction
|     cure: insert s_nop 6 before +0x38
|   not checked: paths that no wave took; memory instructions that XNACK may replay
| evidence: 9 kinds of instruction ran, the weakest label is measured
$ grep -c '"level": "error"' k.sarif
| 1
$ lanewise run k.co --grid 2 --block 64 out:-=u32[64] --check all --json | grep -A3 '"check"'
|       "check": "hazards",
|       "error": 1,
|       "warning": 0,
|       "strict": 0,
| --
|       "check": "waits",
|       "error": 0,
|       "warning": 0,
|       "strict": 0,
| --
|       "check": "races",
|       "error": 0,
|       "warning": 0,
|       "strict": 0,
| --
|       "check": "bounds",
|       "error": 0,
|       "warning": 0,
|       "strict": 0,
| --
|       "check": "numerics",
|       "error": 0,
|       "warning": 0,
|       "strict": 0,
| --
|       "check": "uninit",
|       "error": 0,
|       "warning": 0,
|       "strict": 0,
$ lanewise run k.co --grid 2 --block 64 out:-=u32[64] --check hazard
! lanewise: run: --check 'hazard': must be banks, hazards, waits, races, bounds, numerics, uninit, all, or several with commas
= 2
$ lanewise run k.co --grid 2 --block 64 out:-=u32[64] --sarif k.sarif
! lanewise: run: --sarif k.sarif has no effect without --check
= 2
$ lanewise run k.co --grid 2 --block 64 out:-=u32[64] --check hazards --sarif absent/k.sarif
! lanewise: run: cannot write absent/k.sarif: folder absent: No such file or directory
= 2
$ lanewise run k.co --grid 2 --block 64 zero:-=u32[64] --check hazards --sarif /dev/full >/dev/null
! lanewise: run: --sarif /dev/full: cannot write it: the device is full or gone
= 2
# A wait that covers one of two loads.
$ cp $LW_TEST_ROOT/tests/data/checks/wrong_count.co w.co
$ lanewise run w.co --grid 2 --block 64 zero:-=u32[1024] --check waits | sed -n '/^check/,/not checked/p'
| check waits: 1 error
|   error read-before-wait: v5 is read while the operation that writes it is under way
|     earlier +0x24  global_load_dword v5, v10, s[2:3] offset:256
|     later   +0x30  v_add_u32_e32 v6, v4, v5
|     first in workgroup 0,0,0 wave 0 lane 0, 2 times
|     rule: the result of a load is not available before a wait that covers the load: the old or the new value is read
|     cure: insert s_waitcnt vmcnt(0) before +0x30
|   not checked: paths that no wave took; what other waves read before a wait of this one (races)
# A barrier that does not wait for what was issued before it.
$ cp $LW_TEST_ROOT/tests/data/checks/barrier_unwaited.co b.co
$ lanewise run b.co --grid 1 --block 128 out:-=u32[128] --check races | sed -n '/^check/,/not checked/p'
| check races: 1 error
|   error barrier-without-wait: LDS byte 0x100 is read; wave 1 has written it
|     earlier +0x24  ds_write_b32 v10, v4
|     later   +0x38  ds_read_b32 v6, v5
|     first in workgroup 0,0,0 wave 0 lane 0, 2 times
|     rule: a barrier does not wait for memory: an access issued before it without a wait may happen after it
|     cure: insert s_waitcnt lgkmcnt(0) after the earlier instruction, before the barrier
|   not checked: paths that no wave took; orders of flag accesses other than those of this run
# A buffer resource that is shorter than what a wave stores.
$ cp $LW_TEST_ROOT/tests/data/checks/buffer_drops.co d.co
$ lanewise run d.co --grid 1 --block 64 zero:-=u32[1024] --check bounds | sed -n '/^check/,/not checked/p'
| check bounds: 1 warning, 2 info
|   warning dropped-store: 4 bytes at address 0x1000000080 are stored and dropped
|     at +0x40  buffer_store_dword v4, v10, s[4:7], 0 offen
|     first in workgroup 0,0,0 wave 0 lane 32, 1 time
|     rule: stores past the end of a buffer resource are dropped, and loads return 0; some kernels rely on it
|   info use: kernel arguments, 128 bytes: 8 bytes read, from 0x0 to 0x7; none written
|     at +0x4  s_load_dwordx2 s[2:3], s[0:1], 0x0
|     first in workgroup 0,0,0 wave 0, 1 time
|     rule: which bytes of an allocation the launch reads and writes
|   info use: argument 0 (out), 4096 bytes: none read; 128 bytes written, from 0x0 to 0x7f
|     at +0x40  buffer_store_dword v4, v10, s[4:7], 0 offen
|     first in workgroup 0,0,0 wave 0, 1 time
|     rule: which bytes of an allocation the launch reads and writes
|   not checked: allocations that were not accessed; bytes between the elements of an array

# LDS accesses without a bank rule are counted, not hidden.
$ cp $LW_TEST_ROOT/tests/data/checks/wide_store.co w.co
$ lanewise run w.co --grid 1 --block 32 --check banks | grep -A3 '^check'
| check banks: no LDS access was checked
|   not checked: 1 wave instruction; no rule says how gfx1100 serves accesses of that kind
| evidence: 7 kinds of instruction ran, the weakest label is exact
$ lanewise run w.co --grid 3 --block 32 --check banks | sed -n '/^check/,/not checked/p'
| check banks: LDS accesses by instruction
|   +0x2c     ds_store_b64 v0, v[2:3]                             2 times  2-way conflict, 8 turns for 4 phases (phases or banks assumed)
|   not checked: 3 wave instructions; no rule says how gfx1100 serves accesses of that kind
$ lanewise run w.co --grid 1 --block 32 --check banks --json | grep banks_not_checked
|   "banks_not_checked": 1,

# A wgmma with scale-d 0 does not read D.
$ sed 's/%rd5, %rd5, 1, 1/%rd5, %rd5, 0, 1/' $LW_TEST_ROOT/tests/data/checks/wgmma_sums.ptx > z.ptx
$ lanewise run $LW_TEST_ROOT/tests/data/checks/wgmma_sums.ptx --grid 1 --block 128 out:-=u32[128] --check uninit=strict | sed -n '/^check/,/reads %/p'
| check uninit=strict: 1 instruction reads what was never written
|   +0x18  wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r10, %r11, %r12, %r13}, %rd5, %rd5, 1, 1, 1, 0, 0: reads %r10 in lane 0, block 0,0,0 warp 0, 4 times
$ lanewise run z.ptx --grid 1 --block 128 out:-=u32[128] --check uninit=strict | grep '^check'
| check uninit=strict: every register and LDS byte was written before it was read
