# Pictures of a layout.
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand A
| A of v_mfma_f32_16x16x16_f16 on gfx942: 16 x 16 f16, 2 registers of 64 lanes
| Rows are i, columns are k; a cell is lane:register.
| Evidence: vendor. Equal to AMD's matrix instruction calculator, element for element.
|
| i\k   0-1   2-3   4-5   6-7   8-9 10-11 12-13 14-15
|   0  0:v0  0:v1 16:v0 16:v1 32:v0 32:v1 48:v0 48:v1
|   1  1:v0  1:v1 17:v0 17:v1 33:v0 33:v1 49:v0 49:v1
|   2  2:v0  2:v1 18:v0 18:v1 34:v0 34:v1 50:v0 50:v1
|   3  3:v0  3:v1 19:v0 19:v1 35:v0 35:v1 51:v0 51:v1
|   4  4:v0  4:v1 20:v0 20:v1 36:v0 36:v1 52:v0 52:v1
|   5  5:v0  5:v1 21:v0 21:v1 37:v0 37:v1 53:v0 53:v1
|   6  6:v0  6:v1 22:v0 22:v1 38:v0 38:v1 54:v0 54:v1
|   7  7:v0  7:v1 23:v0 23:v1 39:v0 39:v1 55:v0 55:v1
|   8  8:v0  8:v1 24:v0 24:v1 40:v0 40:v1 56:v0 56:v1
|   9  9:v0  9:v1 25:v0 25:v1 41:v0 41:v1 57:v0 57:v1
|  10 10:v0 10:v1 26:v0 26:v1 42:v0 42:v1 58:v0 58:v1
|  11 11:v0 11:v1 27:v0 27:v1 43:v0 43:v1 59:v0 59:v1
|  12 12:v0 12:v1 28:v0 28:v1 44:v0 44:v1 60:v0 60:v1
|  13 13:v0 13:v1 29:v0 29:v1 45:v0 45:v1 61:v0 61:v1
|  14 14:v0 14:v1 30:v0 30:v1 46:v0 46:v1 62:v0 62:v1
|  15 15:v0 15:v1 31:v0 31:v1 47:v0 47:v1 63:v0 63:v1
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand d --format listing | head -4
| 0 0 0 31 0 0 0
| 1 0 0 31 0 0 1
| 2 0 0 31 0 0 2
| 3 0 0 31 0 0 3
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand D --format listing | wc -l
| 256
$ lanewise layout v_mfma_f32_4x4x4_16b_f16 --arch gfx942 --operand A --mod cbsz:2 --mod abid:1 --format csv | head -5
| lane,reg,lsb,msb,block,x,y
| 4,0,0,15,0,0,0
| 4,0,0,15,1,0,0
| 4,0,0,15,2,0,0
| 4,0,0,15,3,0,0
$ lanewise layout v_mfma_f32_4x4x4_16b_f16 --arch gfx942 --operand B --element 1,2 --block 3
| lane 14  register  0  bits 31:16  B[block 3][k=1][j=2]
$ lanewise layout v_smfmac_f32_16x16x32_f16 --arch gfx942 --operand index --format svg | head -c 80
| <svg xmlns="http://www.w3.org/2000/svg" width="720" height="793" viewBox="0 0 72 (no newline)
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand C --json --element 3,5
| {
|   "instruction": "v_mfma_f32_16x16x16_f16",
|   "arch": "gfx942",
|   "operand": "C",
|   "format": "f32",
|   "width": 32,
|   "wave": 64,
|   "registers": 4,
|   "blocks": 1,
|   "x": { "name": "i", "count": 16 },
|   "y": { "name": "j", "count": 16 },
|   "evidence": "vendor",
|   "note": "Equal to AMD's matrix instruction calculator, element for element.",
|   "open": null,
|   "relation": {
|     "pitch": 32,
|     "start": 0,
|     "origin": { },
|     "digits": [
|       { "radix": 4, "bit": 1, "row": 1 },
|       { "radix": 16, "lane": 1, "col": 1 },
|       { "radix": 4, "lane": 16, "row": 4 }
|     ],
|     "bases": [
|       { "bit": 1, "row": 1 },
|       { "bit": 2, "row": 2 },
|       { "lane": 1, "col": 1 },
|       { "lane": 2, "col": 2 },
|       { "lane": 4, "col": 4 },
|       { "lane": 8, "col": 8 },
|       { "lane": 16, "row": 4 },
|       { "lane": 32, "row": 8 }
|     ]
|   },
|   "entries": [
|     { "lane": 5, "reg": 3, "lsb": 0, "msb": 31, "block": 0, "x": 3, "y": 5 }
|   ]
| }

