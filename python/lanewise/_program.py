# SPDX-License-Identifier: MIT
"""Compiled kernels: the contents of a file, and the modules that launches run."""
import ctypes as c
import os
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterator, List, Optional, Tuple, Union

import numpy as np

from . import _structs as s
from ._c import call, lib, text
from ._insn import Arch, _arch_at, arch
from ._memory import Memory

if TYPE_CHECKING:
    from ._result import LaunchResult
    from ._session import Session

# A path, or what the file holds.
File = Union[str, 'os.PathLike[str]', bytes, bytearray, memoryview]

_KINDS = ('value', 'buffer', 'lds', 'hidden', 'other', 'padding', 'either')


@dataclass(frozen=True)
class Member:
    """One code object of a file: its container, id and target as in the file; arch is None if Lanewise does not support it."""

    container: str
    id: str
    target: str
    arch: Optional[Arch]
    size: int


def members(file: File) -> List[Member]:
    """The AMDGPU code objects of a file (a path, or its bytes). FormatError if there are none, AbsentError for a compression that
    the library was built without."""
    data, found = _bytes(file), c.c_void_p()
    call('lw_members_read', data, len(data), c.byref(found))
    try:
        rows = [lib.lw_members_at(found, i)[0] for i in range(lib.lw_members_count(found))]
        return [Member(text(m.container), text(m.id), text(m.target), _arch_at(m.arch) if m.arch else None, m.size) for m in rows]
    finally:
        lib.lw_members_free(found)


def _bytes(file: File) -> bytes:
    if isinstance(file, (bytes, bytearray, memoryview)):
        return bytes(file)
    with open(file, 'rb') as opened:
        return opened.read()


@dataclass(frozen=True)
class Argument:
    """One argument of a kernel. kind: 'value', 'buffer', 'either' (PTX: 64 bits that may be an address or a number), 'other' (a
    launch refuses it), 'hidden' (set by the launch), 'lds', 'padding'."""

    name: str
    type: str
    kind: str
    offset: int
    size: int
    is_const: bool
    address_space: str
    value_kind: str


class Kernel:
    """A kernel of a module: call it to launch it (see docs/python.md, or help(Kernel.__call__)).

    name, arguments (those that a caller gives), hidden, wavefront_size, lds_size, private_size, vgprs, agprs, sgprs,
    max_workgroup_size, required_workgroup, warning, unsupported, approximate, contracted: as in lw_kernel_info (include/lanewise/program.h)
    """

    module: 'Module'
    name: str
    arguments: Tuple[Argument, ...]
    hidden: Tuple[Argument, ...]
    wavefront_size: int
    kernarg_size: int
    lds_size: int
    private_size: int
    vgprs: int
    agprs: int
    sgprs: int
    max_workgroup_size: int
    required_workgroup: Tuple[int, int, int]
    warning: str
    unsupported: str
    approximate: str
    contracted: str

    def __init__(self, module: 'Module', index: int) -> None:
        self.module, self._index = module, index
        info = lib.lw_program_kernel_at(module._program, index)[0]
        for member in ('name', 'warning', 'unsupported', 'approximate', 'contracted'):
            setattr(self, member, text(getattr(info, member)))
        rows = [info.args[i] for i in range(info.arg_count)]
        everything = [Argument(text(a.name), text(a.type_name), _KINDS[a.kind], a.offset, a.size, a.is_const, text(a.address_space),
                               text(a.value_kind)) for a in rows]
        self.arguments, self.hidden = tuple(everything[:info.explicit_count]), tuple(everything[info.explicit_count:])
        for member in ('kernarg_size', 'lds_size', 'private_size', 'wavefront_size', 'max_workgroup_size', 'vgprs', 'agprs', 'sgprs'):
            setattr(self, member, getattr(info, member))
        self.required_workgroup = (info.required_workgroup[0], info.required_workgroup[1], info.required_workgroup[2])
        self._known = {a.name: i for i, a in enumerate(self.arguments) if a.name}

    def __call__(self, *args: Any, **options: Any) -> 'LaunchResult':
        """Runs the kernel; its arrays hold what it stored. Takes the arguments of `lanewise.launch` after the kernel."""
        from ._launch import launch
        return launch(self, *args, **options)

    def session(self, *args: Any, **options: Any) -> 'Session':
        """A launch that pauses: see `lanewise.Session`. Arguments as in a call."""
        from ._session import Session
        return Session(self, *args, **options)

    def __repr__(self) -> str:
        return '<kernel %s(%s) of %s>' % (self.name, ', '.join(('%s %s' % (a.type or a.kind, a.name)).strip() for a in self.arguments),
                                          self.module.arch.name)


