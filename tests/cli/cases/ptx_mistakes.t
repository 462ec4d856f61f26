# malloc's heap: bytes of a block, and no others; where the block came from, or was freed.
$ cp $LW_TEST_DATA/../../data/ptx/mistakes.ptx k.ptx; lanewise run k.ptx:past_end --grid 1 --block 1 out:-=i32[1] 9 | grep -o '^ran [0-9]* instr'
| ran 12 instr
$ lanewise run k.ptx:past_end --grid 1 --block 1 out:-=i32[1] 10 >/dev/null
! lanewise: run: kernel past_end, block (0,0,0), warp 0, lane 0, pc +0x9 "line 54: st.u32 [%rd5], %r2" (mistakes.cu:12:5): stores 4 bytes at address 0x1000020038, byte 40 of the block of 42 bytes at 0x1000020010 that "line 43: call.uni (retval0), malloc, ( param0 )" took (executed by lanes 0x00000001); no array was written
= 3
$ lanewise run k.ptx:past_end --grid 1 --block 1 out:-=i32[1] 1000 >/dev/null
! lanewise: run: kernel past_end, block (0,0,0), warp 0, lane 0, pc +0x9 "line 54: st.u32 [%rd5], %r2" (mistakes.cu:12:5): stores 4 bytes at address 0x1000020fb0, 3958 bytes past the end of the block of 42 bytes at 0x1000020010 that "line 43: call.uni (retval0), malloc, ( param0 )" took (executed by lanes 0x00000001); no array was written
= 3
$ lanewise run k.ptx:past_end --grid 1 --block 1 out:-=i32[1] i32:-2 >/dev/null
! lanewise: run: kernel past_end, block (0,0,0), warp 0, lane 0, pc +0x9 "line 54: st.u32 [%rd5], %r2" (mistakes.cu:12:5): stores 4 bytes at address 0x1000020008, 8 bytes before the block of 42 bytes at 0x1000020010 that "line 43: call.uni (retval0), malloc, ( param0 )" took (executed by lanes 0x00000001); no array was written
= 3
$ lanewise run k.ptx:after_free --grid 1 --block 1 out:-=i32[1] >/dev/null
! lanewise: run: kernel after_free, block (0,0,0), warp 0, lane 0, pc +0x9 "line 101: ld.u32 %r2, [%rd3+4]" (mistakes.cu:21:5): loads 4 bytes at address 0x1000020014, byte 4 of the block of 64 bytes at 0x1000020010 that "line 94: call.uni free, ( param0 )" has freed (executed by lanes 0x00000001); no array was written
= 3
$ lanewise run k.ptx:freed_twice --grid 1 --block 1 out:-=i32[1] >/dev/null
! lanewise: run: kernel freed_twice, block (0,0,0), warp 0, lane 0, pc +0x9 "line 149: call.uni free, ( param0 )" (mistakes.cu:28:5): frees address 0x1000020010, which is free already: it is the block of 64 bytes at 0x1000020010 that "line 138: call.uni free, ( param0 )" has freed (executed by lanes 0x00000001); no array was written
= 3
$ lanewise run k.ptx:foreign --grid 1 --block 1 out:-=i32[1] 0 >/dev/null
! lanewise: run: kernel foreign, block (0,0,0), warp 0, lane 0, pc +0xb "line 203: call.uni free, ( param0 )" (mistakes.cu:35:5): frees address 0x1000000000, which malloc has not given (byte 0x0 of "argument 0 (foreign_param_0)", 4 bytes at 0x1000000000) (executed by lanes 0x00000001); no array was written
= 3
$ lanewise run k.ptx:foreign --grid 1 --block 1 out:-=i32[1] 1 >/dev/null
! lanewise: run: kernel foreign, block (0,0,0), warp 0, lane 0, pc +0xb "line 203: call.uni free, ( param0 )" (mistakes.cu:35:5): frees address 0x1000020020, which malloc has not given: it is byte 16 of the block of 64 bytes at 0x1000020010 that "line 181: call.uni (retval0), malloc, ( param0 )" took (executed by lanes 0x00000001); no array was written
= 3
# Blocks that poll: what they read, and that nobody is left.
$ make_npy flag.npy '<i4' '(4,)' $(repeat 4 00000000); lanewise run k.ptx:poll --grid 2 --block 64 flag.npy out:-=i32[1] | grep -v -e '^ran' -e '^serial'
| poll on sm_90: 0 blocks, 4 warps
| evidence: 6 kinds of instruction ran, the weakest label is vendor
| where the warps stand:
|   block 0,0,0 warp 0  +0x9      line 243: @%p2 bra $L__BB4_2             repeats the same 3 instructions, and no memory changes: polls argument 0 (poll_param_0)+0x8 (mistakes.cu:44)
|   block 0,0,0 warp 1  +0xc      line 251: ret                            has ended (mistakes.cu:47)
|   block 1,0,0 warp 0  +0x9      line 243: @%p2 bra $L__BB4_2             repeats the same 3 instructions, and no memory changes: polls argument 0 (poll_param_0)+0x8 (mistakes.cu:44)
|   block 1,0,0 warp 1  +0xc      line 251: ret                            has ended (mistakes.cu:47)
! lanewise: run: kernel poll: no warp can go on: each repeats itself or waits, and no memory changes; nobody is left to change what is polled: 2 repeat themselves, 0 wait, all other warps have ended; block (0,0,0), warp 0, pc +0x9 "line 243: @%p2 bra $L__BB4_2" (mistakes.cu:44:5): repeats the same 3 instructions, and no memory changes: polls argument 0 (poll_param_0)+0x8; block (1,0,0), warp 0, pc +0x9 "line 243: @%p2 bra $L__BB4_2" (mistakes.cu:44:5): repeats the same 3 instructions, and no memory changes: polls argument 0 (poll_param_0)+0x8; no array was written
# Pixels: 8 channels of 32, the images' borders are zero, one to the right of where the copy begins.
$ make_npy x.npy '<i2' '(2, 3, 5, 8)' "$(for ((i = 1; i <= 240; i++)); do printf '%02x00' $i; done)"; lanewise run k.ptx:pixels --grid 1 --block 32 tma:x.npy,im2col=8x32,lower=-1x-1,upper=-1x-1 out:y.npy=i16[32,8] i32:-1 i32:-1 0 | grep -v '^ran'
| pixels on sm_90: 1 block, 1 warp
| serial on 1 thread: there is one workgroup
| evidence: 16 kinds of instruction ran, the weakest label is vendor
| wrote y.npy: int16 32x8
$ tail -c 512 y.npy | od -An -v -t d2 -w16
|       0      0      0      0      0      0      0      0
|       0      0      0      0      0      0      0      0
|       0      0      0      0      0      0      0      0
|       0      0      0      0      0      0      0      0
|       0      0      0      0      0      0      0      0
|       1      2      3      4      5      6      7      8
|       9     10     11     12     13     14     15     16
|      17     18     19     20     21     22     23     24
|      25     26     27     28     29     30     31     32
|      33     34     35     36     37     38     39     40
|      41     42     43     44     45     46     47     48
|      49     50     51     52     53     54     55     56
|      57     58     59     60     61     62     63     64
|      65     66     67     68     69     70     71     72
|      73     74     75     76     77     78     79     80
|       0      0      0      0      0      0      0      0
|       0      0      0      0      0      0      0      0
|       0      0      0      0      0      0      0      0
|       0      0      0      0      0      0      0      0
|       0      0      0      0      0      0      0      0
|     121    122    123    124    125    126    127    128
|     129    130    131    132    133    134    135    136
|     137    138    139    140    141    142    143    144
|     145    146    147    148    149    150    151    152
|     153    154    155    156    157    158    159    160
|     161    162    163    164    165    166    167    168
|     169    170    171    172    173    174    175    176
|     177    178    179    180    181    182    183    184
|     185    186    187    188    189    190    191    192
|     193    194    195    196    197    198    199    200
|       0      0      0      0      0      0      0      0
|       0      0      0      0      0      0      0      0
$ lanewise run k.ptx:pixels --grid 1 --block 32 tma:x.npy,im2col=8x32,lower=-1x-1,upper=-1x-1 out:-=i16[32,8] 9 0 0 >/dev/null
! lanewise: run: kernel pixels, block (0,0,0), warp 0, lane 0, pc +0x10 "line 299: cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%r10], [%rd4, {%r11, %r5, %r6, %r7}], [%r8], {%rs1, %rs2}" (mistakes.cu:59:26): an im2col copy begins at coordinate 9 of dimension 1; its box is from -1 to 3 (executed by lanes 0x00000001); no array was written
= 3
$ lanewise run k.ptx:pixels --grid 1 --block 32 tma:x.npy,box=8x1x1x1 out:-=i16[32,8] 0 0 0 >/dev/null
! lanewise: run: kernel pixels, block (0,0,0), warp 0, lane 0, pc +0x10 "line 299: cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%r10], [%rd4, {%r11, %r5, %r6, %r7}], [%r8], {%rs1, %rs2}" (mistakes.cu:59:26): copies pixels (.im2col); the tensor map is for tiles (executed by lanes 0x00000001); no array was written
= 3
$ lanewise run k.ptx:pixels --grid 1 --block 32 tma:x.npy,im2col=8x32,lower=-1,wide=w,swizzle=64B out:-=i16[32,8] 9 0 0 2>&1 >/dev/null | sed 's/.*copies/copies/'
| copies pixels (.im2col); the tensor map is for pixels (im2col::w) (executed by lanes 0x00000001); no array was written
$ lanewise run k.ptx:pixels --grid 1 --block 32 tma:x.npy,im2col=8x32,wide=w128 out:-=i16[32,8] 0 0 0
! lanewise: run: argument 'tma:x.npy,im2col=8x32,wide=w128': wide im2col takes swizzles of 64 or 128 bytes, the latter in pieces of 16 or 32 bytes, and im2col::w also one of 96 bytes; no other
= 2
$ lanewise run k.ptx:pixels --grid 1 --block 32 tma:x.npy,im2col=8x32,lower=-1x-1,wide=w,swizzle=64B out:-=i16[32,8] 0 0 0 2>&1 | cut -c 1-150
| lanewise: run: argument 'tma:x.npy,im2col=8x32,lower=-1x-1,wide=w,swizzle=64B': the array has 4 dimensions, but lower= has 2, upper= 0 and steps= 0; w
$ lanewise run k.ptx:pixels --grid 1 --block 32 tma:x.npy,im2col=8x32,box=8x1x1x1 out:-=i16[32,8] 0 0 0
! lanewise: run: argument 'tma:x.npy,im2col=8x32,box=8x1x1x1': has box= and im2col=; a tensor map takes one of them
= 2
$ lanewise run k.ptx:pixels --grid 1 --block 32 tma:x.npy,im2col=8x32,lower=-1 out:-=i16[32,8] 0 0 0
! lanewise: run: argument 'tma:x.npy,im2col=8x32,lower=-1': the array has 4 dimensions, but lower= has 1, upper= 0 and steps= 0; with im2col= the array is images, one to three dimensions of space, channels, each corner has a number for each dimension of space, innermost first (with wide= one number), and steps= one for each dimension
= 2
$ lanewise run k.ptx:pixels --grid 1 --block 32 tma:x.npy,im2col=8x2000 out:-=i16[32,8] 0 0 0
! lanewise: run: argument 'tma:x.npy,im2col=8x2000': 8 channels of 2000 pixels; a map takes 1 to 256 channels of 1 to 1024 pixels
= 2
$ lanewise run k.ptx:pixels --grid 1 --block 32 tma:x.npy,im2col=8 out:-=i16[32,8] 0 0 0
! lanewise: run: argument 'tma:x.npy,im2col=8': 'im2col=8' is not valid: a tensor map takes box=64x32 (or im2col=64x128, lower=-1x-1, upper=-1x-1, wide=w|w128), swizzle=none|32B|64B|96B|128B[_ATOM_32B[_FLIP_8B]|_ATOM_64B] and steps=1x2 (at most 5 numbers)
= 2
$ lanewise run k.ptx:pixels --grid 1 --block 32 tma:x.npy,im2col=8x32,lower=-1x-1x out:-=i16[32,8] 0 0 0
! lanewise: run: argument 'tma:x.npy,im2col=8x32,lower=-1x-1x': 'lower=-1x-1x' is not valid: a tensor map takes box=64x32 (or im2col=64x128, lower=-1x-1, upper=-1x-1, wide=w|w128), swizzle=none|32B|64B|96B|128B[_ATOM_32B[_FLIP_8B]|_ATOM_64B] and steps=1x2 (at most 5 numbers)
= 2
$ lanewise run k.ptx:pixels --grid 1 --block 32 tma:x.npy,box=8x1x1x1,upper=0x0 out:-=i16[32,8] 0 0 0
! lanewise: run: argument 'tma:x.npy,box=8x1x1x1,upper=0x0': has lower=, upper= or wide=, which belong to im2col=CHANNELSxPIXELS
= 2
$ lanewise run k.ptx:pixels --grid 1 --block 32 tma:x.npy,im2col=8x32,lower=-1x-129 out:-=i16[32,8] 0 0 0
! lanewise: run: argument 'tma:x.npy,im2col=8x32,lower=-1x-129': the corners of dimension 2 are -129 and 0; with 4 dimensions they are -128 to 127
= 2
# Ten blocks wait for each other six times: a block that only polls gives way early, so this takes less than a million instructions.
$ lanewise run $LW_TEST_ROOT/tests/ptx/corpus/grid_nvcc.ptx --grid 10 --block 64 'zero:-=u32[640]' 'zero:-=u32[2560]' 6 | sed -n 's/,//g; s/^ran \([0-9]*\) instr.*/\1/p' | awk '{ print $1 < 1000000 }'
| 1
