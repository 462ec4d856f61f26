# SPDX-License-Identifier: MIT
"""Long calls into C that Ctrl-C can interrupt.

Python runs signal handlers in the main thread, between bytecode instructions, so never while that thread is in C. If Ctrl-C has
Python's default handler and no other signal has a handler in Python, the main thread makes the call itself: a helper thread reads the
file descriptor that signals are written to and cancels the call, and Python then raises KeyboardInterrupt. Otherwise a helper thread
makes the call and the main thread waits for it on a lock, where handlers do run; an exception from a handler cancels the call and is
raised in the caller once C has returned. That costs two thread switches. Other threads get no signals and call C themselves.
"""
import _signal  # type: ignore[import-not-found]
import os
import select
import signal
import socket
import threading
from _thread import allocate_lock, get_ident
from typing import Any, List

_INTERRUPT = int(signal.SIGINT)
# Other signals that programs commonly handle.
_HANDLED = [int(getattr(signal, name)) for name in ('SIGALRM', 'SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGVTALRM', 'SIGPROF', 'SIGQUIT')]


# ---- The main thread calls, a helper thread watches ----

class _Watch:
    """Cancels the current call when SIGINT's number arrives."""

    def __init__(self):
        self._read, self._write = socket.socketpair()
        self._read.setblocking(False)
        self._write.setblocking(False)
        self.descriptor = self._write.fileno()
        self._arrived = select.poll()
        self._arrived.register(self._read, select.POLLIN)
        self._lock, self._cancel = allocate_lock(), None
        threading.Thread(target=self._loop, name='lanewise signals', daemon=True).start()

    def _drain(self) -> bytes:
        try:
            return self._read.recv(4096)
        except BlockingIOError:
            return b''

    def _loop(self):
        while True:
            select.select([self._read], [], [])
            with self._lock:
                if _INTERRUPT in self._drain() and self._cancel:
                    self._cancel()

    def begin(self, cancel):
        with self._lock:
            self._cancel = cancel

    def end(self):
        """Discards what has been written so far: it was meant for the call that has ended."""
        with self._lock:
            self._cancel = None
            if self._arrived.poll(0):  # an empty read would cost an exception
                self._drain()


def _plain_signals() -> bool:
    get = _signal.getsignal  # the one of `signal` wraps the numbers in enumerations
    return get(_INTERRUPT) is signal.default_int_handler and not any(map(callable, map(get, _HANDLED)))


def _watched(call, cancel):
    global _watch
    if _watch is None:
        _watch = _Watch()
    before = signal.set_wakeup_fd(_watch.descriptor, warn_on_full_buffer=False)
    if before != -1:  # an event loop has set its own
        signal.set_wakeup_fd(before)
        return _handed_over(call, cancel)
    try:
        _watch.begin(cancel)
        return call()
    finally:
        signal.set_wakeup_fd(-1)
        _watch.end()


# ---- A helper thread calls, the main thread waits ----

class _Worker:
    """A thread that makes one call at a time."""

    def __init__(self):
        self._todo, self._job = allocate_lock(), None
        self._todo.acquire()
        threading.Thread(target=self._loop, name='lanewise', daemon=True).start()

    def _loop(self):
        while True:
            self._todo.acquire()
            job, self._job = self._job, None
            job.run()
            del job

    def give(self, job):
        self._job = job
        self._todo.release()


class _Job:
    def __init__(self, call):
        self._call, self.answer, self.over, self._done = call, None, False, allocate_lock()
        self._done.acquire()

    def run(self):
        try:
            self.answer = self._call()
        finally:
            self.over = True
            self._done.release()

    def wait(self):
        while not self.over:
            self._done.acquire()


def _handed_over(call, cancel):
    job = _Job(call)
    worker = _idle.pop() if _idle else _Worker()
    worker.give(job)
    try:
        job.wait()
    except BaseException:
        cancel()
        while not job.over:
            try:
                job.wait()
            except KeyboardInterrupt:
                pass
        _idle.append(worker)
        raise
    _idle.append(worker)
    return job.answer


_idle: List[Any] = []
_watch: Any = None


def _forget():
    """Threads do not survive a fork, and the parent keeps reading its own descriptor."""
    global _watch
    del _idle[:]
    _watch = None


os.register_at_fork(after_in_child=_forget)


def run(call, cancel):
    """Makes call(), a long call into C, and returns its number. If a signal handler raises meanwhile, this calls cancel(), waits until C
    has returned, and raises. cancel may be called once more than needed, and after the call has ended."""
    if get_ident() != threading.main_thread().ident:
        return call()
    return _watched(call, cancel) if _plain_signals() else _handed_over(call, cancel)
