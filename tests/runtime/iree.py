# SPDX-License-Identifier: MIT
"""IREE's own program runs matrix products on the stand-ins for HIP's runtime and the CUDA driver.

Usage: iree.py LANEWISE. Exit status 77 if iree-compile, iree-run-module or NumPy is not there.
"""
import os
import shutil
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("skipped: NumPy is not installed")
    sys.exit(77)

lanewise = sys.argv[1]
folder = os.path.dirname(sys.executable)
path = folder + os.pathsep + os.environ["PATH"]
compiler, runner = shutil.which("iree-compile", path=path), shutil.which("iree-run-module", path=path)
if not compiler or not runner:
    print("skipped: iree-compile and iree-run-module (iree-base-compiler, iree-base-runtime) are not installed")
    sys.exit(77)

M, N, K = 64, 128, 512
PRODUCT = f"""
func.func @main(%a: tensor<{M}x{K}xf16>, %b: tensor<{K}x{N}xf16>) -> tensor<{M}x{N}xf32> {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<{M}x{N}xf32>
  %c = linalg.fill ins(%zero : f32) outs(%empty : tensor<{M}x{N}xf32>) -> tensor<{M}x{N}xf32>
  %d = linalg.matmul ins(%a, %b : tensor<{M}x{K}xf16>, tensor<{K}x{N}xf16>) outs(%c : tensor<{M}x{N}xf32>) -> tensor<{M}x{N}xf32>
  return %d : tensor<{M}x{N}xf32>
}}
"""


def run(driver, target, device):
    """The product, what the report says, and the exit status."""
    module = f"{target}.vmfb"
    option = {"hip": "--iree-rocm-target", "cuda": "--iree-cuda-target"}[driver]
    subprocess.run([compiler, "product.mlir", f"--iree-hal-target-device={driver}", f"{option}={target}", "-o", module], check=True)
    got = subprocess.run([lanewise, "exec", "--arch", device, "--", runner, f"--device={driver}", f"--module={module}",
                          "--function=main", "--input=@a.npy", "--input=@b.npy", "--output=@d.npy"], capture_output=True, text=True)
    if got.returncode:
        print(got.stderr)
    return np.load("d.npy"), got.stderr, got.returncode


def repeat(driver, target, device):
    """The launch captured, and run again from its file: what the replay says."""
    shutil.rmtree("captured", ignore_errors=True)
    module = f"{target}.vmfb"
    subprocess.run([lanewise, "exec", "--arch", device, "--", lanewise, "capture", "--output", "captured", "--", runner,
                    f"--device={driver}", f"--module={module}", "--function=main", "--input=@a.npy", "--input=@b.npy",
                    "--output=@d.npy"], capture_output=True, check=True)
    (file,) = os.listdir("captured")
    got = subprocess.run([lanewise, "run", "--capture", f"captured/{file}", "--check", "races"], capture_output=True, text=True)
    return got.stdout + got.stderr, got.returncode


bad = 0
with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    with open("product.mlir", "w") as file:
        file.write(PRODUCT)
    random = np.random.default_rng(1)
    a = random.integers(-8, 9, (M, K)).astype("f2")
    b = random.integers(-8, 9, (K, N)).astype("f2")
    np.save("a.npy", a)
    np.save("b.npy", b)
    want = a.astype("f4") @ b.astype("f4")
    cases = [("hip", target, target) for target in ["gfx90a", "gfx942", "gfx950", "gfx1201", "gfx1100"]]
    for driver, target, device in cases + [("cuda", "sm_80", "sm_80"), ("cuda", "sm_80", "sm_90")]:
        got, report, status = run(driver, target, device)
        # gfx1100 counts a term of the other sign as its one's complement: off by at most an ulp of 2048 in each of 256 steps
        good = np.array_equal(got, want) if target != "gfx1100" else 0 < np.abs(got - want).max() < 256 * 2.0**-12
        if not good or status or "1 launch of 1 kernel" not in report:
            print(f"wrong: {target} on {device}: status {status}, {np.count_nonzero(got != want)} elements differ\n{report}")
            bad = 1
        if not os.path.exists(os.path.join(os.path.dirname(lanewise), "../runtime/standins/liblanewise-capture.so")):
            continue
        said, status = repeat(driver, target, device)
        if status or "bytes that the launch could reach are as on the GPU" not in said:
            print(f"wrong: the captured launch of {target} on {device}: status {status}\n{said}")
            bad = 1
sys.exit(bad)
