# SPDX-License-Identifier: MIT
"""lanewise.triton: kernels compiled by the installed Triton for targets that are not there, results compared with NumPy. The first word
after the file's name is the target."""
import os
import sys
import unittest
import warnings

other = os.environ.pop('LW_TRITON_PYTHON', None)
if other and other != sys.executable:
    os.execv(other, [other, '-B'] + sys.argv)

import support  # first: it looks for an interpreter that has NumPy
import numpy as np

import lanewise as lw
import lanewise.triton as lt

warnings.filterwarnings('ignore')
ARCH = sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith('-') else 'gfx942'

try:
    import triton.language as tl
    import triton_kernels as kernels
except ImportError as why:
    with np.testing.assert_raises_regex(ImportError, 'lanewise.triton needs the package triton'):
        lt.run(None, 1)
    support.skip('this Python has no Triton: %s' % why)
try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None

NVIDIA = ARCH.startswith('sm_')
FP8 = {'gfx942': ('float8_e4m3fnuz', 'float8_e5m2fnuz'), 'sm_80': ('float8_e5m2',)}.get(ARCH, ('float8_e4m3fn', 'float8_e5m2'))


def small(shape, dtype, seed):
    """Small whole numbers, exact in every format and in every sum of products."""
    values = np.random.default_rng(seed).integers(-3, 4, shape)
    return values.astype(dtype)


def exact(values):
    return np.asarray(values, np.float64)


