# One instruction.
$ lanewise info v_mfma_f32_16x16x16_f16 --arch gfx942
| v_mfma_f32_16x16x16_f16 on gfx942, CDNA3 (Instinct MI300 series)
|
| shape          16 x 16 x 16  (A is m x k, B is k x n, C and D are m x n)
| family         mfma
| encoding       VOP3P-MAI, opcode 0x4d, 8 bytes
| passes         4 of four cycles
| on             gfx908 gfx90a gfx942 gfx950
| also spelt     v_mfma_f32_16x16x16f16
|
| operands
|   A        f16        16 bits   2 registers  v or a
|   B        f16        16 bits   2 registers  v or a
|   C        f32        32 bits   4 registers  v or a as D is, or an inline constant
|   D        f32        32 bits   4 registers  v or a as C is
|   tuples of registers begin at multiples of 2
|
| modifiers      cbsz abid blgp
|   All three assemble, but none has a documented meaning for this instruction.
|
| arithmetic     TR, groups of 8, chained
|   Products of 8 consecutive k are cut 24 bits below the largest nominal product exponent, towards
|   zero, and added exactly; C is floored 24 bits below the step's largest exponent and always takes
|   part. The product side meets C with 32 fraction bits (floored), the normalised total keeps 31
|   (floored) and is rounded to the nearest f32, ties to even; a zero total is +0. Each group's result
|   is the next group's C. Every NaN is 7fc00000. Under MODE.FP16_OVFL a finite overflow gives the
|   largest finite number.
|
| evidence
|   finite results     measured
|                      arXiv 2511.10909: about a million random and adversarial cases compared with an
|                      MI300X bit for bit
|   subnormals         measured
|                      arXiv 2511.10909: about a million random and adversarial cases compared with an
|                      MI300X bit for bit
|   sign of zero       inferred
|                      arXiv 2511.10909: its model gives +0 for exact cancellation; hardware
|                      comparison exercises it weakly
|   overflow           measured
|                      arXiv 2511.10909: about a million random and adversarial cases compared with an
|                      MI300X bit for bit
|   NaN bits           unknown
|                      the comparison of arXiv 2511.10909 lets any NaN equal any NaN; 0x7fc00000 is
|                      our choice
|   MODE bits          inferred
|                      the clamp under FP16_OVFL is the CDNA4 ISA manual's rule, carried over to
|                      gfx942; not measured
|   undefined operands vendor
|                      no operand of this instruction is undefined
|
| open questions, read with --reading TOPIC:NAME
|   fp16-ovfl:clamp, the default (inferred)
|     A finite result that overflows becomes the largest finite f32 of its sign, an i32 result the
|     nearest end of the range: CDNA4 ISA manual 7.1.5 and 7.5, not measured; for gfx942 carried over,
|     hence this label.
|   fp16-ovfl:ignored (inferred)
|     The bit has no effect on matrix instructions, as the CDNA3 ISA manual's silence may be read.
|   cbsz:refused, the default (unknown)
|     cbsz and abid are refused: they assemble, but AMD's matrix instruction calculator calls them
|     unsupported and no manual gives them a meaning.
|   cbsz:ignored (unknown)
|     cbsz and abid have no effect; no source says so.
|   blgp:refused, the default (unknown)
|     blgp is refused: it assembles, but AMD's matrix instruction calculator calls it unsupported and
|     no manual says what it does there.
|   blgp:ignored (unknown)
|     blgp has no effect; no source says so.
|   blgp:pattern (unknown)
|     blgp picks lanes of B as it does where it is documented; no source says so here.
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
|   tuples of registers begin at multiples of 2
|   a scale is for 32 k
|
| modifiers      cbsz blgp op_sel op_sel_hi
|   cbsz is the format of A, blgp that of B: 0 fp8, 1 bf8, 2 fp6, 3 bf6, 4 fp4. The scale of A is byte
|   op_sel[0] + 2*op_sel_hi[0] of its register, that of B is byte op_sel[1] + 2*op_sel_hi[1].
|
| arithmetic     GTR, groups of 32, chained
|   Products of 32 consecutive k form two classes, even and odd places. Each class is cut 24 bits
|   below its own largest nominal exponent, towards zero, and added exactly; the two sums meet 24 bits
|   below the larger exponent, towards minus infinity. C is floored 24 bits below the step's largest
|   exponent, or ignored when its exponent is more than 25 below. The product side meets C with 32
|   fraction bits (floored), the normalised total keeps 31 (floored) and is rounded to the nearest
|   f32, ties to even; a zero total is +0. Each group's result is the next group's C. A block's sum
|   counts times 2^(scale A - 127 + scale B - 127) without rounding; a scale of 0xff gives NaN. Every
|   NaN is 7fc00000. Under MODE.FP16_OVFL a finite overflow gives the largest finite number.
|
| evidence
|   finite results     unknown
|                      nothing public about grouping and alignment; that scales act on a block's sum
|                      before accumulation is the CDNA4 ISA manual's rule
|   subnormals         vendor
|                      AMD CDNA4 ISA manual, chapter 7: denormals are kept
|   sign of zero       unknown
|                      nothing public
|   overflow           unknown
|                      nothing public
|   NaN bits           unknown
|                      that a scale of 0xFF gives NaN is the CDNA4 ISA manual's rule; its bits are not
|                      public, 0x7fc00000 is our choice
|   MODE bits          vendor
|                      AMD CDNA4 ISA manual 7.1.5 and 7.5: FP16_OVFL clamps; not measured
|   undefined operands vendor
|                      no operand of this instruction is undefined
|
| open questions, read with --reading TOPIC:NAME
|   f8f6f4-group:gtr32, the default (unknown)
|     The 32 products of a block in an even and an odd class: gfx942's fp8 adder, twice as wide, as
|     the cycle counts suggest; not measured.
|   f8f6f4-group:gtr16 (unknown)
|     Two groups of 16 products per block, each in an even and an odd class, one after the other; not
|     measured.
|   f8f6f4-group:tr32 (unknown)
|     The 32 products of a block on one grid; not measured.
|   f8f6f4-blocks:chained, the default (unknown)
|     Blocks of 32 k one after the other, k ascending, each added to the accumulator and rounded; not
|     measured.
|   f8f6f4-blocks:fused (unknown)
|     The sums of all blocks meet 24 bits below the largest of their scaled exponents, towards minus
|     infinity, then C is added and the total rounded once; not measured.
|   f8f6f4-c:drop, the default (unknown)
|     C is ignored when its exponent is more than 25 below the largest, as gfx942's fp8 adder does;
|     not measured here.
|   f8f6f4-c:keep (unknown)
|     C always takes part: a tiny negative one subtracts a unit, as gfx942's f16 adder does; not
|     measured here.
|   fp16-ovfl:clamp, the default (inferred)
|     A finite result that overflows becomes the largest finite f32 of its sign, an i32 result the
|     nearest end of the range: CDNA4 ISA manual 7.1.5 and 7.5, not measured; for gfx942 carried over,
|     hence this label.
|   fp16-ovfl:ignored (inferred)
|     The bit has no effect on matrix instructions, as the CDNA3 ISA manual's silence may be read.
$ lanewise info v_smfmac_f32_16x16x32_f16 --arch gfx940 --json
| {
|   "mnemonic": "v_smfmac_f32_16x16x32_f16",
|   "arch": "gfx942",
|   "family": "smfmac",
|   "m": 16,
|   "n": 16,
|   "k": 32,
|   "stored_k": 16,
|   "blocks": 1,
|   "encoding": "VOP3P-MAI",
|   "opcode": 98,
|   "bytes": 8,
|   "passes": 4,
|   "cycles": 16,
|   "wave": 64,
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
|   "spelling": "v_smfmac_f32_16x16x32_f16",
|   "passes_note": "",
|   "modifier_help": "With cbsz:0, abid picks which of the index sets in the index register is used; with any other cbsz it is set 0.",
|   "c_inline": false,
|   "tuple_align": 2,
|   "scale_k": 0,
|   "aliases": ["v_smfmac_f32_16x16x32f16"],
|   "archs": ["gfx942", "gfx950"],
|   "recipe": "TR, groups of 8, chained, stored products",
|   "rule": "Products of 8 consecutive k are cut 24 bits below the largest nominal product exponent, towards zero, and added exactly; C is floored 24 bits below the step's largest exponent and always takes part. The product side meets C with 32 fraction bits (floored), the normalised total keeps 31 (floored) and is rounded to the nearest f32, ties to even; a zero total is +0. Each group's result is the next group's C. Products are those of the stored values of A, each with the B that its index names, in stored order. Every NaN is 7fc00000. Under MODE.FP16_OVFL a finite overflow gives the largest finite number.",
|   "evidence": [
|     {
|       "aspect": "finite results",
|       "label": "unknown",
|       "source": "no public measurement of SMFMAC; default: the dense arithmetic on the stored products, as the cycle counts suggest"
|     },
|     {
|       "aspect": "subnormals",
|       "label": "vendor",
|       "source": "AMD CDNA3 ISA manual, chapter 7: denormals are kept"
|     },
|     {
|       "aspect": "sign of zero",
|       "label": "unknown",
|       "source": "no public measurement of SMFMAC"
|     },
|     {
|       "aspect": "overflow",
|       "label": "unknown",
|       "source": "no public measurement of SMFMAC"
|     },
|     {
|       "aspect": "NaN bits",
|       "label": "unknown",
|       "source": "nothing public; 0x7fc00000 is our choice"
|     },
|     {
|       "aspect": "MODE bits",
|       "label": "inferred",
|       "source": "the clamp under FP16_OVFL is the CDNA4 ISA manual's rule, carried over to gfx942; not measured"
|     },
|     {
|       "aspect": "undefined operands",
|       "label": "unknown",
|       "source": "an index whose first position is not below its second is not defined; it is used as it stands"
|     }
|   ],
|   "readings": [
|     {
|       "topic": "fp16-ovfl",
|       "name": "clamp",
|       "default": true,
|       "label": "inferred",
|       "text": "A finite result that overflows becomes the largest finite f32 of its sign, an i32 result the nearest end of the range: CDNA4 ISA manual 7.1.5 and 7.5, not measured; for gfx942 carried over, hence this label."
|     },
|     {
|       "topic": "fp16-ovfl",
|       "name": "ignored",
|       "default": false,
|       "label": "inferred",
|       "text": "The bit has no effect on matrix instructions, as the CDNA3 ISA manual's silence may be read."
|     }
|   ]
| }
! note: gfx940 has the matrix instructions of gfx942 (CDNA3)
$ lanewise info v_mfma_scale_f32_16x16x128_f8f6f4 --arch gfx950 --mod cbsz:fp4 --mod blgp:2 | sed -n '/^operands/,/^$/p'
| operands
|   A        fp4         4 bits   4 registers  v or a
|   B        fp6         6 bits   6 registers  v or a
|   C        f32        32 bits   4 registers  v or a as D is, or an inline constant
|   D        f32        32 bits   4 registers  v or a as C is
|   scale_a  e8m0        8 bits   1 register   v
|   scale_b  e8m0        8 bits   1 register   v
|   tuples of registers begin at multiples of 2
|   a scale is for 32 k
|
$ lanewise info v_mfma_scale_f32_16x16x128_f8f6f4 --arch gfx950 --mod cbsz:9
! lanewise: info: --mod: cbsz takes a number from 0 to 7, not "9"
= 2

