# SPDX-License-Identifier: MIT
"""Triton kernels on the emulator: compiled by the installed Triton for a target that need not be there, run by lanewise.

>>> lanewise.triton.run(add, (4,), x, y, out, 1000, arch='gfx942', BLOCK=256)   # doctest: +SKIP

Needs the package `triton` (3.3 or later; PyTorch is not needed). docs/python.md describes it.
"""
from dataclasses import dataclass
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from ._insn import Arch, arch as _arch
from ._program import Kernel, load
from ._result import LaunchResult

__all__ = ['Compiled', 'compile', 'run']

# NumPy and ml_dtypes types, and Triton's names for them.
_TYPES = {'bool': 'i1', 'int8': 'i8', 'uint8': 'u8', 'int16': 'i16', 'uint16': 'u16', 'int32': 'i32', 'uint32': 'u32', 'int64': 'i64',
          'uint64': 'u64', 'float16': 'fp16', 'bfloat16': 'bf16', 'float32': 'fp32', 'float64': 'fp64', 'float8_e4m3fn': 'fp8e4nv',
          'float8_e5m2': 'fp8e5', 'float8_e4m3fnuz': 'fp8e4b8', 'float8_e5m2fnuz': 'fp8e5b16', 'float8_e4m3b11fnuz': 'fp8e4b15'}

_ALIGNED = 16  # bytes: what Triton's own launcher tells the compiler about pointers and integers

Grid = Union[int, Sequence[int], Callable[[Mapping[str, Any]], Any]]


@dataclass(frozen=True)
class Compiled:
    """A Triton kernel compiled for one target.

    kernel     the lanewise.Kernel
    asm        what Triton's stages made: 'ttir', 'ttgir', 'llir', and 'amdgcn' and 'hsaco', or 'ptx'
    metadata   Triton's: shared, num_warps, num_ctas and others
    passed     the names of the parameters that are passed at a launch; the others are constants of the code
    """
    kernel: Kernel
    asm: Mapping[str, Any]
    metadata: Any
    passed: Tuple[str, ...]


def _triton() -> Any:
    try:
        import triton  # type: ignore[import-untyped,unused-ignore]
        from triton.backends.compiler import GPUTarget  # type: ignore[import-untyped,unused-ignore]
        from triton.compiler import ASTSource  # type: ignore[import-untyped,unused-ignore]
    except ImportError as why:
        raise ImportError('lanewise.triton needs the package triton (pip install triton), which cannot be imported: %s' % why) from why
    return triton, ASTSource, GPUTarget


def _target(name, GPUTarget):
    a = _arch(name)
    if a.name.startswith('gfx'):
        return GPUTarget('hip', a.name, 64 if a.name.startswith('gfx9') else 32)
    return GPUTarget('cuda', int(''.join(d for d in a.name if d.isdigit())), 32)


def _parameters(kernel) -> Dict[str, bool]:
    """The kernel's parameters, and which are tl.constexpr."""
    if not hasattr(kernel, 'params') or not hasattr(kernel, 'arg_names'):
        inner = getattr(kernel, 'fn', None)
        raise TypeError('%s is not a kernel of @triton.jit%s' % (
            getattr(kernel, '__name__', type(kernel).__name__),
            '; pass its fn and the constants of one configuration, since nothing is tuned here' if hasattr(inner, 'params') else ''))
    return {p.name: bool(p.is_constexpr) for p in kernel.params}


def _split(kernel, arguments, keywords):
    """(values by parameter, options of the compiler)."""
    parameters, values, options = _parameters(kernel), {}, {}
    plain = [name for name, constant in parameters.items() if not constant]
    if len(arguments) > len(plain):
        raise TypeError('%s takes %d arguments that are not tl.constexpr, but %d were given' % (kernel.__name__, len(plain), len(arguments)))
    values.update(zip(plain, arguments))
    for name, value in keywords.items():
        if name in values:
            raise TypeError('%s: argument %s was given twice' % (kernel.__name__, name))
        (values if name in parameters else options)[name] = value
    for p in kernel.params:
        if p.name not in values and p.has_default:
            values[p.name] = p.default
    missing = [name for name in parameters if name not in values]
    if missing:
        raise TypeError('%s: no value was given for %s' % (kernel.__name__, ', '.join(missing)))
    return parameters, values, options


def _type(kernel, name, value) -> Tuple[str, bool]:
    """Triton's type of a value, and whether it is a multiple of 16."""
    if isinstance(value, np.ndarray):
        kind = _TYPES.get(value.dtype.name)
        if kind is None:
            raise TypeError('%s: argument %s has elements of %s, for which Triton has no type; pass a view of codes, as in '
                            'array.view(numpy.uint8)' % (kernel.__name__, name, value.dtype))
        return '*' + kind, value.ctypes.data % _ALIGNED == 0
    if isinstance(value, (bool, np.bool_)):
        return 'i1', False
    if isinstance(value, np.generic):
        kind = _TYPES.get(value.dtype.name)
        if kind is not None:
            return kind, kind[0] in 'iu' and int(value) % _ALIGNED == 0
    if isinstance(value, int) and -2**63 <= value < 2**64:
        return 'i32' if -2**31 <= value < 2**31 else 'i64' if -2**63 <= value < 2**63 else 'u64', value % _ALIGNED == 0
    if isinstance(value, float):
        return 'fp32', False
    raise TypeError('%s: argument %s is %s, not an array or a number; tensor descriptors of the host are not supported, those that '
                    'kernels make are' % (kernel.__name__, name, type(value).__name__))


