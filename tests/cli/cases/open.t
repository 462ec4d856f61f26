# Open questions that decide the numbers at hand are named, whatever the labels say; the numbers are those of worked
# examples in docs/numerics.md and of the probes.
# bf16: 0 * 2^127, C = 2^-30: kept, or lost if a zero operand is present.
$ make_npy a.npy '<u2' '(16, 16)' "$(repeat 256 0000)"
$ make_npy b.npy '<u2' '(16, 8)' "007f$(repeat 127 0000)"
$ make_npy c.npy '<u4' '(16, 8)' "00008030$(repeat 127 00000000)"
$ lanewise eval mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 --arch sm_90 --a a.npy --b b.npy --c c.npy -o d.npy | grep -o '^evidence, finite results: [a-z]*\|^open.*'
| evidence, finite results: measured
| open: tiny-sums decides these numbers; read as tiny-sums:floor (inferred), another reading gives other bits
$ show_npy d.npy | sed -n 2p
|  00 00 80 30 00 00 00 00 00 00 00 00 00 00 00 00
$ lanewise eval mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 --arch sm_90 --a a.npy --b b.npy --c c.npy -o d.npy --reading tiny-sums:zero-operands | grep -o '^evidence, finite results: [a-z]*\|^open.*'
| evidence, finite results: unknown
| open: tiny-sums decides these numbers; read as tiny-sums:zero-operands (unknown), another reading gives other bits
$ show_npy d.npy | sed -n 2p
|  00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
$ lanewise eval mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 --arch sm_90 --a a.npy --b b.npy --c c.npy --json | grep -A5 '"weakest"\|"open"' | grep 'weakest\|topic'
|   "weakest": "inferred",
|       "topic": "tiny-sums",
# the same with C = 1: no reading changes the result
$ make_npy c.npy '<u4' '(16, 8)' "0000803f$(repeat 127 00000000)"
$ make_npy b.npy '<u2' '(16, 8)' "803f$(repeat 127 0000)"
$ lanewise eval mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 --arch sm_90 --a a.npy --b b.npy --c c.npy | grep -c '^open'
| 0
= 1
# gfx942: 1.5 * 2^-150 and zeros
$ make_npy a.npy '<u2' '(16, 16)' "8000$(repeat 255 0000)"
$ make_npy b.npy '<u2' '(16, 16)' "c033$(repeat 255 0000)"
$ lanewise eval v_mfma_f32_16x16x16_bf16 --arch gfx942 --a a.npy --b b.npy -o d.npy | grep '^open'
| open: zero-product decides these numbers; read as zero-product:ignored (inferred), another reading gives other bits
$ show_npy d.npy | sed -n 2p
|  01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
$ lanewise eval v_mfma_f32_16x16x16_bf16 --arch gfx942 --a a.npy --b b.npy -o d.npy --reading zero-product:lowest | grep '^open'
| open: zero-product decides these numbers; read as zero-product:lowest (unknown), another reading gives other bits
$ show_npy d.npy | sed -n 2p
|  00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
# fp4: all blocks zero, scales 448, C = 3f800001
$ make_npy a.npy '|u1' '(16, 64)' "$(repeat 1024 00)"
$ make_npy b.npy '|u1' '(64, 8)' "$(repeat 512 00)"
$ make_npy s.npy '|u1' '(16, 4)' "$(repeat 64 7e)"
$ make_npy t.npy '|u1' '(8, 4)' "$(repeat 32 7e)"
$ make_npy c.npy '<u4' '(16, 8)' "$(repeat 128 0100803f)"
$ lanewise eval mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 --arch sm_120a --a a.npy --b b.npy --c c.npy --scale-a s.npy --scale-b t.npy -o d.npy | grep -o '^evidence, finite results: [a-z]*\|^open.*'
| evidence, finite results: measured
| open: zero-block decides these numbers; read as zero-block:ignored (inferred), another reading gives other bits
$ show_npy d.npy | sed -n 2p
|  01 00 80 3f 01 00 80 3f 01 00 80 3f 01 00 80 3f
$ lanewise eval mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 --arch sm_120a --a a.npy --b b.npy --c c.npy --scale-a s.npy --scale-b t.npy -o d.npy --numerics zero-block:takes-part | grep '^open'
| open: zero-block decides these numbers; read as zero-block:takes-part (unknown), another reading gives other bits
$ show_npy d.npy | sed -n 2p
|  00 00 80 3f 00 00 80 3f 00 00 80 3f 00 00 80 3f
