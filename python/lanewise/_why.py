# SPDX-License-Identifier: MIT
"""Where bytes of a result come from: lanewise/why.h."""
import ctypes as c
from dataclasses import dataclass
from typing import Any, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _structs as s
from . import _why_capture
from ._c import call, check, lib, text
from ._capture import Capture
from ._launch import Prepared, TensorMap
from ._program import File, Kernel
from ._result import Line, line_of
from ._why_products import Element, Given, Product, products
from .errors import ArgumentError, NotFoundError

_SPACES = ('global', 'lds', 'scratch')
_OPERANDS = ('A', 'B', 'C', 'D', 'index', 'scale_a', 'scale_b')
_FLOATS = ('float16', 'float32', 'float64', 'bfloat16')


@dataclass(frozen=True)
class Source:
    """An edge: `node` is one of the things that a node was made from. operand, x, y: for a matrix instruction, the element of A (i, k), B (k, j)
    or C (i, j), of 'index', 'scale_a' or 'scale_b'; otherwise '' and 0."""

    node: int
    operand: str
    x: int
    y: int


@dataclass(frozen=True)
class Node:
    """What one instruction wrote, or an end of the trace.

    kind      'asked' (node 0: the bytes asked about), 'input' (memory as it was before the launch), 'given' (a register that the launch sets),
              'unwritten', 'store', 'atomic', 'copy', 'load', 'matrix' (an element of D), 'computed'
    exact     its bytes are copies of its sources' bytes
    instruction, code_offset, source, workgroup, wave, lane (-1: scalar)
              the instruction, for kinds that have one
    register, value   what register it wrote, and what that held then; '' for memory
    space, region, offset, size   where in memory: 'global', 'lds' or 'scratch', the array's name, and the byte in it
    element   of a matrix: (block, row, column)
    sources   what it was made from, back in time
    """

    kind: str
    exact: bool
    instruction: str
    code_offset: int
    source: Optional[Line]
    workgroup: Tuple[int, int, int]
    wave: int
    lane: int
    register: str
    value: int
    space: str
    region: str
    offset: int
    size: int
    element: Tuple[int, int, int]
    sources: Tuple[Source, ...]


@dataclass(frozen=True)
class Range:
    """Bytes `first` to `last` of an array (or some of them), by the name of its argument."""

    region: str
    first: int
    last: int


