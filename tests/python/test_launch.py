# SPDX-License-Identifier: MIT
"""Launches, checks, sessions and memory from Python: results compared with NumPy, error messages of the library."""
import ctypes
import gc
import os
import threading
import unittest

import support  # first: it looks for an interpreter that has NumPy
import numpy as np

import lanewise as lw

VECTOR = {arch: os.path.join(support.EXAMPLES, 'vector_add_%s.co' % arch) for arch in ('gfx942', 'gfx950', 'gfx1100')}
MODULE = os.path.join(support.DATA, 'machine', 'module.co')
TENSOR = os.path.join(support.ROOT, 'tests', 'ptx', 'corpus', 'async_nvcc.ptx')
PTX = os.path.join(support.DATA, 'ptx', 'vector_add_nvcc_sm_80.ptx')


def vectors(n=1000):
    random = np.random.default_rng(3)
    return np.zeros(n, np.float32), random.standard_normal(n).astype(np.float32), random.standard_normal(n).astype(np.float32)


def open_bytes(path):
    with open(path, 'rb') as f:
        return f.read()


def hand_on(n, rounds):
    """The result of the kernel of that name, computed again: each of 256 takes its neighbour's value."""
    values = np.arange(n, dtype=np.uint32).reshape(-1, 256)
    for i in range(rounds):
        values = np.roll(values, -1, axis=1) * np.uint32(3) + np.uint32(i)
    return values.ravel()


