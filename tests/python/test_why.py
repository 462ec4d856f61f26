# SPDX-License-Identifier: MIT
"""why from Python: where an element comes from, by what the kernels' sources say."""
import os
import unittest

import support
import numpy as np

import lanewise as lw


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
        with self.assertRaises(lw.NoMemoryError):
            lw.why(kernel, c, a, a, np.uint32(256), element=(c, 0), limit=64, **go)


if __name__ == '__main__':
    unittest.main()
