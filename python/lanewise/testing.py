# SPDX-License-Identifier: MIT
"""For tests: assert_same_bits says which simple mistake explains a difference, as `lanewise run --expect` does.

    from lanewise.testing import assert_same_bits

    def test_scale():
        ...
        kernel(y, x, grid=4, block=256)
        assert_same_bits(y, want)
"""
from typing import Any

import numpy as np

from . import formats
from ._mma import decode

_SAMPLES, _EDGES, _FEWEST = 4, (128, 64, 32, 16, 8, 4), 4
_FILLS = ((0, 'zeros'), (0xa5, '0xa5 in every byte'))
_CODES = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


def assert_same_bits(got: Any, want: Any) -> None:
    """Fails with AssertionError unless both arrays have the same type, shape and bits; -0 is not +0, and NaNs are compared by their bits.

    The message has the number of differences, the first ones decoded, the largest distance in ulp if the type has one, and the
    mistake that accounts for all of them, if there is one: see `explain_difference`. Types of ml_dtypes are compared and decoded too.
    """
    __tracebackhide__ = True  # pytest shows the caller's line
    got, want = np.asarray(got), np.asarray(want)
    if got.dtype != want.dtype or got.shape != want.shape:
        raise AssertionError('the result is %s %s, but %s %s is expected' % (got.dtype.name, got.shape, want.dtype.name, want.shape))
    a, b = _codes(got), _codes(want)
    differ = np.flatnonzero(a != b)
    if not len(differ):
        return
    distance = _largest_ulp(got, a, b)
    lines = ['%d of %d elements differ%s' % (len(differ), a.size, '; the largest difference is %d ulp' % distance
                                             if distance is not None and distance >= 0 else '')]
    for flat in differ[:_SAMPLES]:
        index = ','.join(str(i) for i in np.unravel_index(flat, got.shape))
        lines.append('  [%s] is %s, expected %s' % (index, _show(got, a.flat[flat]), _show(want, b.flat[flat])))
    why = explain_difference(got, want)
    if why:
        lines.append('  explained: ' + why)
    raise AssertionError('\n'.join(lines))


def explain_difference(got: Any, want: Any) -> str:
    """Which mistake accounts for every element that differs, bit for bit: transposed; rows, columns, or the lanes of each 32 or 64
    elements in another order; a tile that holds only zeros; all differences one ulp, or only signs of zeros and bits of NaNs. '' if
    none of these does, or nothing differs."""
    got, want = np.asarray(got), np.asarray(want)
    a, b = _codes(got), _codes(want)
    if np.array_equal(a, b):
        return ''
    if a.ndim >= 2 and min(a.shape[-2:]) > 1 and np.array_equal(a.reshape(-1, *_turned(a)), np.swapaxes(_blocks(b), -1, -2)):
        return 'it is the expected array transposed%s' % (', in each block' if a.ndim > 2 else '')
    cols = a.shape[-1] if a.ndim else 1
    rows_a, rows_b = a.reshape(-1, cols), b.reshape(-1, cols)
    kinds = [('row', rows_a, rows_b, ''), ('column', rows_a.T, rows_b.T, '')] if len(rows_a) > 1 else []
    for lanes in (32, 64):
        if a.size % lanes == 0 and a.size > lanes:
            kinds.append(('lane', a.reshape(-1, lanes).T, b.reshape(-1, lanes).T, 'in each %d elements ' % lanes))
    for noun, x, y, where in kinds:
        order = _find_order(x, y)
        if order is not None:
            return '%sthe %ss are in another order: %s' % (where, noun, _describe_order(noun, order))
    return _missing(got, rows_a, rows_b) or _close(got, a, b)


def _codes(array) -> np.ndarray:
    """The bits as unsigned integers; for other sizes, as bytes in a further dimension."""
    array = np.ascontiguousarray(array)
    if array.dtype.itemsize in _CODES:
        return array.view(_CODES[array.dtype.itemsize]).reshape(array.shape)
    return array.view(np.uint8).reshape(array.shape + (array.dtype.itemsize,))


def _turned(a):
    return (a.shape[-1], a.shape[-2])


def _blocks(b):
    return b.reshape(-1, *b.shape[-2:])


