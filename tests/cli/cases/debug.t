# lanewise debug: the commands, what they refuse, faults and waves that cannot go on.
$ cp $LW_TEST_ROOT/tests/data/debug/*.npy $LW_TEST_ROOT/tests/data/debug/tile.* .; printf 'lanewise debug tile.co --grid 1 --block 128 C=out:-=f32[32,16] A=A.npy B=B.npy "$@"\n' > amd; printf 'lanewise debug tile.ptx --grid 1 --block 64 out:-=f32[32,8] A16.npy B16.npy "$@"\n' > ptx
# a step of a wave lets others run where it waits for them; breakpoints of one wave and lane
$ printf 'break 0x90\nc\nstep\nwaves\nbreak 17 wave 0,0,0:1 lane 63\nc\nwhere\nbreakpoints\ndelete 1\nd\nb\n' | bash ./amd
| the launch begins
| [0] workgroup 0,0,0 wave 0: +0x0 s_load_dwordx2 s[2:3], s[0:1], 0x10 (tile.hip:12)
| (lanewise) break 0x90
|   1: break 0x90 at +0x90 s_barrier
| (lanewise) c
| breakpoint 1, 0x90
| [26] workgroup 0,0,0 wave 0: +0x90 s_barrier (tile.hip:15)
| (lanewise) step
| breakpoint 1, 0x90
| [53] workgroup 0,0,0 wave 1: +0x90 s_barrier (tile.hip:15)
| (lanewise) waves
|    workgroup 0,0,0 wave 0: +0x90 s_barrier (tile.hip:15), waits at a barrier that 1 of 2 waves have reached
| *> workgroup 0,0,0 wave 1: +0x90 s_barrier (tile.hip:15)
| (lanewise) break 17 wave 0,0,0:1 lane 63
|   2: break 17 wave 0,0,0:1 lane 63 at +0xc v_lshrrev_b32_e32 v6, 2, v0
| (lanewise) c
| all waves have ended
| [80]
| (lanewise) where
| [80] all waves have ended
| (lanewise) breakpoints
|   1: break 0x90 at +0x90 s_barrier
|   2: break 17 wave 0,0,0:1 lane 63 at +0xc v_lshrrev_b32_e32 v6, 2, v0
| (lanewise) delete 1
| (lanewise) d
| (lanewise) b
! lanewise: debug: b: needs a place: 0x1a8, 12, file.hip:12, v_mfma_*, matrix or barrier
= 2
# going back over the barrier, and to the beginning
$ printf 'goto 40\nback\nback 100\nback\nstep 2\nstep\ngoto 1000\nback\nwave 1\nback line\nnext\n' | bash ./amd
| the launch begins
| [0] workgroup 0,0,0 wave 0: +0x0 s_load_dwordx2 s[2:3], s[0:1], 0x10 (tile.hip:12)
| (lanewise) goto 40
| [40] workgroup 0,0,0 wave 1: +0x44 v_lshl_add_u64 v[4:5], s[2:3], 0, v[2:3] (tile.hip:25)
| (lanewise) back
| [39] workgroup 0,0,0 wave 1: +0x40 s_waitcnt lgkmcnt(0) (tile.hip:25)
| (lanewise) back 100
| the wave begins
| [27] workgroup 0,0,0 wave 1: +0x0 s_load_dwordx2 s[2:3], s[0:1], 0x10 (tile.hip:12)
| (lanewise) back
| the wave begins
| [27] workgroup 0,0,0 wave 1: +0x0 s_load_dwordx2 s[2:3], s[0:1], 0x10 (tile.hip:12)
| (lanewise) step 2
| [29] workgroup 0,0,0 wave 1: +0xc v_lshrrev_b32_e32 v6, 2, v0 (tile.hip:17)
| (lanewise) step
| [30] workgroup 0,0,0 wave 1: +0x10 v_and_b32_e32 v7, 15, v0 (tile.hip:17)
| (lanewise) goto 1000
| all waves have ended
| [80]
| (lanewise) back
| [79] workgroup 0,0,0 wave 1: +0xe8 s_endpgm (tile.hip:26)
| (lanewise) wave 1
| [79] workgroup 0,0,0 wave 1: +0xe8 s_endpgm (tile.hip:26)
|   runs, 39 instructions so far, active lanes 0xffffffffffffffff, lane 0
| (lanewise) back line
| [74] workgroup 0,0,0 wave 1: +0xc4 s_nop 6 (tile.hip:25)
| (lanewise) next
| [79] workgroup 0,0,0 wave 1: +0xe8 s_endpgm (tile.hip:26)
# accesses: reads of LDS by one lane, any access to an address; the first counts
$ printf 'watch lds 0x44 read lane 1\nc\nwatch 0x1000020042 2 read\ngoto 0\nc\nc\nwatch B[3,4]\ngoto 0\nc\nbreakpoints\nreverse\nreverse\nreverse\n' | bash ./amd
| the launch begins
| [0] workgroup 0,0,0 wave 0: +0x0 s_load_dwordx2 s[2:3], s[0:1], 0x10 (tile.hip:12)
| (lanewise) watch lds 0x44 read lane 1
|   1: watch lds 0x44 read lane 1 at LDS 0x44, 4 bytes
| (lanewise) c
| watch 1, lds 0x44 read lane 1: loaded by lane 1: +0xa4 ds_read2_b64 v[2:5], v1 offset1:4
| [57] workgroup 0,0,0 wave 0: +0xac s_waitcnt vmcnt(1) lgkmcnt(0) (tile.hip:22)
| (lanewise) watch 0x1000020042 2 read
|   2: watch 0x1000020042 2 read at 0x1000020042, 2 bytes
| (lanewise) goto 0
| the launch begins
| [0] workgroup 0,0,0 wave 0: +0x0 s_load_dwordx2 s[2:3], s[0:1], 0x10 (tile.hip:12)
| (lanewise) c
| watch 2, 0x1000020042 2 read: loaded by lane 1: +0x94 global_load_dwordx2 v[10:11], v[4:5], off
| [55] workgroup 0,0,0 wave 0: +0x9c global_load_dwordx2 v[12:13], v[4:5], off offset:32 (tile.hip:20)
| (lanewise) c
| watch 1, lds 0x44 read lane 1: loaded by lane 1: +0xa4 ds_read2_b64 v[2:5], v1 offset1:4
| [57] workgroup 0,0,0 wave 0: +0xac s_waitcnt vmcnt(1) lgkmcnt(0) (tile.hip:22)
| (lanewise) watch B[3,4]
|   3: watch B[3,4] at 0x10000400c8, 2 bytes
| (lanewise) goto 0
| the launch begins
| [0] workgroup 0,0,0 wave 0: +0x0 s_load_dwordx2 s[2:3], s[0:1], 0x10 (tile.hip:12)
| (lanewise) c
| watch 3, B[3,4]: loaded by lane 25: +0x20 global_load_dwordx2 v[10:11], v1, s[2:3]
| [7] workgroup 0,0,0 wave 0: +0x28 s_load_dwordx4 s[0:3], s[0:1], 0x0 (tile.hip:12)
| (lanewise) breakpoints
|   1: watch lds 0x44 read lane 1 at LDS 0x44, 4 bytes
|   2: watch 0x1000020042 2 read at 0x1000020042, 2 bytes
|   3: watch B[3,4] at 0x10000400c8, 2 bytes
| (lanewise) reverse
| the launch begins
| [0] workgroup 0,0,0 wave 0: +0x0 s_load_dwordx2 s[2:3], s[0:1], 0x10 (tile.hip:12)
| (lanewise) reverse
| the launch begins
| [0] workgroup 0,0,0 wave 0: +0x0 s_load_dwordx2 s[2:3], s[0:1], 0x10 (tile.hip:12)
| (lanewise) reverse
| the launch begins
| [0] workgroup 0,0,0 wave 0: +0x0 s_load_dwordx2 s[2:3], s[0:1], 0x10 (tile.hip:12)
# a store before the first load
$ printf 'watch lds 0x44 read\nc\n' | bash ./amd | tail -n 2
| watch 1, lds 0x44 read: loaded by lane 1: +0xa4 ds_read2_b64 v[2:5], v1 offset1:4
| [57] workgroup 0,0,0 wave 0: +0xac s_waitcnt vmcnt(1) lgkmcnt(0) (tile.hip:22)
# registers
$ printf 'goto 58\np v10 f16 lane 1\np v10:2 x16 lane 1\np s0:2 x64\np v[0:1] fp8 lane 0\np vcc_lo\np scc\np v5 f64 lane 0\nprint v0 fp4 lane 2\nlist 1\nm v_mfma_f32_16x16x16_f16 B v2\nm B\n' | bash ./amd
| the launch begins
| [0] workgroup 0,0,0 wave 0: +0x0 s_load_dwordx2 s[2:3], s[0:1], 0x10 (tile.hip:12)
| (lanewise) goto 58
| [58] workgroup 0,0,0 wave 0: +0xb0 v_mfma_f32_16x16x16_f16 v[0:3], v[10:11], v[2:3], 0 (tile.hip:22)
| (lanewise) p v10 f16 lane 1
| v10 f16 lane 1: -5 -4
| (lanewise) p v10:2 x16 lane 1
| v10:2 x16 lane 1: c500 c400 c200 c000
| (lanewise) p s0:2 x64
| s0:2 x64: 0000001000000000
| (lanewise) p v[0:1] fp8 lane 0
| v[0:1] fp8 lane 0: 0 0 0 0 0 0 0 0
| (lanewise) p vcc_lo
| vcc_lo x32: 00000000
| (lanewise) p scc
| scc x32: 00000000
| (lanewise) p v5 f64 lane 0
| v5 f64 lane 0: 0x1.81740074p-1035
| (lanewise) print v0 fp4 lane 2
| v0 fp4 lane 2: 1 0 0 0 0 0 0 0
| (lanewise) list 1
|   +0xac s_waitcnt vmcnt(1) lgkmcnt(0)  (tile.hip:22)
| > +0xb0 v_mfma_f32_16x16x16_f16 v[0:3], v[10:11], v[2:3], 0  (tile.hip:22)
|   +0xb8 s_waitcnt vmcnt(0)  (tile.hip:22)
| (lanewise) m v_mfma_f32_16x16x16_f16 B v2
| B (f16), j 0..15
|   k   0:    -1.5   -0.25       1      -1    0.25     1.5    -0.5    0.75   -1.25       0    1.25   -0.75     0.5    -1.5   -0.25       1
|   k   1:    0.25     1.5    -0.5    0.75   -1.25       0    1.25   -0.75     0.5    -1.5   -0.25       1      -1    0.25     1.5    -0.5
|   k   2:   -1.25       0    1.25   -0.75     0.5    -1.5   -0.25       1      -1    0.25     1.5    -0.5    0.75   -1.25       0    1.25
|   k   3:     0.5    -1.5   -0.25       1      -1    0.25     1.5    -0.5    0.75   -1.25       0    1.25   -0.75     0.5    -1.5   -0.25
|   k   4:      -1    0.25     1.5    -0.5    0.75   -1.25       0    1.25   -0.75     0.5    -1.5   -0.25       1      -1    0.25     1.5
|   k   5:    0.75   -1.25       0    1.25   -0.75     0.5    -1.5   -0.25       1      -1    0.25     1.5    -0.5    0.75   -1.25       0
|   k   6:   -0.75     0.5    -1.5   -0.25       1      -1    0.25     1.5    -0.5    0.75   -1.25       0    1.25   -0.75     0.5    -1.5
|   k   7:       1      -1    0.25     1.5    -0.5    0.75   -1.25       0    1.25   -0.75     0.5    -1.5   -0.25       1      -1    0.25
|   k   8:    -0.5    0.75   -1.25       0    1.25   -0.75     0.5    -1.5   -0.25       1      -1    0.25     1.5    -0.5    0.75   -1.25
|   k   9:    1.25   -0.75     0.5    -1.5   -0.25       1      -1    0.25     1.5    -0.5    0.75   -1.25       0    1.25   -0.75     0.5
|   k  10:   -0.25       1      -1    0.25     1.5    -0.5    0.75   -1.25       0    1.25   -0.75     0.5    -1.5   -0.25       1      -1
|   k  11:     1.5    -0.5    0.75   -1.25       0    1.25   -0.75     0.5    -1.5   -0.25       1      -1    0.25     1.5    -0.5    0.75
|   k  12:       0    1.25   -0.75     0.5    -1.5   -0.25       1      -1    0.25     1.5    -0.5    0.75   -1.25       0    1.25   -0.75
|   k  13:    -1.5   -0.25       1      -1    0.25     1.5    -0.5    0.75   -1.25       0    1.25   -0.75     0.5    -1.5   -0.25       1
|   k  14:    0.25     1.5    -0.5    0.75   -1.25       0    1.25   -0.75     0.5    -1.5   -0.25       1      -1    0.25     1.5    -0.5
|   k  15:   -1.25       0    1.25   -0.75     0.5    -1.5   -0.25       1      -1    0.25     1.5    -0.5    0.75   -1.25       0    1.25
| (lanewise) m B
| B (f16), j 0..15
|   k   0:    -1.5   -0.25       1      -1    0.25     1.5    -0.5    0.75   -1.25       0    1.25   -0.75     0.5    -1.5   -0.25       1
|   k   1:    0.25     1.5    -0.5    0.75   -1.25       0    1.25   -0.75     0.5    -1.5   -0.25       1      -1    0.25     1.5    -0.5
|   k   2:   -1.25       0    1.25   -0.75     0.5    -1.5   -0.25       1      -1    0.25     1.5    -0.5    0.75   -1.25       0    1.25
|   k   3:     0.5    -1.5   -0.25       1      -1    0.25     1.5    -0.5    0.75   -1.25       0    1.25   -0.75     0.5    -1.5   -0.25
|   k   4:      -1    0.25     1.5    -0.5    0.75   -1.25       0    1.25   -0.75     0.5    -1.5   -0.25       1      -1    0.25     1.5
|   k   5:    0.75   -1.25       0    1.25   -0.75     0.5    -1.5   -0.25       1      -1    0.25     1.5    -0.5    0.75   -1.25       0
|   k   6:   -0.75     0.5    -1.5   -0.25       1      -1    0.25     1.5    -0.5    0.75   -1.25       0    1.25   -0.75     0.5    -1.5
|   k   7:       1      -1    0.25     1.5    -0.5    0.75   -1.25       0    1.25   -0.75     0.5    -1.5   -0.25       1      -1    0.25
|   k   8:    -0.5    0.75   -1.25       0    1.25   -0.75     0.5    -1.5   -0.25       1      -1    0.25     1.5    -0.5    0.75   -1.25
|   k   9:    1.25   -0.75     0.5    -1.5   -0.25       1      -1    0.25     1.5    -0.5    0.75   -1.25       0    1.25   -0.75     0.5
|   k  10:   -0.25       1      -1    0.25     1.5    -0.5    0.75   -1.25       0    1.25   -0.75     0.5    -1.5   -0.25       1      -1
|   k  11:     1.5    -0.5    0.75   -1.25       0    1.25   -0.75     0.5    -1.5   -0.25       1      -1    0.25     1.5    -0.5    0.75
|   k  12:       0    1.25   -0.75     0.5    -1.5   -0.25       1      -1    0.25     1.5    -0.5    0.75   -1.25       0    1.25   -0.75
|   k  13:    -1.5   -0.25       1      -1    0.25     1.5    -0.5    0.75   -1.25       0    1.25   -0.75     0.5    -1.5   -0.25       1
|   k  14:    0.25     1.5    -0.5    0.75   -1.25       0    1.25   -0.75     0.5    -1.5   -0.25       1      -1    0.25     1.5    -0.5
|   k  15:   -1.25       0    1.25   -0.75     0.5    -1.5   -0.25       1      -1    0.25     1.5    -0.5    0.75   -1.25       0    1.25
# memory
$ printf 'memory\nmemory B 4\nmemory B[15,30] 5\nmemory A[1,1] 2x2\nmemory 2[17]\nmemory 0x1000020000 f16 4\nlds 1022 x8 2x4\nmemory A[1,1] x8 2x4\n' | bash ./amd
| the launch begins
| [0] workgroup 0,0,0 wave 0: +0x0 s_load_dwordx2 s[2:3], s[0:1], 0x10 (tile.hip:12)
| (lanewise) memory
|   argument 0 (C) at 0x1000000000: f32[32,16]
|   argument 1 (A) at 0x1000020000: f16[32,32]
|   argument 2 (B) at 0x1000040000: f16[16,32]
| (lanewise) memory B 4
| argument 2 (B) at 0x1000040000, f16
|   +0x0:    -1.5    0.25   -1.25     0.5
| (lanewise) memory B[15,30] 5
| argument 2 (B) at 0x1000040000, f16
|   +0x3fc:     1.5       0 (the end)
| (lanewise) memory A[1,1] 2x2
| argument 1 (A) at 0x1000020000, f16
|   +0x42:      -4      -3
|   +0x82:      -1       0
| (lanewise) memory 2[17]
| argument 2 (B) at 0x1000040000, f16
|   +0x22:      -1
| (lanewise) memory 0x1000020000 f16 4
| "argument 1 (A)" at 0x1000020000, f16
|   +0x0:      -8      -7      -6      -5
| (lanewise) lds 1022 x8 2x4
|   +0x3fe:      c0      7f (the end)
| (lanewise) memory A[1,1] x8 2x4
| argument 1 (A) at 0x1000020000, x8
|   +0x42:      00      c4      00      c2
|   +0x82:      00      bc      00      00
# what is refused
$ printf 'print\nprint x4\nprint v99\nprint v4:90\nprint v[4:2]\nprint v0 f99\nprint v0 lane 64\nmatrix Q v0\nmatrix v_none A v0\nmatrix v_mfma_f32_16x16x16_f16 A\nmatrix v_mfma_f32_16x16x16_f16 A s0\nbreak 24\nbreak 99\nbreak other.hip:3\nbreak v_none\nbreak 0x3\nbreak barrier wave x\nbreak barrier lane 64\nbreak barrier often\nwatch\nwatch D\nwatch C[40,0]\nwatch C[1]x\nwatch lds\nwatch C[1,2] wave\nlds 2000\nlds 0 f99\nmemory D\nmemory C[1,2,3]\nmemory 0x5\nwave 7\nwave\nstep 0\nstep x\ncontinue now\nback x\ngoto\ndelete 9\nstp\nb2\nlist x\n' | bash ./amd | tail -n 1
| (lanewise) list x
! lanewise: debug: print: needs a register
! lanewise: debug: print x4: 'x4' is not a register: v4, v[4:7], a0, s8, vcc, exec, m0, scc, mode, ttmp3
! lanewise: debug: print v99: the wave has 16 registers of this kind: no v99
! lanewise: debug: print v4:90: v4:90: there are not so many registers
! lanewise: debug: print v[4:2]: 'v[4:2]' is not a register: v4, v[4:7], a0, s8, vcc, exec, m0, scc, mode, ttmp3
! lanewise: debug: print v0 f99: 'f99' is not a type; types are x8 x16 x32 x64 i4 i8 i16 i32 i64 u4 u8 u16 u32 u64 f16 bf16 f32 f64 fp8 bf8 fp8_fnuz bf8_fnuz fp6 bf6 fp4 e8m0 bool
! lanewise: debug: print v0 lane 64: lane needs a number below 64
! lanewise: debug: matrix Q v0: needs an operand of the next instruction (A, B, C, D, scale_a ...), or INSTRUCTION OPERAND v4
! lanewise: debug: matrix v_none A v0: gfx942 has no matrix instruction "v_none"; the nearest names are v_mfma_f32_16x16x4_f32, v_mfma_f32_32x32x2_f32, v_mfma_f32_32x32x8_f16
! lanewise: debug: matrix v_mfma_f32_16x16x16_f16 A: needs the registers of the operand
! lanewise: debug: matrix v_mfma_f32_16x16x16_f16 A s0: the operand is not in registers
! lanewise: debug: break 24: no instruction comes from line 24; the next line with one is 25
! lanewise: debug: break 99: no instruction comes from line 99 or a later one
! lanewise: debug: break other.hip:3: no instruction comes from line other.hip:3 or a later one
! lanewise: debug: break v_none: the code has no instruction 'v_none'
! lanewise: debug: break 0x3: no instruction begins at +0x3
! lanewise: debug: break barrier wave x: wave needs a number, or X,Y,Z:W for a wave of one workgroup
! lanewise: debug: break barrier lane 64: lane needs a number below 64
! lanewise: debug: break barrier often: 'often' is not understood here: wave W, lane L
! lanewise: debug: watch: needs an array or its element, C[2,17], or lds OFFSET, or an address
! lanewise: debug: watch D: the kernel has no array 'D'
! lanewise: debug: watch C[40,0]: C[40,0] is outside the array
! lanewise: debug: watch C[1]x: C[1]x: C needs an index for each of 2 dimensions, or one for all
! lanewise: debug: watch lds: lds needs an offset
! lanewise: debug: watch C[1,2] wave: wave needs a number, or X,Y,Z:W for a wave of one workgroup
! lanewise: debug: lds 2000: needs an offset below 1024, the LDS of the workgroup
! lanewise: debug: lds 0 f99: 'f99' is neither a type nor a shape such as 16 or 8x16; types are x8 x16 x32 x64 i4 i8 i16 i32 i64 u4 u8 u16 u32 u64 f16 bf16 f32 f64 fp8 bf8 fp8_fnuz bf8_fnuz fp6 bf6 fp4 e8m0 bool
! lanewise: debug: memory D: the kernel has no array 'D'
! lanewise: debug: memory C[1,2,3]: [1,2,3] is not an element of the array
! lanewise: debug: memory 0x5: nothing is allocated at 0x5
! lanewise: debug: wave 7: wave 7 of workgroup 0,0,0 does not exist now
! lanewise: debug: wave: needs a number, or X,Y,Z:W for one of another workgroup
! lanewise: debug: step 0: '0' is not a number from 1 on
! lanewise: debug: step x: 'x' is not a number from 1 on
! lanewise: debug: continue now: takes no words, but 'now' is given
! lanewise: debug: back x: 'x' is not a number from 1 on
! lanewise: debug: goto: needs a position, the number that stops show in [ ]
! lanewise: debug: delete 9: there is no breakpoint 9
! lanewise: debug: stp: no command 'stp'; did you mean 'step'?
! lanewise: debug: b2: no command 'b2'; 'help' lists them
! lanewise: debug: list x: 'x' is not a number of instructions
# a fault: before the faulting instruction, and it can be gone back from
$ printf 'c\nstep\nback\nq\n' | lanewise debug tile.co --grid 1 --block 128 C=null A=A.npy B=B.npy
| the launch begins
| [0] workgroup 0,0,0 wave 0: +0x0 s_load_dwordx2 s[2:3], s[0:1], 0x10 (tile.hip:12)
| (lanewise) c
| kernel tile, workgroup (0,0,0), wave 0, lane 0, pc +0xc8 "global_store_dword v8, v0, s[0:1]" (/src/tile.hip:25:63): stores to address 0x0 in no allocation (a null pointer, or near one)
| [62] workgroup 0,0,0 wave 0: +0xc8 global_store_dword v8, v0, s[0:1] (tile.hip:25)
| (lanewise) step
| kernel tile, workgroup (0,0,0), wave 0, lane 0, pc +0xc8 "global_store_dword v8, v0, s[0:1]" (/src/tile.hip:25:63): stores to address 0x0 in no allocation (a null pointer, or near one)
| [62] workgroup 0,0,0 wave 0: +0xc8 global_store_dword v8, v0, s[0:1] (tile.hip:25)
| (lanewise) back
| [61] workgroup 0,0,0 wave 0: +0xc4 s_nop 6 (tile.hip:25)
| (lanewise) q
$ printf 'c\nc\n' | lanewise debug tile.co --grid 1 --block 128 C=null A=A.npy B=B.npy | tail -n 2
| kernel tile, workgroup (0,0,0), wave 0, lane 0, pc +0xc8 "global_store_dword v8, v0, s[0:1]" (/src/tile.hip:25:63): stores to address 0x0 in no allocation (a null pointer, or near one)
| [62] workgroup 0,0,0 wave 0: +0xc8 global_store_dword v8, v0, s[0:1] (tile.hip:25)
# waves that wait for each other
$ printf '.version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n.reg .pred %%p<2>;\n.reg .b32 %%r<2>;\nmov.u32 %%r1, %%tid.x;\nsetp.lt.u32 %%p1, %%r1, 32;\n@%%p1 bra $first;\nbar.sync 1, 64;\nret;\n$first:\nbar.sync 2, 64;\nret;\n}\n' > stuck.ptx; printf 'c\nwaves\nwave 1\nback\nwhere\nbreak stuck.ptx:14\ngoto 0\nc\n' | lanewise debug stuck.ptx --grid 1 --block 64
| the launch begins
| [0] block 0,0,0 warp 0: +0x0 mov.u32 %r1, %tid.x (stuck.ptx:8)
| (lanewise) c
| kernel k: no warp can go on: each repeats itself or waits, and no memory changes; block (0,0,0), warp 0, pc +0x5 "line 14: bar.sync 2, 64": waits at barrier 2 that 1 of 2 warps have reached; block (0,0,0), warp 1, pc +0x3 "line 11: bar.sync 1, 64": waits at barrier 1 that 1 of 2 warps have reached
| [8] block 0,0,0 warp 0: +0x5 bar.sync 2, 64 (stuck.ptx:14), waits at barrier 2 that 1 of 2 warps have reached
| (lanewise) waves
| *  block 0,0,0 warp 0: +0x5 bar.sync 2, 64 (stuck.ptx:14), waits at barrier 2 that 1 of 2 warps have reached
|    block 0,0,0 warp 1: +0x3 bar.sync 1, 64 (stuck.ptx:11), waits at barrier 1 that 1 of 2 warps have reached
| (lanewise) wave 1
| [8] block 0,0,0 warp 1: +0x3 bar.sync 1, 64 (stuck.ptx:11), waits at barrier 1 that 1 of 2 warps have reached
|   waits at barrier 1 that 1 of 2 warps have reached, 4 instructions so far, active lanes 0xffffffff, lane 0
| (lanewise) back
| [7] block 0,0,0 warp 1: +0x3 bar.sync 1, 64 (stuck.ptx:11)
| (lanewise) where
| [7] block 0,0,0 warp 1: +0x3 bar.sync 1, 64 (stuck.ptx:11)
|   runs, 3 instructions so far, active lanes 0xffffffff, lane 0
| (lanewise) break stuck.ptx:14
|   1: break stuck.ptx:14 at +0x5 bar.sync 2, 64
| (lanewise) goto 0
| the launch begins
| [0] block 0,0,0 warp 0: +0x0 mov.u32 %r1, %tid.x (stuck.ptx:8)
| (lanewise) c
| breakpoint 1, stuck.ptx:14
| [3] block 0,0,0 warp 0: +0x5 bar.sync 2, 64 (stuck.ptx:14)
$ echo c | lanewise debug stuck.ptx --grid 1 --block 64 --json
| {
|   "commands": [
|     {
|       "command": "c",
|       "done": true,
|       "text": "kernel k: no warp can go on: each repeats itself or waits, and no memory changes; block (0,0,0), warp 0, pc +0x5 \"line 14: bar.sync 2, 64\": waits at barrier 2 that 1 of 2 warps have reached; block (0,0,0), warp 1, pc +0x3 \"line 11: bar.sync 1, 64\": waits at barrier 1 that 1 of 2 warps have reached\u000a[8] block 0,0,0 warp 0: +0x5 bar.sync 2, 64 (stuck.ptx:14), waits at barrier 2 that 1 of 2 warps have reached\u000a",
|       "stop": {
|         "reason": "cannot go on",
|         "position": 8,
|         "text": "kernel k: no warp can go on: each repeats itself or waits, and no memory changes; block (0,0,0), warp 0, pc +0x5 \"line 14: bar.sync 2, 64\": waits at barrier 2 that 1 of 2 warps have reached; block (0,0,0), warp 1, pc +0x3 \"line 11: bar.sync 1, 64\": waits at barrier 1 that 1 of 2 warps have reached",
|         "workgroup": [0, 0, 0],
|         "wave": 0,
|         "code_offset": 5,
|         "instruction": "line 14: bar.sync 2, 64",
|         "file": "stuck.ptx",
|         "line": 14
|       }
|     }
|   ],
|   "status": 3
| }
= 3
# PTX: lines of the source, of the file itself, registers, warps
$ printf 'break tile.cu:18\nbreak tile.ptx:40\nc\nwhere\np %%rd11\np %%rd11 u64 lane 3\np %%p1\np %%r99\nmatrix\nnext\nwatch 0[1,1] write\nc\n' | bash ./ptx
| the launch begins
| [0] block 0,0,0 warp 0: +0x0 ld.param.u64 %rd1, [tile_param_0] (tile.cu:3)
| (lanewise) break tile.cu:18
|   1: break tile.cu:18 at +0x29 st.global.f32 [%rd12], %f1
| (lanewise) break tile.ptx:40
|   2: break tile.ptx:40 at +0x9 add.s64 %rd8, %rd6, %rd7
| (lanewise) c
| breakpoint 2, tile.ptx:40
| [9] block 0,0,0 warp 0: +0x9 add.s64 %rd8, %rd6, %rd7 (tile.cu:7)
| (lanewise) where
| [9] block 0,0,0 warp 0: +0x9 add.s64 %rd8, %rd6, %rd7 (tile.cu:7)
|   runs, 9 instructions so far, active lanes 0xffffffff, lane 0
| (lanewise) p %rd11
| %rd11 x64
|   lane  0: 7fc0dead7fc0dead 7fc0dead7fc0dead 7fc0dead7fc0dead 7fc0dead7fc0dead 7fc0dead7fc0dead 7fc0dead7fc0dead 7fc0dead7fc0dead 7fc0dead7fc0dead
|   lane  8: 7fc0dead7fc0dead 7fc0dead7fc0dead 7fc0dead7fc0dead 7fc0dead7fc0dead 7fc0dead7fc0dead 7fc0dead7fc0dead 7fc0dead7fc0dead 7fc0dead7fc0dead
|   lane 16: 7fc0dead7fc0dead 7fc0dead7fc0dead 7fc0dead7fc0dead 7fc0dead7fc0dead 7fc0dead7fc0dead 7fc0dead7fc0dead 7fc0dead7fc0dead 7fc0dead7fc0dead
|   lane 24: 7fc0dead7fc0dead 7fc0dead7fc0dead 7fc0dead7fc0dead 7fc0dead7fc0dead 7fc0dead7fc0dead 7fc0dead7fc0dead 7fc0dead7fc0dead 7fc0dead7fc0dead
| (lanewise) p %rd11 u64 lane 3
| %rd11 u64 lane 3: 9205602475099348653
| (lanewise) p %p1
| (lanewise) p %r99
| (lanewise) matrix
| (lanewise) next
| [15] block 0,0,0 warp 0: +0xf bar.sync 0 (tile.cu:8)
| (lanewise) watch 0[1,1] write
|   3: watch 0[1,1] write at 0x1000000024, 4 bytes
| (lanewise) c
| breakpoint 2, tile.ptx:40
| [25] block 0,0,0 warp 1: +0x9 add.s64 %rd8, %rd6, %rd7 (tile.cu:7)
! lanewise: debug: p %p1: the function has no register '%p1'
! lanewise: debug: p %r99: the function has no register '%r99'
! lanewise: debug: matrix: the next instruction is not a matrix instruction
= 2
# the lanes of a warp at a barrier that has opened
$ printf 'break barrier wave 1\nc\nnext\nwhere\n' | bash ./ptx | tail -n 2
| [62] block 0,0,0 warp 1: +0x10 shr.u32 %r13, %r7, 1 (tile.cu:9)
|   runs, 16 instructions so far, active lanes 0xffffffff, lane 0
# the script's file, its end, and options that do not go together
$ echo step > s; bash ./amd --script s
| the launch begins
| [0] workgroup 0,0,0 wave 0: +0x0 s_load_dwordx2 s[2:3], s[0:1], 0x10 (tile.hip:12)
| (lanewise) step
| [1] workgroup 0,0,0 wave 0: +0x8 v_lshlrev_b32_e32 v1, 3, v0 (tile.hip:13)
$ bash ./amd --script absent
! lanewise: debug: --script absent: cannot read it: No such file or directory
= 2
$ bash ./amd --dap --script s
! lanewise: debug: --dap takes its commands from the editor: no --script, no --json
= 2
$ printf 'quit now\nquit\nstep\n' | bash ./amd
| the launch begins
| [0] workgroup 0,0,0 wave 0: +0x0 s_load_dwordx2 s[2:3], s[0:1], 0x10 (tile.hip:12)
| (lanewise) quit now
| (lanewise) quit
! lanewise: debug: quit now: takes no words, but 'now' is given
= 2
$ lanewise debug tile.co --grid 1 --block 128 A.npy
! lanewise: debug: tile takes 3 arguments, but 1 is given; it takes C (buffer), A (buffer), B (buffer)
= 2
$ head -c 9000 /dev/zero | tr '\0' x | bash ./amd 2>&1 | cut -c1-80
| the launch begins
| [0] workgroup 0,0,0 wave 0: +0x0 s_load_dwordx2 s[2:3], s[0:1], 0x10 (tile.hip:1
| lanewise: debug: a line of more than 8190 characters
# predicates: 0 or 1 in each lane
$ printf 'break setp.*\nc\nstep\nprint %%p1\nprint %%p1 lane 3\n' | lanewise debug $LW_TEST_ROOT/tests/ptx/corpus/async_nvcc.ptx:pipeline --grid 1 --block 96 zero:-=i32[320] zero:-=i32[128] i32:5
| the launch begins
| [0] block 0,0,0 warp 0: +0x0 ld.param.u64 %rd1, [pipeline_param_0] (async_nvcc.ptx:44)
| (lanewise) break setp.*
|   1: break setp.* at +0x4, +0x11, +0x14, +0x15 and 18 more
| (lanewise) c
| breakpoint 1, setp.*
| [4] block 0,0,0 warp 0: +0x4 setp.ne.s32 %p1, %r1, 0 (async_nvcc.ptx:48)
| (lanewise) step
| [5] block 0,0,0 warp 0: +0x5 @%p1 bra $L__BB0_2 (async_nvcc.ptx:49)
| (lanewise) print %p1
| %p1 u32
|   lane  0: [0] 1 1 1 1 1 1 1
|   lane  8: 1 1 1 1 1 1 1 1
|   lane 16: 1 1 1 1 1 1 1 1
|   lane 24: 1 1 1 1 1 1 1 1
| (lanewise) print %p1 lane 3
| %p1 u32 lane 3: 1