class Why:
    """The answer of `why`: a graph. `nodes` is a list of Node; nodes[0] is what was asked; a source has a higher number.

    groups, instructions   how many workgroups and instructions were recorded
    steps      a tuple of Product: the matrix instructions of which the element is a sum, in the order in which they ran
    index      of the element
    got, expected  its value, and what `expect` holds there (None without `expect`)
    explained  how it differs from a product C[i,j] = sum of A[i,k] * B[k,j], in words: a wrong row or column, k that does not match, a tile
               used twice, a matrix read transposed, the scale of another block; or that none of these is the case. '' without `expect`, if
               the element is as expected, or if it is no such product
    """

    groups: int
    instructions: int
    nodes: List[Node]
    steps: Tuple[Product, ...]
    index: Tuple[int, ...]
    got: Any
    expected: Any
    explained: str

    def __init__(self, pointer: Any, given: List[Given], got: np.ndarray, number: int, expect: Optional[np.ndarray]) -> None:
        self._pointer = pointer
        self.groups, self.instructions = lib.lw_why_groups(pointer), lib.lw_why_instructions(pointer)
        self.nodes = [self._node(i) for i in range(lib.lw_why_node_count(pointer))]
        self.index = tuple(int(i) for i in np.unravel_index(number, got.shape)) if got.ndim else ()
        self.got, self.expected = got.reshape(-1)[number], None if expect is None else expect.reshape(-1)[number]
        target, value = None, None
        if self.expected is not None and got.ndim == 2 and self.got.tobytes() != self.expected.tobytes():
            target = got.shape + self.index
            value = float(self.expected) if got.dtype.name in _FLOATS else None
        self.steps, self.explained = products(pointer, given, target, value)

    def __del__(self) -> None:
        if getattr(self, '_pointer', None):
            lib.lw_why_free(self._pointer)
            self._pointer = None

    def _sources(self, number: int) -> Tuple[Source, ...]:
        found: List[Source] = []
        while True:
            edge = lib.lw_why_edge_at(self._pointer, number, len(found))
            if not edge:
                return tuple(found)
            e = edge[0]
            matrix = e.operand < len(_OPERANDS)
            found.append(Source(e.to, _OPERANDS[e.operand] if matrix else '', e.x if matrix else 0, e.y if matrix else 0))

    def _node(self, number: int) -> Node:
        n = lib.lw_why_node_at(self._pointer, number)[0]
        memory = not n.reg
        return Node(text(lib.lw_why_kind_name(n.kind)), n.exact, text(n.instruction), n.code_offset, line_of(n.source[0]) if n.source else None,
                    tuple(n.workgroup), n.wave, n.lane, text(n.reg), n.value, _SPACES[n.space] if memory else '', text(n.region) if memory else '',
                    n.address - n.region_base if memory else 0, n.size if memory else 0, (n.block, n.row, n.col), self._sources(number))

    def inputs(self, node: int = 0) -> List[Range]:
        """The bytes of arrays that a node depends on, one Range for each array."""
        rows, count = (s.lw_why_range * 8)(), c.c_size_t()
        check(lib.lw_why_inputs(self._pointer, node, rows, len(rows), c.byref(count)))
        return [Range(text(r.region), r.first, r.last) for r in rows[:min(count.value, len(rows))]]

    def __str__(self) -> str:
        lines: List[str] = []
        seen = set()

        def tell(number: int, depth: int, role: str) -> None:
            node = self.nodes[number]
            place = node.register or ('%s[%d]' % (node.region, node.offset) if node.region else '%s byte %d' % (node.space, node.offset))
            words = ' '.join(word for word in (role, node.kind, place, node.instruction, str(node.source or '')) if word)
            lines.append('  ' * depth + words + (' (above)' if number in seen and node.sources else ''))
            if number not in seen:
                seen.add(number)
                for source in node.sources:
                    tell(source.node, depth + 1, '%s[%d,%d]' % (source.operand, source.x, source.y) if source.operand else '')
        tell(0, 0, '')
        if self.explained:
            lines.append(self.explained)
        return '\n'.join(lines)


def _arrays(kernel: Kernel, prepared: Prepared) -> List[Tuple[str, np.ndarray]]:
    """The arrays of a launch, with the names of their arguments."""
    args, named, by_name, buffers = prepared.args
    pairs = [(i, value) for i, value in enumerate(args)]
    pairs += [(kernel._known[name], value) for name, value in {**named, **(by_name or {})}.items() if name in kernel._known]
    found = [(kernel.arguments[i].name or 'argument %d' % i, value.array if isinstance(value, TensorMap) else value) for i, value in sorted(
        pairs, key=lambda pair: pair[0])]
    return [(name, value) for name, value in found if isinstance(value, np.ndarray)] + [('buffer %d' % i, value) for i, value in enumerate(buffers)]


def _first_difference(prepared: Prepared, array: np.ndarray, expect: np.ndarray) -> Optional[int]:
    """Runs the launch and compares; everything then is as it was before."""
    memory = prepared.memory
    saved = [(value, value.copy()) for _, value in _arrays(prepared.kernel, prepared) if value.flags.writeable]
    snapshot = memory.snapshot()
    try:
        with memory:
            made = memory.register(prepared.arrays)
            try:
                prepared.finish(prepared.begin())
            finally:
                memory._estate.end_session()
                memory.release(made)
        differ = array.reshape(-1).view(np.uint8) != expect.reshape(-1).view(np.uint8)
        return int(differ.argmax()) // array.itemsize if differ.any() else None
    finally:
        for value, before in saved:
            value[...] = before
        memory.restore(snapshot)


