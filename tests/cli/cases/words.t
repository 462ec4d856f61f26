# Words before a verb is reached.
$ lanewise --version
| lanewise 0.2.0
$ lanewise >/dev/null
= 2
$ lanewise nothing
! lanewise: no verb 'nothing'; 'lanewise help' lists them
= 2
$ lanewise validat
! lanewise: no verb 'validat'; did you mean 'validate'?
= 2
$ lanewise help validat
! lanewise: no verb 'validat'; did you mean 'validate'?
= 2
$ lanewise --help | head -1
| lanewise 0.2.0: what a GPU's matrix instructions compute, bit for bit, without a GPU

# A verb's words.
$ lanewise validate
! lanewise: validate: needs a file of results: lanewise validate FILE... | --device hip|cuda | --list
= 2
$ lanewise validate --json
| {
|   "error": "needs a file of results: lanewise validate FILE... | --device hip|cuda | --list",
|   "status": 2
| }
! lanewise: validate: needs a file of results: lanewise validate FILE... | --device hip|cuda | --list
= 2
$ lanewise validate --jso
! lanewise: validate: unknown option '--jso'; did you mean --json?
= 2
$ lanewise validate --colour=red
! lanewise: validate: unknown option '--colour=red'; 'lanewise help validate' lists them
= 2
$ lanewise validate --json=yes
! lanewise: validate: --json takes no value, but '--json=yes' gives it one
= 2
$ lanewise validate --json --json
| {
|   "error": "--json is given twice",
|   "status": 2
| }
! lanewise: validate: --json is given twice
= 2
$ lanewise validate -x
! lanewise: validate: unknown option '-x'; 'lanewise help validate' lists them
= 2
$ lanewise validate -3 -.5 -- --json
! lanewise: validate: -3: cannot be opened: No such file or directory
= 2
$ lanewise help validate
| lanewise validate: compare with results of real GPUs; questions for one
|
|   lanewise validate FILE... | --device hip|cuda | --list
|
| FILE is a file of recorded results: one of the vector files that come with the sources
| (nvidia-mma-rows.csv, amd_rdna34_dot2_wmma_hw_vectors.csv, gfx1201_wmma_swmmac_digests.csv in
| tests/data), whose lines run through whole instructions of the target they were recorded on; or
| a recording of a GPU's answers. The exit status is 1 if a result differs from what Lanewise computes
| by default.
|
| --device compares the GPU of this machine with the emulator, bit by bit, through HIP's runtime or the
| CUDA driver; no compiler is needed. Every matrix instruction of its target, instructions that work lane
| by lane, conversions and functions over their inputs, moves through shared memory and the probes run
| in small kernels on generated operands: random bits, moderate numbers, cancellations, subnormals,
| special values, group sweeps, truncation ladders, zeros and tiny sums. --launches adds whole kernels: a
| line of LIST is FILE KERNEL GRID BLOCK LDS ARGUMENT..., an argument in:TYPE:N, out:TYPE:N or u32:V
| (examples/launches.list). The table shows cases, 32-bit words of results and how many differ; the
| first difference is explained as eval --explain does. Exit status 1: something differs; 3: no library,
| no device, an unknown architecture, or code that the driver refuses.
|
| A probe is one instruction on operands for which the readings that sources leave open predict different
| results. The table tells which of them each answer agrees with, and how many answers are those of the
| default, of another reading, or of none. --only probe asks nothing else; of probes with random operands
| there are --cases cases, and they are mentioned only where they refute the default.
|
| --record keeps the answers; FILE may be such a recording, whose operands are generated again. On a
| stand-in ('lanewise help exec') the emulator is compared with itself: that tests the path and nothing
| else. Recordings made there say so and are never counted as evidence.
|
| --part with --device compares every Nth batch of 256 cases. 'lanewise merge' prints the table of the
| whole, and writes the files of --report and --record, which the parts do not write. The devices of all
| parts must have the same name and driver.
|
| Options:
|       --device API      compare the GPU of this machine: hip or cuda
|       --only TEXT       only names that contain TEXT, or one kind: matrix, lanes, inputs, probe
|       --cases N         with --device: cases of each instruction (70)
|       --seed N          with --device: where operands begin (1)
|       --all-inputs      with --device: functions of 32 bits for all inputs; default: 65,536 of them or more
|       --launches LIST   with --device: the whole kernels of a list, too
|       --record FILE     with --device: keep the answers, for 'lanewise validate FILE'
|       --report FILE     with --device: write a report in JSON
|       --library PATH    with --device: the runtime's library, if it is not the usual one
|       --list            list the probes: the questions for a GPU that the tables leave open
|       --arch ARCH       gfx908 ... gfx1250, sm_70 ... sm_121a ('lanewise list' names them), or a
|                         product, such as MI300X, 'RX 9070', H100
|       --time-limit S    stop after S seconds: a device, or a recording
|       --part I/N        compare part I of N (from 1 on) of recorded results, or of the cases of a
|                         device; 'lanewise merge' joins the parts
|       --part-file FILE  with --part: where what it found goes
|       --json            print the answer as one JSON object
|
| Examples:
|   # what a gfx950 could settle
|   lanewise validate --list --arch gfx950
|   # on a machine with a GPU without 'lanewise exec ... --'; here on a stand-in
|   lanewise exec --arch gfx950 -- lanewise validate --device hip --only v_mfma_f32_16x16x32_f16
$ lanewise validate -h | head -1
| lanewise validate: compare with results of real GPUs; questions for one

# A full disk is not success.
$ lanewise --version >/dev/full
! lanewise: cannot write to standard output: No space left on device
= 2

# Errors in the options are JSON too, wherever --json is; a name that is not UTF-8 does not break it.
$ lanewise list --nonsense --json
| {
|   "error": "unknown option '--nonsense'; 'lanewise help list' lists them",
|   "status": 2
| }
! lanewise: list: unknown option '--nonsense'; 'lanewise help list' lists them
= 2
$ lanewise list --arch --json
| {
|   "error": "--arch --json: no such architecture; this version has gfx908, gfx90a, gfx942, gfx950, gfx1100, gfx1150, gfx1201, gfx1250, sm_70, sm_72, sm_75, sm_80, sm_86, sm_89, sm_90, sm_100, sm_100a, sm_120, sm_120a, sm_120f",
|   "status": 2
| }
! lanewise: list: --arch --json: no such architecture; this version has gfx908, gfx90a, gfx942, gfx950, gfx1100, gfx1150, gfx1201, gfx1250, sm_70, sm_72, sm_75, sm_80, sm_86, sm_89, sm_90, sm_100, sm_100a, sm_120, sm_120a, sm_120f
= 2
$ lanewise list $(printf 'a\303\251\377b') --json 2>/dev/null
| {
|   "error": "cannot open aé\ufffdb: No such file or directory",
|   "status": 2
| }
= 2

$ lanewise list --arch sm_12345
! lanewise: list: --arch sm_12345: no such architecture; this version has gfx908, gfx90a, gfx942, gfx950, gfx1100, gfx1150, gfx1201, gfx1250, sm_70, sm_72, sm_75, sm_80, sm_86, sm_89, sm_90, sm_100, sm_100a, sm_120, sm_120a, sm_120f
= 2
