# SPDX-License-Identifier: MIT
"""why from Python: where an element comes from, by what the kernels' sources say."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

import support
import numpy as np

import lanewise as lw

sys.path.insert(0, os.path.join(support.ROOT, 'tests', 'seeded'))
import seeded  # noqa: E402
import why as products  # noqa: E402
import why_capture  # noqa: E402

CHECKS = os.path.join(support.DATA, 'checks')


def aligned(array):
    """A copy at a multiple of 64 bytes: wmma asks for more than NumPy's 16."""
    room = np.zeros(array.nbytes + 64, np.uint8)
    start = -room.ctypes.data % 64
    copy = room[start:start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def arrays_of(folder, names):
    return {name: np.load(os.path.join(folder, name + '.npy')) for name in names}


def program_says(kernel, folder, words):
    run = subprocess.run([support.CLI, 'why', kernel, '--grid', '1', *words, '--expect', 'expected.npy', '--json'], capture_output=True, text=True,
                         cwd=folder)
    return json.loads(run.stdout)


class WhyOf(unittest.TestCase):
    def test_a_sum(self):
        kernel = lw.load(os.path.join(support.EXAMPLES, 'vector_add_gfx942.co'))['vector_add']
        a, b, c = np.arange(1000, dtype=np.float32), np.full(1000, 2.5, np.float32), np.zeros((25, 40), np.float32)
        answer = lw.why(kernel, c, a, b, np.uint32(1000), element=(c, (12, 3)), grid=4, block=256)
        at = 12 * 40 + 3
        self.assertEqual(c[12, 3], a[at] + b[at])
        np.testing.assert_array_equal(c.reshape(-1), a + b)
        self.assertEqual([(r.first, r.last) for r in answer.inputs()], [(4 * at, 4 * at + 3)] * 2)
        asked = answer.nodes[0]
        self.assertEqual((asked.kind, asked.space, asked.offset, asked.size), ('asked', 'global', 4 * at, 4))
        store = answer.nodes[asked.sources[0].node]
        self.assertEqual((store.kind, store.workgroup, store.wave, store.lane), ('store', (at // 256, 0, 0), at % 256 // 64, at % 64))
        total = answer.nodes[store.sources[0].node]
        self.assertTrue(total.instruction.startswith('v_add_f32'), total)
        self.assertEqual(total.value, int(np.float32(a[at] + b[at]).view(np.uint32)))
        loads = [answer.nodes[e.node] for e in total.sources]
        self.assertEqual([n.kind for n in loads], ['load', 'load'])
        words = sorted(answer.nodes[n.sources[0].node].value for n in loads)
        self.assertEqual(words, sorted(int(v.view(np.uint32)) for v in (a[at], b[at])))
        self.assertIn('v_add_f32', str(answer))

    def test_a_product(self):
        """Element (i, j) of A B': row i of A, row j of B; matrix instructions tell which elements of their tiles."""
        kernel = lw.load(os.path.join(support.EXAMPLES, 'gemm_f16.co'))['gemm_f16']
        rng = np.random.default_rng(3)
        a, b, c = (rng.integers(-4, 4, (64, 64)).astype(np.float16) for _ in range(3))
        c = np.zeros((64, 64), np.float32)
        answer = lw.why(kernel, c, a, b, np.uint32(64), np.uint32(64), element=(c, (37, 5)), grid=(1, 1), block=256)
        self.assertEqual(c[37, 5], np.dot(a[37].astype(np.float32), b[5].astype(np.float32)))
        rows = sorted((r.first, r.last) for r in answer.inputs())
        self.assertEqual(rows, sorted([(37 * 128, 37 * 128 + 127), (5 * 128, 5 * 128 + 127)]))
        matrices = [n for n in answer.nodes if n.kind == 'matrix']
        self.assertEqual(len(matrices), 4)  # 16 k at a time
        for n in matrices:
            self.assertEqual(sorted((e.operand, e.y if e.operand == 'A' else e.x) for e in n.sources if e.operand in 'AB'),
                             sorted((o, k) for o in 'AB' for k in range(16)))
            self.assertEqual(n.element[1:], (37 % 32, 5))

    def test_words(self):
        """A kernel that uses a tile twice, as docs/checks/why.md shows it: the sums say which k it must be."""
        kernel = lw.load(os.path.join(CHECKS, 'tile_twice.co')).kernel
        given = arrays_of(os.path.join(CHECKS, 'tile_twice'), ('A', 'B', 'expected'))
        c = np.full((16, 16), 7, np.float32)
        answer = lw.why(kernel, given['A'], given['B'], c, None, None, element=c, expect=given['expected'], grid=1, block=64)
        half = given['A'][0, :16].astype(np.float32) @ given['B'][:16, 0].astype(np.float32)
        self.assertEqual((answer.index, answer.got, answer.expected), ((0, 0), 2 * half, given['expected'][0, 0]))
        self.assertEqual(answer.explained, 'a tile is used twice: k = 0 to 15; k = 16 to 31 are never used')
        self.assertIn(answer.explained, str(answer))
        for step in answer.steps:
            self.assertEqual([(e.array, e.row, e.column) for e in step.a], [('A', 0, k) for k in range(16)])
            self.assertEqual([(e.array, e.row, e.column) for e in step.b], [('B', k, 0) for k in range(16)])
            self.assertEqual([e.code for e in step.a], given['A'][0, :16].view(np.uint16).tolist())
        self.assertEqual([answer.nodes[step.node].kind for step in answer.steps], ['matrix'] * 2)
        with self.assertRaisesRegex(lw.NotFoundError, 'nothing differs'):
            lw.why(kernel, given['A'], given['B'], c, None, None, element=c, expect=c.copy(), grid=1, block=64)
        self.assertEqual(lw.why(kernel, given['A'], given['B'], c, None, None, element=(c, (3, 2)), expect=c.copy(), grid=1, block=64).explained, '')

    def test_buffers(self):
        """The whole argument block, and the arrays that it points to: each by its own number."""
        kernel = lw.load(os.path.join(CHECKS, 'tile_twice.co')).kernel
        given = arrays_of(os.path.join(CHECKS, 'tile_twice'), ('A', 'B', 'expected'))
        c = np.zeros((16, 16), np.float32)
        block = b''.join(at.to_bytes(8, 'little') for at in (given['A'].ctypes.data, given['B'].ctypes.data, c.ctypes.data, 0, 0))
        answer = lw.why(kernel, kernarg=block, buffers=[c, given['A'], given['B']], element=c, expect=given['expected'], grid=1, block=64)
        self.assertEqual(answer.explained, 'a tile is used twice: k = 0 to 15; k = 16 to 31 are never used')
        self.assertEqual({(e.array, e.row) for step in answer.steps for e in step.a}, {('buffer 1', 0)})
        self.assertEqual({(e.array, e.column) for step in answer.steps for e in step.b}, {('buffer 2', 0)})

    def test_the_first_difference_leaves_no_trace(self):
        """The launch that is compared must not be seen by the one that is traced: the kernel adds to its array in place."""
        kernel = lw.load(os.path.join(support.EXAMPLES, 'vector_add_gfx942.co'))['vector_add']
        x, y = np.arange(64, dtype=np.float32), np.ones(64, np.float32)
        want = x + 1
        want[5] = 0
        answer = lw.why(kernel, x, x, y, np.uint32(64), element=x, expect=want, grid=1, block=64)
        self.assertEqual((answer.index, answer.got, answer.expected, answer.explained), ((5,), 6.0, 0.0, ''))
        np.testing.assert_array_equal(x, np.arange(64) + 1)

    @unittest.skipUnless(seeded.MC and seeded.LLD, 'llvm-mc-22 or ld.lld-22 is not installed')
    def test_words_of_the_program(self):
        """Products with planted mistakes, and their twins: the sentence of `lanewise why`, and the one that the list says."""
        said = set()
        for product in products.products():
            for wrong in (True, False):
                with tempfile.TemporaryDirectory() as folder:
                    product.data(folder)
                    path = product.build(wrong, folder)
                    words = product.command('', path)[3:]
                    there = program_says(path, folder, words[words.index('--block'):words.index('--expect')] + (
                        ['--first-difference'] if wrong else ['--element', 'C:2,5']))
                    names = products.NAMES[:3] if product.is_ptx else products.NAMES
                    given = {n: aligned(x) for n, x in arrays_of(folder, [n for n in names if n != 'C']).items()}
                    given['C'], want = aligned(np.zeros((product.m, product.n), np.float32)), np.load(os.path.join(folder, 'expected.npy'))
                    passed = dict(given)
                    if product.kind == 'wgmma':
                        passed['A'] = lw.TensorMap(given['A'], box=(64, product.k), swizzle=64)
                        passed['B'] = lw.TensorMap(given['B'], box=(16, 16 if product.b == 'kn' else product.k), swizzle=32 if product.b == 'kn' else 64)
                    here = lw.why(lw.load(path).kernel, *[passed[n] for n in names], element=given['C'] if wrong else (given['C'], (2, 5)),
                                  expect=want, grid=1, block={'ptx': 32, 'wgmma': 128}.get(product.kind, 64))
                self.assertEqual(here.explained, there['explained'] or '', product.name)
                self.assertEqual('C[%d,%d]' % here.index, there['element'], product.name)
                self.assertEqual(product.words in here.explained, wrong, product.name)
                said.add(here.explained.split(':')[0])
        self.assertEqual(len(said), 8)

    def test_what_is_refused(self):
        kernel = lw.load(os.path.join(support.EXAMPLES, 'vector_add_gfx942.co'))['vector_add']
        a, c = np.zeros(256, np.float32), np.zeros(300, np.float32)
        go = dict(grid=1, block=256)
        with self.assertRaises(lw.NotFoundError):
            lw.why(kernel, c, a, a, np.uint32(256), element=(c, 299), **go)
        with self.assertRaises(ValueError):
            lw.why(kernel, c, a, a, np.uint32(256), element=(c, 300), **go)
        with self.assertRaises(ValueError):
            lw.why(kernel, c, a, a, np.uint32(256), element=(c, (1, 2)), **go)
        with self.assertRaises(lw.ArgumentError):
            lw.why(kernel, c, a, a, np.uint32(256), element=(np.zeros(3), 0), **go)
        with self.assertRaises(TypeError):
            lw.why(kernel, c, a, a, np.uint32(256), element=(c, 0), check='races', **go)
        with self.assertRaisesRegex(ValueError, 'the index of one element is needed'):
            lw.why(kernel, c, a, a, np.uint32(256), element=c, **go)
        for expect in (c.tolist(), c.astype(np.float64), c[:256], a):
            with self.assertRaisesRegex(ValueError, 'expect must be an array of float32'):
                lw.why(kernel, c, a, a, np.uint32(256), element=c, expect=expect, **go)
        with self.assertRaises(lw.NoMemoryError):
            lw.why(kernel, c, a, a, np.uint32(256), element=(c, 0), limit=64, **go)



class Captured(unittest.TestCase):
    """Recorded launches of planted mistakes, which tests/seeded/why_capture.py writes."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.product = next(p for p in products.products() if p.name == 'ptx-k-order')
        self.product.data(self.folder.name)
        self.arrays = {'C': ('float32', (16, 8)), 'A': (np.float16, (16, 32)), 'B': ('<f2', (8, 32))}

    def capture(self, wrong, outcome=''):
        code = self.product.build(wrong, self.folder.name)
        return lw.Capture(why_capture.capture_of(self.product, code, self.folder.name, outcome))

    def test_the_first_difference(self):
        answer = lw.why(self.capture(True), element='C', arrays=self.arrays)
        self.assertIn(self.product.words, answer.explained)
        expected = arrays_of(self.folder.name, ['expected'])['expected']
        self.assertEqual(answer.index, (0, 0))
        self.assertEqual(answer.expected, expected[0, 0])
        self.assertNotEqual(answer.got, expected[0, 0])
        with self.assertRaises(lw.NotFoundError):
            lw.why(self.capture(False), element='C', arrays=self.arrays)
        with self.assertRaises(lw.NotFoundError):
            lw.why(self.capture(True), element='C', arrays=self.arrays, program=self.product.build(False, self.folder.name))

    def test_one_element(self):
        answer = lw.why(self.capture(False), element=(2, (2, 5)), arrays={2: self.arrays['C'], 'A': self.arrays['A'], 'B': self.arrays['B']})
        self.assertEqual((answer.index, answer.explained), ((2, 5), ''))
        self.assertEqual(answer.got, answer.expected)
        a, b = arrays_of(self.folder.name, 'AB').values()
        self.assertEqual(answer.got, a[2].astype(np.float32) @ b[5].astype(np.float32))
        self.assertEqual({(e.array, e.row) for step in answer.steps for e in step.a}, {('A', 2)})
        self.assertEqual([e.column for step in answer.steps for e in step.b], list(range(32)))
        answer = lw.why(self.capture(False), element='C', arrays=self.arrays, expect=np.zeros((16, 8), np.float32))
        self.assertEqual(answer.expected, 0)

    def test_what_is_refused(self):
        of, wanted = self.capture(True), self.arrays
        for words, says in (({'element': 'C'}, r"type and the shape of C: say arrays=\{'C'"),
                            ({'element': 'D', 'arrays': {'D': ('u1', (1,))}}, "'D' is no argument of k"),
                            ({'element': 'C', 'arrays': {'C': ('f4', (160, 8))}}, 'C has 5120 bytes, but the capture holds 512'),
                            ({'element': 5, 'arrays': {5: ('f4', (1,))}}, '5 is not the address of memory')):
            with self.assertRaisesRegex(lw.ArgumentError, says):
                lw.why(of, **words)
        with self.assertRaisesRegex(lw.ArgumentError, 'no memory after the launch .on the GPU, it hung.'):
            lw.why(self.capture(True, 'it hung'), element='C', arrays=wanted)
        self.assertIsNone(lw.why(self.capture(True, 'it hung'), element=('C', (0, 0)), arrays=wanted).expected)
        with self.assertRaisesRegex(ValueError, '2 dimensions, the index has 1'):
            lw.why(of, element=('C', 0), arrays=wanted)
        with self.assertRaises(TypeError):
            lw.why(of, 1, element='C', arrays=wanted)


if __name__ == '__main__':
    unittest.main()
