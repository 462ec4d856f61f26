# SPDX-License-Identifier: MIT
"""Where the elements of an operand are: lane, register and bits."""
import ctypes as c
from dataclasses import dataclass
from typing import Any, List, Optional, Tuple, Union

import numpy as np

from . import _structs as s
from ._c import call, check, collect, lib, text
from ._insn import Arch, Instruction, _arch_at, arch as _arch, instruction

_VERDICTS = ('equal', 'k renamed', 'reordered', 'transposed', 'copies', 'different')


@dataclass(frozen=True)
class Judgement:
    """The result of comparing a notation with the layout. It is true if the two are equal.

    verdict   'equal', 'k renamed' (harmless if A and B share it), 'reordered' (each lane holds its elements, in another order),
              'transposed', 'copies' (some are missing or surplus), 'different'
    notation  how the text was read: 'lane arithmetic', 'CuTe', 'Triton', ...
    places    places of the instruction; `wrong` of them differ
    k_of      for 'k renamed': maps the instruction's k to yours
    text      the verdict in sentences, with the first wrong places
    picture   the operand, with X as rows and Y as columns: '.' is right, 'X' is wrong
    """

    verdict: str
    notation: str
    places: int
    wrong: int
    k_of: Tuple[int, ...]
    text: str
    picture: str

    def __bool__(self) -> bool:
        return self.verdict == 'equal'

    def __str__(self) -> str:
        return self.text


