# Machine code as llvm-objdump -d prints it.
$ cp $LW_TEST_ROOT/examples/objects/vector_add_gfx950.co v.co
$ lanewise disasm v.co | head -15
|
| v.co:	file format elf64-amdgpu
|
| Disassembly of section .text:
|
| 0000000000001600 <vector_add>:
| 	s_load_dword s3, s[0:1], 0x18                              // 000000001600: C00200C0 00000018
| 	v_lshl_or_b32 v0, s2, 8, v0                                // 000000001608: D2000000 04011002
| 	s_waitcnt lgkmcnt(0)                                       // 000000001610: BF8CC07F
| 	v_cmp_gt_u32_e32 vcc, s3, v0                               // 000000001614: 7D980003
| 	s_and_saveexec_b64 s[2:3], vcc                             // 000000001618: BE82206A
| 	s_cbranch_execz 22                                         // 00000000161C: BF880016 <vector_add+0x78>
| 	s_load_dwordx2 s[2:3], s[0:1], 0x10                        // 000000001620: C0060080 00000010
| 	s_load_dwordx4 s[4:7], s[0:1], 0x0                         // 000000001628: C00A0100 00000000
| 	v_mov_b32_e32 v1, 0                                        // 000000001630: 7E020280
$ lanewise disasm v.co:vector_add | grep -c .
| 280
$ lanewise disasm v.co --json | sed -n '1,20p'
| {
|   "file": "v.co",
|   "arch": "gfx950",
|   "code": [
|     {
|       "symbol": "vector_add",
|       "instructions": [
|         {
|           "address": 5632,
|           "bytes": "c00002c018000000",
|           "text": "s_load_dword s3, s[0:1], 0x18"
|         },
|         {
|           "address": 5640,
|           "bytes": "000000d202100104",
|           "text": "v_lshl_or_b32 v0, s2, 8, v0"
|         },
|         {
|           "address": 5648,
|           "bytes": "7fc08cbf",
$ lanewise disasm v.co --json | grep -A4 cbranch
|           "text": "s_cbranch_execz 22",
|           "target": 5752
|         },
|         {
|           "address": 5664,

# Names that do not exist, and other bad words.
$ lanewise disasm
! lanewise: disasm: needs one file, not 0: lanewise disasm FILE[:KERNEL] [--arch ARCH] [--lines]
= 2
$ lanewise disasm v.co v.co
! lanewise: disasm: needs one file, not 2: lanewise disasm FILE[:KERNEL] [--arch ARCH] [--lines]
= 2
$ lanewise disasm absent.co
! lanewise: disasm: absent.co: No such file or directory
= 2
$ lanewise disasm v.co:subtract
! lanewise: disasm: v.co: no kernel 'subtract'; the code object has vector_add
= 2
$ lanewise disasm v.co --arch gfx942
! lanewise: disasm: v.co: no code object for gfx942; the file holds one code object, for gfx950
= 2
$ echo hello >text.co
$ lanewise disasm text.co
! lanewise: disasm: text.co: neither an ELF file nor an offload bundle nor an offload binary nor PTX (it starts with byte 0x68)
= 2
# With source lines.
$ cp $LW_TEST_ROOT/tests/data/machine/module.co m.co; lanewise disasm -l m.co:spin | sed -n '5,12p'
|
| 0000000000001c00 <spin>:
| ; spin():
| ; /src/module.hip:36
| 	s_load_dwordx2 s[2:3], s[0:1], 0x0                         // 000000001C00: C0060080 00000000
| ; /src/module.hip:37
| 	s_waitcnt lgkmcnt(0)                                       // 000000001C08: BF8CC07F
| 	v_mov_b64_e32 v[0:1], s[2:3]                               // 000000001C0C: 7E007002
$ lanewise disasm m.co:spin --lines --json | grep -m3 -A1 '"source_file"'
|           "source_file": "/src/module.hip",
|           "source_line": 36
| --
|           "source_file": "/src/module.hip",
|           "source_line": 37
| --
|           "source_file": "/src/module.hip",
|           "source_line": 37
$ lanewise disasm v.co:vector_add -l | sed -n '6,8p'
| 0000000000001600 <vector_add>:
| ; vector_add():
| 	s_load_dword s3, s[0:1], 0x18                              // 000000001600: C00200C0 00000018
