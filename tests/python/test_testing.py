# SPDX-License-Identifier: MIT
"""assert_same_bits: its messages are those of `lanewise run --expect` for the same arrays."""
import os
import re
import subprocess
import tempfile
import unittest

import support  # first: it looks for an interpreter that has NumPy
import numpy as np

from lanewise.testing import assert_same_bits, explain_difference

try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None

COPY = os.path.join(support.EXAMPLES, 'vector_add_gfx950.co')


def program_says(got, want):
    """(lines of differences, explanation) of the program: the kernel adds zeros to `got` and the result is compared with `want`."""
    with tempfile.TemporaryDirectory() as folder:
        for name, array in (('a', got.ravel()), ('z', np.full(got.size, -0.0, np.float32)), ('want', want)):
            np.save(os.path.join(folder, name), array)
        shape = ','.join(str(n) for n in got.shape)
        run = subprocess.run([support.CLI, 'run', COPY, '--grid', str(-(-got.size // 256)), '--block', '256', 'out:-=f32[%s]' % shape,
                              'a.npy', 'z.npy', 'u32:%d' % got.size, '--expect', 'want.npy'], cwd=folder, capture_output=True, text=True)
    found = re.search('explained: (.*)', run.stdout)
    return re.findall(r'^  \[.*', run.stdout, re.M), found.group(1) if found else ''


class Explanations(unittest.TestCase):
    def setUp(self):
        self.want = np.random.default_rng(4).standard_normal((32, 64)).astype(np.float32)

    def same_as_program(self, got, want=None):
        want = self.want if want is None else want
        lines, explained = program_says(got, want)
        self.assertEqual(explain_difference(got, want), explained)
        with self.assertRaises(AssertionError) as caught:
            assert_same_bits(got, want)
        message = str(caught.exception)
        self.assertEqual('explained: ' + explained in message, bool(explained))
        self.assertEqual([re.sub(r'\(.*?\)|,[^,]*ulp', '', line).rstrip() for line in lines],
                         [re.sub(r'\(.*?\)', '', line).rstrip() for line in message.splitlines() if line.startswith('  [')])
        return explained

    def test_transposed(self):
        square = np.arange(256, dtype=np.float32).reshape(16, 16)
        self.assertIn('transposed', self.same_as_program(np.ascontiguousarray(square.T), square))
        blocks = np.arange(512, dtype=np.float32).reshape(2, 16, 16)
        self.assertIn('in each block', self.same_as_program(np.ascontiguousarray(np.swapaxes(blocks, 1, 2)), blocks))

    def test_orders(self):
        i = np.arange(32)
        self.assertIn('row i holds expected row i ^ 5', self.same_as_program(self.want[i ^ 5]))
        self.assertIn('(i + 3) mod 64', self.same_as_program(np.roll(self.want, -3, axis=1)))
        swapped = self.want.copy()
        swapped[[2, 9]] = swapped[[9, 2]]
        self.assertIn('row 2 holds expected 9, row 9 holds expected 2', self.same_as_program(swapped))
        flat = np.random.default_rng(5).standard_normal(256).astype(np.float32)
        lanes = flat.reshape(-1, 32)[:, np.arange(32) ^ 1].ravel()
        self.assertIn('in each 32 elements the lanes', self.same_as_program(lanes, flat))

    def test_missing(self):
        hole = self.want.copy()
        hole[16:32, 8:24] = 0
        self.assertIn('rows 16 to 31, columns 8 to 23 hold only zeros', self.same_as_program(hole))
        hole[0:8, 40:48] = 0
        self.assertIn('tiles of 8 x 8 are missing', self.same_as_program(hole))

    def test_close(self):
        near = self.want.copy()
        near[3, 4] = np.nextafter(near[3, 4], np.float32(9))
        self.assertIn('one ulp', self.same_as_program(near))
        near[5, 5] += 1
        self.assertEqual(self.same_as_program(near), '')

    def test_zeros_and_nans(self):
        want = np.zeros(4, np.float32)
        with self.assertRaisesRegex(AssertionError, 'the sign of a zero, or the bits of a NaN'):
            assert_same_bits(-want, want)
        nans = np.array([0x7fc00000, 0x7fc00001], np.uint32).view(np.float32)
        with self.assertRaisesRegex(AssertionError, '1 of 2 elements differ'):
            assert_same_bits(nans, nans[[0, 0]])
        assert_same_bits(nans, nans.copy())

    def test_types_and_shapes(self):
        with self.assertRaisesRegex(AssertionError, r'float32 \(2,\), but float64 \(2,\) is expected'):
            assert_same_bits(np.zeros(2, np.float32), np.zeros(2))
        with self.assertRaisesRegex(AssertionError, r'\(2,\), but .*\(3,\) is expected'):
            assert_same_bits(np.zeros(2), np.zeros(3))
        with self.assertRaisesRegex(AssertionError, r'\[1\] is 0x05 \(5\), expected 0x02 \(2\)'):
            assert_same_bits(np.array([1, 5], np.int8), np.array([1, 2], np.int8))
        with self.assertRaisesRegex(AssertionError, r'largest difference is 18446744073709551615 ulp'):
            assert_same_bits(np.array([0], np.uint64), np.array([~np.uint64(0)]))
        assert_same_bits(np.float32(1), np.float32(1))
        assert_same_bits(np.zeros((0, 4)), np.zeros((0, 4)))

    @unittest.skipIf(ml_dtypes is None, 'ml_dtypes is not installed')
    def test_ml_dtypes(self):
        want = np.arange(4).astype(ml_dtypes.bfloat16)
        with self.assertRaisesRegex(AssertionError, r'\[1\] is 0x4000 \(2\), expected 0x3f80 \(1\)'):
            assert_same_bits(want[[0, 2, 2, 3]], want)
        small = np.array([1, 2]).astype(ml_dtypes.float8_e4m3fn)
        with self.assertRaisesRegex(AssertionError, r'is 0x40 \(2\), expected 0x38 \(1\)'):
            assert_same_bits(small[[1, 1]], small)


if ml_dtypes is None:
    print('ml_dtypes is not installed: its types are not tested')
unittest.main()
