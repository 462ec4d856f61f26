# SPDX-License-Identifier: MIT
"""The outcome of a launch."""
import ctypes as c
import struct
from dataclasses import dataclass
from typing import Any, Dict, Optional, Tuple

from . import _structs as s
from ._c import lib, text

_SUMS, _AT_SUMS = struct.Struct('@4Q'), s.lw_launch_result.groups.offset  # groups to matrix_instructions, in one piece
_DOING = ('runs', 'used up', 'repeats', 'barrier', 'copies', 'ended')


@dataclass(frozen=True)
class Line:
    """A source line."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return '%s:%d' % (self.file, self.line)


def line_of(row: Any) -> Optional[Line]:
    return Line(text(row.file), row.line, row.column) if row.line else None


@dataclass(frozen=True)
class Count:
    """One kind of instruction that ran: how often, how sure its rule is, and the source."""

    name: str
    executed: int
    label: str
    is_matrix: bool
    source: str


@dataclass(frozen=True)
class Fault:
    """Why a kernel could not go on; str() is one sentence with all of it. lane -1: not a fault of a single lane. source: a Line or None."""

    kernel: str
    workgroup: Tuple[int, int, int]
    wave: int
    lane: int
    pc: int
    code_offset: int
    instruction: str
    reason: str
    source: Optional[Line]
    sentence: str

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True)
class Stand:
    """Where a wave is. doing: 'runs', 'used up', 'repeats', 'barrier', 'copies', 'ended'; text describes it in words."""

    workgroup: Tuple[int, int, int]
    wave: int
    doing: str
    pc: int
    code_offset: int
    executed: int
    instruction: str
    text: str
    source: Optional[Line]


def stand_of(row: Any, source: Optional[Line]) -> Stand:
    return Stand(tuple(row.workgroup), row.wave, _DOING[row.doing], row.pc, row.code_offset, row.executed, text(row.instruction),
                 text(row.text), source)


@dataclass(frozen=True)
class Uninit:
    """A read of something never written, once for each instruction: where it was first seen, what was read ('v17', 'LDS byte 0x120')."""

    code_offset: int
    instruction: str
    workgroup: Tuple[int, int, int]
    wave: int
    lane: int
    what: str
    times: int
    source: Optional[Line]


@dataclass(frozen=True)
class Banks:
    """LDS bank conflicts of one instruction: `turns` for `phases` (equal: none), the worst phase, and whether banks or phases of this
    access are assumed because they have not been published."""

    code_offset: int
    instruction: str
    executed: int
    phases: int
    turns: int
    max_degree: int
    assumed: bool
    source: Optional[Line]


@dataclass(frozen=True)
class BanksRepair:
    """What would remove the bank conflicts of a launch: `swizzle` is CuTe's (b, m, s) on byte offsets in LDS, `padding` the bytes after each
    so many bytes of a row (pad, row); None where none has fewer turns. `turns` without, with the swizzle and with the padding, of
    `accesses` that were tried, which take `phases` turns without conflicts; `whole`: these are all. See lw_banks_find_repair."""

    accesses: int
    whole: bool
    phases: int
    turns: Tuple[int, int, int]
    swizzle: Optional[Tuple[int, int, int]]
    padding: Optional[Tuple[int, int]]


@dataclass(frozen=True)
class Coalescing:
    """Blocks of global memory that the lanes of one instruction touch: of 32, 64 and 128 bytes, and the blocks of `unit` bytes that as many
    bytes need. `stride` is the bytes from lane to lane, None where it differs; `assumed`: the unit is inferred. See lw_coalescing_report."""

    code_offset: int
    instruction: str
    executed: int
    bytes: int
    blocks: Tuple[int, int, int]
    needed: int
    misaligned: int
    stride: Optional[int]
    unit: int
    assumed: bool
    source: Line


@dataclass(frozen=True)
class Finding:
    """What a check such as 'hazards' found at one instruction, and the earlier instruction that conflicts with it ('' if none);
    severity is 'error', 'warning', 'strict' or 'info'. See lw_finding (include/lanewise/check.h)."""

    check: str
    severity: str
    rule: str
    what: str
    why: str
    cure: str
    code_offset: int
    instruction: str
    source: Optional[Line]
    other_offset: int
    other_instruction: str
    workgroup: Tuple[int, int, int]
    wave: int
    lane: int
    times: int


class LaunchResult:
    """The outcome of a launch.

    groups, waves, instructions, matrix_instructions, seconds, threads, schedule, schedule_reason, repeated
              as in lw_launch_result (include/lanewise/launch.h)
    weakest   the weakest label of everything that ran
    uninit, banks
              what check='uninit=strict' and check='banks' found: tuples of Uninit and Banks; None if they were not requested
    banks_repair
              check='banks': what would remove the conflicts, a BanksRepair; None if there is none
    coalescing
              what check='coalescing' found: a tuple of Coalescing; None if it was not requested
    findings  what the other requested checks found: a tuple of Finding
    unchecked sentences: what those checks did not or could not examine
    output    what the kernel printed
    """

    groups: int
    waves: int
    instructions: int
    matrix_instructions: int
    uninit: Optional[Tuple[Uninit, ...]]
    banks: Optional[Tuple[Banks, ...]]
    banks_repair: Optional[BanksRepair]
    coalescing: Optional[Tuple[Coalescing, ...]]
    findings: Tuple[Finding, ...]
    unchecked: Tuple[str, ...]
    output: str

    def __init__(self, pointer: Any, keep: Any, checks: Dict[str, Any], output: str) -> None:
        self._pointer, self._keep = pointer, keep
        row = self._row = s.lw_launch_result.from_address(pointer.value)  # c.cast would make a cycle
        self.groups, self.waves, self.instructions, self.matrix_instructions = _SUMS.unpack_from(row, _AT_SUMS)
        self.uninit, self.coalescing = checks.get('uninit=strict'), checks.get('coalescing')
        self.banks, self.banks_repair = checks.get('banks', (None, None))
        others = [found for name, found in checks.items() if name not in ('uninit=strict', 'banks', 'coalescing')] if checks else []
        self.findings = tuple([f for found, _ in others for f in found])
        self.unchecked = tuple([sentence for _, sentences in others for sentence in sentences])
        self.output = output

    def __del__(self) -> None:
        if getattr(self, '_pointer', None):
            lib.lw_launch_result_free(self._pointer)
            self._pointer = None

    @property
    def seconds(self) -> float:
        return float(self._row.seconds)

    @property
    def threads(self) -> int:
        return int(self._row.threads)

    @property
    def repeated(self) -> bool:
        return bool(self._row.repeated)

    @property
    def weakest(self) -> str:
        return text(lib.lw_label_name(self._row.weakest))

    @property
    def schedule(self) -> str:
        return text(self._row.schedule)

    @property
    def schedule_reason(self) -> str:
        return text(self._row.schedule_reason)

    @property
    def counts(self) -> Tuple[Count, ...]:
        """Every kind of instruction that ran, by name."""
        rows = (self._row.counts[i] for i in range(self._row.count_count))
        return tuple(Count(text(r.name), r.executed, text(lib.lw_label_name(r.label)), r.is_matrix, text(r.source)) for r in rows)

    @property
    def stands(self) -> Tuple[Stand, ...]:
        """After BudgetError, LivelockError and StoppedError: where the active waves were."""
        row = self._row
        return tuple(stand_of(row.stands[i], line_of(row.stand_sources[i])) for i in range(row.stand_count))

    @property
    def lds_outside(self) -> int:
        """Accesses of single lanes past the end of the workgroup's LDS: loads returned zero, stores were dropped."""
        return int(self._row.lds_outside.times)

    @property
    def fault(self) -> Optional[Fault]:
        """The Fault, or None."""
        f = self._row.fault
        return Fault(text(f.kernel), tuple(f.workgroup), f.wave, f.lane, f.pc, f.code_offset, text(f.instruction), text(f.reason),
                     line_of(f.source), text(f.sentence)) if self._row.faulted else None

    def __repr__(self) -> str:
        return '<launch: %d workgroups, %d waves, %d instructions (%d matrix), %s>' % (
            self.groups, self.waves, self.instructions, self.matrix_instructions, self.weakest)
