# SPDX-License-Identifier: MIT
"""The counters and hazards of rows, compared with LLVM: every row that it accepts.

columns.py PROGRAM ARCH

Counters: in llvm-mca, s_waitcnt waits for what an instruction has raised, so that the cycles of the two show it.
Hazards (gfx9): llc inserts wait states after an instruction, or before it, where the rules of its class require them.
"""
import collections
import re
import subprocess
import sys

import differential
import llvm
import rows

MCA, LLC = 'llvm-mca-22', 'llc-22'
GFX11 = 'gfx1100'
COUNTERS = ('vmcnt', 'lgkmcnt', 'expcnt', 'vscnt')
# lw_class, lw_hazard_class
MESSAGE = 13
VALU, TRANS, DOT, FMA64, DIV_FMAS, LANE, LANE_SWAP = range(7, 14)
MEMORY = ('smem', 'ds', 'flat', 'mubuf', 'mtbuf')
VECTOR = ('vop1', 'vop2', 'vop3', 'vop3p')
MISSING = "missing implicit register operand '(.*)'"


def samples(program, arch):
    """(encoding class, opcode, class, hazard, raises, text): the decoder's output for words of each row."""
    if arch == GFX11:
        import rdna  # changes where encoding classes have their opcodes
        table = rows.names(program, arch)
        sampler = rdna.Sampler({}, 7)
        cases = [(key, getattr(sampler, 'make_' + key[0])(differential.CLASSES[key[0]][0] | key[1] << differential.CLASSES[key[0]][1]))
                 for key in table if key[0] in MEMORY for _ in range(12)]
    else:
        table = differential.opcodes(program, arch)
        known = rows.names(program, arch)
        wanted = MEMORY + VECTOR + ('sopp',)
        cases = [(k, w) for k, w in rows.all_cases(differential.Sampler(table, 42), table) if k[0] in wanted and k in known]
    lines = '\n'.join(' '.join('%x' % w for w in words) for _, words in cases) + '\n'
    p = subprocess.run([program, 'facts', arch], input=lines, stdout=subprocess.PIPE, text=True, check=True)
    for (key, _), line in zip(cases, p.stdout.splitlines()):
        if line != '-':
            f = line.split(' ', 11)  # the fifth counter, KM, is gfx12's; the next three, ASYNC, TENSOR and X, gfx1250's
            yield key + (int(f[0]), int(f[1]), tuple(map(int, f[2:6])), f[11])


def operand(o):
    kind, value = o.split(':')
    if kind == 'Imm':
        return value
    return '$' + re.sub('_(gfx11|gfx9)plus', '', value.lower()) if value else '$noreg'


