# SPDX-License-Identifier: MIT
"""Launches and comparisons in parts, on several machines: Dask's workers or the ranks of MPI. docs/parts.md says what can be cut.

The bytes that come out are those of one machine, or UnsupportedError says which parts touched the same bytes.
"""
import ctypes as c
import hashlib
import os
from dataclasses import dataclass
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np

from . import _structs as s
from . import _sweep
from ._c import call, check, lib
from ._insn import Arch
from ._launch import Prepared, TensorMap
from ._program import File, Module, _bytes, load
from ._sweep import Sweep
from .errors import ArgumentError, LanewiseError

_OPTIONS = ('grid', 'items', 'block', 'cluster', 'smem', 'scratch', 'threads', 'budget', 'time_limit', 'async_', 'readings', 'poison')
_NOT_HASHED = ('threads', 'budget', 'time_limit')
_UNKNOWN = 257  # LW_FILL_UNKNOWN: the caller has what arrays held before


@dataclass(frozen=True)
class Joined:
    """What the parts of a launch did together: numbers as in LaunchResult, and how many parts there were."""

    parts: int
    groups: int
    waves: int
    instructions: int
    matrix_instructions: int


# ---- Arguments, ready to travel ----

def _spans(arrays):
    return [(a.ctypes.data, a.ctypes.data + a.nbytes) for a in arrays]


class _Cargo:
    """Program, arguments and options of a launch, in a form that can be pickled. Arrays are listed once each: `args` and `named` have
    their numbers in the place of arrays."""

    def __init__(self, program, kernel, arch, args, named):
        if isinstance(program, Module):
            raise TypeError('parts run in other processes, which load the program themselves: pass its path or its bytes')
        options = {name: named.pop(name) for name in list(named) if name in _OPTIONS}
        if 'readings' in options:
            given = options['readings']
            options['readings'] = [str(r) for r in ([given] if isinstance(given, str) else given)]
        for name in ('only', 'schedule', 'check', 'trace', 'progress', 'output', 'kernarg', 'buffers', 'part', 'args_by_name'):
            if name in named:
                raise TypeError('%s cannot be used with a launch in parts' % name)
        self.program = _bytes(program)
        self.kernel, self.arch, self.options = kernel, None if arch is None else str(getattr(arch, 'name', arch)), options
        self._arrays = []
        self.args = [self._pack(value) for value in args]
        self.named = {name: self._pack(value) for name, value in named.items()}
        self._check_overlap()
        self.launch = self._identity()

    def _number(self, array) -> int:
        for i, known in enumerate(self._arrays):
            if known is array or (known.ctypes.data == array.ctypes.data and known.nbytes == array.nbytes and array.nbytes):
                return i
        if not array.flags.c_contiguous:
            raise ValueError('an array is not C-contiguous, and launches take arrays in place; pass numpy.ascontiguousarray of it')
        self._arrays.append(array)
        return len(self._arrays) - 1

    def _pack(self, value):
        if isinstance(value, np.ndarray):
            return ('array', self._number(value))
        if isinstance(value, TensorMap):
            return ('map', self._number(value.array), value.box, value.swizzle, value.steps)
        if isinstance(value, (bytearray, memoryview, c.Structure, c._SimpleCData)):
            value = bytes(value)
        return ('value', value)

    def _check_overlap(self):
        spans = sorted(span for span in _spans(self._arrays) if span[0] < span[1])
        if any(after[0] < before[1] for before, after in zip(spans, spans[1:])):
            raise ValueError('two of the arrays overlap: in other processes they would not')

    def unpack(self, arrays):
        """Arguments and keywords of a launch on `arrays`."""
        def value(packed):
            if packed[0] == 'array':
                return arrays[packed[1]]
            if packed[0] == 'map':
                return TensorMap(arrays[packed[1]], packed[2], packed[3], packed[4])
            return packed[1]
        return [value(v) for v in self.args], {name: value(v) for name, v in self.named.items()}

    def __getstate__(self):
        state = dict(self.__dict__)
        state['_arrays'] = [(a.dtype, a.shape, a.flags.writeable, a.tobytes()) for a in self._arrays]
        return state

    def __setstate__(self, state):
        self.__dict__.update(state)
        self._arrays = []
        for dtype, shape, writeable, data in state['_arrays']:
            array = np.frombuffer(data, dtype).reshape(shape).copy()
            array.setflags(write=writeable)
            self._arrays.append(array)

    def _identity(self) -> bytes:
        """A hash of all that the launch depends on."""
        hashed = hashlib.sha256()

        def add(data):
            hashed.update(len(data).to_bytes(8, 'little') + data)

        def add_value(name, packed):
            value = packed[-1] if packed[0] == 'value' else packed
            add(name.encode())
            if isinstance(value, np.generic):
                add(str(value.dtype).encode() + b' ' + value.tobytes())
            else:
                add(value if isinstance(value, bytes) else repr((type(value).__name__, value)).encode())
        add(lib.lw_version())
        add(self.program)
        add(repr((self.kernel, self.arch)).encode())
        for i, packed in enumerate(self.args):
            add_value(str(i), packed)
        for name, packed in sorted(self.named.items()):
            add_value(name, packed)
        for name, value in sorted(self.options.items()):
            if name not in _NOT_HASHED:
                add(repr((name, np.asarray(value).tolist())).encode())
        for a in self._arrays:
            add(repr((str(a.dtype), a.shape, a.flags.writeable)).encode())
            add(a.tobytes())
        return hashed.digest()


