# SPDX-License-Identifier: MIT
"""schedule --check takes the configurations that schedule derives, in both pipelines, and refuses every beginning of them, and
damaged ones, with a column. Usage: schedule_config.py LANEWISE"""
import os
import subprocess
import sys

lanewise = sys.argv[1]
bad = 0


def check(size, arch, text):
    return subprocess.run([lanewise, "schedule", size, "--types", "f16,f16,f32", "--arch", arch, "--check", text],
                          capture_output=True, text=True)


def wrong(what, text, got):
    global bad
    bad = 1
    print(f"wrong: {what}: exit status {got.returncode}\n  {text}\n  {got.stdout[-200:]}{got.stderr}")


for pipeline in ("tile-and-fuse", "vector-distribute"):
    for size, arch in (("128x256x512", "gfx1201"), ("4096x4096x4096", "gfx942"), ("512x512x512", "gfx90a")):
        derived = subprocess.run([lanewise, "schedule", size, "--types", "f16,f16,f32", "--arch", arch, "--pipeline", pipeline],
                                 capture_output=True, text=True, check=True).stdout
        (text,) = [line for line in derived.splitlines() if line.startswith("#iree_gpu")]
        got = check(size, arch, text)
        if got.returncode or not got.stdout.endswith("this is what IREE derives\n"):
            wrong("its own schedule", text, got)
        if arch != "gfx942":
            continue
        step = 7 if os.environ.get("LW_SAMPLE") else 1
        for n in range(0, len(text), step):
            got = check(size, arch, text[:n])
            if got.returncode != 2 or "--check: column " not in got.stderr:
                wrong("a beginning", text[:n], got)
        for n in range(0, len(text), 3 * step):
            damaged = text[:n] + "]<,7}="[n % 6] + text[n + 1:]
            got = check(size, arch, damaged)
            if got.returncode not in (0, 1, 2) or (got.returncode == 2 and "--check: " not in got.stderr):
                wrong("a changed character", damaged, got)
sys.exit(bad)
