# A has rows 1 2 1 2 ..., B has columns 0.5 3 0.5 3 ...: D is 12 in even columns, 72 in odd ones.
$ make_npy a.npy '<f2' '(16, 16)' "$(repeat 128 003c0040)"
$ make_npy b.npy '<f2' '(16, 16)' "$(repeat 128 00380042)"
$ lanewise eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b b.npy | head -3
| 12 72 12 72 12 72 12 72 12 72 12 72 12 72 12 72
| 12 72 12 72 12 72 12 72 12 72 12 72 12 72 12 72
| 12 72 12 72 12 72 12 72 12 72 12 72 12 72 12 72
$ lanewise eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b b.npy -o d.npy | head -1
| wrote d.npy
$ show_npy d.npy | head -3
| {'descr': '<f4', 'shape': (16, 16), }
|  00 00 40 41 00 00 90 42 00 00 40 41 00 00 90 42
|  00 00 40 41 00 00 90 42 00 00 40 41 00 00 90 42
$ lanewise eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b b.npy --c d.npy --explain 3,5 | head -12
| D[3,5]
|   C = 72 (0x42900000)
|       k               A               B               product   exp           units  of
|       0               1               3                     3     1        12582912  2^-22
|       1               2               3                     6     2        25165824  2^-22
|       2               1               3                     3     1        12582912  2^-22
|       3               2               3                     6     2        25165824  2^-22
|       4               1               3                     3     1        12582912  2^-22
|       5               2               3                     6     2        25165824  2^-22
|       6               1               3                     3     1        12582912  2^-22
|       7               2               3                     6     2        25165824  2^-22
|     sum of products on the grid 2^-22: 36
$ lanewise eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b b.npy --c d.npy --explain 3,5 --json | sed -n '1,8p'
| {
|   "explain": [
|     {
|       "kind": "input",
|       "group": 0,
|       "k": -1,
|       "bits": "0x42900000",
|       "text": "C = 72 (0x42900000)"

# Codes are numbers of their width.
$ make_npy a16.npy '<u2' '(1, 16, 16)' "$(repeat 128 003c0040)"
$ lanewise eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a16.npy --b b.npy --expect d.npy | head -1
| expect d.npy: all 256 elements equal, bit for bit

# Comparing.
$ make_npy e.npy '<f4' '(16, 16)' "$(repeat 127 0000404100009042)0100404100009042"
$ lanewise eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b b.npy --expect e.npy
| expect e.npy: 1 of 256 elements differ; the largest difference is 1 ulp
|   [15,14] is 0x41400000 (12), expected 0x41400001 (12.000001), 1 ulp
|   explained: every difference is one ulp; another rounding, or another order of k, can be the cause
| evidence, finite results: measured (arXiv 2511.10909: about a million random and adversarial cases compared with an MI300X bit for bit)
= 1
$ lanewise eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b b.npy --expect e.npy --ulp 1 | head -1
| expect e.npy: 1 of 256 elements differ, 0 of them by more than allowed; the largest difference is 1 ulp
$ lanewise eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b b.npy --expect e.npy --ulp 1 >/dev/null
$ lanewise eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b b.npy --expect e.npy --rtol 1e-9 >/dev/null
= 1
$ lanewise eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b b.npy --expect e.npy --json
| {
|   "format": "f32",
|   "shape": [16, 16],
|   "d": ["0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000", "0x41400000", "0x42900000"],
|   "output": null,
|   "expect": [
|     {
|       "file": "e.npy",
|       "equal": false,
|       "accepted": false,
|       "elements": 256,
|       "differ": 1,
|       "outside": 1,
|       "largest_ulp": 1,
|       "explained": "every difference is one ulp; another rounding, or another order of k, can be the cause",
|       "samples": [
|         {
|           "element": 254,
|           "got": "0x41400000",
|           "expected": "0x41400001"
|         }
|       ]
|     }
|   ],
|   "weakest": "measured",
|   "evidence": [
|     {
|       "aspect": "finite results",
|       "label": "measured",
|       "source": "arXiv 2511.10909: about a million random and adversarial cases compared with an MI300X bit for bit"
|     }
|   ],
|   "open": [],
|   "readings": [],
|   "status": 1
| }
= 1
$ lanewise eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b b.npy --expect a.npy
! lanewise: eval: --expect a.npy: it holds float16 16x16, but the result is float32 16x16
= 2

# Scales and 4-bit codes: 0x02 is 1, 0x07 is 6, 0x0a is -1, 0x03 is 1.5.
$ make_npy a4.npy '|u1' '(16, 128)' "$(repeat 1024 0207)"
$ make_npy b4.npy '|u1' '(128, 16)' "$(repeat 1024 0a03)"
$ make_npy s2.npy '|u1' '(16, 4)' "$(repeat 64 80)"
$ lanewise eval v_mfma_scale_f32_16x16x128_f8f6f4 --arch gfx950 --a a4.npy --b b4.npy --scale-a s2.npy --mod cbsz:fp4 --mod blgp:fp4 | head -1
| -896 1344 -896 1344 -896 1344 -896 1344 -896 1344 -896 1344 -896 1344 -896 1344
$ lanewise eval v_mfma_scale_f32_16x16x128_f8f6f4 --arch gfx950 --a a4.npy --b b4.npy --scale-a s2.npy --mod 'cbsz:4 blgp:4' --numerics f8f6f4-group:tr32 | head -1
| -896 1344 -896 1344 -896 1344 -896 1344 -896 1344 -896 1344 -896 1344 -896 1344

# What is refused, before anything is computed or written.
$ lanewise eval v_mfma_f32_16x16x16_f16 --arch gfx942
! lanewise: eval: needs --a FILE.npy: 16 x 16 elements of f16
= 2
$ lanewise eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy
! lanewise: eval: needs --b FILE.npy: 16 x 16 elements of f16
= 2
$ lanewise eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b absent.npy -o x.npy
! lanewise: eval: --b: absent.npy: No such file or directory
= 2
$ lanewise eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b d.npy -o x.npy
! lanewise: eval: --b d.npy: it holds float32, but the elements are f16: needs float16, or its codes as uint16
= 2
$ lanewise eval v_mfma_f32_16x16x16_bf16 --arch gfx942 --a a.npy --b b.npy -o x.npy
! lanewise: eval: --a a.npy: it holds float16, but the elements are bf16: needs uint16 codes
= 2
$ lanewise eval v_mfma_f32_32x32x8_f16 --arch gfx942 --a a.npy --b b.npy -o x.npy
! lanewise: eval: --a a.npy: its shape is 16x16, the instruction needs 32x8
= 2
$ lanewise eval v_mfma_f32_4x4x4_16b_f16 --arch gfx942 --a a.npy --b b.npy -o x.npy
! lanewise: eval: --a a.npy: its shape is 16x16, the instruction needs 16x4x4
= 2
$ lanewise eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b b.npy --index a.npy -o x.npy
! lanewise: eval: --index: v_mfma_f32_16x16x16_f16 has no such operand
= 2
$ lanewise eval v_smfmac_f32_16x16x32_f16 --arch gfx942 --a a.npy --b b.npy -o x.npy
! lanewise: eval: --b b.npy: its shape is 16x16, the instruction needs 32x16
= 2
$ lanewise eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b b.npy --explain 16,0 -o x.npy
! lanewise: eval: --explain 16,0: D has rows 0 to 15, columns 0 to 15 and blocks 0 to 0
= 2
$ lanewise eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b b.npy --explain 1 -o x.npy
! lanewise: eval: --explain 1: needs ROW,COL or ROW,COL,BLOCK as in --explain 3,5
= 2
$ lanewise eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b b.npy --mode flush -o x.npy
! lanewise: eval: --mode flush: must be fp16_ovfl, f32_flush_in or f32_flush_out
= 2
$ lanewise eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b b.npy --numerics doubled-k:none -o x.npy
! lanewise: eval: --numerics: there is no reading "doubled-k:none"; the topic has doubled-k:tr8, doubled-k:gtr16, doubled-k:tr16
= 2
$ lanewise eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b b.npy --numerics nothing -o x.npy
! lanewise: eval: --numerics: there is no reading "nothing"; the nearest are neg:ignored, cbsz:ignored, blgp:ignored
= 2
$ lanewise eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b b.npy --ulp 1 -o x.npy
! lanewise: eval: --ulp has no effect without --expect
= 2
$ lanewise eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b b.npy --expect d.npy --ulp -1 -o x.npy
! lanewise: eval: --ulp -1: needs a whole number from 0 up
= 2
$ lanewise eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b b.npy --expect d.npy --rtol nan -o x.npy
! lanewise: eval: --rtol nan: needs a number from 0 up, such as 1e-3
= 2
$ lanewise eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b b.npy -o absent/x.npy
! lanewise: eval: cannot write absent/x.npy: folder absent: No such file or directory
= 2
$ lanewise eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b b.npy -o .
! lanewise: eval: cannot write .: it is a folder
= 2
$ lanewise eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b b.npy -o /dev/full
! lanewise: eval: cannot write /dev/full: No space left on device
= 2
$ ls
| a.npy
| a16.npy
| a4.npy
| b.npy
| b4.npy
| d.npy
| e.npy
| s2.npy
# xf32 is f32 in registers; the unused bits are not shown.
$ make_npy x.npy '<f4' '(16, 8)' "$(repeat 128 ff1f803f)"
$ make_npy y.npy '<f4' '(8, 16)' "$(repeat 128 0000803f)"
$ lanewise eval v_mfma_f32_16x16x8_xf32 --arch gfx942 --a x.npy --b y.npy --explain 1,2 | head -7
| D[1,2]
|   C = 0 (0x00000000)
|       k               A               B               product   exp           units  of   (10 fraction bits of A and B take part)
|       0               1               1                     1     0        16777216  2^-24
|       1               1               1                     1     0        16777216  2^-24
|       2               1               1                     1     0        16777216  2^-24
|       3               1               1                     1     0        16777216  2^-24

# A sparse A: rows 0 to 3 of each group of B hold 1, 2, 0.5, 3; its values 1 2 take the first two of them, or the last two.
$ make_npy b32.npy '<f2' '(32, 16)' "$(repeat 8 "$(repeat 16 003c)$(repeat 16 0040)$(repeat 16 0038)$(repeat 16 0042)")"
$ make_npy first.npy '|u1' '(16, 8)' "$(repeat 128 04)"
$ make_npy last.npy '|u1' '(16, 8)' "$(repeat 128 0e)"
$ make_npy five.npy '|u1' '(16, 8)' "$(repeat 9 04)$(repeat 119 1e)"
$ lanewise eval v_smfmac_f32_16x16x32_f16 --arch gfx942 --a a.npy --b b32.npy --index first.npy | head -1
| 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40
$ lanewise eval v_smfmac_f32_16x16x32_f16 --arch gfx942 --a a.npy --b b32.npy --index last.npy | head -1
| 52 52 52 52 52 52 52 52 52 52 52 52 52 52 52 52
$ lanewise eval v_smfmac_f32_16x16x32_f16 --arch gfx942 --a a.npy --b b32.npy --index five.npy
! lanewise: eval: --index five.npy: element 9 is 30; a group's four bits are 0 to 15
= 2

# Scales: 128 products of 1, times 2 of the columns, times 4 of the rows.
$ make_npy ones.npy '|u1' '(16, 128)' "$(repeat 2048 38)"
$ make_npy onesb.npy '|u1' '(128, 16)' "$(repeat 2048 38)"
$ make_npy two.npy '|u1' '(16, 4)' "$(repeat 64 80)"
$ make_npy four.npy '|u1' '(16, 4)' "$(repeat 64 81)"
$ lanewise eval v_mfma_scale_f32_16x16x128_f8f6f4 --arch gfx950 --a ones.npy --b onesb.npy --scale-b two.npy | head -1
| 256 256 256 256 256 256 256 256 256 256 256 256 256 256 256 256
$ lanewise eval v_mfma_scale_f32_16x16x128_f8f6f4 --arch gfx950 --a ones.npy --b onesb.npy --scale-a four.npy --scale-b two.npy | head -1
| 1024 1024 1024 1024 1024 1024 1024 1024 1024 1024 1024 1024 1024 1024 1024 1024

# Shapes count, not only numbers of elements.
$ make_npy twice.npy '<f2' '(2, 16, 16)' "$(repeat 512 003c)"
$ lanewise eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a twice.npy --b b.npy
! lanewise: eval: --a twice.npy: its shape is 2x16x16, the instruction needs 16x16
= 2
$ make_npy deep.npy '<f4' '(16, 16, 1)' "$(repeat 256 00000000)"
$ lanewise eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b b.npy --expect deep.npy
! lanewise: eval: --expect deep.npy: it holds float32 16x16x1, but the result is float32 16x16
= 2
# The readings that decide the numbers are named.
$ make_npy p.npy '<f2' '(16, 32)' "$(repeat 512 003c)"
$ make_npy q.npy '<f2' '(32, 16)' "$(repeat 512 003c)"
$ lanewise eval v_mfma_f32_16x16x32_f16 --arch gfx950 --a p.npy --b q.npy -o r.npy | tail -1
| reading: doubled-k:tr8 (the default)
$ lanewise eval v_mfma_f32_16x16x32_f16 --arch gfx950 --a p.npy --b q.npy -o r.npy --numerics doubled-k:gtr16 | tail -1
| reading: doubled-k:gtr16
# A sparse A's products are listed by stored k and by k; a wrong shape is reported in stored k.
$ make_npy a.npy '<f2' '(16, 16)' "$(repeat 256 003c)"; make_npy b32.npy '<f2' '(32, 16)' "$(repeat 512 0040)"; make_npy i.npy '|u1' '(16, 8)' "$(repeat 64 04) $(repeat 64 0d)"
$ lanewise eval v_smfmac_f32_16x16x32_f16 --arch gfx942 --a a.npy --b b32.npy --index i.npy --explain 8,0 | sed -n 1,7p
| D[8,0]
|   C = 0 (0x00000000)
|     stored k     k               A               B               product   exp           units  of
|            0     1               1               2                     2     1        16777216  2^-23
|            1     3               1               2                     2     1        16777216  2^-23
|            2     5               1               2                     2     1        16777216  2^-23
|            3     7               1               2                     2     1        16777216  2^-23
$ lanewise eval v_smfmac_f32_16x16x32_f16 --arch gfx942 --a a.npy --b b32.npy --index i.npy --explain 8,0 --json | sed -n '/"k": 7/,+5p'
|       "k": 7,
|       "stored_k": 3,
|       "bits": "0x400000003c00",
|       "text": "         3     7               1               2                     2     1        16777216  2^-23"
|     },
|     {
$ lanewise eval v_smfmac_f32_16x16x32_f16 --arch gfx942 --a b32.npy --b b32.npy --index i.npy
! lanewise: eval: --a b32.npy: its shape is 32x16, the instruction needs 16x16 (row x stored k)
= 2
# Columns are aligned; decimals are the shortest that read back.
$ make_npy big.npy '<f2' '(16, 4, 4)' "$(repeat 16 '2e2e003c00800100 33b3ff7b00009a3c 66662a2e005400c0 000000000000003c')"; make_npy ones.npy '<f2' '(16, 4, 4)' "$(repeat 16 '003c000000000000 0000003c00000000 00000000003c0000 000000000000003c')"
$ lanewise eval v_mfma_f32_4x4x4_16b_f16 --arch gfx942 --a big.npy --b ones.npy | head -5
|  0x1.8b8p-4          1  0     0x1p-24
| -0x1.cccp-3      65504  0 1.150390625
|        1638 0x1.8a8p-4 64          -2
|           0          0  0           1
|
$ lanewise eval v_mfma_f32_4x4x4_16b_f16 --arch gfx942 --a big.npy --b ones.npy --decimal | head -4
|  0.09655762          1  0 5.9604645e-08
| -0.22497559      65504  0   1.150390625
|        1638 0.09631348 64            -2
|           0          0  0             1
$ lanewise eval v_mfma_f32_4x4x4_16b_f16 --arch gfx942 --a big.npy --b ones.npy --decimal --json
| {
|   "error": "--decimal has no effect: D is not printed",
|   "status": 2
| }
! lanewise: eval: --decimal has no effect: D is not printed
= 2
# readings of modifiers are taken where those of arithmetic are
$ lanewise eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b b.npy --mod cbsz:1 --reading doubled-k:tr8 -o x.npy
! lanewise: eval: --mod: v_mfma_f32_16x16x16_f16: cbsz assembles but has no documented meaning here; the reading cbsz:ignored runs it
= 3
$ lanewise eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b b.npy --mod cbsz:1 --reading cbsz:ignored -o x.npy | grep -c '^evidence'
| 1
