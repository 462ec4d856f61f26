# SPDX-License-Identifier: MIT
"""Architectures, their matrix instructions, how sure each rule is, and the readings of open questions."""
import ctypes as c
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Tuple, Union

from . import _structs as s
from ._c import call, check, lib, text

if TYPE_CHECKING:
    from ._layout import Layout
    from ._mma import Mma

_OPERANDS = ('A', 'B', 'C', 'D', 'index', 'scale_a', 'scale_b')


# ---- Architectures ----

@dataclass(frozen=True)
class Arch:
    """A GPU architecture. `name` is what other functions take; `number` is its lw_arch."""

    name: str
    marketing: str
    vendor: str
    has_matrix: bool
    runs_kernels: bool
    reads_code: bool
    number: int


def _arch_at(number: int) -> Arch:
    info = lib.lw_arch_get(number)[0]
    return Arch(text(info.name), text(info.marketing), text(info.vendor), info.has_matrix, info.runs_kernels, info.reads_code, number)


def arch(name: Union[str, Arch]) -> Arch:
    """The architecture of a target or product: 'gfx942', 'gfx940' (a sibling), 'sm_90', 'MI300X', 'RTX 5090'.

    NotFoundError for other names. An Arch is returned unchanged.
    """
    if isinstance(name, Arch):
        return name
    found = c.c_int()
    product = lib.lw_arch_product(name.encode())
    status = lib.lw_arch_find(product or name.encode(), c.byref(found))
    if status:
        check(status, s.lw_error(('%s is no architecture or product that Lanewise knows; lanewise.archs() lists them' % name).encode()))
    return _arch_at(found.value)


def archs() -> List[Arch]:
    """All architectures, AMD's first."""
    listed, number = [], 1
    while lib.lw_arch_get(number):
        listed.append(_arch_at(number))
        number += 1
    return listed


# ---- Evidence ----

@dataclass(frozen=True)
class Evidence:
    """How sure one aspect of an instruction is: `label` is one of exact, recorded, measured, vendor, inferred, unknown (strongest
    first), `source` names who measured it, or the document."""

    aspect: str
    label: str
    source: str


@dataclass(frozen=True)
class Reading:
    """One possible answer to a question that sources leave open. Functions take it as `str(reading)`: 'topic:name'."""

    topic: str
    name: str
    is_default: bool
    label: str
    text: str
    applies: str

    def __str__(self) -> str:
        return '%s:%s' % (self.topic, self.name)


def _reading(r: Any) -> Reading:
    return Reading(text(r.topic), text(r.name), r.is_default, text(lib.lw_label_name(r.label)), text(r.text), text(r.applies))


def _all_readings() -> Iterator[Any]:
    index = 0
    while lib.lw_reading_at(index):
        yield lib.lw_reading_at(index)
        index += 1


def readings() -> List[Reading]:
    """All readings, for arithmetic, modifiers and kernels; the default of each topic first."""
    return [_reading(r[0]) for r in _all_readings()]


# ---- Instructions ----

@dataclass(frozen=True)
class Operand:
    """The elements of an operand, and how many 32-bit registers per lane (columns of tensor memory) hold them."""

    format: str
    bits: int
    registers: int
    files: str
    columns: int = 0