class Launches(unittest.TestCase):
    def test_vendors(self):
        for file in list(VECTOR.values()) + [PTX]:
            c, a, b = vectors()
            module = lw.load(file)
            result = module.kernel(a, b, c, 1000, grid=4, block=256) if file == PTX else \
                module['vector_add'](c, a, b, np.uint32(1000), grid=4, block=256)
            np.testing.assert_array_equal(c, a + b, file)
            self.assertEqual((result.groups, result.matrix_instructions), (4, 0))
            self.assertGreater(result.instructions, 100)

    def test_tensor_maps(self):
        kernel = lw.load(TENSOR)['turn']
        x, y = np.arange(64 * 96, dtype=np.uint32).reshape(64, 96), np.zeros((96, 64), np.uint32)
        kernel(lw.TensorMap(x, (32, 32), 128), lw.TensorMap(y, (32, 32), 128), grid=(3, 2), block=64)
        np.testing.assert_array_equal(y, x.T + 1)
        with self.assertRaisesRegex(lw.ArgumentError, 'rows of 256 bytes; a swizzle of 128 bytes takes no more'):
            kernel(lw.TensorMap(x, (32, 64), 128), lw.TensorMap(y, (32, 32), 128), grid=1, block=64)
        with self.assertRaisesRegex(ValueError, 'box and steps need one number for each; the array has 2 dimensions'):
            lw.TensorMap(x, (32,))
        with self.assertRaisesRegex(ValueError, 'not C-contiguous'):
            lw.TensorMap(x.T, (32, 32))
        with self.assertRaisesRegex(TypeError, 'cannot have elements of complex64'):
            lw.TensorMap(x.astype(np.complex64), (32, 32))

    def test_names_and_sizes(self):
        c, a, b = vectors(1024)
        kernel = lw.load(VECTOR['gfx950'])['vector_add']
        self.assertEqual([(x.name, x.kind, x.size) for x in kernel.arguments],
                         [('c', 'buffer', 8), ('a', 'buffer', 8), ('b', 'buffer', 8), ('n', 'value', 4)])
        kernel(n=np.uint32(1024), b=b, a=a, c=c, items=1024, block=(256, 1, 1))
        np.testing.assert_array_equal(c, a + b)
        c[:] = 0
        kernel(c, a, grid=(4,), block=256, args_by_name={'b': b, 'n': (1024).to_bytes(4, 'little')}, only=[(1, 0, 0)])
        np.testing.assert_array_equal(c[256:512], (a + b)[256:512])
        self.assertFalse(c[:256].any() or c[512:].any())
        kernel(c, a, b, ctypes.c_uint32(1024), grid=4, block=256, schedule='random:7', async_='random:3', threads=2, budget=1000)
        np.testing.assert_array_equal(c, a + b)

    def test_one_array_twice_and_views(self):
        both = np.arange(2048, dtype=np.float32)
        want = both[1024:] * 2
        kernel = lw.load(VECTOR['gfx942'])['vector_add']
        kernel(both[:1024], both[1024:], both[1024:], np.uint32(1024), grid=4, block=256)
        np.testing.assert_array_equal(both[:1024], want)
        kernel(both, both, both, np.uint32(1024), grid=4, block=256)
        np.testing.assert_array_equal(both[:1024], want * 2)

    def test_whole_block_and_buffers(self):
        c, a, b = vectors()
        block = b''.join(x.ctypes.data.to_bytes(8, 'little') for x in (c, a, b)) + (1000).to_bytes(4, 'little')
        lw.load(VECTOR['gfx950'])['vector_add'](kernarg=block, buffers=[c, a, b], grid=4, block=256)
        np.testing.assert_array_equal(c, a + b)

    def test_gemm(self):
        """C = A * B, f16 by f16 to f32, with small whole numbers, which are exact."""
        kernel = lw.load(os.path.join(support.EXAMPLES, 'gemm_f16.co')).kernel
        random = np.random.default_rng(5)
        m, n, k = 128, 64, 192
        a, b = random.integers(-2, 3, (m, k)).astype(np.float16), random.integers(-2, 3, (n, k)).astype(np.float16)
        c = np.empty((m, n), np.float32)
        result = kernel(c, a, b, np.uint32(n), np.uint32(k), grid=(n // 64, m // 64), block=256, check='banks')
        np.testing.assert_array_equal(c, a.astype(np.float64) @ b.T.astype(np.float64))
        self.assertEqual(result.matrix_instructions, (m // 32) * (n // 32) * (k // 16))
        self.assertEqual([x.executed for x in result.counts if x.is_matrix], [result.matrix_instructions])
        self.assertIn('v_mfma_f32_32x32x16_f16', [x.name for x in result.counts])
        self.assertTrue(result.banks)

    def test_banks_and_blocks(self):
        """A column of words 128 bytes apart: one bank, and one block of 32 bytes for each lane. Figures by hand."""
        folder = os.path.join(support.ROOT, 'tests', 'data', 'checks')
        result = lw.load(os.path.join(folder, 'banks.ptx'))['column'](np.zeros(32, np.uint32), grid=1, block=32, check='banks')
        self.assertEqual([b.max_degree for b in result.banks], [32, 32])
        self.assertEqual(result.banks_repair, lw.BanksRepair(2, True, 2, (64, 2, 2), (5, 2, 5), (4, 128)))
        self.assertIsNone(result.coalescing)
        module = lw.load(os.path.join(folder, 'stride.ptx'))
        source, out = module.memory.array(np.arange(1024, dtype=np.uint32)), module.memory.zeros(32, np.uint32)  # aligned, unlike NumPy's
        result = module['column'](out, source, np.uint32(32), grid=1, block=32, check='banks,coalescing')
        np.testing.assert_array_equal(out, source[::32])
        self.assertEqual((result.banks, result.banks_repair), ((), None))
        load, store = result.coalescing
        self.assertEqual((load.bytes, load.blocks, load.needed, load.stride, load.unit), (128, (32, 32, 32), 4, 128, 32))
        self.assertEqual((store.blocks, store.needed, store.stride, store.misaligned), ((4, 2, 1), 4, 4, 0))

    def test_refusals(self):
        c, a, b = vectors()
        kernel, n = lw.load(VECTOR['gfx950'])['vector_add'], np.uint32(1000)
        size = {'grid': 4, 'block': 256}
        for kind, words, args, options in (
                (TypeError, 'argument n of vector_add: the file does not say its type', (c, a, b, 1000), size),
                (TypeError, 'takes 4 arguments, but 3 were given; missing: n', (c, a, b), size),
                (TypeError, 'takes 4 arguments, but 5', (c, a, b, n, n), size),
                (TypeError, 'argument n was given twice', (c, a, b, n), {**size, 'n': n}),
                (TypeError, "no argument or option 'm'", (c, a, b, n), {**size, 'm': n}),
                (TypeError, 'needs grid', (c, a, b, n), {'block': 256}),
                (TypeError, 'list is not an array', ([1.0], a, b, n), size),
                (TypeError, 'Python objects', (c, np.array([None] * 4), b, n), size),
                (ValueError, 'not C-contiguous', (c, np.zeros((4, 4))[:, 1], b, n), size),
                (ValueError, 'grid is one to three numbers, not 1.5', (c, a, b, n), {**size, 'grid': 1.5}),
                (ValueError, "block is one to three numbers, not (1, '2')", (c, a, b, n), {**size, 'block': (1, '2')}),
                (ValueError, 'whole numbers of 32 bits', (c, a, b, n), {**size, 'grid': 1 << 32}),
                (ValueError, 'whole numbers of 32 bits', (c, a, b, n), {**size, 'smem': -1}),
                (ValueError, 'is not a check', (c, a, b, n), {**size, 'check': 'every'}),
                (ValueError, 'schedule is serial or random:SEED', (c, a, b, n), {**size, 'schedule': 'other'}),
                (lw.ArgumentError, '8 bytes', (c, a, b, np.uint64(1000)), size),
                (lw.ArgumentError, 'not a multiple of 256', (c, a, b, n), {'items': 1000, 'block': 256}),
                (lw.NotFoundError, 'readings', (c, a, b, n), {**size, 'readings': 'no:such'})):
            with self.assertRaises(kind) as caught:
                kernel(*args, **options)
            if words != 'readings':
                self.assertIn(words, str(caught.exception))
        kernel(c, a, b, n, **size)  # no array stays registered
        np.testing.assert_array_equal(c, a + b)

    def test_launches_leave_nothing_to_collect(self):
        c, a, b = vectors()
        kernel = lw.load(VECTOR['gfx950'])['vector_add']

        def run():
            kernel(c, a, b, np.uint32(1000), grid=4, block=256)
        run()
        gc.collect()
        gc.disable()
        try:
            for _ in range(10):
                run()
            self.assertLess(gc.collect(), 10)
        finally:
            gc.enable()

    def test_faults(self):
        c, a, b = vectors()
        kernel = lw.load(VECTOR['gfx950'])['vector_add']
        with self.assertRaises(lw.KernelFault) as caught:
            kernel(c, a, b, np.uint32(2000), grid=8, block=256)
        fault = caught.exception.fault
        self.assertEqual((fault.kernel, fault.workgroup, fault.wave, fault.lane), ('vector_add', (3, 0, 0), 3, 40))
        self.assertIn('0 bytes past the end of "a"', str(caught.exception))
        self.assertEqual(fault.sentence, caught.exception.sentence)
        self.assertEqual(caught.exception.result.groups, 3)
        self.assertEqual(caught.exception.status, 9)
        c.flags.writeable = False
        with self.assertRaisesRegex(lw.KernelFault, 'read'):
            kernel(c, a, b, np.uint32(1000), grid=4, block=256)

    def test_ends(self):
        flag = np.zeros(2, np.uint32)
        spin = lw.load(MODULE)['spin']
        with self.assertRaises(lw.BudgetError) as caught:
            spin(flag, grid=1, block=64, budget=10000)
        self.assertEqual(caught.exception.result.stands[0].doing, 'used up')
        with self.assertRaises(lw.StoppedError):
            spin(flag, grid=1, block=64, budget=0, time_limit=0.05)
        self.assertGreater(flag[1], 0)

    def test_callbacks(self):
        c, a, b = vectors()
        kernel, args = lw.load(VECTOR['gfx950'])['vector_add'], (c, a, b, np.uint32(1000))
        seen, trace = [], []
        kernel(*args, grid=4, block=256, threads=1, progress=lambda *p: seen.append(p), trace=trace.append)
        self.assertEqual([(done, groups) for done, groups, _ in seen][-1], (4, 4))
        self.assertIn('v_add_f32', ''.join(trace))

        def stop(*_):
            raise KeyError('enough')
        with self.assertRaisesRegex(KeyError, 'enough'):
            kernel(*args, grid=4, block=256, progress=stop)
        kernel(*args, grid=4, block=256)

    def test_checks(self):
        c, a, b = vectors()
        result = lw.load(VECTOR['gfx950'])['vector_add'](c, a, b, np.uint32(1000), grid=4, block=256, check=['uninit=strict', 'banks'])
        self.assertEqual((result.uninit, result.banks), ((), ()))
        out = np.zeros(512, np.uint32)
        result = lw.load(MODULE)['hand_on'](out, np.uint32(4), grid=2, block=256, check='banks')
        np.testing.assert_array_equal(out, hand_on(512, 4))
        self.assertEqual([b.max_degree for b in result.banks], [1] * len(result.banks))
        self.assertGreater(len(result.banks), 1)
        self.assertIsNone(result.uninit)
        # Compilers insert the waits that hardware requires; the result says what was not checked.
        result = lw.load(os.path.join(support.EXAMPLES, 'vector_add_gfx942.co'))['vector_add'](
            c, a, b, np.uint32(1000), grid=4, block=256, check=','.join(lw.check_names()))
        self.assertEqual([f for f in result.findings if f.severity == 'error'], [])
        self.assertIn('hazards', lw.check_names())
        self.assertEqual((result.uninit, result.banks), ((), ()))

    def test_all_checks(self):
        """What the program finds with --check all, and with =strict."""
        file = os.path.join(support.ROOT, 'tests', 'data', 'checks', 'short_wait.co')
        module = lw.load(file)
        kernel = next(iter(module))
        for words, strict in (('all', False), ('hazards=strict,waits=strict', True), (['waits', 'all', 'waits'], False)):
            with self.subTest(words):
                result = module[kernel](np.zeros(4096, np.uint32), grid=1, block=64, check=words)
                self.assertIn('hazards', {f.check for f in result.findings})
                self.assertEqual(result.banks is not None, not strict)
                self.assertEqual(result.coalescing is not None, not strict)
                self.assertIsNone(result.uninit)
        for wrong in ('every', 'banks=strict', 'all=strict', ''):
            with self.assertRaisesRegex(ValueError, 'is not a check; the checks are .*, and all'):
                module[kernel](np.zeros(4096, np.uint32), grid=1, block=64, check=[wrong])


class Modules(unittest.TestCase):
    def test_variables(self):
        module = lw.load(MODULE)
        self.assertEqual(sorted(module), ['count', 'hand_on', 'spin'])
        self.assertIn('count', module)
        self.assertNotIn('uncount', module)
        out, counter, table = np.zeros(1, np.uint32), module.variable('counter', np.uint32), module.variable('table', np.uint32)
        np.testing.assert_array_equal(table, [10, 20, 30, 40])
        for turn in (1, 2, 3):
            module['count'](out, grid=1, block=1)
            self.assertEqual((counter[0], out[0]), (turn, turn + table[turn & 3]))
        counter[0] = 100
        module['count'](out, grid=1, block=1)
        self.assertEqual(out[0], 101 + 20)
        with self.assertRaises(lw.NotFoundError):
            module.symbol('no_such')
        with self.assertRaisesRegex(lw.NotFoundError, 'count'):
            module['no_such']

    def test_files(self):
        with open(VECTOR['gfx942'], 'rb') as f:
            data = f.read()
        self.assertEqual(lw.load(data).arch.name, 'gfx942')
        self.assertEqual([m.arch.name for m in lw.members(data)], ['gfx942'])
        for kind, file in ((lw.TruncatedError, data[:3000]), (lw.FormatError, b'nothing of the kind'), (lw.IoError, '/nonexistent/x.co')):
            with self.assertRaises(kind):
                lw.load(file)
        with self.assertRaises(lw.ArchError):
            lw.load(data, 'gfx950')
        with self.assertRaises(OSError):
            lw.load('/nonexistent/x.co')

    def test_memory(self):
        memory = lw.Memory()
        module = lw.load(VECTOR['gfx950'], memory=memory)
        c = memory.zeros(1000, np.float32, 'c')
        a, b = memory.array(np.arange(1000), np.float32, 'a', read_only=True), np.ones(1000, np.float32)
        self.assertEqual(memory.address(c), 0x1000000000)
        unused = memory.zeros(3, np.int16)
        before = memory.snapshot()
        module['vector_add'](c, a, b, np.uint32(1000), grid=4, block=256)
        np.testing.assert_array_equal(c, np.arange(1000) + 1)
        c[5], unused[1] = 77, 5  # stored by Python, unobserved
        memory.restore(before)
        self.assertFalse(c.any() or unused.any())
        with self.assertRaisesRegex(lw.KernelFault, 'past the end of "a"'):
            module['vector_add'](c, a, np.ones(2000, np.float32), np.uint32(1001), grid=8, block=256)
        with self.assertRaises(lw.NoMemoryError):
            lw.Memory(1 << 20).zeros(1 << 21, np.uint8)
        del memory, module, before
        c[:] = 1  # arrays keep their memory alive
        self.assertEqual(c.sum(), 1000)

    def test_dead_in_any_order(self):
        """Modules, memories and sessions in a reference cycle: the collector frees them in an arbitrary order."""
        for _ in range(20):
            holder = {'module': lw.load(MODULE), 'flag': np.zeros(2, np.uint32)}
            holder['again'] = lw.load(VECTOR['gfx950'], memory=holder['module'].memory)
            holder['kernels'] = [holder['module']['spin'], holder['module']['count']]
            holder['array'] = holder['module'].memory.zeros(10)
            holder['session'] = holder['kernels'][0].session(holder['flag'], grid=1, block=64)
            holder['session'].step(100)
            holder['snapshot'], holder['waves'] = holder['session'].save(), holder['session'].waves
            holder['self'] = holder
            for thing in ('module', 'again', 'session'):
                setattr(holder[thing], 'holder', holder)
            del holder
            gc.collect()
        with self.assertRaises(lw.TruncatedError):
            lw.load(open_bytes(MODULE)[:2000])

    def test_threads(self):
        module, failed = lw.load(VECTOR['gfx950']), []

        def work(seed):
            c, a, b = np.zeros(1000, np.float32), np.full(1000, seed, np.float32), np.arange(1000, dtype=np.float32)
            for _ in range(30):
                c[:] = 0
                module['vector_add'](c, a, b, np.uint32(1000), grid=4, block=256)
                if not np.array_equal(c, a + b):
                    failed.append(seed)
        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertFalse(failed)


class Sessions(unittest.TestCase):
    def test_steps(self):
        c, a, b = vectors()
        kernel = lw.load(VECTOR['gfx950'])['vector_add']
        args = (c, a, b, np.uint32(1000))
        with kernel.session(*args, grid=4, block=256) as session:
            pause = session.step(5)
            self.assertEqual((pause.reason, bool(pause), len(session.waves)), ('instructions', True, 4))
            wave = session.waves[0]
            self.assertEqual((wave.stand.executed, wave.stand.doing, wave.exec), (5, 'runs', (1 << 64) - 1))
            np.testing.assert_array_equal(wave.register('v0') & 1023, np.arange(64))
            self.assertEqual((len(wave.register('v1')), wave.count('a'), wave.lds.size), (64, 0, 0))
            self.assertEqual(int(wave.register('exec_lo')), 0xffffffff)
            with self.assertRaises(IndexError):
                wave.register('v900')
            with self.assertRaises(ValueError):
                wave.register('w0')
            saved = session.save()
            self.assertEqual(session.step(events='wave ended').reason, 'wave ended')
            with self.assertRaisesRegex(lw.ArgumentError, 'has continued'):
                wave.register('v0')
            self.assertFalse(session.step())
            np.testing.assert_array_equal(c, a + b)
            session.restore(saved)
            self.assertFalse(c.any())
            with self.assertRaisesRegex(lw.ArgumentError, 'in use by a launch or session'):
                kernel(*args, grid=4, block=256)
            result = session.finish()
        np.testing.assert_array_equal(c, a + b)
        self.assertEqual(result.groups, 4)
        with self.assertRaisesRegex(lw.ArgumentError, 'has ended'):
            session.step()

    def test_breakpoints_and_barriers(self):
        out = np.zeros(512, np.uint32)
        kernel = lw.load(MODULE)['hand_on']
        with kernel.session(out, np.uint32(3), grid=2, block=256) as session:
            pause = session.step(events='barrier', workgroup=(1, 0, 0))
            self.assertEqual((pause.reason, pause.workgroup), ('barrier', (1, 0, 0)))
            self.assertEqual(session.waves[0].lds.view(np.uint32)[:4].tolist(), [256, 257, 258, 259])
            stand = session.waves[0].stand
            self.assertTrue(session.step(breakpoints=[stand.code_offset]))
            session.finish()
        np.testing.assert_array_equal(out, hand_on(512, 3))

    def test_cancel(self):
        flag = np.zeros(2, np.uint32)
        session = lw.load(MODULE)['spin'].session(flag, grid=1, block=64, budget=0)
        threading.Timer(0.05, session.cancel).start()
        with self.assertRaisesRegex(lw.StoppedError, 'spin was cancelled') as caught:
            session.finish()
        self.assertEqual(caught.exception.result.stands[0].doing, 'runs')


unittest.main()