class Layout:
    """The layout of one operand. Made by `layout`. Elements are (block, x, y): for A, x is the row i and y is k; for B, x is k and
    y is the column j; for C and D, row and column. For index and scales, see include/lanewise/layout.h.

    format, width      of the elements; width in bits
    x_name, y_name     'i', 'j', 'k', 'stored k', 'group', 'k block'
    shape              (blocks, extent of x, extent of y)
    wave, registers    lanes, and 32-bit registers per lane (of tensor memory: columns)
    evidence, note     the label of the layout, and where it comes from
    open               what sources leave open about it, or ''
    """

    # A row of `moves`.
    MOVE = np.dtype([(name, np.uint16) for name in ('lane', 'value', 'from_lane', 'from_value')])
    # A row of `entries`.
    ENTRY = np.dtype([(name, np.uint16) for name in ('lane', 'reg', 'lsb', 'msb', 'block', 'x', 'y')])

    insn: Instruction
    operand: str
    format: str
    x_name: str
    y_name: str
    shape: Tuple[int, int, int]
    width: int
    wave: int
    registers: int
    evidence: str
    note: str
    open: str

    def __init__(self, insn: Instruction, operand: str = 'D', wave: int = 0, index: Optional[np.ndarray] = None) -> None:
        self.insn = insn
        self._pointer: Any = c.c_void_p()
        of, mods = insn.arch.number, c.byref(insn._mods)
        number = c.c_int()
        if lib.lw_operand_find(operand.encode(), c.byref(number)):
            raise ValueError('%r is not an operand; the operands are A, B, C, D, index, scale_a, scale_b' % operand)
        if index is None:
            call('lw_layout_create', of, insn._handle, number.value, wave or insn._mods.wave, mods, c.byref(self._pointer))
        else:
            if operand.upper() != 'A':
                raise ValueError('index applies to operand A of a sparse instruction, not to %s' % operand)
            codes = np.ascontiguousarray(index, np.uint8)
            call('lw_layout_create_indexed', of, insn._handle, wave or insn._mods.wave, mods, codes.ctypes.data, codes.size,
                 c.byref(self._pointer))
        info = s.lw_layout_info(struct_size=c.sizeof(s.lw_layout_info))
        check(lib.lw_layout_fill_info(self._pointer, c.byref(info)))
        self.operand = _name(info.operand)
        self.format, self.x_name, self.y_name = text(info.format), text(info.x_name), text(info.y_name)
        self.shape = (info.blocks, info.x_count, info.y_count)
        self.width, self.wave, self.registers = info.width, info.wave, info.registers or info.columns
        self.evidence, self.note, self.open = text(lib.lw_label_name(info.evidence)), text(info.note), text(info.open)

    def __del__(self) -> None:
        if getattr(self, '_pointer', None):
            lib.lw_layout_free(self._pointer)
            self._pointer = None

    # ---- Places ----

    def _entries(self, function: Any, *where: int) -> np.ndarray:
        count = c.c_size_t()
        check(function(self._pointer, *where, None, 0, c.byref(count)))
        found = np.empty(count.value, self.ENTRY)
        check(function(self._pointer, *where, found.ctypes.data, len(found), c.byref(count)))
        return found

    @property
    def entries(self) -> np.ndarray:
        """All elements in all places: an array of `ENTRY` (lane, reg, lsb, msb, block, x, y), sorted by reg, lsb, lane. A copied
        element has a row for each copy."""
        return self._entries(lib.lw_layout_entries)

    def places(self, x: int, y: int, block: int = 0) -> np.ndarray:
        """Where is element (block, x, y)? Rows of `ENTRY`, one for each copy. ArgumentError outside the operand."""
        return self._entries(lib.lw_layout_places, block, x, y)

    def elements(self, lane: int, register: int) -> np.ndarray:
        """What is in a lane's register? Rows of `ENTRY`. ArgumentError outside the operand."""
        return self._entries(lib.lw_layout_elements, lane, register)

    def _array(self, member: str) -> np.ndarray:
        rows = self.entries[::-1]  # if there are several copies, the first row is written last
        found = np.full(self.shape, -1, np.int32)
        found[rows['block'], rows['x'], rows['y']] = rows[member]
        return found

    @property
    def lane(self) -> np.ndarray:
        """int32 of `shape`: the lane of each element's first copy; -1 if an element has no place (a k that is not stored)."""
        return self._array('lane')

    @property
    def register(self) -> np.ndarray:
        """int32 of `shape`: the register of each element, counted from the operand's first one; like `lane`."""
        return self._array('reg')

    @property
    def bit(self) -> np.ndarray:
        """int32 of `shape`: the lowest bit of each element in its register; like `lane`."""
        return self._array('lsb')

    def gather(self, registers: np.ndarray) -> np.ndarray:
        """Extracts the codes of all elements from register images: uint32 of shape (registers, wave) to uint64 of `shape`."""
        image = np.ascontiguousarray(registers, np.uint32)
        if image.shape != (self.registers, self.wave):
            raise ValueError('registers has shape %s, the operand has %s' % (image.shape, (self.registers, self.wave)))
        rows, found = self.entries, np.zeros(self.shape, np.uint64)
        padded = np.vstack([image, np.zeros((1, self.wave), np.uint32)]).astype(np.uint64)
        low, high = padded[rows['reg'], rows['lane']], padded[rows['reg'] + 1, rows['lane']]
        shift = rows['lsb'].astype(np.uint64)
        mask = np.uint64((1 << self.width) - 1)
        found[rows['block'], rows['x'], rows['y']] = ((low | high << np.uint64(32)) >> shift) & mask
        return found

    def moves(self, to: 'Layout', x: int = 0, y: int = 0) -> np.ndarray:
        """How the elements of this operand (D of one instruction) become those of `to` (A, B or C of the next), whose first element is element
        (x, y) of this one: MOVE rows, one for each place of `to`. A row whose `lane` is its `from_lane` needs no exchange between lanes.
        UnsupportedError for several blocks, index data and waves of different sizes; ArgumentError if `to` does not fit."""
        count = c.c_size_t()
        call('lw_layout_moves', self._pointer, to._pointer, x, y, None, 0, c.byref(count))
        rows = np.empty(count.value, self.MOVE)
        call('lw_layout_moves', self._pointer, to._pointer, x, y, rows.ctypes.data, len(rows), c.byref(count))
        return rows

    # ---- Notations and pictures ----

    def write(self, notation: str = 'grid') -> str:
        """The layout as text: 'listing', 'csv', 'json', 'grid', 'svg', 'table', 'formula', 'cute', 'triton', 'gluon', 'iree', 'tirx',
        'ck', 'calculator', 'latex'. UnsupportedError, with the reason, if a notation cannot express it."""
        number = c.c_int()
        if lib.lw_layout_format_find(notation.encode(), c.byref(number)):
            raise ValueError('%r is not a notation; help(lanewise.Layout.write) lists them' % notation)
        return collect(lambda to: call('lw_layout_print', self._pointer, number.value, None, to, None))

    def check(self, said: str) -> Judgement:
        """Does this notation describe the layout? Reads everything that `write` writes, and more: lane arithmetic
        ('i = l%16, k = 4*(l/16)+v'), CuTe, Triton and Gluon, IREE, TIRx, Composable Kernel, listings, AMD's calculator.
        FormatError, with line and column, for text that cannot be read."""
        given = said.encode()
        found = s.lw_layout_judgement(struct_size=c.sizeof(s.lw_layout_judgement))
        call('lw_layout_fill_judgement', self._pointer, given, len(given), c.byref(found))
        picture = collect(lambda to: call('lw_layout_print_wrong', self._pointer, given, len(given), to, None))
        return Judgement(_VERDICTS[found.verdict] if found.verdict < len(_VERDICTS) else str(found.verdict),
                         text(lib.lw_notation_name(found.notation)), found.places, found.wrong,
                         tuple(found.k_of[:found.ks]), text(found.text), picture)

    def _repr_svg_(self) -> str:
        """The picture that notebooks show."""
        return self.write('svg')

    def __str__(self) -> str:
        return self.write('grid')

    def __reduce__(self) -> Tuple[Any, ...]:
        return _again, (self.insn, self.operand, self.wave)

    def __repr__(self) -> str:
        return '<layout of %s of %s on %s, %s lanes, %s registers>' % (self.operand, self.insn.spelling, self.insn.arch.name, self.wave,
                                                                     self.registers)


