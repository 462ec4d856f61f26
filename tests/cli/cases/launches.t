# One launch per line: words, quotes, comments; a later line reads what an earlier one wrote; the worst status
# counts.
$ cp $LW_TEST_ROOT/tests/data/ptx/vector_add_nvcc_sm_80.ptx n.ptx; make_npy x.npy '<f4' '(32,)' "$(repeat 32 0000803f)"; make_npy t.npy '<f4' '(32,)' "$(repeat 32 00004040)"
$ printf '# two sums\n\nn.ptx --grid 1 --block 32 x.npy x.npy "out:two sums.npy=f32[32]" 32\n  n.ptx --grid 1\t--block 32 x.npy '"'two sums.npy'"' out:-=f32[32] 32 --expect t.npy # three\n' >l.txt
$ lanewise run --launches l.txt --threads 1 | grep -v ' s (budget'
| == line 3: n.ptx --grid 1 --block 32 x.npy x.npy out:two sums.npy=f32[32] 32
| vector_add on sm_80: 1 block, 1 warp
| serial on 1 thread: one thread was asked for
| evidence: 11 kinds of instruction ran, the weakest label is vendor
| wrote two sums.npy: float32 32
| == line 4: n.ptx --grid 1 --block 32 x.npy two sums.npy out:-=f32[32] 32 --expect t.npy
| vector_add on sm_80: 1 block, 1 warp
| serial on 1 thread: one thread was asked for
| evidence: 11 kinds of instruction ran, the weakest label is vendor
| expect t.npy: all 32 elements equal, bit for bit
| l.txt: 2 launches, 0 failed
$ printf 'n.ptx --grid 1 --block 32 x.npy x.npy out:-=f32[32] 32 --expect t.npy\nn.ptx --grid 1 --block 32 x.npy\nn.ptx --grid 1 --block 64 x.npy x.npy out:-=f32[32] 64\n' >bad.txt
$ lanewise run --launches bad.txt --threads 1 | grep -e == -e differ -e failed -e equal
| == line 1: n.ptx --grid 1 --block 32 x.npy x.npy out:-=f32[32] 32 --expect t.npy
| expect t.npy: 32 of 32 elements differ; the largest difference is 4194304 ulp
|   . equal, x different; a line is 32 elements, a character 1 x 1
| == line 2: n.ptx --grid 1 --block 32 x.npy
| == line 3: n.ptx --grid 1 --block 64 x.npy x.npy out:-=f32[32] 64
| bad.txt: 3 launches, 3 failed
! lanewise: run: bad.txt: line 1: exit status 1
! lanewise: run: vector_add takes 4 arguments, but 1 is given; it takes vector_add_param_0 (buffer or 8 bytes), vector_add_param_1 (buffer or 8 bytes), vector_add_param_2 (buffer or 8 bytes), vector_add_param_3 (4 bytes)
! lanewise: run: bad.txt: line 2: exit status 2
! lanewise: run: kernel vector_add, block (0,0,0), warp 1, lane 0, pc +0xf "line 51: ld.global.f32 %f1, [%rd8]" (vector_add.cu:18:9): loads from address 0x1000020080 in no allocation (0 bytes past the end of "argument 1 (vector_add_param_1)", 128 bytes at 0x1000020000) (executed by lanes 0xffffffff); no array was written
! lanewise: run: bad.txt: line 3: exit status 3
$ lanewise run --launches bad.txt >all 2>&1
= 3
$ printf 'n.ptx "x.npy\n--launches l.txt\n--json n.ptx\n--help\n--grid' >words.txt; lanewise run --launches words.txt
| == line 2: --launches l.txt
| == line 3: --json n.ptx
| == line 4: --help
| == line 5: --grid
| words.txt: 5 launches, 5 failed
! lanewise: run: words.txt: line 1: a quote is not closed
! lanewise: run: --launches, --json, --junit and --help cannot be used in a line of the file
! lanewise: run: words.txt: line 2: exit status 2
! lanewise: run: --launches, --json, --junit and --help cannot be used in a line of the file
! lanewise: run: words.txt: line 3: exit status 2
! lanewise: run: --launches, --json, --junit and --help cannot be used in a line of the file
! lanewise: run: words.txt: line 4: exit status 2
! lanewise: run: --grid needs a value: --grid X[,Y[,Z]]
! lanewise: run: words.txt: line 5: exit status 2
= 2
$ lanewise run --launches l.txt n.ptx
! lanewise: run: --launches l.txt: programs and arguments belong in the lines of the file
= 2
$ lanewise run --launches l.txt --json
| {
|   "error": "--launches l.txt: the results of several launches do not form one JSON object",
|   "status": 2
| }
! lanewise: run: --launches l.txt: the results of several launches do not form one JSON object
= 2
$ lanewise run --launches none.txt
! lanewise: run: cannot open none.txt: No such file or directory
= 2
$ printf 'a\0b' >zero.txt; lanewise run --launches zero.txt
! lanewise: run: --launches zero.txt: it is not a text file
= 2
$ printf '# nothing' >empty.txt; lanewise run --launches empty.txt
| empty.txt: 0 launches, 0 failed
$ lanewise run --launches l.txt --threads 1 --grid 2
| == line 3: n.ptx --grid 1 --block 32 x.npy x.npy out:two sums.npy=f32[32] 32
| == line 4: n.ptx --grid 1 --block 32 x.npy two sums.npy out:-=f32[32] 32 --expect t.npy
| l.txt: 2 launches, 2 failed
! lanewise: run: --grid is given twice
! lanewise: run: l.txt: line 3: exit status 2
! lanewise: run: --grid is given twice
! lanewise: run: l.txt: line 4: exit status 2
= 2
