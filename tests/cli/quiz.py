# SPDX-License-Identifier: MIT
"""Answers every question of many seeds of lanewise quiz by another way, in the ways people write answers.

Places, elements and operands are looked up in the listings of `layout`, swizzles and turns in `layout --banks`, small sums
are added as fractions, and sums that lose bits go through `eval` as arrays. Then wrong answers, garbage, and input that ends.
Usage: quiz.py LANEWISE
"""
import functools
import json
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
from fractions import Fraction as Q

from explain_rules import F, nearest, value

PROGRAM = sys.argv[1]
JUDGED = 8 if os.environ.get('LW_SAMPLE') else 3
bad = 0
kinds = set()


def fail(*words):
    global bad
    bad += 1
    print('FAILED:', *words)


def run(*words, text=None, exit=0):
    p = subprocess.run([PROGRAM, *map(str, words)], input=text, capture_output=True, text=True, errors='replace',
                       stdin=subprocess.DEVNULL if text is None else None)
    if p.returncode != exit:
        fail(' '.join(map(str, words)), 'exit status', p.returncode, 'not', exit, p.stdout[-300:], p.stderr[-300:])
    return p.stdout


@functools.lru_cache(maxsize=None)
def listing(insn, arch, operand):
    out = run('layout', insn, '--arch', arch, '--operand', operand, '--format', 'listing')
    return [tuple(map(int, line.split())) for line in out.splitlines()]


def find(q, pattern):
    m = re.search(pattern, q['question'])
    if not m:
        fail('cannot understand', q['question'])
        sys.exit(1)
    return m


def place(q, style):
    m = find(q, r'hold (\w+?)(?:\[block (\d+)\])?\[[^=]*=(\d+)\]\[[^=]*=(\d+)\] of')
    block, x, y = int(m[2] or 0), int(m[3]), int(m[4])
    entries = [e for e in listing(q['instruction'], q['arch'], m[1]) if e[4:] == (block, x, y)]
    if (len(entries) > 1) != ('copies' in q['question']):
        fail(q['question'], 'has', len(entries), 'copies')
    lane, reg, lsb, msb = entries[style % len(entries)][:4]  # any copy is right
    bits = 'which bits' in q['question']
    right = [f'lane {lane} register {reg}' + bits * f' bits {msb}:{lsb}', f'{lane}:v{reg}' + bits * f'[{msb}:{lsb}]',
             f'v{reg}{{{lane}}}' + bits * f'.[{msb}:{lsb}]', f'T{lane}, r{reg}' + bits * f', {lsb}-{msb}'.replace('-', ' '),
             f'{lane} {reg}' + bits * f' {msb} {lsb}'][style % 5]
    # wrong: another lane, or the right one with other bits
    return right, (f'lane {lane} register {reg} bits {msb + 1}:{lsb}' if bits and style % 2 else
                   f'lane {lane ^ 1} register {reg}' + bits * f' bits {msb}:{lsb}')


