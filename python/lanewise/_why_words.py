# SPDX-License-Identifier: MIT
"""What `lanewise why --expect` says, for arrays: which elements matrix instructions multiplied, and how that differs from a product,
where C[i,j] is the sum of A[i,k] * B[k,j]. Either array may be stored transposed, and either may be operand A of the instruction."""
import ctypes as c
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy as np

from . import _structs as s
from ._c import lib, text
from ._mma import decode

_OPERANDS = ('A', 'B', 'C', 'D', 'index', 'scale_a', 'scale_b')
_INPUT = 1  # LW_WHY_INPUT
_OTHER = ('rows, columns, k and scales are those of a matrix product: the difference is in the data, in the arithmetic, or in what follows '
          'the product')


@dataclass(frozen=True)
class Element:
    """An element of an operand of a matrix instruction. array: the argument that it was copied from ('' if it was computed, or is no
    argument's), by name or as 'argument 2', or 'buffer 0' of `buffers`; row, column: where in it, all dimensions but the last one counted as rows and the column in
    elements of the operand's format; code: its bits; node: in Why.nodes, where its copies begin."""

    array: str
    row: int
    column: int
    code: int
    node: int


@dataclass(frozen=True)
class Product:
    """A matrix instruction whose D is a term of the element's sum: Why.nodes[node]. The elements of A and B by k, of scales by block, of the
    index by group."""

    node: int
    a: Tuple[Element, ...]
    b: Tuple[Element, ...]
    index: Tuple[Element, ...]
    scale_a: Tuple[Element, ...]
    scale_b: Tuple[Element, ...]


@dataclass(frozen=True)
class Given:
    """An array among the arguments: its name and device address, and what it held before the launch."""

    name: str
    address: int
    array: np.ndarray


# ---- Which elements were multiplied ----

def _format(arch: int, node: Any, operand: int) -> Tuple[str, int]:
    """The format of an operand's elements, and their bits."""
    info = s.lw_operand_info()
    if lib.lw_insn_operand(arch, node.insn, operand, node.mods, c.byref(info), None):
        return '', 0
    return text(info.format), info.element_bits


