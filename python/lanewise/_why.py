# SPDX-License-Identifier: MIT
"""Where bytes of a result come from: lanewise/why.h."""
import ctypes as c
from dataclasses import dataclass
from typing import List, Optional, Tuple

import numpy as np

from . import _structs as s
from ._c import call, check, lib, text
from ._launch import Prepared
from ._result import Line, line_of
from .errors import ArgumentError

_SPACES = ('global', 'lds', 'scratch')
_OPERANDS = ('A', 'B', 'C', 'D')


@dataclass(frozen=True)
class Source:
    """An edge: `node` is one of the things that a node was made from. operand, x, y: for a matrix instruction, the element of A (i, k), B (k, j)
    or C (i, j); otherwise '' and 0."""

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
    """

    def __init__(self, pointer):
        self._pointer = pointer
        self.groups, self.instructions = lib.lw_why_groups(pointer), lib.lw_why_instructions(pointer)
        self.nodes: List[Node] = [self._node(i) for i in range(lib.lw_why_node_count(pointer))]

    def __del__(self):
        if getattr(self, '_pointer', None):
            lib.lw_why_free(self._pointer)
            self._pointer = None

    def _sources(self, number):
        found = []
        while True:
            edge = lib.lw_why_edge_at(self._pointer, number, len(found))
            if not edge:
                return tuple(found)
            e = edge[0]
            matrix = e.operand < len(_OPERANDS)
            found.append(Source(e.to, _OPERANDS[e.operand] if matrix else '', e.x if matrix else 0, e.y if matrix else 0))

    def _node(self, number):
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
        lines, seen = [], set()

        def tell(number, depth, role):
            node = self.nodes[number]
            place = node.register or ('%s[%d]' % (node.region, node.offset) if node.region else '%s byte %d' % (node.space, node.offset))
            words = ' '.join(word for word in (role, node.kind, place, node.instruction, str(node.source or '')) if word)
            lines.append('  ' * depth + words + (' (above)' if number in seen and node.sources else ''))
            if number not in seen:
                seen.add(number)
                for source in node.sources:
                    tell(source.node, depth + 1, '%s[%d,%d]' % (source.operand, source.x, source.y) if source.operand else '')
        tell(0, 0, '')
        return '\n'.join(lines)


def why(kernel, *args, element, limit: int = 0, **options) -> Why:
    """Runs a launch and traces one element of a result back: the store, what computed the value, matrix instructions, the elements that were
    loaded. docs/checks/why.md shows what the program makes of it.

    element     (array, index): an array among the arguments, and the index of one of its elements
    limit       bytes of host memory for the record (0: 1 GiB): NoMemoryError
    args, options  as in lanewise.launch; no check and no trace

    The arrays hold afterwards what the launch stored. Variables of the module have their initial values in this launch. NotFoundError if nothing was
    stored to the element; UnsupportedError for instructions that are not traced (wgmma, copies that report to mbarriers).
    """
    array, index = element
    index = index if isinstance(index, tuple) else (index,)
    for word in ('check', 'trace'):
        if options.get(word):
            raise TypeError('%s cannot be used with why' % word)
    if not isinstance(array, np.ndarray) or not array.flags.c_contiguous or len(index) != array.ndim:
        raise ValueError('element is (array, index): a C-contiguous array and one number for each of its dimensions')
    number = int(np.ravel_multi_index(index, array.shape))
    if not 1 <= array.itemsize <= 8:
        raise ArgumentError('an element of %d bytes; 1 to 8 can be traced' % array.itemsize)
    prepared = Prepared(kernel, args, **options)
    o = prepared.options
    o.module, o.program, o.memory = None, kernel.module._program, prepared.memory._pointer
    pointer, asked = c.c_void_p(), s.lw_why_options(c.sizeof(s.lw_why_options), limit)
    with prepared.memory as memory:
        made = memory.register(prepared.arrays)
        try:
            call('lw_why_find', c.byref(o), memory.address(array) + number * array.itemsize, array.itemsize, c.byref(asked), c.byref(pointer))
        finally:
            memory.release(made)
    if prepared.failure is not None:
        lib.lw_why_free(pointer)
        raise prepared.failure
    return Why(pointer)