class Module:
    """A loaded program: module['name'] is a kernel, `list(module)` their names. Its variables keep their values from launch to launch.

    arch, target, abi_version   of the code object, or of the PTX text
    memory                      the Memory it is placed in
    """

    memory: Memory
    arch: Arch
    target: str
    abi_version: int

    def __init__(self, file: File, arch_name: Union[str, Arch, None] = None, *, member: int = -1, kernel: Optional[str] = None,
                 memory: Optional[Memory] = None, limit: int = 0, device: Optional[str] = None) -> None:
        options = s.lw_load_options()
        lib.lw_load_options_init(c.byref(options), c.sizeof(options))
        options.arch, options.member = arch(arch_name).number if arch_name else 0, member
        options.kernel, options.memory_limit = kernel.encode() if kernel else None, limit
        self._program, self._module = c.c_void_p(), c.c_void_p()
        if device is not None:  # what the runtime of that device would take from the file
            file = _bytes(file)
            call('lw_program_load_for', file, len(file), device.encode(), limit, c.byref(self._program))
        elif isinstance(file, (bytes, bytearray, memoryview)):
            file = bytes(file)
            call('lw_program_load', file, len(file), c.byref(options), c.byref(self._program))
        else:
            call('lw_program_load_file', os.fsencode(file), c.byref(options), c.byref(self._program))
        self.memory = memory if memory is not None else Memory(limit)
        self.memory._estate.modules[id(self)] = (self._module, self._program)
        self.arch = _arch_at(lib.lw_program_arch(self._program))
        self.target, self.abi_version = text(lib.lw_program_target_id(self._program)), lib.lw_program_abi_version(self._program)
        self._placing = threading.Lock()

    def __del__(self) -> None:
        if getattr(self, 'memory', None):
            self.memory._estate.unload(id(self))

    def _placed(self) -> c.c_void_p:
        """The lw_module: placed in memory when first needed, so that files that cannot run can be inspected."""
        with self._placing:
            if self._module:
                return self._module
            call('lw_module_load', self.memory._pointer, self._program, c.byref(self._module))
        return self._module

    def __len__(self) -> int:
        return int(lib.lw_program_kernel_count(self._program))

    def __iter__(self) -> Iterator[str]:
        return (text(lib.lw_program_kernel_at(self._program, i)[0].name) for i in range(len(self)))

    def __contains__(self, name: str) -> bool:
        return bool(lib.lw_program_find(self._program, name.encode(), c.byref(c.c_size_t()), None) == 0)

    def __getitem__(self, name: str) -> Kernel:
        """A kernel by its name, or by the base name of a mangled one. NotFoundError (a LookupError) lists the existing ones."""
        index = c.c_size_t()
        call('lw_program_find', self._program, name.encode(), c.byref(index))
        return Kernel(self, index.value)

    @property
    def kernel(self) -> Kernel:
        """The only kernel of a module that has one."""
        if len(self) != 1:
            raise LookupError('the module has %d kernels: %s' % (len(self), ', '.join(self)))
        return self[next(iter(self))]

    def symbol(self, name: str) -> Tuple[int, int]:
        """The device address and size in bytes of a variable or function. NotFoundError."""
        address, size = c.c_uint64(), c.c_uint64()
        call('lw_module_symbol', self._placed(), name.encode(), c.byref(address), c.byref(size))
        return address.value, size.value

    def variable(self, name: str, dtype: Any = np.uint8) -> np.ndarray:
        """A global variable as an array that shares its bytes with kernels. NotFoundError."""
        return self.memory._view(*self.symbol(name)).view(dtype)

    def __repr__(self) -> str:
        return '<module for %s: %s>' % (self.target, ', '.join(self))


def load(file: File, arch: Union[str, Arch, None] = None, *, member: int = -1, kernel: Optional[str] = None, memory: Optional[Memory] = None,
         limit: int = 0, device: Optional[str] = None) -> Module:
    """Loads a code object, offload bundle, host program with kernels inside, or PTX text: a path, or its bytes.

    arch    which code object of a file that contains several ('gfx942', 'MI300X'); None: the only one
    member  or its number in `members(file)`;  kernel: or a kernel that it must have
    memory  a Memory to place it in; None: one of its own
    limit   bytes that loading and its memory may take; 0: a quarter of the host's
    device  take what the runtime of that GPU would take from the file, instead of arch, member and kernel

    FormatError, TruncatedError, ArchError, NotFoundError, UnsupportedError, IoError, each with a message.
    """
    return Module(file, arch, member=member, kernel=kernel, memory=memory, limit=limit, device=device)
