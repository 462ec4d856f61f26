# SPDX-License-Identifier: MIT
"""One matrix instruction on arrays: D = A * B + C, bit for bit."""
import ctypes as c
from dataclasses import dataclass
from typing import Any, Dict, Iterable, Optional, Tuple, Union

import numpy as np

from . import _structs as s
from . import formats
from ._c import call, check, fail, lib, names, text
from ._insn import Arch, Evidence, Instruction, Reading, _reading, instruction

_MODES = {'fp16_ovfl': 1, 'f32_flush_in': 2, 'f32_flush_out': 4}
_KINDS = ('input', 'scale', 'product', 'align', 'sum', 'round', 'special', 'result', 'head')


@dataclass(frozen=True)
class MmaResult:
    """D, and how sure its bits are.

    d          the result
    evidence   label and source of each aspect that these numbers touched
    weakest    the weakest of those labels
    open       for open questions on which this D depends (another answer would change its bits): the readings used
    """

    d: np.ndarray
    evidence: Tuple[Evidence, ...]
    weakest: str
    open: Tuple[Reading, ...]


@dataclass(frozen=True)
class Step:
    """One line of an explanation. kind: 'input', 'scale', 'product', 'align', 'sum', 'round', 'special', 'result', 'head'; `bits` and
    `k` as in lw_mma_explain_row."""

    kind: str
    group: int
    k: int
    stored_k: int
    bits: int
    text: str


class Explanation(Tuple[Step, ...]):
    """The steps by which an element of D is computed. str() is their text."""

    def __str__(self) -> str:
        return '\n'.join(step.text for step in self)


