# SPDX-License-Identifier: MIT
"""Where bytes of a recorded launch come from: its memory as arrays."""
import ctypes as c
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple, Union

import numpy as np

from . import _structs as s
from ._c import call, check, lib
from ._capture import Capture
from ._launch import Prepared
from ._memory import Memory
from ._program import File
from ._why_products import Given
from .errors import ArgumentError, NotFoundError

Name = Union[str, int]
Arrays = Dict[Name, Tuple[Any, Any]]  # type and shape by name


@dataclass(frozen=True)
class Described:
    """An array of the capture: where it is, and what it held before the launch and (None: not known) after it."""

    address: int
    before: np.ndarray
    after: Optional[np.ndarray]


def _address(capture: Capture, name: Name, prepared: Prepared, places: List[int]) -> int:
    """Of an argument by name or number, a variable, or a number that is an address itself."""
    kernel = prepared.kernel
    known = {a.name: i for i, a in enumerate(kernel.arguments) if a.name}
    number = known.get(name) if isinstance(name, str) else name if 0 <= name < len(kernel.arguments) else None
    if number is not None:
        value = capture._arguments(kernel, places)[number]
        return int.from_bytes(value, 'little') if len(value) == 8 else 0
    if isinstance(name, int):
        return name
    for piece, place in zip(capture.pieces, places):
        if piece.name == name:
            return place
    raise ArgumentError('%r is no argument of %s and no variable in the capture' % (name, kernel.name))


def _describe(capture: Capture, name: Name, kind: Tuple[Any, Any], prepared: Prepared, places: List[int]) -> Described:
    dtype, shape = np.dtype(kind[0]), kind[1]
    address = _address(capture, name, prepared, places)
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    for piece, place in zip(capture.pieces, places):
        at = address - place
        if not 0 <= at < len(piece.before):
            continue
        if at + size > len(piece.before):
            raise ArgumentError('%s has %d bytes, but the capture holds %d from there on' % (name, size, len(piece.before) - at))
        before, after = (None if x is None else np.frombuffer(x.tobytes()[at:at + size], dtype).reshape(shape) for x in (piece.before, piece.after))
        assert before is not None
        return Described(address, before, after)
    raise ArgumentError('%s is not the address of memory in the capture' % name)


def _bytes_at(memory: Memory, like: Described) -> np.ndarray:
    """What the array holds now."""
    now = np.empty_like(like.before)
    check(lib.lw_memory_read(memory._pointer, like.address, now.ctypes.data, now.nbytes))
    return now


def _first_difference(memory: Memory, prepared: Prepared, array: Described, expect: np.ndarray) -> int:
    with memory:
        try:
            prepared.finish(prepared.begin())
        finally:
            memory._estate.end_session()
        differ = _bytes_at(memory, array).reshape(-1).view(np.uint8) != expect.reshape(-1).view(np.uint8)
    if not differ.any():
        raise NotFoundError('nothing differs from what is expected', 3)
    return int(differ.argmax()) // array.before.itemsize


def _number_of(index: Any, array: np.ndarray) -> int:
    index = index if isinstance(index, tuple) else (index,)
    if len(index) != array.ndim:
        raise ValueError('element is (name, index): the array has %d dimensions, the index has %d' % (array.ndim, len(index)))
    return int(np.ravel_multi_index(index, array.shape)) if index else 0


def find(capture: Capture, element: Any, expect: Optional[np.ndarray], arrays: Arrays, program: Optional[File], limit: int,
         options: Dict[str, Any]) -> Tuple[Any, List[Given], np.ndarray, int, Optional[np.ndarray]]:
    """The graph, the arrays before the launch, the one in question after it, the number of its element, and what it should be."""
    name, index = element if isinstance(element, tuple) else (element, None)
    if name not in arrays:
        raise ArgumentError("the capture does not know the type and the shape of %s: say arrays={%r: ('float32', (64, 64))}" % (name, name))
    memory, prepared, places = capture._prepare(program, None, dict(options))
    described = {one: _describe(capture, one, kind, prepared, places) for one, kind in arrays.items()}
    array = described[name]
    if not 1 <= array.before.itemsize <= 8:
        raise ArgumentError('an element of %d bytes; 1 to 8 can be traced' % array.before.itemsize)
    if expect is not None and (expect.dtype != array.before.dtype or expect.shape != array.before.shape):
        raise ValueError('expect must be an array of %s %s, like the one that it is compared with' % (array.before.dtype.name, array.before.shape))
    expect = array.after if expect is None else expect
    if index is None:
        if expect is None:
            raise ArgumentError('the capture has no memory after the launch (on the GPU, %s): say which element, or expect' % capture.outcome)
        number = _first_difference(memory, prepared, array, expect)
        memory, prepared, places = capture._prepare(program, None, dict(options))
    else:
        number = _number_of(index, array.before)
    given = [Given(one if isinstance(one, str) else 'argument %d' % one if one < len(prepared.kernel.arguments) else '0x%x' % one, d.address, d.before)
             for one, d in described.items()]
    pointer, asked = c.c_void_p(), s.lw_why_options(c.sizeof(s.lw_why_options), limit)
    with memory:
        call('lw_why_find', c.byref(prepared.options), array.address + number * array.before.itemsize, array.before.itemsize, c.byref(asked),
             c.byref(pointer))
        if prepared.failures:
            lib.lw_why_free(pointer)
            raise prepared.failures[0]
        return pointer, given, _bytes_at(memory, array), number, expect
