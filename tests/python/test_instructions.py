# SPDX-License-Identifier: MIT
"""Instructions, layouts and notations from Python, compared with what the program prints as JSON."""
import pickle
import unittest

import support  # first: it looks for an interpreter that has NumPy
import numpy as np

import lanewise as lw

SAMPLE = [('gfx942', 'v_mfma_f32_16x16x16_f16', ''), ('gfx942', 'v_mfma_f32_4x4x4_16b_f16', 'cbsz:1'),
          ('gfx942', 'v_smfmac_f32_16x16x32_f16', ''), ('gfx950', 'v_mfma_scale_f32_16x16x128_f8f6f4', 'cbsz:fp6 blgp:fp4'),
          ('gfx1201', 'v_wmma_f32_16x16x16_f16', ''), ('gfx1201', 'v_wmma_f32_16x16x16_f16', 'wave:64'),
          ('gfx1250', 'v_wmma_f32_16x16x32_f16', ''), ('sm_90', 'mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32', ''),
          ('sm_90', 'mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64', '')]


def words(mods):
    """Modifiers as options of the program."""
    found = []
    for mod in mods.split():
        found += ['--wave', mod[5:]] if mod.startswith('wave:') else ['--mod', mod]
    return found


class Instructions(unittest.TestCase):
    def test_lists(self):
        for arch in lw.archs():
            if not arch.has_matrix:
                continue
            listed = support.ask('list', '--arch', arch.name)['instructions']
            self.assertEqual([i['mnemonic'] for i in listed], [i.name for i in lw.instructions(arch)], arch.name)
            for want, got in zip(listed, lw.instructions(arch)):
                self.assertEqual([want.get(w, 0) for w in ('m', 'n', 'k', 'blocks', 'family', 'encoding', 'wave', 'passes')],
                                 [got.m, got.n, got.k, got.blocks, got.family, got.encoding, got.wave, got.passes])

    def test_info(self):
        for arch, name, mods in SAMPLE:
            want, got = support.ask('info', name, '--arch', arch, *words(mods)), lw.instruction(name, arch, mods)
            self.assertEqual(want['recipe'], got.mma().recipe)
            self.assertEqual(want['rule'], got.mma().rule)
            self.assertEqual([(e['aspect'], e['label'], e['source']) for e in want['evidence']],
                             [(e.aspect, e.label, e.source) for e in got.evidence], name)
            self.assertEqual([(o['operand'], o['registers']) for o in want['operands']],
                             [(n, o.registers) for n, o in got.operands.items()])

    def test_names(self):
        self.assertEqual(lw.arch('MI300X').name, 'gfx942')
        self.assertEqual(lw.arch('gfx940').name, 'gfx942')
        self.assertIs(lw.NotFoundError, type(caught(lw.arch, 'gfx1')))
        why = caught(lw.instruction, 'v_mfma_f32_16x16x16_f17', 'gfx942')
        self.assertIsInstance(why, lw.NotFoundError)
        self.assertIsInstance(why, LookupError)
        self.assertIn('the nearest names are v_mfma_f32_16x16x16_f16', str(why))
        self.assertIsInstance(caught(lw.instruction, 'v_mfma_f32_16x16x128_f8f6f4', 'gfx942'), lw.ArchError)
        self.assertIsInstance(caught(lw.instruction, 'v_mfma_f32_16x16x16_f16', 'gfx942', 'cbsz:9'), lw.FormatError)
        self.assertIsInstance(caught(lw.instruction, 'v_mfma_f32_16x16x16_f16'), TypeError)
        one = lw.instruction('v_mfma_f32_4x4x4_16b_f16 cbsz:1', 'gfx942')
        self.assertEqual(one.spelling, 'v_mfma_f32_4x4x4_16b_f16 cbsz:1')
        self.assertEqual(pickle.loads(pickle.dumps(one)), one)
        self.assertNotEqual(one, lw.instruction(one, mods='abid:1'))
        self.assertIn('doubled-k:tr8', [str(r) for r in lw.readings()])


