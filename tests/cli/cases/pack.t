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
$ lanewise pack s.npy
! lanewise: pack: needs --tiles or --insn
= 2
