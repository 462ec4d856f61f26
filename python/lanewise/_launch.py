# SPDX-License-Identifier: MIT
"""Launches: arguments and options."""
import ctypes as c
import functools
import struct
import sys
from typing import TYPE_CHECKING, Any, Iterable, Optional, Sequence, Tuple

import numpy as np

from . import _interrupt
from . import _structs as s
from ._c import ERRORS, Cancel, check, lib, names, text
from ._checks import Trace, make, named_checks
from ._result import LaunchResult
from .errors import LaunchError, LanewiseError

if TYPE_CHECKING:
    from ._program import Kernel

_U3 = c.c_uint32 * 3
_STOPPED = 13
_SCHEDULES, _ASYNC = ('serial', 'random'), ('late', 'early', 'random')


# ---- Arguments ----

_PYTHON_TYPES = {'float': np.float32, 'double': np.float64, 'f32': np.float32, 'f64': np.float64, 'f16': np.float16, 'half': np.float16,
                 'bool': np.bool_, 'int': np.int32, 'uint': np.uint32, 'unsigned int': np.uint32, 'long': np.int64, 'ulong': np.uint64,
                 'unsigned long': np.uint64, 'short': np.int16, 'char': np.int8, 'uchar': np.uint8, 'unsigned char': np.uint8,
                 'ushort': np.uint16, 'unsigned short': np.uint16, 'long long': np.int64, 'unsigned long long': np.uint64}
for _bits in (8, 16, 32, 64):
    for _letter, _kind in (('s', 'int'), ('u', 'uint'), ('b', 'uint'), ('i', 'int')):
        _PYTHON_TYPES[_letter + str(_bits)] = getattr(np, _kind + str(_bits))


def _title(kernel, argument) -> str:
    return '%s of %s' % ('argument %s' % argument.name if argument.name else 'argument %d' % kernel.arguments.index(argument), kernel.name)


def _number(kernel, argument, value) -> bytes:
    """The bytes of a Python number, whose type must come from the file."""
    kind = _PYTHON_TYPES.get(argument.type)
    if argument.kind == 'either' and isinstance(value, int):
        kind = np.uint64 if value >= 0 else np.int64
    if kind is None or isinstance(value, float) and not issubclass(kind, np.floating):
        raise TypeError('%s: %s; give its type, as in np.int32(%s) or np.float32(%s)' % (
            _title(kernel, argument), "it is %s" % argument.type if kind else 'the file does not say its type (%d bytes)' % argument.size,
            value, value))
    if issubclass(kind, np.integer) and not np.iinfo(kind).min <= value <= np.iinfo(kind).max:
        raise OverflowError('%s: %d does not fit %s' % (_title(kernel, argument), value, argument.type))
    return kind(value).tobytes()


class TensorMap:
    """A tensor map (CUtensorMap) over an array of one to five dimensions, as an argument of a PTX kernel. `box` and `steps` are in the
    order of the array's shape, so the last number of `box` is for the contiguous dimension; `swizzle` is 0, 32, 64 or 128."""

    _TYPES = {'u1': 0, 'b1': 0, 'i1': 0, 'u2': 1, 'i2': 1, 'u4': 2, 'i4': 3, 'u8': 4, 'i8': 5, 'f2': 6, 'f4': 7, 'f8': 8}

    array: np.ndarray
    box: Tuple[int, ...]
    swizzle: int
    steps: Tuple[int, ...]

    def __init__(self, array: np.ndarray, box: Sequence[int], swizzle: int = 0, steps: Optional[Sequence[int]] = None) -> None:
        self.array, self.box, self.swizzle, self.steps = array, tuple(box), swizzle, tuple(steps or (1,) * array.ndim)
        kind = self._TYPES.get(array.dtype.kind + str(array.dtype.itemsize))
        if kind is None:
            raise TypeError('a tensor map cannot have elements of %s; pass a view of codes, as in array.view(numpy.uint16)' % array.dtype)
        if not 1 <= array.ndim <= 5 or len(self.box) != array.ndim or len(self.steps) != array.ndim:
            raise ValueError('a tensor map has one to five dimensions, and box and steps need one number for each; the array has %d dimensions' % array.ndim)
        if not array.flags.c_contiguous:
            raise ValueError('the array is not C-contiguous, and launches take arrays in place; pass numpy.ascontiguousarray of it')
        self._type = kind

    def _bytes(self, address: int) -> bytes:
        made, error, a = (c.c_uint8 * 128)(), s.lw_error(), self.array
        given = s.lw_tensor_map(type=self._type, rank=a.ndim, address=address, swizzle=self.swizzle)
        for d in range(a.ndim):
            given.dims[d], given.strides[d] = a.shape[-1 - d], a.strides[-1 - d]
            given.box[d], given.steps[d] = self.box[-1 - d], self.steps[-1 - d]
        check(lib.lw_tensor_map_encode(c.byref(given), made, c.byref(error)), error)
        return bytes(made)