class Layouts(unittest.TestCase):
    def test_entries(self):
        for arch, name, mods in SAMPLE:
            insn = lw.instruction(name, arch, mods)
            for operand in insn.operands:
                want = support.ask('layout', name, '--arch', arch, '--operand', operand, *words(mods))
                got = insn.layout(operand)
                rows = np.array([tuple(e[w] for w in ('lane', 'reg', 'lsb', 'msb', 'block', 'x', 'y')) for e in want['entries']],
                                lw.Layout.ENTRY)
                np.testing.assert_array_equal(rows, got.entries, '%s %s' % (name, operand))
                self.assertEqual((want['blocks'], want['x']['count'], want['y']['count']), got.shape)
                self.assertEqual((want['evidence'], want['note'], want['wave'], want['registers']),
                                 (got.evidence, got.note, got.wave, got.registers))

    def test_arrays(self):
        """By AMD's rule: A of 16x16x16 has row = lane % 16, k = 4 * (lane / 16) + value; D row = 4 * (lane / 16) + register."""
        a, d = lw.layout('v_mfma_f32_16x16x16_f16', 'gfx942', 'A'), lw.layout('v_mfma_f32_16x16x16_f16', 'gfx942', 'D')
        i, k = np.indices((16, 16))
        np.testing.assert_array_equal(a.lane[0], i + 16 * (k // 4))
        np.testing.assert_array_equal(a.register[0], k % 4 // 2)
        np.testing.assert_array_equal(a.bit[0], k % 2 * 16)
        np.testing.assert_array_equal(d.lane[0], k + 16 * (i // 4))
        np.testing.assert_array_equal(d.register[0], i % 4)
        place = a.places(3, 9)[0]
        self.assertEqual((place['lane'], place['reg'], place['lsb'], place['msb']), (35, 0, 16, 31))
        self.assertEqual(sorted(a.elements(35, 0)['y']), [8, 9])
        self.assertIsInstance(caught(a.places, 16, 0), lw.ArgumentError)

    def test_gather(self):
        """Registers filled by the rule above come out as the matrix; 6-bit data, which cross registers, by the entries."""
        values = np.random.default_rng(1).integers(0, 1 << 16, (16, 16), np.uint32)
        image, lanes = np.zeros((2, 64), np.uint32), np.arange(64)
        for value in range(4):
            image[value // 2] |= values[lanes % 16, 4 * (lanes // 16) + value] << 16 * (value % 2)
        np.testing.assert_array_equal(lw.layout('v_mfma_f32_16x16x16_f16', 'gfx942', 'A').gather(image)[0], values)
        six = lw.layout('v_mfma_f32_16x16x128_f8f6f4', 'gfx950', 'A', 'cbsz:fp6')
        image = np.random.default_rng(2).integers(0, 1 << 32, (six.registers, 64), np.uint32)
        strings = [sum(int(image[r, lane]) << 32 * r for r in range(six.registers)) for lane in range(64)]
        got = six.gather(image)
        for e in six.entries[::37]:
            self.assertEqual(got[0, e['x'], e['y']], strings[e['lane']] >> (32 * int(e['reg']) + int(e['lsb'])) & 63)

    def test_notations(self):
        a = lw.layout('v_mfma_f32_16x16x16_f16', 'gfx942', 'A')
        for notation in ('formula', 'cute', 'triton', 'gluon', 'iree', 'tirx', 'ck', 'listing', 'calculator'):
            said = a.check(a.write(notation))
            self.assertTrue(said, notation)
            self.assertEqual(said.wrong, 0)
        wrong = a.check('i = 4*(l/16)+v, k = l%16')
        self.assertFalse(wrong)
        self.assertEqual(wrong.verdict, 'transposed')
        self.assertIn('X', wrong.picture)
        self.assertEqual(a.check('i = l%16, k = l/16 + 4*v').verdict, 'k renamed')
        self.assertIsInstance(caught(a.check, 'i = '), lw.FormatError)
        self.assertIsInstance(caught(a.write, 'latin'), ValueError)
        self.assertTrue(a._repr_svg_().lstrip().startswith('<svg'))
        self.assertTrue(a._repr_svg_().rstrip().endswith('</svg>'))
        self.assertIn('hipcc', lw.probe('v_mfma_f32_16x16x16_f16', 'gfx942'))

    def test_guess(self):
        """The program's list, in its order; of one architecture and of all, with widths of wgmma."""
        for said, arch in (('i = l%16, k = 4*(l/16)+v', 'gfx942'), ('i = l%16, k = l/16 + 4*v', None), ('i = l/4 + 8*(v/2%2), k = 2*(l%4) + v%2 + 8*(v/4)', 'sm_90'),
                           (lw.layout('wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16', 'sm_90', 'D').write('cute'), None)):
            words = ['layout', '--guess', said] + (['--arch', arch] if arch else [])
            there = [(f['arch'], f['instruction'], f['operand'], f['wave'], f['verdict']) for f in support.ask(*words)['fits']]
            here = [(g.insn.arch.name, g.insn.name, g.operand, g.wave, g.verdict) for g in lw.guess(said, arch)]
            self.assertTrue(here)
            self.assertEqual(here, there)
        self.assertEqual(lw.guess('i = l%16, k = 4*(l/16)+v', 'sm_70'), [])
        with self.assertRaisesRegex(lw.FormatError, "column 1: 'nonsense'"):
            lw.guess('nonsense')
        with self.assertRaises(lw.NotFoundError):
            lw.guess('i = l%16, k = 4*(l/16)+v', 'gfx1')

    def test_convert(self):
        """What the program answers, and refusals."""
        said = '((16,4),4):((1,64),16)'
        for to in ('formula', 'triton', 'iree', 'listing', 'grid', 'svg'):
            there = support.say('layout', '--convert', said, '--operand', 'A', '--shape', '16x16', '--to', to)
            self.assertEqual(lw.convert(said, to, (16, 16), 'A'), there)
        here = lw.convert('i = l%16, k = 4*(l/16)+v', 'cute', (16, 8), 'A', lanes=32)
        self.assertEqual(here, support.say('layout', '--convert', 'i = l%16, k = 4*(l/16)+v', '--operand', 'A', '--shape', '16x8', '--to', 'cute', '--wave', '32'))
        blocked = '#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 8], warpsPerCTA = [2, 2], order = [1, 0]}>'
        self.assertIn('warp = [[0, 32], [8, 0]]', lw.convert(blocked, 'triton', (32, 64)))
        self.assertEqual(lw.cute('compose((4,8):(8,1), 16:2)'), '(2,8):(16,1)')
        for kind, words, call in (
                (lw.FormatError, "column 1: 'x' is not known", lambda: lw.convert('x', 'cute', (16, 16))),
                (lw.FormatError, 'column 3: a number', lambda: lw.cute('4:')),
                (ValueError, 'is not a notation', lambda: lw.convert(said, 'nothing', (16, 16))),
                (ValueError, 'shape is', lambda: lw.convert(said, 'cute', (16,))),
                (ValueError, 'numbers from 1 on', lambda: lw.convert(said, 'cute', (0, 16))),
                (ValueError, 'operand is', lambda: lw.convert(said, 'cute', (16, 16), 'E')),
                (ValueError, 'lanes is 32 or 64', lambda: lw.convert(said, 'cute', (16, 16), lanes=16))):
            with self.assertRaises(kind) as caught:
                call()
            self.assertIn(words, str(caught.exception))

    def test_moves(self):
        """Each place of the next operand gets the element that D has there, from its own lane if that has it."""
        d, a, b = (lw.layout('v_mfma_f32_16x16x16_f16', 'gfx942', operand) for operand in 'DAB')
        for to in a, b:
            moves = d.moves(to)
            self.assertEqual(len(moves), 256)
            where = {(e['x'], e['y']): (e['lane'], e['reg']) for e in d.entries}
            value = {(e['lane'], e['reg'] * 2 + e['lsb'] // 16): (e['x'], e['y']) for e in to.entries}
            for m in moves:
                self.assertEqual(where[value[m['lane'], m['value']]], (m['from_lane'], m['from_value']))
        self.assertEqual((d.moves(a)['lane'] != d.moves(a)['from_lane']).sum(), 240)
        self.assertTrue((d.moves(b)['lane'] == d.moves(b)['from_lane']).all())
        with self.assertRaisesRegex(lw.ArgumentError, '16 rows from 5 on do not fit'):
            d.moves(b, 5, 5)

    def test_sparse(self):
        """Every row keeps the first and the last of each four: stored k 2g and 2g + 1 are k 4g and 4g + 3."""
        insn = lw.instruction('v_smfmac_f32_16x16x32_f16', 'gfx942')
        index = np.full((16, 8), 0b1100, np.uint8)
        stored, dense = insn.layout('A'), insn.layout('A', index=index)
        self.assertEqual((stored.shape, dense.shape), ((1, 16, 16), (1, 16, 32)))
        np.testing.assert_array_equal(dense.lane[0][:, 0::4], stored.lane[0][:, 0::2])
        np.testing.assert_array_equal(dense.lane[0][:, 3::4], stored.lane[0][:, 1::2])
        self.assertTrue((dense.lane[0][:, 1::4] == -1).all())


def caught(function, *args):
    try:
        function(*args)
    except Exception as why:
        return why
    return None


unittest.main()
