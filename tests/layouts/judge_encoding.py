# SPDX-License-Identifier: MIT
"""iree-compile's own data tiling compared with `lanewise pack --data-tiled`, for random matrix products: the attribute, the
shapes of A, B and C, and where the compiler's map puts random elements.

Usage: judge_encoding.py LANEWISE. Exit status 77 if iree-base-compiler is not installed. LW_FULL=1: 100 products instead of 8.
"""
import math
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

try:
    import iree.compiler  # noqa: F401
    compiler = os.path.join(os.path.dirname(sys.executable), "iree-compile")
    assert os.path.exists(compiler)
except Exception as error:
    print(f"iree-base-compiler is not installed: {error}")
    sys.exit(77)

lanewise = sys.argv[1]
random.seed(int(os.environ.get("LW_SEED", "1")))
FP8 = {"gfx942": "f8E4M3FNUZ", "gfx950": "f8E4M3FN", "gfx1201": "f8E4M3FN", "gfx1250": "f8E4M3FN"}
TYPES = {"gfx942": ["f16", "bf16", "i8", "f32", "fp8"], "gfx950": ["f16", "bf16", "i8", "f32", "fp8"],
         "gfx1201": ["f16", "bf16", "i8", "fp8"], "gfx90a": ["f16", "bf16", "i8", "f32"], "gfx908": ["f16", "i8", "f32"],
         "gfx1100": ["f16", "bf16", "i8"], "gfx1250": ["f16", "bf16", "i8", "f32", "fp8"]}
CHIPS = {"gfx942": ["mi300x", "mi308x"], "gfx90a": ["mi250x"], "gfx1100": ["rx7900xtx"], "gfx1201": ["rx9070xt"]}
ONLY = os.environ.get("LW_ONLY")  # one target


def compiled(m, n, k, a, c, target):
    zero = "0.0" if c[0] == "f" else "0"
    text = f"""func.func @mm(%a: tensor<{m}x{k}x{a}>, %b: tensor<{k}x{n}x{a}>) -> tensor<{m}x{n}x{c}> {{
  %z = arith.constant {zero} : {c}
  %e = tensor.empty() : tensor<{m}x{n}x{c}>
  %f = linalg.fill ins(%z : {c}) outs(%e : tensor<{m}x{n}x{c}>) -> tensor<{m}x{n}x{c}>
  %r = linalg.matmul ins(%a, %b : tensor<{m}x{k}x{a}>, tensor<{k}x{n}x{a}>) outs(%f : tensor<{m}x{n}x{c}>) -> tensor<{m}x{n}x{c}>
  return %r : tensor<{m}x{n}x{c}>
}}
"""
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()
        return subprocess.run([compiler, file.name, "--iree-hal-target-device=hip", f"--iree-rocm-target={target}",
                               "--iree-opt-data-tiling", "--iree-rocm-encoding-layout-resolver=data-tiling",
                               "--compile-to=executable-configurations", "-o", "-"], capture_output=True, text=True).stdout


def maps(text):
    """(shape of the matrix, shape packed) to a function from row and column to the packed index."""
    found = {}
    block = re.compile(r"map_store.*?\^bb0\(%arg0: index, %arg1: index\):\n(.*?)iree_linalg_ext\.yield (.*?) :.*?\n"
                       r"\s*} : tensor<(\d+)x(\d+)x\w+> into tensor<((?:\d+x)+)\w+>", re.S)
    for body, yielded, rows, cols, packed in block.findall(text):
        steps = re.findall(r"(%\d+):\d+ = affine\.delinearize_index (%\w+(?:#\d+)?) into \(([0-9, ]+)\)", body)

        def place(row, col, steps=steps, yielded=yielded):
            values = {"%arg0": row, "%arg1": col}
            for name, source, bases in steps:
                rest, sizes = values[source], [int(b) for b in bases.split(",")]
                for n in range(len(sizes) - 1, -1, -1):
                    values[f"{name}#{n}"], rest = (rest % sizes[n], rest // sizes[n]) if n else (rest, 0)
            return [int(v[2:]) if v.startswith("%c") else values[v] for v in yielded.split(", ")[:-1]]
        found[(int(rows), int(cols), packed)] = place
    return found


def results(text):
    """(shape of the matrix, shape packed) of C to a function from the packed index to row and column."""
    found = {}
    block = re.compile(r"map_store[^\n]*\n\s*\^bb0\(([^)]*)\):\n(.*?)iree_linalg_ext\.yield (.*?) :.*?\n"
                       r"\s*} : tensor<((?:\d+x){5,})\w+> into tensor<(\d+)x(\d+)x\w+>", re.S)
    for arguments, body, yielded, packed, rows, cols in block.findall(text):
        names = [a.split(":")[0].strip() for a in arguments.split(",")]
        steps = re.findall(r"(%\d+) = affine\.linearize_index disjoint \[([^\]]*)\] by \(([0-9, ]+)\)", body)

        def place(index, names=names, steps=steps, yielded=yielded):
            values = dict(zip(names, index))
            for name, parts, bases in steps:
                values[name] = 0
                for part, base in zip(parts.split(", "), bases.split(", ")):
                    values[name] = values[name] * int(base) + values[part]
            return [values[v] for v in yielded.split(", ")[:2]]
        found[(int(rows), int(cols), packed)] = place
    return found


def array(path, rows, cols):
    head = f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({rows}, {cols}), }}"
    head += " " * (117 - len(head)) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + bytes(rows * cols))


