# SPDX-License-Identifier: MIT
"""Launches recorded on a GPU (`lanewise capture`): lanewise/capture.h, docs/capture.md."""
import ctypes as c
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from . import _structs as s
from ._c import call, check, lib, text
from ._launch import Prepared
from ._memory import READ_WRITE, Memory
from ._program import File, Kernel, Module, _bytes
from ._result import LaunchResult
from .errors import ArgumentError


@dataclass(frozen=True)
class Piece:
    """Memory that a launch could reach: an allocation (name ''), or a variable of the program. before, after: arrays of bytes; after is None
    where the launch did not end. The same array where nothing has changed."""

    name: str
    address: int
    before: np.ndarray
    after: Optional[np.ndarray]


@dataclass(frozen=True)
class Difference:
    """A piece that is not as on the GPU: how many bytes differ, and the first."""

    piece: Piece
    bytes: int
    first: int


@dataclass(frozen=True)
class Replay:
    """A recorded launch, run again: its LaunchResult, and the pieces that differ. `compared` is False where the launch did not end on the GPU."""

    result: LaunchResult
    differences: Tuple[Difference, ...]
    compared: bool


def _array(pointer, size):
    made = np.frombuffer(c.string_at(pointer, size), np.uint8) if size else np.empty(0, np.uint8)
    made.setflags(write=False)
    return made


class Capture:
    """One file of `lanewise capture`, a path or its bytes.

    kernel, target, api, outcome   as in lw_capture (lanewise/capture.h): outcome is '' if the launch ended
    about     what the file says about itself: a dict of texts
    grid, items, block, cluster, dynamic_lds
    code, args  bytes: the code object or PTX text (empty for machine code of NVIDIA), and the argument block
    pieces    a tuple of Piece

    FormatError and TruncatedError for anything that is not exactly such a file.
    """

    kernel: str
    target: str
    api: str
    outcome: str
    about: Dict[str, str]
    grid: Tuple[int, int, int]
    items: Tuple[int, int, int]
    block: Tuple[int, int, int]
    cluster: Tuple[int, int, int]
    dynamic_lds: int
    code: bytes
    args: bytes
    pieces: Tuple[Piece, ...]

    def __init__(self, file: File) -> None:
        data, pointer = _bytes(file), c.POINTER(s.lw_capture)()
        call('lw_capture_read', data, len(data), c.byref(pointer))
        try:
            row = pointer[0]
            for name in ('kernel', 'target', 'api', 'outcome'):
                setattr(self, name, text(getattr(row, name)))
            about = dict((line + ' ').split(' ', 1) for line in text(row.about).splitlines())
            self.about = {name: value.rstrip(' ') for name, value in about.items()}
            for name in ('grid', 'items', 'block', 'cluster'):
                setattr(self, name, tuple(getattr(row, name)))
            self.dynamic_lds = row.dynamic_lds
            self.code, self.args = c.string_at(row.code, row.code_size), c.string_at(row.args, row.args_size)
            self.pieces = tuple(self._piece(row.pieces[i]) for i in range(row.piece_count))
        finally:
            lib.lw_capture_free(pointer)

    @staticmethod
    def _piece(row) -> Piece:
        before = _array(row.before, row.size)
        after = before if row.after == row.before else _array(row.after, row.size) if row.after else None
        return Piece(text(row.name), row.address, before, after)

    def __repr__(self) -> str:
        return '<capture of %s on %s: %d bytes of memory>' % (self.kernel, self.target, sum(len(p.before) for p in self.pieces))

    # ---- Running it again ----

    def _place(self, memory: Memory, module: Module) -> List[int]:
        """The address of each piece."""
        places = []
        for p in self.pieces:
            address, size = p.address, len(p.before)
            if p.name:
                address, found = module.symbol(p.name)
                if found != size:
                    raise ArgumentError('variable %s has %d bytes in the capture, but %d in the code' % (p.name, size, found))
            if size:
                check(lib.lw_memory_write(memory._pointer, address, p.before.tobytes(), size))
            places.append(address)
        return places

    def _arguments(self, kernel: Kernel, places: List[int]) -> List[bytes]:
        """The explicit arguments; words that point to a variable, which is elsewhere here, are adjusted."""
        block = bytearray(self.args)
        for at in range(0, len(block) - 7, 8):
            value = int.from_bytes(block[at:at + 8], 'little')
            for p, place in zip(self.pieces, places):
                if p.name and p.address <= value < p.address + len(p.before):
                    block[at:at + 8] = (value + place - p.address).to_bytes(8, 'little')
        for a in kernel.arguments:
            if a.offset + a.size > len(block):
                raise ArgumentError('argument %s of %s ends at byte %d, but the capture has %d' % (a.name or a.offset, kernel.name, a.offset + a.size,
                                                                                             len(block)))
        return [bytes(block[a.offset:a.offset + a.size]) for a in kernel.arguments]

    def replay(self, program: Optional[File] = None, kernel: Optional[str] = None, **options: Any) -> Replay:
        """Runs the launch again, on its recorded memory, and compares what memory holds afterwards.

        program, kernel  another file (a path, or its bytes) that has the kernel, and its name there: a mended kernel on recorded data
        options          as in lanewise.launch, except sizes and arguments, which the capture says: check, trace, threads, ...
        """
        memory, prepared, places = self._prepare(program, kernel, options)
        with memory:
            try:
                result = prepared.finish(prepared.begin())
            finally:
                memory._estate.end_session()
            compared = not self.outcome and options.get('only') is None
            return Replay(result, tuple(self._compare(memory, places)) if compared else (), compared)

    def _prepare(self, program: Optional[File], kernel: Optional[str], options: Dict[str, Any]) -> Tuple[Memory, Prepared, List[int]]:
        """A memory as it was before the launch, the launch, and where its pieces are."""
        code = self.code if program is None else _bytes(program)
        if not code:
            raise ArgumentError('the capture holds no code (the program launched machine code of NVIDIA); pass a PTX file that has %s' % self.kernel)
        memory = Memory()
        for p in self.pieces:
            if not p.name:
                call('lw_memory_allocate_at', memory._pointer, b'', p.address, len(p.before), READ_WRITE)
        module = Module(code, memory=memory, device=self.target)
        chosen = module[kernel or self.kernel]
        places = self._place(memory, module)
        size = {'grid': self.grid} if any(self.grid) else {'items': self.items}
        cluster = {'cluster': self.cluster} if any(self.cluster) else {}
        prepared = Prepared(chosen, self._arguments(chosen, places), block=self.block, smem=self.dynamic_lds, **size, **cluster, **options)
        for row, a in zip(prepared.options.args[:prepared.options.arg_count], chosen.arguments):
            row.is_pointer = a.kind == 'buffer'
        return memory, prepared, places

    def _compare(self, memory, places):
        for p, place in zip(self.pieces, places):
            if not len(p.before):
                continue
            now = np.empty(len(p.before), np.uint8)
            check(lib.lw_memory_read(memory._pointer, place, now.ctypes.data, len(now)))
            differ = np.flatnonzero(now != p.after)
            if len(differ):
                yield Difference(p, len(differ), int(differ[0]))