_addressof, _from_buffer, _WORD = c.addressof, c.c_char.from_buffer, struct.Struct('@P').pack


def _value(kernel, argument, value, arrays, memory):
    """(bytes, is it a pointer?) of one argument; arrays are added to `arrays`."""
    if isinstance(value, np.ndarray):
        if value.dtype.hasobject:
            raise TypeError('%s: an array of Python objects is not memory for a kernel' % _title(kernel, argument))
        if not memory._ranges:
            try:  # works for what is contiguous, writeable and not empty, in a fraction of the time of what follows
                at = _addressof(_from_buffer(value))
                arrays.append((at, at + value.nbytes, True, argument.name.encode()))
                return _WORD(at), True
            except (TypeError, ValueError, BufferError):
                pass
        if not value.flags.c_contiguous:
            raise ValueError('%s: the array is not C-contiguous, and launches take arrays in place; pass numpy.ascontiguousarray of it' %
                             _title(kernel, argument))
        return _use(arrays, memory, value, argument.name).to_bytes(8, 'little'), True
    if isinstance(value, TensorMap):
        return value._bytes(_use(arrays, memory, value.array, argument.name)), False
    if isinstance(value, np.generic):
        return value.tobytes(), False
    if value is None:
        return bytes(8), True
    if isinstance(value, (bool, int, float)):
        return _number(kernel, argument, value), False
    if isinstance(value, (bytes, bytearray, memoryview, c.Structure, c._SimpleCData)):
        return bytes(value), False
    raise TypeError('%s: %s is not an array, number, bytes or None; for a tensor, pass its NumPy view' % (_title(kernel, argument),
                                                                                                  type(value).__name__))


def _use(spans, memory, array, name) -> int:
    """The device address of an array; an array in host memory is added to those to be registered."""
    at = array.ctypes.data
    lives = memory._lives(at) if memory._ranges else None
    if lives is not None:
        return lives
    if array.nbytes:
        spans.append((at, at + array.nbytes, array.flags.writeable, name.encode()))
    return at


def _bind(kernel, args, named) -> list:
    """(argument, value) for everything that was passed."""
    if len(args) > len(kernel.arguments):
        raise TypeError('%s takes %d arguments, but %d were given' % (kernel.name, len(kernel.arguments), len(args)))
    if not named and len(args) == len(kernel.arguments):
        return list(zip(kernel.arguments, args))
    bound = dict(zip(range(len(args)), args))
    hidden = {a.value_kind: a for a in kernel.hidden}
    extra = []
    for name, value in named.items():
        if name in kernel._known:
            if kernel._known[name] in bound:
                raise TypeError('%s: argument %s was given twice' % (kernel.name, name))
            bound[kernel._known[name]] = value
        elif name in hidden:
            extra.append((hidden[name], value))
        else:
            raise TypeError('%s has no argument or option %r; its arguments are %s' % (
                kernel.name, name, ', '.join(a.name or '(no name)' for a in kernel.arguments) or 'none'))
    missing = [a for i, a in enumerate(kernel.arguments) if i not in bound]
    if missing:
        raise TypeError('%s takes %d arguments, but %d were given; missing: %s' % (
            kernel.name, len(kernel.arguments), len(bound), ', '.join(a.name or a.type or a.kind for a in missing)))
    return [(kernel.arguments[i], bound[i]) for i in sorted(bound)] + extra


