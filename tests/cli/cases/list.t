# What there is.
$ lanewise list
| gfx908   CDNA1 (Instinct MI100)          20 matrix instructions, runs kernels
| gfx90a   CDNA2 (Instinct MI200 series)   27 matrix instructions, runs kernels
| gfx942   CDNA3 (Instinct MI300 series)   46 matrix instructions, runs kernels
| gfx950   CDNA4 (Instinct MI350 series)   68 matrix instructions, runs kernels
| gfx1100  RDNA3 (Radeon RX 7900 series)    6 matrix instructions, runs kernels
| gfx1150  RDNA3.5 (Radeon 880M, 890M)      6 matrix instructions, runs kernels
| gfx1201  RDNA4 (Radeon RX 9070 series)   22 matrix instructions, runs kernels
| gfx1250  CDNA5 (gfx1250, gfx1251)        43 matrix instructions, runs kernels
| sm_70    Volta (V100)                    33 matrix instructions, runs kernels
| sm_72    Volta (Xavier)                  48 matrix instructions, runs kernels
| sm_75    Turing (T4, RTX 20 series)      65 matrix instructions, runs kernels
| sm_80    Ampere (A100)                  109 matrix instructions, runs kernels
| sm_86    Ampere (A2, RTX 30 series)     109 matrix instructions, runs kernels
| sm_89    Ada (L40S, RTX 40 series)      114 matrix instructions, runs kernels
| sm_90    Hopper (H100, H200)            133 matrix instructions, runs kernels
| sm_100   Blackwell (B200)               118 matrix instructions, runs kernels
| sm_100a  Blackwell (B200), suffix a     159 matrix instructions, runs kernels
| sm_120   Blackwell (RTX 50, RTX PRO)    118 matrix instructions, runs kernels
| sm_120a  Blackwell (RTX 50), suffix a   136 matrix instructions, runs kernels
| sm_120f  Blackwell (RTX 50), suffix f   131 matrix instructions, runs kernels
$ lanewise list --json
| {
|   "archs": [
|     {
|       "arch": "gfx908",
|       "name": "CDNA1 (Instinct MI100)",
|       "matrix_instructions": 20,
|       "runs_kernels": true
|     },
|     {
|       "arch": "gfx90a",
|       "name": "CDNA2 (Instinct MI200 series)",
|       "matrix_instructions": 27,
|       "runs_kernels": true
|     },
|     {
|       "arch": "gfx942",
|       "name": "CDNA3 (Instinct MI300 series)",
|       "matrix_instructions": 46,
|       "runs_kernels": true
|     },
|     {
|       "arch": "gfx950",
|       "name": "CDNA4 (Instinct MI350 series)",
|       "matrix_instructions": 68,
|       "runs_kernels": true
|     },
|     {
|       "arch": "gfx1100",
|       "name": "RDNA3 (Radeon RX 7900 series)",
|       "matrix_instructions": 6,
|       "runs_kernels": true
|     },
|     {
|       "arch": "gfx1150",
|       "name": "RDNA3.5 (Radeon 880M, 890M)",
|       "matrix_instructions": 6,
|       "runs_kernels": true
|     },
|     {
|       "arch": "gfx1201",
|       "name": "RDNA4 (Radeon RX 9070 series)",
|       "matrix_instructions": 22,
|       "runs_kernels": true
|     },
|     {
|       "arch": "gfx1250",
|       "name": "CDNA5 (gfx1250, gfx1251)",
|       "matrix_instructions": 43,
|       "runs_kernels": true
|     },
|     {
|       "arch": "sm_70",
|       "name": "Volta (V100)",
|       "matrix_instructions": 33,
|       "runs_kernels": true
|     },
|     {
|       "arch": "sm_72",
|       "name": "Volta (Xavier)",
|       "matrix_instructions": 48,
|       "runs_kernels": true
|     },
|     {
|       "arch": "sm_75",
|       "name": "Turing (T4, RTX 20 series)",
|       "matrix_instructions": 65,
|       "runs_kernels": true
|     },
|     {
|       "arch": "sm_80",
|       "name": "Ampere (A100)",
|       "matrix_instructions": 109,
|       "runs_kernels": true
|     },
|     {
|       "arch": "sm_86",
|       "name": "Ampere (A2, RTX 30 series)",
|       "matrix_instructions": 109,
|       "runs_kernels": true
|     },
|     {
|       "arch": "sm_89",
|       "name": "Ada (L40S, RTX 40 series)",
|       "matrix_instructions": 114,
|       "runs_kernels": true
|     },
|     {
|       "arch": "sm_90",
|       "name": "Hopper (H100, H200)",
|       "matrix_instructions": 133,
|       "runs_kernels": true
|     },
|     {
|       "arch": "sm_100",
|       "name": "Blackwell (B200)",
|       "matrix_instructions": 118,
|       "runs_kernels": true
|     },
|     {
|       "arch": "sm_100a",
|       "name": "Blackwell (B200), suffix a",
|       "matrix_instructions": 159,
|       "runs_kernels": true
|     },
|     {
|       "arch": "sm_120",
|       "name": "Blackwell (RTX 50, RTX PRO)",
|       "matrix_instructions": 118,
|       "runs_kernels": true
|     },
|     {
|       "arch": "sm_120a",
|       "name": "Blackwell (RTX 50), suffix a",
|       "matrix_instructions": 136,
|       "runs_kernels": true
|     },
|     {
|       "arch": "sm_120f",
|       "name": "Blackwell (RTX 50), suffix f",
|       "matrix_instructions": 131,
|       "runs_kernels": true
|     }
|   ]
| }
$ lanewise list --arch gfx942 --family smfmac
| instruction                              m x n x k    A        B        D      modifiers
| v_smfmac_f32_16x16x32_bf16               16x16x32     bf16     bf16     f32    cbsz abid
| v_smfmac_f32_16x16x32_f16                16x16x32     f16      f16      f32    cbsz abid
| v_smfmac_f32_16x16x64_bf8_bf8            16x16x64     bf8      bf8      f32    cbsz abid
| v_smfmac_f32_16x16x64_bf8_fp8            16x16x64     bf8      fp8      f32    cbsz abid
| v_smfmac_f32_16x16x64_fp8_bf8            16x16x64     fp8      bf8      f32    cbsz abid
| v_smfmac_f32_16x16x64_fp8_fp8            16x16x64     fp8      fp8      f32    cbsz abid
| v_smfmac_f32_32x32x16_bf16               32x32x16     bf16     bf16     f32    cbsz abid
| v_smfmac_f32_32x32x16_f16                32x32x16     f16      f16      f32    cbsz abid
| v_smfmac_f32_32x32x32_bf8_bf8            32x32x32     bf8      bf8      f32    cbsz abid
| v_smfmac_f32_32x32x32_bf8_fp8            32x32x32     bf8      fp8      f32    cbsz abid
| v_smfmac_f32_32x32x32_fp8_bf8            32x32x32     fp8      bf8      f32    cbsz abid
| v_smfmac_f32_32x32x32_fp8_fp8            32x32x32     fp8      fp8      f32    cbsz abid
| v_smfmac_i32_16x16x64_i8                 16x16x64     i8       i8       i32    cbsz abid
| v_smfmac_i32_32x32x32_i8                 32x32x32     i8       i8       i32    cbsz abid
| 14 instructions of gfx942
$ lanewise list --arch gfx950 --family mfma_scale
| instruction                              m x n x k    A        B        D      modifiers
| v_mfma_scale_f32_16x16x128_f8f6f4        16x16x128    by cbsz  by blgp  f32    cbsz blgp op_sel op_sel_hi
| v_mfma_scale_f32_32x32x64_f8f6f4         32x32x64     by cbsz  by blgp  f32    cbsz blgp op_sel op_sel_hi
| 2 instructions of gfx950
$ lanewise list --arch gfx950 | tail -1
| 68 instructions of gfx950
$ lanewise list --arch gfx942 --family mfma_scale
! lanewise: list: --family mfma_scale: gfx942 has the families mfma, smfmac
= 2
$ lanewise list --arch gfx942 --family none
! lanewise: list: --family none: gfx942 has the families mfma, smfmac
= 2
$ lanewise list --family mfma
! lanewise: list: --family needs --arch ARCH
= 2
# A file's kernels.
$ lanewise list $LW_TEST_ROOT/examples/objects/vector_add_gfx950.co | sed 's|.*/examples|examples|'
| examples/objects/vector_add_gfx950.co: code object for gfx950
|   amdgcn-amd-amdhsa--gfx950, code object version 6
|   kernel vector_add
|     wave 64, workgroup up to 256 work-items, 0 bytes of LDS, 0 bytes of scratch
|     registers: 8 VGPRs, 0 AGPRs, 16 SGPRs
|     argument 0  c                buffer       8 bytes at 0
|     argument 1  a                buffer       8 bytes at 8
|     argument 2  b                buffer       8 bytes at 16
|     argument 3  n                value        4 bytes at 24
$ lanewise list $LW_TEST_ROOT/examples/objects/vector_add_gfx942.co --json | sed 's|"/.*/examples|"examples|'
| {
|   "file": "examples/objects/vector_add_gfx942.co",
|   "code_objects": [
|     {
|       "container": "code object",
|       "id": "",
|       "target": "gfx942",
|       "target_id": "amdgcn-amd-amdhsa--gfx942",
|       "code_object_version": 6,
|       "kernels": [
|         {
|           "name": "vector_add",
|           "wave": 64,
|           "max_workgroup_size": 256,
|           "required_workgroup": [0, 0, 0],
|           "lds_bytes": 0,
|           "scratch_bytes": 0,
|           "vgprs": 8,
|           "agprs": 0,
|           "sgprs": 16,
|           "kernarg_bytes": 28,
|           "explicit_arguments": 4,
|           "arguments": [
|             {
|               "name": "c",
|               "kind": "buffer",
|               "value_kind": "global_buffer",
|               "type": "",
|               "offset": 0,
|               "size": 8,
|               "only_read": false
|             },
|             {
|               "name": "a",
|               "kind": "buffer",
|               "value_kind": "global_buffer",
|               "type": "",
|               "offset": 8,
|               "size": 8,
|               "only_read": false
|             },
|             {
|               "name": "b",
|               "kind": "buffer",
|               "value_kind": "global_buffer",
|               "type": "",
|               "offset": 16,
|               "size": 8,
|               "only_read": false
|             },
|             {
|               "name": "n",
|               "kind": "value",
|               "value_kind": "by_value",
|               "type": "",
|               "offset": 24,
|               "size": 4,
|               "only_read": false
|             }
|           ]
|         }
|       ]
|     }
|   ]
| }
$ cp $LW_TEST_ROOT/examples/objects/vector_add_gfx942.co v.co
$ lanewise list v.co --arch gfx942 | head -1
| v.co: code object for gfx942
$ lanewise list v.co --arch gfx950
! lanewise: list: v.co: holds nothing for gfx950
= 2
$ lanewise list v.co --family mfma
! lanewise: list: --family and --evidence are about instructions, not about the file v.co
= 2
$ lanewise list v.co v.co
! lanewise: list: takes at most one file, not 2: lanewise list [--arch ARCH [--family NAME]] [--evidence] | FILE [--arch ARCH]
= 2
$ lanewise list absent.co
! lanewise: list: cannot open absent.co: No such file or directory
= 2
$ lanewise list .
! lanewise: list: cannot open .: it is a folder
= 2
$ head -c 100 v.co >cut.co
$ lanewise list cut.co
| cut.co: code object for gfx942
|   not loaded: the ELF program headers reach beyond the end of the file
! lanewise: list: cut.co: the ELF program headers reach beyond the end of the file
= 2
$ echo hello >text.co
$ lanewise list text.co
! lanewise: list: text.co: neither an ELF file nor an offload bundle nor an offload binary nor PTX (it starts with byte 0x68)
= 2
$ lanewise list text.co --json
| {
|   "error": "text.co: neither an ELF file nor an offload bundle nor an offload binary nor PTX (it starts with byte 0x68)",
|   "status": 2
| }
! lanewise: list: text.co: neither an ELF file nor an offload bundle nor an offload binary nor PTX (it starts with byte 0x68)
= 2
$ lanewise list /dev/null
! lanewise: list: cannot open /dev/null: it is a device, not a file
= 2
$ lanewise list --evidence | sed -n 1,9p
| gfx908, CDNA1 (Instinct MI100): 20 instructions
| rests on                 exact  recorded  measured    vendor  inferred   unknown
|   finite results             0         0        15         5         0         0
|   subnormals                 5         0        15         0         0         0
|   sign of zero               5         0         5         0        10         0
|   overflow                   0         0        15         0         5         0
|   NaN bits                   5         0         0         0         0        15
|   MODE bits                  0         0         0         0        20         0
|   undefined operands         0         0         0        20         0         0
$ lanewise list --evidence --json | head -12
| {
|   "archs": [
|     {
|       "arch": "gfx908",
|       "rests_on": [
|         {
|           "aspect": "finite results",
|           "exact": [],
|           "recorded": [],
|           "measured": ["v_mfma_f32_16x16x16f16", "v_mfma_f32_16x16x1f32", "v_mfma_f32_16x16x2bf16", "v_mfma_f32_16x16x4f16", "v_mfma_f32_16x16x4f32", "v_mfma_f32_16x16x8bf16", "v_mfma_f32_32x32x1f32", "v_mfma_f32_32x32x2f32", "v_mfma_f32_32x32x2bf16", "v_mfma_f32_32x32x4f16", "v_mfma_f32_32x32x4bf16", "v_mfma_f32_32x32x8f16", "v_mfma_f32_4x4x1f32", "v_mfma_f32_4x4x2bf16", "v_mfma_f32_4x4x4f16"],
|           "vendor": ["v_mfma_i32_16x16x16i8", "v_mfma_i32_16x16x4i8", "v_mfma_i32_32x32x4i8", "v_mfma_i32_32x32x8i8", "v_mfma_i32_4x4x4i8"],
|           "inferred": [],
$ lanewise list --family wmma
! lanewise: list: --family needs --arch ARCH
= 2
