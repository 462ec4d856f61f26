# SPDX-License-Identifier: MIT
"""Triton's own to_linear_layout against what lanewise reads of the same attributes.

Usage: judge_triton.py LANEWISE. Exit status 77 where the package triton is not installed.
"""
import random
import re
import subprocess
import sys

try:
    from triton._C.libtriton import gluon_ir, ir
    from triton.experimental.gluon.language import _layouts as gluon
except Exception as error:  # another version may lack these names
    print(f"triton's Gluon is not installed: {error}")
    sys.exit(77)

lanewise = sys.argv[1]
random.seed(1)
context = ir.context()
ir.load_dialects(context)
builder = gluon_ir.GluonOpBuilder(context)


def vectors_of(layout, shape):
    """The vectors of each bit of the offset, by Triton."""
    return [tuple(v) for v in builder.to_linear_layout(layout._to_ir(builder), shape).offset_bases]


def our_vectors(text, shape, width):
    """The same by lanewise, from the shared_linear that it writes."""
    line = subprocess.run([lanewise, "layout", "--tile", text, "--shape", f"{shape[0]}x{shape[1]}", "--width", str(width),
                           "--to", "triton"], capture_output=True, text=True, check=True).stdout
    return [(int(a), int(b)) for a, b in re.findall(r"\[(\d+), (\d+)\]", line)]


cases = []
for _ in range(60):
    order = random.choice([[1, 0], [0, 1]])
    vec, per, most = (2 ** random.randrange(n) for n in (5, 4, 5))
    shape = [2 ** random.randrange(3, 8), 2 ** random.randrange(5, 8)]
    cases.append((gluon.SwizzledSharedLayout(vec, per, most, order),
                  f"#ttg.swizzled_shared<{{vec = {vec}, perPhase = {per}, maxPhase = {most}, "
                  f"order = [{order[0]}, {order[1]}]}}>", shape, 16))
for swizzle in (32, 64, 128):
    for width in (8, 16, 32):
        for transposed in (False, True):
            for rows, pieces in ((8, 1), (16, 2), (64, 4)):
                shape = [rows, pieces * swizzle * 8 // width]
                shape = shape[::-1] if transposed else shape
                cases.append((gluon.NVMMASharedLayout(swizzle, width, 2, transposed),
                              f"#ttg.nvmma_shared<{{swizzlingByteWidth = {swizzle}, "
                              f"transposed = {str(transposed).lower()}, elementBitWidth = {width}}}>", shape, width))

bad = 0
for layout, text, shape, width in cases:
    theirs, ours = vectors_of(layout, shape), our_vectors(text, shape, width)
    if theirs != ours:
        print(f"{text} of {shape}:\n  Triton   {theirs}\n  lanewise {ours}")
        bad += 1
print(f"{len(cases)} shared layouts, {bad} differ")
sys.stdout.flush()
sys.exit(bad > 0)