class Kernels(unittest.TestCase):
    def run_on(self, kernel, grid, *arguments, **constexprs):
        return lt.run(kernel, grid, *arguments, arch=ARCH, launch={'time_limit': 300.0}, **constexprs)

    def test_add(self):
        x, y, out = np.arange(1000, dtype=np.float32), np.ones(1000, np.float32), np.zeros(1000, np.float32)
        result = self.run_on(kernels.add, lambda values: (-(-values['n'] // values['BLOCK']),), x, y, out, 1000, BLOCK=256)
        np.testing.assert_array_equal(out, x + y)
        self.assertEqual(result.groups, 4)

    def product(self, dtype, sums, c_type, m=64, n=64, k=64, tf32='ieee', **options):
        a, b, c = small((m, k), dtype, 1), small((k, n), dtype, 2), np.zeros((m, n), c_type)
        result = self.run_on(kernels.matmul, (m // 32, n // 32), a, b, c, m, n, k, TF32=tf32, SUM=sums, BM=32, BN=32, BK=32, **options)
        np.testing.assert_array_equal(exact(c), exact(a) @ exact(b), str(dtype))
        return result

    def test_matmul_f16(self):
        self.assertGreater(self.product(np.float16, tl.float32, np.float32).matrix_instructions, 0)
        self.product(np.float16, tl.float32, np.float32, num_stages=3, num_warps=2, k=160)
        self.product(np.float16, tl.float16, np.float16)

    def test_matmul_f32(self):
        self.product(np.float32, tl.float32, np.float32)
        if NVIDIA or ARCH == 'gfx942':
            self.assertGreater(self.product(np.float32, tl.float32, np.float32, tf32='tf32').matrix_instructions, 0)

    def test_matmul_i8(self):
        self.assertGreater(self.product(np.int8, tl.int32, np.int32).matrix_instructions, 0)

    @unittest.skipUnless(ml_dtypes, 'needs ml_dtypes')
    def test_matmul_bf16(self):
        self.assertGreater(self.product(ml_dtypes.bfloat16, tl.float32, np.float32).matrix_instructions, 0)

    @unittest.skipUnless(ml_dtypes, 'needs ml_dtypes')
    def test_matmul_fp8(self):
        for name in FP8:
            self.assertGreater(self.product(getattr(ml_dtypes, name), tl.float32, np.float32).matrix_instructions, 0)

    @unittest.skipIf(ARCH == 'gfx1201', 'Triton has no products of f64 for it')
    def test_matmul_f64(self):
        self.product(np.float64, tl.float64, np.float64)

    def test_large_tiles(self):
        m = n = 128
        a, b, c = small((m, 128), np.float16, 1), small((128, n), np.float16, 2), np.zeros((m, n), np.float32)
        self.run_on(kernels.matmul, (1, 1), a, b, c, m, n, 128, TF32='ieee', SUM=tl.float32, BM=128, BN=128, BK=64, num_warps=4)
        np.testing.assert_array_equal(exact(c), exact(a) @ exact(b))

    def test_split_k(self):
        a, b, c = small((64, 256), np.float16, 1), small((256, 32), np.float16, 2), np.zeros((64, 32), np.float32)
        self.run_on(kernels.split_k, (2, 1, 4), a, b, c, 64, 32, 256, BM=32, BN=32, BK=32, PARTS=4)
        np.testing.assert_array_equal(exact(c), exact(a) @ exact(b))

    def scaled(self, form, codes, values, pack):
        """Each format on both sides, with scales from 1/2 to 4."""
        random = np.random.default_rng(5)
        m, n, k = 32, 32, 128
        at = random.integers(0, len(codes), (2, m, k))
        scales = random.integers(126, 130, (2, m, k // 32)).astype(np.uint8)
        chosen = np.asarray(codes, np.uint8)[at]
        a, b = (chosen[..., ::2] | chosen[..., 1::2] << 4) if pack == 2 else chosen
        c = np.zeros((m, n), np.float32)
        self.run_on(kernels.scaled_matmul, 1, np.ascontiguousarray(a), scales[0], np.ascontiguousarray(b), scales[1], c, K=k, A=form, B=form,
                    PACK_A=pack, PACK_B=pack, BM=m, BN=n, BK=128)
        numbers = np.asarray(values)[at] * np.repeat(2.0**(scales.astype(int) - 127), 32, axis=2)
        np.testing.assert_array_equal(exact(c), numbers[0] @ numbers[1].T, form)

    def test_dot_scaled(self):
        if ARCH != 'sm_80':  # Triton takes no e4m3 there
            self.scaled('e4m3', [0x00, 0x38, 0x40, 0xb8, 0x30], [0, 1, 2, -1, 0.5], 1)
        self.scaled('e5m2', [0x00, 0x3c, 0x40, 0xbc, 0x38], [0, 1, 2, -1, 0.5], 1)
        self.scaled('e2m1', [0, 2, 4, 10, 1], [0, 1, 2, -1, 0.5], 2)

    def test_softmax(self):
        x = np.random.default_rng(6).standard_normal((4, 200)).astype(np.float32)
        out = np.zeros_like(x)
        self.run_on(kernels.softmax, 4, x, out, 200, BLOCK=256)
        e = np.exp(exact(x) - exact(x).max(1, keepdims=True))
        np.testing.assert_allclose(out, e / e.sum(1, keepdims=True), rtol=2e-6)

    def test_layer_norm(self):
        random = np.random.default_rng(7)
        x, w, b = (random.standard_normal(s).astype(np.float32) for s in ((3, 200), 200, 200))
        out = np.zeros_like(x)
        self.run_on(kernels.layer_norm, 3, x, w, b, out, 200, 1e-5, BLOCK=256)
        d = exact(x) - exact(x).mean(1, keepdims=True)
        np.testing.assert_allclose(out, d / np.sqrt((d * d).mean(1, keepdims=True) + 1e-5) * w + b, rtol=1e-5, atol=1e-5)

    def test_attention(self):
        random = np.random.default_rng(8)
        q, k, v = (random.standard_normal(s).astype(np.float16) for s in ((64, 32), (96, 32), (96, 32)))
        out = np.zeros((64, 32), np.float32)
        scale = float(np.float32(1.4426950408889634 / 32**0.5))
        self.run_on(kernels.attention, 2, q, k, v, out, scale, KEYS=96, D=32, BM=32, BN=32)
        e = np.exp2(exact(q) @ exact(k).T * scale)
        np.testing.assert_allclose(out, e @ exact(v) / e.sum(1, keepdims=True), atol=2e-3)

    def test_sort(self):
        x = np.random.default_rng(9).integers(-1000, 1000, (2, 128)).astype(np.int32)
        out = np.zeros_like(x)
        self.run_on(kernels.sort, 2, x, out, N=128)
        np.testing.assert_array_equal(out, np.sort(x, 1))
        f, out = x.astype(np.float32) / 7, np.zeros((2, 128), np.float32)
        self.run_on(kernels.sort, 2, f, out, N=128)
        np.testing.assert_array_equal(out, np.sort(f, 1))

    def test_descriptors(self):
        x = np.arange(64 * 64, dtype=np.float32).reshape(64, 64)
        out = np.zeros_like(x)
        self.run_on(kernels.described, (2, 2), x, out, 64, 64, BM=32, BN=32)
        np.testing.assert_array_equal(out, x * 2)


class Arguments(unittest.TestCase):
    """What does not depend on the target is tested on one."""

    def test_values(self):
        x, out = np.ones(64, np.float32), np.zeros(1, np.float32)
        for n, factor, none, want in ((64, 0.5, None, 32), (32, 2.0, 7, 2 * (32 + 64)), (1, np.float32(3), None, 3), (2, np.float64(1.5), None, 3), (True, 1.0, None, 1)):
            lt.run(kernels.scaled_sum, 1, x, out, factor, none, n, arch=ARCH)
            self.assertEqual(out[0], want)
        lt.run(kernels.scaled_sum, 1, x=x, out=out, factor=0.25, none=None, n=64, arch=ARCH)
        self.assertEqual(out[0], 16)

    def test_compiled(self):
        x = np.ones(256, np.float32)
        made = lt.compile(kernels.add, x, x, x, 1000, arch=ARCH, BLOCK=256, num_warps=2)
        self.assertEqual((made.metadata.num_warps, made.passed), (2, ('x', 'y', 'out', 'n')))
        self.assertIn('ptx' if NVIDIA else 'hsaco', made.asm)
        self.assertEqual(made.kernel.name, 'add')

    def test_checks(self):
        x, out = np.ones(1000, np.float32), np.zeros(1000, np.float32)
        result = lt.run(kernels.add, 4, x, x, out, 1000, arch=ARCH, launch={'check': 'races', 'threads': 1}, BLOCK=256)
        self.assertEqual(len(result.findings), 0)
        with self.assertRaises(lw.KernelFault):  # n is larger than the arrays
            lt.run(kernels.add, 4, x[:100].copy(), x[:100].copy(), out[:100].copy(), 1000, arch=ARCH, BLOCK=256)

    def test_mistakes(self):
        x = np.ones(64, np.float32)
        for error, says, arguments, keywords in (
                (TypeError, 'add takes 4 arguments that are not tl.constexpr, but 5 were given', (x, x, x, 1, 2), {'BLOCK': 64}),
                (TypeError, 'add: no value was given for n, BLOCK', (x, x, x), {}),
                (TypeError, 'add: argument x was given twice', (x, x, x, 1), {'x': x, 'BLOCK': 64}),
                (TypeError, 'argument y is list, not an array or a number', (x, [1], x, 5), {'BLOCK': 64}),
                (TypeError, 'elements of complex64, for which Triton has no type', (x, x.astype(np.complex64), x, 5), {'BLOCK': 64})):
            with self.assertRaisesRegex(error, says):
                lt.run(kernels.add, 1, *arguments, arch=ARCH, **keywords)
        with self.assertRaisesRegex(ValueError, 'grid is one to three numbers'):
            lt.run(kernels.add, (1, 1, 1, 1), x, x, x, 64, arch=ARCH, BLOCK=64)
        with self.assertRaisesRegex(TypeError, 'small is not a kernel of @triton.jit'):
            lt.run(small, 1)
        with self.assertRaisesRegex(lw.LanewiseError, 'gfx94'):
            lt.run(kernels.add, 1, x, x, x, 64, arch='gfx943', BLOCK=64)


if __name__ == '__main__':
    unittest.main(argv=sys.argv, verbosity=1)
