# SPDX-License-Identifier: MIT
"""Ctrl-C ends a launch, handlers of other signals run during one; launches after a fork, in multiprocessing, at the exit of Python."""
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
import unittest

import support  # first: it looks for an interpreter that has NumPy
import numpy as np

import lanewise as lw

MODULE = os.path.join(support.DATA, 'machine', 'module.co')
VECTOR = os.path.join(support.EXAMPLES, 'vector_add_gfx950.co')


def add(module, n=1000):
    """One launch; is its result right?"""
    c, a, b = np.zeros(n, np.float32), np.arange(n, dtype=np.float32), np.ones(n, np.float32)
    module['vector_add'](c, a, b, np.uint32(n), grid=(n + 255) // 256, block=256)
    return bool((c == a + b).all())


def spin(flag):
    lw.load(MODULE)['spin'](flag, grid=1, block=64, budget=0, time_limit=60)


def soon(number, flag):
    """Sends this process a signal while the kernel runs."""
    def send():
        end = time.time() + 30
        while flag[1] == 0 and time.time() < end:
            time.sleep(0.001)
        time.sleep(0.02)
        os.kill(os.getpid(), number)
    thread = threading.Thread(target=send)
    thread.start()
    return thread


def in_pool(seed):
    return seed, add(lw.load(VECTOR)), os.getpid()


class Signals(unittest.TestCase):
    def interrupted(self, kind, number=signal.SIGINT):
        flag = np.zeros(2, np.uint32)
        sender, start = soon(number, flag), time.time()
        with self.assertRaises(kind):
            spin(flag)
        sender.join()
        self.assertLess(time.time() - start, 30)
        at = flag[1]
        time.sleep(0.02)
        self.assertEqual(flag[1], at, 'the kernel goes on')
        self.assertTrue(add(lw.load(VECTOR)))

    def test_control_c(self):
        for _ in range(3):
            self.interrupted(KeyboardInterrupt)

    def test_handler_that_raises(self):
        before = signal.signal(signal.SIGALRM, raise_timeout)
        try:
            self.interrupted(TimeoutError, signal.SIGALRM)
            self.interrupted(KeyboardInterrupt)
        finally:
            signal.signal(signal.SIGALRM, before)

    def test_handler_that_goes_on(self):
        """A handler that raises nothing runs during the launch, and the launch continues."""
        flag, ran = np.zeros(2, np.uint32), []

        def note(*_):
            ran.append(int(flag[1]))
            flag[0] = 1  # what the kernel waits for
        before = signal.signal(signal.SIGINT, note)
        try:
            sender = soon(signal.SIGINT, flag)
            spin(flag)
            sender.join()
        finally:
            signal.signal(signal.SIGINT, before)
        self.assertEqual(len(ran), 1)

    def test_descriptor_of_others(self):
        """An event loop keeps its file descriptor for signals."""
        import socket
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        theirs.settimeout(10)
        before = signal.set_wakeup_fd(ours.fileno())
        try:
            self.assertTrue(add(lw.load(VECTOR)))
            self.interrupted(KeyboardInterrupt)
            self.assertEqual(theirs.recv(10), bytes([signal.SIGINT]))
            self.assertEqual(signal.set_wakeup_fd(ours.fileno()), ours.fileno())
        finally:
            signal.set_wakeup_fd(before)
            ours.close()
            theirs.close()

    def test_steps(self):
        flag = np.zeros(2, np.uint32)
        with lw.load(MODULE)['spin'].session(flag, grid=1, block=64, budget=0, time_limit=60) as session:
            sender = soon(signal.SIGINT, flag)
            with self.assertRaises(KeyboardInterrupt):
                session.step()
            sender.join()
            with self.assertRaises(lw.StoppedError):
                session.finish()


def raise_timeout(*_):
    raise TimeoutError


class Processes(unittest.TestCase):
    def test_fork(self):
        self.fork()

    def test_fork_with_handlers(self):
        before = signal.signal(signal.SIGALRM, raise_timeout)
        try:
            self.fork()
        finally:
            signal.signal(signal.SIGALRM, before)

    def fork(self):
        module = lw.load(VECTOR)
        self.assertTrue(add(module, 4000))
        for _ in range(3):
            child = os.fork()
            if child == 0:
                good = False
                threading.Timer(30, os._exit, (2,)).start()  # instead of waiting for ever
                try:
                    good = add(module, 4000) and add(lw.load(VECTOR), 4000)
                    flag = np.zeros(2, np.uint32)
                    soon(signal.SIGINT, flag)
                    try:
                        spin(flag)
                    except KeyboardInterrupt:
                        good = good and flag[1] > 0
                finally:
                    os._exit(0 if good else 1)
            self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertTrue(add(module, 4000))

    def test_pools(self):
        self.assertTrue(add(lw.load(VECTOR)))
        for method in ('fork', 'spawn'):
            with multiprocessing.get_context(method).Pool(2) as pool:
                answers = pool.map(in_pool, range(6))
            self.assertEqual([(seed, good) for seed, good, _ in answers], [(seed, True) for seed in range(6)])

    def test_exit(self):
        """Python exits while nothing runs, and after a launch, without waiting for helper threads."""
        program = 'import lanewise as lw, numpy as np\nlw.load(%r)["count"](np.zeros(1, np.uint32), grid=1, block=1)\n' % MODULE
        run = subprocess.run([sys.executable, '-B', '-c', program], timeout=60, capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stderr), (0, ''))


if __name__ == '__main__':
    unittest.main()