# ---- One part ----

def _runs(footprint, address, size, written):
    count = lib.lw_footprint_runs(footprint, address, size, written, None, 0)
    rows = (s.lw_byte_run * max(count, 1))()
    lib.lw_footprint_runs(footprint, address, size, written, rows, count)
    return rows, count


def _piece(footprint, number, array):
    address, size = array.ctypes.data, array.nbytes
    reads, read_count = _runs(footprint, address, size, False)
    writes, write_count = _runs(footprint, address, size, True)
    whole = array.reshape(-1).view(np.uint8)
    written = b''.join(whole[run.start:run.start + run.size].tobytes() for run in writes[:write_count])
    data = c.create_string_buffer(written, max(len(written), 1))
    piece = s.lw_launch_piece(name=b'array %d' % number, file=b'', size=size, fill=_UNKNOWN, reads=reads, read_count=read_count, writes=writes,
                              write_count=write_count, bytes=c.cast(data, c.c_void_p))
    return piece, (reads, writes, data)


def _writeable(cargo):
    return [(i, a) for i, a in enumerate(cargo._arrays) if a.flags.writeable and a.nbytes]


def _file(cargo, footprint, number, count) -> bytes:
    arrays, out = _writeable(cargo), []
    areas = (s.lw_byte_run * max(len(arrays), 1))(*[s.lw_byte_run(a.ctypes.data, a.nbytes) for _, a in arrays])
    call('lw_footprint_within', footprint, areas, len(arrays))
    made = [_piece(footprint, i, a) for i, a in arrays]
    pieces = (s.lw_launch_piece * max(len(made), 1))(*[piece for piece, _ in made])
    part = s.lw_launch_part()
    lib.lw_launch_part_init(c.byref(part), c.sizeof(part))
    part.number, part.count, part.pieces, part.piece_count = number, count, pieces, len(made)
    part.launch = (c.c_uint8 * 32)(*cargo.launch)

    def sink(_, data, size):
        out.append(c.string_at(data, size))
        return 0
    error = s.lw_error()
    check(lib.lw_launch_part_write(c.byref(part), s.lw_sink(sink), None, c.byref(error)), error)
    return b''.join(out)


def _run(cargo, number, count):
    """(file, counts) of part `number` of `count`, counted from 0. The arrays of the cargo are changed."""
    kernel = load(cargo.program, arch=cargo.arch)[cargo.kernel]
    args, named = cargo.unpack(cargo._arrays)
    footprint = c.c_void_p()
    check(lib.lw_footprint_create(c.byref(footprint)))
    try:
        prepared = Prepared(kernel, args, args_by_name=named, **cargo.options)
        prepared.options.part, prepared.options.parts, prepared.options.footprint = number, count, footprint
        with prepared.memory as memory:
            made = memory.register(prepared.arrays)
            try:
                result = prepared.finish(prepared.begin())
                return _file(cargo, footprint, number, count), (result.groups, result.waves, result.instructions, result.matrix_instructions)
            finally:
                memory._estate.end_session()
                memory.release(made)
    finally:
        lib.lw_footprint_free(footprint)


def _work(cargo, number, count):
    """In another process: exceptions of the library travel as (name, sentence, status)."""
    try:
        return True, _run(cargo, number, count)
    except LanewiseError as why:
        return False, (type(why).__name__, 'part %d of %d: %s' % (number + 1, count, why.sentence), why.status)


# ---- All of them ----

def _raise(name, sentence, status):
    from . import errors
    raise getattr(errors, name, LanewiseError)(sentence, status)


