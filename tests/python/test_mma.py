# SPDX-License-Identifier: MIT
"""mma on arrays: exact products of small integers in NumPy's float64, recorded results of GPUs, the program's JSON."""
import csv
import os
import pickle
import threading
import unittest

import support  # first: it looks for an interpreter that has NumPy
import numpy as np

import lanewise as lw
from lanewise import formats

try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None

# Codes of -2 to 2 by format.
SMALL = {'f64': np.float64, 'f32': np.float32, 'xf32': np.float32, 'f16': np.float16, 'i8': np.int8, 'i4': np.int8, 'i32': np.int32}
CODES = {'bf16': [0xc000, 0xbf80, 0, 0x3f80, 0x4000], 'fp8 e4m3 fnuz': [0xc8, 0xc0, 0, 0x40, 0x48], 'fp8 e4m3': [0xc0, 0xb8, 0, 0x38, 0x40],
         'bf8 e5m2 fnuz': [0xc4, 0xc0, 0, 0x40, 0x44], 'bf8 e5m2': [0xc0, 0xbc, 0, 0x3c, 0x40], 'fp6 e2m3': [0x30, 0x28, 0, 8, 0x10],
         'bf6 e3m2': [0x30, 0x2c, 0, 0x0c, 0x10], 'fp4 e2m1': [0xc, 0xa, 0, 2, 4], 'u8': [0, 1, 2, 3, 4], 'u4': [0, 1, 2, 3, 4],
         'b1': [0, 1, 0, 1, 1]}
UNSIGNED = ('u8', 'u4', 'b1')


def numbers(form, values):
    """-2 to 2 as an array of the format's type or codes."""
    if form in SMALL:
        return (values % 16 if form == 'i4' else values).astype(SMALL[form])
    return np.array(CODES[form], np.uint16 if form == 'bf16' else np.uint8)[values + 2]


def meant(form, values):
    """The same numbers as numbers(), as float64."""
    if form in UNSIGNED:
        return np.array(CODES[form], np.float64)[values + 2]
    return values.astype(np.float64)


