# SPDX-License-Identifier: MIT
"""The Python examples of docs/python.md and of the docstrings print what they show."""
import doctest
import os
import re
import unittest

import support  # first: it looks for an interpreter that has NumPy
import numpy as np

import lanewise as lw
from lanewise import _layout, _mma, formats

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def examples(path):
    """The text of its ```python blocks that are transcripts."""
    with open(os.path.join(support.ROOT, path)) as f:
        blocks = re.findall(r'^```python\n(.*?)^```', f.read(), re.S | re.M)
    return '\n\n'.join(block for block in blocks if block.startswith('>>>'))


class Documents(unittest.TestCase):
    def run_text(self, text, name, at_least):
        os.chdir(support.ROOT)
        found = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
        runner = doctest.DocTestRunner(optionflags=FLAGS)
        runner.run(found)
        self.assertEqual(runner.failures, 0, name)
        self.assertGreaterEqual(runner.tries, at_least)

    def test_page(self):
        self.run_text(examples('docs/python.md'), 'docs/python.md', 30)

    def test_docstrings(self):
        for module in (_layout, _mma, formats):
            for test in doctest.DocTestFinder().find(module, globs={**vars(module), **vars(lw), 'np': np}):
                runner = doctest.DocTestRunner(optionflags=FLAGS)
                if test.examples and not ('np.float32(' in test.docstring and np.__version__ < '2'):
                    runner.run(test)
                    self.assertEqual(runner.failures, 0, test.name)

    def test_everything_has_a_docstring(self):
        for name in dir(lw):
            thing = getattr(lw, name)
            if not name.startswith('_') and (callable(thing) or isinstance(thing, type)):
                self.assertTrue(thing.__doc__, name)


unittest.main()
