# Hidden arguments by name, whole argument blocks, and what a null hostcall buffer means.
$ cp "$LW_TEST_DATA"/hidden.co h.co
$ lanewise run h.co:count --grid 3 --block 64 out:p.npy=u32[2] | grep -v '^ran\|^par\|^ser'
| count on gfx942: 3 workgroups, 3 waves
| evidence: 6 kinds of instruction ran, the weakest label is exact
| wrote p.npy: uint32 2
$ show_npy p.npy
| {'descr': '<u4', 'shape': (2,), }
|  03 00 00 00 40 00 01 00
$ lanewise list h.co | grep -A1 hidden
|     and 3 hidden arguments, filled by the launch
|       hidden_block_count_x, hidden_group_size_x, hidden_group_size_y
|   kernel say
| --
|     and 1 hidden argument, filled by the launch
|       hidden_hostcall_buffer
|   kernel bare
# A hidden argument that is named replaces what the launch would set.
$ lanewise run h.co:count --grid 3 --block 64 hidden_block_count_x=9 out:p.npy=u32[2] hidden_group_size_y=u16:5 >/dev/null && show_npy p.npy
| {'descr': '<u4', 'shape': (2,), }
|  09 00 00 00 40 00 05 00
$ lanewise run h.co:count --grid 1 --block 64 out:-=u32[2] hidden_block_count_x=u64:9
! lanewise: run: hidden_block_count_x has 4 bytes, but 'hidden_block_count_x=u64:9' has 8
= 2
$ lanewise run h.co:count --grid 1 --block 64 out:-=u32[2] hidden_block_count_x=-1
! lanewise: run: hidden_block_count_x, u32: '-1' is not of type u32: needs a decimal or 0x number that fits in 32 bits without sign
= 2
$ lanewise run h.co:count --grid 1 --block 64 out:-=u32[2] hidden_block_count_x=null
! lanewise: run: hidden_block_count_x is a value of 4 bytes, but 'hidden_block_count_x=null' is a null pointer
= 2
$ lanewise run h.co:count --grid 1 --block 64 out:-=u32[2] hidden_block_count_x=1 hidden_block_count_x=2
! lanewise: run: count takes 2 arguments, but 3 are given; it takes p (buffer), hidden_block_count_x (4 bytes)
= 2
$ lanewise run h.co:count --grid 1 --block 64 out:-=u32[2] hidden_heap_v1=1
! lanewise: run: argument 'hidden_heap_v1=1': count has no hidden argument 'hidden_heap_v1'; it has hidden_block_count_x, hidden_group_size_x, hidden_group_size_y
= 2
$ lanewise run h.co:count --grid 1 --block 64 hidden_block_count_x=1
! lanewise: run: count takes 2 arguments, but 1 is given; it takes p (buffer), hidden_block_count_x (4 bytes)
= 2
$ lanewise run h.co:bare --grid 1 --block 64 hidden_block_count_x=1
! lanewise: run: argument 'hidden_block_count_x=1': bare has no hidden arguments
= 2
# printf and assert without a host program.
$ lanewise run h.co:say --grid 1 --block 1 out:p.npy=u32[1] >/dev/null
! lanewise: run: kernel say, workgroup (0,0,0), wave 0, lane 0, pc +0x18 "global_load_dword v1, v0, s[6:7] offset:24": loads from address 0x18 in no allocation (a null pointer, or near one); the kernel takes hidden_hostcall_buffer, which printf and assert use, and it is null here; no array was written
= 3
$ make_npy buffer.npy '<u4' '(8,)' "$(repeat 6 00000000)07000000$(repeat 1 00000000)"
$ lanewise run h.co:say --grid 1 --block 1 out:p.npy=u32[1] hidden_hostcall_buffer=in:buffer.npy >/dev/null && show_npy p.npy
| {'descr': '<u4', 'shape': (1,), }
|  07 00 00 00
$ lanewise run h.co:say --grid 1 --block 1 out:p.npy=u32[1] hidden_hostcall_buffer=u64:0xfffffffff000 >/dev/null
! lanewise: run: kernel say, workgroup (0,0,0), wave 0, lane 0, pc +0x18 "global_load_dword v1, v0, s[6:7] offset:24": loads from address 0xfffffffff018 in no allocation (281406257229844 bytes past the end of "argument 0 (p)", 4 bytes at 0x1000000000); no array was written
= 3
$ lanewise run h.co:say --grid 1 --block 1 out:p.npy=u32[1] hidden_hostcall_buffer=u64:8 >/dev/null
! lanewise: run: kernel say, workgroup (0,0,0), wave 0, lane 0, pc +0x18 "global_load_dword v1, v0, s[6:7] offset:24": loads from address 0x20 in no allocation (a null pointer, or near one); no array was written
= 3
# The whole block: the addresses of arrays are written into it.
$ lanewise run h.co:bare --grid 1 --block 1 out:p.npy=u32[1]
! lanewise: run: bare: the file has no metadata that says what its arguments are; give the whole block, as kernarg:FILE
= 2
$ printf '\0\0\0\0\0\0\0\0\52\0\0\0\0\0\0\0' >block
$ lanewise run h.co:bare --grid 1 --block 1 kernarg:block +0=out:p.npy=u32[2] | grep 'not w\|wrote' && show_npy p.npy
| not written by the kernel: 1 of 2 elements of bytes 0 to 7 of the argument block, element [1]
| wrote p.npy: uint32 2
| {'descr': '<u4', 'shape': (2,), }
|  2a 00 00 00 a5 a5 a5 a5
$ lanewise run h.co:bare --grid 1 --block 1 kernarg:block +0x0=out:p.npy=u32[1] +8=u32:7 >/dev/null && show_npy p.npy
| {'descr': '<u4', 'shape': (1,), }
|  07 00 00 00
$ lanewise run h.co:bare --grid 1 --block 1 kernarg:block >/dev/null
! lanewise: run: kernel bare, workgroup (0,0,0), wave 0, lane 0, pc +0x14 "global_store_dword v0, v1, s[4:5]": stores to address 0x0 in no allocation (a null pointer, or near one); no array was written
= 3
$ lanewise run h.co:bare --grid 1 --block 1 kernarg:block +0=out:block=u32[1]
! lanewise: run: cannot write block: kernarg: reads that file, and a file that was read is not replaced
= 2
$ lanewise run h.co:bare --grid 1 --block 1 kernarg:block +9=out:p.npy=u32[1]
! lanewise: run: argument '+9=out:p.npy=u32[1]': 8 bytes at 9 do not fit into a block of 16
= 2
$ lanewise run h.co:bare --grid 1 --block 1 kernarg:block +4=out:p.npy=u32[1] +8=u32:7
! lanewise: run: '+4=out:p.npy=u32[1]' and '+8=u32:7' would fill the same bytes of the block
= 2
$ lanewise run h.co:bare --grid 1 --block 1 kernarg:block +8=7
! lanewise: run: argument '+8=7': needs a type, as in +8=i32:7
= 2
$ lanewise run h.co:bare --grid 1 --block 1 kernarg:block out:p.npy=u32[1]
! lanewise: run: argument 'out:p.npy=u32[1]': with kernarg: it must say where it goes, as in +8=out:p.npy=u32[1]
= 2
$ lanewise run h.co:bare --grid 1 --block 1 kernarg:block p=out:p.npy=u32[1]
! lanewise: run: argument 'p=out:p.npy=u32[1]': bare has no argument 'p'; +OFFSET= is a place in its block
= 2
$ lanewise run h.co:bare --grid 1 --block 1 kernarg:block kernarg:block
! lanewise: run: 'kernarg:block': the argument block is given twice
= 2
$ lanewise run h.co:bare --grid 1 --block 1 kernarg:missing
! lanewise: run: cannot open missing: No such file or directory
= 2
$ lanewise run h.co:count --grid 1 --block 1 kernarg:block
! lanewise: run: kernarg:block: count takes a block of 24 bytes, but the file holds 16
= 2
$ printf '\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\4\0\5\0' >block24
$ lanewise run h.co:count --grid 1 --block 1 kernarg:block24 p=out:p.npy=u32[2] hidden_block_count_x=8 >/dev/null && show_npy p.npy
| {'descr': '<u4', 'shape': (2,), }
|  08 00 00 00 04 00 05 00