def exact(form, d):
    """An array of results, all of them small whole numbers, as float64."""
    if form == 'bf16':
        return (d.view(np.uint16).astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return d.astype(np.float64)


class Products(unittest.TestCase):
    def test_every_instruction(self):
        """D = A * B + C of whole numbers from -2 to 2, which every arithmetic adds exactly."""
        random, seen = np.random.default_rng(7), 0
        for arch in lw.archs():
            for insn in lw.instructions(arch):
                mods = 'neg_lo:[1,1,0]' if 'iu' in insn.name and 'neg_lo' in insn.modifiers else ''
                try:
                    op = lw.mma(insn, mods=mods)
                except lw.LanewiseError:
                    continue  # it only moves elements, or needs a spelling with its types
                if op.d_format != 'i32' and arch.name in ('gfx1100', 'gfx1150'):
                    continue  # their floating-point sums lose a fraction of the last bit, as recorded; test_captures.c replays them
                if insn.sparse or op.a_format == 'b1' or any(form not in SMALL and form not in CODES
                                                              for form in (op.a_format, op.b_format, op.c_format)):
                    continue
                a, b, c = (random.integers(-2, 3, shape) for shape in (op.a_shape, op.b_shape, op.c_shape))
                c_array = numbers(op.c_format, c)
                d = op(numbers(op.a_format, a), numbers(op.b_format, b), c_array)
                want = meant(op.a_format, a) @ meant(op.b_format, b) + c
                np.testing.assert_array_equal(exact(op.d_format, d), want, '%r' % op)
                self.assertEqual(d.shape, op.c_shape)
                seen += 1
        self.assertGreater(seen, 250)

    def test_scales(self):
        """Every block of 32 k has its own power of two."""
        random = np.random.default_rng(8)
        op = lw.mma('v_mfma_scale_f32_16x16x128_f8f6f4', 'gfx950', 'cbsz:fp4 blgp:fp6')
        a, b = random.integers(-2, 3, op.a_shape), random.integers(-2, 3, op.b_shape)
        sa, sb = random.integers(125, 130, op.scale_a_shape), random.integers(125, 130, op.scale_b_shape)
        d = op(numbers('fp4 e2m1', a), numbers('fp6 e2m3', b), scale_a=sa.astype(np.uint8), scale_b=sb.astype(np.uint8))
        want = (a * np.repeat(2.0 ** (sa - 127), 32, axis=1)) @ (b * np.repeat(2.0 ** (sb - 127), 32, axis=1).T)
        np.testing.assert_array_equal(d, want.astype(np.float32))

    def test_sparse(self):
        random = np.random.default_rng(9)
        op = lw.mma('v_smfmac_f32_16x16x32_f16', 'gfx942')
        a, b, c = (random.integers(-2, 3, s) for s in (op.a_shape, op.b_shape, op.c_shape))
        first, second = random.integers(0, 3, (16, 8)), np.full((16, 8), 3)
        dense, groups = np.zeros((16, 32)), np.arange(8)
        for row in range(16):
            dense[row, 4 * groups + first[row]] = a[row, 0::2]
            dense[row, 4 * groups + 3] = a[row, 1::2]
        d = op(a.astype(np.float16), b.astype(np.float16), c.astype(np.float32), index=(first | second << 2).astype(np.uint8))
        np.testing.assert_array_equal(d, dense @ b + c)
        with self.assertRaisesRegex(ValueError, 'sparse: pass index'):
            op(a.astype(np.float16), b.astype(np.float16))

    def test_leading_dimensions(self):
        random = np.random.default_rng(10)
        op = lw.mma('v_mfma_f32_16x16x16_f16', 'gfx942')
        a = random.standard_normal((3, 2, 16, 16)).astype(np.float16)
        b = random.standard_normal((16, 16)).astype(np.float16)
        c = random.standard_normal((2, 16, 16)).astype(np.float32)
        d = op(a, b, c)
        self.assertEqual(d.shape, (3, 2, 16, 16))
        np.testing.assert_array_equal(d[2, 1], op(a[2, 1], b, c[1]))
        np.testing.assert_array_equal(op(a[0, 0].T, b), op(np.ascontiguousarray(a[0, 0].T), b))
        several = lw.mma('v_mfma_f32_4x4x4_16b_f16', 'gfx942')
        self.assertEqual(several.a_shape, (16, 4, 4))


class Recorded(unittest.TestCase):
    def test_amd(self):
        """Rows of A and columns of B that AMD captured on a gfx1201, in waves of 32 and 64: codes by lane, then by value."""
        seen = 0
        with open(os.path.join(support.DATA, 'amd_rdna34_dot2_wmma_hw_vectors.csv')) as f:
            for row in csv.reader(line for line in f if line.startswith('wmma')):
                codes = [int(word, 16) for word in row[3:]]
                for wave, want in ((32, codes[33]), (64, codes[34])):
                    op = lw.mma('v_wmma_f32_16x16x16_' + row[2], row[1], wave=wave)
                    a, b, c = np.zeros((16, 16), np.uint16), np.zeros((16, 16), np.uint16), np.zeros((16, 16), np.uint32)
                    order = lw.layout(op.insn, operand='A', wave=wave)
                    by_place = np.lexsort((order.bit[0, 5], order.register[0, 5], order.lane[0, 5]))
                    a[5, by_place], b[by_place, 9], c[5, 9] = codes[:16], codes[16:32], codes[32]
                    self.assertEqual(op(a, b, c).view(np.uint32)[5, 9], want)
                    seen += 1
        self.assertEqual(seen, 48)

    def test_nvidia(self):
        """Every tenth of 8,800 outputs of NVIDIA GPUs, f16, bf16 and tf32 through wmma, several rows at once."""
        targets = {'V100': 'sm_70', 'A100': 'sm_80', 'A2': 'sm_86', 'Ada': 'sm_89', 'L40S': 'sm_89', 'H100': 'sm_90', 'H200': 'sm_90',
                   'B200': 'sm_100'}
        spellings = {('f16', 'f32'): 'wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32',
                     ('f16', 'f16'): 'wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16',
                     ('bf16', 'f32'): 'wmma.mma.sync.aligned.row.col.m16n16k16.f32.bf16.bf16.f32',
                     ('tf32', 'f32'): 'wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32'}
        ops, seen = {}, 0
        with open(os.path.join(support.DATA, 'nvidia-mma-rows.csv')) as f:
            rows = [row for row in csv.reader(line for line in f if not line.startswith('#')) if (row[1], row[2]) in spellings]
        for gpu, ab, cd, _, a_row, b_col, c_word, d_word in rows[::10]:
            op = ops.setdefault((gpu, ab, cd), None) or lw.mma(spellings[ab, cd], targets[gpu])
            ops[gpu, ab, cd] = op
            wide, out = np.uint32 if ab == 'tf32' else np.uint16, np.uint16 if cd == 'f16' else np.uint32
            a, b, c = np.zeros(op.a_shape, wide), np.zeros(op.b_shape, wide), np.zeros(op.c_shape, out)
            for array, words in ((a[3], a_row), (b[:, 4], b_col)):
                codes = [int(word, 16) for word in words.split()]
                array[:len(codes)] = codes
            c[3, 4] = int(c_word, 16)
            self.assertEqual(op(a, b, c).view(out)[3, 4], int(d_word, 16), (gpu, ab, cd))
            seen += 1
        self.assertGreater(seen, 500)


class Answers(unittest.TestCase):
    def setUp(self):
        self.op = lw.mma('v_mfma_f32_16x16x16_f16', 'gfx942')
        self.a, self.b, self.c = np.zeros((16, 16), np.float16), np.zeros((16, 16), np.float16), np.zeros((16, 16), np.float32)
        self.a[0, :4], self.b[0, 0], self.b[1:4, 0], self.c[0, 0] = [-8192, -.5, -.25, -.125], 1024, 1, 8388608

    def test_evidence(self):
        result = self.op.run(self.a, self.b, self.c)
        self.assertEqual(result.d[0, 0], -0.5)  # a published result of an MI300X; exact arithmetic gives -0.875
        self.assertEqual(result.weakest, 'measured')
        self.assertIn('MI300X', result.evidence[0].source)
        np.testing.assert_array_equal(result.d, self.op(self.a, self.b, self.c))
        reference = lw.mma('v_mfma_f32_16x16x16_f16', 'gfx942', reference=True)
        np.testing.assert_array_equal(result.d, reference(self.a, self.b, self.c))

    def test_explain(self):
        steps = self.op.explain(self.a, self.b, self.c, row=0, col=0)
        self.assertEqual([s.k for s in steps if s.kind == 'product'][:4], [0, 1, 2, 3])
        self.assertEqual((steps[-1].kind, steps[-1].bits), ('result', 0xbf000000))
        self.assertIn('D = -0.5 (0xbf000000)', str(steps))
        with self.assertRaises(lw.ArgumentError):
            self.op.explain(self.a, self.b, row=16, col=0)

    def test_readings(self):
        """Another reading is another rule."""
        insn = lw.instruction('v_mfma_f32_16x16x32_f16', 'gfx950')
        rules = {str(r): lw.mma(insn, readings=r).rule for r in insn.readings if r.topic == 'doubled-k'}
        self.assertGreater(len(set(rules.values())), 1)
        self.assertEqual(insn.mma().rule, next(rules[str(r)] for r in insn.readings if str(r) in rules and r.is_default))
        with self.assertRaises(lw.NotFoundError):
            lw.mma('v_mfma_f32_16x16x32_f16', 'gfx950', readings=['doubled-k:none'])

    def test_mode(self):
        big = np.full((16, 16), 65504, np.float16)
        top = np.full((16, 16), np.finfo(np.float32).max, np.float32)
        op = lw.mma('v_mfma_f32_16x16x16_f16', 'gfx950')
        top_and_more = np.full((16, 16), 3.4e38, np.float32)
        self.assertTrue(np.isfinite(op(big, big, top_and_more)).all())
        self.assertEqual(op(big, big, top).dtype, np.float32)
        with self.assertRaisesRegex(ValueError, 'not a bit of MODE'):
            op(big, big, mode='ieee')

    def test_refusals(self):
        for a, kind, words in ((self.a.astype(np.float32), TypeError, 'nothing is converted'), (self.a[:8], ValueError, 'shape'),
                               (self.a.astype(np.int16), TypeError, 'float16, or codes as uint16')):
            with self.assertRaisesRegex(kind, words):
                self.op(a, self.b)
        with self.assertRaisesRegex(ValueError, 'has no scale_a'):
            self.op(self.a, self.b, scale_a=np.zeros((16, 1), np.uint8))
        self.assertEqual(lw.decode('fp4 e2m1', 5), '3')

    def test_pickle_and_threads(self):
        random = np.random.default_rng(11)
        a = random.standard_normal((16, 16)).astype(np.float16)
        again = pickle.loads(pickle.dumps(self.op))
        want, failed = self.op(a, self.b), []

        def work():
            for _ in range(50):
                if not np.array_equal(again(a, self.b), want):
                    failed.append(1)
        threads = [threading.Thread(target=work) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertFalse(failed)


@unittest.skipIf(ml_dtypes is None, 'ml_dtypes is not installed')
class MlDtypes(unittest.TestCase):
    def test_every_code(self):
        """The types of ml_dtypes give codes the same values as our formats."""
        for form, kinds in formats.TYPES.items():
            kind = getattr(ml_dtypes, kinds[0], None)
            if kind is None or np.dtype(kind).itemsize > 2:
                continue
            bits = 4 if '4_' in kinds[0] or kinds[0] in ('int4', 'uint4') else 6 if '6_' in kinds[0] and 'bf' not in kinds[0] else \
                8 * np.dtype(kind).itemsize
            codes = np.arange(1 << bits, dtype=np.uint16 if bits == 16 else np.uint8)
            for code, value in zip(codes[::97 if bits == 16 else 1], codes.view(kind)[::97 if bits == 16 else 1].astype(np.float64)):
                text = lw.decode(form, int(code))
                got = float(text) if not text.lstrip('-').startswith('0x') else float.fromhex(text)
                self.assertTrue(got == value or (got != got and value != value), (form, code, text, value))

    def test_results(self):
        op = lw.mma('v_wmma_bf16_16x16x16_bf16', 'gfx1201')
        a = np.arange(256).reshape(16, 16).astype(ml_dtypes.bfloat16)
        d = op(a, np.eye(16).astype(ml_dtypes.bfloat16))
        self.assertEqual(d.dtype, ml_dtypes.bfloat16)
        np.testing.assert_array_equal(d, a)


if ml_dtypes is None:
    print('ml_dtypes is not installed: its types are not tested')
unittest.main()
