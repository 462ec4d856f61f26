# Words before any verb is reached.
$ lanewise --version
| lanewise 0.1.0
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
| lanewise 0.1.0: what a GPU's matrix instructions compute, bit for bit, without a GPU

# A verb's words.
$ lanewise validate
! lanewise: validate: not in this version: comparing with recorded vectors or with a GPU comes later; to compare a kernel's output with an array you have, use 'lanewise run ... --expect y.npy'
= 3
$ lanewise validate --json
| {
|   "error": "not in this version: comparing with recorded vectors or with a GPU comes later; to compare a kernel's output with an array you have, use 'lanewise run ... --expect y.npy'",
|   "status": 3
| }
! lanewise: validate: not in this version: comparing with recorded vectors or with a GPU comes later; to compare a kernel's output with an array you have, use 'lanewise run ... --expect y.npy'
= 3
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
! lanewise: validate: not in this version: comparing with recorded vectors or with a GPU comes later; to compare a kernel's output with an array you have, use 'lanewise run ... --expect y.npy'
= 3
$ lanewise help validate
| lanewise validate: compare with recorded vectors or with a GPU (not in this version)
|
|   lanewise validate ...
|
| This version has no validate. 'lanewise run ... --expect y.npy' compares a kernel's output with an
| array, bit for bit.
|
| Options:
|       --json  print the answer as one JSON object
|
| Examples:
|   # says that it is not there yet (exit status 3)
|   lanewise validate
$ lanewise validate -h | head -1
| lanewise validate: compare with recorded vectors or with a GPU (not in this version)

# A full disk is not success.
$ lanewise --version >/dev/full
! lanewise: cannot write to standard output: No space left on device
= 2

# Errors in the options are JSON too, wherever --json stands; a name that is no UTF-8 does not break it.
$ lanewise list --nonsense --json
| {
|   "error": "unknown option '--nonsense'; 'lanewise help list' lists them",
|   "status": 2
| }
! lanewise: list: unknown option '--nonsense'; 'lanewise help list' lists them
= 2
$ lanewise list --arch --json
| {
|   "error": "--arch --json: no such architecture; this version has gfx908, gfx90a, gfx942, gfx950, gfx1100, gfx1201, gfx1250",
|   "status": 2
| }
! lanewise: list: --arch --json: no such architecture; this version has gfx908, gfx90a, gfx942, gfx950, gfx1100, gfx1201, gfx1250
= 2
$ lanewise list $(printf 'a\303\251\377b') --json 2>/dev/null
| {
|   "error": "cannot open aé\ufffdb: No such file or directory",
|   "status": 2
| }
= 2

# GPUs that are known and not here are unsupported, not a mistake.
$ lanewise list --arch sm_90a
! lanewise: list: --arch sm_90a: NVIDIA GPUs are not in this version, which has gfx908, gfx90a, gfx942, gfx950, gfx1100, gfx1201, gfx1250
= 3
$ lanewise list --arch sm_12345
! lanewise: list: --arch sm_12345: no such architecture; this version has gfx908, gfx90a, gfx942, gfx950, gfx1100, gfx1201, gfx1250
= 2
