# One instruction.
$ lanewise info v_mfma_f32_16x16x16_f16 --arch gfx942
| v_mfma_f32_16x16x16_f16 on gfx942, CDNA3 (Instinct MI300 series)
|
| shape          16 x 16 x 16  (A is m x k, B is k x n, C and D are m x n)
| family         mfma
| encoding       VOP3P-MAI, opcode 0x4d, 8 bytes
| passes         4 of four cycles
| on             gfx942 gfx950
| also spelt     v_mfma_f32_16x16x16f16
|
| operands
|   A        f16        16 bits   2 registers  v or a
|   B        f16        16 bits   2 registers  v or a
|   C        f32        32 bits   4 registers  v or a as D is, or an inline constant
|   D        f32        32 bits   4 registers  v or a as C is
|
| modifiers      cbsz abid blgp
|   All three assemble, but none has a documented meaning for this instruction.
$ lanewise info v_mfma_scale_f32_16x16x128_f8f6f4 --arch=gfx950
| v_mfma_scale_f32_16x16x128_f8f6f4 on gfx950, CDNA4 (Instinct MI350 series)
|
| shape          16 x 16 x 128  (A is m x k, B is k x n, C and D are m x n)
| family         mfma_scale, A and B are scaled
| encoding       VOP3PX2, opcode 0x2d, 16 bytes
| passes         8 of four cycles; half of that when neither A nor B is 8-bit
| on             gfx950
|
| operands
|   A        by cbsz              8 registers  v or a
|   B        by blgp              8 registers  v or a
|   C        f32        32 bits   4 registers  v or a as D is, or an inline constant
|   D        f32        32 bits   4 registers  v or a as C is
|   scale_a  e8m0        8 bits   1 register   v
|   scale_b  e8m0        8 bits   1 register   v
|
| modifiers      cbsz blgp op_sel op_sel_hi
|   cbsz is the format of A, blgp that of B: 0 fp8, 1 bf8, 2 fp6, 3 bf6, 4 fp4. The scale of A is byte
|   op_sel[0] + 2*op_sel_hi[0] of its register, that of B is byte op_sel[1] + 2*op_sel_hi[1].
$ lanewise info v_smfmac_f32_16x16x32_f16 --arch gfx940 --json
| {
|   "mnemonic": "v_smfmac_f32_16x16x32_f16",
|   "arch": "gfx942",
|   "family": "smfmac",
|   "m": 16,
|   "n": 16,
|   "k": 32,
|   "blocks": 1,
|   "encoding": "VOP3P-MAI",
|   "opcode": 98,
|   "bytes": 8,
|   "passes": 4,
|   "modifiers": "cbsz abid",
|   "operands": [
|     {
|       "operand": "A",
|       "format": "f16",
|       "element_bits": 16,
|       "registers": 2,
|       "files": "v or a"
|     },
|     {
|       "operand": "B",
|       "format": "f16",
|       "element_bits": 16,
|       "registers": 4,
|       "files": "v or a"
|     },
|     {
|       "operand": "D",
|       "format": "f32",
|       "element_bits": 32,
|       "registers": 4,
|       "files": "v or a"
|     },
|     {
|       "operand": "index",
|       "format": "index",
|       "element_bits": 4,
|       "registers": 1,
|       "files": "v"
|     }
|   ],
|   "passes_note": "",
|   "modifier_help": "With cbsz:0, abid picks which of the index sets in the index register is used; with any other cbsz it is set 0.",
|   "c_inline": false,
|   "aliases": ["v_smfmac_f32_16x16x32f16"],
|   "archs": ["gfx942", "gfx950"]
| }

# Names that lead nowhere, and why.
$ lanewise info
! lanewise: info: needs one instruction, not 0: lanewise info INSN --arch ARCH
= 2
$ lanewise info a b --arch gfx942
! lanewise: info: needs one instruction, not 2: lanewise info INSN --arch ARCH
= 2
$ lanewise info v_mfma_f32_16x16x16_f16
! lanewise: info: which GPU? Say --arch ARCH, one of gfx942, gfx950
= 2
$ lanewise info v_mfma_f32_16x16x16_f16 --arch gfx77
! lanewise: info: --arch gfx77: no such architecture; this version has gfx942, gfx950
= 2
$ lanewise info v_mfma_f32_16x16x16_f16 --arch gfx1100
! lanewise: info: --arch gfx1100: not in this version, which has gfx942, gfx950
= 3
$ lanewise info v_mfma_f32_16x16x16_f1 --arch gfx942
! lanewise: info: gfx942 has no matrix instruction "v_mfma_f32_16x16x16_f1"; the nearest names are v_mfma_f32_16x16x16_f16, v_mfma_f32_16x16x16_bf16, v_mfma_f32_16x16x4_f32
= 2
$ lanewise info v_mfma_f32_16x16x32_f16 --arch gfx942
! lanewise: info: gfx942 has no v_mfma_f32_16x16x32_f16; it is an instruction of gfx950
= 2
$ lanewise info v_accvgpr_read_b32 --arch gfx942
! lanewise: info: v_accvgpr_read_b32 is no matrix instruction: it copies one accumulation register to a vector register
= 3
$ lanewise info v_mfma_f32_16x16x16_f16 --arch
! lanewise: info: --arch needs a value: --arch ARCH
= 2
$ lanewise info v_mfma_f32_16x16x16_f16 --arhc gfx942
! lanewise: info: unknown option '--arhc'; did you mean --arch?
= 2
