# SPDX-License-Identifier: MIT
"""Triton's own to_linear_layout compared with how lanewise reads the same attributes.

Usage: judge_triton.py LANEWISE. Exit status 77 if the package triton is not installed.
"""
import glob
import os
import random
import re
import subprocess
import sys
import tempfile

try:
    import triton
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


modules = []  # modules keep their values alive


def parsed(attribute, shape, line, operation):
    """The value of an operation with this layout, in a module that Triton parses from text."""
    text = f"""#layout = {attribute}
module attributes {{"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, "ttg.threads-per-warp" = 32 : i32}} {{
  tt.func @f() {{
    %0 = {line.replace("SHAPE", "x".join(map(str, shape)))}
    tt.return
  }}
}}
"""
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()
        modules.append(ir.parse_mlir_module(file.name, context))
    found = []
    modules[-1].walk(lambda op: found.append(op) if op.get_name() == operation else None)
    builder.set_insertion_point_after(found[0])
    return found[0].get_result(0)


def lists(text):
    return {name: [[int(n) for n in v.split(",")] for v in re.findall(r"\[([0-9, ]+)\]", part)]
            for name, part in re.findall(r"(\w+) = (\[.*?\])(?=, [a-z]+ =|\})", text)}


def flat_memory(attribute, shape, width):
    """What each bit of the offset adds to 64 * row + col and so on: Triton reshapes the tile to one dimension. And the paddings."""
    value = parsed(attribute, shape, f"ttg.local_alloc : () -> !ttg.memdesc<SHAPExi{width}, #layout, #ttg.shared_memory, mutable>",
                   "ttg.local_alloc")
    text = str(builder.create_memdesc_reshape(value, [shape[0] * shape[1]]).get_type())
    named = lists(text)
    count = (shape[0] * shape[1]).bit_length() - 1
    vectors = [v[0] for v in named["offset"]] if "offset" in named else [1 << n for n in range(count)]
    return vectors, [(int(a), int(b)) for a, b in re.findall(r"(\d+):\+(\d+)", text)]


