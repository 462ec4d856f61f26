#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Line tables compared with llvm-dwarfdump, row by row and word by word: its output for the committed objects is stored
with them; if clang-22 and llvm-dwarfdump-22 are installed, kernels are also compiled with every version and compression.
Usage: lines.py PROGRAM ROOT [--compile]. With --compile only the latter; status 77 if the tools are absent."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

LW_E_ABSENT = "8"


def path_of(version, directories, name, index):
    """The file's path by DWARF 5, 6.2.4.1, and by the older versions: directory 0 is the compiler's."""
    if name.startswith("/"):
        return name
    if version < 5:
        return f"{directories[index]}/{name}" if index else name
    folder = directories[index]
    if index and not folder.startswith("/"):
        folder = f"{directories[0]}/{folder}"
    return f"{folder}/{name}"


def dwarfdump(text):
    """Sequences, each a list of (address, line, column, path, is the end), of llvm-dwarfdump --debug-line."""
    sequences, rows = [], []
    for table in text.split("Line table prologue:")[1:]:
        version = int(re.search(r"\bversion: (\d+)", table).group(1))
        directories = {int(i): d for i, d in re.findall(r'include_directories\[ *(\d+)\] = "(.*)"', table)}
        files = {int(i): path_of(version, directories, name, int(d)) for i, name, d in
                 re.findall(r'file_names\[ *(\d+)\]:\s+name: "(.*)"\s+dir_index: (\d+)', table)}
        for a, line, column, file, flags in re.findall(r"^0x([0-9a-f]{16}) +(\d+) +(\d+) +(\d+) +\d+ +\d+ +\d+ *(.*)$",
                                                       table, re.M):
            rows.append((int(a, 16), int(line), int(column), files[int(file)], "end_sequence" in flags))
            if rows[-1][4]:
                sequences.append(rows)
                rows = []
    assert not rows, "a sequence without an end"
    return sorted(sequences, key=lambda s: s[0][0])


def compare(program, path, text, absent_allowed):
    """Compares rows and words; None if the build cannot decompress the file."""
    said = subprocess.run([program, path], capture_output=True, text=True, check=True).stdout.splitlines()
    if said == ["no " + LW_E_ABSENT] and absent_allowed:
        return None
    expected, words = [], {}
    for sequence in dwarfdump(text):
        assert sequence[0][0] != 0, "a function that the linker removed"
        for row, following in zip(sequence, sequence[1:]):
            expected.append(f"row {row[0]:#x} {row[1]} {row[2]} {row[3]}")
            for at in range(row[0], following[0], 4):
                words[at] = f"is {at:#x} {row[1]} {row[2]} {row[3]}"
        expected.append(f"end {sequence[-1][0]:#x}")
    expected += [words[at] for at in sorted(words)]
    if said != expected:
        for ours, theirs in zip(said + ["(nothing)"], expected + ["(nothing)"]):
            if ours != theirs:
                sys.exit(f"{path}: '{ours}', llvm-dwarfdump says '{theirs}'")
    return len(expected) - len(words), len(words)


def committed(program, root):
    total, skipped = [0, 0], 0
    objects = sorted(glob.glob(root + "/tests/data/loaders/lines_*.co"))
    for path in objects:
        counts = compare(program, path, open(path[:-3] + ".txt").read(), "zlib" in path or "zstd" in path)
        skipped += counts is None
        total = [a + b for a, b in zip(total, counts or (0, 0))]
    plain = sorted(glob.glob(root + "/examples/objects/*.co"))
    for path in plain:
        said = subprocess.run([program, path], capture_output=True, text=True, check=True).stdout
        assert said == "no 3\n", path
    assert len(objects) == 6 and total[0] > 150 and total[1] > 500 and plain, (objects, total, plain)
    print(f"{len(objects)} objects, {total[0]} rows, {total[1]} words of code as llvm-dwarfdump says; {len(plain)} objects "
          f"without lines; {skipped} skipped: compressed in a way that this build cannot read")


def compiled(program, root):
    for tool in ("clang-22", "ld.lld-22", "llvm-dwarfdump-22"):
        if not shutil.which(tool):
            print(f"{tool} is not installed")
            sys.exit(77)
    total, objects, skipped = [0, 0], 0, 0
    sources = [root + "/tests/data/loaders/lines.hip", root + "/examples/kernels/vector_add.hip",
               root + "/examples/kernels/mxfp4_basic.hip", root + "/examples/kernels/skinny_vdmfma.hip"]
    with tempfile.TemporaryDirectory() as folder:
        for source in sources:
            arch = "gfx950" if "mxfp4" in source else "gfx942"
            for options in (["-gdwarf-2"], ["-gdwarf-3"], ["-gdwarf-4"], ["-gdwarf-5"], ["-gdwarf-4", "-gz=zlib"],
                            ["-gdwarf-5", "-gz=zlib"], ["-gdwarf-5", "-gz=zstd"], ["-gdwarf-5", "-gdwarf64"],
                            ["-gdwarf-5", "-O0"], ["-gline-tables-only"]):
                out = os.path.join(folder, "k.co")
                made = subprocess.run(["clang-22", "-x", "hip", "--cuda-device-only", "--no-gpu-bundle-output", "-nogpulib",
                                       "-nogpuinc", "-fuse-cuid=none", "--offload-arch=" + arch, "-std=c++17", "-O2",
                                       *options, os.path.basename(source), "-o", out], cwd=os.path.dirname(source),
                                      capture_output=True, text=True)
                if made.returncode:
                    skipped += 1
                    print(f"skipped {os.path.basename(source)} {' '.join(options)}: {made.stderr.splitlines()[0]}")
                    continue
                text = subprocess.run(["llvm-dwarfdump-22", "--debug-line", out], capture_output=True, text=True,
                                      check=True).stdout
                counts = compare(program, out, text, any("-gz" in o for o in options))
                skipped += counts is None
                objects += counts is not None
                total = [a + b for a, b in zip(total, counts or (0, 0))]
    assert objects >= 24 and total[0] > 2000, (objects, total)
    print(f"{objects} compiled objects, {total[0]} rows, {total[1]} words of code as llvm-dwarfdump says; {skipped} skipped")


if "--compile" in sys.argv:
    compiled(sys.argv[1], sys.argv[2])
else:
    committed(sys.argv[1], sys.argv[2])