# Names that are not found, and why.
$ lanewise info
! lanewise: info: needs one instruction, not 0: lanewise info INSN --arch ARCH [--mod NAME:VALUE]
= 2
$ lanewise info a b --arch gfx942
! lanewise: info: needs one instruction, not 2: lanewise info INSN --arch ARCH [--mod NAME:VALUE]
= 2
$ lanewise info v_mfma_f32_16x16x16_f16
! lanewise: info: which GPU? Say --arch ARCH, one of gfx908, gfx90a, gfx942, gfx950, gfx1100, gfx1150, gfx1201, gfx1250, sm_70, sm_72, sm_75, sm_80, sm_86, sm_89, sm_90, sm_100, sm_100a, sm_120, sm_120a, sm_120f
= 2
$ lanewise info v_mfma_f32_16x16x16_f16 --arch gfx77
! lanewise: info: --arch gfx77: no such architecture; this version has gfx908, gfx90a, gfx942, gfx950, gfx1100, gfx1150, gfx1201, gfx1250, sm_70, sm_72, sm_75, sm_80, sm_86, sm_89, sm_90, sm_100, sm_100a, sm_120, sm_120a, sm_120f
= 2
$ lanewise info v_mfma_f32_16x16x16_f16 --arch gfx1100
! lanewise: info: gfx1100 has no v_mfma_f32_16x16x16_f16; it is an instruction of gfx942 and gfx950
= 2
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
$ lanewise info v_swmmac_f32_16x16x32_f16 --arch gfx1201 --wave 64 | sed -n 3,20p
| shape          16 x 16 x 32  (A is m x k, B is k x n, C and D are m x n)
| stored k       0 to 15: half the values of each row of A are stored, in the order of k
| family         swmmac, A is 4:2 sparse
| encoding       VOP3P, opcode 0x50, 8 bytes
| cycles         16; AMD's matrix instruction calculator
| on             gfx1201
|
| operands
|   A        f16        16 bits   2 registers  v
|   B        f16        16 bits   4 registers  v
|   D        f32        32 bits   4 registers  v
|   index    index       4 bits   1 register   v
|   the above in waves of 64 lanes; in waves of 32: A 4, B 8, D 8, index 1 registers
|
| modifiers      neg_lo neg_hi index_key
|   neg_lo[0] negates the elements in bits 15:0 of A's registers, neg_hi[0] those in bits 31:16;
|   neg_lo[1] negates what is picked from B for the first of each pair of stored values, neg_hi[1] for
|   the second. index_key picks which of the index sets in the index register is used; how many there
$ lanewise info v_wmma_scale16_f32_32x16x128_f4 --arch gfx1250 | sed -n 3,19p
| shape          32 x 16 x 128  (A is m x k, B is k x n, C and D are m x n)
| family         wmma_scale, A and B are scaled
| encoding       VOP3PX2, opcode 0x88, 16 bytes
| cycles         nothing is published
| on             gfx1250
|
| operands
|   A        fp4         4 bits  16 registers  v
|   B        fp4         4 bits   8 registers  v
|   C        f32        32 bits  16 registers  v, or an inline constant
|   D        f32        32 bits  16 registers  v
|   scale_a  e8m0        8 bits   2 registers  v, s, or an inline constant
|   scale_b  e8m0        8 bits   2 registers  v, s, or an inline constant
|   tuples of registers begin at multiples of 2
|   a scale is for 16 k
|
| modifiers      matrix_a_scale matrix_b_scale matrix_a_scale_fmt matrix_b_scale_fmt matrix_a_reuse matrix_b_reuse neg_lo neg_hi
$ lanewise info v_mfma_f32_32x32x4bf16 --arch gfx90a | sed -n 1,14p
| v_mfma_f32_32x32x4bf16 on gfx90a, CDNA2 (Instinct MI200 series)
|
| shape          32 x 32 x 4  (A is m x k, B is k x n, C and D are m x n)
| family         mfma
| encoding       VOP3P-MAI, opcode 0x6c, 8 bytes
| passes         16 of four cycles
| on             gfx908 gfx90a
|
| operands
|   A        bf16       16 bits   1 register   v or a
|   B        bf16       16 bits   1 register   v or a
|   C        f32        32 bits  16 registers  v or a as D is, or an inline constant
|   D        f32        32 bits  16 registers  v or a as C is
|   tuples of registers begin at multiples of 2
$ lanewise info v_wmma_f64_16x16x4_f64 --arch gfx1250
! lanewise: info: v_wmma_f64_16x16x4_f64 is an instruction of gfx1251 only, gfx1250 does not have it; LLVM 22 does not know it, nothing public says how it rounds, and this version leaves it out
= 3
$ lanewise info v_wmma_f32_16x16x16_f16 --arch gfx1250
! lanewise: info: v_wmma_f32_16x16x16_f16: LLVM's assembler takes this spelling of an RDNA4 instruction for gfx1250, but its compiler never emits it there and AMD's public documents list no such instruction of gfx1250
= 3
# The rule says what a 16-bit accumulator, a NaN and MODE do, and only what holds on that chip.
$ lanewise info v_wmma_f16_16x16x16_f16 --arch gfx1100 | sed -n '/^arithmetic/,/^$/p'
| arithmetic     DOT2 in one's complement
|   acc = c; for each 2 consecutive k: both products and acc are cut at 2^g, g the larger of 24 below
|   the largest nominal product exponent and 26 below the largest leading bit; a term of acc's sign
|   counts m units, any other -m - 1, zeros included. A denormal f32 acc counts as zero. Rounded to
|   nearest even; denormal f32 results become +0. acc is f16: rounded to nearest even after every
|   step, denormals kept, its leading bit counting as 2^-14 at least. A NaN factor gives fe3d, then
|   Inf * 0 or infinities of both signs give fe00; a NaN in acc stays, made quiet. Under
|   MODE.FP16_OVFL a finite overflow gives the largest finite number.
|
$ lanewise info v_wmma_f32_16x16x16_fp8_bf8 --arch gfx1201 | sed -n '/^arithmetic/,/^$/p'
| arithmetic     DOT4 on one grid, two passes by groups of four k
|   acc = c; for each 4 consecutive k: the products are floored 24 bits below their largest nominal
|   exponent and added; the sum and acc are floored at the larger of that grid and 26 bits below acc's
|   leading bit, and added; a negative acc smaller than that grid counts 0 where the grid is above
|   2^-126 (f16: 2^-14). Rounded to nearest even; a zero is +0. This is done twice: for the products
|   with an even k/4, then, starting from that result, for those with an odd one. A NaN factor gives
|   ffc00a3d, then Inf * 0 or infinities of both signs give the same; a NaN in acc stays, made quiet.
|
$ lanewise info v_wmma_i32_16x16x16_iu8 --arch gfx1201 | sed -n '/^arithmetic/,/^$/p'
| arithmetic     integer sum
|   acc = c + sum of a[k]*b[k], exact, modulo 2^32.
|
$ lanewise info v_mfma_i32_16x16x32_i8 --arch gfx942 | sed -n '/^arithmetic/,/^$/p'
| arithmetic     integer sum
|   acc = c + sum of a[k]*b[k], exact, modulo 2^32. Under MODE.FP16_OVFL the exact total is limited to
|   the range of i32.
|
$ lanewise info v_mfma_f32_16x16x4f32 --arch gfx90a | sed -n '/^arithmetic/,/^$/p'
| arithmetic     FMA chain
|   acc = c; for k ascending: acc = fma(a[k], b[k], acc), IEEE binary32, to nearest even. Every NaN is
|   7fc00000. MODE's f32 denormal bits act.
|
$ lanewise info v_mfma_f32_16x16x4_f32 --arch gfx90a
! lanewise: info: gfx90a has no v_mfma_f32_16x16x4_f32; it is an instruction of gfx942 and gfx950; gfx90a calls it v_mfma_f32_16x16x4f32
= 2
# the evidence is that of the selected reading
$ lanewise info v_mfma_f32_16x16x32_f16 --arch gfx950 --reading doubled-k:tr16 | grep -A3 '^evidence'
| evidence
|   finite results     unknown
|                      Groups of 16 products on one grid; not measured.
|   subnormals         vendor
$ lanewise info v_mfma_f32_16x16x32_f16 --arch gfx950 --reading doubled-k:tr1
! lanewise: info: --reading: there is no reading "doubled-k:tr1"; the topic has doubled-k:tr8, doubled-k:gtr16, doubled-k:tr16
= 2
$ lanewise info mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --arch sm_80 --reading tiny-sum:none
! lanewise: info: --reading: there is no reading "tiny-sum:none"; the nearest are tiny-sums:none, tiny-sums:floor, int-clamp:once
= 2
