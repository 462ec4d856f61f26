# SPDX-License-Identifier: MIT
"""A program as a user of the package would write it, for type checkers: test_types.py has mypy look at it, strictly. Never run. Every
mistake that must be found is on a line with `type: ignore`, and mypy complains of one that is not needed."""
from typing import Dict, List, Optional, Tuple

import numpy as np

import lanewise as lw
import lanewise.distributed
import lanewise.triton
from lanewise.testing import assert_same_bits, explain_difference


def instructions() -> None:
    found: lw.Instruction = lw.instruction('v_mfma_f32_16x16x16_f16', 'MI300X')
    sizes: Tuple[int, int, int, int] = (found.m, found.n, found.k, found.blocks)
    operands: Dict[str, lw.Operand] = found.operands
    print(sizes, operands['A'].registers + 1, found.spelling.upper(), [e.label for e in found.evidence], found.family[0], found.passes + 1)
    layout: lw.Layout = found.layout('A')
    judged: lw.Judgement = layout.check('i = l%16, k = l/16 + 4*v')
    lanes: np.ndarray = layout.lane
    print(lanes.sum(), judged.verdict.upper(), layout.registers + 1, layout.format.upper(), len(lw.probe(found)))
    op: lw.Mma = lw.mma(found, readings='fp8:strict', wave=64)
    a = np.zeros(op.a_shape, np.float16)
    d: np.ndarray = op(a, a, mode=['fp16_ovfl'])
    steps: lw.Explanation = op.explain(a, a, row=0, col=0)
    print(d, op.run(a, a).weakest.upper(), steps[0].text, str(steps), lw.decode('f16', 3), op.scale_a_shape)
    op(a, a, row=0)  # type: ignore[call-arg]
    lw.instruction(5, 'gfx942')  # type: ignore[arg-type]
    found.layouts('A')  # type: ignore[attr-defined]


def kernels(path: str) -> Optional[str]:
    module: lw.Module = lw.load(path, arch='gfx942', limit=1 << 30)
    kernel: lw.Kernel = module['vector_add']
    names: List[str] = list(module)
    print(names, kernel.name.upper(), kernel.vgprs + kernel.lds_size, kernel.required_workgroup[0], kernel.arguments[0].offset)
    out = module.memory.zeros((4, 4), np.float32, 'out')
    result: lw.LaunchResult = kernel(out, np.uint32(4), grid=1, block=64, check='races', progress=True)
    print(result.groups + 1, result.output.upper(), [f.rule for f in result.findings], result.counts[0].executed, result.seconds * 2)
    with kernel.session(out, grid=1, block=64) as session:
        while session.step(instructions=1):
            print(session.waves[0].stand.instruction.upper(), session.waves[0].exec.bit_length())
        ended: lw.LaunchResult = session.finish()
    print(ended.waves)
    where: lw.Why = lw.why(kernel, out, element=(out, (1, 2)), expect=out, grid=1, block=64)
    print(where.explained.upper(), [s.a for s in where.steps], where.nodes[0].kind, where.inputs()[0].first + 1)
    again: lw.Replay = lw.Capture(path).replay(check='races')
    print(again.differences[0].bytes + 1, lw.Capture(path).kernel.upper(), lw.Capture(path).pieces[0].before.sum())
    assert_same_bits(out, out)
    try:
        kernel(grid=1, block=1)
    except lw.KernelFault as why:
        if why.fault is not None:
            return why.fault.sentence
    lw.load(path, archs='gfx942')  # type: ignore[call-arg]
    result.group  # type: ignore[attr-defined]
    return explain_difference(out, out)


def others(client: object, kernel: object) -> None:
    x = np.zeros(4, np.float32)
    joined: lw.distributed.Joined = lanewise.distributed.launch(client, 'a.co', 'f', x, grid=1, block=64, parts=4)
    ran: lw.LaunchResult = lanewise.triton.run(kernel, (4,), x, arch='sm_90', BLOCK=64)
    print(joined.groups + 1, ran.waves)
    lanewise.triton.run(kernel, 'four', x)  # type: ignore[arg-type]
