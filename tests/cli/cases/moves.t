# ldmatrix: lane L names the row at byte 16 L; .trans gives lanes the columns
$ make_npy m.npy '|u1' '(16, 16)' "$(for i in {0..255}; do printf %02x $i; done)"
$ lanewise eval ldmatrix.sync.aligned.m8n8.x2.shared.b16 --arch sm_90 --memory m.npy | head -6
| lane        v0        v1
|    0  03020100  83828180
|    1  07060504  87868584
|    2  0b0a0908  8b8a8988
|    3  0f0e0d0c  8f8e8d8c
|    4  13121110  93929190
$ lanewise eval ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 --arch sm_90 --memory m.npy --address 112,96,80,64,48,32,16,0 | head -3
| lane        v0
|    0  61607170
|    1  41405150
$ lanewise eval ldmatrix.sync.aligned.m8n16.x1.b8x16.b4x16_p64 --arch sm_120a --memory m.npy | sed -n '2,5p;34p'
|    0  00010000
|    1  00030002
|    2  00050004
|    3  00070006
| evidence, layout: vendor (Equal to CUTLASS's copy traits, element for element. i is the row of the matrix in memory, the number of its address among those of the matrix; the other coordinate is the element's place in the row.)
# accesses that PTX leaves undefined are refused, with the lane and its address
$ lanewise eval ldmatrix.sync.aligned.m8n8.x2.shared.b16 --arch sm_90 --memory m.npy --address 8+16
! lanewise: eval: ldmatrix.sync.aligned.m8n8.x2.shared.b16: the address 0x8 of lane 0 is not a multiple of 16
= 3
$ lanewise eval ldmatrix.sync.aligned.m8n8.x4.shared.b16 --arch sm_90 --memory m.npy --json
| {
|   "error": "ldmatrix.sync.aligned.m8n8.x4.shared.b16: the row at 0x100 of lane 16 is outside the memory, 256 bytes from 0x0 on",
|   "status": 3
| }
! lanewise: eval: ldmatrix.sync.aligned.m8n8.x4.shared.b16: the row at 0x100 of lane 16 is outside the memory, 256 bytes from 0x0 on
= 3
$ lanewise eval ldmatrix.sync.aligned.m8n8.x2.shared.b16 --arch sm_90 --memory m.npy --address 0,16
! lanewise: eval: --address: 2 addresses; ldmatrix.sync.aligned.m8n8.x2.shared.b16 takes those of lanes 0 to 15
= 2
$ lanewise eval ldmatrix.sync.aligned.m8n8.x1.shared.b16 --arch sm_75 --memory m.npy
! lanewise: eval: ldmatrix.sync.aligned.m8n8.x1.shared.b16: the row at 0x100 of lane 16 is outside the memory, 256 bytes from 0x0 on
= 3
# stmatrix: the memory afterwards, including its earlier contents
$ make_npy r.npy '<u4' '(1, 32)' "$(for i in {1..32}; do printf %02x00ff00 $i; done)"
$ make_npy z.npy '<u2' '(8, 16)' "$(repeat 128 eeee)"
$ lanewise eval stmatrix.sync.aligned.m8n8.x1.shared.b16 --arch sm_90 --memory z.npy --registers r.npy --address 0+32 | head -4
| 000000  0001 00ff 0002 00ff 0003 00ff 0004 00ff
| 000010  eeee eeee eeee eeee eeee eeee eeee eeee
| 000020  0005 00ff 0006 00ff 0007 00ff 0008 00ff
| 000030  eeee eeee eeee eeee eeee eeee eeee eeee
$ lanewise eval stmatrix.sync.aligned.m8n8.x1.shared.b16 --arch sm_90 --memory z.npy --registers r.npy --address 0+16 -o s.npy
| wrote s.npy
| evidence, layout: vendor (Equal to CUTLASS's copy traits, element for element. i is the row of the matrix in memory, the number of its address among those of the matrix; the other coordinate is the element's place in the row.)
$ show_npy s.npy | head -3
| {'descr': '<u2', 'shape': (8, 16), }
|  01 00 ff 00 02 00 ff 00 03 00 ff 00 04 00 ff 00
|  05 00 ff 00 06 00 ff 00 07 00 ff 00 08 00 ff 00
$ lanewise eval stmatrix.sync.aligned.m8n8.x1.shared.b16 --arch sm_90 --memory z.npy --registers r.npy --address 0+16 --expect s.npy
| expect s.npy: all 128 elements equal, bit for bit
| evidence, layout: vendor (Equal to CUTLASS's copy traits, element for element. i is the row of the matrix in memory, the number of its address among those of the matrix; the other coordinate is the element's place in the row.)
$ lanewise eval stmatrix.sync.aligned.m8n8.x1.shared.b16 --arch sm_90 --memory z.npy --registers r.npy --address 0,16,32,48,16,80,96,112
! lanewise: eval: stmatrix.sync.aligned.m8n8.x1.shared.b16: lanes 1 and 4 store to one row, 0x10; which of them is left is not defined
= 3
# movmatrix, twice: the original
$ lanewise eval movmatrix.sync.aligned.m8n8.trans.b16 --arch sm_75 --registers r.npy -o t.npy
| wrote t.npy
| evidence, layout: vendor (The PTX ISA manual: the elements of A, transposed in D.)
$ lanewise eval movmatrix.sync.aligned.m8n8.trans.b16 --arch sm_75 --registers t.npy --expect r.npy
| expect r.npy: all 32 elements equal, bit for bit
| evidence, layout: vendor (The PTX ISA manual: the elements of A, transposed in D.)
$ lanewise eval movmatrix.sync.aligned.m8n8.trans.b16 --arch sm_75 --registers r.npy --address 0
! lanewise: eval: --address: movmatrix.sync.aligned.m8n8.trans.b16 moves between registers
= 2
# wmma: one address and a stride
$ make_npy f.npy '<f4' '(16, 16)' "$(repeat 128 0000803f00000040)"
$ lanewise eval wmma.load.c.sync.aligned.row.m16n16k16.f32 --arch sm_90 --memory f.npy --json -o c.npy
| {
|   "output": "c.npy",
|   "layout_evidence": "vendor",
|   "layout_source": "Read from the code that ptxas 13.0 makes: the addresses of wmma.load, element for element, on sm_75, sm_80, sm_86, sm_89, sm_90, sm_100a and sm_120a, and the registers of wmma.mma. PTX calls fragments opaque: a kernel that keeps to load, mma and store works with any map.",
|   "layout_open": null,
|   "status": 0
| }
$ lanewise eval wmma.load.c.sync.aligned.row.m16n16k16.f32 --arch sm_70 --memory f.npy --expect c.npy
| expect c.npy: all 256 elements equal, bit for bit
| evidence, layout: unknown (The map of sm_75, which serves kernels that keep to wmma.load, wmma.mma and wmma.store.)
| open: What fragments look like before sm_75 is not published; on sm_70 those of f16 are known to differ.
$ lanewise eval wmma.store.d.sync.aligned.row.m16n16k16.f32 --arch sm_90 --registers c.npy --memory f.npy --expect f.npy
| expect f.npy: all 256 elements equal, bit for bit
| evidence, layout: vendor (Read from the code that ptxas 13.0 makes: the addresses of wmma.load, element for element, on sm_75, sm_80, sm_86, sm_89, sm_90, sm_100a and sm_120a, and the registers of wmma.mma. PTX calls fragments opaque: a kernel that keeps to load, mma and store works with any map.)
$ lanewise eval wmma.load.c.sync.aligned.row.m16n16k16.f32 --arch sm_90 --memory f.npy --address 16
! lanewise: eval: wmma.load.c.sync.aligned.row.m16n16k16.f32: address 0x10, stride 16 elements: rows must begin at multiples of 32 bytes, the fragment's size in a lane
= 3
$ lanewise eval wmma.load.c.sync.aligned.row.m16n16k16.f32 --arch sm_90 --memory f.npy --stride 24
! lanewise: eval: wmma.load.c.sync.aligned.row.m16n16k16.f32: 1504 bytes at 0x0 are not all in the memory, 1024 bytes from 0x0 on
= 3
$ lanewise eval wmma.load.c.sync.aligned.row.m16n16k16.f32 --arch sm_90 --memory f.npy --stride 12
! lanewise: eval: wmma.load.c.sync.aligned.row.m16n16k16.f32: address 0x0, stride 12 elements: rows must begin at multiples of 32 bytes, the fragment's size in a lane
= 3
$ lanewise eval wmma.load.c.sync.aligned.row.m16n16k16.f32 --arch sm_90 --memory f.npy --stride 0
! lanewise: eval: --stride 0: needs elements from 1 to 4294967295
= 2
# options of the other kind of instruction
$ lanewise eval ldmatrix.sync.aligned.m8n8.x2.shared.b16 --arch sm_90 --a m.npy
! lanewise: eval: --a: ldmatrix.sync.aligned.m8n8.x2.shared.b16 moves elements and computes nothing; it takes --memory, --registers, --address and --stride
= 2
$ lanewise eval mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --arch sm_90 --memory m.npy
! lanewise: eval: --memory: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 multiplies matrices, which --a, --b and --c name; this is for instructions that move elements
= 2
$ lanewise eval ldmatrix.sync.aligned.m8n8.x2.shared.b16 --arch sm_90 --memory m.npy --stride 8
! lanewise: eval: --stride: ldmatrix.sync.aligned.m8n8.x2.shared.b16 has an address for each row; use --address FIRST+STEP
= 2
$ lanewise eval ldmatrix.sync.aligned.m8n8.x2.shared.b16 --arch sm_90 --memory m.npy --registers r.npy
! lanewise: eval: --registers: ldmatrix.sync.aligned.m8n8.x2.shared.b16 writes registers and reads none
= 2
$ lanewise eval stmatrix.sync.aligned.m8n8.x2.shared.b16 --arch sm_90 --memory m.npy --registers r.npy
! lanewise: eval: --registers r.npy: it holds uint32 1x32; needs the registers moved, uint32, 2 x 32 (register, lane)
= 2
$ lanewise eval ldmatrix.sync.aligned.m8n8.x2.shared.b16 --arch sm_90
! lanewise: eval: needs --memory FILE.npy: an array of any type, whose bytes are the memory
= 2
$ lanewise info ldmatrix.sync.aligned.m8n8.x4.shared.b16 --arch sm_90
| ldmatrix.m8n8.b16 on sm_90, Hopper (H100, H200)
|
| shape          8 x 8
| family         ldmatrix, moves elements and computes nothing
| spelling       ldmatrix.sync.aligned.m8n8.x4.shared.b16
| since          PTX ISA 6.5
| on             sm_75 sm_80 sm_86 sm_89 sm_90 sm_100 sm_100a sm_120 sm_120a sm_120f
|
| operands
|   D        b16        16 bits   4 registers  registers
|
| what it does
|   Loads 1, 2 or 4 matrices of 8 rows. Row i of matrix q is 16 bytes at the address that lane 8 q + i
|   holds, a multiple of 16. Other lanes' addresses are ignored, but must be valid on sm_75.
|
| modifiers      none
|   Types, layouts and qualifiers are part of the spelling.