def join(parts: Sequence[bytes], arrays: Sequence[np.ndarray]) -> None:
    """Puts what parts wrote into the arrays that kernels may write, in the order of the launch's arguments, which hold what they held before
    the launch. `parts` are files (lanewise/part.h) in any order. UnsupportedError if one part touched what another one wrote,
    ArgumentError if they do not belong together; nothing has been written then."""
    read, error = [], s.lw_error()
    try:
        for data in parts:
            pointer = c.POINTER(s.lw_launch_part)()
            check(lib.lw_launch_part_read(data, len(data), c.byref(pointer), c.byref(error)), error)
            read.append(pointer)
            sizes = [pointer[0].pieces[i].size for i in range(pointer[0].piece_count)]
            if sizes != [a.nbytes for a in arrays] or not all(a.flags.c_contiguous and a.flags.writeable for a in arrays):
                raise ArgumentError('the part keeps arrays of %s bytes; given are arrays of %s' % (sizes, [a.nbytes for a in arrays]))
        rows = (c.c_void_p * max(len(read), 1))(*[c.cast(pointer, c.c_void_p) for pointer in read])
        targets = (c.c_void_p * max(len(arrays), 1))(*[a.ctypes.data for a in arrays])
        check(lib.lw_launch_parts_join(rows, len(read), targets, c.byref(error)), error)
    finally:
        for pointer in read:
            lib.lw_launch_part_free(pointer)


def _finish(cargo, outcomes) -> Joined:
    for good, outcome in outcomes:
        if not good:
            _raise(*outcome)
    join([data for _, (data, _) in outcomes], [a for _, a in _writeable(cargo)])
    return Joined(len(outcomes), *[sum(counts[i] for _, (_, counts) in outcomes) for i in range(4)])


def _on_dask(client, work, parts):
    futures = [client.submit(*work, i, parts, pure=False) for i in range(parts)]
    try:
        return client.gather(futures)
    finally:
        client.cancel(futures)


def _on_ranks(comm, work, parts):
    import pickle
    rank, ranks = comm.Get_rank(), comm.Get_size()
    mine = []
    for i in range(rank, parts, ranks):
        # a copy: every part begins with what the arrays held before the launch
        function, *given = pickle.loads(pickle.dumps(work))
        mine.append((i, function(*given, i, parts)))
    return [outcome for _, outcome in sorted(pair for pairs in comm.allgather(mine) for pair in pairs)]


def _outcomes(on, work, parts):
    """What `work` (a function and its first arguments) gives for each part."""
    ranks = hasattr(on, 'Get_rank')
    if not parts:
        parts = on.Get_size() if ranks else max(sum(on.nthreads().values()), 1)
    return (_on_ranks if ranks else _on_dask)(on, work, parts)


def launch(on: Any, program: File, kernel: str, *args: Any, parts: int = 0, arch: Union[str, Arch, None] = None, **options: Any) -> Joined:
    """Runs a kernel in parts; its arrays then hold what the whole launch would have stored.

    on          a dask.distributed.Client, or an MPI communicator (mpi4py). With a communicator every rank calls this with the same
                arguments, runs its share, and has the result in its arrays.
    program     the file with the kernel, or its bytes; arch: which code object of a file that has several
    args, options  as in lanewise.launch: grid or items, block, cluster, smem, scratch, threads, budget, time_limit, async_, readings,
                poison, and arguments by name. Arrays are ordinary ones; they travel to the workers, and what the kernel wrote comes back.
    parts       how many (0: as many as Dask has threads, or as there are ranks)

    A Dask worker that dies loses its part, which Dask gives to another one. Raises what lanewise.launch raises, with the number of the part,
    and UnsupportedError if parts touch each other's bytes. The arrays are unchanged if anything is raised.
    """
    cargo = _Cargo(program, kernel, arch, args, dict(options))
    return _finish(cargo, _outcomes(on, (_work, cargo), parts))


def validate(on: Any, *files: File, program: Union[str, os.PathLike] = 'lanewise', parts: int = 0,
             environment: Optional[Mapping[str, str]] = None, **options: Any) -> Sweep:
    """`lanewise validate` in parts: of files of recorded results, or of GPUs of one kind (device='cuda', only='matrix', all_inputs=True,
    record='h100.txt' and so on, the options of the program). The report is that of one machine, byte for byte (but for the date in files).

    on, parts   as in `launch`; with a communicator, rank 0 joins the parts, and every rank gets the answer
    program     the program `lanewise`, which each worker must have under this name, as well as the files and lists that are read
    environment variables for the parts, such as LANEWISE_ARCH of a stand-in

    Raises ArgumentError and UnsupportedError with the sentence of the program, and the number of the part.
    """
    words = _sweep.words_of(files, options)
    outcomes = _outcomes(on, (_sweep.run_part, os.fspath(program), words, dict(environment or {})), parts)
    if not hasattr(on, 'Get_rank'):
        good, answer = _sweep.join(os.fspath(program), outcomes)
    else:
        good, answer = on.bcast(_sweep.join(os.fspath(program), outcomes) if on.Get_rank() == 0 else None, root=0)
    if not good:
        _raise(*answer)
    return answer
