# SPDX-License-Identifier: MIT
"""One exception for each status of the C library. Each carries the library's message: what, where and why."""
from typing import TYPE_CHECKING, Any, Dict, Optional, Type

if TYPE_CHECKING:
    from ._result import Fault, LaunchResult


class LanewiseError(Exception):
    """Base of all. `status` is the number of lw_status."""

    status: int = -1

    def __init__(self, sentence: str, status: Optional[int] = None, **details: Any) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        if status is not None:
            self.status = status
        for name, value in details.items():
            setattr(self, name, value)


class ArgumentError(LanewiseError, ValueError):
    """An argument is out of its documented range."""


class NoMemoryError(LanewiseError, MemoryError):
    """The host has no more memory, or the memory's limit is reached."""


class NotFoundError(LanewiseError, LookupError):
    """No such instruction, architecture, kernel, reading, symbol; the message names similar ones."""


class UnsupportedError(LanewiseError, NotImplementedError):
    """Known, but not supported by this version, or not defined by any document."""


class TruncatedError(LanewiseError, ValueError):
    """A file ends inside a structure."""


class FormatError(LanewiseError, ValueError):
    """Input is not what it claims to be."""


class ArchError(LanewiseError):
    """The file or instruction belongs to another architecture."""


class AbsentError(LanewiseError):
    """The library was built without what this input needs (a compression, say)."""


class LaunchError(LanewiseError):
    """A launch ended early. `result` is its LaunchResult: what had run, where the waves were, what checks had found. Arrays hold
    what had been stored by then."""

    result: 'Optional[LaunchResult]' = None


class KernelFault(LaunchError):
    """The kernel did something that the hardware leaves undefined or that would fault. `fault` says where: kernel, workgroup, wave, lane,
    pc, the instruction, its source line if the file has one, reason."""

    fault: 'Optional[Fault]' = None


class BudgetError(LaunchError):
    """A wave did not end within its budget of instructions."""


class IoError(LanewiseError, OSError):
    """A file could not be read or written."""


class LivelockError(LaunchError):
    """No wave can continue: nothing would ever change again."""


class StoppedError(LaunchError):
    """The time limit has passed, or the launch was cancelled."""


# By lw_status; LW_OK is 0.
ERRORS: Dict[int, Type[LanewiseError]] = {number: kind for number, kind in enumerate(
    (ArgumentError, NoMemoryError, NotFoundError, UnsupportedError, TruncatedError, FormatError, ArchError, AbsentError, KernelFault,
     BudgetError, IoError, LivelockError, StoppedError), 1)}
for _number, _kind in ERRORS.items():
    _kind.status = _number
