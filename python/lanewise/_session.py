# SPDX-License-Identifier: MIT
"""Launches that pause: step, inspect any wave, save and restore, cancel, finish."""
import ctypes as c
from dataclasses import dataclass
from typing import Any, Iterable, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _interrupt
from . import _structs as s
from ._c import call, check, lib
from ._launch import Prepared, _three
from ._program import Kernel
from ._result import LaunchResult, Stand, line_of, stand_of
from .errors import ArgumentError

# Reasons why a step may pause, by lw_pause_reason.
EVENTS = ('ended', 'instructions', 'breakpoint', 'wave began', 'wave ended', 'barrier', 'waits', 'arrived')
FILES = {'v': 0, 'a': 1, 's': 2, 'ttmp': 3}
NAMED = {'vcc_lo': 0, 'vcc_hi': 1, 'exec_lo': 2, 'exec_hi': 3, 'm0': 4, 'scc': 5, 'mode': 6}


@dataclass(frozen=True)
class Pause:
    """Why a step paused: one of 'ended', 'instructions', 'breakpoint', 'wave began', 'wave ended', 'barrier', 'waits', 'arrived'; and
    the wave concerned. It is false for 'ended'."""

    reason: str
    workgroup: Tuple[int, int, int]
    wave: int

    def __bool__(self) -> bool:
        return self.reason != 'ended'


class Checkpoint:
    """A saved state of a session: see Session.save."""

    def __init__(self, session: 'Session') -> None:
        self._pointer: Any = c.c_void_p()
        call('lw_session_save', session._here(), c.byref(self._pointer))

    def __del__(self) -> None:
        if getattr(self, '_pointer', None):
            lib.lw_checkpoint_free(self._pointer)
            self._pointer = None


class Wave:
    """A wave of a paused session, valid until the session continues."""

    def __init__(self, session: 'Session', index: int) -> None:
        self._session, self._index, self._steps = session, index, session._steps

    def _at(self):
        if self._session._cancel is None or self._steps != self._session._steps:
            raise ArgumentError('the session has continued since this wave was obtained: use session.waves again')
        return self._session._here(), self._index

    @property
    def stand(self) -> Stand:
        """Where it is: workgroup, wave, what it is doing, its next instruction and source line."""
        row, line = s.lw_wave_stand(), s.lw_line()
        pointer, index = self._at()
        lib.lw_session_wave_at(pointer, index, c.byref(row))
        lib.lw_session_wave_line(pointer, index, c.byref(line))
        return stand_of(row, line_of(line))

    @property
    def exec(self) -> int:
        """Its active lanes, one bit per lane."""
        return lib.lw_session_wave_exec(*self._at())

    def count(self, file: str) -> int:
        """How many registers of a file ('v', 'a', 's', 'ttmp') it has."""
        return lib.lw_session_register_count(*self._at(), _file(file))

    def register(self, name: str) -> Any:
        """A register's bits: 'v17' and 'a3' return a uint32 array with an element for each lane, 's4', 'vcc_lo', 'exec_lo', 'm0', 'scc',
        'mode' a numpy.uint32. View them as float32 or other types: wave.register('v3').view(numpy.float32)."""
        pointer, index = self._at()
        if name in NAMED:
            return np.uint32(lib.lw_session_value(pointer, index, 4, NAMED[name], 0))
        word = name.rstrip('0123456789')
        if word not in FILES or word == name:
            raise ValueError("%r is not a register; the registers are 'v0', 'a0', 's0', 'ttmp0', %s" % (name, ', '.join(NAMED)))
        number = int(name[len(word):])
        if number >= self.count(word):
            raise IndexError('%s: the wave has %d such registers' % (name, self.count(word)))
        if word in ('v', 'a'):
            lanes = self._session.kernel.wavefront_size or 32
            return np.array([lib.lw_session_value(pointer, index, FILES[word], number, lane) for lane in range(lanes)], np.uint32)
        return np.uint32(lib.lw_session_value(pointer, index, FILES[word], number, 0))

    @property
    def lds(self) -> np.ndarray:
        """A copy of its workgroup's LDS: uint8."""
        pointer, index = self._at()
        size = c.c_uint32()
        host = lib.lw_session_lds(pointer, index, c.byref(size))
        return np.frombuffer(c.string_at(host, size.value), np.uint8).copy() if host else np.zeros(0, np.uint8)

    def __repr__(self) -> str:
        stand = self.stand
        return '<wave %d of %s: %s %s>' % (stand.wave, stand.workgroup, stand.text, stand.instruction)


