# SPDX-License-Identifier: MIT
"""Lanewise: a bit-exact emulator of GPU matrix-core instructions, and of whole compiled kernels, without a GPU. docs/python.md
shows it."""
from ._c import lib as _lib
from .errors import (AbsentError, ArchError, ArgumentError, BudgetError, FormatError, IoError, KernelFault, LanewiseError, LaunchError,
                     LivelockError, NoMemoryError, NotFoundError, StoppedError, TruncatedError, UnsupportedError)
from ._insn import Arch, Evidence, Instruction, Operand, Reading, arch, archs, instruction, instructions, readings
from ._layout import Guess, Judgement, Layout, guess, layout, probe
from ._convert import convert, cute
from ._capture import Capture, Difference, Piece, Replay
from ._checks import check_names
from ._launch import TensorMap, launch
from ._memory import Memory, Snapshot
from ._mma import Explanation, Mma, MmaResult, Step, decode, mma
from ._program import Argument, Kernel, Member, Module, load, members
from ._result import Banks, BanksRepair, Coalescing, Count, Fault, Finding, LaunchResult, Line, Stand, Uninit
from ._why import Element, Node, Product, Range, Source, Why, why
from ._session import Checkpoint, Pause, Session, Wave

# What `from lanewise import *` takes, and what type checkers let programs use.
__all__ = [
    'AbsentError', 'Arch', 'ArchError', 'Argument', 'ArgumentError', 'Banks', 'BanksRepair', 'BudgetError', 'Capture', 'Checkpoint', 'Coalescing', 'Count',
    'Difference',
    'Element', 'Evidence', 'Explanation', 'Fault', 'Finding', 'FormatError', 'Guess', 'Instruction', 'IoError', 'Judgement', 'Kernel', 'KernelFault',
    'LanewiseError', 'LaunchError', 'LaunchResult', 'Layout', 'Line', 'LivelockError', 'Member', 'Memory', 'Mma', 'MmaResult', 'Module',
    'NoMemoryError', 'Node', 'NotFoundError', 'Operand', 'Pause', 'Piece', 'Product', 'Range', 'Reading', 'Replay', 'Session', 'Snapshot',
    'Source', 'Stand', 'Step', 'StoppedError', 'TensorMap', 'TruncatedError', 'Uninit', 'UnsupportedError', 'Wave', 'Why', 'arch', 'archs',
    'check_names', 'convert', 'cute', 'decode', 'guess', 'instruction', 'instructions', 'launch', 'layout', 'load', 'members', 'mma', 'probe', 'readings', 'why']

__version__: str = _lib.lw_version().decode()
