# SPDX-License-Identifier: MIT
"""What kernels may access: host arrays for the duration of a launch, and arrays in emulated memory."""
import ctypes as c
import threading
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _structs as s
from ._c import call, check, lib
from .errors import ArgumentError

READ, READ_WRITE = 0, 1


class _Bytes:
    """The array interface of an allocation: keeps its memory alive as long as an array views it."""

    def __init__(self, memory, host, size, writable):
        self.memory = memory
        self.__array_interface__ = {'data': (host, not writable), 'shape': (size,), 'typestr': '|u1', 'version': 3}


class Snapshot:
    """The contents of a memory at one moment: see Memory.snapshot."""

    def __init__(self, memory: 'Memory') -> None:
        self._memory = memory
        self._pointer: Any = c.c_void_p()
        call('lw_memory_snapshot', memory._pointer, c.byref(self._pointer))

    def __del__(self) -> None:
        if getattr(self, '_pointer', None):
            lib.lw_snapshot_free(self._pointer)
            self._pointer = None


class _Estate:
    """A memory and the C objects in it. They are freed in this order, whatever order Python collects their objects in: the current session,
    modules, their programs, the memory."""

    def __init__(self):
        self.memory: Any = c.c_void_p()
        self.session: Any = None
        self.modules: Dict[int, Tuple[c.c_void_p, c.c_void_p]] = {}

    def end_session(self):
        session, self.session = self.session, None
        if session:
            session.drop()

    def unload(self, key):
        """The module with that key, if it still exists."""
        module, program = self.modules.pop(key, (None, None))
        if module:
            self.end_session()
            lib.lw_module_unload(module)
        if program:
            lib.lw_program_free(program)

    def close(self):
        self.end_session()
        for key in list(self.modules):
            self.unload(key)
        lib.lw_memory_free(self.memory)
        self.memory = None


class Memory:
    """Emulated device memory. Each Module has one (`module.memory`); several modules may share one.

    Ordinary arrays are passed to launches in place, at their own address. Arrays made here have device addresses that are the same in
    every run, and 64 KiB of unmapped space around them, so that accesses past their end fault.
    """

    def __init__(self, limit: int = 0) -> None:
        """limit: bytes that may be held (0: a quarter of the host's memory); NoMemoryError beyond that."""
        self._estate, self._lock = _Estate(), threading.Lock()
        self._ranges: List[Tuple[int, int, int]] = []
        self._user: Optional[int] = None
        self._pointer = self._estate.memory
        check(lib.lw_memory_create(c.byref(self._pointer)))
        if limit:
            check(lib.lw_memory_set_limit(self._pointer, limit))

    def __del__(self) -> None:
        if getattr(self, '_estate', None):
            self._estate.close()

    # ---- Arrays in this memory ----

    def zeros(self, shape: Union[int, Sequence[int]], dtype: Any = np.float32, name: str = '', read_only: bool = False) -> np.ndarray:
        """A new array of zeros in this memory, valid as long as the memory. Faults mention `name`; a kernel that stores to a read-only
        array faults, while Python may write to it. NoMemoryError when the limit is reached."""
        dtype = np.dtype(dtype)
        shape = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)
        size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
        address = c.c_uint64()
        call('lw_memory_allocate', self._pointer, name.encode(), size, READ if read_only else READ_WRITE, c.byref(address))
        return self._view(address.value, size).view(dtype).reshape(shape)

    def array(self, values: Any, dtype: Any = None, name: str = '', read_only: bool = False) -> np.ndarray:
        """A copy of `values` in this memory, otherwise like `zeros`."""
        values = np.asarray(values, dtype)
        made = self.zeros(values.shape, values.dtype, name, read_only)
        made[...] = values
        return made

    def _view(self, address: int, size: int) -> np.ndarray:
        if not size:
            return np.empty(0, np.uint8)
        host = lib.lw_memory_host(self._pointer, address, size)
        if not host:
            raise ArgumentError('no allocation has %d bytes at 0x%x' % (size, address))
        self._ranges.append((host, size, address))
        return np.asarray(_Bytes(self, host, size, True))

    def address(self, array: np.ndarray) -> int:
        """The device address of an array: its own, or its place in this memory."""
        at = array.ctypes.data
        return self._lives(at) or at

    def _lives(self, at: int) -> Optional[int]:
        """The device address of host address `at`; None if it is not in an allocation of this memory."""
        for host, size, address in self._ranges:
            if host <= at < host + size:
                return address + at - host
        return None

    # ---- Snapshots ----

    def snapshot(self) -> Snapshot:
        """Saves the contents of arrays made here and of modules' variables. Ordinary arrays are not included."""
        with self:
            taken = Snapshot(self)
            for host, size, address in self._ranges:  # Python's stores to them are not observed
                check(lib.lw_memory_keep(self._pointer, address, size))
        return taken

    def restore(self, snapshot: Snapshot) -> None:
        """Restores those contents; may be called any number of times."""
        with self:
            call('lw_memory_restore', self._pointer, snapshot._pointer)

    # ---- One launch at a time ----

    def __enter__(self) -> 'Memory':
        if self._user == threading.get_ident():
            raise ArgumentError('this memory is in use by a launch or session of this thread: end that first, or use another Memory')
        self._lock.acquire()
        self._user = threading.get_ident()
        return self

    def __exit__(self, *_: Any) -> None:
        self._user = None
        self._lock.release()

    # ---- Host arrays of one launch ----

    def register(self, spans: List[Tuple[int, int, bool, bytes]]) -> List[int]:
        """Makes ranges (start, end, writable, name) of host memory accessible at their own addresses, merging overlapping ones. Returns
        what `release` needs."""
        made: List[int] = []
        joined: List[Tuple[int, int, bool, bytes]] = []
        for span in sorted(spans):
            if joined and span[0] < joined[-1][1]:
                start, end, writable, name = joined.pop()
                span = (start, max(end, span[1]), writable or span[2], name)
            joined.append(span)
        for start, end, writable, name in joined:
            status = lib.lw_memory_register(self._pointer, name, start, end - start, READ_WRITE if writable else READ, None)
            if status:
                self.release(made)
                check(status, s.lw_error(b'"%s" overlaps what the memory holds already, or there is no room' % name))
            made.append(start)
        return made

    def release(self, made: List[int]) -> None:
        for start in made:
            lib.lw_memory_release(self._pointer, start, None)