def _asked(element: Any, expect: Optional[np.ndarray]) -> Tuple[np.ndarray, Optional[int]]:
    """The array, and the number of the element; None: the first that differs."""
    array, index = element if isinstance(element, tuple) and len(element) == 2 else (element, None)
    if not isinstance(array, np.ndarray) or not array.flags.c_contiguous:
        raise ValueError('element is (array, index) or, with expect, an array; the array must be C-contiguous')
    if expect is not None and (not isinstance(expect, np.ndarray) or expect.dtype != array.dtype or expect.shape != array.shape):
        raise ValueError('expect must be an array of %s %s, like the one that it is compared with' % (array.dtype.name, array.shape))
    if not 1 <= array.itemsize <= 8:
        raise ArgumentError('an element of %d bytes; 1 to 8 can be traced' % array.itemsize)
    if index is None:
        if expect is None:
            raise ValueError('element is (array, index): without expect, the index of one element is needed')
        return array, None
    index = index if isinstance(index, tuple) else (index,)
    if len(index) != array.ndim:
        raise ValueError('element is (array, index): the array has %d dimensions, the index has %d' % (array.ndim, len(index)))
    return array, int(np.ravel_multi_index(index, array.shape)) if index else 0


Asked = Union[np.ndarray, Tuple[np.ndarray, Union[int, Sequence[int]]], str, int, Tuple[Union[str, int], Union[int, Sequence[int]]]]


def why(kernel: Union[Kernel, Capture], *args: Any, element: Asked, expect: Optional[np.ndarray] = None, limit: int = 0,
        arrays: Optional[_why_capture.Arrays] = None, program: Optional[File] = None, **options: Any) -> Why:
    """Runs a launch and traces one element of a result back: the store, what computed the value, matrix instructions, the elements that were
    loaded. docs/checks/why.md shows what the program makes of it.

    element     (array, index): an array among the arguments, and the index of one of its elements. With `expect`, an array alone: its
                first element that differs
    expect      what the array should hold, of the same type and shape: Why.explained says in words what differs
    limit       bytes of host memory for the record (0: 1 GiB): NoMemoryError
    args, options  as in lanewise.launch; no check and no trace

    A launch that `lanewise capture` has recorded: why(Capture(file), element=('C', (2, 17)), arrays={'C': ('float32', (64, 64))}).

    arrays      type and shape of arrays in the capture, which does not know them: by the argument's name or number, the name of a variable,
                or an address
    element     (name, index), or a name: the first element that differs
    expect      by default, what the GPU left
    program     another file that has the kernel: a mended kernel on the recorded data

    The arrays hold afterwards what the launch stored. Variables of the module have their initial values in this launch. NotFoundError if
    nothing was stored to the element, or nothing differs from `expect`; UnsupportedError if it depends on instructions that are not
    traced (wmma.load and wmma.store, st.async and red.async).
    """
    for word in ('check', 'trace'):
        if options.get(word):
            raise TypeError('%s cannot be used with why' % word)
    if isinstance(kernel, Capture):
        if args:
            raise TypeError('the arguments come from the capture')
        return Why(*_why_capture.find(kernel, element, expect, arrays or {}, program, limit, options))
    if arrays is not None or program is not None:
        raise TypeError('arrays and program describe a capture')
    array, number = _asked(element, expect)
    prepared = Prepared(kernel, args, **options)
    o = prepared.options
    o.module, o.program, o.memory = None, kernel.module._program, prepared.memory._pointer
    if number is None and expect is not None:
        number = _first_difference(prepared, array, expect)
        if number is None:
            raise NotFoundError('nothing differs from what is expected', 3)
    given = [Given(name, prepared.memory.address(value), value.copy()) for name, value in _arrays(kernel, prepared)]
    pointer, asked = c.c_void_p(), s.lw_why_options(c.sizeof(s.lw_why_options), limit)
    with prepared.memory as memory:
        made = memory.register(prepared.arrays)
        try:
            call('lw_why_find', c.byref(o), memory.address(array) + (number or 0) * array.itemsize, array.itemsize, c.byref(asked), c.byref(pointer))
        finally:
            memory.release(made)
    if prepared.failures:
        lib.lw_why_free(pointer)
        raise prepared.failures[0]
    return Why(pointer, given, array, number or 0, expect)
