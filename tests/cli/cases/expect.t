# Which simple mistake explains a difference. The kernel adds zeros, so that the result is x.
$ cp "$LW_TEST_ROOT"/examples/objects/vector_add_gfx942.co v.co
# codes FILE SHAPE CODE...: float32 codes 0x3f8000CODE
$ echo 'codes() { local f=$1 s=$2; shift 2; make_npy $f "<f4" "$s" "$(for c; do printf %02x00803f $c; done)"; }; check() { lanewise run v.co --grid 1 --block 256 "out:-=like:x.npy" x.npy zero.npy i32:$1 --expect $2 | sed -n "/^expect/,\$p"; }' >lib
$ . ./lib; codes x.npy '(4, 4)' $(seq 0 15); make_npy zero.npy '<f4' '(4, 4)' "$(repeat 16 00000000)"
$ . ./lib; codes t.npy '(4, 4)' 0 4 8 12 1 5 9 13 2 6 10 14 3 7 11 15; check 16 t.npy
| expect t.npy: 12 of 16 elements differ; the largest difference is 9 ulp
|   [0,1] is 0x3f800001 (1.00000012), expected 0x3f800004 (1.00000048), 3 ulp
|   [0,2] is 0x3f800002 (1.00000024), expected 0x3f800008 (1.00000095), 6 ulp
|   [0,3] is 0x3f800003 (1.00000036), expected 0x3f80000c (1.00000143), 9 ulp
|   [1,0] is 0x3f800004 (1.00000048), expected 0x3f800001 (1.00000012), 3 ulp
|   explained: it is the expected array transposed
|   . equal, x different; rows down, columns across, a character 1 x 1
|   .xxx
|   x.xx
|   xx.x
|   xxx.
$ . ./lib; codes r.npy '(4, 4)' 4 5 6 7 0 1 2 3 12 13 14 15 8 9 10 11; check 16 r.npy
| expect r.npy: 16 of 16 elements differ; the largest difference is 4 ulp
|   [0,0] is 0x3f800000 (1), expected 0x3f800004 (1.00000048), 4 ulp
|   [0,1] is 0x3f800001 (1.00000012), expected 0x3f800005 (1.0000006), 4 ulp
|   [0,2] is 0x3f800002 (1.00000024), expected 0x3f800006 (1.00000072), 4 ulp
|   [0,3] is 0x3f800003 (1.00000036), expected 0x3f800007 (1.00000083), 4 ulp
|   explained: the rows are in another order: row i holds expected row i ^ 1
|   . equal, x different; rows down, columns across, a character 1 x 1
|   xxxx
|   xxxx
|   xxxx
|   xxxx
$ . ./lib; codes r.npy '(4, 4)' 12 13 14 15 0 1 2 3 4 5 6 7 8 9 10 11; check 16 r.npy
| expect r.npy: 16 of 16 elements differ; the largest difference is 12 ulp
|   [0,0] is 0x3f800000 (1), expected 0x3f80000c (1.00000143), 12 ulp
|   [0,1] is 0x3f800001 (1.00000012), expected 0x3f80000d (1.00000155), 12 ulp
|   [0,2] is 0x3f800002 (1.00000024), expected 0x3f80000e (1.00000167), 12 ulp
|   [0,3] is 0x3f800003 (1.00000036), expected 0x3f80000f (1.00000179), 12 ulp
|   explained: the rows are in another order: row i holds expected row (i + 1) mod 4
|   . equal, x different; rows down, columns across, a character 1 x 1
|   xxxx
|   xxxx
|   xxxx
|   xxxx
$ . ./lib; codes r.npy '(4, 4)' 0 1 2 3 8 9 10 11 4 5 6 7 12 13 14 15; check 16 r.npy
| expect r.npy: 8 of 16 elements differ; the largest difference is 4 ulp
|   [1,0] is 0x3f800004 (1.00000048), expected 0x3f800008 (1.00000095), 4 ulp
|   [1,1] is 0x3f800005 (1.0000006), expected 0x3f800009 (1.00000107), 4 ulp
|   [1,2] is 0x3f800006 (1.00000072), expected 0x3f80000a (1.00000119), 4 ulp
|   [1,3] is 0x3f800007 (1.00000083), expected 0x3f80000b (1.00000131), 4 ulp
|   explained: the rows are in another order: row 1 holds expected 2, row 2 holds expected 1
|   . equal, x different; rows down, columns across, a character 1 x 1
|   ....
|   xxxx
|   xxxx
|   ....
$ . ./lib; codes c.npy '(4, 4)' 0 2 1 3 4 6 5 7 8 10 9 11 12 14 13 15; check 16 c.npy
| expect c.npy: 8 of 16 elements differ; the largest difference is 1 ulp
|   [0,1] is 0x3f800001 (1.00000012), expected 0x3f800002 (1.00000024), 1 ulp
|   [0,2] is 0x3f800002 (1.00000024), expected 0x3f800001 (1.00000012), 1 ulp
|   [1,1] is 0x3f800005 (1.0000006), expected 0x3f800006 (1.00000072), 1 ulp
|   [1,2] is 0x3f800006 (1.00000072), expected 0x3f800005 (1.0000006), 1 ulp
|   explained: the columns are in another order: column 1 holds expected 2, column 2 holds expected 1
|   . equal, x different; rows down, columns across, a character 1 x 1
|   .xx.
|   .xx.
|   .xx.
|   .xx.
# Not a simple mistake: one more element is wrong.
$ . ./lib; codes c.npy '(4, 4)' 0 2 1 3 4 6 5 7 8 10 9 11 12 14 13 99; check 16 c.npy
| expect c.npy: 9 of 16 elements differ; the largest difference is 84 ulp
|   [0,1] is 0x3f800001 (1.00000012), expected 0x3f800002 (1.00000024), 1 ulp
|   [0,2] is 0x3f800002 (1.00000024), expected 0x3f800001 (1.00000012), 1 ulp
|   [1,1] is 0x3f800005 (1.0000006), expected 0x3f800006 (1.00000072), 1 ulp
|   [1,2] is 0x3f800006 (1.00000072), expected 0x3f800005 (1.0000006), 1 ulp
|   . equal, x different; rows down, columns across, a character 1 x 1
|   .xx.
|   .xx.
|   .xx.
|   .xxx
$ . ./lib; codes c.npy '(4, 4)' 1 0 2 3 4 6 5 7 8 10 9 11 12 14 13 15; check 16 c.npy
| expect c.npy: 8 of 16 elements differ; the largest difference is 1 ulp
|   [0,0] is 0x3f800000 (1), expected 0x3f800001 (1.00000012), 1 ulp
|   [0,1] is 0x3f800001 (1.00000012), expected 0x3f800000 (1), 1 ulp
|   [1,1] is 0x3f800005 (1.0000006), expected 0x3f800006 (1.00000072), 1 ulp
|   [1,2] is 0x3f800006 (1.00000072), expected 0x3f800005 (1.0000006), 1 ulp
|   explained: every difference is one ulp; another rounding, or another order of k, can be the cause
|   . equal, x different; rows down, columns across, a character 1 x 1
|   xx..
|   .xx.
|   .xx.
|   .xx.
# One ulp, and two.
$ . ./lib; codes u.npy '(4, 4)' 1 1 2 3 4 5 6 7 8 9 10 11 12 13 14 14; check 16 u.npy
| expect u.npy: 2 of 16 elements differ; the largest difference is 1 ulp
|   [0,0] is 0x3f800000 (1), expected 0x3f800001 (1.00000012), 1 ulp
|   [3,3] is 0x3f80000f (1.00000179), expected 0x3f80000e (1.00000167), 1 ulp
|   explained: every difference is one ulp; another rounding, or another order of k, can be the cause
$ . ./lib; codes u.npy '(4, 4)' 2 1 2 3 4 5 6 7 8 9 10 11 12 13 14 14; check 16 u.npy
| expect u.npy: 2 of 16 elements differ; the largest difference is 2 ulp
|   [0,0] is 0x3f800000 (1), expected 0x3f800002 (1.00000024), 2 ulp
|   [3,3] is 0x3f80000f (1.00000179), expected 0x3f80000e (1.00000167), 1 ulp
# Elements that were never written.
$ . ./lib; check 12 x.npy
| expect x.npy: 4 of 16 elements differ; the largest difference is 1696966068 ulp
|   [3,0] is 0xa5a5a5a5 (-2.87351825e-16), expected 0x3f80000c (1.00000143), 1696966065 ulp
|   [3,1] is 0xa5a5a5a5 (-2.87351825e-16), expected 0x3f80000d (1.00000155), 1696966066 ulp
|   [3,2] is 0xa5a5a5a5 (-2.87351825e-16), expected 0x3f80000e (1.00000167), 1696966067 ulp
|   [3,3] is 0xa5a5a5a5 (-2.87351825e-16), expected 0x3f80000f (1.00000179), 1696966068 ulp
|   explained: a tile is missing: rows 3 to 3, columns 0 to 3 hold only 0xa5, as out: arrays are before the kernel runs
$ . ./lib; codes x.npy '(128,)' $(seq 0 127); make_npy zero.npy '<f4' '(128,)' "$(repeat 128 00000000)"; codes l.npy '(128,)' $(for i in $(seq 0 127); do echo $((i ^ 4)); done); check 128 l.npy
| expect l.npy: 128 of 128 elements differ; the largest difference is 4 ulp
|   [0] is 0x3f800000 (1), expected 0x3f800004 (1.00000048), 4 ulp
|   [1] is 0x3f800001 (1.00000012), expected 0x3f800005 (1.0000006), 4 ulp
|   [2] is 0x3f800002 (1.00000024), expected 0x3f800006 (1.00000072), 4 ulp
|   [3] is 0x3f800003 (1.00000036), expected 0x3f800007 (1.00000083), 4 ulp
|   explained: in each 32 elements the lanes are in another order: lane i holds expected lane i ^ 4
|   . equal, x different; a line is 64 elements, a character 1 x 1
|   xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
|   xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
$ . ./lib; codes l.npy '(128,)' $(for i in $(seq 0 127); do echo $((i / 32 * 32 + (i + 3) % 32)); done); check 128 l.npy
| expect l.npy: 128 of 128 elements differ; the largest difference is 29 ulp
|   [0] is 0x3f800000 (1), expected 0x3f800003 (1.00000036), 3 ulp
|   [1] is 0x3f800001 (1.00000012), expected 0x3f800004 (1.00000048), 3 ulp
|   [2] is 0x3f800002 (1.00000024), expected 0x3f800005 (1.0000006), 3 ulp
|   [3] is 0x3f800003 (1.00000036), expected 0x3f800006 (1.00000072), 3 ulp
|   explained: in each 32 elements the lanes are in another order: lane i holds expected lane (i + 29) mod 32
|   . equal, x different; a line is 64 elements, a character 1 x 1
|   xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
|   xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
$ . ./lib; check 100 x.npy
| expect x.npy: 28 of 128 elements differ; the largest difference is 1696966180 ulp
|   [100] is 0xa5a5a5a5 (-2.87351825e-16), expected 0x3f800064 (1.00001192), 1696966153 ulp
|   [101] is 0xa5a5a5a5 (-2.87351825e-16), expected 0x3f800065 (1.00001204), 1696966154 ulp
|   [102] is 0xa5a5a5a5 (-2.87351825e-16), expected 0x3f800066 (1.00001216), 1696966155 ulp
|   [103] is 0xa5a5a5a5 (-2.87351825e-16), expected 0x3f800067 (1.00001228), 1696966156 ulp
|   explained: elements 100 to 127 hold only 0xa5, as out: arrays are before the kernel runs
|   . equal, x different; a line is 64 elements, a character 1 x 1
|   ................................................................
|   ....................................xxxxxxxxxxxxxxxxxxxxxxxxxxxx
# A tile of zeros, in a matrix of 8 x 8; as JSON too.
$ . ./lib; codes e.npy '(8, 8)' $(seq 1 64); make_npy x.npy '<f4' '(8, 8)' "$(for i in $(seq 1 64); do [ $(((i - 1) / 8 / 4 * 2 + (i - 1) % 8 / 4)) = 2 ] && printf 00000000 || printf %02x00803f $i; done)"; make_npy zero.npy '<f4' '(8, 8)' "$(repeat 64 00000000)"; check 64 e.npy
| expect e.npy: 16 of 64 elements differ; the largest difference is 1065353276 ulp
|   [4,0] is 0x00000000 (0), expected 0x3f800021 (1.00000393), 1065353249 ulp
|   [4,1] is 0x00000000 (0), expected 0x3f800022 (1.00000405), 1065353250 ulp
|   [4,2] is 0x00000000 (0), expected 0x3f800023 (1.00000417), 1065353251 ulp
|   [4,3] is 0x00000000 (0), expected 0x3f800024 (1.00000429), 1065353252 ulp
|   explained: a tile is missing: rows 4 to 7, columns 0 to 3 hold only zeros
|   . equal, x different; rows down, columns across, a character 1 x 1
|   ........
|   ........
|   ........
|   ........
|   xxxx....
|   xxxx....
|   xxxx....
|   xxxx....
$ lanewise run v.co --grid 1 --block 256 out:-=like:x.npy x.npy zero.npy i32:64 --expect e.npy --json | grep explained
|       "explained": "a tile is missing: rows 4 to 7, columns 0 to 3 hold only zeros",
$ . ./lib; make_npy x.npy '<f4' '(8, 8)' "$(for i in $(seq 1 64); do [ $(((i - 1) / 8 / 4)) = $(((i - 1) % 8 / 4)) ] && printf 00000000 || printf %02x00803f $i; done)"; check 64 e.npy
| expect e.npy: 32 of 64 elements differ; the largest difference is 1065353280 ulp
|   [0,0] is 0x00000000 (0), expected 0x3f800001 (1.00000012), 1065353217 ulp
|   [0,1] is 0x00000000 (0), expected 0x3f800002 (1.00000024), 1065353218 ulp
|   [0,2] is 0x00000000 (0), expected 0x3f800003 (1.00000036), 1065353219 ulp
|   [0,3] is 0x00000000 (0), expected 0x3f800004 (1.00000048), 1065353220 ulp
|   explained: 2 tiles of 4 x 4 are missing: they hold only zeros; the first begins at row 0, column 0
|   . equal, x different; rows down, columns across, a character 1 x 1
|   xxxx....
|   xxxx....
|   xxxx....
|   xxxx....
|   ....xxxx
|   ....xxxx
|   ....xxxx
|   ....xxxx
# Scattered zeros, or zeros in one place, are not a missing tile; nor is a tile of which one byte is not zero.
$ . ./lib; make_npy x.npy '<f4' '(8, 8)' "$(for i in $(seq 1 64); do [ $((i % 9)) = 0 ] && printf 00000000 || printf %02x00803f $i; done)"; check 64 e.npy | head -6
| expect e.npy: 7 of 64 elements differ; the largest difference is 1065353279 ulp
|   [1,0] is 0x00000000 (0), expected 0x3f800009 (1.00000107), 1065353225 ulp
|   [2,1] is 0x00000000 (0), expected 0x3f800012 (1.00000215), 1065353234 ulp
|   [3,2] is 0x00000000 (0), expected 0x3f80001b (1.00000322), 1065353243 ulp
|   [4,3] is 0x00000000 (0), expected 0x3f800024 (1.00000429), 1065353252 ulp
|   . equal, x different; rows down, columns across, a character 1 x 1
$ . ./lib; make_npy x.npy '<f4' '(8, 8)' "$(for i in $(seq 1 64); do [ $i = 9 ] && printf 00000000 || printf %02x00803f $i; done)"; check 64 e.npy
| expect e.npy: 1 of 64 elements differ; the largest difference is 1065353225 ulp
|   [1,0] is 0x00000000 (0), expected 0x3f800009 (1.00000107), 1065353225 ulp
$ . ./lib; make_npy x.npy '<f4' '(8, 8)' "$(for i in $(seq 1 64); do [ $(((i - 1) / 8 / 4)) = $(((i - 1) % 8 / 4)) ] && printf 00000001 || printf %02x00803f $i; done)"; check 64 e.npy | grep explained
= 1
