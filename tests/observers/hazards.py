#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Wait states of random pairs of instructions: --check hazards against LLVM's hazard recognizer.

Each pair is written as MIR and compiled twice by llc, without and with the recognizer: the first gives the words for the
check, the second how many wait states LLVM inserts. The strict level must require as many, except where
EXCEPTIONS says why.

usage: hazards.py PROGRAM ARCH [PAIRS [SEED]]     exits 77 where llc-22 is absent; LW_FULL=1: 100,000 pairs
"""
import collections
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile

LLC = shutil.which('llc-22')
CHUNK = 2000
EXEC, MODE = 'implicit $exec', 'implicit $mode, implicit $exec'

# Where the two may differ: which one requires more, which rule of ours, text in the pair's MIR, and why.
EXCEPTIONS = [
    ('ours', 'dot-matrix', '', 'the CDNA3 manual (4.5) asks for 3 between a dot product and a matrix instruction; LLVM for none'),
    ('ours', 'matrix-c', '', 'C that is all of D needs nothing only if both take as many passes (CDNA3 manual 4.5); LLVM does not compare'),
    ('ours', 'setreg-vskip', '', 'the manual asks for 2 after s_setreg of MODE.vskip; LLVM knows no such rule'),
    ('ours', 'matrix-result-write', 'V_MFMA_F64', 'strict: the CDNA4 manual gives 19 after a binary64 16x16x4; LLVM asks for 11'),
    ('ours', 'matrix-result-read', 'V_MFMA_F64', 'what SDWA preserves of its register is read; LLVM takes it as written only'),
    ('LLVM', 'none', 'V_PK_', 'LLVM takes op_sel_hi of a packed instruction for the op_sel of an upper half: the same bit of its flags'),
    ('LLVM', 'none', 'BUFFER_LOAD_DWORD_LDS', 'LLVM takes a load to LDS for a vector instruction: its flag says so'),
    ('LLVM', 'none', 'GLOBAL_LOAD_LDS_DWORD', 'the same'),
    ('ours', 'acc-memory', '_LDS_', 'gfx908: a load to LDS reads registers as other loads do; LLVM does not count it among loads and stores'),
    ('ours', 'valu-acc-memory', '_LDS_', 'the same'),
    ('ours', 'trans-valu', '_sdwa', 'what SDWA preserves of its register is read; LLVM takes it as written only'),
]


def excepted(lines, theirs, strict, rule):
    more = 'ours' if strict > theirs else 'LLVM'
    for side, ours, text, _ in EXCEPTIONS:
        if side == more and ours == rule and text in ''.join(lines):
            return side + ': ' + (ours if side == 'ours' else text)
    return None


def regs(kind, first, count=1):
    return '$' + '_'.join('%s%d' % (kind, first + i) for i in range(count))


class Pick:
    """Few registers, so that instructions conflict."""

    def __init__(self, rng, arch=None):
        self.rng, self.arch = rng, arch

    def v(self, count=1, top=12):
        return regs('vgpr', self.rng.randrange(0, top, 2) if count > 1 else self.rng.randrange(top), count)

    def a(self, count=1, top=12):
        return regs('agpr', self.rng.randrange(0, top, 2) if count > 1 else self.rng.randrange(top), count)

    def s(self, count=1):
        step = 4 if count > 2 else count
        return regs('sgpr', self.rng.randrange(0, 8, step), count)


# (opcode, dwords of A, of B, of C and D)
MFMA = {
    'gfx908': [('F32_32X32X1F32', 1, 1, 32), ('F32_16X16X1F32', 1, 1, 16), ('F32_4X4X1F32', 1, 1, 4), ('F32_32X32X2F32', 1, 1, 16),
               ('F32_16X16X4F32', 1, 1, 4), ('F32_32X32X8F16', 2, 2, 16), ('F32_16X16X16F16', 2, 2, 4), ('F32_4X4X4F16', 2, 2, 4),
               ('I32_16X16X16I8', 1, 1, 4), ('F32_16X16X8BF16', 1, 1, 4)],
    'gfx90a': [('F32_32X32X1F32', 1, 1, 32), ('F32_16X16X1F32', 1, 1, 16), ('F32_4X4X1F32', 1, 1, 4), ('F32_32X32X2F32', 1, 1, 16),
               ('F32_16X16X4F32', 1, 1, 4), ('F32_32X32X8F16', 2, 2, 16), ('F32_16X16X16F16', 2, 2, 4), ('F32_4X4X4F16', 2, 2, 4),
               ('I32_16X16X16I8', 1, 1, 4), ('F32_16X16X16BF16_1K', 2, 2, 4), ('F64_16X16X4F64', 2, 2, 8), ('F64_4X4X4F64', 2, 2, 2)],
    'gfx942': [('F32_32X32X1F32', 1, 1, 32), ('F32_4X4X1F32', 1, 1, 4), ('F32_32X32X2F32', 1, 1, 16), ('F32_16X16X4F32', 1, 1, 4),
               ('F32_32X32X8F16', 2, 2, 16), ('F32_16X16X16F16', 2, 2, 4), ('F32_4X4X4F16', 2, 2, 4), ('F32_16X16X4F16', 2, 2, 16),
               ('I32_16X16X32I8', 2, 2, 4), ('F32_16X16X8XF32', 2, 2, 4), ('F32_16X16X32_FP8_BF8', 2, 2, 4),
               ('F64_16X16X4F64', 2, 2, 8), ('F64_4X4X4F64', 2, 2, 2)],
    'gfx950': [('F32_32X32X1F32', 1, 1, 32), ('F32_4X4X1F32', 1, 1, 4), ('F32_16X16X4F32', 1, 1, 4), ('F32_32X32X8F16', 2, 2, 16),
               ('F32_16X16X16F16', 2, 2, 4), ('F32_4X4X4F16', 2, 2, 4), ('F32_16X16X32_F16', 4, 4, 4), ('I32_32X32X32_I8', 4, 4, 16),
               ('F32_16X16X128_F8F6F4_f8_f8', 8, 8, 4), ('F32_16X16X128_F8F6F4_f4_f4', 4, 4, 4), ('F32_32X32X64_F8F6F4_f6_f4', 6, 4, 16),
               ('SCALE_F32_16X16X128_F8F6F4_f8_f4', 8, 4, 4), ('SCALE_F32_32X32X64_F8F6F4_f4_f4', 4, 4, 16),
               ('F64_16X16X4F64', 2, 2, 8), ('F64_4X4X4F64', 2, 2, 2)],
}
SMFMAC = [('F32_16X16X32_F16', 2, 4, 4), ('F32_32X32X16_F16', 2, 4, 16), ('I32_16X16X64_I8', 2, 4, 4)]


def mfma(p, stem, na, nb, nc):
    codes = {'f8': 0, 'f6': 2, 'f4': 4}
    tail = '0, 0, 0'
    if 'F8F6F4' in stem:
        tail = '%d, %d' % tuple(codes[x] for x in stem.split('_')[-2:])
        if stem.startswith('SCALE'):
            tail += ', %s, %s, 0, 0' % (p.v(), p.v())
    acc = p.arch == 'gfx908' or p.rng.random() < 0.2
    c = (p.a if acc else p.v)(nc)
    d = c if p.rng.random() < 0.4 else (p.a if acc else p.v)(nc)
    form = '_e64' if acc else '_vgprcd_e64'
    a, b = ((p.a if p.arch == 'gfx908' and p.rng.random() < 0.3 else p.v)(n) for n in (na, nb))
    return '%s = V_MFMA_%s%s %s, %s, %s, %s, %s' % (d, stem, form, a, b, c, tail, MODE)


def smfmac(p, stem, na, nb, nc):
    d = p.v(nc)
    return '%s = V_SMFMAC_%s_e64 %s, %s, %s, 0, 0, %s, %s' % (d, stem, p.v(na), p.v(nb), p.v(), d, MODE)


def matrix(p, arch):
    if arch not in ('gfx908', 'gfx90a') and p.rng.random() < 0.15:
        return smfmac(p, *p.rng.choice(SMFMAC))
    return mfma(p, *p.rng.choice(MFMA[arch]))


def swap(p, arch):
    a, b = p.rng.sample(range(12), 2)
    width = p.rng.choice((16, 32))
    return '$vgpr%d, $vgpr%d = V_PERMLANE%d_SWAP_B32_e32 $vgpr%d, $vgpr%d, %s' % (a, b, width, a, b, EXEC)


# Everything else: for all targets, then for some.
PLAIN = [
    lambda p: '%s = V_MOV_B32_e32 %s, %s' % (p.v(), p.v(), EXEC),
    lambda p: '%s = V_MOV_B32_e32 %s, %s' % (p.v(), p.s(), EXEC),
    lambda p: '%s = V_MOV_B32_e32 $vcc_lo, %s' % (p.v(), EXEC),
    lambda p: '%s = V_MOV_B32_e32 $exec_lo, %s' % (p.v(), EXEC),
    lambda p: '%s = V_ADD_F32_e32 %s, %s, %s' % (p.v(), p.v(), p.v(), MODE),
    lambda p: '%s = V_ADD_F32_e64 0, %s, 0, %s, 0, 0, %s' % (p.v(), p.s(), p.v(), MODE),
    lambda p: '%s = V_FMA_F32_e64 0, %s, 0, %s, 0, %s, 0, 0, %s' % (p.v(), p.v(), p.v(), p.v(), MODE),
    lambda p: '%s = V_FMA_F64_e64 0, %s, 0, %s, 0, %s, 0, 0, %s' % (p.v(2), p.v(2), p.v(2), p.v(2), MODE),
    lambda p: '%s = V_ADD_F64_e64 0, %s, 0, %s, 0, 0, %s' % (p.v(2), p.v(2), p.v(2), MODE),
    lambda p: '%s = V_RCP_F32_e32 %s, %s' % (p.v(), p.v(), MODE),
    lambda p: '%s = V_EXP_F32_e32 %s, %s' % (p.v(), p.v(), MODE),
    lambda p: '%s = V_SQRT_F32_e32 %s, %s' % (p.v(), p.v(), MODE),
    lambda p: '%s = V_READFIRSTLANE_B32 %s, %s' % (p.s(), p.v(), EXEC),
    lambda p: '%s = V_READLANE_B32 %s, %s' % (p.s(), p.v(), p.s()),
    lambda p: '%s = V_READLANE_B32 %s, 3' % (p.s(), p.v()),
    lambda p: (lambda d: '%s = V_WRITELANE_B32 %s, %s, %s' % (d, p.s(), '5', d))(p.v()),
    lambda p: (lambda d: '%s = V_WRITELANE_B32 7, %s, %s' % (d, p.s(), d))(p.v()),
    lambda p: '%s = V_CMP_EQ_U32_e64 %s, %s, %s' % (p.s(2), p.v(), p.v(), EXEC),
    lambda p: 'V_CMP_EQ_U32_e32 %s, %s, implicit-def $vcc, %s' % (p.v(), p.v(), EXEC),
    lambda p: 'V_CMPX_EQ_U32_e32 %s, %s, implicit-def $vcc, implicit-def $exec, %s' % (p.v(), p.v(), EXEC),
    lambda p: '%s = V_CNDMASK_B32_e64 0, %s, 0, %s, %s, %s' % (p.v(), p.v(), p.v(), p.s(2), EXEC),
    lambda p: '%s = V_CNDMASK_B32_e32 %s, %s, implicit $vcc, %s' % (p.v(), p.v(), p.v(), EXEC),
    lambda p: '%s = V_ADDC_U32_e32 %s, %s, implicit-def $vcc, implicit $vcc, %s' % (p.v(), p.v(), p.v(), EXEC),
    lambda p: '%s, %s = V_ADDC_U32_e64 %s, %s, %s, 0, %s' % (p.v(), p.s(2), p.v(), p.v(), p.s(2), EXEC),
    lambda p: '%s, $vcc = V_DIV_SCALE_F32_e64 0, $vgpr1, 0, $vgpr1, 0, %s, 0, 0, %s' % (p.v(), p.v(), MODE),
    lambda p: '%s = V_DIV_FMAS_F32_e64 0, %s, 0, %s, 0, %s, 0, 0, implicit $vcc, %s' % (p.v(), p.v(), p.v(), p.v(), MODE),
    lambda p: (lambda d: '%s = V_MOV_B32_dpp %s, %s, 0, 15, 15, 0, %s' % (d, d, p.v(), EXEC))(p.v()),
    lambda p: (lambda d: '%s = V_ADD_F32_dpp %s, 0, %s, 0, %s, 273, 15, 15, 0, %s' % (d, d, p.v(), p.v(), MODE))(p.v()),
    lambda p: (lambda d: '%s = V_ADD_U16_sdwa 0, %s, 0, %s, 0, %d, 2, 6, 6, implicit $exec, implicit %s(tied-def 0)'
               % (d, p.v(), p.v(), p.rng.choice((0, 3, 4, 5, 6)), d))(p.v()),
    lambda p: '%s = V_MAD_U16_gfx9_e64 %d, %s, 0, %s, 0, %s, 0, 0, %s' % (p.v(), p.rng.choice((0, 8)), p.v(), p.v(), p.v(), EXEC),
    lambda p: '%s = V_ACCVGPR_WRITE_B32_e64 %s, %s' % (p.a(), p.v(), EXEC),
    lambda p: '%s = V_ACCVGPR_READ_B32_e64 %s, %s' % (p.v(), p.a(), EXEC),
    lambda p: '%s = V_DOT4_I32_I8 0, %s, 0, %s, 0, %s, 0, 0, 0, %s' % (p.v(), p.v(), p.v(), p.v(), EXEC),
    lambda p: '%s = V_DOT8_I32_I4 0, %s, 0, %s, 0, %s, 0, 0, 0, %s' % (p.v(), p.v(), p.v(), p.v(), EXEC),
    lambda p: (lambda d: '%s = V_DOT2C_F32_F16_e32 %s, %s, %s, %s' % (d, p.v(), p.v(), d, MODE))(p.v()),
    lambda p: '%s = V_PK_FMA_F32 8, %s, 8, %s, 8, %s, 0, 0, 0, 0, 0, %s' % (p.v(2), p.v(2), p.v(2), p.v(2), MODE),
    lambda p: '%s = S_MOV_B32 %s' % (p.s(), p.s()),
    lambda p: '%s = S_ADD_I32 %s, %s, implicit-def $scc' % (p.s(), p.s(), p.s()),
    lambda p: '$m0 = S_MOV_B32 %s' % p.s(),
    lambda p: '$vcc = S_MOV_B64 %s' % p.s(2),
    lambda p: '$exec = S_MOV_B64 %s' % p.s(2),
    lambda p: '%s = S_MOVRELS_B32 %s, implicit $m0' % (p.s(), p.s()),
    lambda p: 'S_SENDMSG 3, implicit $exec, implicit $m0',
    lambda p: 'S_SETREG_B32 %s, %d, implicit-def $mode, implicit $mode' % (p.s(), p.rng.choice((2177, 2179))),
    lambda p: '%s = S_GETREG_B32 %d, implicit $mode' % (p.s(), p.rng.choice((2177, 2179))),
    lambda p: '%s = S_LOAD_DWORD_IMM %s, 0, 0' % (p.s(), p.s(2)),
    lambda p: '%s = GLOBAL_LOAD_DWORD %s, 0, 0, %s' % (p.v(), p.v(2), EXEC),
    lambda p: '%s = GLOBAL_LOAD_DWORDX4 %s, 0, 0, %s' % (p.v(4), p.v(2), EXEC),
    lambda p: '%s = GLOBAL_LOAD_DWORD_SADDR %s, %s, 0, 0, %s' % (p.v(), p.s(2), p.v(), EXEC),
    lambda p: 'GLOBAL_STORE_DWORD %s, %s, 0, 0, %s' % (p.v(2), p.v(), EXEC),
    lambda p: 'GLOBAL_STORE_DWORDX2 %s, %s, 0, 0, %s' % (p.v(2), p.v(2), EXEC),
    lambda p: 'GLOBAL_STORE_DWORDX3 %s, %s, 0, 0, %s' % (p.v(2), p.v(3), EXEC),
    lambda p: 'GLOBAL_STORE_DWORDX4 %s, %s, 0, 0, %s' % (p.v(2), p.v(4), EXEC),
    lambda p: 'FLAT_STORE_DWORDX4 %s, %s, 0, 0, implicit $exec, implicit $flat_scr' % (p.v(2), p.v(4)),
    lambda p: 'GLOBAL_ATOMIC_CMPSWAP_X2 %s, %s, 0, 0, %s' % (p.v(2), p.v(4), EXEC),
    lambda p: '%s = BUFFER_LOAD_DWORD_OFFSET %s, 0, 0, 0, 0, %s' % (p.v(), p.s(4), EXEC),
    lambda p: '%s = BUFFER_LOAD_DWORD_OFFEN %s, %s, %s, 0, 0, 0, %s' % (p.v(), p.v(), p.s(4), p.s(), EXEC),
    lambda p: 'BUFFER_STORE_DWORDX4_OFFEN %s, %s, %s, 0, 0, 0, 0, %s' % (p.v(4), p.v(), p.s(4), EXEC),
    lambda p: 'BUFFER_STORE_DWORDX4_OFFEN %s, %s, %s, %s, 0, 0, 0, %s' % (p.v(4), p.v(), p.s(4), p.s(), EXEC),
    lambda p: 'GLOBAL_LOAD_LDS_DWORD %s, 0, 0, implicit $exec, implicit $m0' % p.v(2),
    lambda p: 'BUFFER_LOAD_DWORD_LDS_OFFEN %s, %s, 0, 0, 0, 0, implicit $exec, implicit $m0' % (p.v(), p.s(4)),
    lambda p: '%s = DS_READ_B32_gfx9 %s, 0, 0, %s' % (p.v(), p.v(), EXEC),
    lambda p: 'DS_WRITE_B32_gfx9 %s, %s, 0, 0, %s' % (p.v(), p.v(), EXEC),
    lambda p: 'DS_WRITE_B128_gfx9 %s, %s, 0, 0, %s' % (p.v(), p.v(4), EXEC),
    lambda p: '%s = DS_BPERMUTE_B32 %s, %s, 0, %s' % (p.v(), p.v(), p.v(), EXEC),
    lambda p: 'S_WAITCNT 0',
]
ACC = [lambda p: '%s = V_ACCVGPR_WRITE_B32_e64 %s, %s' % (p.a(), p.v(), EXEC),
       lambda p: '%s = V_ACCVGPR_READ_B32_e64 %s, %s' % (p.v(), p.a(), EXEC)]
ONLY = {
    'gfx908': ACC * 3,
    'gfx90a': [],
    'gfx942': [lambda p: (lambda d: '%s = V_CVT_PK_FP8_F32_e64 %d, %s, 0, %s, %s, 0, %s'
                          % (d, p.rng.choice((0, 8)), p.v(), p.v(), d, MODE))(p.v())],
    'gfx950': [lambda p: (lambda d: '%s = V_CVT_PK_FP8_F32_e64 %d, %s, 0, %s, %s, 0, %s'
                          % (d, p.rng.choice((0, 8)), p.v(), p.v(), d, MODE))(p.v()),
               lambda p: (lambda d: '%s = V_CVT_SCALEF32_PK_FP8_F32_e64 %d, %s, 0, %s, 0, %s, %s, 0, %s'
                          % (d, p.rng.choice((0, 8)), p.v(), p.v(), p.v(), d, MODE))(p.v()),
               lambda p: swap(p, None)],
}


# Of PLAIN, what a target lacks or llc does not take for it.
ABSENT = {'gfx908': ('V_PK_FMA_F32', 'V_MAD_U16_gfx9')}


def instruction(p, arch):
    if p.rng.random() < 0.35:
        return matrix(p, arch)
    line = p.rng.choice(PLAIN + ONLY[arch] * 3)(p)
    return instruction(p, arch) if any(name in line for name in ABSENT.get(arch, ())) else line


def pair(p, arch):
    lines = [instruction(p, arch)]
    if p.rng.random() < 0.5:
        lines.append('S_NOP %d' % p.rng.choice((0, 1, 2, 3, 4, 6, 8, 10, 15)))
    elif arch == 'gfx908' and p.rng.random() < 0.2:
        lines.append(p.rng.choice(('$agpr40 = V_ACCVGPR_WRITE_B32_e64 $vgpr60, ', '$vgpr60 = V_ACCVGPR_READ_B32_e64 $agpr40, ')) + EXEC)
    return lines + [instruction(p, arch)]


def mir(pairs):
    text = ['--- |\n'] + ['  define amdgpu_kernel void @f%d() { ret void }\n' % i for i in range(len(pairs))] + ['...\n']
    for i, lines in enumerate(pairs):
        body = ''.join('    %s\n' % line for line in lines)
        text.append('---\nname: f%d\ntracksRegLiveness: false\nbody: |\n  bb.0:\n%s    S_ENDPGM 0\n...\n' % (i, body))
    return ''.join(text)


def functions(path):
    """Words of each function of an object, by name."""
    data = open(path, 'rb').read()
    shoff, = struct.unpack_from('<Q', data, 40)
    shentsize, shnum = struct.unpack_from('<HH', data, 58)
    sections = [struct.unpack_from('<IIQQQQIIQQ', data, shoff + i * shentsize) for i in range(shnum)]
    found = {}
    for s in sections:
        if s[1] != 2:
            continue
        names = sections[s[6]]
        for at in range(s[4], s[4] + s[5], 24):
            name, info, _, index, value, size = struct.unpack_from('<IBBHQQ', data, at)
            if info & 15 != 2:
                continue
            end = data.index(b'\0', names[4] + name)
            begin = sections[index][4] + value
            found[data[names[4] + name:end].decode()] = struct.unpack_from('<%dI' % (size // 4), data, begin)
    return found


def compile_pairs(arch, pairs, where):
    with tempfile.TemporaryDirectory() as folder:
        source, out = os.path.join(folder, 'a.mir'), os.path.join(folder, 'a.o')
        open(source, 'w').write(mir(pairs))
        p = subprocess.run([LLC, '-mtriple=amdgcn-amd-amdhsa', '-mcpu=' + arch, '-mattr=-xnack', where + '=post-RA-hazard-rec', '-filetype=obj',
                            '-o', out, source], capture_output=True, text=True)
        if p.returncode:
            return None
        words = functions(out)
        return [words['f%d' % i] for i in range(len(pairs))]


def ask_llvm(arch, pairs):
    """(words, wait states inserted) of each pair; None where llc refuses it."""
    plain = compile_pairs(arch, pairs, '-start-after')
    padded = plain and compile_pairs(arch, pairs, '-start-before')
    if not padded:
        if len(pairs) == 1:
            return [None]
        half = len(pairs) // 2
        return ask_llvm(arch, pairs[:half]) + ask_llvm(arch, pairs[half:])
    return [(a[:-1], states(b) - states(a)) for a, b in zip(plain, padded)]


def states(words):
    """The wait states of all s_nop among the words; no literal here looks like one."""
    return sum((w & 15) + 1 for w in words if w & 0xffff0000 == 0xbf800000)


def ask_ours(program, arch, cases):
    text = '\n'.join(' '.join('%x' % w for w in words) for words in cases) + '\n'
    p = subprocess.run([program, arch], input=text, capture_output=True, text=True, check=True)
    return [line.split() for line in p.stdout.splitlines()]


def judge(pairs, llvm, ours, tally, bad):
    for lines, theirs, mine in zip(pairs, llvm, ours):
        if mine[0] == '-':
            tally['not decoded'] += 1
            bad.append((lines, theirs, mine))
            continue
        error, strict, rule = int(mine[0]), int(mine[1]), mine[2]
        needs = theirs[1]
        if strict == needs:
            tally['equal' if needs else 'equal, none'] += 1
            tally['of them error'] += error > 0
        elif excepted(lines, needs, strict, rule):
            tally['excepted, ' + excepted(lines, needs, strict, rule)] += 1
        else:
            bad.append((lines, theirs, mine))


def main():
    program, arch = sys.argv[1:3]
    if not LLC:
        print('skipped: llc-22 is not installed')
        return 77
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 100000 if os.environ.get('LW_FULL') else 3000
    rng = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    tally, bad = collections.Counter(), []
    for start in range(0, count, CHUNK):
        pairs = [pair(Pick(rng, arch), arch) for _ in range(min(CHUNK, count - start))]
        llvm = ask_llvm(arch, pairs)
        tally['refused by llc'] += sum(a is None for a in llvm)
        both = [(p, a) for p, a in zip(pairs, llvm) if a]
        ours = ask_ours(program, arch, [a[0] for _, a in both])
        judge([p for p, _ in both], [a for _, a in both], ours, tally, bad)
    for lines, theirs, mine in bad[:40]:
        print('\n'.join(lines))
        print('    LLVM inserts %d, ours says %s' % (theirs[1], ' '.join(mine)))
    print('%s, %d pairs: %s; different: %d' % (arch, count, ', '.join('%s %d' % x for x in sorted(tally.items())), len(bad)))
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
