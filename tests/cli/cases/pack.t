# Arrays in tiles and back.
$ make_npy s.npy '|u1' '(3, 4)' '00 01 02 03 10 11 12 13 20 21 22 23'; lanewise pack s.npy --tiles 2,3 --pad 255
| from 3x4
| to   2x2x2x3
| offset = ((d0/2*2 + d1/3)*2 + d0%2)*3 + d1%3
| ((2,2),(3,2)):((3,12),(1,6))
$ make_npy s.npy '|u1' '(3, 4)' '00 01 02 03 10 11 12 13 20 21 22 23'; lanewise pack s.npy --tiles 2,3 --pad 255 -o p.npy && show_npy p.npy
| {'descr': '|u1', 'shape': (2, 2, 2, 3), }
|  00 01 02 10 11 12 03 ff ff 13 ff ff 20 21 22 ff
|  ff ff 23 ff ff ff ff ff
$ lanewise pack p.npy --unpack --shape 3,4 --tiles 2,3 -o u.npy && cmp u.npy s.npy
$ lanewise pack p.npy --unpack --shape 9,4 --tiles 2,3
! lanewise: pack: p.npy does not have the shape that this packing gives
= 2
$ lanewise pack s.npy --insn v_mfma_f32_16x16x16_f16 --arch gfx942 --operand B --pad 0
| from 3x4
| to   1x1x16x16
| offset = ((d1/16*1 + d0/16)*16 + d1%16)*16 + d0%16
| ((16,1),(16,1)):((1,256),(16,256))
$ lanewise pack s.npy --tiles 2,3
! lanewise: pack: the shape is not a whole number of tiles: without a padding value only full tiles are packed
= 2
$ lanewise pack s.npy --tiles 2,3 --perm 1,1 --pad 0
! lanewise: pack: the order of tiles is not a permutation of 2 dimensions
= 2
$ lanewise pack s.npy --tiles 2,3 --pad 256
! lanewise: pack: --pad 256: needs an integer of 1 bytes
= 2
$ make_npy f.npy '<f4' '(1, 1)' 00000000; lanewise pack f.npy --tiles 1,2 --pad -1.5 -o p.npy && show_npy p.npy
| {'descr': '<f4', 'shape': (1, 1, 1, 2), }
|  00 00 00 00 00 00 c0 bf
$ make_npy f.npy '<f8' '(1, 1)' 0000000000000000; lanewise pack f.npy --tiles 1,2 --pad 7 -o p.npy && show_npy p.npy
| {'descr': '<f8', 'shape': (1, 1, 1, 2), }
|  00 00 00 00 00 00 00 00 00 00 00 00 00 00 1c 40
$ lanewise pack f.npy --tiles 1,2 --pad 7x
! lanewise: pack: --pad 7x: needs a number, or its bits as 0x.. of 8 bytes
= 2
$ make_npy f.npy '<f2' '(1, 1)' 0000; lanewise pack f.npy --tiles 1,2 --pad 1.5
! lanewise: pack: --pad 1.5: needs 0, or the bits of a number as 0x.. of 2 bytes
= 2
$ lanewise pack s.npy
! lanewise: pack: needs --tiles or --insn
= 2
# A product of packed arrays: 20 x 20 ones by 20 x 18 twos, in tiles of 16, is 40 everywhere.
$ make_npy a.npy '<f2' '(20, 20)' "$(repeat 400 003c)"; make_npy b.npy '<f2' '(20, 18)' "$(repeat 360 0040)"
$ I='--insn v_mfma_f32_16x16x16_f16 --arch gfx942'; lanewise pack a.npy $I --operand A --pad 0 -o a4.npy && lanewise pack b.npy $I --operand B --pad 0 -o b4.npy && lanewise pack a4.npy b4.npy --multiply $I -o c4.npy && lanewise pack c4.npy --unpack --shape 20,18 $I --operand D -o c.npy && show_npy c.npy | sort | uniq -c | sed 's/^ *//'
| 90  00 00 20 42 00 00 20 42 00 00 20 42 00 00 20 42
| 1 {'descr': '<f4', 'shape': (20, 18), }
$ lanewise pack a4.npy a.npy --multiply --insn v_mfma_f32_16x16x16_f16 --arch gfx942 -o c5.npy
! lanewise: pack: a.npy: the instruction needs tiles of 16 x 16 elements of 2 bytes, packed
= 2
$ lanewise pack a4.npy --multiply --insn v_mfma_f32_16x16x16_f16 --arch gfx942 -o c5.npy
! lanewise: pack: --multiply needs two packed arrays, not 1
= 2
$ lanewise pack a4.npy b4.npy --multiply --insn v_mfma_f32_4x4x4_16b_f16 --arch gfx942 -o c5.npy
! lanewise: pack: a4.npy: the instruction needs tiles of 4 x 4 elements of 2 bytes, packed
= 2
$ lanewise pack a4.npy b4.npy --multiply --insn v_mfma_f32_16x16x16_f16 --arch gfx942
! lanewise: pack: --multiply needs --insn, --arch and -o
= 2
# With IREE's data tiling.
$ make_npy t.npy '|u1' '(20, 40)' "$(repeat 800 00)"; lanewise pack t.npy --data-tiled 20x30x40 --types f16,f16,f32 --arch gfx942 --operand A
| from 20x40
| to   2x2x4x16x2x4
| offset = ((((d0/16*2 + d1/32)*4 + d1/4%4)*16 + d0%16)*2 + d1/16%2)*4 + d1%4
| ((16,2),(4,4,2,2)):((8,1024),(1,128,4,512))
| #iree_gpu.data_tiled_mma_layout<intrinsic = MFMA_F32_16x16x16_F16, intrinsics_k = 2, operands_interleaving_intrinsics_k = [0, 1]>
$ lanewise pack t.npy --data-tiled 20x30x40 --types f16,f16,f32 --arch gfx942 --operand A -o u.npy && lanewise pack u.npy --unpack --data-tiled 20x30x40 --types f16,f16,f32 --arch gfx942 --operand A -o v.npy && cmp v.npy t.npy
$ lanewise pack t.npy --data-tiled 20x30x40 --types f16,f16,f32 --arch gfx942 --operand B
! lanewise: pack: t.npy does not have the shape of that operand
= 2
$ lanewise pack t.npy --data-tiled 20x30x40 --types f16,f16,f32 --arch gfx1100 --operand A
| from 20x40
| to   2x3x1x16x16
| offset = ((d0/16*3 + d1/16)*16 + d0%16)*16 + d1%16
| ((16,2),(16,3)):((16,768),(1,256))
| #iree_gpu.data_tiled_mma_layout<intrinsic = WMMAR3_F32_16x16x16_F16, operands_interleaving_intrinsics_k = [0, 1]>
$ lanewise pack t.npy --data-tiled 20x30x40 --types f32,f32,f32 --arch gfx1100 --operand A
! lanewise: pack: IREE 3.13.0 packs nothing on gfx1100 for f32, f32 and f32: no matrix instruction there takes them
= 1
$ lanewise pack t.npy --data-tiled 20x30x40 --types f16,f16,f32 --arch sm_80 --operand A
! lanewise: pack: sm_80: IREE's rules for it are not known here
= 1
$ lanewise pack t.npy --data-tiled 20x30 --types f16,f16,f32 --arch gfx942 --operand A
! lanewise: pack: --data-tiled 20x30: must be MxNxK, as in 128x256x512
= 2
$ lanewise pack t.npy --data-tiled 20x30x40 --arch gfx942 --operand A
! lanewise: pack: --data-tiled needs --types of A, B and C, as in f16,f16,f32
= 2
