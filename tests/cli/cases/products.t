# Products stand for their targets; for unknown names, similar ones are suggested.
$ lanewise list --arch MI300X --family mfma | tail -1
| 32 instructions of gfx942
! note: MI300X is gfx942
$ lanewise list --arch 'Radeon RX 9070' | tail -1
| 22 instructions of gfx1201
! note: Radeon RX 9070 is gfx1201
$ lanewise list --arch h100 --family ldmatrix --json | head -2
| {
|   "arch": "sm_90",
! note: h100 is sm_90
$ lanewise list --arch 'RX 7600' | tail -1
| 6 instructions of gfx1100
! note: RX 7600 is gfx1102
! note: gfx1102 has the matrix instructions of gfx1100; it was not measured on its own
$ lanewise list --arch MI300
! lanewise: list: --arch MI300: no such architecture; did you mean MI300A or MI300X? This version has gfx908, gfx90a, gfx942, gfx950, gfx1100, gfx1150, gfx1201, gfx1250, sm_70, sm_72, sm_75, sm_80, sm_86, sm_89, sm_90, sm_100, sm_100a, sm_120, sm_120a, sm_120f
= 2
$ lanewise list --arch gfx951
! lanewise: list: --arch gfx951: no such architecture; did you mean gfx950? This version has gfx908, gfx90a, gfx942, gfx950, gfx1100, gfx1150, gfx1201, gfx1250, sm_70, sm_72, sm_75, sm_80, sm_86, sm_89, sm_90, sm_100, sm_100a, sm_120, sm_120a, sm_120f
= 2
$ lanewise list --arch 'RTX 4900'
! lanewise: list: --arch RTX 4900: no such architecture; did you mean RTX A4000? This version has gfx908, gfx90a, gfx942, gfx950, gfx1100, gfx1150, gfx1201, gfx1250, sm_70, sm_72, sm_75, sm_80, sm_86, sm_89, sm_90, sm_100, sm_100a, sm_120, sm_120a, sm_120f
= 2
$ lanewise list --arch Voodoo2
! lanewise: list: --arch Voodoo2: no such architecture; this version has gfx908, gfx90a, gfx942, gfx950, gfx1100, gfx1150, gfx1201, gfx1250, sm_70, sm_72, sm_75, sm_80, sm_86, sm_89, sm_90, sm_100, sm_100a, sm_120, sm_120a, sm_120f
= 2
