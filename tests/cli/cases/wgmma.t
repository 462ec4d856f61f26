# wgmma as an instruction: every width has its row, found by spelling or short name; lanes are four warps
$ lanewise info wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e5m2 --arch H100 | head -20
$ lanewise layout wgmma.m64n256k16.f32.f16.f16 --arch sm_90 --operand D --lane 77 --register 6
$ lanewise layout wgmma.m64n8k16.f32.f16.f16 --arch sm_90 --operand A --element 26,9
$ lanewise layout wgmma.m64n16k16.f32.f16.f16 --arch sm_90 --operand D --format cute
$ lanewise layout wgmma.m64n8k16.f32.f16.f16 --arch sm_90 --operand all --lane 33
# B, and A if a kernel wants so, is in shared memory
$ lanewise layout wgmma.m64n16k16.f32.f16.f16 --arch sm_90 --operand B
$ lanewise layout wgmma.m64n16k16.f32.f16.f16 --arch sm_90 --operand B --descriptor 0x4000004000010040
$ lanewise layout wgmma.m64n64k16.f32.f16.f16 --arch sm_90 --operand A --descriptor 0x4000004000010040 --element 63,15
$ lanewise layout wgmma.m64n256k16.f32.f16.f16 --arch sm_90 --operand B --descriptor 0x4000004002000400 --mod imm-trans-b:1 --element 15,200
$ lanewise layout wgmma.m64n8k16.f32.f16.f16 --arch sm_90 --operand B --descriptor 0x4000004000010000 --format listing | head -3
$ lanewise layout wgmma.m64n8k16.f32.f16.f16 --arch sm_90 --operand B --descriptor 0x0000001000080000 --format cute
$ lanewise layout wgmma.m64n8k8.f32.tf32.tf32 --arch sm_90 --operand B --descriptor 0x4000004000010000 --json | head -12
$ lanewise layout wgmma.m64n8k16.f32.f16.f16 --arch sm_90 --operand B --descriptor 0x4002004000010000
$ lanewise layout wgmma.m64n8k16.f32.f16.f16 --arch sm_90 --operand B --descriptor x
$ lanewise layout wgmma.m64n8k16.f32.f16.f16 --arch sm_90 --operand B --descriptor 0x4000004000010000 --element 16,0
$ lanewise layout wgmma.m64n8k16.f32.f16.f16 --arch sm_90 --operand D --descriptor 0
$ lanewise layout mma.m16n8k16.f32.f16.f16.f32 --arch sm_90 --operand B --descriptor 0
$ lanewise layout wgmma.m64n8k16.f32.f16.f16 --arch sm_90 --operand B --descriptor 0 --lane 3
# numbers: the operands that are constants are modifiers
$ make_npy a.npy '<f2' '(64, 16)' "$(repeat 1024 003c)"
$ make_npy b.npy '<f2' '(16, 8)' "$(repeat 128 0040)"
$ make_npy c.npy '<f4' '(64, 8)' "$(repeat 512 0000803f)"
$ lanewise eval wgmma.m64n8k16.f32.f16.f16 --arch sm_90 --a a.npy --b b.npy --c c.npy | tail -3
$ lanewise eval wgmma.m64n8k16.f32.f16.f16 --arch sm_90 --a a.npy --b b.npy --c c.npy --mod imm-scale-a:-1 | sed -n 64p
$ lanewise eval wgmma.m64n8k16.f32.f16.f16 --arch sm_90 --a a.npy --b b.npy --c c.npy --mod scale-d:0 | sed -n 64p
$ lanewise eval wgmma.m64n8k16.f32.f16.f16 --arch sm_90 --a a.npy --b b.npy --explain 63,7 | tail -8
$ lanewise eval wgmma.m64n9k16.f32.f16.f16 --arch sm_90 --a a.npy --b b.npy
$ lanewise eval wgmma.m64n8k16.f32.f16.f16 --arch sm_90 --a a.npy --b b.npy --mod imm-scale-a:0
$ lanewise info wgmma.m64n8k32.f32.fp8.fp8 --arch sm_90 --mod imm-trans-a:1
$ lanewise list --arch sm_90 --evidence | grep wgmma | head -20
# blocks in clusters
$ cp $LW_TEST_ROOT/tests/ptx/corpus/cluster_nvcc.ptx k.ptx
$ lanewise run k.ptx:places --threads 1 --grid 4 --block 32 --cluster 2 zero:o.npy=i32[4,8] | grep -v ' s (budget'
$ lanewise run k.ptx:stuck --threads 1 --grid 2 --block 32 zero:o.npy=i32[32] | grep -v ' s (budget'
$ lanewise run k.ptx:leaver --threads 1 --grid 2 --block 32 zero:o.npy=i32[32] | grep -v ' s (budget'
$ lanewise run k.ptx:places --threads 1 --grid 5 --block 32 --cluster 2 zero:o.npy=i32[5,8]
$ lanewise run k.ptx:places --threads 1 --grid 4 --block 32 --cluster x zero:o.npy=i32[5,8]
$ lanewise run k.ptx:multicast --threads 1 --grid 4 --block 32 --cluster 2 zero:i.npy=i32[256] zero:o.npy=i32[256]
