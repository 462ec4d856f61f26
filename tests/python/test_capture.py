# SPDX-License-Identifier: MIT
"""Captured launches from Python: files that tests/runtime/capture.py writes from their description, with sums that it computes."""
import os
import subprocess
import sys
import tempfile
import unittest

import support
import numpy as np

import lanewise as lw

WRITER = os.path.join(support.ROOT, 'tests', 'runtime', 'capture.py')
GFX942, GFX950 = (os.path.join(support.EXAMPLES, 'vector_add_%s.co' % name) for name in ('gfx942', 'gfx950'))


class Captures(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, 'a.lwcap')
        self.write('make', self.path, GFX942, 'gfx942')

    def write(self, *words):
        subprocess.run([sys.executable, '-B', WRITER, *map(str, words)], check=True)

    def edited(self, *words):
        out = os.path.join(self.folder.name, 'edited.lwcap')
        self.write('edit', self.path, out, *words)
        return lw.Capture(out)

    def test_what_is_in_it(self):
        of = lw.Capture(self.path)
        self.assertEqual((of.kernel, of.target, of.api, of.outcome, of.about), ('vector_add', 'gfx942', 'HIP', '', {'device': 'none'}))
        self.assertEqual((of.grid, of.items, of.block, of.cluster, of.dynamic_lds), ((4, 1, 1), (0, 0, 0), (256, 1, 1), (0, 0, 0), 0))
        with open(GFX942, 'rb') as code:
            self.assertEqual(of.code, code.read())
        self.assertEqual(len(of.args), 28)
        self.assertEqual([(p.name, p.address, len(p.before)) for p in of.pieces], [('', 0x7f1234560000 + 0x10000 * i, 4000) for i in range(3)])
        np.testing.assert_array_equal(of.pieces[1].before.view(np.float32), np.arange(1000) % 100)
        self.assertIs(of.pieces[1].after, of.pieces[1].before)
        self.assertEqual(repr(of), '<capture of vector_add on gfx942: 12000 bytes of memory>')

    def test_replay(self):
        again = lw.Capture(self.path).replay(check='races,uninit')
        self.assertTrue(again.compared)
        self.assertEqual((again.differences, again.result.groups, again.result.findings), ((), 4, ()))
        self.assertEqual(lw.Capture(self.path).replay(GFX942, 'vector_add', threads=1).differences, ())

    def test_differences(self):
        with open(self.path, 'rb') as file:
            data = file.read()
        self.assertEqual(lw.Capture(data).kernel, 'vector_add')
        found = self.edited('after', 0, 1234, 1).replay()
        self.assertEqual([(d.piece.address, d.bytes, d.first) for d in found.differences], [(0x7f1234560000, 1, 1234)])
        self.assertFalse(lw.Capture(self.path).replay(only=[(0, 0, 0)]).compared)

    def test_what_is_refused(self):
        with open(self.path, 'rb') as file:
            data = file.read()
        with self.assertRaisesRegex(lw.FormatError, 'hash is wrong'):
            lw.Capture(data[:100] + b'?' + data[101:])
        with self.assertRaises(lw.FormatError):
            lw.Capture(data[:-8])
        with self.assertRaisesRegex(lw.KernelFault, 'no allocation'):
            self.edited('drop', 2).replay()
        with self.assertRaisesRegex(lw.ArgumentError, 'ends at byte 28, but the capture has 24'):
            self.edited('cut', 24).replay()
        with self.assertRaisesRegex(lw.ArgumentError, 'holds no code'):
            self.edited('text', 7, '').replay()
        with self.assertRaises(lw.LanewiseError):
            lw.Capture(self.path).replay(GFX950)


if __name__ == '__main__':
    unittest.main()
