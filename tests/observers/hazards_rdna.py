#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random sequences of RDNA's instructions: --check hazards against LLVM's passes.

Each sequence is written as MIR and compiled twice by llc, without and with the recognizer of hazards and the waits for
scalar registers. Wherever LLVM inserts something, the check must find the mistake that it helps against, and whatever the
check finds, something that LLVM inserts must help against it. Lane masks of gfx11 are looser: LLVM waits after every write
of a register that was read as a mask, the check asks for a wait before the first read. So every sequence ends with reads of
all scalar registers, and a wait of LLVM's is taken as found if the check finds anything of that kind after it.

usage: hazards_rdna.py PROGRAM ARCH [SEQUENCES [SEED]]     exits 77 where llc-22 is absent; LW_FULL=1: 100,000
"""
import collections
import os
import random
import subprocess
import sys
import tempfile

import hazards

EXEC, MODE = hazards.EXEC, hazards.MODE
CHUNK = 2000
SREGS = 6
V_NOP = 0x7e000000

# Where the two may differ: the rule of ours, or 'LLVM' where only LLVM inserts; text in the MIR; why.
EXCEPTIONS = [
    ('trans-use', 'V_PERMLANE64', 'in waves of 32 lanes v_permlane64 keeps its result register, so it counts as read; LLVM takes it as written only'),
    ('exec-between-results', 'V_PERMLANE64', 'the same, in waves of 64'),
    ('LLVM, after v_mov', '', 'the v_mov_b32 that LLVM inserts before v_permlane writes a register, which the check is not told of'),
]


class Pick(hazards.Pick):
    def v(self, count=1, top=5):
        return super().v(count, top)

    def s(self, count=1):
        return hazards.regs('sgpr', self.rng.randrange(0, SREGS, count), count)


# gfx1250: name, registers of A, B and C, the rest of the operands after C.
DEEP = [
    ('F32_16X16X32_F16', 8, 8, 8, '8, %s, 8, %s, 8, %s, 0, 0, 0, 0'),
    ('F16_16X16X32_F16', 8, 8, 4, '8, %s, 8, %s, 8, %s, 0, 0, 0, 0'),
    ('F32_16X16X4_F32', 2, 2, 8, '8, %s, 8, %s, 8, %s, 0, 0, 0, 0'),
    ('F32_16X16X64_FP8_FP8', 8, 8, 8, '%s, %s, 8, %s, 0, 0, 0, 0'),
    ('F32_16X16X128_FP8_BF8', 16, 16, 8, '%s, %s, 8, %s, 0, 0, 0, 0'),
    ('I32_16X16X64_IU8', 8, 8, 8, '8, %s, 8, %s, %s, 0, 0, 0, 0'),
    ('F32_16X16X128_F8F6F4_f8_f8', 16, 16, 8, '%s, %s, 8, %s, 0, 0, 0, 0'),
    ('F32_16X16X128_F8F6F4_f8_f4', 16, 8, 8, '%s, %s, 8, %s, 0, 4, 0, 0'),
    ('F32_16X16X128_F8F6F4_f6_f6', 12, 12, 8, '%s, %s, 8, %s, 2, 2, 0, 0'),
    ('F32_16X16X128_F8F6F4_f4_f4', 8, 8, 8, '%s, %s, 8, %s, 4, 4, 0, 0'),
    ('F32_32X16X128_F4', 16, 8, 16, '%s, %s, 8, %s, 0, 0'),
]
DEEP_SPARSE = [
    ('F32_16X16X64_F16', 8, 16, 8, 1, '8, %s, 8, %s, %s, %s, 0, 0, 0, 0, 0'),
    ('F32_16X16X128_FP8_FP8', 8, 16, 8, 2, '%s, %s, %s, %s, 0, 0, 0'),
    ('I32_16X16X128_IU8', 8, 16, 8, 2, '8, %s, 8, %s, %s, %s, 0, 0, 0, 0, 0'),
]


def deep(p):
    """A matrix instruction of gfx1250, near registers that the others use."""
    first = lambda n: hazards.regs('vgpr', p.rng.choice((0, 8, 16, 24, 32)), n)
    if p.rng.random() < 0.3:
        name, a, b, c, index, rest = p.rng.choice(DEEP_SPARSE)
        d = first(c)
        return '%s = V_SWMMAC_%s_w32_twoaddr %s, %s' % (d, name, rest % (first(a), first(b), d, p.v(index, 20)), EXEC)
    name, a, b, c, rest = p.rng.choice(DEEP)
    d = first(c)
    return 'early-clobber %s = V_WMMA_%s_w32_twoaddr %s, %s' % (d, name, rest % (first(a), first(b), d), EXEC)


def wmma(p, arch):
    """Some matrix instructions chain, so that A, B and C meet results."""
    if arch == 'gfx1250':
        return deep(p)
    n = 8 if arch != 'gfx1201' else 4
    first = [0, 8, 16, 24]
    d = hazards.regs('vgpr', p.rng.choice(first), 8)
    c = d if p.rng.random() < 0.6 else hazards.regs('vgpr', p.rng.choice(first), 8)
    a, b = (hazards.regs('vgpr', p.rng.choice(first), n) for _ in range(2))
    if arch == 'gfx1201' and p.rng.random() < 0.4:
        wide = hazards.regs('vgpr', p.rng.choice(first), 8)
        return 'early-clobber %s = V_SWMMAC_F32_16X16X32_F16_w32_twoaddr 8, %s, 8, %s, %s, %s, 0, 0, 0, %s' % (
            d, a, wide, d, p.v(1, 20), EXEC)
    name = ('V_WMMA_F32_16X16X16_F16_w32_%s' if arch == 'gfx1201' else 'V_WMMA_F32_16X16X16_F16_%s_w32') % ('twoaddr' if c == d else 'threeaddr')
    return 'early-clobber %s = %s 8, %s, 8, %s, 8, %s, 0, 0, %s' % (d, name, a, b, c, EXEC)


PLAIN = [
    lambda p: '%s = V_MOV_B32_e32 %s, %s' % (p.v(), p.v(), EXEC),
    lambda p: '%s = V_MOV_B32_e32 %s, %s' % (p.v(), p.s(), EXEC),
    lambda p: '%s = V_MOV_B32_e32 1234567, %s' % (p.v(), EXEC),
    lambda p: '%s = V_ADD_U32_e32 %s, %s, %s' % (p.v(), p.v(), p.v(), EXEC),
    lambda p: '%s = V_ADD_U32_e32 %s, %s, %s' % (p.v(), p.s(), p.v(), EXEC),
    lambda p: '%s = V_FMA_F32_e64 0, %s, 0, %s, 0, %s, 0, 0, %s' % (p.v(), p.v(), p.v(), p.s(), MODE),
    lambda p: '%s = V_FMA_F32_e64 0, %s, 0, %s, 0, %s, 0, 0, %s' % (p.v(), p.v(), p.v(), p.v(), MODE),
    lambda p: (lambda d: '%s = V_FMAC_F32_e32 %s, %s, %s, %s' % (d, p.v(), p.v(), d, MODE))(p.v()),
    lambda p: '%s = V_RCP_F32_e32 %s, %s' % (p.v(), p.v(), MODE),
    lambda p: '%s = V_EXP_F32_e32 %s, %s' % (p.v(), p.v(), MODE),
    lambda p: '%s = V_READFIRSTLANE_B32 %s, %s' % (p.s(), p.v(), EXEC),
    lambda p: '%s = V_READLANE_B32 %s, %s' % (p.s(), p.v(), p.s()),
    lambda p: (lambda d: '%s = V_WRITELANE_B32 %s, 5, %s' % (d, p.s(), d))(p.v()),
    lambda p: (lambda d: '%s = V_MOV_B32_dpp %s, %s, 0, 15, 15, 0, %s' % (d, d, p.v(), EXEC))(p.v()),
    lambda p: 'V_CMPX_EQ_U32_nosdst_e32 %s, %s, implicit-def $exec, %s' % (p.v(), p.v(), EXEC),
    lambda p: (lambda d: '%s = V_PERMLANE16_B32_e64 0, %s, 0, %s, 0, %s, %s, 0, %s'
               % (d, p.v(), p.s(), p.s(), d, EXEC))(p.v()),
    lambda p: '%s = V_PERMLANE64_B32 %s, %s' % (p.v(), p.v(), EXEC),
    lambda p: 'V_NOP_e32 ' + EXEC,
    lambda p: '%s = S_MOV_B32 %s' % (p.s(), p.s()),
    lambda p: '%s = S_MOV_B32 7' % p.s(),
    lambda p: '%s = S_MOV_B64 0' % p.s(2),
    lambda p: '%s = S_MOV_B64 %s' % (p.s(2), p.s(2)),
    lambda p: '%s = S_ADD_I32 %s, %s, implicit-def $scc' % (p.s(), p.s(), p.s()),
    lambda p: 'S_CMP_EQ_U32 %s, %s, implicit-def $scc' % (p.s(), p.s()),
    lambda p: '$m0 = S_MOV_B32 %s' % p.s(),
    lambda p: 'S_NOP 3',
]
SHIFT = {'gfx1201': 'V_LSHLREV_B64_pseudo_e32', 'gfx1250': 'V_LSHLREV_B64_pseudo_e32'}
# For one lane size each: lane masks, EXEC and VCC.
MASKS = {
    64: [lambda p: '%s = V_CMP_EQ_U32_e64 %s, %s, %s' % (p.s(2), p.v(), p.v(), EXEC),
         lambda p: 'V_CMP_EQ_U32_e32 %s, %s, implicit-def $vcc, %s' % (p.v(), p.v(), EXEC),
         lambda p: '%s = V_CNDMASK_B32_e64 0, %s, 0, %s, %s, %s' % (p.v(), p.v(), p.v(), p.s(2), EXEC),
         lambda p: '%s = V_CNDMASK_B32_e32 %s, %s, implicit $vcc, %s' % (p.v(), p.v(), p.v(), EXEC),
         lambda p: '%s = V_ADDC_U32_e32 %s, %s, implicit-def $vcc, implicit $vcc, %s' % (p.v(), p.v(), p.v(), EXEC),
         lambda p: '%s, %s = V_ADDC_U32_e64 %s, %s, %s, 0, %s' % (p.v(), p.s(2), p.v(), p.v(), p.s(2), EXEC),
         lambda p: '%s = V_DIV_FMAS_F32_e64 0, %s, 0, %s, 0, %s, 0, 0, implicit $vcc, %s' % (p.v(), p.v(), p.v(), p.v(), MODE),
         lambda p: '$vcc = S_MOV_B64 %s' % p.s(2),
         lambda p: '%s = S_MOV_B64 $vcc' % p.s(2),
         lambda p: '$exec = S_MOV_B64 %s' % p.s(2),
         lambda p: '%s = S_AND_SAVEEXEC_B64 %s, implicit-def $exec, implicit-def $scc, implicit $exec' % (p.s(2), p.s(2))],
    32: [lambda p: '%s = V_CMP_EQ_U32_e64 %s, %s, %s' % (p.s(), p.v(), p.v(), EXEC),
         lambda p: 'V_CMP_EQ_U32_e32 %s, %s, implicit-def $vcc, %s' % (p.v(), p.v(), EXEC),
         lambda p: '%s = V_CNDMASK_B32_e64 0, %s, 0, %s, %s, %s' % (p.v(), p.v(), p.v(), p.s(), EXEC),
         lambda p: '%s = V_CNDMASK_B32_e32 %s, %s, implicit $vcc, %s' % (p.v(), p.v(), p.v(), EXEC),
         lambda p: '$vcc_lo = S_MOV_B32 %s' % p.s(),
         lambda p: '%s = S_MOV_B32 $vcc_lo' % p.s(),
         lambda p: '$exec_lo = S_MOV_B32 %s' % p.s()],
}
MEMORY = [
    lambda p: '%s = S_LOAD_DWORD_IMM $sgpr16_sgpr17, 0, 0' % p.s(),
    lambda p: '%s = GLOBAL_LOAD_DWORD %s, 0, 0, %s' % (p.v(), p.v(2), EXEC),
    lambda p: '%s = BUFFER_LOAD_DWORD_OFFSET $sgpr16_sgpr17_sgpr18_sgpr19, 0, 0, 0, 0, %s' % (p.v(), EXEC),
    lambda p: '%s = DS_READ_B32_gfx9 %s, 0, 0, %s' % (p.v(), p.v(), EXEC),
]
# s_waitcnt_depctr, s_wait_alu: sa_sdst(0), va_sdst(0), va_vcc(0), va_vdst(0). gfx11 gets the last one only: LLVM's waits
# after writes make the others superfluous.
WAITS = {'gfx1201': (0xfffe, 0xf1ff, 0xfffd, 0x0fff), 'gfx1250': (0xfffe, 0xf1ff, 0xfffd, 0x0fff, 0xf19e)}


# gfx1250: what needs waits beside it.
ARRIVE = 'DS_ATOMIC_ASYNC_BARRIER_ARRIVE_B64 %s, 0, 0, implicit-def $asynccnt, implicit $asynccnt, ' + EXEC
BESIDE = [
    lambda p: ARRIVE % p.v(),
    lambda p: '%s = S_GETREG_B32 %d, implicit $mode' % (p.s(), p.rng.choice((1, 2, 3, 4, 17, 18, 20, 21)) | 31 << 11),
    lambda p: '$sgpr%d = S_MOV_B32 %s' % (p.rng.choice((101, 102, 103)), p.s()),
    lambda p: '$sgpr102_sgpr103 = S_MOV_B64 0',
    lambda p: '$sgpr%d = V_READLANE_B32 %s, 0' % (p.rng.choice((102, 103)), p.v()),
    lambda p: '%s = S_MOV_B32 $src_flat_scratch_base_%s' % (p.s(), p.rng.choice(('lo', 'hi'))),
    lambda p: '%s = S_MOV_B64 $src_flat_scratch_base' % p.s(2),
]


def instruction(p, arch, lanes):
    x = p.rng.random()
    if arch == 'gfx1250' and p.rng.random() < 0.1:
        return p.rng.choice(BESIDE)(p)
    if x < 0.04:
        return p.rng.choice(MEMORY)(p)
    if x < 0.07:
        return 'S_WAITCNT_DEPCTR %d' % p.rng.choice(WAITS.get(arch, (0x0fff,)))
    if x < (0.3 if arch == 'gfx1250' else 0.15) and lanes == 32:
        return wmma(p, arch)
    if x < 0.17:
        return '%s = %s %s, %s, %s' % (p.v(2), SHIFT.get(arch, 'V_LSHLREV_B64_e64'), p.v(), p.v(2), EXEC)
    return p.rng.choice(MASKS[lanes] if x < 0.5 else PLAIN)(p)


def sequence(p, arch, lanes):
    lines = [instruction(p, arch, lanes) for _ in range(p.rng.randrange(3, 15 if arch == 'gfx1250' else 9))]
    if arch == 'gfx1250':
        lines = ['S_NOP 0'] + lines + ['S_NOP 0']  # waits before and after
    if not arch.startswith('gfx12'):
        lines += ['$sgpr%d = S_MOV_B32 $sgpr%d' % (20 + r, r) for r in range(SREGS)] + ['$sgpr20_sgpr21 = S_MOV_B64 $vcc']
    return lines


def compile_all(arch, lanes, cases, options):
    with tempfile.TemporaryDirectory() as folder:
        source, out = os.path.join(folder, 'a.mir'), os.path.join(folder, 'a.o')
        open(source, 'w').write(hazards.mir(cases))
        done = subprocess.run([hazards.LLC, '-mtriple=amdgcn-amd-amdhsa', '-mcpu=' + arch, '-mattr=+wavefrontsize%d' % lanes,
                               '-amdgpu-enable-delay-alu=0', '-filetype=obj', '-o', out, source] + options,
                              capture_output=True, text=True)
        if done.returncode:
            if len(cases) == 1 and os.environ.get('LW_SHOW'):
                print('\n'.join(cases[0]), done.stderr.split('\n')[0])
            return None
        words = hazards.functions(out)
        return [list(words['f%d' % i]) for i in range(len(cases))]


def ask_llvm(arch, lanes, cases):
    """(words, the dwords before which LLVM inserts something) of each; None where llc refuses it."""
    plain = compile_all(arch, lanes, cases, ['-start-after=post-RA-hazard-rec', '-amdgpu-sgpr-hazard-wait=0'])
    padded = plain and compile_all(arch, lanes, cases, ['-start-before=post-RA-hazard-rec'])
    if not padded:
        if len(cases) == 1:
            return [None]
        half = len(cases) // 2
        return ask_llvm(arch, lanes, cases[:half]) + ask_llvm(arch, lanes, cases[half:])
    return [(a,) + inserted(a, b) for a, b in zip(plain, padded)]


def inserted(plain, padded):
    """({dword of the plain words: the groups of what is inserted before it}, {dword: how many v_nop})"""
    found, nops, at = collections.defaultdict(set), collections.Counter(), 0
    for word in padded:
        if at < len(plain) and word == plain[at]:
            at += 1
        elif at < len(plain) and word >> 16 == plain[at] >> 16 == 0xbf88 and word & plain[at] == word:
            found[at + 1].add('scalars' if (word ^ plain[at]) & 0xe03 else 'vectors')  # a field of a wait that is there
            at += 1
        else:
            found[at].add(group_of(word))
            nops[at] += word == V_NOP
    assert at == len(plain), (plain, padded)
    return found, nops


def group_of(word):
    """Against what an inserted instruction helps: v_nop, v_mov_b32 of a register to itself, waits."""
    if word == V_NOP:
        return 'wmma-ab'
    if word >> 25 == 0x3f:
        return 'cmpx-permlane'
    assert word >> 16 == 0xbf88, hex(word)
    return 'vectors' if not word >> 12 & 15 else 'scalars'


GROUPS = {'wmma-vector': 'wmma-ab', 'getreg-state': 'vectors', 'arrival-sources': 'scalars', 'scratch-base': 'scalars', 'trans-use': 'vectors', 'exec-between-results': 'vectors', 'mask-overwritten': 'scalars', 'sgpr-overwritten': 'scalars'}


def ask_ours(program, arch, lanes, cases):
    """[(place, earlier, rule)] of each; None where it is not decoded."""
    text = '\n'.join(' '.join('%x' % w for w in words) for words in cases) + '\n'
    done = subprocess.run([program, arch, str(lanes)], input=text, capture_output=True, text=True, check=True)
    split = [[f.split(':') for f in line.split()] for line in done.stdout.splitlines()]
    return [None if s[0][0] == '-' else [(int(f[0]), int(f[1]), f[2], int(f[4])) for f in s if f != ['none']] for s in split]


def cured_by(rule, arch):
    return 'wmma-ab' if arch == 'gfx1250' and rule == 'trans-use' else GROUPS.get(rule, rule)


def cures(rule, arch):
    """gfx1250: a v_mov_b32 is as good as a v_nop, and a wait for all as any other one."""
    return {cured_by(rule, arch)} | ({'cmpx-permlane'} if arch == 'gfx1250' else set()) | ({'vectors'} if rule == 'scratch-base' else set())


def compare(arch, theirs, nops, mine):
    """The rule whose finding nothing of LLVM's cures, 'LLVM' if it inserts what is not found, or another number of v_nop, or ''."""
    for place, earlier, rule, _ in mine:
        if rule == 'exec-between-results':  # the later of two writes is named, and a wait before it helps as well
            earlier = -1
        if not any(earlier < at <= place and groups & cures(rule, arch) for at, groups in theirs.items()):
            return rule
    for at, groups in theirs.items():
        for group in groups:
            if any(f[0] == at and f[2] == 'getreg-state' for f in mine):  # a wait for all helps against all
                continue
            late = group == 'scalars' and not arch.startswith('gfx12')
            if not any(cured_by(f[2], arch) == group and (at <= f[0] if late else f[0] == at) for f in mine):
                moved = group == 'vectors' and any('cmpx-permlane' in g for before, g in theirs.items() if before < at)
                return 'LLVM, after v_mov' if moved else 'LLVM'
    first = min((at for at in nops if nops[at]), default=None)
    # LLVM stops at the first kind of matrix instruction that asks for some, though another kind may ask for more
    counted = arch == 'gfx1250' and first is not None and not any('cmpx-permlane' in theirs[at] for at in theirs if at <= first)
    if counted and nops[first] not in [f[3] for f in mine if f[0] == first]:
        return 'LLVM'
    return ''


