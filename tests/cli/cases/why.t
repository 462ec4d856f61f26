# lanewise why: what it refuses, and its exit status.
$ cp $LW_TEST_ROOT/tests/data/checks/tile_twice.co k.co
$ cp $LW_TEST_ROOT/tests/data/checks/tile_twice/*.npy .
$ lanewise why k.co --grid 1 --block 64 A=A.npy B=B.npy C=out:-=f32[16,16] SA=null SB=null
! lanewise: why: needs either --element NAME:I,J or --first-difference with --expect or --capture
= 2
$ lanewise why k.co --grid 1 --block 64 A=A.npy B=B.npy C=out:-=f32[16,16] SA=null SB=null --first-difference
! lanewise: why: --first-difference needs --expect FILE or --capture FILE
= 2
$ lanewise why k.co --grid 1 --block 64 A=A.npy B=B.npy C=out:-=f32[16,16] SA=null SB=null --element C:1,2 --first-difference --expect expected.npy
! lanewise: why: needs either --element NAME:I,J or --first-difference with --expect or --capture
= 2
$ lanewise why k.co --grid 1 --block 64 A=A.npy B=B.npy C=out:-=f32[16,16] SA=null SB=null --element C
! lanewise: why: --element C: needs an argument and an index, as in --element C:2,17
= 2
$ lanewise why k.co --grid 1 --block 64 A=A.npy B=B.npy C=out:-=f32[16,16] SA=null SB=null --element D:1,2
! lanewise: why: --element D:1,2: the kernel has no array of that name or number, as in --element C:2,17
= 2
$ lanewise why k.co --grid 1 --block 64 A=A.npy B=B.npy C=out:-=f32[16,16] SA=null SB=null --element SA:0
! lanewise: why: --element SA:0: the kernel has no array of that name or number, as in --element C:2,17
= 2
$ lanewise why k.co --grid 1 --block 64 A=A.npy B=B.npy C=out:-=f32[16,16] SA=null SB=null --element C:1,2,3
! lanewise: why: --element C:1,2,3: needs an index for each dimension of the array, or one for all, as in --element C:2,17
= 2
$ lanewise why k.co --grid 1 --block 64 A=A.npy B=B.npy C=out:-=f32[16,16] SA=null SB=null --element C:1,16
! lanewise: why: --element C:1,16: it is outside the array, as in --element C:2,17
= 2
$ lanewise why k.co --grid 1 --block 64 A=A.npy B=B.npy C=out:-=f32[16,16] SA=null SB=null --element A:1,2
! lanewise: why: no instruction of the launch stores to these bytes
= 1
$ lanewise why k.co --grid 1 --block 64 A=A.npy B=B.npy C=out:-=f32[16,16] SA=null SB=null --element C:1,2 --record-limit 0
! lanewise: why: --record-limit 0: needs a number of MiB above 0
= 2
$ lanewise why k.co --grid 1 --block 64 A=A.npy B=B.npy C=out:-=f32[16,16] SA=null SB=null --element C:18 --expect expected.npy | tail -n 2 | head -n 1
| a tile is used twice: k = 0 to 15; k = 16 to 31 are never used
$ lanewise why k.co --grid 1 --block 64 A=A.npy B=B.npy C=out:-=f32[16,16] SA=null SB=null --element C:1,2 | head -n 2
| C[1,2] = 0x43500000 (208)
|   stored by global_store_dword v13, v31, s[8:9] offset:64  +0x124, workgroup 0,0,0 wave 0 lane 2
