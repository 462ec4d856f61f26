# Where results go: paths compared by file, links, modes, and input files.
$ cp "$LW_TEST_ROOT"/examples/objects/vector_add_gfx942.co v.co
$ make_npy x.npy '<f4' '(4,)' '0000803f000000400000404000008040'
$ make_npy y.npy '<f4' '(4,)' '000020410000a0410000f04100002042'
$ mkdir d && ln -s . here && ln -s d/f.npy to_f && ln -s nowhere lost && ln -s loop loop
# One file under two spellings, existing or not.
$ lanewise run v.co --grid 1 --block 64 out:f.npy=f32[4] inout:x.npy=./f.npy y.npy i32:4
! lanewise: run: 'out:f.npy=f32[4]' and 'inout:x.npy=./f.npy' would write the same file
= 2
$ lanewise run v.co --grid 1 --block 64 out:f.npy=f32[4] inout:x.npy=here/f.npy y.npy i32:4
! lanewise: run: 'out:f.npy=f32[4]' and 'inout:x.npy=here/f.npy' would write the same file
= 2
$ lanewise run v.co --grid 1 --block 64 out:d/../f.npy=f32[4] x.npy y.npy i32:4 --trace f.npy
! lanewise: run: 'out:d/../f.npy=f32[4]' and '--trace' would write the same file
= 2
$ cp x.npy e.npy && ln e.npy hard.npy
$ lanewise run v.co --grid 1 --block 64 out:e.npy=f32[4] inout:x.npy=hard.npy y.npy i32:4
! lanewise: run: 'out:e.npy=f32[4]' and 'inout:x.npy=hard.npy' would write the same file
= 2
# Input files are never replaced, except by the inout: argument that read them.
$ lanewise run v.co --grid 1 --block 64 out:x.npy=f32[4] x.npy y.npy i32:4
! lanewise: run: cannot write x.npy: argument 'x.npy' reads that file, and a file that was read is not replaced
= 2
$ lanewise run v.co --grid 1 --block 64 out:here/x.npy=f32[4] in:x.npy y.npy i32:4
! lanewise: run: cannot write here/x.npy: argument 'in:x.npy' reads that file, and a file that was read is not replaced
= 2
$ lanewise run v.co --grid 1 --block 64 out:x.npy=like:x.npy y.npy y.npy i32:4
! lanewise: run: cannot write x.npy: argument 'out:x.npy=like:x.npy' reads that file, and a file that was read is not replaced
= 2
$ lanewise run v.co --grid 1 --block 64 out:f.npy=f32[4] x.npy inout:y.npy=x.npy i32:4
! lanewise: run: cannot write x.npy: argument 'x.npy' reads that file, and a file that was read is not replaced
= 2
$ lanewise run v.co --grid 1 --block 64 out:v.co=f32[4] x.npy y.npy i32:4
! lanewise: run: cannot write v.co: the run reads that file, and a file that was read is not replaced
= 2
$ lanewise run v.co --grid 1 --block 64 out:y.npy=f32[4] x.npy x.npy i32:4 --expect y.npy
! lanewise: run: cannot write y.npy: --expect reads that file, and a file that was read is not replaced
= 2
$ lanewise run v.co --grid 1 --block 64 out:-=f32[4] x.npy y.npy i32:4 --trace x.npy
! lanewise: run: cannot write x.npy: argument 'x.npy' reads that file, and a file that was read is not replaced
= 2
$ lanewise run v.co --grid 1 --block 64 out:-=f32[4] inout:x.npy=x.npy inout:y.npy=here/y.npy i32:4 | grep wrote
| wrote x.npy: float32 4
| wrote here/y.npy: float32 4
$ ls
| d
| e.npy
| hard.npy
| here
| loop
| lost
| to_f
| v.co
| x.npy
| y.npy
# Links are followed if their target exists; the file mode is kept.
$ cp x.npy d/f.npy && chmod 640 d/f.npy
$ lanewise run v.co --grid 1 --block 64 out:to_f=f32[4] x.npy y.npy i32:4 | grep wrote
| wrote to_f: float32 4
$ show_npy d/f.npy && stat -c %a d/f.npy && readlink to_f && ls d
| {'descr': '<f4', 'shape': (4,), }
|  00 00 30 41 00 00 b0 41 00 00 04 42 00 00 30 42
| 640
| d/f.npy
| f.npy
$ umask 027 && lanewise run v.co --grid 1 --block 64 out:new.npy=f32[4] x.npy y.npy i32:4 | grep wrote && stat -c %a new.npy
| wrote new.npy: float32 4
| 640
$ lanewise run v.co --grid 1 --block 64 out:lost=f32[4] x.npy y.npy i32:4
! lanewise: run: cannot write lost: it is a link to a file that does not exist
= 2
$ lanewise run v.co --grid 1 --block 64 out:loop=f32[4] x.npy y.npy i32:4
! lanewise: run: cannot write loop: it is a link to a file that does not exist
= 2
$ lanewise run v.co --grid 1 --block 64 out:d=f32[4] x.npy y.npy i32:4
! lanewise: run: cannot write d: it is a folder
= 2
$ lanewise run v.co --grid 1 --block 64 out:no/f.npy=f32[4] x.npy y.npy i32:4
! lanewise: run: cannot write no/f.npy: folder no: No such file or directory
= 2
# Devices are written directly, even by several arguments.
$ lanewise run v.co --grid 1 --block 64 out:/dev/null=f32[4] inout:x.npy=/dev/null y.npy i32:4 | grep wrote
| wrote /dev/null: float32 4
| wrote /dev/null: float32 4
# The same for eval.
$ make_npy a.npy '<f2' '(16, 16)' "$(repeat 256 003c)"
$ lanewise eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b a.npy -o here/a.npy
! lanewise: eval: cannot write here/a.npy: --a reads that file, and a file that was read is not replaced
= 2
$ make_npy m.npy '|u1' '(512,)' "$(repeat 512 01)"
$ lanewise eval ldmatrix.sync.aligned.m8n8.x4.shared.b16 --arch sm_90 --memory m.npy -o ./m.npy
! lanewise: eval: cannot write ./m.npy: --memory reads that file, and a file that was read is not replaced
= 2
