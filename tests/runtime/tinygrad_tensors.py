# SPDX-License-Identifier: MIT
"""tinygrad's CUDA device, which writes PTX, runs on the stand-in for the CUDA driver.

Usage: tinygrad_tensors.py LANEWISE STANDINS. Exit status 77 if tinygrad 0.12 or NumPy is not installed.
"""
import importlib.metadata
import os
import subprocess
import sys

PROGRAM = """
import numpy as np
from tinygrad import Device, Tensor
random = np.random.default_rng(0)
a = random.integers(-4, 5, (64, 64)).astype("f4")
b = random.integers(-4, 5, (64, 64)).astype("f4")
assert Device.DEFAULT == "CUDA", Device.DEFAULT
assert np.array_equal((Tensor(a) @ Tensor(b)).numpy(), a @ b)
assert np.array_equal((Tensor(a).half() @ Tensor(b).half()).numpy().astype("f4"), a @ b)  # tensor cores
exp = np.exp(a.astype("f8"))
assert np.abs(Tensor(a).softmax().numpy() - exp / exp.sum(1, keepdims=True)).max() < 1e-6
assert np.array_equal(Tensor(a).sort()[0].numpy(), np.sort(a))
assert np.array_equal(Tensor(a).cumsum(1).numpy(), np.cumsum(a, 1))
image = random.integers(-2, 3, (1, 4, 8, 8)).astype("f4")
weights = random.integers(-2, 3, (2, 4, 3, 3)).astype("f4")
want = np.zeros((1, 2, 6, 6), "f4")
for y in range(6):
    for x in range(6):
        want[0, :, y, x] = (weights * image[:, :, y:y + 3, x:x + 3]).sum((1, 2, 3))
assert np.array_equal(Tensor(image).conv2d(Tensor(weights)).numpy(), want)
"""

try:
    import numpy  # noqa: F401
    version = importlib.metadata.version("tinygrad")
except (ImportError, importlib.metadata.PackageNotFoundError):
    version = ""
if not version.startswith("0.12."):
    print("skipped: tinygrad 0.12 and NumPy are not installed")
    sys.exit(77)
lanewise, standins = sys.argv[1:]
# tinygrad 0.12 takes the driver's file from CUDA_PATH, and keeps compiled kernels in a cache of its own
environment = dict(os.environ, CUDA="1", CUDA_PTX="1", CUDA_PATH=os.path.join(standins, "libcuda.so.1"), CACHELEVEL="0")
for device in ["sm_80", "sm_90"]:
    got = subprocess.run([lanewise, "exec", "--arch", device, "--", sys.executable, "-c", PROGRAM], env=environment,
                         capture_output=True, text=True)
    if got.returncode or " launches of " not in got.stderr:
        print(f"wrong: {device}: status {got.returncode}\n{got.stdout}{got.stderr}")
        sys.exit(1)
