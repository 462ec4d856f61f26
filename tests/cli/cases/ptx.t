# metadata that the PTX ISA leaves undefined: row and chunk are named
$ make_npy a.npy '<f2' '(16, 8)' "$(repeat 128 003c)"
$ make_npy b.npy '<f2' '(16, 8)' "$(repeat 128 0040)"
$ make_npy equal.npy '|u1' '(16, 4)' "$(repeat 62 04)0504"
$ make_npy falls.npy '|u1' '(16, 4)' "$(repeat 63 0e)06"
$ lanewise eval mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --arch sm_80 --a a.npy --b b.npy --index equal.npy
! lanewise: eval: mma.sp.m16n8k16.f32.f16.f16.f32: the metadata of row 15, chunk 2 is 0x5, which the PTX ISA leaves undefined; 0x4 0x8 0x9 0xc 0xd 0xe are defined
= 3
$ lanewise eval mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --arch sm_80 --a a.npy --b b.npy --index falls.npy
! lanewise: eval: mma.sp.m16n8k16.f32.f16.f16.f32: the metadata of row 15, chunk 3 is 0x6, which the PTX ISA leaves undefined; 0x4 0x8 0x9 0xc 0xd 0xe are defined
= 3
$ lanewise eval mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --arch sm_80 --a a.npy --b b.npy --index equal.npy
! lanewise: eval: mma.sp.m16n8k16.f32.f16.f16.f32: the metadata of row 15, chunk 2 is 0x5, which the PTX ISA leaves undefined; its two positions must differ
= 3
$ lanewise eval mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --arch sm_80 --a a.npy --b b.npy --index falls.npy | tail -3
| 16 16 16 16 16 16 16 16
| evidence, finite results: inferred (no public measurement of mma.sp: the dense unit on the stored products)
| reading: sparse-group:stored (the default)
# selectors, thread and byte numbers
$ lanewise info mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --arch sm_80 --mod selector:4
! lanewise: info: --mod: mma.sp.m16n8k16.f32.f16.f16.f32: sparsity selector 4; PTX defines 0 to 3 for it
= 3
$ lanewise info mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 --arch sm_80 --mod selector:2
! lanewise: info: --mod: mma.sp.m16n8k32.f32.f16.f16.f32: sparsity selector 2; PTX defines 0 to 1 for it: ptxas 13.0 also accepts the selectors 2 and 3, which the PTX ISA manual does not define
= 3
$ lanewise info mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0 --arch sm_120a --mod byte-id-a:1
! lanewise: info: --mod: mma.m16n8k64.mxf4.f32.e2m1.e2m1.f32: byte-id-a 1, byte-id-b 0; it takes 0 or 2 (two scales a row)
= 3
$ lanewise info mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0 --arch sm_120a --mod thread-id-a:2
! lanewise: info: --mod: mma.m16n8k64.mxf4.f32.e2m1.e2m1.f32: thread-id-a 2, thread-id-b 0; it takes 0 or 1 and 0 to 3
= 3
$ lanewise info mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --arch sm_80 --mod selector:0
! lanewise: info: --mod: mma.m16n8k16.f32.f16.f16.f32 does not take "selector:0"; it takes no modifiers; types, layouts and qualifiers are part of the spelling, as in mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
= 3
# sums of integers that leave the range
$ make_npy a8.npy '|i1' '(16, 32)' "$(repeat 512 7f)"
$ make_npy b8.npy '|i1' '(32, 8)' "$(repeat 256 02)"
$ make_npy c.npy '<i4' '(16, 8)' "$(repeat 128 f0ffff7f)"
$ lanewise eval mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 --arch sm_80 --a a8.npy --b b8.npy --c c.npy --explain 0,1 | tail -5
|   out of range: the low 32 bits are kept: -2147475536 (0x80001fb0)
| D = -2147475536 (0x80001fb0)
| evidence, finite results: vendor (PTX ISA: exact)
| evidence, overflow: vendor (PTX ISA: without .satfinite sums wrap, modulo 2^32)
| reading: satfinite:once (the default)
$ lanewise eval mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32 --arch sm_80 --a a8.npy --b b8.npy --c c.npy --explain 0,1 | tail -5
|   out of range: the nearest limit: 2147483647 (0x7fffffff)
| D = 2147483647 (0x7fffffff)
| evidence, finite results: vendor (PTX ISA: exact)
| evidence, overflow: unknown (PTX ISA: wraps, or with .satfinite clamps; whether it clamps once or after each internal step is open: topic satfinite)
| reading: satfinite:once (the default)
$ lanewise eval mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32 --arch sm_80 --a a8.npy --b b8.npy --c c.npy --numerics satfinite:per-step --explain 0,1 | sed -n '17,22p'
|      13             127               2            2147487188
|      14             127               2            2147487442
|      15             127               2            2147487696
|   out of range: the nearest limit: 2147483647 (0x7fffffff)
|   accumulator = 2147483647 (0x7fffffff)
|       k               A               B                 total
# a word in the wrong place
$ lanewise info mma.sync.m16n8k16.row.col.f32.f16.f16.f32 --arch sm_80
! lanewise: info: mma.sync.m16n8k16.row.col.f32.f16.f16.f32: it lacks .aligned; the parts are mma[.sp|.sp::ordered_metadata].sync.aligned.SHAPE.LAYOUT_A.LAYOUT_B[.satfinite][.ROUND][.kind::KIND[.block_scale[.scale_vec::NX]]].D.A.B.C[.SCALE_TYPE][.xor.popc|.and.popc], in any order but that of types and of layouts
= 2
# for siblings, the message says which architecture stands in
$ lanewise info mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 --arch sm_103f | head -1
| mma.m8n8k4.f64.f64.f64.f64 on sm_100a, Blackwell (B200), suffix a
! note: sm_103f has the matrix instructions of sm_100a but tcgen05.mma of kind::i8 and of sparse 4-bit data with scales; its arithmetic was not measured and is taken to be the same
$ lanewise info mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e2m1.f32 --arch sm_110f
! note: sm_110f has the matrix instructions of sm_100a but tcgen05.mma of kind::i8 and of sparse 4-bit data with scales; its arithmetic was not measured and is taken to be the same
! lanewise: info: sm_100a has no mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e2m1.f32; it is an instruction of sm_120a, sm_120f
= 2
# Modifiers may be in any order that ptxas takes; the canonical one is printed. Upper case is refused, as
# ptxas does.
$ lanewise info mma.f32.f16.kind::f8f6f4.sync.aligned --arch sm_120a
! lanewise: info: mma.f32.f16.kind::f8f6f4.sync.aligned: it lacks a shape such as .m16n8k16; the parts are mma[.sp|.sp::ordered_metadata].sync.aligned.SHAPE.LAYOUT_A.LAYOUT_B[.satfinite][.ROUND][.kind::KIND[.block_scale[.scale_vec::NX]]].D.A.B.C[.SCALE_TYPE][.xor.popc|.and.popc], in any order but that of types and of layouts
= 2
$ lanewise info mma.kind::f8f6f4.sync.f32.aligned.e3m2.row.e4m3.m16n8k32.col.f32 --arch sm_120a | grep spelling
| spelling       mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e3m2.e4m3.f32
|   Types, layouts and qualifiers are part of the spelling.
$ lanewise info mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32.satfinite --arch sm_80 | grep spelling
| spelling       mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32
|   Types, layouts and qualifiers are part of the spelling.
$ lanewise info ldmatrix.x4.m8n8.shared.trans.b16.aligned.sync --arch sm_90 | grep spelling
| spelling       ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
|   Types, layouts and qualifiers are part of the spelling.
$ lanewise info mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64.rm --arch sm_80 | grep spelling
| spelling       mma.sync.aligned.m8n8k4.row.col.rm.f64.f64.f64.f64
|   Types, layouts and qualifiers are part of the spelling.
$ lanewise info wmma.mma.m16n16k16.row.col.f32.f32.sync.aligned --arch sm_80 --json | grep spelling
|   "spelling": "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32",
|   "modifier_help": "Types, layouts and qualifiers are part of the spelling.",
$ lanewise layout ldmatrix.x4.m8n8.b16.aligned.sync --arch sm_90 --operand D | head -1
| D of ldmatrix.m8n8.b16 on sm_90: 4 blocks of 8 x 8 b16, 4 registers of 32 lanes
$ lanewise info mma.m16n8k16.f32.f16.f16.f32 --arch sm_80 | grep spelling
| spelling       mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
|   Types, layouts and qualifiers are part of the spelling.
$ lanewise info MMA.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --arch sm_80
! lanewise: info: MMA.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32: PTX is written in lower case, as ptxas takes it: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
= 2
$ lanewise info ldmatrix.sync.aligned.m8n8.x4.shard.b16 --arch sm_80
! lanewise: info: ldmatrix.sync.aligned.m8n8.x4.shard.b16: no matrix instruction of PTX has a part ".shard"; near it: .shared; the parts are ldmatrix.sync.aligned.SHAPE.{x1,x2,x4}[.trans][.SPACE].{b16,b8,b8x16.b6x16_p32,b8x16.b4x16_p64}, in any order but that of types and of layouts
= 2
