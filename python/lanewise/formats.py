# SPDX-License-Identifier: MIT
"""Number formats of matrix elements, and the NumPy types that hold them.

An array is accepted for an operand when its type *is* the operand's format, or when it holds the format's codes as unsigned integers
(uint8 for up to 8 bits, uint16, uint32, uint64). Nothing is ever converted. The types of ml_dtypes are recognised by name, so that the
package itself does not need it; results of formats that NumPy lacks have ml_dtypes' type if that is installed, otherwise they are codes.
"""
import sys
from typing import Any, Dict, Optional, Sequence, Tuple

import numpy as np

# Format, as lw_mma_shape names it: the names of NumPy and ml_dtypes types with that format, preferred first.
TYPES: Dict[str, Tuple[str, ...]] = {
    'f64': ('float64',),
    'f32': ('float32',),
    'xf32': ('float32',),
    'tf32': ('float32',),
    'f16': ('float16',),
    'bf16': ('bfloat16',),
    'fp8 e4m3 fnuz': ('float8_e4m3fnuz',),
    'bf8 e5m2 fnuz': ('float8_e5m2fnuz',),
    'fp8 e4m3': ('float8_e4m3fn',),
    'bf8 e5m2': ('float8_e5m2',),
    'fp6 e2m3': ('float6_e2m3fn',),
    'bf6 e3m2': ('float6_e3m2fn',),
    'fp4 e2m1': ('float4_e2m1fn',),
    'e8m0': ('float8_e8m0fnu',),
    'i8': ('int8', 'uint8'),
    'u8': ('uint8', 'int8'),
    'i4': ('int4', 'int8', 'uint4', 'uint8'),
    'u4': ('uint4', 'uint8', 'int4', 'int8'),
    'i16': ('int16', 'uint16'),
    'u16': ('uint16', 'int16'),
    'i32': ('int32', 'uint32'),
    'u32': ('uint32', 'int32'),
    'i64': ('int64', 'uint64'),
    'u64': ('uint64', 'int64'),
}

_CODES: Dict[int, Any] = {1: np.dtype(np.uint8), 2: np.dtype(np.uint16), 4: np.dtype(np.uint32), 8: np.dtype(np.uint64)}


def dtype_of(form: str, size: int) -> np.dtype:
    """The type in which results of a format are returned, whose codes take `size` bytes: NumPy's type, ml_dtypes' if it can be
    imported, else unsigned codes.

    >>> dtype_of('f16', 2)
    dtype('float16')
    """
    kinds = (_named(kind) for kind in TYPES.get(form, ()))
    return next((kind for kind in kinds if kind is not None and kind.itemsize == size), _CODES[size])


def _named(kind: str) -> Optional[np.dtype]:
    if hasattr(np, kind):
        return np.dtype(getattr(np, kind))
    if 'ml_dtypes' not in sys.modules:
        try:
            import ml_dtypes  # noqa: F401 (its types register themselves)
        except ImportError:
            return None
    found = getattr(sys.modules['ml_dtypes'], kind, None)
    return None if found is None else np.dtype(found)


def format_of(dtype: Any) -> str:
    """The format of a NumPy or ml_dtypes type by the first row that names it ('bf16' for bfloat16); '' if there is none."""
    name = np.dtype(dtype).name
    return next((form for form, kinds in TYPES.items() if kinds[0] == name), '')


def codes_type(size: int) -> np.dtype:
    """The unsigned type of `size` bytes: 1, 2, 4 or 8."""
    return _CODES[size]


def takes(form: str, size: int, dtype: np.dtype) -> bool:
    """May an array of this type hold elements of the format, whose codes take `size` bytes?"""
    return dtype.itemsize == size and (dtype.name in TYPES.get(form, ()) or dtype == _CODES[size])


def operand(name: str, array: Any, form: str, size: int, shape: Sequence[int]) -> np.ndarray:
    """An operand as a C-contiguous array of codes. TypeError if its type is wrong, ValueError if its shape is."""
    array = np.asarray(array)
    if not takes(form, size, array.dtype):
        kinds = TYPES.get(form, ())
        raise TypeError('%s has elements of %s, the instruction takes %s: pass %s%s (nothing is converted)' % (
            name, array.dtype.name, form, ''.join('%s, or ' % kind for kind in kinds[:1]), 'codes as %s' % _CODES[size].name))
    if array.shape[len(array.shape) - len(shape):] != tuple(shape) or array.ndim < len(shape):
        raise ValueError('%s has shape %s, the instruction takes %s' % (name, array.shape, tuple(shape)))
    return np.ascontiguousarray(array).view(_CODES[size])
