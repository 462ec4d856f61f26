# SPDX-License-Identifier: MIT
"""iree-compile's own lowering_config compared with `lanewise schedule`, for random matrix products.

Usage: judge_iree.py LANEWISE. Exit status 77 if iree-base-compiler is not installed. LW_FULL=1: 200 products instead of 24.
"""
import os
import random
import re
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
seed = int(os.environ.get("LW_SEED", "1"))
random.seed(seed)
CHIPS = {"gfx942": ["mi300x", "mi308x"], "gfx90a": ["mi250x"], "gfx1100": ["rx7900xtx"], "gfx1201": ["rx9070xt"]}
TYPES = [("f16", "f32"), ("bf16", "f32"), ("i8", "i32")]


def theirs(m, n, k, a, c, target, older):
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
        run = subprocess.run([compiler, file.name, "--iree-hal-target-device=hip", f"--iree-rocm-target={target}",
                              "--compile-to=executable-configurations", "-o", "-"] +
                             (["--iree-codegen-llvmgpu-use-tile-and-fuse-matmul=false"] if older else []),
                             capture_output=True, text=True)
    found = re.findall(r"lowering_config<\{[^\n]*mma_kind[^\n]*", run.stdout)
    return facts(found[0]) if found else None


def facts(line):
    def numbers(name):
        found = re.search(r"[ {]" + name + r" = \[+([0-9, ]*)", line)
        return [int(x) for x in found.group(1).split(",")] if found else None
    return (re.search(r"layout<(\w+)", line).group(1), numbers("padding"), numbers("reduction"), numbers("subgroup"),
            numbers("subgroup_basis"), numbers("workgroup"))


def ours(m, n, k, a, c, arch, chip, older):
    run = subprocess.run([lanewise, "schedule", f"{m}x{n}x{k}", "--types", f"{a},{a},{c}", "--arch", arch] +
                         (["--chip", chip] if chip else []) + (["--pipeline", "vector-distribute"] if older else []),
                         capture_output=True, text=True)
    found = re.findall(r"lowering_config<\{.*", run.stdout)
    return facts(found[0]) if found else None


def size(ragged):
    if random.random() < ragged:
        return random.randrange(9, 1200)
    return random.choice([16, 32, 48, 64, 96, 128, 160, 256, 320, 512, 768, 1024, 1536, 2048, 4096, 5120, 8192])


bad = none = 0
count = 200 if os.environ.get("LW_FULL") == "1" else 24
for n in range(count):
    arch = random.choice(["gfx908", "gfx90a", "gfx942", "gfx1100", "gfx1201", "gfx1250"])
    chip = random.choice(CHIPS.get(arch, [None])) if random.random() < 0.3 else None
    older = random.random() < 0.2
    a, c = random.choice(TYPES)
    if a == "bf16" and arch == "gfx908":
        a = "f16"
    dims = [size(0.3) for _ in range(3)]
    if random.random() < 0.15:
        dims[0] = random.randrange(1, 9)
    want = theirs(*dims, a, c, chip or arch, older)
    have = ours(*dims, a, c, arch, chip, older)
    none += want is None
    if want != have:
        print(f"{dims} {a} {arch} {chip} {'vector-distribute' if older else ''}:\n  IREE     {want}\n  lanewise {have}")
        bad += 1
print(f"{count} products, {bad} differ; IREE took no matrix instruction for {none}")
sys.exit(bad > 0)
