# SPDX-License-Identifier: MIT
"""Type hints: everything that programs may use has them, objects have no public attribute that their class does not declare, and mypy, where
it is installed, finds the mistakes of types_user.py and no others."""
import importlib.util
import inspect
import os
import subprocess
import sys
import tempfile
import unittest

import support  # first: it looks for an interpreter that has NumPy
import numpy as np

import lanewise as lw
import lanewise.distributed
import lanewise.formats
import lanewise.testing
import lanewise.triton

MODULES = (lanewise.distributed, lanewise.formats, lanewise.testing, lanewise.triton)
SPECIAL = ('__init__', '__call__', '__enter__', '__exit__', '__iter__', '__getitem__', '__len__', '__contains__', '__bool__', '__str__')


def functions():
    """(name, function) of all that is public: functions, methods, properties."""
    things = [(name, getattr(lw, name)) for name in lw.__all__]
    things += [(module.__name__ + '.' + name, thing) for module in MODULES for name, thing in vars(module).items()
               if not name.startswith('_') and getattr(thing, '__module__', '') == module.__name__]
    for name, thing in things:
        if inspect.isfunction(thing):
            yield name, thing
        for member, value in vars(thing).items() if inspect.isclass(thing) else ():
            function = value.fget if isinstance(value, property) else value
            if inspect.isfunction(function) and (not member.startswith('_') or member in SPECIAL) and function.__module__.startswith('lanewise'):
                yield '%s.%s' % (name, member), function


class Hints(unittest.TestCase):
    def test_every_function(self):
        found = dict(functions())
        self.assertGreater(len(found), 100)
        for name, function in found.items():
            signature = inspect.signature(function)
            for parameter in list(signature.parameters.values())[1 if '.' in name and name.split('.')[-2][0].isupper() else 0:]:
                self.assertIsNot(parameter.annotation, inspect.Parameter.empty, '%s: %s' % (name, parameter.name))
            if not name.endswith('__init__'):
                self.assertIsNot(signature.return_annotation, inspect.Signature.empty, name)

    def test_everything_is_exported(self):
        """`from lanewise import x` satisfies a strict checker if x is listed."""
        public = {name for name, thing in vars(lw).items() if not name.startswith('_') and not inspect.ismodule(thing)}
        self.assertEqual(public, set(lw.__all__))

    def test_attributes_are_declared(self):
        kernel = lw.load(os.path.join(support.EXAMPLES, 'vector_add_gfx942.co'))['vector_add']
        x, c = np.ones(64, np.float32), np.zeros(64, np.float32)
        arguments, size = (c, x, x, np.uint32(64)), dict(grid=1, block=64)
        op = lw.mma('v_mfma_f32_16x16x16_f16', 'gfx942')
        with kernel.session(*arguments, **size) as session:
            wave = session.waves[0] if session.step(instructions=1) else None
            things = [session, wave, wave.stand, session.save()]
        things += [op, op.insn, op.insn.layout('A'), kernel, kernel.module, kernel.module.memory, kernel(*arguments, **size),
                   lw.why(kernel, *arguments, element=(c, 3), **size), lw.TensorMap(x, (32,))]
        for thing in things:
            declared = {name for kind in type(thing).__mro__ for name in vars(kind).get('__annotations__', ())}
            undeclared = {name for name in vars(thing) if not name.startswith('_')} - declared
            self.assertFalse(undeclared, type(thing).__name__)

    def test_mypy(self):
        if not importlib.util.find_spec('mypy'):
            self.skipTest('mypy is not installed')
        if os.environ.get('LW_FULL') != '1':
            self.skipTest('ten seconds (LW_FULL=1)')
        with tempfile.TemporaryDirectory() as cache:
            run = subprocess.run([sys.executable, '-m', 'mypy', '--strict', '--cache-dir', cache, '--follow-imports', 'normal',
                                  os.path.join(support.ROOT, 'tests', 'python', 'types_user.py')], capture_output=True, text=True,
                                 env=dict(os.environ, MYPYPATH=os.path.join(support.ROOT, 'python')))
            lines = [line for line in run.stdout.splitlines() if 'types_user.py' in line]
            self.assertEqual(lines, [])
            self.assertIn(run.returncode, (0, 1), run.stderr)
            loose = subprocess.run([sys.executable, '-m', 'mypy', '--cache-dir', cache, os.path.join(support.ROOT, 'python', 'lanewise')],
                                   capture_output=True, text=True)
            self.assertEqual([line for line in loose.stdout.splitlines() if ': error:' in line], [])


if __name__ == '__main__':
    unittest.main()