def _file(name: str) -> int:
    if name not in FILES:
        raise ValueError('%r is not a register file; the files are %s' % (name, ', '.join(FILES)))
    return FILES[name]


class Session:
    """A launch that pauses. Made by kernel.session(...), whose arguments are those of kernel(...); use it in a `with`:

        with kernel.session(c, a, b, np.int32(n), grid=4, block=256) as session:
            while session.step(instructions=1):
                print(session.waves)

    Its arrays change as it runs. Its Memory is reserved for it until it ends: `finish` runs the rest, leaving the `with` drops it.
    Only one thread at a time may use it, except for `cancel`.
    """

    kernel: Kernel

    def __init__(self, kernel: Kernel, *args: Any, **options: Any) -> None:
        self._prepared, self.kernel, self._steps = Prepared(kernel, args, **options), kernel, 0
        self._cancel: Any = None
        self._made: List[int] = []
        self._prepared.memory.__enter__()
        try:
            self._made = self._prepared.memory.register(self._prepared.arrays)
            self._cancel = self._prepared.begin()
        except BaseException:
            self._leave()
            raise

    def _leave(self):
        self._cancel = None
        self._prepared.memory._estate.end_session()
        self._prepared.memory.release(self._made)
        self._prepared.memory.__exit__()

    def _here(self):
        if self._cancel is None:
            raise ArgumentError('the session has ended')
        return self._cancel.session

    def step(self, instructions: int = 0, *, events: Union[str, Iterable[str]] = (), workgroup: Optional[Sequence[int]] = None, wave: int = -1,
             breakpoints: Sequence[int] = ()) -> Pause:
        """Runs until one of the requested events, or the end; at the end, `not session.step()` is true.

        instructions  pause after that many wave instructions
        events        pause at these: 'wave began', 'wave ended', 'barrier', 'waits', 'arrived'
        workgroup, wave
                      all of these count only this workgroup (x, y, z), and this wave of a workgroup
        breakpoints   code offsets (Stand.code_offset) before whose instruction a wave pauses
        """
        options, pause = s.lw_step_options(), s.lw_pause()
        lib.lw_step_options_init(c.byref(options), c.sizeof(options))
        options.instructions, options.wave = instructions, wave
        for event in [events] if isinstance(events, str) else events:
            if event not in EVENTS:
                raise ValueError('%r is not an event; the events are %s' % (event, ', '.join(EVENTS[3:])))
            options.events |= 1 << EVENTS.index(event)
        if workgroup is not None:
            options.workgroup = (c.c_uint32 * 3)(*_three(workgroup, 'workgroup'))
        if breakpoints:
            options.breakpoints, options.breakpoint_count = (c.c_uint64 * len(breakpoints))(*breakpoints), len(breakpoints)
        pointer, error = self._here(), s.lw_error()
        self._steps += 1
        check(_interrupt.run(lambda: lib.lw_session_step(pointer, c.byref(options), c.byref(pause), c.byref(error)),
                             self._cancel), error)
        return Pause(EVENTS[pause.reason], tuple(pause.workgroup), pause.wave)

    @property
    def waves(self) -> Tuple[Wave, ...]:
        """The waves of workgroups that have begun and not ended, in the order in which they run."""
        return tuple(Wave(self, i) for i in range(lib.lw_session_wave_count(self._here())))

    def save(self) -> Checkpoint:
        """Saves its state: waves, LDS, its arrays and memory, counts. NoMemoryError beyond the memory's limit."""
        return Checkpoint(self)

    def restore(self, checkpoint: Checkpoint) -> None:
        """Goes back to that state, any number of times, even after the end. What checks have collected is kept."""
        call('lw_session_restore', self._here(), checkpoint._pointer)
        self._steps += 1

    def cancel(self) -> None:
        """Ends it soon, from any thread; it then finishes with StoppedError."""
        self._here()
        self._cancel()

    def finish(self) -> LaunchResult:
        """Runs the rest. Returns and raises as a launch does."""
        self._here()
        try:
            return self._prepared.finish(self._cancel)
        finally:
            self._leave()

    def __enter__(self) -> 'Session':
        return self

    def __exit__(self, *_: Any) -> None:
        if self._cancel is not None:
            self._leave()

    def __del__(self) -> None:
        if getattr(self, '_cancel', None):
            self._leave()