# Queries about places.
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand D --element 3,5
| lane  5  register  3  bits 31:0   D[i=3][j=5]
$ lanewise layout v_mfma_f32_32x32x8_f16 --arch gfx942 --operand B --lane 40 --reg 1
| lane 40  register  1  bits 15:0   B[k=6][j=8]
| lane 40  register  1  bits 31:16  B[k=7][j=8]
$ lanewise layout v_mfma_f64_16x16x4_f64 --arch gfx942 --operand A --lane 17
| lane 17  register  0  bits 63:0   A[i=1][k=1]
$ lanewise layout v_mfma_scale_f32_16x16x128_f8f6f4 --arch gfx950 --operand A --mod cbsz:fp6 --lane 3 --reg 1
| lane  3  register  0  bits 35:30  A[i=3][k=5]
| lane  3  register  1  bits  9:4   A[i=3][k=6]
| lane  3  register  1  bits 15:10  A[i=3][k=7]
| lane  3  register  1  bits 21:16  A[i=3][k=8]
| lane  3  register  1  bits 27:22  A[i=3][k=9]
| lane  3  register  1  bits 33:28  A[i=3][k=10]
$ lanewise layout v_mfma_scale_f32_16x16x128_f8f6f4 --arch gfx950 --operand scale_b --lane 20
| lane 20  register  0  bits  7:0   scale_b[j=4][k block=1]
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand D --element 3,5 --lane 0
| nothing: that place holds no element of the operand
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand D --register 2 --element 6,1
| lane 17  register  2  bits 31:0   D[i=6][j=1]
$ lanewise layout v_wmma_f32_16x16x16_f16 --arch gfx1100 --operand A --element 3,5
| lane  3  register  2  bits 31:16  A[i=3][k=5]
| lane 19  register  2  bits 31:16  A[i=3][k=5]
| Open: What the instruction computes from copies that differ is not specified. The natural guess is
| that each 16 lanes of D are computed from the copy in their own lanes.
$ lanewise layout v_wmma_f16_16x16x16_f16 --arch gfx1100 --operand D --wave 64 --mod op_sel:[0,0,1] --element 6,5
| lane 37  register  1  bits 31:16  D[i=6][j=5]
| Open: Whether D's other half keeps its bits: LLVM has forms that rely on it and forms that do not
| care; here it is kept.
$ lanewise layout v_swmmac_i32_16x16x32_iu8 --arch gfx1201 --operand index --wave 64 --mod index_key:3 --element 5,2
| lane 37  register  0  bits 27:24  index[i=5][group=2]
| Open: AMD requires the first position of a group to be less than the second; what the chip does
| otherwise is not specified.
$ lanewise layout v_wmma_scale16_f32_16x16x128_f8f6f4 --arch gfx1250 --operand scale_b --mod matrix_b_scale:MATRIX_SCALE_ROW1 --element 5,6
| lane 21  register  1  bits 23:16  scale_b[j=5][k block=6]
$ lanewise layout v_swmmac_i32_16x16x32_iu8 --arch gfx1201 --operand index --mod index_key:3
! lanewise: layout: --mod: v_swmmac_i32_16x16x32_iu8: index_key:3, but in waves of 32 lanes the index register holds sets 0..1
= 3

