# tcgen05.mma as an instruction: what PTX has in the instruction descriptor is part of the name
$ lanewise info tcgen05.mma.cta_group::1.kind::f8f6f4.m128n256k32.f32.e4m3.e2m1 --arch sm_100a | head -21
| tcgen05.m128n256k32.f32.f8f6f4.f8f6f4 on sm_100a, Blackwell (B200), suffix a
|
| shape          128 x 256 x 32  (A is m x k, B is k x n, C and D are m x n)
| family         tcgen05.mma
| spelling       tcgen05.mma.cta_group::1.kind::f8f6f4.m128n256k32.f32.e4m3.e2m1
| descriptor     0x08401410
| since          PTX ISA 8.6
| on             sm_100a
|
| operands
|   A        e4m3        8 bits    8 columns  tensor or shared memory
|   B        e2m1        4 bits                shared memory
|   C        f32        32 bits  256 columns  tensor memory
|   D        f32        32 bits  256 columns  tensor memory
|
| modifiers      enable-input-d negate-a negate-b transpose-a transpose-b
|   enable-input-d:0 leaves C out (D = A * B); the others are bits of the instruction descriptor:
|   negate-a and negate-b, transpose-a and transpose-b (A and B lie M-major and N-major in shared
|   memory), scale-id-a and scale-id-b (which bytes of a column hold the scales). In PTX the
|   descriptor also holds the shape and the types, which are words here: .m128n256k16.f32.f16.f16, or
|   the descriptor itself, .idesc::0x08400010. The short name has N in it, as m128n256k16.
$ lanewise info tcgen05.mma.cta_group::1.kind::f16.idesc::0x08400010 --arch sm_100a | head -6
| tcgen05.m128n256k16.f32.f16.f16 on sm_100a, Blackwell (B200), suffix a
|
| shape          128 x 256 x 16  (A is m x k, B is k x n, C and D are m x n)
| family         tcgen05.mma
| spelling       tcgen05.mma.cta_group::1.kind::f16.m128n256k16.f32.f16.f16
| descriptor     0x08400010
$ lanewise info tcgen05.m128n8k64.mxf4.f32.e2m1.e2m1 --arch sm_100a --json | sed -n '/"operand": "scale_a"/,/}/p; /descriptor/p'
|       "operand": "scale_a",
|       "format": "ue8m0",
|       "element_bits": 8,
|       "registers": 0,
|       "columns": 4,
|       "files": "tensor memory"
|     },
|   "descriptor": 142738560,
|   "modifier_help": "enable-input-d:0 leaves C out (D = A * B); the others are bits of the instruction descriptor: negate-a and negate-b, transpose-a and transpose-b (A and B lie M-major and N-major in shared memory), scale-id-a and scale-id-b (which bytes of a column hold the scales). In PTX the descriptor also holds the shape and the types, which are words here: .m128n256k16.f32.f16.f16, or the descriptor itself, .idesc::0x08400010. The short name has N in it, as m128n256k16.",
$ lanewise info tcgen05.m64n8k16.f32.f16.f16 --arch sm_120a
! lanewise: info: sm_120a has no tcgen05.m64n8k16.f32.f16.f16; it is an instruction of sm_100a
= 2
$ lanewise info tcgen05.mma.cta_group::2.kind::f16.m128n16k16.f32.f16.f16 --arch sm_100a
! lanewise: info: tcgen05.mma.cta_group::2.kind::f16.m128n16k16.f32.f16.f16: of tcgen05.mma this version has .cta_group::1 without .ws
= 3
$ lanewise info tcgen05.mma.cta_group::1.kind::f16 --arch sm_100a
! lanewise: info: tcgen05.mma.cta_group::1.kind::f16: it lacks a shape such as .m64n128k16; the parts are tcgen05.mma[.sp].cta_group::1.kind::KIND[.block_scale[.block16|.block32|.scale_vec::NX]] and, for its instruction descriptor, .SHAPE.D.A.B[.SCALE_TYPE][.satfinite] or .idesc::0xNNNNNNNN, in any order but that of types and of layouts
= 2
$ lanewise info tcgen05.m128n8k16.f32.f16.f16 --arch sm_100a
! lanewise: info: tcgen05.m128n8k16.f32.f16.f16: no tcgen05.mma has this short name; M is 64 or 128, with scales 128; N up to 256 by 8, with M = 128 and no scales by 16, of integers above 32 by 16; short names near it: tcgen05.m128n48k16.f32.f16.f16, tcgen05.m128n80k16.f32.f16.f16
= 2
$ lanewise info tcgen05.mma.cta_group::1.kind::f16.idesc::0x08400012 --arch sm_100a
! lanewise: info: instruction descriptor 0x08400012: sparsity selectors above 0 are not in this version
= 3
$ lanewise list --arch sm_100a --evidence | grep tcgen05 | head -3
| tcgen05.m128n16k16.f16.f16.f16                        128x16x16    f16      f16      f16    measured   unknown
| tcgen05.m128n16k16.f32.bf16.bf16                      128x16x16    bf16     bf16     f32    measured   unknown
| tcgen05.m128n16k16.f32.f16.f16                        128x16x16    f16      f16      f32    measured   unknown
# lanes and columns of tensor memory
$ lanewise layout tcgen05.m64n16k16.f32.f16.f16 --arch sm_100a --operand D --element 40,5
| lane 72  column  5  bits 31:0   D[i=40][j=5]
| Open: Of 64 rows, those of a quarter may begin at its lane 16 too: the address in D's operand says
| so.
$ lanewise layout tcgen05.m128n256k16.f16.f16.f16 --arch sm_100a --operand D --lane 77 --register 255
| lane 77  column 255  bits 15:0   D[i=77][j=255]
$ lanewise layout tcgen05.m128n256k16.f16.f16.f16 --arch sm_100a --operand D --lane 77 --register 256
! lanewise: layout: operand D of tcgen05.m128n256k16.f16.f16.f16 has column 0 to 255, not 256
= 2
$ lanewise layout tcgen05.m128n32k64.mxf4.f32.e2m1.e2m1 --arch sm_100a --operand scale_a --element 77,1
| lane 13  column  2  bits 15:8   scale_a[i=77][k block=1]
| lane 45  column  2  bits 15:8   scale_a[i=77][k block=1]
| lane 77  column  2  bits 15:8   scale_a[i=77][k block=1]
| lane 109  column  2  bits 15:8   scale_a[i=77][k block=1]
$ lanewise layout tcgen05.sp.m128n16k32.f32.f16.f16 --arch sm_100a --operand index --element 27,5
| lane 27  column  0  bits 23:20  index[i=27][group=5]
$ lanewise layout tcgen05.m128n32k16.f32.f16.f16 --arch sm_100a --operand D --format cute
| (128,32):(1,128)
$ lanewise layout tcgen05.m64n8k8.f32.tf32.tf32 --arch sm_100a --operand all --lane 33
| lane 33  column  0  bits 31:0   A[i=17][k=0]
| lane 33  column  1  bits 31:0   A[i=17][k=1]
| lane 33  column  2  bits 31:0   A[i=17][k=2]
| lane 33  column  3  bits 31:0   A[i=17][k=3]
| lane 33  column  4  bits 31:0   A[i=17][k=4]
| lane 33  column  5  bits 31:0   A[i=17][k=5]
| lane 33  column  6  bits 31:0   A[i=17][k=6]
| lane 33  column  7  bits 31:0   A[i=17][k=7]
| in shared memory, where a descriptor says: --descriptor
| lane 33  column  0  bits 31:0   C[i=17][j=0]
| lane 33  column  1  bits 31:0   C[i=17][j=1]
| lane 33  column  2  bits 31:0   C[i=17][j=2]
| lane 33  column  3  bits 31:0   C[i=17][j=3]
| lane 33  column  4  bits 31:0   C[i=17][j=4]
| lane 33  column  5  bits 31:0   C[i=17][j=5]
| lane 33  column  6  bits 31:0   C[i=17][j=6]
| lane 33  column  7  bits 31:0   C[i=17][j=7]
| Open: Of 64 rows, those of a quarter may begin at its lane 16 too: the address in D's operand says
| so.
| lane 33  column  0  bits 31:0   D[i=17][j=0]
| lane 33  column  1  bits 31:0   D[i=17][j=1]
| lane 33  column  2  bits 31:0   D[i=17][j=2]
| lane 33  column  3  bits 31:0   D[i=17][j=3]
| lane 33  column  4  bits 31:0   D[i=17][j=4]
| lane 33  column  5  bits 31:0   D[i=17][j=5]
| lane 33  column  6  bits 31:0   D[i=17][j=6]
| lane 33  column  7  bits 31:0   D[i=17][j=7]
| Open: Of 64 rows, those of a quarter may begin at its lane 16 too: the address in D's operand says
| so.
$ lanewise layout tcgen05.m128n16k16.f32.f16.f16 --arch sm_100a --operand B
! lanewise: layout: B of tcgen05.m128n16k16.f32.f16.f16 is not in tensor memory: it is in shared memory, where a descriptor says (lanewise layout --descriptor, lw_tile_of_descriptor)
= 3
$ lanewise layout tcgen05.m64n8k8.f32.tf32.tf32 --arch sm_100a --operand A --descriptor 0x2000402001000000 --mod transpose-a:1 --element 33,5
| A[i=33][k=5] is at byte 0x12a4
$ lanewise layout tcgen05.m128n16k16.f32.f16.f16 --arch sm_100a --operand A --descriptor 0x4000404000010200 | head -5
| A of tcgen05.m128n16k16.f32.f16.f16: 16-bit elements, i 0 to 127, k 0 to 15
| The descriptor: start 0x2000, leading-dimension offset 16, stride offset 1024, swizzle of 128 bytes
| Evidence: vendor. Equal to CUTLASS's descriptors and layouts, element for element.
| Byte addresses of 16 bytes each, of the 8 elements from the k at the head of the column on.
| i\k      0      8
$ lanewise layout tcgen05.m128n16k16.f32.f16.f16 --arch sm_100a --operand A --descriptor 0x4000004000010200
! lanewise: layout: --descriptor: a descriptor of tcgen05 has 1 in its bits 48:46, this one has 0
= 3
# numbers
$ make_npy a.npy '<u1' '(128, 64)' "$(repeat 8192 02)"
$ make_npy b.npy '<u1' '(64, 8)' "$(repeat 512 02)"
$ make_npy s.npy '<u1' '(128, 2)' "$(repeat 256 80)"
$ lanewise eval tcgen05.m128n8k64.mxf4.f32.e2m1.e2m1 --arch sm_100a --a a.npy --b b.npy --scale-a s.npy | sed -n 128p
| 128 128 128 128 128 128 128 128