def holds(q, style):
    m = find(q, r'does lane (\d+) hold in register (\d+) of (\w+) of')
    lane, reg = int(m[1]), int(m[2])
    entries = [e for e in listing(q['instruction'], q['arch'], m[3])
               if e[0] == lane and e[1] <= reg <= e[1] + e[3] // 32]
    blocks = 'block' in q['form'].split(':')[0]
    if blocks:
        names = [f'{m[3]}[block {b}][{x}][{y}]' if style % 2 else f'{b},{x},{y}' for *_, b, x, y in entries]
        return ' '.join(names), f'{entries[0][4]},{entries[0][5]},{entries[0][6] ^ 1} ' * len(entries) + '99,0,0'
    names = [[f'{m[3]}[{x}][{y}]', f'({x}, {y})', f'row {x} col {y}'][style % 3] for *_, x, y in entries]
    # wrong: other elements, or only the first
    return ' '.join(names), (names[0] if len(names) > 1 and style % 2 else ' '.join(f'{x},{y + 1}' for *_, x, y in entries))


def registers(q, style):
    m = find(q, r'^(\w+) of')
    n = max(e[1] + e[3] // 32 for e in listing(q['instruction'], q['arch'], m[1])) + 1
    return [f'{n}', f'{n} registers'][style % 2], f'{n + 1}'


def operands(q, style):
    m = find(q, r'element \[(\d+)\]\[(\d+)\](?: of block (\d+))?.* in lane (\d+), register (\d+), bit (\d+)')
    want = (int(m[4]), int(m[5]), int(m[6])), (int(m[3] or 0), int(m[1]), int(m[2]))
    names = [o for o in 'ABD' if any((e[:3], e[4:]) == want for e in listing(q['instruction'], q['arch'], o))]
    return [' '.join(names), ' and '.join(names).lower(), ','.join(names)][style % 3], 'A B' if names != ['A', 'B'] else 'D'


def banks(q):
    m = find(q, r'operand (\w+) of (\S+) from a tile of (\d+) x (\d+) elements of .* b(\d+) \(')
    words = ['layout', m[2], '--arch', q['arch'], '--operand', m[1], '--banks', 'b' + m[5], '--shape', f'{m[3]}x{m[4]}']
    return words, m


def turns(q, style):
    n = json.loads(run(*banks(q)[0], '--json'))['here']['degree']
    return [f'{n}', f'{n}-way', f'{n} turns'][style % 3], f'{n + 1}'


def swizzle(q, style):
    words, m = banks(q)
    found = json.loads(run(*words, '--json'))
    b, mm, s = (found['swizzle'][x] for x in 'bms')
    bits = found['tile_bits'] // (found['rows'] * found['cols'])
    if 2 ** mm * 8 % bits:
        fail('swizzle of less than an element', q['question'])
    elements = (mm - (bits // 8).bit_length() + 1) if bits >= 8 else mm + 1
    text = [f'{b},{elements},{s}', f'Swizzle<{b},{elements},{s}>'][style % 2]
    rows, cols = int(m[3]), int(m[4])
    if 'stored column' in q['question']:
        text = [f'Sw<{b},{elements},{s}> o 0 o ({rows},{cols}):(1,{rows})', f'Swizzle<{b},{elements},{s}>', f'{b},{elements},{s}'][style % 3]
        return text, f'({rows},{cols}):(1,{rows})'
    judged = json.loads(run(*words, '--tile', f'Swizzle<{b},{elements},{s}>', '--json'))
    if judged['here']['turns'] != found['swizzle']['turns']['turns']:
        fail('turns of', text, judged['here'], found['swizzle'])
    return text, f'({rows},{cols}):({cols},1)'


NAMES = {'i8': 'i8', 'i32': 'i32', 's32': 'i32', 's8': 'i8', 'f16': 'f16', 'bf16': 'bf16', 'f32': 'f32', 'f64': 'f64'}


def bits(q, style):
    numbers = [(o, int(x), int(y), Q(float.fromhex(v) if 'x' in v else v))
               for o, x, y, v in re.findall(r'([ABC])\[(\d+)\]\[(\d+)\] = ([-0-9.xabcdefp+]+[0-9]|\d)', q['question'])]
    a, b, c = ([n for n in numbers if n[0] == o] for o in 'ABC')
    exact = sum((x[3] * y[3] for x, y in zip(a, b)), c[0][3])
    wrong = str(float(exact + 1))
    if q['level'] < 3:
        return [str(float(exact)), float(exact).hex()][style % 2], wrong
    m = find(q, r'\(A: (.*), B: (.*), C and D: (.*)\)\. Which bits are in D\[(\d+)\]\[(\d+)\]')
    if not all(m[i] in NAMES for i in (1, 2, 3)):
        return q['answer'], wrong  # a format without an encoder here; the others cover the kind
    info = json.loads(run('info', q['instruction'], '--arch', q['arch'], '--json'))
    size = info['m'], info['n'], info['k']
    with tempfile.TemporaryDirectory() as tmp:
        write = lambda name, *rest: array(os.path.join(tmp, name + '.npy'), *rest)
        out = run('eval', q['instruction'], '--arch', q['arch'], '--a', write('a', m[1], size[0], size[2], a), '--b',
                  write('b', m[2], size[2], size[1], b), '--c', write('c', m[3], size[0], size[1], c), '-o',
                  os.path.join(tmp, 'd.npy'))
        data = open(os.path.join(tmp, 'd.npy'), 'rb').read()
    width = 1 + sum(F[NAMES[m[3]]][:2])
    at = len(data) - size[0] * size[1] * width // 8 + (int(m[4]) * size[1] + int(m[5])) * width // 8
    code = int.from_bytes(data[at:at + width // 8], 'little')
    if value(NAMES[m[3]], code) == exact:
        fail('nothing is lost in', q['question'])
    bits.evaluated += 1
    return [f'0x{code:x}', f'{code:0{width // 4}X}'][style % 2], wrong


bits.evaluated = 0


def array(path, f, rows, cols, elements):
    """Codes of the elements as an .npy file."""
    name = NAMES[f]
    size = (1 + sum(F[name][:2])) // 8
    data = bytearray(rows * cols * size)
    for _, x, y, v in elements:
        code = int(v) & (1 << size * 8) - 1 if name[0] == 'i' else nearest(name, v)
        data[(x * cols + y) * size:(x * cols + y + 1) * size] = code.to_bytes(size, 'little')
    kind = {'i8': '|i1', 'i32': '<i4', 'f16': '<f2', 'bf16': '<u2', 'f32': '<f4', 'f64': '<f8'}[name]
    head = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': ({rows}, {cols}), }}"
    head += ' ' * (-(len(head) + 11) % 64) + '\n'
    open(path, 'wb').write(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(head)) + head.encode() + data)
    return path


SOLVE = {'place': place, 'holds': holds, 'registers': registers, 'operands': operands, 'turns': turns, 'swizzle': swizzle,
         'bits': bits}


def about(q):
    """`about` says in numbers what the question says in words."""
    told, text = q['about'], q['question']
    if q['kind'] == 'place':
        m = find(q, r'hold (\w+?)(?:\[block (\d+)\])?\[[^=]*=(\d+)\]\[[^=]*=(\d+)\] of')
        want = {'operand': m[1], 'block': int(m[2] or 0), 'x': int(m[3]), 'y': int(m[4])}
    elif q['kind'] == 'holds':
        m = find(q, r'does lane (\d+) hold in register (\d+) of (\w+) of')
        want = {'operand': m[3], 'lane': int(m[1]), 'register': int(m[2])}
    elif q['kind'] == 'operands':
        m = find(q, r'element \[(\d+)\]\[(\d+)\](?: of block (\d+))?')
        want = {'operand': q['answer'].split()[0], 'block': int(m[3] or 0), 'x': int(m[1]), 'y': int(m[2])}
    elif q['kind'] in ('turns', 'swizzle'):
        words = banks(q)[0]
        rows, columns = words[-1].split('x')
        want = {'operand': words[5], 'access': words[7], 'rows': int(rows), 'columns': int(columns)}
    elif q['kind'] == 'registers':
        want = {'operand': find(q, r'^(\w+) of')[1], 'lane': told['lane']}
    else:
        m = find(q, r'\(A: (.*), B: (.*), C and D: (.*)\)\. Which bits are in D\[(\d+)\]\[(\d+)\]')
        of = dict(zip('ab', (m[1], m[2])))
        numbers = {(o.lower(), int(x), int(y)): Q(float.fromhex(v) if 'x' in v else v)
                   for o, x, y, v in re.findall(r'([ABC])\[(\d+)\]\[(\d+)\] = ([-0-9.xabcdefp+]+[0-9]|\d)', text)}
        row, column = int(m[4]), int(m[5])
        want = dict(told, row=row, column=column)
        for each in told['products']:
            for name, at in ('a', (row, each['k'])), ('b', (each['k'], column)):
                if of[name] in NAMES and value(NAMES[of[name]], int(each[name], 16)) != numbers[(name, *at)]:
                    fail('the code of', name, each, text)
        if len(told['products']) * 2 + 1 != len(numbers):
            fail('the products', told, text)
    if told != want:
        fail('about', told, want, text)


def explained(q):
    """The explanation has a picture: the grid, the lanes that meet in a bank, or the steps with every product."""
    lines = q['explanation'].splitlines()
    if len(lines) < 4:
        fail('only a sentence explains', q['question'], lines)
    if q['kind'] == 'bits':
        shown = {int(m[1]) for m in (re.match(r' +(\d+) ', line) for line in lines) if m}
        if shown != {each['k'] for each in q['about']['products']}:
            fail('products in the steps', shown, q['question'])
    if q['kind'] in ('turns', 'swizzle'):
        first = json.loads(run(*banks(q)[0], '--json'))['first']
        met = {(e['phase'], e['bank']) for e in first}
        shown = [re.match(r'phase (\d+), bank +(\d+): lanes([ \d]+)$', line) for line in lines if line.startswith('phase ')]
        for m in shown:
            lanes = [e['lane'] for e in first if (e['phase'], e['bank']) == (int(m[1]), int(m[2]))]
            if lanes != [int(lane) for lane in m[3].split()]:
                fail('lanes that meet', m[0], lanes)
        most = max(sum((e['phase'], e['bank']) == at for e in first) for at in met)
        if not shown or max(len(m[3].split()) for m in shown) < min(2, most):
            fail('no lanes that meet', q['explanation'])


def judge(words, number, q, right, wrong):
    """One answer at a time: the question is that of the whole quiz."""
    for answer, exit, verdict in (right, 0, 'right'), (wrong, 1, 'wrong'), ('', 1, 'wrong'), ('{{{', 1, 'unreadable'):
        got = json.loads(run(*words, '--number', number, '--answer', answer, '--json', exit=exit))
        asked = {name: value for name, value in q.items() if name != 'level'}
        if got.pop('verdict') != verdict or (verdict == 'wrong' and answer and not got['why'] and q['kind'] != 'operands'):
            fail('the verdict of', answer, 'to', q['question'], 'is not', verdict, got)
        got.pop('why')
        if got != asked:
            fail('the question of', answer, got, asked)
        if not run(*words, '--number', number, '--answer', answer, exit=exit).startswith(verdict):
            fail('the verdict in words', answer)


def take(level, seed, arch=None, count=5):
    words = ['quiz', '--level', level, '--seed', seed, '--count', count] + (['--arch', arch] if arch else [])
    quiz = json.loads(run(*words, '--json'))
    rights, wrongs = [], []
    for i, q in enumerate(quiz['questions']):
        q['level'] = level
        kinds.add((level, q['kind']))
        if not q['explanation'].strip() or 'vidence: ' not in q['explanation'] or 'vidence: unknown' in q['explanation']:
            fail('the explanation of', q['question'], 'is', q['explanation'])
        about(q)
        explained(q)
        right, wrong = SOLVE[q['kind']](q, seed + i)
        rights.append(right)
        wrongs.append(wrong)
        if seed % JUDGED == 0:
            judge(words[:words.index('--count')] + words[words.index('--count') + 2:], i + 1, q, right, wrong)
    out = run(*words, text='\n'.join(rights))
    if f'{count} of {count} right' not in out:
        fail(*words, *zip(rights, [q['question'] for q in quiz['questions']]), out)
    run(*words, text=''.join(q['answer'] + '\n' for q in quiz['questions']))
    out = run(*words, text='\n'.join(wrongs), exit=1)
    if f'0 of {count} right' not in out or out.count('\nwrong: ') != count:
        fail('wrong answers pass:', *words, wrongs, out)
    return quiz['questions']


for level in 1, 2, 3:
    for seed in range(8):
        take(level, seed)
for arch in 'gfx942', 'gfx1201', 'H100', 'sm_80':
    take(1 + len(arch) % 3, 11, arch)
if len(kinds) < 14:
    fail('only these kinds of questions:', sorted(kinds))
if bits.evaluated < 3:
    fail('only', bits.evaluated, 'sums that lose bits were evaluated')

# The same seed asks the same; another one does not; the first questions do not depend on the number of questions.
same = [run('quiz', '--sheet', '--seed', s, '--level', 2) for s in (5, 5, 6)]
if same[0] != same[1] or same[0] == same[2]:
    fail('seeds')
first = json.loads(run('quiz', '--json', '--seed', 5, '--count', 3))['questions']
if first != json.loads(run('quiz', '--json', '--seed', 5, '--count', 2))['questions'] + first[2:]:
    fail('the number of questions changes the first ones')

# The worksheet has each question and, after them, each answer.
sheet = run('quiz', '--sheet', '--seed', 5, '--count', 3)
questions, solutions = sheet.split('# Solutions')
for q in first:
    if q['question'] not in questions or '`%s`' % q['answer'] not in solutions or '`%s`' % q['answer'] in questions:
        fail('the sheet', q)

marked = [line for seed in range(4) for line in run('quiz', '--sheet', '--level', 3, '--seed', seed).split('# Solutions')[0].split('\n')
          if re.search(r'(?<!\\)[<*]', line)]
if marked:
    fail('Markdown sees markup in', marked)

# Input that ends, empty lines, q, garbage.
words = 'quiz --seed 5 --count 3'.split()
for text, right, line in (('', 0, ''), ('q\n', 0, ''), ('quit', 0, ''), ('\n\n\n', 0, 'no answer: '),
                          (first[0]['answer'], 1, 'right'), (first[0]['answer'] + '  \r\n\tquit\n', 1, 'right'),
                          ('hello\n?\n1e99999\n', 0, 'cannot be read'), ('9' * 5000 + '\n', 0, 'cannot be read'),
                          ('%s%n%s\n\x01\x02\n{{{{\n', 0, 'cannot be read'), ('lane -1 register -2\n', 0, 'cannot be read'),
                          ('lane 99999999999999999999 register 1\n' * 3, 0, 'wrong'), ('\0\0\0\n', 0, 'cannot be read')):
    out = run(*words, text=text, exit=1)
    if f'\n{right} of 3 right\n' not in out or line not in out:
        fail('answers', repr(text[:40]), out)
run('quiz', '--level', 2, '--seed', 5, text='[[\nnonsense\n::\nSwizzle<99,99,99>\n0x\n', exit=1)
run('quiz', '--level', 3, '--seed', 5, text='Swizzle<99,99,99>\n' * 5, exit=1)
for wrong in ('--level', 0), ('--level', 4), ('--count', 0), ('--count', 101), ('--seed', -1), ('--arch', 'gfx1'), ('word',), \
        ('--level', '1x'), ('--number', 0), ('--number', 101), ('--answer', '1'), ('--answer', '1', '--seed', 1, '--sheet'):
    run('quiz', *wrong, exit=2)
if not run('quiz', '--seed', 5, '--number', 3, '--json').count('"number": 3') == 1:
    fail('one question by its number')
# At a terminal an answer that cannot be read is asked for again.
master, slave = pty.openpty()
os.write(master, f'nonsense\n{first[0]["answer"]}\n'.encode())
p = subprocess.run([PROGRAM, 'quiz', '--seed', '5', '--count', '1'], stdin=slave, capture_output=True, text=True)
if p.returncode != 0 or 'cannot be read' not in p.stdout or p.stdout.count('> ') != 2:
    fail('at a terminal', p)
# Of sm_70 little is published: only sums can be asked at level 1.
if {q['kind'] for q in json.loads(run('quiz', '--arch', 'sm_70', '--seed', 1, '--count', 2, '--json'))['questions']} != {'bits'}:
    fail('sm_70')
# Whether there is a question does not depend on the seed: few codes of f16 are small whole numbers, and guessing may miss them.
for seed, number in (2, 18), (5, 17), (5, 19), (6, 21):
    run('quiz', '--arch', 'sm_70', '--seed', seed, '--number', number, '--json')
# f64, whose codes do not fit into one word with another, and f32, which is added product by product.
for arch, level, seed, number in ('gfx942', 2, 1, 30), ('gfx942', 1, 1, 29), ('gfx908', 1, 1, 4):
    q = json.loads(run('quiz', '--arch', arch, '--level', level, '--seed', seed, '--number', number, '--json'))['questions'][0]
    if not re.search('f(32|64)$', q['instruction'].replace('4f32', '_f32').replace('2f32', '_f32')):
        fail('another instruction', q['instruction'])
    explained(q)
print(len(kinds), 'kinds of questions by level,', bits.evaluated, 'sums evaluated')
sys.exit(bad != 0)