# ---- Options ----

def _three(value, what) -> Tuple[int, int, int]:
    if type(value) is int:
        return value, 0, 0
    given = (value,) if isinstance(value, (int, np.integer)) else tuple(value) if isinstance(value, Iterable) else ()
    if not 1 <= len(given) <= 3 or not all(isinstance(each, (int, np.integer)) for each in given):
        raise ValueError('%s is one to three numbers, not %r' % (what, value))
    return given + (0,) * (3 - len(given))


def _order(value, kinds, what):
    """'late', 'random:7' as a number and a seed."""
    word, _, seed = value.partition(':')
    if word not in kinds or (word == 'random') != bool(seed):
        raise ValueError('%s is %s or random:SEED, not %r' % (what, ', '.join(k for k in kinds if k != 'random'), value))
    return kinds.index(word), int(seed or 0)


@s.lw_print_fn
def _print(context, piece, size):
    pieces, output, failures = c.cast(context, c.py_object).value
    words = c.string_at(piece, size).decode('utf-8', 'replace')
    pieces.append(words)
    if output is not None:
        _guard(failures, output, words)


_DEFAULTS = s.lw_launch_options()
lib.lw_launch_options_init(c.byref(_DEFAULTS), c.sizeof(_DEFAULTS))
_DEFAULTS.print = _print

# Parts of lw_launch_options that are written at once, and a lw_arg.
_SIZES, _ARGS, _ROW = struct.Struct('@11I'), struct.Struct('@PN'), 'PPN?0P'
_AT_GRID, _AT_ARGS, _NONE = s.lw_launch_options.grid.offset, s.lw_launch_options.args.offset, (0, 0, 0)