def _element(pointer: Any, given: List[Given], edge: Any, bits: int) -> Element:
    """The element at which an edge begins."""
    origin = s.lw_why_origin()
    if not lib.lw_why_trace(pointer, edge.to, edge.lsb, edge.bits, c.byref(origin)):
        return Element('', 0, 0, 0, edge.to)
    node = lib.lw_why_node_at(pointer, origin.node)[0]
    found = next((g for g in given if 0 <= node.address - g.address < g.array.nbytes), None)
    if node.kind != _INPUT or not origin.copied or found is None:
        return Element('', 0, 0, 0, origin.node)
    at = 8 * (node.address - found.address) + origin.bit
    row = 8 * found.array.itemsize * (found.array.shape[-1] if found.array.ndim else 1)
    if at % bits or row % bits:
        return Element('', 0, 0, 0, origin.node)
    data = found.array.reshape(-1).view(np.uint8)[at // 8:(at + bits + 7) // 8].tobytes()
    code = int.from_bytes(data, 'little') >> at % 8 & ((1 << bits) - 1)
    return Element(found.name, at // row, at % row // bits, code, origin.node)


def _edges(pointer: Any, number: int) -> List[Any]:
    found: List[Any] = []
    while True:
        edge = lib.lw_why_edge_at(pointer, number, len(found))
        if not edge:
            return found
        found.append(edge[0])


def _product(pointer: Any, arch: int, given: List[Given], number: int) -> Product:
    elements: Dict[int, Dict[int, Element]] = {i: {} for i in range(len(_OPERANDS))}
    node = lib.lw_why_node_at(pointer, number)[0]
    for edge in _edges(pointer, number):
        if edge.operand >= len(_OPERANDS) or _OPERANDS[edge.operand] == 'C' or edge.at:
            continue
        bits = _format(arch, node, edge.operand)[1]
        if bits:
            elements[edge.operand][edge.x if _OPERANDS[edge.operand] == 'B' else edge.y] = _element(pointer, given, edge, bits)
    rows = [tuple(elements[i].get(k, Element('', 0, 0, 0, 0)) for k in range(max(elements[i], default=-1) + 1)) for i in elements]
    return Product(number, rows[0], rows[1], rows[4], rows[5], rows[6])


def products(pointer: Any, arch: int, given: List[Given], is_matrix: List[bool]) -> Tuple[Product, ...]:
    """The matrix instructions whose D reaches node 0 as a term of a sum, in the order in which they ran. Edges lead to higher numbers."""
    term, found = {0}, []
    for number, matrix in enumerate(is_matrix):
        if number not in term:
            continue
        term.update(edge.to for edge in _edges(pointer, number) if not matrix or edge.operand == _OPERANDS.index('C'))
        if matrix:
            found.append(number)
    return tuple(_product(pointer, arch, given, number) for number in reversed(found))


# ---- In words ----

@dataclass
class _Factor:
    """One of the two factors: all its elements, in the order of products and k; whether k goes along a 'row' or a 'column' of the array
    ('': neither); which row or column it is, which one the element needs, and how many lines of that kind C has."""

    side: str
    elements: List[Element]
    array: np.ndarray
    columns: int
    form: str
    bits: int
    goes: str = ''
    used: int = 0
    needed: int = 0
    lines: int = 0
    name: str = field(init=False)

    def __post_init__(self) -> None:
        self.name, first = self.elements[0].array, self.elements[0]
        if all(e.row == first.row for e in self.elements):
            self.goes, self.used = 'row', first.row
        elif all(e.column == first.column for e in self.elements):
            self.goes, self.used = 'column', first.column
        else:
            self.used = first.column

    @property
    def rows(self) -> int:
        return int(self.array.shape[0])

    def k(self, i: int) -> int:
        return self.elements[i].column if self.goes == 'row' else self.elements[i].row

    def fits(self, lines: int, needed: int) -> int:
        return (1 if lines in (self.rows, self.columns) else 0) + (2 if self.goes and self.used == needed else 0)

    def steps_by(self, step: int) -> bool:
        places = [e.row * self.columns + e.column for e in self.elements]
        return all(after - before == step for before, after in zip(places, places[1:]))

    def value(self, code: int) -> float:
        try:
            return float(decode(self.form, code))
        except ValueError:
            return 0.0


def _factor(steps: Tuple[Product, ...], given: List[Given], side: str, form: str, bits: int) -> Optional[_Factor]:
    elements = [e for step in steps for e in getattr(step, side)]
    if not elements or not elements[0].array or any(e.array != elements[0].array for e in elements):
        return None
    array = next(g.array for g in given if g.name == elements[0].array)
    if array.ndim != 2:
        return None
    return _Factor(side, elements, array, array.shape[1] * 8 * array.itemsize // bits, form, bits)


def _other_way(turned: _Factor, other: _Factor, expected: float) -> bool:
    """Whether the expected value results if the square array is transposed."""
    sums = [0.0, 0.0]
    codes = turned.array.reshape(-1).view({1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}[turned.array.itemsize]).reshape(turned.array.shape)
    for i, e in enumerate(other.elements):
        for turn in (0, 1):
            along_row = (turned.goes == 'row') != bool(turn)
            at = (turned.needed, turned.k(i)) if along_row else (turned.k(i), turned.needed)
            sums[turn] += other.value(e.code) * turned.value(int(codes[at]))
    as_is, other_way = sums[0] - expected, sums[1] - expected
    return other_way * other_way < 1e-4 * as_is * as_is


def _transposed(f: _Factor, other: _Factor, plain: bool, expected: Optional[float]) -> str:
    has_rows, has_columns = f.rows == f.lines, f.columns == f.lines
    first = f.elements[0].row * f.columns + f.elements[0].column
    if not f.goes:
        turned = (has_columns and f.steps_by(1) and first == f.needed * f.rows) or (has_rows and f.steps_by(f.rows) and first == f.needed)
    elif f.rows == f.columns and f.used == f.needed:
        turned = plain and expected is not None and f.bits == 8 * f.array.itemsize and _other_way(f, other, expected)
    elif f.rows != f.columns:
        turned = has_columns and not has_rows if f.goes == 'row' else has_rows and not has_columns
    else:
        turned = False
    if not turned:
        return ''
    one = f.elements[1 if len(f.elements) > 1 else 0]
    by_rows = has_rows if not f.goes else f.goes == 'column'
    right = '%d,1' % f.needed if by_rows else '1,%d' % f.needed
    return '%s is read transposed: for k = 1, %s[%d,%d] is used and not %s[%s]' % (f.name, f.name, one.row, one.column, f.name, right)


def _lane(f: _Factor, node: Any) -> str:
    if not f.goes or f.used == f.needed:
        return ''
    return ('wrong lane: %s %d of %s is used where %s %d is needed; element [%d][%d] of D, in lane %d of wave %d, belongs to another place' %
            (f.goes, f.used, f.name, f.goes, f.needed, node.row, node.col, node.lane, node.wave))


def _k_order(left: _Factor, right: _Factor) -> str:
    if len(left.elements) != len(right.elements) or not left.goes or not right.goes:
        return ''
    wrong = [i for i in range(len(left.elements)) if left.k(i) != right.k(i)]
    if not wrong:
        return ''
    return 'wrong k order: k = %d of %s is multiplied by k = %d of %s, in product %d; %d of %d products do not match' % (
        left.k(wrong[0]), left.name, right.k(wrong[0]), right.name, wrong[0] + 1, len(wrong), len(left.elements))


def _run(uses: Counter, ks: int, fits: Callable[[int], bool]) -> Optional[Tuple[int, int]]:
    """The first run of k whose number of uses fits."""
    first = next((k for k in range(ks) if fits(uses[k])), None)
    if first is None:
        return None
    last = first
    while last + 1 < ks and fits(uses[last + 1]):
        last += 1
    return first, last


def _twice(f: _Factor) -> str:
    ks = f.columns if f.goes == 'row' else f.rows
    if not f.goes:
        return ''
    uses = Counter(f.k(i) for i in range(len(f.elements)))
    more, less = _run(uses, ks, lambda n: n > 1), _run(uses, ks, lambda n: n == 0)
    said = []
    if more:
        said.append('a tile is used twice: k = %d to %d' % more)
    if less:
        said.append('k = %d to %d %s never used' % (less + ('is' if less[0] == less[1] else 'are',)))
    return '; '.join(said)


def _scale(f: _Factor, noun: str, steps: Tuple[Product, ...], given: List[Given]) -> Callable[[int], str]:
    """For the number of a step: the first scale in it that is another block's."""
    starts = [sum(len(getattr(step, f.side)) for step in steps[:i]) for i in range(len(steps))]

    def say(number: int) -> str:
        scales = getattr(steps[number], 'scale_' + f.side)
        each = len(getattr(steps[number], f.side)) // len(scales) if scales else 0
        for block, e in enumerate(scales):
            if not each or not e.array or next(g.array for g in given if g.name == e.array).ndim != 2:
                continue
            k = f.k(starts[number] + block * each)
            needed = k // each
            if (e.row, e.column) != (f.needed, needed):
                return 'wrong scale: k = %d to %d of %s %d of %s are scaled by %s[%d,%d], the scale of %s; theirs is %s[%d,%d]' % (
                    k, k + each - 1, noun, f.needed, f.name, e.array, e.row, e.column,
                    'a neighbouring block' if e.row == f.needed else 'another row', e.array, f.needed, needed)
        return ''
    return say


def explain(pointer: Any, arch: int, steps: Tuple[Product, ...], given: List[Given], shape: Tuple[int, ...], number: int,
            expected: Optional[float]) -> str:
    """How element `number` of an array of that shape differs from a product, in words; '' if there is no simple explanation. expected: the
    value that it should have, if it is a float."""
    if not steps or len(shape) != 2:
        return ''
    first, last = (lib.lw_why_node_at(pointer, steps[i].node)[0] for i in (0, -1))
    found = [_factor(steps, given, side, *_format(arch, first, i)) for i, side in enumerate('ab')]
    left, right = found
    if left is None or right is None:
        return ''
    i, j = divmod(number, shape[1])
    if left.fits(shape[0], i) + right.fits(shape[1], j) < left.fits(shape[1], j) + right.fits(shape[0], i):
        left, right = right, left
    left.lines, left.needed, right.lines, right.needed = shape[0], i, shape[1], j
    plain = not steps[0].scale_a and not steps[0].scale_b
    said = (_transposed(left, right, plain, expected) or _transposed(right, left, plain, expected) or _lane(left, last) or
            _lane(right, last) or _k_order(left, right) or _twice(left))
    if said:
        return said
    scales = _scale(left, 'row', steps, given), _scale(right, 'column', steps, given)
    return next((words for step in range(len(steps)) for words in (scales[0](step), scales[1](step)) if words), _OTHER)
