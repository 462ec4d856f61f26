# SPDX-License-Identifier: MIT
"""Which elements matrix instructions multiplied, and how that differs from a product: lanewise/why_product.h."""
import ctypes as c
from dataclasses import dataclass
from typing import Any, List, Optional, Tuple

import numpy as np

from . import _structs as s
from ._c import check, lib, text

_A, _B, _INDEX, _SCALE_A, _SCALE_B = 0, 1, 4, 5, 6  # lw_operand


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


def _array(given: Given) -> Any:
    a = given.array
    columns = a.shape[-1] if a.ndim else 1
    return s.lw_why_array(given.name.encode(), given.address, a.size // columns if columns else 0, columns, a.ndim, a.itemsize, a.ctypes.data)


def _elements(product: Any, operand: int, given: List[Given]) -> Tuple[Element, ...]:
    rows = (product.element[operand][i] for i in range(product.count[operand]))
    return tuple(Element(given[e.array].name if e.known else '', e.row, e.column, e.code, e.node) for e in rows)


def _product(product: Any, given: List[Given]) -> Product:
    a, b, index, scale_a, scale_b = (_elements(product, operand, given) for operand in (_A, _B, _INDEX, _SCALE_A, _SCALE_B))
    return Product(product.node, a, b, index, scale_a, scale_b)


def products(why: Any, given: List[Given], target: Optional[Tuple[int, int, int, int]] = None,
             expected: Optional[float] = None) -> Tuple[Tuple[Product, ...], str]:
    """The products of which the element asked about is a sum; and how that sum differs from the product that belongs at target (rows and
    columns of the result, row and column in it), in words."""
    given = [g for g in given if g.array.itemsize in (1, 2, 4, 8) and g.array.size]
    rows, found, said = (s.lw_why_array * len(given))(*map(_array, given)), c.c_void_p(), c.create_string_buffer(1024)
    check(lib.lw_why_find_products(why, rows, len(given), c.byref(found)))
    try:
        if target:
            value = None if expected is None else c.byref(c.c_double(expected))
            check(lib.lw_why_explain(found, c.byref(s.lw_why_target(*target)), value, said, len(said)))
        number = lib.lw_why_products_count(found)
        return tuple(_product(lib.lw_why_products_at(found, i)[0], given) for i in range(number)), text(said.value)
    finally:
        lib.lw_why_products_free(found)
