# Calls that run refuses before anything runs.
$ cp $LW_TEST_ROOT/examples/objects/vector_add_gfx942.co $LW_TEST_ROOT/examples/objects/mxfp4_basic.co .
$ mv vector_add_gfx942.co v.co
$ make_npy x.npy '<f4' '(4,)' '0000803f000000400000404000008040'
$ make_npy h.npy '<f2' '(4,)' '003c004000420044'
$ lanewise run
! lanewise: run: needs a file: lanewise run FILE[:KERNEL] --grid X,Y,Z|--items X,Y,Z --block X,Y,Z [options] ARG...
= 2
$ lanewise run absent.co --grid 1 --block 64
! lanewise: run: absent.co: No such file or directory
= 2
$ lanewise run v.co:subtract --grid 1 --block 64
! lanewise: run: v.co: no kernel 'subtract'; the code object has vector_add
= 2
$ lanewise run v.co:lib::vector_add --grid 1 --block 64
! lanewise: run: v.co: no kernel 'lib::vector_add'; the code object has vector_add
= 2
$ cp v.co odd:name.co
$ lanewise run odd:name.co
! lanewise: run: how large is the launch? Say --grid X,Y,Z in workgroups or --items X,Y,Z in work-items
= 2
$ lanewise run odd:name.co:subtract --grid 1 --block 64
! lanewise: run: odd:name.co: no kernel 'subtract'; the code object has vector_add
= 2
$ rm odd:name.co
$ lanewise run v.co --arch gfx950 --grid 1 --block 64
! lanewise: run: v.co: no code object for gfx950; the file holds one code object, for gfx942
= 2
$ lanewise run v.co --arch gfx77 --grid 1 --block 64
! lanewise: run: --arch gfx77: no such architecture; this version has gfx908, gfx90a, gfx942, gfx950, gfx1100, gfx1150, gfx1201, gfx1250, sm_70, sm_72, sm_75, sm_80, sm_86, sm_89, sm_90, sm_100, sm_100a, sm_120, sm_120a, sm_120f
= 2
$ lanewise run x.npy --grid 1 --block 64
! lanewise: run: x.npy: neither an ELF file nor an offload bundle nor an offload binary nor PTX (it starts with byte 0x93)
= 2

# Sizes and numbers.
$ lanewise run v.co --block 64
! lanewise: run: how large is the launch? Say --grid X,Y,Z in workgroups or --items X,Y,Z in work-items
= 2
$ lanewise run v.co --grid 1 --items 64 --block 64
! lanewise: run: --grid counts workgroups and --items work-items: give one of them, not both
= 2
$ lanewise run v.co --grid 1
! lanewise: run: how large is a workgroup? Say --block X,Y,Z in work-items
= 2
$ lanewise run v.co --grid 0 --block 64
! lanewise: run: --grid 0: needs X, X,Y or X,Y,Z, each from 1 to 4294967295
= 2
$ lanewise run v.co --grid 1,2,3,4 --block 64
! lanewise: run: --grid 1,2,3,4: needs X, X,Y or X,Y,Z, each from 1 to 4294967295
= 2
$ lanewise run v.co --items 1x2 --block 64
! lanewise: run: --items 1x2: needs X, X,Y or X,Y,Z, each from 1 to 4294967295
= 2
$ lanewise run v.co --grid 1 --block 64 --smem lots
! lanewise: run: --smem lots: needs a whole number from 0 to 4294967295
= 2
$ lanewise run v.co --grid 1 --block 64 --threads -1
! lanewise: run: --threads -1: needs a whole number from 0 to 4096
= 2
$ lanewise run v.co --grid 1 --block 64 --budget 1e9
! lanewise: run: --budget 1e9: needs a whole number from 0 to 18446744073709551615
= 2
$ lanewise run v.co --grid 1 --block 64 --time-limit 0
! lanewise: run: --time-limit 0: needs a number of seconds above 0, up to 1000000000
= 2
$ lanewise run v.co --grid 1 --block 64 --time-limit 5m
! lanewise: run: --time-limit 5m: needs a number of seconds above 0, up to 1000000000
= 2
$ lanewise run v.co --grid 1 --block 64 --schedule random
! lanewise: run: --schedule random: must be serial or random:SEED, as in random:7
= 2
$ lanewise run v.co --grid 1 --block 64 --schedule parallel
! lanewise: run: --schedule parallel: must be serial or random:SEED, as in random:7
= 2
$ lanewise run v.co --grid 1 --block 64 --async never
! lanewise: run: --async never: must be late, early or random:SEED, as in random:7
= 2
$ lanewise run v.co --grid 1 --block 64 --workgroup a
! lanewise: run: --workgroup a: needs X, X,Y or X,Y,Z, counted from 0
= 2
$ lanewise run v.co --grid 1 --block 64 --numerics none
! lanewise: run: --numerics: there is no reading "none"; the nearest are neg:ignored, cbsz:ignored, blgp:ignored
= 2
$ lanewise run v.co --grid 1 --block 64 --ulp 1
! lanewise: run: --ulp has no effect without --expect
= 2