# A program for the hardware.
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --probe | grep asm
|     asm volatile("s_nop 15\n s_nop 15\n v_mfma_f32_16x16x16_f16 %0, %1, %2, %3\n s_nop 15\n s_nop 15\n"
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --probe --operand A
! lanewise: layout: --probe writes a program for all operands and takes no --operand
= 2

# Queries that are refused.
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942
! lanewise: layout: which operand? Say --operand, one of A, B, C, D
= 2
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand E
! lanewise: layout: --operand E: v_mfma_f32_16x16x16_f16 has A, B, C, D
= 2
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand index
! lanewise: layout: --operand index: v_mfma_f32_16x16x16_f16 has A, B, C, D
= 2
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand A --format png
! lanewise: layout: --format png: must be one of grid, listing, csv, json, svg, table, formula, cute, triton, gluon, iree, tirx, ck, calculator, latex
= 2
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand A --format csv --json
| {
|   "error": "--json and --format csv contradict each other",
|   "status": 2
| }
! lanewise: layout: --json and --format csv contradict each other
= 2
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand A --lane 64
! lanewise: layout: operand A of v_mfma_f32_16x16x16_f16 has lane 0 to 63, not 64
= 2
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand A --lane x
! lanewise: layout: --lane x: not a number
= 2
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand A --element 16,0
! lanewise: layout: operand A of v_mfma_f32_16x16x16_f16 has i 0 to 15, not 16
= 2
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand A --element 1
! lanewise: layout: --element 1: needs two numbers, ROW,COL as in --element 3,5
= 2
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand A --reg 2
! lanewise: layout: operand A of v_mfma_f32_16x16x16_f16 has register 0 to 1, not 2
= 2
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand A --wave 16
! lanewise: layout: --wave 16: must be 32 or 64
= 2
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand A --wave 32
! lanewise: layout: v_mfma_f32_16x16x16_f16 runs in waves of 64 lanes only, not 32
= 2
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand A --mod cbsz:1
! lanewise: layout: --mod: v_mfma_f32_16x16x16_f16: cbsz assembles but has no documented meaning here; the reading cbsz:ignored runs it
= 3
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand A --mod nonsense:1
! lanewise: layout: --mod: no modifier is called "nonsense"; v_mfma_f32_16x16x16_f16 takes: cbsz abid blgp
= 2
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand A --format svg >/dev/full
! lanewise: cannot write to standard output: write error
= 2
# A sparse A: half of the values of a row are stored. k is their number, called "stored k", unless an index is
# given.
$ lanewise layout v_smfmac_f32_16x16x32_f16 --arch gfx942 --operand A | sed -n '1,2p;5,6p'
| A of v_smfmac_f32_16x16x32_f16 on gfx942: 16 x 16 f16, 2 registers of 64 lanes
| Rows are i, columns are stored k; a cell is lane:register.
| i\stored k   0-1   2-3   4-5   6-7   8-9 10-11 12-13 14-15
|          0  0:v0  0:v1 16:v0 16:v1 32:v0 32:v1 48:v0 48:v1
$ lanewise layout v_smfmac_f32_16x16x32_f16 --arch gfx942 --operand A --element 3,9
| lane 35  register  0  bits 31:16  A[i=3][stored k=9]
$ lanewise layout v_smfmac_f32_16x16x32_f16 --arch gfx942 --operand A --element 3,22
! lanewise: layout: operand A of v_smfmac_f32_16x16x32_f16 has stored k 0 to 15, not 22; k of the dense matrix is known with index data only
= 2
$ lanewise layout v_smfmac_f32_16x16x32_f16 --arch gfx942 --operand A --json | grep '"y": {'
|   "y": { "name": "stored k", "count": 16 },
$ lanewise layout v_smfmac_f32_16x16x32_f16 --arch gfx942 --operand A --index 0xe4e4e4e4 --element 3,22
| lane 35  register  1  bits 15:0   A[i=3][k=22], stored k 10
$ lanewise layout v_smfmac_f32_16x16x32_f16 --arch gfx942 --operand A --index 0xe4e4e4e4 --element 3,21
| nothing: by the index no value of that k is stored there
$ lanewise layout v_smfmac_f32_16x16x32_f16 --arch gfx942 --operand A --index 0xe4e4e4e4 --lane 35
| lane 35  register  0  bits 15:0   A[i=3][k=16], stored k 8
| lane 35  register  0  bits 31:16  A[i=3][k=17], stored k 9
| lane 35  register  1  bits 15:0   A[i=3][k=22], stored k 10
| lane 35  register  1  bits 31:16  A[i=3][k=23], stored k 11
$ lanewise layout v_smfmac_f32_16x16x32_f16 --arch gfx942 --operand A --index 0xe4e4e4e4 --element 3,22 --format listing
| 35 1 0 15 0 3 22
$ lanewise layout v_smfmac_f32_16x16x32_f16 --arch gfx942 --operand A --index 0xe4e4e4e4 --element 3,22 --json | grep -A1 -e '"y": {' -e entries
|   "y": { "name": "k", "count": 32 },
|   "evidence": "vendor",
| --
|   "entries": [
|     { "lane": 35, "reg": 1, "lsb": 0, "msb": 15, "block": 0, "x": 3, "y": 22, "stored_k": 10 }
$ lanewise layout v_smfmac_f32_16x16x32_f16 --arch gfx942 --operand A --index 0x1 --element 3,1
| lane  3  register  0  bits 15:0   A[i=3][k=1], stored k 0
| Open: AMD requires the first position of a group to be less than the second. A group of this index
| is not so: its positions are shown as they are, but what the chip does is not specified.
$ lanewise layout v_smfmac_f32_16x16x32_f16 --arch gfx942 --operand A --index 0x100000000
! lanewise: layout: --index 0x100000000: the index has one register of 32 bits
= 2
$ lanewise layout v_smfmac_f32_16x16x32_f16 --arch gfx942 --operand A --index nowhere.npy
! lanewise: layout: --index: nowhere.npy: No such file or directory
= 2
$ make_npy a.npy "<f2" "(2,)" "003c 0000"; lanewise layout v_smfmac_f32_16x16x32_f16 --arch gfx942 --operand A --index a.npy
! lanewise: layout: --index a.npy: needs uint8, 16 x 8 (rows x groups), or uint32, 1 x 64 (registers x lanes)
= 2
$ lanewise layout v_smfmac_f32_16x16x32_f16 --arch gfx942 --operand B --index 4
! lanewise: layout: --index is for operand A of a sparse instruction
= 2
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand A --index 4
! lanewise: layout: --index is for operand A of a sparse instruction; there is none in v_mfma_f32_16x16x16_f16
= 2
$ lanewise layout v_smfmac_f32_16x16x32_f16 --arch gfx942 --probe --index 4
! lanewise: layout: --probe writes a program for all operands and takes no --index
= 2
$ lanewise layout mma.sp.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 --arch sm_80 --operand A --index 0x44444444 | tail -n +5 | head -3
| i\k     0     1     2     3     4     5     6     7
|   0  0:v0        1:v0        2:v0        3:v0
|   1  4:v0        5:v0        6:v0        7:v0
$ lanewise layout mma.sp.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 --arch sm_80 --operand A --index 0
! lanewise: layout: --index: mma.sp.m16n8k8.f32.tf32.tf32.f32: the metadata of row 0, chunk 0 is 0x0, which the PTX ISA leaves undefined; 0x4 and 0xe are defined
= 3
# The index as eval takes it, or as its registers: row 3 keeps k 22 and 23 of group 5, all other groups their
# first two.
$ make_npy index.npy '|u1' '(16, 8)' "$(repeat 29 04) 0e $(repeat 98 04)"; make_npy regs.npy '<u4' '(1, 64)' "$(repeat 35 44000000) e4000000 $(repeat 28 44000000)"
$ lanewise layout v_smfmac_f32_16x16x32_f16 --arch gfx942 --operand A --index index.npy --element 3,22
| lane 35  register  1  bits 15:0   A[i=3][k=22], stored k 10
$ lanewise layout v_smfmac_f32_16x16x32_f16 --arch gfx942 --operand A --index regs.npy --element 3,22
| lane 35  register  1  bits 15:0   A[i=3][k=22], stored k 10
$ for form in index regs; do lanewise layout v_smfmac_f32_16x16x32_f16 --arch gfx942 --operand A --index $form.npy --format listing | md5sum; done | uniq | wc -l
| 1
$ make_npy five.npy '|u1' '(16, 8)' "$(repeat 29 04) 1e $(repeat 98 04)"; lanewise layout v_smfmac_f32_16x16x32_f16 --arch gfx942 --operand A --index five.npy
! lanewise: layout: --index five.npy: element 29 is 30; a group's four bits are 0 to 15
= 2
$ make_npy one.npy '|u1' '()' 04; lanewise layout v_smfmac_f32_16x16x32_f16 --arch gfx942 --operand A --index one.npy
! lanewise: layout: --index one.npy: it holds one number
= 2
# modifiers that no document describes need a reading, as a modifier or as an option; the last of several
# counts
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand B --mod blgp:1 --reading blgp:pattern --element 0,0 >one.txt
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand B --mod 'blgp:1 reading:blgp:pattern' --element 0,0 | cmp - one.txt
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand B --mod 'blgp:1 assume:blgp-pattern' --element 0,0 | cmp - one.txt
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand B --mod blgp:1 --reading blgp:ignored --reading blgp=pattern --element 0,0 | cmp - one.txt
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand B --mod blgp:1 --reading blgp:pattern --reading blgp:refused
! lanewise: layout: --mod: v_mfma_f32_16x16x16_f16: blgp assembles but has no documented meaning here; the reading blgp:ignored runs it, and so does blgp:pattern
= 3
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand B --mod blgp:1 --reading doubled-k:tr16
! lanewise: layout: --mod: v_mfma_f32_16x16x16_f16: blgp assembles but has no documented meaning here; the reading blgp:ignored runs it, and so does blgp:pattern
= 3
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand B --reading blpg:pattern
! lanewise: layout: --reading: there is no reading "blpg:pattern"; the nearest are blgp:pattern, blgp:refused, blgp:ignored
= 2
$ lanewise layout mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --arch sm_80 --operand B --reading cbsz:ignored --element 0,0
| lane  0  register  0  bits 15:0   B[k=0][j=0]
$ lanewise layout mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --arch sm_80 --operand B --reading cbsz --element 0,0
! lanewise: layout: --reading: there is no reading "cbsz"; the topic has cbsz:refused, cbsz:ignored
= 2
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand D --format cute
| ((16,4),4):((16,4),1)
$ lanewise layout v_wmma_f16_16x16x16_f16 --arch gfx1100 --operand all --format formula
| A:
| i = l%16, k = v
| B:
| k = v, j = l%16
| C:
| i = 2*v+l/16, j = l%16
| // values of 16 bits, 32 bits apart, the first at bit 0
| D:
| i = 2*v+l/16, j = l%16
| // values of 16 bits, 32 bits apart, the first at bit 0
$ lanewise layout v_mfma_f32_4x4x4_16b_f16 --arch gfx942 --operand A --mod cbsz:2 --format triton
! lanewise: layout: Triton: a place serves several elements (CBSZ), so the element is not a function of lane and value
= 1
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand A --format ck --lane 3
! lanewise: layout: ck shows the whole operand: it takes no lane, register, block or element
= 2
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand all --lane 17 --register 1
| lane 17  register  1  bits 15:0   A[i=1][k=6]
| lane 17  register  1  bits 31:16  A[i=1][k=7]
| lane 17  register  1  bits 15:0   B[k=6][j=1]
| lane 17  register  1  bits 31:16  B[k=7][j=1]
| lane 17  register  1  bits 31:0   C[i=5][j=1]
| lane 17  register  1  bits 31:0   D[i=5][j=1]
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand all --json
| {
|   "error": "--operand all cannot be combined with --json, --index, --element, --check, --banks and --next",
|   "status": 2
| }
! lanewise: layout: --operand all cannot be combined with --json, --index, --element, --check, --banks and --next
= 2
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand D --check '((16,4),4):((16,4),1)'
| D: CuTe: equal: all 256 places
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand D --check '((16,4),4):((1,64),16)'
| D: CuTe: transposed: equal with i and j exchanged
= 1
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand D --check '((16,4),4):((1,64),'
! lanewise: layout: --check: column 20: a number is expected here
= 2
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand D --check @/nowhere
! lanewise: layout: cannot open /nowhere: No such file or directory
= 2
$ lanewise layout v_wmma_f32_16x16x16_f16 --arch gfx1201 --check-a 'i = l%16, k = 8*(l/16)+v' --check-b '((16,2),(4,2)):((1,64),(16,128))'
| A: lane arithmetic: equal up to a renaming of k: 4 is called 8, 5 is called 9, 6 is called 10, 7 is called 11, 8 is called 4, 9 is called 5, 10 is called 6, 11 is called 7, ...
| Harmless if and only if A and B rename k alike.
| B: CuTe: equal: all 256 places
| A and B have different k in the same places: the product is different
= 1
$ lanewise layout v_wmma_f32_16x16x16_f16 --arch gfx1201 --check-a 'i = l%16, k = 8*(l/16)+v'
! lanewise: layout: --check-a and --check-b go together
= 2
$ lanewise layout v_mfma_f32_4x4x4_16b_f16 --arch gfx942 --operand D --check 'b = l/4, i = v, j = l%4+v/3'
| D: lane arithmetic: different: 192 of 256 places agree
| lane 0 v 3: yours D[b=0][i=3][j=1], instruction D[b=0][i=3][j=0]
| lane 1 v 3: yours D[b=0][i=3][j=2], instruction D[b=0][i=3][j=1]
| lane 2 v 3: yours D[b=0][i=3][j=3], instruction D[b=0][i=3][j=2]
| lane 3 v 3: yours D[b=0][i=3][j=4], instruction D[b=0][i=3][j=3]
| and 60 more
| i by j, X where yours is wrong:
| block 0
| ....
| ....
| ....
| XXXX
| block 1
| ....
| ....
| ....
| XXXX
| block 2
| ....
| ....
| ....
| XXXX
| block 3
| ....
| ....
| ....
| XXXX
| block 4
| ....
| ....
| ....
| XXXX
| block 5
| ....
| ....
| ....
| XXXX
| block 6
| ....
| ....
| ....
| XXXX
| block 7
| ....
| ....
| ....
| XXXX
| block 8
| ....
| ....
| ....
| XXXX
| block 9
| ....
| ....
| ....
| XXXX
| block 10
| ....
| ....
| ....
| XXXX
| block 11
| ....
| ....
| ....
| XXXX
| block 12
| ....
| ....
| ....
| XXXX
| block 13
| ....
| ....
| ....
| XXXX
| block 14
| ....
| ....
| ....
| XXXX
| block 15
| ....
| ....
| ....
| XXXX
= 1
# Bank conflicts of loading an operand from a tile.
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand A --banks b64
| reads of 64 bits on gfx942: 32 banks, 64 lanes in 4 phases. Evidence: measured, latency probes of an MI300X (nod-ai/amd-shark-ai).
| tile: 16 x 16 f16, rows, 512 bytes
| 1 operand of 1 access: 16 turns instead of 4, up to 4-way conflicts
| cheapest swizzle, of bytes: Swizzle<2,3,4>: no conflicts
| smallest padding: 8 bytes per row: no conflicts
| in other notations (elements):
| Sw<2,2,4> o 0 o (16,16):(16,1)
| #ttg.swizzled_shared<{vec = 4, perPhase = 4, maxPhase = 4, order = [1, 0]}>
| #iree_codegen.xor_shuffle<16, 4, 64>
| (16,16):(20,1)
| #ttg.padded_shared<[16:+4] {order = [1, 0], shape = [16, 16]}>
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand A --banks b64 --tile 'Sw<2,2,4> o 0 o (16,16):(16,1)' | sed -n 2,3p
| tile: 16 x 16 f16, CuTe, 512 bytes
| 1 operand of 1 access: no conflicts
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand A --banks b128
! lanewise: layout: the 4 values of 16 bits of a lane are not a whole number of accesses of 128 bits; the widest access that is possible has 64 bits
= 1
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand A --banks 64
! lanewise: layout: --banks 64: must be b8, b16, b32, b64, b96 or b128 for reads of each lane, with write: in front for writes, or ldmatrix
= 2
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand A --banks b64 --shape 16
! lanewise: layout: --shape 16: needs rows and columns, as in --shape 64x128
= 2
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand A --banks b64 --tile '(16,16:(16,1)'
! lanewise: layout: --tile: column 7: ',' or a closing bracket is expected here
= 2
# Without an instruction, and from operand to operand.
$ lanewise layout --convert '((16,4),4):((1,64),16)' --operand A --shape 16x16 --to iree
| outer = {1, 1} thread = {16, 4} tstrides = {1, 16} element = {1, 4}
$ lanewise layout --convert '((16,4),4):((1,64),16)' --operand A --shape 16x16 --to listing | head -3
| 0 0 0 0
| 0 1 0 1
| 0 2 0 2
$ lanewise layout --convert '((16,4),4):((1,64),16)' --operand A --shape 16x16 --to svg | tail -1
| </svg>
$ lanewise layout --convert '((16,4),4):((1,64),16)' --to cute
! lanewise: layout: --convert needs --shape, as in --shape 16x16
= 2
$ lanewise layout --convert '((16,4),4):((1,64),16' --operand A --shape 16x16 --to cute
! lanewise: layout: --convert: column 22: ',' or a closing bracket is expected here
= 2
$ lanewise layout --tile '(64,64):(72,1)' --to triton
! lanewise: layout: Triton: the tile is not linear in bits: it has padding, or an extent that is not a power of two
= 1
$ lanewise layout --tile '(4,4):(4,1)' --to listing --width 8 | tail -1
| 3 3 120
$ lanewise layout --algebra 'compose(6:1, (2:1)'
! lanewise: layout: --algebra: column 16: ',' or a closing bracket is expected here
= 2
$ lanewise layout v_mfma_f32_32x32x8_f16 --arch gfx942 --operand D --next B
| D of 32 x 32 is 4 times B of 8 x 32
| no lanes exchange values: each lane has its values of B in D already, 768 of 1024 in another place
$ lanewise layout v_mfma_f32_16x16x4f32 --arch gfx90a --operand D --next 'v_mfma_f32_16x16x4f32 blgp:3:B' | sed -n 2,4p
| lanes must exchange: 192 of 256 values of B come from another lane's D
| lane 0 v 0 comes from lane 0 v 3
| lane 1 v 0 comes from lane 1 v 3
$ lanewise layout v_mfma_f32_16x16x4f32 --arch gfx90a --operand D --next 'v_mfma_f32_16x16x4f32 blgp:9:B'
! lanewise: layout: --next: blgp takes a number from 0 to 7, not "9"
= 2
$ lanewise layout v_wmma_f32_16x16x16_f16 --arch gfx1100 --wave 64 --operand D --next v_wmma_f16_16x16x16_f16:C
| no lanes exchange values: D is C as it is
$ lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand D --next index
! lanewise: layout: --next index: must be A, B or C, or INSN:A
= 2
$ lanewise layout --guess 'i = l%16, k = 8*(l/16)+v' --arch gfx942 | cut -c-60
| equal        gfx942, waves of 64, A of v_mfma_f32_16x16x32_b
$ lanewise layout --guess 'i = 0, k = 0' --arch gfx942
| it fits no operand
= 1
$ lanewise layout --guess '((16,4),4):((1,64),16' --arch gfx942
! lanewise: layout: --guess: column 22: ',' or a closing bracket is expected here
= 2
# --check, --next and --guess in JSON; a warpgroup's operand has more lanes than an access.
$ lanewise layout v_mfma_f32_4x4x4_16b_f16 --arch gfx942 --operand D --json --check 'i = v, j = l%4, block = l/4' | head -6
| {
|   "operand": "D",
|   "notation": "lane arithmetic",
|   "verdict": "equal",
|   "places": 256,
|   "wrong": 0,
$ lanewise layout v_mfma_f32_32x32x8_f16 --arch gfx942 --operand D --next B --json | head -10
| {
|   "from": "v_mfma_f32_32x32x8_f16",
|   "from_operand": "D",
|   "to": "v_mfma_f32_32x32x8_f16",
|   "to_operand": "B",
|   "pieces": 4,
|   "values": 1024,
|   "from_other_lanes": 0,
|   "from_other_places": 768,
|   "moves": [
$ lanewise layout --guess 'i = 0, k = 0' --arch gfx942 --json
| {
|   "fits": []
| }
= 1
$ lanewise layout v_wmma_f32_16x16x16_f16 --arch gfx1201 --check-a 'i = l%16, k = 8*(l/16)+v' --check-b 'j = l%16, k = 8*(l/16)+v' --json | tail -3
|   ],
|   "same_product": true
| }
$ lanewise layout v_wmma_f32_16x16x16_f16 --arch gfx1201 --check-a 'i = l%16, k = 8*(l/16)+v' --check-b 'j = ' --json
| {
|   "error": "--check-b: column 5: a number is expected here",
|   "status": 2
| }
! lanewise: layout: --check-b: column 5: a number is expected here
= 2
$ lanewise layout wgmma.m64n8k16.f16.f16.f16 --arch sm_90 --operand A --banks b32
! lanewise: layout: the operand is in the 128 lanes of a warpgroup; accesses are those of one warp
= 1
