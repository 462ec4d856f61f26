# PTX modules as files: their contents, their text, their errors.
$ cp $LW_TEST_ROOT/tests/data/ptx/vector_add_nvcc_sm_80.ptx n.ptx; cp $LW_TEST_ROOT/tests/data/ptx/vector_add_clang_sm_80.ptx c.ptx
$ lanewise list n.ptx
| n.ptx: PTX module for sm_80
|   PTX version 9.0
|   kernel vector_add
|     warp 32, 0 bytes of shared memory, 0 bytes of local memory
|     argument 0  vector_add_param_0 buffer or value 8 bytes at 0, u64
|     argument 1  vector_add_param_1 buffer or value 8 bytes at 8, u64
|     argument 2  vector_add_param_2 buffer or value 8 bytes at 16, u64
|     argument 3  vector_add_param_3 value        4 bytes at 24, u32
$ lanewise list c.ptx
| c.ptx: PTX module for sm_80
|   PTX version 8.8
|   kernel vector_add
|     warp 32, 0 bytes of shared memory, 0 bytes of local memory
|     argument 0  vector_add_param_0 buffer       8 bytes at 0, u64
|     argument 1  vector_add_param_1 buffer       8 bytes at 8, u64
|     argument 2  vector_add_param_2 buffer       8 bytes at 16, u64
|     argument 3  vector_add_param_3 value        4 bytes at 24, u32
$ lanewise list n.ptx --json | head -32
| {
|   "file": "n.ptx",
|   "code_objects": [
|     {
|       "container": "PTX module",
|       "id": "",
|       "target": "sm_80",
|       "target_id": "sm_80",
|       "ptx_version": 90,
|       "kernels": [
|         {
|           "name": "vector_add",
|           "wave": 32,
|           "max_workgroup_size": 0,
|           "required_workgroup": [0, 0, 0],
|           "lds_bytes": 0,
|           "scratch_bytes": 0,
|           "vgprs": 0,
|           "agprs": 0,
|           "sgprs": 0,
|           "kernarg_bytes": 28,
|           "explicit_arguments": 4,
|           "arguments": [
|             {
|               "name": "vector_add_param_0",
|               "kind": "buffer or value",
|               "value_kind": ".param",
|               "type": "u64",
|               "offset": 0,
|               "size": 8,
|               "only_read": false
|             },
$ lanewise disasm n.ptx:vector_add
|
| n.ptx:	PTX for sm_80
|
| vector_add:
| 	ld.param.u64 %rd1, [vector_add_param_0]                    // line 29, vector_add.cu:14
| 	ld.param.u64 %rd2, [vector_add_param_1]                    // line 30, vector_add.cu:14
| 	ld.param.u64 %rd3, [vector_add_param_2]                    // line 31, vector_add.cu:14
| 	ld.param.u32 %r2, [vector_add_param_3]                     // line 32, vector_add.cu:14
| 	mov.u32 %r3, %ctaid.x                                      // line 34, vector_add.cu:16
| 	mov.u32 %r4, %ntid.x                                       // line 35, vector_add.cu:16
| 	mov.u32 %r5, %tid.x                                        // line 36, vector_add.cu:16
| 	mad.lo.s32 %r1, %r3, %r4, %r5                              // line 37, vector_add.cu:16
| 	setp.ge.s32 %p1, %r1, %r2                                  // line 39, vector_add.cu:17
| 	@%p1 bra $L__BB0_2                                         // line 40, vector_add.cu:17
| 	cvta.to.global.u64 %rd4, %rd1                              // line 43, vector_add.cu:16
| 	mul.wide.s32 %rd5, %r1, 4                                  // line 45, vector_add.cu:18
| 	add.s64 %rd6, %rd4, %rd5                                   // line 46, vector_add.cu:18
| 	cvta.to.global.u64 %rd7, %rd2                              // line 48, vector_add.cu:16
| 	add.s64 %rd8, %rd7, %rd5                                   // line 50, vector_add.cu:18
| 	ld.global.f32 %f1, [%rd8]                                  // line 51, vector_add.cu:18
| 	ld.global.f32 %f2, [%rd6]                                  // line 52, vector_add.cu:18
| 	add.f32 %f3, %f2, %f1                                      // line 53, vector_add.cu:18
| 	cvta.to.global.u64 %rd9, %rd3                              // line 55, vector_add.cu:16
| 	add.s64 %rd10, %rd9, %rd5                                  // line 57, vector_add.cu:18
| 	st.global.f32 [%rd10], %f3                                 // line 58, vector_add.cu:18
| $L__BB0_2:
| 	ret                                                        // line 62, vector_add.cu:19
$ lanewise disasm c.ptx --json | sed -n '1,20p'
| {
|   "file": "c.ptx",
|   "arch": "sm_80",
|   "code": [
|     {
|       "symbol": "vector_add",
|       "instructions": [
|         {
|           "number": 0,
|           "text": "ld.param.b64 %rd4, [vector_add_param_0]",
|           "line": 25,
|           "supported": true,
|           "source_file": "vector_add.cu",
|           "source_line": 15
|         },
|         {
|           "number": 1,
|           "text": "ld.param.b64 %rd5, [vector_add_param_2]",
|           "line": 26,
|           "supported": true,
$ lanewise list c.ptx --arch sm_90
! lanewise: list: c.ptx: holds nothing for sm_90
= 2
# Kernels with instructions that this version cannot run are listed with the lines.
$ printf '/* by hand */\n.version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .align 4 .b8 s[12], .param .v2 .f32 v) .reqntid 64, 2 {\n.shared .b32 t[4];\n.reg .b32 %%r<3>;\ntcgen05.fence::before_thread_sync;\n@%%p bra X;\n}' > bad.ptx; lanewise list bad.ptx
| bad.ptx: PTX module for sm_90a
|   not loaded: line 9, column 2: '%p' is not a predicate register
! lanewise: list: bad.ptx: line 9, column 2: '%p' is not a predicate register
= 2
$ sed -i 's/^@%p bra X;/X: bra X;/' bad.ptx; lanewise list bad.ptx; lanewise disasm bad.ptx
| bad.ptx: PTX module for sm_90a
|   PTX version 8.0
|   kernel k
|     warp 32, block exactly 64,2,1, 16 bytes of shared memory, 0 bytes of local memory
|     not supported: tcgen05.fence::before_thread_sync (line 8)
|     argument 0  s                value        12 bytes at 0, b8[12]
|     argument 1  v                value        8 bytes at 16, v2 f32
|
| bad.ptx:	PTX for sm_90a
|
| k:
| 	tcgen05.fence::before_thread_sync                          // line 8, not supported
| X:
| 	bra X                                                      // line 9
$ sed 's/sm_90a/sm_91/' bad.ptx > other.ptx; lanewise list other.ptx
| other.ptx: PTX module for sm_91
|   not loaded: line 3, column 9: the target sm_91 is not known; these are: sm_70, sm_72, sm_75, sm_80, sm_86, sm_89, sm_90, sm_100, sm_100a, sm_120, sm_120a, sm_120f, sm_87, sm_88, sm_90a, sm_100f, sm_103, sm_103a, sm_103f, sm_110, sm_110a, sm_110f, sm_121, sm_121a, sm_121f
! lanewise: list: other.ptx: line 3, column 9: the target sm_91 is not known; these are: sm_70, sm_72, sm_75, sm_80, sm_86, sm_89, sm_90, sm_100, sm_100a, sm_120, sm_120a, sm_120f, sm_87, sm_88, sm_90a, sm_100f, sm_103, sm_103a, sm_103f, sm_110, sm_110a, sm_110f, sm_121, sm_121a, sm_121f
= 2
$ sed 's/8\.0/1.4/' bad.ptx > old.ptx; lanewise disasm old.ptx
! lanewise: disasm: old.ptx: line 2, column 10: PTX 1.4; versions from 2.0 on are read
= 3
$ head -c 100 bad.ptx > cut.ptx; lanewise list cut.ptx
| cut.ptx: PTX module for sm_90a
|   not loaded: line 5, column 42: the text ends where ']' is expected
! lanewise: list: cut.ptx: line 5, column 42: the text ends where ']' is expected
= 2
$ lanewise list n.ptx --arch gfx942
! lanewise: list: n.ptx: holds nothing for gfx942
= 2
$ lanewise disasm n.ptx --arch sm_75
! lanewise: disasm: n.ptx: no code object for sm_75; the file holds one code object, for sm_80
= 2

# .loc gives the source lines: on a line of their own with --lines, otherwise beside each instruction.
$ printf '.version 8.0\n.target sm_80\n.address_size 64\n.file 1 "/src/a.cu"\n.visible .entry k(.param .u64 out)\n{\n.reg .u32 %%r<3>;\n.loc 1 7 3\nmov.u32 %%r1, 1;\n.loc 1 9 5\nadd.u32 %%r2, %%r1, 2;\nret;\n}\n' > loc.ptx; lanewise disasm loc.ptx --lines | tail -n +4
| k:
| ; /src/a.cu:7
| 	mov.u32 %r1, 1                                             // line 9, /src/a.cu:7
| ; /src/a.cu:9
| 	add.u32 %r2, %r1, 2                                        // line 11, /src/a.cu:9
| 	ret                                                        // line 12, /src/a.cu:9
$ lanewise disasm loc.ptx | grep -c '^;'
| 0
= 1
$ lanewise disasm loc.ptx --lines --json | grep -c '"source_line": 9'
| 2