# Arguments: their number, names and kinds.
$ lanewise run v.co --grid 1 --block 64
! lanewise: run: vector_add takes 4 arguments, but 0 are given; it takes c (buffer), a (buffer), b (buffer), n (4 bytes)
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32[4] x.npy x.npy
! lanewise: run: vector_add takes 4 arguments, but 3 are given; it takes c (buffer), a (buffer), b (buffer), n (4 bytes)
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32[4] x.npy x.npy i32:4 i32:5
! lanewise: run: vector_add takes 4 arguments, but 5 are given; it takes c (buffer), a (buffer), b (buffer), n (4 bytes)
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32[4] x.npy x.npy 4
! lanewise: run: argument 3 (n): the file does not say what its 4 bytes are; write i32:4, u32:4 or f32:4
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32[4] x.npy x.npy u64:4
! lanewise: run: argument 3 (n) has 4 bytes, but 'u64:4' has 8
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32[4] x.npy x.npy x.npy
! lanewise: run: argument 3 (n) is a value of 4 bytes, but 'x.npy' is an array
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32[4] x.npy i32:4 x.npy
! lanewise: run: argument 2 (b) is a buffer, an address of 8 bytes, but 'i32:4' is a value
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32[4] x.npy 4 x.npy
! lanewise: run: argument 2 (b) is a buffer, but '4' is a number
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32[4] x.npy m=x.npy i32:4
! lanewise: run: argument 'm=x.npy': vector_add has no argument 'm'; it takes c (buffer), a (buffer), b (buffer), n (4 bytes)
= 2
$ lanewise run v.co --grid 1 --block 64 a=x.npy a=x.npy out:c.npy=f32[4] i32:4
! lanewise: run: argument 'a=x.npy': a is given twice
= 2
$ lanewise run v.co --grid 1 --block 64 out:o.npy=f32[4] x.npy out:o.npy=f32[4] i32:4
! lanewise: run: 'out:o.npy=f32[4]' and 'out:o.npy=f32[4]' would write the same file
= 2
$ lanewise run v.co --grid 1 --block 64 n=null x.npy x.npy x.npy
! lanewise: run: argument 3 (n) is a value of 4 bytes, but 'n=null' is a null pointer
= 2

# Arguments: their syntax.
$ lanewise run v.co --grid 1 --block 64 out:c.npy x.npy x.npy i32:4
! lanewise: run: argument 'out:c.npy': does not say what the array is: out:FILE=TYPE[N,...] or out:FILE=like:x.npy
= 2
$ lanewise run v.co --grid 1 --block 64 out:=f32[4] x.npy x.npy i32:4
! lanewise: run: argument 'out:=f32[4]': the output file has no name ('-' keeps the array in memory only)
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32 x.npy x.npy i32:4
! lanewise: run: argument 'out:c.npy=f32': 'f32' is not an array: needs TYPE[N,...] as in f32[16,2112], or like:x.npy
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32[] x.npy x.npy i32:4
! lanewise: run: argument 'out:c.npy=f32[]': 'f32[]': the extents must be whole numbers from 1 up, separated by commas
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32[0] x.npy x.npy i32:4
! lanewise: run: argument 'out:c.npy=f32[0]': 'f32[0]': the extents must be whole numbers from 1 up, separated by commas
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32[4,a] x.npy x.npy i32:4
! lanewise: run: argument 'out:c.npy=f32[4,a]': 'f32[4,a]': the extents must be whole numbers from 1 up, separated by commas
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=fp4[4] x.npy x.npy i32:4
! lanewise: run: argument 'out:c.npy=fp4[4]': no element type 'fp4': there are bool, i8 to i64, u8 to u64, f16, f32, f64, bf16, fp8, bf8 and e8m0; packed formats are given as u8 or u32
= 2
$ lanewise run v.co --grid 1 --block 64 'out:c.npy=f32[4294967296,4294967296]' x.npy x.npy i32:4
! lanewise: run: argument 'out:c.npy=f32[4294967296,4294967296]': the array is larger than memory can be
= 2
$ lanewise run v.co --grid 1 --block 64 zero:c.npy=like:absent.npy x.npy x.npy i32:4
! lanewise: run: argument 'zero:c.npy=like:absent.npy': absent.npy: No such file or directory
= 2
$ lanewise run v.co --grid 1 --block 64 out:absent/c.npy=f32[4] x.npy x.npy i32:4
! lanewise: run: cannot write absent/c.npy: folder absent: No such file or directory
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32[4] absent.npy x.npy i32:4
! lanewise: run: argument 'absent.npy': absent.npy: No such file or directory
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32[4] in:v.co x.npy i32:4
! lanewise: run: argument 'in:v.co': v.co: not a .npy file: it does not start with \x93NUMPY
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32[4] inout:x.npy x.npy i32:4
! lanewise: run: argument 'inout:x.npy': does not say where the result goes: inout:x.npy=y.npy ('-' for nowhere)
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32[4] x.txt x.npy i32:4
! lanewise: run: argument 'x.txt': is none of x.npy, in:x.npy, inout:x.npy=y.npy, out:y.npy=f32[N], zero:y.npy=f32[N], i32:5, 5, bytes:HEX, tma:ARRAY,box=N, null
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32[4] x.npy x.npy i32:4294967296
! lanewise: run: argument 'i32:4294967296': '4294967296' is not of type i32: needs a decimal or 0x number that fits in 32 bits with sign
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32[4] x.npy x.npy i8:-129
! lanewise: run: argument 'i8:-129': '-129' is not of type i8: needs a decimal or 0x number that fits in 8 bits with sign
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32[4] x.npy x.npy u32:-1
! lanewise: run: argument 'u32:-1': '-1' is not of type u32: needs a decimal or 0x number that fits in 32 bits without sign
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32[4] x.npy x.npy f32:one
! lanewise: run: argument 'f32:one': 'one' is no f32
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32[4] x.npy x.npy f32:1e39
! lanewise: run: argument 'f32:1e39': '1e39' is no f32
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32[4] x.npy x.npy f16:1
! lanewise: run: argument 'f16:1': a single f16 is given by its code, as u16:CODE
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32[4] x.npy x.npy bool:2
! lanewise: run: argument 'bool:2': '2' is not a bool: needs 0 or 1
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32[4] x.npy x.npy i33:2
! lanewise: run: argument 'i33:2': is none of x.npy, in:x.npy, inout:x.npy=y.npy, out:y.npy=f32[N], zero:y.npy=f32[N], i32:5, 5, bytes:HEX, tma:ARRAY,box=N, null
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32[4] x.npy x.npy bytes:123
! lanewise: run: argument 'bytes:123': needs pairs of hexadecimal digits, first byte first, at most 4096 of them
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32[4] x.npy x.npy bytes:12
! lanewise: run: argument 3 (n) has 4 bytes, but 'bytes:12' has 1
= 2