def _show(array, code) -> str:
    size = array.dtype.itemsize
    form = formats.format_of(array.dtype)
    if array.dtype.kind in 'iub' or not form:
        return '0x%0*x%s' % (size * 2, int(code), ' (%d)' % int(np.array(code).view(array.dtype)) if array.dtype.kind in 'iub' else '')
    return '0x%0*x (%s)' % (size * 2, int(code), decode(form, int(code)))


# ---- Another order ----

def _find_order(x, y):
    """order[i]: which row of y is at row i of x; rows in their right place stay there. None: it is not a reordering."""
    if len(x) < 2 or not x.shape[1]:
        return None
    moved = np.flatnonzero((x != y).any(axis=1))
    places = {}
    for i in reversed(moved):
        places.setdefault(y[i].tobytes(), []).append(i)
    order = np.arange(len(x))
    for i in moved:
        at = places.get(x[i].tobytes())
        if not at:
            return None
        order[i] = at.pop()
    return order


def _describe_order(noun, order) -> str:
    i, first = np.arange(len(order)), int(order[0])
    if np.array_equal(order, i ^ first):
        return '%s i holds expected %s i ^ %d' % (noun, noun, first)
    if np.array_equal(order, (i + first) % len(order)):
        return '%s i holds expected %s (i + %d) mod %d' % (noun, noun, first, len(order))
    moved = np.flatnonzero(order != i)
    shown = ', '.join('%s %d holds expected %d' % (noun, at, order[at]) for at in moved[:_SAMPLES])
    return shown + (', and %d more' % (len(moved) - _SAMPLES) if len(moved) > _SAMPLES else '')


# ---- A tile is missing ----

def _missing(got, a, b) -> str:
    """a and b are rows and columns of codes."""
    at = np.argwhere(a != b)
    (top, left), (bottom, right) = at.min(axis=0), at.max(axis=0)
    for fill, what in _FILLS:
        empty = a == int.from_bytes(bytes([fill]) * a.dtype.itemsize, 'little')
        if (bottom - top + 1) * (right - left + 1) >= _FEWEST and empty[top:bottom + 1, left:right + 1].all():
            if len(a) == 1:
                return 'elements %d to %d hold only %s' % (left, right, what)
            return 'a tile is missing: rows %d to %d, columns %d to %d hold only %s' % (top, bottom, left, right, what)
        for edge in _EDGES:
            if a.shape[0] % edge or a.shape[1] % edge:
                continue
            differs, holds = _tiles(a != b, edge).any(axis=(1, 3)), _tiles(empty, edge).all(axis=(1, 3))
            if (differs & ~holds).any():
                continue
            row, col = np.argwhere(differs)[0] * edge
            return '%d tiles of %d x %d are missing: they hold only %s; the first begins at row %d, column %d' % (
                differs.sum(), edge, edge, what, row, col)
    return ''


def _tiles(a, edge):
    return a.reshape(a.shape[0] // edge, edge, a.shape[1] // edge, edge)


# ---- Close ----

def _largest_ulp(array, a, b):
    """The largest distance in steps of the type; None if the type has none, -1 where a NaN is compared with a number."""
    kind = array.dtype
    wide = object if kind.itemsize == 8 else np.int64  # the difference of two 64-bit codes does not fit 64 bits
    x, y = a[a != b], b[a != b]
    if kind.kind in 'iu' and kind.itemsize in _CODES:
        return int(abs(x.view(kind).astype(wide) - y.view(kind).astype(wide)).max())
    if kind.name not in ('float16', 'float32', 'float64', 'bfloat16'):
        return None
    sign = 1 << (kind.itemsize * 8 - 1)
    nans = np.isnan(x.view(kind)), np.isnan(y.view(kind))
    if (nans[0] != nans[1]).any():
        return -1
    codes = (side[~nans[0]].astype(wide) for side in (x, y))
    places = [np.where(side >= sign, sign - (side & (sign - 1)), sign + side) for side in codes]
    return int(abs(places[0] - places[1]).max(initial=0))


def _close(array, a, b) -> str:
    largest = _largest_ulp(array, a, b) if array.dtype.kind not in 'iub' else None
    if largest == 1:
        return 'every difference is one ulp; another rounding, or another order of k, can be the cause'
    return 'every difference is the sign of a zero, or the bits of a NaN' if largest == 0 else ''
