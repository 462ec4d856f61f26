# SPDX-License-Identifier: MIT
"""Layouts without an instruction: from one notation to another, CuTe's algebra, Triton's attributes (lanewise/convert.h)."""
import ctypes as c
from typing import Sequence

from . import _structs as s
from ._c import call, collect, lib


def _format(notation: str) -> int:
    number = c.c_int()
    if lib.lw_layout_format_find(notation.encode(), c.byref(number)):
        raise ValueError('%r is not a notation; help(lanewise.convert) lists them' % notation)
    return number.value


def _extents(shape: Sequence[int], most: int) -> 'c.Array[c.c_uint32]':
    if not 1 <= len(shape) <= most or not all(0 < int(n) < 1 << 32 for n in shape):
        raise ValueError('shape has one to %d numbers from 1 on, not %r' % (most, tuple(shape)))
    return (c.c_uint32 * len(shape))(*(int(n) for n in shape))


def convert(said: str, to: str, shape: Sequence[int], operand: str = 'D', lanes: int = 64) -> str:
    """A layout in another notation.

    said      a layout in any notation that Layout.check reads
    to        'formula', 'cute', 'triton', 'gluon', 'iree', 'tirx', 'ck', 'listing', 'grid' or 'svg'
    shape     its elements, (x, y). A Triton attribute (#ttg.., with aliases before it) that becomes 'triton' or 'gluon' has the shape of
              its tensor, one to three numbers: the linear layout that it means, with its warps
    operand   names the coordinates: 'A' has i and k, 'B' k and j, 'C' and 'D' i and j; it decides how CuTe numbers elements
    lanes     of the wave, 32 or 64, for notations that do not say it (lane arithmetic, IREE's)

    FormatError, with line and column, for text that cannot be read; UnsupportedError if the notation cannot express the layout. As
    `lanewise layout --convert`.

    >>> convert('((16,4),4):((1,64),16)', 'formula', (16, 16), 'A').strip()
    'i = l%16, k = 4*(l/16)+v'
    """
    given, format = said.encode(), _format(to)
    if said.lstrip().startswith('#') and to in ('triton', 'gluon'):
        extents = _extents(shape, 3)
        return collect(lambda sink: call('lw_triton_linear', given, len(given), extents, len(extents), format, sink, None))
    if lanes not in (32, 64):
        raise ValueError('lanes is 32 or 64, not %r' % (lanes,))
    if len(shape) != 2:
        raise ValueError('shape is (x, y), not %r' % (tuple(shape),))
    number, extents, relation = c.c_int(), _extents(shape, 2), s.lw_relation()
    if operand not in ('A', 'B', 'C', 'D') or lib.lw_operand_find(operand.encode(), c.byref(number)):
        raise ValueError("operand is 'A', 'B', 'C' or 'D', not %r" % (operand,))
    call('lw_notation_read', given, len(given), number.value, extents[0], extents[1], lanes, c.byref(relation), None)
    return collect(lambda sink: call('lw_notation_print', c.byref(relation), number.value, format, sink, None))


def cute(expression: str) -> str:
    """The layout that an expression of CuTe's layout algebra results in: layouts, and coalesce(A), compose(A, B), complement(A, n), divide(A, B)
    (logical_divide), inverse(A) (right_inverse). FormatError, with the place. As `lanewise layout --algebra`.

    >>> cute('compose((4,8):(8,1), 16:2)')
    '(2,8):(16,1)'
    """
    given = expression.encode()
    return collect(lambda sink: call('lw_cute_evaluate', given, len(given), sink, None)).rstrip('\n')