class Mma:
    """A prepared instruction. Made by `mma`; calling it computes D. Several threads may call it at once.

    m, n, k, blocks       as in the instruction
    a_shape, b_shape, c_shape, index_shape, scale_a_shape, scale_b_shape
                          shapes of the arrays; with a leading dimension for the blocks if there are several; None if the
                          instruction has no such operand
    a_format, b_format, c_format, d_format
                          'f16', 'fp8 e4m3', ...: see lanewise.formats
    evidence              an Evidence for each aspect of the results
    recipe, rule          a description of what is computed
    """

    insn: Instruction
    m: int
    n: int
    k: int
    blocks: int
    wave: int
    a_shape: Tuple[int, ...]
    b_shape: Tuple[int, ...]
    c_shape: Tuple[int, ...]
    index_shape: Optional[Tuple[int, int]]
    scale_a_shape: Optional[Tuple[int, int]]
    scale_b_shape: Optional[Tuple[int, int]]
    a_format: str
    b_format: str
    c_format: str
    d_format: str

    def __init__(self, insn: Instruction, wave: int = 0, readings: Union[str, Iterable[str]] = (), reference: bool = False) -> None:
        self.insn = insn
        self._pointer: Any = c.c_void_p()
        given = names(readings)
        self._again = (insn, wave, tuple([readings] if isinstance(readings, str) else readings), reference)
        options = s.lw_mma_options(struct_size=c.sizeof(s.lw_mma_options), mods=c.pointer(insn._mods), wave=wave or insn._mods.wave,
                                   readings=given, reading_count=len(given or ()), reference_only=reference)
        call('lw_mma_create', insn.arch.number, insn._handle, c.byref(options), c.byref(self._pointer))
        shape = s.lw_mma_shape(struct_size=c.sizeof(s.lw_mma_shape))
        check(lib.lw_mma_fill_shape(self._pointer, c.byref(shape)))
        self.m, self.n, self.k, self.blocks, self.wave = shape.m, shape.n, shape.k, shape.blocks, shape.wave
        lead = (shape.blocks,) if shape.blocks > 1 else ()
        self.a_shape, self.b_shape, self.c_shape = lead + (shape.m, shape.a_k), lead + (shape.k, shape.n), lead + (shape.m, shape.n)
        self.index_shape = (shape.m, shape.groups) if shape.groups else None
        self.scale_a_shape = (shape.m, shape.scale_k) if shape.scale_k else None
        self.scale_b_shape = (shape.n, shape.scale_k) if shape.scale_k else None
        self._bytes = {name: getattr(shape, name + '_bytes') for name in 'abcd'}
        for name in 'abcd':
            setattr(self, name + '_format', text(getattr(shape, name + '_format')))

    def __del__(self) -> None:
        if getattr(self, '_pointer', None):
            lib.lw_mma_free(self._pointer)
            self._pointer = None

    def __reduce__(self) -> Tuple[Any, ...]:
        return Mma, self._again

    def __repr__(self) -> str:
        return '<mma %s: A %s %s, B %s %s, D %s %s>' % (self.insn, self.a_format, self.a_shape, self.b_format, self.b_shape, self.d_format,
                                                      self.c_shape)

    # ---- What is known ----

    def _evidence(self, aspects: int) -> Tuple[Evidence, ...]:
        found, number = [], 0
        while lib.lw_mma_aspect_name(number):
            if aspects >> number & 1:
                one = s.lw_mma_evidence()
                check(lib.lw_mma_get_evidence(self._pointer, number, c.byref(one)))
                found.append(Evidence(text(lib.lw_mma_aspect_name(number)), text(lib.lw_label_name(one.label)), text(one.source)))
            number += 1
        return tuple(found)

    @property
    def evidence(self) -> Tuple[Evidence, ...]:
        return self._evidence(-1)

    def _rule(self) -> Any:
        rule = s.lw_mma_rule()
        check(lib.lw_mma_get_rule(self._pointer, c.byref(rule)))
        return rule

    @property
    def recipe(self) -> str:
        return text(self._rule().recipe)

    @property
    def rule(self) -> str:
        return text(self._rule().text)

    # ---- Computing ----

    def _operands(self, a, b, c_, index, scale_a, scale_b, mode):
        """The arrays as codes, by member of lw_mma_matrices, and the bits of MODE. If C is a number, its code is used for all elements."""
        arrays = {'a': formats.operand('a', a, self.a_format, self._bytes['a'], self.a_shape),
                  'b': formats.operand('b', b, self.b_format, self._bytes['b'], self.b_shape)}
        if c_ is not None:
            arrays['c'] = formats.operand('c', c_, self.c_format, self._bytes['c'], self.c_shape)
        for name, given, shape in (('index', index, self.index_shape), ('scale_a', scale_a, self.scale_a_shape),
                                   ('scale_b', scale_b, self.scale_b_shape)):
            if given is None:
                continue
            if shape is None:
                raise ValueError('%s has no %s' % (self.insn.spelling, name))
            given = np.asarray(given)
            arrays[name] = formats.operand(name, given.view(np.uint8) if given.dtype.itemsize == 1 else given, 'codes', 1, shape)
        if self.index_shape and index is None:
            raise ValueError('%s is sparse: pass index, uint8 of shape %s' % (self.insn.spelling, self.index_shape))
        bits = 0
        for name in [mode] if isinstance(mode, str) else mode:
            if name not in _MODES:
                raise ValueError('%r is not a bit of MODE; the bits are %s' % (name, ', '.join(_MODES)))
            bits |= _MODES[name]
        return arrays, bits

    def _lead(self, arrays) -> Tuple[int, ...]:
        """The leading dimensions that all operands share besides the instruction's own."""
        shapes: Dict[str, Any] = {'a': self.a_shape, 'b': self.b_shape, 'c': self.c_shape, 'index': self.index_shape, 'scale_a': self.scale_a_shape,
                                  'scale_b': self.scale_b_shape}
        return np.broadcast_shapes(*(array.shape[:array.ndim - len(shapes[name])] for name, array in arrays.items()))

    def _each(self, arrays, bits, d):
        """A lw_mma_matrices for each matrix of the leading dimensions, C order."""
        lead = self._lead(arrays)
        own = {name: array.shape[array.ndim - (2 if name not in 'abc' else len(self.c_shape)):] for name, array in arrays.items()}
        spread = {name: np.broadcast_to(array, lead + own[name]) for name, array in arrays.items()}
        for at in np.ndindex(*lead):
            here = {name: array[at].ctypes.data for name, array in spread.items()}
            yield s.lw_mma_matrices(d=d[at].ctypes.data if d is not None else None, mode=bits, **here)

    def _execute(self, arrays, bits, wants_open):
        d = np.empty(self._lead(arrays) + self.c_shape, formats.codes_type(self._bytes['d']))
        touched, here, opened = 0, c.c_uint32(), 0
        for mat in self._each(arrays, bits, d):
            status = lib.lw_mma_execute_matrices(self._pointer, c.byref(mat), c.byref(here) if wants_open else None)
            if status:
                error = s.lw_error()
                lib.lw_mma_check_matrices(self._pointer, c.byref(mat), c.byref(error))
                fail(status, error)
            touched |= here.value
            if wants_open:
                check(lib.lw_mma_open_matrices(self._pointer, c.byref(mat), c.byref(here)))
                opened |= here.value
        return d.view(formats.dtype_of(self.d_format, self._bytes['d'])), touched, opened

    def __call__(self, a: np.ndarray, b: np.ndarray, c: Optional[np.ndarray] = None, *, index: Optional[np.ndarray] = None,
                 scale_a: Optional[np.ndarray] = None, scale_b: Optional[np.ndarray] = None,
                 mode: Union[str, Iterable[str]] = ()) -> np.ndarray:
        """D = A * B + C.

        a, b, c   arrays of a_shape, b_shape, c_shape, of the operand's type or of its codes as unsigned integers (lanewise.formats);
                  leading dimensions, broadcast among the operands, give several products. c None: zeros
        index     sparse A: uint8 of index_shape, four bits for each group of k
        scale_a, scale_b
                  scaled forms: float8_e8m0fnu or uint8 codes of scale_a_shape, scale_b_shape; None: 1.0 everywhere
        mode      bits of the wave's MODE: 'fp16_ovfl', 'f32_flush_in', 'f32_flush_out'

        Returns an array of c_shape and of D's type. TypeError and ValueError for arrays that do not fit, UnsupportedError for undefined
        sparse indices.
        """
        arrays, bits = self._operands(a, b, c, index, scale_a, scale_b, mode)
        return self._execute(arrays, bits, False)[0]

    def run(self, a: np.ndarray, b: np.ndarray, c: Optional[np.ndarray] = None, *, index: Optional[np.ndarray] = None,
            scale_a: Optional[np.ndarray] = None, scale_b: Optional[np.ndarray] = None,
            mode: Union[str, Iterable[str]] = ()) -> MmaResult:
        """Like a call, but also says how sure the bits are: see MmaResult."""
        arrays, bits = self._operands(a, b, c, index, scale_a, scale_b, mode)
        d, touched, opened = self._execute(arrays, bits, True)
        questions, number = [], 0
        while lib.lw_mma_open_at(self._pointer, opened, number):
            questions.append(_reading(lib.lw_mma_open_at(self._pointer, opened, number)[0]))
            number += 1
        weakest = text(lib.lw_label_name(lib.lw_mma_weakest(self._pointer, touched)))
        return MmaResult(d, self._evidence(touched | 1), weakest, tuple(questions))

    def explain(self, a: np.ndarray, b: np.ndarray, c: Optional[np.ndarray] = None, *, row: int, col: int, block: int = 0,
                index: Optional[np.ndarray] = None, scale_a: Optional[np.ndarray] = None, scale_b: Optional[np.ndarray] = None,
                mode: Union[str, Iterable[str]] = ()) -> Explanation:
        """How element (block, row, col) of D is computed, step by step: products, alignment, sums, rounding. Arguments as in a call,
        without leading dimensions. ArgumentError for an element outside D."""
        arrays, bits = self._operands(a, b, c, index, scale_a, scale_b, mode)
        if self._lead(arrays):
            raise ValueError('explain takes one product: arrays without leading dimensions')
        steps = []

        def take(_, row_):
            r = row_[0]
            steps.append(Step(_KINDS[r.kind], r.group, r.k, r.stored_k, r.bits, text(r.text)))
            return 0
        keep = s.lw_mma_explain_fn(take)
        for mat in self._each(arrays, bits, None):
            check(lib.lw_mma_explain_matrices(self._pointer, _byref(mat), block, row, col, keep, None))
        return Explanation(steps)


