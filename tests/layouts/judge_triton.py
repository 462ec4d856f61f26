# SPDX-License-Identifier: MIT
"""Triton's own to_linear_layout compared with how lanewise reads the same attributes.

Usage: judge_triton.py LANEWISE. Exit status 77 if the package triton is not installed.
"""
import random
import re
import subprocess
import sys

try:
    from triton._C.libtriton import gluon_ir, ir
    from triton.experimental.gluon.language import _layouts as gluon
    from triton.experimental.gluon.language.amd import _layouts as amd
except Exception as error:  # another version may lack these names
    print(f"triton's Gluon is not installed: {error}")
    sys.exit(77)

lanewise = sys.argv[1]
random.seed(1)
context = ir.context()
ir.load_dialects(context)
builder = gluon_ir.GluonOpBuilder(context)


def vectors_of(layout, shape):
    """The vectors of each bit of the offset, from Triton."""
    return [tuple(v) for v in builder.to_linear_layout(layout._to_ir(builder), shape).offset_bases]


def our_vectors(text, shape, width):
    """The same from lanewise, read from the shared_linear that it writes."""
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

# ---- Layouts of registers, lanes and warps ----


def powers(total, low=1):
    """Two powers of two whose product is total."""
    first = 2 ** random.randrange(total.bit_length())
    first = max(first, low)
    return [first, total // first]


def blocked():
    size = [2 ** random.randrange(4), 2 ** random.randrange(4)]
    threads, warps = powers(random.choice([32, 64])), powers(random.choice([1, 2, 4, 8]))
    order = random.choice([[0, 1], [1, 0]])
    return (gluon.BlockedLayout(size, threads, warps, order),
            f"#ttg.blocked<{{sizePerThread = {size}, threadsPerWarp = {threads}, warpsPerCTA = {warps}, order = {order}}}>", 0)


def nvidia():
    warps = powers(random.choice([1, 4, 8]))
    version = random.choice([2, 3])
    shape = [16, 8] if version == 2 else [16, 8 * 2 ** random.randrange(6), 16]
    if version == 3:
        warps = [4, random.choice([1, 2])]
    return (gluon.NVMMADistributedLayout([version, 0], warps, shape),
            f"#ttg.nvidia_mma<{{versionMajor = {version}, versionMinor = 0, warpsPerCTA = {warps}, instrShape = {shape}}}>", 2)


def mfma():
    version, transposed = random.choice([1, 2, 3, 4]), random.choice([False, True])
    shape = random.choice([[16, 16, 16], [32, 32, 8], [4, 64, 4], [64, 4, 4]])
    transposed = transposed or shape[0] == 64
    bits = random.choice([32, 64]) if shape[0] == 16 else 32
    tiles = [2 ** random.randrange(3), 2 ** random.randrange(3)] if random.random() < 0.5 else None
    if shape[0] != shape[1]:
        tiles = None
    warps = powers(random.choice([1, 4, 8]))
    text = f"version = {version}, warpsPerCTA = {warps}, instrShape = {shape}, isTransposed = {str(transposed).lower()}"
    text += f", tilesPerWarp = {tiles}" if tiles else ""
    text += ", elementBitWidth = 64" if bits == 64 else ""
    return amd.AMDMFMALayout(version, shape, transposed, warps, bits, tiles), f"#ttg.amd_mfma<{{{text}}}>", 4


def wmma():
    version, transposed = random.choice([1, 2, 3]), random.choice([False, True])
    warps = [[0, 0] for _ in range(random.randrange(4))]
    registers = [[0, 0] for _ in range(random.randrange(3))]
    free = [1, 1]
    for v in random.sample(range(len(warps) + len(registers)), len(warps) + len(registers)):
        d = random.randrange(2)
        (warps + registers)[v][d] = free[d]
        free[d] *= 2
    shape = [16, 16, random.choice([4, 32, 64, 128]) if version == 3 else 16]
    text = f"version = {version}, isTranspose = {str(transposed).lower()}, ctaLayout = {{"
    text += f"register = {registers}, " if registers else ""
    text += f"warp = {warps}}}"
    text += f", instrShape = {shape}" if version == 3 else ""
    return amd.AMDWMMALayout(version, transposed, warps, registers, shape), f"#ttg.amd_wmma<{{{text}}}>", 4


def operand(make):
    layout, text, width = make()
    index = random.randrange(2)
    k_width = 2 ** random.randrange(4) if width else 0
    if width == 2 and "Major = 3" in text:
        index, k_width = 0, random.choice([1, 2, 4])
    if "amd_wmma" in text:
        k_width = 16 if "version = 1" in text else random.choice([4, 8] if "version = 2" in text else [2, 4, 8])
    inner = f"opIdx = {index}, parent = {text}" + (f", kWidth = {k_width}" if width else "")
    return gluon.DotOperandLayout(index, layout, k_width), f"#ttg.dot_op<{{{inner}}}>", width


def linear():
    """Unit vectors, shuffled over registers, lanes and warps, with some zero vectors among the lanes and warps."""
    shape = [2 ** random.randrange(2, 7), 2 ** random.randrange(2, 7)]
    units = [[2 ** n, 0] for n in range(shape[0].bit_length() - 1)] + [[0, 2 ** n] for n in range(shape[1].bit_length() - 1)]
    random.shuffle(units)
    lanes = [units.pop() if units and random.random() < 0.9 else [0, 0] for _ in range(5)]
    warps = [units.pop() if units and random.random() < 0.7 else [0, 0] for _ in range(2)]
    return (gluon.DistributedLinearLayout(units, lanes, warps, [], shape),
            f"#ttg.linear<{{register = {units}, lane = {lanes}, warp = {warps}, block = []}}>", shape)


def sliced():
    layout, text, _ = random.choice([blocked, nvidia, mfma, wmma, lambda: operand(mfma), lambda: operand(nvidia)])()
    dim = random.randrange(2)
    return gluon.SliceLayout(dim, layout), f"#ttg.slice<{{dim = {dim}, parent = {text}}}>", None


def all_vectors(text):
    return [[tuple(int(n) for n in v.split(",")) for v in re.findall(r"\[([0-9, ]+)\]", part)]
            for part in re.findall(r"= (\[.*?\])(?=, [a-z]+ =|\}>)", text)]


kinds = {"blocked": blocked, "nvidia_mma": nvidia, "amd_mfma": mfma, "amd_wmma": wmma, "linear": linear, "slice": sliced,
         "dot_op of blocked": lambda: operand(blocked), "dot_op of nvidia_mma": lambda: operand(nvidia),
         "dot_op of amd_mfma": lambda: operand(mfma), "dot_op of amd_wmma": lambda: operand(wmma)}
for kind, make in kinds.items():
    wrong = 0
    for _ in range(24):
        layout, text, fixed = make()
        shape = [2 ** random.randrange(3, 9), 2 ** random.randrange(3, 9)]
        if kind == "linear":
            shape = fixed
        elif kind == "slice":
            shape = shape[:1]
        try:
            made = layout._to_ir(builder)
            answer = builder.to_linear_layout(made, shape)
        except Exception as error:
            print(f"Triton does not take {text}: {error}")
            continue
        theirs = [[tuple(v) for v in b] for b in
                  (answer.reg_bases, answer.lane_bases, answer.warp_bases, answer.block_bases)]
        run = subprocess.run([lanewise, "layout", "--convert", text, "--shape", "x".join(map(str, shape)), "--to", "triton"],
                             capture_output=True, text=True)
        ours = all_vectors(run.stdout)
        if theirs != ours:
            print(f"{text} of {shape}:\n  Triton   {theirs}\n  lanewise {ours} {run.stderr}")
            wrong += 1
    print(f"24 of {kind}, {wrong} differ", flush=True)
    bad += wrong
sys.stdout.flush()
sys.exit(bad > 0)