def machine_code(arch, texts):
    """(opcode, first operand, the others) of each text, as llc spells them; None if the assembler refuses it."""
    p = subprocess.run([llvm.TOOL, '-triple=amdgcn', f'-mcpu={arch}', '-show-inst'],
                       input='\n'.join(texts), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    refused = {int(n) - 1 for n in re.findall(r'^<stdin>:(\d+):\d+: error', p.stderr, re.M)}
    found = []
    for m in re.finditer(r'<MCInst #\d+ (\w+)((?:\n.*<MCOperand .*)*)', p.stdout):
        name = re.sub(r'_(vi|gfx9|gfx90a|gfx940|gfx950|gfx9_10)$', '', m[1])
        found.append((name, [operand(o) for o in re.findall(r'<MCOperand ([^>]*)>', m[2])]))
    left = iter(found)
    return [None if i in refused else next(left) for i in range(len(texts))]


def llc(arch, machine_pass, bodies, options):
    """The output of a pass of llc for each body, a dictionary of lists of lines; and its messages where it fails."""
    text, lines = [], {}
    for i, body in bodies.items():
        text += ['---', f'name: f{i}', 'machineFunctionInfo:', '  isEntryFunction: true', 'body: |', '  bb.0:']
        for line in body:
            text.append('    ' + line)
            lines[len(text)] = i
        text += ['    S_ENDPGM 0', '...']
    p = subprocess.run([LLC, '-mtriple=amdgcn', f'-mcpu={arch}', f'-run-pass={machine_pass}', *options, '-x', 'mir', '-',
                        '-o', '-'], input='\n'.join(text) + '\n', stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wrong, ill = re.search(r'<stdin>:(\d+):\d+: (.*)', p.stderr), re.search(r'^- function: +f(\d+)', p.stderr, re.M)
    if wrong:
        return lines[int(wrong[1])], wrong[2]
    if ill:
        return int(ill[1]), re.search('Bad machine code.*', p.stderr)[0]
    return {int(m[1]): m[2] for m in re.finditer(r'^name: +f(\d+)\n.*?^body:(.*?)^\.\.\.', p.stdout, re.M | re.S)}, None


def admit(arch, machine_pass, instructions):
    """The instructions of a list that llc accepts, by their index, with the implicit operands that it requires."""
    left = dict(enumerate(instructions))
    while True:
        i, says = llc(arch, machine_pass, {i: [line] for i, line in left.items()}, [])
        if not says:
            return left
        missing = re.search(MISSING, says)
        if '-v' in sys.argv:
            print(left[i], says)
        if missing:
            left[i] += ', ' + missing[1]
        else:
            del left[i]


def spelled(code, encoding, results, implicit):
    name, operands = code
    if encoding == 'vop3' and not re.search('_e64$|LANE_B32', name):
        name += '_e64'
    name = re.sub('V_(ADDC|SUBB|SUBBREV)_CO_', r'V_\1_', name)
    if re.match('BUFFER_ATOMIC', name):
        operands = operands[:-1]  # a separate bit in the assembler
    if re.match('(GLOBAL|FLAT|SCRATCH)_LOAD.*D16', name):
        operands = operands[:-1]
    if re.search('LOAD.*D16', name) and 'FORMAT' not in name:
        operands = operands + operands[:1]  # the half that is kept
    if encoding == 'vop2' and re.match('V_(CNDMASK|ADDC|SUBB)', name):
        implicit = implicit + ['implicit $vcc']
    if encoding == 'vop2' and re.match('V_(ADD|SUB)[A-Z]*(_CO|_U32)', name):
        implicit = implicit + ['implicit-def $vcc']
    return (', '.join(operands[:results]) + ' = ' if results else '') + f'{name} ' + ', '.join(operands[results:] + implicit)


FIELDS = {'gfx9': ((0x0f | 3 << 14, 0xc00f), (0xf00, 0xf00), (0x70, 0x70)), 'gfx11': ((0xfc00, 0xfc00), (0x3f0, 0x3f0), (7, 7))}
IMPLICIT = ['implicit $exec', 'implicit $m0', 'implicit $flat_scr']


def results(name):
    """Is the first operand of a memory instruction, by its name in LLVM, a destination?"""
    if re.search('_RTN|_CONSUME|_APPEND|READ|SWIZZLE|PERMUTE|S_MEM', name):
        return True
    return 'LOAD' in name and '_LDS' not in name


def awaited(arch, text):
    """Whether the output of the pass waits for each counter."""
    waits = [int(n) for n in re.findall(r'S_WAITCNT (\d+)', text)]
    fields = FIELDS['gfx11' if arch == GFX11 else 'gfx9']
    return tuple(any(w & mask != ones for w in waits) for mask, ones in fields) + ('S_WAITCNT_VSCNT' in text,)


def excused(text, mine, theirs):
    """Where LLVM 22 is known to differ."""
    if re.match('buffer_(wbl2|inv)', text):
        # its memory model has vmcnt(0) after them (AMDGPUUsage), this pass does not count them
        return mine == (True, False, False, False) and not any(theirs)
    # loads to LDS count in lgkmcnt too: LLVM's pull request 179305 changes that
    return '_lds_' in text and (mine, theirs) == ((True, False, False, False), (True, True, False, False))


def check_counters(program, arch):
    seen, asked = set(), []
    for enc, op, cls, _, raises, text in samples(program, arch):
        mnemonic = text.split()[0]
        key = (enc, op, mnemonic.split('_')[0], raises)
        gds = raises[2] and 'gws' not in mnemonic  # no target here has it; llvm-mc drops the bit
        if key not in seen and (enc in MEMORY or cls == MESSAGE) and not gds:
            seen.add(key)
            asked.append((enc, raises, text))
    codes = machine_code(arch, [text for _, _, text in asked])
    taken = [a + (c,) for a, c in zip(asked, codes) if c]
    admitted = admit(arch, 'si-insert-waitcnts', [spelled(c, e, int(results(c[0])), IMPLICIT) for e, _, _, c in taken])
    # before a barrier LLVM waits for everything pending, where the hardware's barrier does not
    got, says = llc(arch, 'si-insert-waitcnts', {i: [line, 'S_BARRIER'] for i, line in admitted.items()},
                    ['-mattr=-back-off-barrier'])
    assert not says, says
    bad = []
    for i, made in got.items():
        _, raises, text, _ = taken[i]
        mine, theirs = tuple(n > 0 for n in raises), awaited(arch, made)
        if mine != theirs and not excused(text, mine, theirs):
            bad.append(f'{arch} {text}: counters {raises}, LLVM waits for {[c for c, w in zip(COUNTERS, theirs) if w]}')
    return len(got), len(asked), bad


WIDE = '_'.join(f'vgpr{i}' for i in range(240, 248))
# lines before and after an instruction; %s is the first register of its result
PROBES = {
    'result': ([], ['$vgpr200 = V_MOV_B32_e32 %s, implicit $exec']),
    'f64 matrix': ([f'${WIDE} = V_MFMA_F64_16X16X4F64_vgprcd_e64 $vgpr248_vgpr249, $vgpr250_vgpr251, ${WIDE}, '
                    '0, 0, 0, implicit $mode, implicit $exec'], []),
    'vcc': (['V_CMP_EQ_U32_e32 $vgpr200, $vgpr201, implicit-def $vcc, implicit $exec'], []),
    'exec': (['V_CMPX_EQ_U32_e32 $vgpr200, $vgpr201, implicit-def $exec, implicit-def $vcc, implicit $exec'], []),
}


def expected(probe, hazard):
    """Wait states that the class requires: ISA manuals, "Manually inserted wait states"."""
    return {('result', TRANS): 1, ('result', DOT): 3, ('f64 matrix', FMA64): 2, ('vcc', DIV_FMAS): 4, ('exec', LANE): 4,
            ('exec', LANE_SWAP): 4}.get((probe, hazard), 0)


def vector_results(name):
    """How many of the first operands of a vector instruction are destinations."""
    if re.match('V_(NOP|CLREXCP|CMP.*_e32)', name):
        return 0
    return 2 if re.match('V_(SWAP|PERMLANE.*SWAP|DIV_SCALE|MAD_.64_.32)|V_(ADD|SUB|SUBREV|ADDC|SUBB|SUBBREV)_CO_.*_e64', name) else 1


def check_hazards(program, arch):
    seen, asked = set(), []
    for enc, op, _, hazard, _, text in samples(program, arch):
        if enc in VECTOR and (enc, op) not in seen and '0x' not in text:
            seen.add((enc, op))
            asked.append((enc, hazard, text))
    codes = machine_code(arch, [text for _, _, text in asked])
    taken = [a + (c,) for a, c in zip(asked, codes) if c and not c[0].startswith('V_CMP')]
    admitted = admit(arch, 'post-RA-hazard-rec',
                     [spelled(c, e, vector_results(c[0]), ['implicit $exec', 'implicit $mode']) for e, _, _, c in taken])
    bad = []
    for probe, (before, after) in PROBES.items():
        bodies = {}
        for i, line in admitted.items():
            result = re.match(r'\$vgpr\d+', taken[i][3][1][0]) if taken[i][3][1] else None
            if result or not after:
                bodies[i] = before + [line] + [a % result[0] for a in after]
        got, says = llc(arch, 'post-RA-hazard-rec', bodies, [])
        assert not says, says
        for i, made in got.items():
            encoding, hazard, text, _ = taken[i]
            states = sum(int(n) + 1 for n in re.findall(r'S_NOP (\d+)', made))
            # LLVM takes op_sel_hi of packed instructions for a result in the high half; masks that are read it has as in
            # the rows of constants, the manual does not
            packed = encoding == 'vop3p' and hazard == VALU
            byte = 'cvt_scalef32_sr_pk_fp4' in text  # op_sel selects one byte: the operands say that the others are kept
            more = {'result': (packed or byte) and states == 1, 'vcc': states == 2,
                    'exec': states == 2}.get(probe)
            if states != expected(probe, hazard) and not more:
                bad.append(f'{arch} {text}: class {hazard}, {probe}: LLVM inserts {states} wait states')
    return len(admitted), len(asked), bad


def main():
    program, arch = sys.argv[1:3]
    llvm.need(llvm.TOOL)
    llvm.need(LLC)
    known, asked, bad = check_counters(program, arch)
    print(f'{arch}: counters of {known} of {asked} instructions asked for')
    least = [known >= .8 * asked]
    if arch != GFX11:
        known, asked, more = check_hazards(program, arch)
        print(f'{arch}: hazard classes of {known} of {asked} instructions asked for')
        least.append(known >= .8 * asked)
        bad += more
    print('\n'.join(bad[:40]))
    return 1 if bad or not all(least) else 0


if __name__ == '__main__':
    sys.exit(main())