# Expectations and observers.
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32[4] x.npy x.npy i32:4 --expect h.npy
! lanewise: run: --expect h.npy: it holds float16 4, but the result is float32 4
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32[4] x.npy x.npy i32:4 --expect absent.npy
! lanewise: run: --expect: absent.npy: No such file or directory
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32[4] x.npy x.npy i32:4 --expect a=x.npy
! lanewise: run: --expect a=x.npy: a is not an out:, zero: or inout: argument of vector_add
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32[4] x.npy x.npy i32:4 --expect 7=x.npy
! lanewise: run: --expect 7=x.npy: 7 is not an out:, zero: or inout: argument of vector_add
= 2
$ lanewise run v.co --grid 1 --block 64 null x.npy x.npy i32:4 --expect x.npy
! lanewise: run: --expect x.npy: no argument is an out:, zero: or inout: array
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32[4] zero:-=f32[4] x.npy i32:4 --expect x.npy
! lanewise: run: --expect x.npy: 2 arguments are results; say which, as in --expect a=x.npy
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=fp8[4] x.npy x.npy i32:4 --expect x.npy --ulp 1
! lanewise: run: --expect x.npy: fp8 codes are compared bit for bit only; leave --ulp and --rtol out
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32[4] x.npy x.npy i32:4 --check race
! lanewise: run: --check 'race': must be banks, hazards, waits, races, bounds, numerics, uninit, all, or several with commas
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32[4] x.npy x.npy i32:4 --check banks,
! lanewise: run: --check '': must be banks, hazards, waits, races, bounds, numerics, uninit, all, or several with commas
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32[4] x.npy x.npy i32:4 --trace absent/t
! lanewise: run: --trace absent/t: cannot write it: No such file or directory
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32[4] x.npy x.npy i32:4 --trace t --trace-wave x
! lanewise: run: --trace-wave x: needs the number of a wave in its workgroup
= 2
$ lanewise run v.co --grid 1 --block 64 out:c.npy=f32[4] x.npy x.npy i32:4 --trace - --json
| {
|   "error": "--trace - and --json would mix on standard output: name a file",
|   "status": 2
| }
! lanewise: run: --trace - and --json would mix on standard output: name a file
= 2

# Nothing was written.
$ lanewise run v.co --grid 1 --block 64 --reading buffer-range:with
! lanewise: run: --reading: there is no reading "buffer-range:with"; the topic has buffer-range:with-soffset, buffer-range:without-soffset
= 2
$ lanewise run v.co --grid 1 --block 64 --assume buffer-range
! lanewise: run: --assume: there is no reading "buffer-range"; the topic has buffer-range:with-soffset, buffer-range:without-soffset
= 2
$ ls
| h.npy
| mxfp4_basic.co
| v.co
| x.npy