@functools.lru_cache(maxsize=256)
def _packing(sizes):
    """For arguments whose names and values have these sizes, one after the other: the struct of all lw_args with all names and values
    after them, and where each name (0: there is none) and value is."""
    packing, places = struct.Struct('@' + _ROW * (len(sizes) // 2) + ''.join(['%ds' % size for size in sizes])), []
    at = packing.size - sum(sizes)
    for name, given in zip(sizes[::2], sizes[1::2]):
        places.append((at if name else 0, at + name))
        at += name + given
    return packing, places


class Prepared:
    """A lw_launch_options, and everything that it points to."""

    def __init__(self, kernel, args, *, grid=None, block=None, items=None, smem=0, scratch=0, threads=0, budget=None, time_limit=0.0,
                 schedule='serial', async_='late', readings=(), poison=None, only=None, kernarg=None, buffers=(), check=(), trace=None,
                 progress=None, output=None, args_by_name=None, cluster=None, **named):
        self.kernel, self.memory, self.failures, self.printed = kernel, kernel.module.memory, [], []
        self.args, self.arrays = (args, named, args_by_name, buffers), []  # keeps arrays alive
        for buffer in buffers:
            _use(self.arrays, self.memory, buffer, '')
        o = self.options = s.lw_launch_options.from_buffer_copy(_DEFAULTS)
        o.module, o.kernel = kernel.module._placed().value, kernel._index
        self._size(grid, items, block, cluster, smem, scratch)
        o.threads, o.time_limit = threads, time_limit
        if budget is not None:
            o.budget = budget
        if poison is not None:
            o.poison = poison
        if schedule != 'serial':
            o.schedule, o.seed = _order(schedule, _SCHEDULES, 'schedule')
        if async_ != 'late':
            setattr(o, 'async', _order(async_, _ASYNC, 'async_')[0])
            o.async_seed = _order(async_, _ASYNC, 'async_')[1]
        if readings:
            self._readings = names([str(r) for r in ([readings] if isinstance(readings, str) else readings)])
            o.readings, o.reading_count = self._readings, len(self._readings)
        if only is not None:
            self._only = np.ascontiguousarray(np.reshape([_three(group, 'only') for group in only], (-1, 3)), np.uint32)
            o.only, o.only_count = self._only.ctypes.data, len(self._only)
        if kernarg is not None:
            self._kernarg = bytes(kernarg)
            o.kernarg, o.kernarg_size = c.cast(self._kernarg, c.c_void_p), len(self._kernarg)
        else:
            self._arguments(args, {**named, **args_by_name} if args_by_name else named)
        self._checks, self._trace = {}, None
        if check or trace is not None:
            self._watchers(check, trace)
        self._callbacks(progress, output)

    def _size(self, grid, items, block, cluster, smem, scratch):
        o, name = self.options, self.kernel.name
        if (grid is None) == (items is None) or block is None:
            raise TypeError('%s: a launch needs grid (workgroups) or items (work-items), and block (work-items per workgroup)' % name)
        try:
            _SIZES.pack_into(o, _AT_GRID, *(_NONE if grid is None else _three(grid, 'grid')), *(_NONE if items is None else _three(items, 'items')),
                             *_three(block, 'block'), smem, scratch)
            if cluster is not None:
                o.cluster = _U3(*_three(cluster, 'cluster'))
        except struct.error as why:
            raise ValueError('%s: grid, items, block, smem and scratch are whole numbers of 32 bits: %s' % (name, why)) from None

    def _arguments(self, args, named):
        """The lw_args, and behind them the names and bytes they point to, in one piece of memory: for each pointer that ctypes stores it
        also keeps a reference, which costs more than all of this."""
        kernel, arrays, memory = self.kernel, self.arrays, self.memory
        bound = _bind(kernel, args, named)
        if not bound:
            return
        rows, pieces, sizes = [], [], []
        for argument, value in bound:
            given, is_pointer = _value(kernel, argument, value, arrays, memory)
            name = argument.value_kind.encode() + b'\0' if argument.kind == 'hidden' else b''
            rows += [0, 0, len(given), is_pointer]
            pieces += [name, given]
            sizes += [len(name), len(given)]
        packing, places = _packing(tuple(sizes))
        block = self._block = bytearray(packing.size)
        start = _addressof(_from_buffer(block))
        for i, (at_name, at_bytes) in enumerate(places):
            rows[4 * i] = start + at_name if at_name else 0
            rows[4 * i + 1] = start + at_bytes
        packing.pack_into(block, 0, *rows, *pieces)
        _ARGS.pack_into(self.options, _AT_ARGS, start, len(bound))

    def _watchers(self, wanted, trace):
        """Observers, made for this launch."""
        observers = []
        for word in named_checks(wanted.split(',') if isinstance(wanted, str) else wanted):
            self._checks[word] = make(word)
            observers.append(self._checks[word].observer)
        if trace is not None:
            self._trace = Trace(trace)
            observers.append(self._trace.observer)
        if observers:
            self._observers = (c.c_void_p * len(observers))(*observers)
            self.options.observers, self.options.observer_count = self._observers, len(observers)

    def _callbacks(self, progress, output):
        # They do not refer to self, which would make every launch a cycle for the garbage collector.
        self._printing = self.printed, output, self.failures
        self.options.print_context = id(self._printing)
        if progress:
            report, failures = _say_progress if progress is True else progress, self.failures

            def went(_, p):
                return _guard(failures, report, p[0].groups_done, p[0].groups, p[0].instructions)
            self.options.progress = s.lw_progress_fn(went)

    def result(self, pointer):
        """The LaunchResult of a lw_launch_result that may be NULL."""
        found = {word: check.reports() for word, check in self._checks.items()} if self._checks else {}
        return LaunchResult(pointer, self.kernel.module, found, ''.join(self.printed)) if pointer else None

    def begin(self) -> Cancel:
        """Begins a session; returns the object that can cancel it and must drop it."""
        cancel, error = Cancel(), s.lw_error()
        check(lib.lw_session_begin(c.byref(self.options), c.byref(cancel.session), c.byref(error)), error)
        self.memory._estate.session = cancel
        return cancel

    def finish(self, cancel):
        """Runs a session to its end, interruptibly; returns its result or raises. The caller must drop the session."""
        result, error, session = c.c_void_p(), s.lw_error(), cancel.session
        try:
            status = _interrupt.run(lambda: lib.lw_session_run(session, c.byref(result), c.byref(error)), cancel)
        finally:
            made = self.result(result)
        if self.failures:
            raise self.failures[0]
        if status:
            kind = ERRORS.get(status, LanewiseError)
            details = {'result': made} if issubclass(kind, LaunchError) else {}
            if made is not None and made.fault:
                details['fault'] = made.fault
            raise kind(text(error.text) or text(lib.lw_status_text(status)), status, **details)
        return made


def _guard(failures, function, *values) -> int:
    """Calls the caller's function; its exception ends the launch and is kept, to be raised in the caller."""
    try:
        function(*values)
        return 0
    except BaseException as why:
        failures.append(why)
        return _STOPPED


def _say_progress(done, groups, instructions):
    sys.stderr.write('\r%d of %d workgroups, %d instructions%s' % (done, groups, instructions, '\n' if done == groups else ''))
    sys.stderr.flush()


def launch(kernel: 'Kernel', *args: Any, **options: Any) -> LaunchResult:
    """Runs a kernel to its end. Its arrays are used in place and hold what it stored. Also kernel(*args, **options).

    args        the kernel's arguments in their order, or by name as keywords (args_by_name: a dict, for names that are options too):
                  array    a C-contiguous NumPy array is a pointer to its bytes. The kernel may write to it, unless it is not writeable;
                           then a store faults
                  number   np.int32(5), np.float32(1.5): a value of that type. A Python number works if the file says the type (PTX
                           does, HIP does not)
                  bytes, ctypes struct    the bytes of a value;  None: a null pointer
    grid, items number of workgroups or of work-items: n, (x, y) or (x, y, z)
    block       work-items per workgroup, likewise
    smem        bytes of dynamic LDS (shared memory);  scratch: bytes per work-item, at least
    buffers     arrays that are not arguments, but whose addresses are in structs or other arrays
    kernarg     the whole argument block as bytes, instead of args
    threads     host threads (0: all processors); the result never depends on it
    budget      instructions that each wave may execute (0: no limit): BudgetError
    time_limit  seconds: StoppedError
    schedule    'serial' or 'random:SEED';  async_: when copies to LDS arrive, 'late', 'early' or 'random:SEED'
    readings    'topic:name' strings or Readings
    poison      what registers and LDS hold before they are written, a 32-bit number
    only        run only these workgroups: [(x, y, z), ...]
    check       'uninit=strict', 'banks', 'coalescing', or one of lanewise.check_names(), several with commas or as a list, 'all': all but
                uninit=strict, or NAME=strict. Results are in LaunchResult.uninit, .banks, .banks_repair, .coalescing, .findings
    trace       called with pieces of the trace (print, file.write)
    progress    called now and then with workgroups done, workgroups, instructions; True: shown on stderr. An exception ends the launch
    output      called with what the kernel prints, which is also in LaunchResult.output

    Ctrl-C, or an exception from a signal handler, ends the launch within a millisecond or so. Several threads may launch at once; launches
    in one Memory wait for each other.

    Raises KernelFault, BudgetError, LivelockError or StoppedError, with the launch so far in .result; ArgumentError, UnsupportedError,
    NoMemoryError; TypeError and ValueError for arguments that do not fit.
    """
    prepared = Prepared(kernel, args, **options)
    with prepared.memory as memory:
        made = memory.register(prepared.arrays)
        try:
            return prepared.finish(prepared.begin())
        finally:
            memory._estate.end_session()
            memory.release(made)