def ours(path, product, types, arch, chip, operand):
    run = subprocess.run([lanewise, "pack", path, "--data-tiled", product, "--types", types, "--arch", arch, "--operand", operand] +
                         (["--chip", chip] if chip else []), capture_output=True, text=True)
    lines = run.stdout.splitlines()
    return (lines[1].split()[1], lines[2].split("= ")[1], lines[4]) if run.returncode == 0 else (run.stderr, "", "")


def follows(place, rows, cols, shape, formula):
    """Are random elements where the formula says?"""
    for _ in range(50):
        row, col, offset = random.randrange(rows), random.randrange(cols), 0
        for index, extent in zip(place(row, col), shape.split("x")):
            offset = offset * int(extent) + index
        if offset != eval(formula.replace("/", "//"), {"d0": row, "d1": col}):
            return False
    return True


def size(shape):
    return math.prod(int(n) for n in shape.rstrip("x").split("x"))


def leads_back(place, rows, cols, shape, formula):
    """Do random places of the packed C hold the element that the formula puts there?"""
    extents = [int(n) for n in shape.rstrip("x").split("x")]
    for _ in range(50):
        index, offset = [random.randrange(n) for n in extents], 0
        for n, extent in zip(index, extents):
            offset = offset * extent + n
        row, col = place(index)
        if row < rows and col < cols and offset != eval(formula.replace("/", "//"), {"d0": row, "d1": col}):
            return False
    return True


bad = checked = 0
count = 100 if os.environ.get("LW_FULL") == "1" else 8
with tempfile.TemporaryDirectory() as folder:
    for _ in range(count):
        arch = ONLY or random.choice(list(TYPES))
        a = random.choice(TYPES[arch])
        c = "i32" if a == "i8" else "f32"
        chip = random.choice(CHIPS.get(arch, [None])) if random.random() < 0.3 else None
        m, n, k = (random.choice([16, 60, 128, 300, 333, 512, 777, 1024, 2048, 4096]) for _ in range(3))
        text = compiled(m, n, k, FP8[arch] if a == "fp8" else a, c, chip or arch)
        attributes = set(re.findall(r"#iree_gpu\.data_tiled_mma_layout<[^>]*>", text))
        packed = {s[:-1] for s in re.findall(r"memref<((?:\d+x){5,})\w+, #amdgpu", text)}
        mine = {}
        for operand, rows, cols in (("A", m, k), ("B", k, n), ("C", m, n)):
            array(f"{folder}/m.npy", rows, cols)
            mine[operand] = (rows, cols) + ours(f"{folder}/m.npy", f"{m}x{n}x{k}", f"{a},{a},{c}", arch, chip, operand)
        fine = {x[4] for x in mine.values()} == attributes and packed <= {x[2] for x in mine.values()}
        for (rows, cols, shape), place in maps(text).items():
            alike = [x for x in mine.values() if (rows, cols) == x[:2] and x[2].count("x") and size(x[2]) == size(shape)]
            checked += len(alike) > 0
            fine = fine and (not alike or any(follows(place, *x[:2], shape.rstrip("x"), x[3]) for x in alike))
        for (rows, cols, shape), place in results(text).items():
            c_mine = mine["C"]
            checked += 1
            fine = fine and shape.rstrip("x") == c_mine[2] and leads_back(place, *c_mine[:2], shape, c_mine[3])
        if not fine:
            print(f"{m}x{n}x{k} {a} {arch} {chip}:\n  IREE     {attributes} {packed}\n  lanewise {mine}")
            bad += 1
print(f"{count} products, {bad} differ; {checked} maps followed")
sys.exit(bad > 0 or checked == 0)