def judge(arch, cases, llvm, ours, tally, bad):
    for lines, theirs, mine in zip(cases, llvm, ours):
        if mine is None:
            tally['not decoded'] += 1
            bad.append((lines, theirs, mine))
            continue
        rule = compare(arch, theirs[1], theirs[2], mine)
        reason = next((e for e in EXCEPTIONS if rule == e[0] and any(e[1] in line for line in lines)), None)
        if not rule:
            for found in {f[2] for f in mine} or {'nothing'}:
                tally[found] += 1
        elif reason:
            tally['excepted: ' + rule] += 1
        else:
            bad.append((lines, theirs, mine))


def main():
    program, arch = sys.argv[1:3]
    if not hazards.LLC:
        print('skipped: llc-22 is not installed')
        return 77
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 100000 if os.environ.get('LW_FULL') else 3000
    rng = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    tally, bad = collections.Counter(), []
    for start in range(0, count, CHUNK):
        sizes = (32,) if arch == 'gfx1250' else (32, 64)
        for lanes in sizes:
            cases = [sequence(Pick(rng), arch, lanes) for _ in range(min(CHUNK, count - start) // len(sizes))]
            llvm = ask_llvm(arch, lanes, cases)
            tally['refused by llc'] += sum(a is None for a in llvm)
            both = [(c, a) for c, a in zip(cases, llvm) if a]
            ours = ask_ours(program, arch, lanes, [a[0][:-1] for _, a in both])
            judge(arch, [c for c, _ in both], [a for _, a in both], ours, tally, bad)
    for lines, theirs, mine in bad[:int(os.environ.get('LW_SHOW', 20))]:
        print('\n'.join(lines))
        print('    LLVM inserts %s (v_nop: %s), ours says %s' % (dict(theirs[1]), dict(theirs[2]), mine))
    print('%s, %d sequences: %s; different: %d'
          % (arch, count, ', '.join('%s %d' % x for x in sorted(tally.items())), len(bad)))
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