def _name(operand: int) -> str:
    return text(lib.lw_operand_name(operand))


def _again(insn: Instruction, operand: str, wave: int) -> Layout:
    return Layout(insn, operand, wave)


def layout(insn: Union[str, Instruction], arch: Union[str, Arch, None] = None, operand: str = 'D', mods: str = '', wave: int = 0,
           index: Optional[np.ndarray] = None) -> Layout:
    """Where the elements of an operand are.

    insn, arch, mods  as `lanewise.instruction` takes them
    operand           'A', 'B', 'C', 'D', 'index', 'scale_a', 'scale_b'
    wave              lanes, 32 or 64; 0: the usual number
    index             sparse A: uint8 of the index operand's elements, row by row; y is then k of the dense matrix

    >>> layout('v_mfma_f32_16x16x16_f16', 'gfx942', 'A').lane[0, 5]
    array([ 5,  5,  5,  5, 21, 21, 21, 21, 37, 37, 37, 37, 53, 53, 53, 53], dtype=int32)
    """
    return Layout(instruction(insn, arch, mods), operand, wave, index)


def probe(insn: Union[str, Instruction], arch: Union[str, Arch, None] = None, mods: str = '', wave: int = 0) -> str:
    """The source of a HIP or CUDA program that finds the layouts of all operands on a GPU and compares them."""
    of = instruction(insn, arch, mods)
    return collect(lambda to: call('lw_layout_probe', of.arch.number, of._handle, wave or of._mods.wave, c.byref(of._mods), to, None))


@dataclass(frozen=True)
class Guess:
    """An operand that has the layout of a text: of which instruction, in waves of how many lanes, and how it fits: a verdict of Judgement."""

    insn: Instruction
    operand: str
    wave: int
    verdict: str


def guess(said: str, arch: Union[str, Arch, None] = None) -> List[Guess]:
    """Which operands have this layout? Takes every notation that Layout.check reads. Instructions are those without modifiers, those that fit best
    first, in the order of architectures.

    arch   None: of all architectures

    FormatError, with line and column, for text that cannot be read. An empty list if no operand fits.

    >>> [(g.insn.name, g.operand) for g in guess('i = l%16, k = 4*(l/16)+v', 'gfx942')][:2]
    [('v_mfma_f32_16x16x16_bf16', 'A'), ('v_mfma_f32_16x16x16_f16', 'A')]
    """
    text_, number, count = said.encode(), 0 if arch is None else _arch(arch).number, c.c_size_t()
    call('lw_layout_guesses', text_, len(text_), number, None, 0, c.byref(count))
    rows = (s.lw_layout_guess * max(count.value, 1))()
    call('lw_layout_guesses', text_, len(text_), number, rows, count.value, c.byref(count))
    return [Guess(Instruction(_arch_at(r.arch), r.insn, s.lw_mods()), _name(r.operand), r.wave, _VERDICTS[r.verdict])
            for r in sorted(rows[:count.value], key=lambda row: int(row.verdict))]