def _byref(mat):
    return c.byref(mat)


def mma(insn: Union[str, Instruction], arch: Union[str, Arch, None] = None, mods: str = '', *, wave: int = 0,
        readings: Union[str, Reading, Iterable[Union[str, Reading]]] = (), reference: bool = False) -> Mma:
    """Prepares one matrix instruction to be computed on arrays.

    insn, arch, mods  as `lanewise.instruction` takes them
    wave              lanes, if an instruction has both sizes; 0: the usual one
    readings          'topic:name' strings or Readings: answers to questions that sources leave open
    reference         never use the vectorised code; the bits are the same

    >>> op = mma('v_mfma_f32_16x16x16_f16', 'gfx942')
    >>> op(np.ones((16, 16), np.float16), np.ones((16, 16), np.float16))[0, 0]
    np.float32(16.0)
    """
    return Mma(instruction(insn, arch, mods), wave, [str(r) for r in ([readings] if isinstance(readings, (str, Reading)) else readings)],
               reference)


def decode(form: str, code: int) -> str:
    """The value of an element's code as text, exact: decode('fp4 e2m1', 5) is '3'. NotFoundError for an unknown format."""
    room = c.create_string_buffer(128)
    check(lib.lw_mma_decode(form.encode(), code, room, len(room)))
    return text(room.value)