def places(attribute, shape, width):
    """The offset of every element, in elements, from Triton; the first if there are several."""
    vectors, paddings = flat_memory(attribute, shape, width)
    found = {}
    for offset in range(1 << len(vectors)):
        element = 0
        for n, v in enumerate(vectors):
            element ^= v if offset >> n & 1 else 0
        found.setdefault(element, offset + sum(offset // interval * pad for interval, pad in paddings))
    return found


def our_places(text, shape, width):
    run = subprocess.run([lanewise, "layout", "--tile", text, "--shape", f"{shape[0]}x{shape[1]}", "--width", str(width),
                          "--to", "listing"], capture_output=True, text=True)
    found = {}
    for line in run.stdout.splitlines():
        row, col, bit = map(int, line.split())
        found[row * shape[1] + col] = bit // width
    return found, run.stderr


def power(low, high):
    return 2 ** random.randrange(low, high)


def phases(name):
    order = random.choice([[1, 0], [0, 1]])
    return (f"#ttg.{name}<{{vec = {power(0, 5)}, perPhase = {power(0, 4)}, maxPhase = {power(0, 5)}, order = {order}}}>",
            [power(1, 8), power(4, 8)], 16)


def nvmma():
    swizzle, width = random.choice([0, 32, 64, 128]), random.choice([8, 16, 32])
    padded = swizzle == 128 and random.random() < 0.4
    width = 8 if padded else width
    transposed = random.choice([False, True])
    shape = [power(3, 7), power(0, 3) * max(swizzle, 32) * 8 // width // (2 if padded else 1)]
    text = f"swizzlingByteWidth = {swizzle}, transposed = {str(transposed).lower()}, elementBitWidth = {width}"
    return (f"#ttg.nvmma_shared<{{{text}{', fp4Padded = true' if padded else ''}}}>", shape[::-1] if transposed else shape, width)


def shared_linear(shape=None, slanted=True):
    """Any vectors that reach every element."""
    shape = shape or [power(0, 6), power(2, 6)]
    units = [[2 ** n, 0] for n in range(shape[0].bit_length() - 1)] + [[0, 2 ** n] for n in range(shape[1].bit_length() - 1)]
    random.shuffle(units)
    for n in range(1, len(units)):
        if slanted and random.random() < 0.4:
            other = random.choice(units[:n])
            units[n] = [units[n][0] ^ other[0], units[n][1] ^ other[1]]
    return f"#ttg.shared_linear<{{offset = {units}}}, alignment = 16>", shape, 16


def padded():
    intervals = random.sample([8, 16, 32, 64, 128, 256], random.randrange(1, 4))
    pads = ", ".join(f"{n}:+{power(0, 4)}" for n in sorted(intervals))
    if random.random() < 0.5:
        shape = [power(1, 6), power(4, 8)]
        return f"#ttg.padded_shared<[{pads}] {{order = {random.choice([[1, 0], [0, 1]])}, shape = {shape}}}>", shape, 16
    text, shape, width = shared_linear(slanted=False)
    return f"#ttg.padded_shared<[{pads}] {{{re.search('offset = .*?]]', text).group()}, block = []}}>", shape, width


def partitioned():
    buffers, groups, dim = power(1, 3), power(0, 3), random.randrange(2)
    piece = [power(1, 5), power(4, 6)]
    inner = random.choice([lambda: phases("swizzled_shared"), lambda: phases("amd_rotating_shared"),
                           lambda: shared_linear(piece)])()[0]
    shape = [n * buffers * groups if d == dim else n for d, n in enumerate(piece)]
    text = f"numPartitions = {buffers}, numGroups = {groups}, partitionDim = {dim}, partitionLayout = {inner}"
    return f"#ttg.partitioned_shared<{{{text}}}>", shape, 16, buffers, (shape[dim] // buffers // groups) * (shape[1] if dim == 0 else 1)


def compare(text, shape, width, buffers=1, step=0):
    """Triton's layout is that of the first buffer; ours concatenates the buffers."""
    theirs, (ours, why) = places(text, shape, width), our_places(text, shape, width)
    size = shape[0] * shape[1] // buffers
    whole = {element + b * step: offset + b * size for element, offset in theirs.items() for b in range(buffers)}
    if whole == ours:
        return 0
    print(f"{text} of {shape}:\n  Triton   {sorted(whole.items())[:12]}\n  lanewise {sorted(ours.items())[:12]} {why}")
    return 1


bad = 0
shared = {"swizzled_shared": lambda: phases("swizzled_shared"), "amd_rotating_shared": lambda: phases("amd_rotating_shared"),
          "nvmma_shared": nvmma, "shared_linear": shared_linear, "padded_shared": padded, "partitioned_shared": partitioned}
for kind, make in shared.items():
    wrong = sum(compare(*make()) for _ in range(30))
    print(f"30 of {kind}, {wrong} differ", flush=True)
    bad += wrong

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
    rows = 32 if version == 3 and random.random() < 0.3 else 16
    for v in random.sample(range(len(warps) + len(registers)), len(warps) + len(registers)):
        d = random.randrange(2)
        (warps + registers)[v][d] = free[d]
        free[d] *= 2
    shape = [rows, 16, 128 if rows == 32 else random.choice([4, 32, 64, 128]) if version == 3 else 16]
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


def vectors(shape, lanes, warps):
    """Unit vectors, shuffled over registers, lanes and warps, with some zero vectors among the lanes and warps."""
    units = [[2 ** n, 0] for n in range(shape[0].bit_length() - 1)] + [[0, 2 ** n] for n in range(shape[1].bit_length() - 1)]
    random.shuffle(units)
    lane = [units.pop() if units and random.random() < 0.9 else [0, 0] for _ in range(lanes)]
    warp = [units.pop() if units and random.random() < 0.7 else [0, 0] for _ in range(warps)]
    return units, lane, warp


def linear():
    shape = [2 ** random.randrange(2, 7), 2 ** random.randrange(2, 7)]
    units, lanes, warps = vectors(shape, 5, 2)
    return (gluon.DistributedLinearLayout(units, lanes, warps, [], shape),
            f"#ttg.linear<{{register = {units}, lane = {lanes}, warp = {warps}, block = []}}>", 0)


def sliced():
    layout, text, _ = random.choice([blocked, nvidia, mfma, wmma, linear, lambda: operand(mfma), lambda: operand(nvidia)])()
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
        if kind == "slice":
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
# ---- Layouts that to_linear_layout refuses: their warps move two coordinates at once ----


def generic():
    """Linear, with warps that are sums of others."""
    shape = [2 ** random.randrange(2, 7), 2 ** random.randrange(2, 7)]
    units, lanes, warps = vectors(shape, 5, 2)
    for n, warp in enumerate(warps):
        others = [v for v in units + lanes if any(v) and not any(a and b for a, b in zip(v, warp))]
        if others and random.random() < 0.7:
            other = random.choice(others)
            warps[n] = [warp[0] ^ other[0], warp[1] ^ other[1]]
    return f"#ttg.generic_linear<{{register = {units}, lane = {lanes}, warp = {warps}, block = []}}>"


def slanted_wmma():
    tiles = random.choice(["register = [[2, 0]], warp = [[2, 1], [1, 0]]", "warp = [[1, 1], [0, 1]]",
                           "register = [[0, 1], [0, 2]], warp = [[2, 2], [1, 0]]", "warp = [[2, 1], [1, 0]], register = [[0, 2], [2, 0]]"])
    text = (f"#ttg.amd_wmma<{{version = 3, isTranspose = {random.choice(['true', 'false'])}, ctaLayout = {{{tiles}}}, "
            f"instrShape = [{random.choice(['16, 16, 32', '16, 16, 64', '32, 16, 128'])}]}}>")
    if random.random() < 0.5:
        text = f"#ttg.dot_op<{{opIdx = {random.randrange(2)}, parent = {text}, kWidth = 8}}>"
    return text


for kind, make in {"generic_linear": generic, "amd_wmma with slanted warps": slanted_wmma}.items():
    wrong = 0
    for _ in range(24):
        text, shape = make(), [2 ** random.randrange(3, 9), 2 ** random.randrange(3, 9)]
        value = parsed(text, shape, "arith.constant dense<0.0> : tensor<SHAPExf16, #layout>", "arith.constant")
        flat = lists(str(builder.create_reshape(value, [shape[0] * shape[1]], False).get_type()))
        theirs = [[divmod(v[0], shape[1]) for v in flat.get(name, [])] for name in ("register", "lane", "warp", "block")]
        run = subprocess.run([lanewise, "layout", "--convert", text, "--shape", "x".join(map(str, shape)), "--to", "triton"],
                             capture_output=True, text=True)
        ours = all_vectors(run.stdout)
        if theirs != ours:
            print(f"{text} of {shape}:\n  Triton   {theirs}\n  lanewise {ours} {run.stderr}")
            wrong += 1
    print(f"24 of {kind}, {wrong} differ", flush=True)
    bad += wrong

# ---- Are these all kinds? ----

known = set(shared) | {"blocked", "slice", "dot_op", "nvidia_mma", "amd_mfma", "amd_wmma", "linear", "generic_linear"}
# A layout chosen later; tensor memory, which no GPU here has; no layouts at all.
others = {"auto_encoding", "coalesced_encoding", "tensor_memory_encoding", "tensor_memory_scales_encoding", "shared_memory",
          "tensor_memory", "cache_policy"}
declared = set()
for path in glob.glob(os.path.join(os.path.dirname(triton.__file__), "include/**/*AttrDefs.td"), recursive=True):
    with open(path) as file:
        declared |= set(re.findall(r'let mnemonic = "(\w+)"', file.read()))
if declared and declared != known | others:
    print(f"Triton declares other attributes: {sorted(declared ^ (known | others))}")
    bad += 1
print(f"{len(declared)} attributes declared, {len(known)} of them layouts that are compared")
sys.stdout.flush()
sys.exit(bad > 0)