def _is_constant(constant: bool, value) -> bool:
    """What becomes part of the code: constexprs, None and, as in Triton's own launcher, integers that are 1."""
    return constant or value is None or (isinstance(value, (int, np.integer)) and not isinstance(value, bool) and int(value) == 1)


def _source(kernel, parameters, values, ASTSource):
    signature, constants, attributes = {}, {}, {}
    for i, (name, constant) in enumerate(parameters.items()):
        value = values[name]
        if _is_constant(constant, value):
            signature[name], constants[name] = 'constexpr', value
            continue
        signature[name], aligned = _type(kernel, name, value)
        if aligned:
            attributes[(i,)] = [['tt.divisibility', _ALIGNED]]
    passed = tuple(name for name in parameters if name not in constants)
    return ASTSource(kernel, signature, constants, attributes), passed


def compile(kernel: Any, *arguments: Any, arch: Union[str, Arch] = 'gfx942', **constexprs: Any) -> Compiled:
    """Compiles a kernel for these arguments as Triton's own launcher does, but for `arch`, and loads the result.

    arguments    as in `run`; arrays give types and alignment, their values do not matter
    arch         'gfx942', 'gfx950', 'gfx1201', 'sm_80', 'sm_90', 'sm_120' and others that Triton and lanewise have in common
    constexprs   tl.constexpr parameters by name, and options of Triton's compiler: num_warps, num_stages, ...

    TypeError and Triton's own CompilationError; UnsupportedError of lanewise only when the kernel is launched.
    """
    triton, ASTSource, GPUTarget = _triton()
    parameters, values, options = _split(kernel, arguments, constexprs)
    source, passed = _source(kernel, parameters, values, ASTSource)
    made = triton.compile(source, target=_target(arch, GPUTarget), options=options)
    code = made.asm['hsaco'] if 'hsaco' in made.asm else made.asm['ptx']
    module = load(code.encode() if isinstance(code, str) else code)
    return Compiled(module[made.metadata.name], made.asm, made.metadata, passed)


def _three(grid, values) -> Tuple[int, int, int]:
    grid = grid(values) if callable(grid) else grid
    grid = (grid,) if isinstance(grid, (int, np.integer)) else tuple(grid)
    if not 1 <= len(grid) <= 3:
        raise ValueError('grid is one to three numbers, not %r' % (grid,))
    x, y, z = tuple(int(n) for n in grid) + (1,) * (3 - len(grid))
    return x, y, z


def _scratch(metadata, grid, which) -> Optional[np.ndarray]:
    """Memory that the kernel uses as it likes: so much for each block."""
    each = int(getattr(metadata, which + '_scratch_size', 0) or 0)
    ctas = int(getattr(metadata, 'num_ctas', 1) or 1)
    if not each:
        return None
    align = max(int(getattr(metadata, which + '_scratch_align', 1) or 1), 128)
    size = each * ctas * grid[0] * grid[1] * grid[2]
    room = np.zeros(size + align, np.uint8)
    return room[-room.ctypes.data % align:][:size]


def _values(values, compiled) -> list:
    """The values as the code object's parameters take them."""
    numbers = {'i1': np.bool_, 'i32': np.int32, 'i64': np.int64, 'u64': np.uint64, 'fp32': np.float32}
    given = []
    for name in compiled.passed:
        value = values[name]
        if isinstance(value, (bool, int, float)) and not isinstance(value, np.generic):  # np.float64 is a float
            value = numbers[_type(compiled.kernel, name, value)[0]](value)
        given.append(value)
    return given


def run(kernel: Any, grid: Grid, *arguments: Any, arch: Union[str, Arch] = 'gfx942', launch: Optional[Mapping[str, Any]] = None,
        **constexprs: Any) -> LaunchResult:
    """Compiles a Triton kernel for `arch` and runs it; no GPU is needed. Arrays are used in place and hold what it stored.

    kernel       a function of @triton.jit
    grid         how many programs: a number, up to three, or a function of the parameters by name
    arguments    the parameters that are not tl.constexpr, in their order: C-contiguous NumPy arrays (those of ml_dtypes for bfloat16
                 and float8), numbers, None. An int is i32, or i64 where it does not fit; a float is fp32; np.float64(x) and others
                 give their type
    arch         the target, as in `compile`
    launch       options of `lanewise.launch`: {'check': 'races', 'threads': 1, 'time_limit': 10.0}
    constexprs   as in `compile`

    The block's size, its shared memory, the cluster and the hidden parameters (scratch memory) come from Triton's metadata. Raises as
    `compile` and `lanewise.launch` do.
    """
    compiled = compile(kernel, *arguments, arch=arch, **constexprs)
    _, values, _ = _split(kernel, arguments, constexprs)
    size, meta = _three(grid, values), compiled.metadata
    given = _values(values, compiled)
    hidden = [_scratch(meta, size, 'global'), _scratch(meta, size, 'profile')]
    given += hidden[:len(compiled.kernel.arguments) - len(given)]
    ctas = int(getattr(meta, 'num_ctas', 1) or 1)
    options: Dict[str, Any] = {'grid': (size[0] * ctas,) + size[1:], 'block': meta.num_warps * meta.target.warp_size,
                               'smem': max(0, int(meta.shared) - compiled.kernel.lds_size), **(launch or {})}
    if ctas > 1:
        options['cluster'] = ctas
    return compiled.kernel(*given, **options)