class Instruction:
    """A matrix instruction of one architecture, with its modifiers. Made by `instruction` and `instructions`.

    name        the mnemonic, as this architecture spells it; PTX: the short name
    arch        its Arch
    m, n, k, blocks, sparse, scaled, scale_k, family, encoding, wave, modifiers, modifier_help, passes, cycles
                as in lw_insn_info (include/lanewise/insn.h)
    """

    name: str
    arch: Arch
    aliases: Tuple[str, ...]
    archs: Tuple[str, ...]
    wave_sizes: Tuple[int, ...]
    family: str
    encoding: str
    modifiers: str
    modifier_help: str
    passes_note: str
    move_help: str
    m: int
    n: int
    k: int
    blocks: int
    sparse: bool
    scaled: bool
    scale_k: int
    wave: int
    opcode: int
    bytes: int
    passes: int
    cycles: int
    moves: bool

    def __init__(self, of: Arch, handle: int, mods: Any) -> None:
        self.arch, self._handle, self._mods = of, handle, mods
        info = s.lw_insn_info(struct_size=c.sizeof(s.lw_insn_info))
        check(lib.lw_insn_fill_info(of.number, handle, c.byref(info)))
        self.name = text(info.mnemonic)
        self.aliases = tuple(text(a) for a in info.aliases if a)
        self.archs = tuple(a.name for a in archs() if info.archs >> a.number & 1)
        self.wave_sizes = tuple(size for bit, size in ((1, 32), (2, 64), (4, 128)) if info.wave_sizes & bit)
        for member in ('family', 'encoding', 'modifiers', 'modifier_help', 'passes_note', 'move_help'):
            setattr(self, member, text(getattr(info, member)))
        for member in ('m', 'n', 'k', 'blocks', 'sparse', 'scaled', 'scale_k', 'wave', 'opcode', 'bytes', 'passes', 'cycles', 'moves'):
            setattr(self, member, getattr(info, member))
        self._present = [i for i in range(len(_OPERANDS)) if info.operand[i].present]

    @property
    def spelling(self) -> str:
        """The assembly spelling, without operands, with its modifiers."""
        room, length = c.create_string_buffer(512), c.c_size_t()
        check(lib.lw_insn_print(self.arch.number, self._handle, c.byref(self._mods), room, len(room), c.byref(length)))
        return text(room.value)

    @property
    def operands(self) -> Dict[str, Operand]:
        """By name ('A', 'B', 'C', 'D', 'index', 'scale_a', 'scale_b'), those that it has, with its modifiers."""
        found = {}
        for number in self._present:
            info = s.lw_operand_info()
            call('lw_insn_operand', self.arch.number, self._handle, number, c.byref(self._mods), c.byref(info))
            found[_OPERANDS[number]] = Operand(text(info.format), info.element_bits, info.registers, text(info.files), info.columns)
        return found

    @property
    def readings(self) -> List[Reading]:
        """The readings that can affect its results or its modifiers."""
        return [_reading(r[0]) for r in _all_readings() if lib.lw_reading_concerns(self.arch.number, self._handle, r)]

    @property
    def evidence(self) -> Tuple[Evidence, ...]:
        """The label and source of each aspect of its arithmetic. UnsupportedError for instructions that only move elements."""
        return self.mma().evidence

    def layout(self, operand: str = 'D', **options: Any) -> 'Layout':
        """`lanewise.layout` of one of its operands, with its modifiers."""
        from ._layout import Layout
        return Layout(self, operand, **options)

    def mma(self, **options: Any) -> 'Mma':
        """`lanewise.mma` of it, with its modifiers."""
        from ._mma import Mma
        return Mma(self, **options)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Instruction) and (self._handle, self.arch, bytes(self._mods)) == (other._handle, other.arch, bytes(other._mods))

    def __hash__(self) -> int:
        return hash((self._handle, self.arch))

    def __reduce__(self) -> Tuple[Any, ...]:
        return instruction, (self.spelling, self.arch.name)

    def __repr__(self) -> str:
        return '<%s on %s, %dx%dx%d%s>' % (self.spelling, self.arch.name, self.m, self.n, self.k,
                                          ', %d blocks' % self.blocks if self.blocks > 1 else '')


def instruction(name: Union[str, Instruction], arch_name: Union[str, Arch, None] = None, mods: str = '') -> Instruction:
    """Finds a matrix instruction.

    name       a mnemonic or alias, optionally followed by modifiers ('v_mfma_f32_4x4x4_16b_f16 cbsz:1'); of PTX a short name or a full
               spelling ('mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32'). An Instruction is returned unchanged.
    arch_name  what `arch` takes
    mods       modifiers in the assembler's spelling: 'cbsz:fp4 blgp:fp4', 'wave:64'

    NotFoundError names the nearest instructions, ArchError the architectures that have it, UnsupportedError says why a modifier
    is not defined here.
    """
    if isinstance(name, Instruction):
        if mods:
            return instruction('%s %s' % (name.spelling, mods), name.arch)
        return name
    if arch_name is None:
        raise TypeError("instruction %r needs an architecture: instruction(%r, 'gfx942')" % (name, name))
    of, handle, parsed = arch(arch_name), c.c_void_p(), s.lw_mods()
    call('lw_insn_parse', of.number, ('%s %s' % (name, mods)).strip().encode(), c.byref(handle), c.byref(parsed))
    return Instruction(of, handle.value or 0, parsed)


def instructions(arch_name: Union[str, Arch]) -> List[Instruction]:
    """All matrix instructions of an architecture, without modifiers, in a fixed order. Empty if Lanewise has
    none. PTX: one for each shape and class of types; `instruction` takes every spelling."""
    of = arch(arch_name)
    return [Instruction(of, lib.lw_insn_at(of.number, i), s.lw_mods()) for i in range(lib.lw_insn_count(of.number))]
