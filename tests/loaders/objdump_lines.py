# SPDX-License-Identifier: MIT
"""`lanewise disasm -l` compared with `llvm-objdump-22 -d -l`, for kernels compiled here: the source line of every instruction,
and where it is printed. Not compared: names of functions, which come from the symbol table here and from .debug_info there
(also for inlined code), and discriminators, which are left out. Usage: objdump_lines.py LANEWISE ROOT; status 77 if tools are missing."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

CODE = re.compile(r'^\t(\S.*?)\s+// ([0-9A-F]{12}):')
LINE = re.compile(r'^; (.*):(\d+)(?: \(discriminator \d+\))?$')


def told(command):
    """[(address, text, (file, line), was it printed just above)]"""
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found, line, fresh = [], None, False
    for row in out.splitlines():
        place, code = LINE.match(row), CODE.match(row)
        if row.endswith(">:"):
            line = None
        elif place and (place[1], int(place[2])) != line:
            line, fresh = (place[1], int(place[2])), True
        elif code:
            found.append((int(code[2], 16), code[1], line, fresh))
            fresh = False
    return found


def same(ours, theirs):
    """A path of ours may be relative to the compiler's folder (DWARF 2 to 4)."""
    if ours is None or theirs is None:
        return ours is theirs
    return ours[1] == theirs[1] and (ours[0] == theirs[0] or theirs[0].endswith("/" + ours[0]))


def main():
    program, root = sys.argv[1:]
    for tool in ("clang-22", "ld.lld-22", "llvm-objdump-22"):
        if not shutil.which(tool):
            print(f"{tool} is not installed")
            sys.exit(77)
    instructions = printed = 0
    with tempfile.TemporaryDirectory() as folder:
        for source in ("tests/data/loaders/lines.hip", "examples/kernels/vector_add.hip", "examples/kernels/mxfp4_basic.hip"):
            arch = "gfx950" if "mxfp4" in source else "gfx942"
            for options in (["-gdwarf-4"], ["-gdwarf-5"], ["-gdwarf-5", "-O0"]):
                out = os.path.join(folder, "k.co")
                subprocess.run(["clang-22", "-x", "hip", "--cuda-device-only", "--no-gpu-bundle-output", "-nogpulib", "-nogpuinc",
                                "-fuse-cuid=none", "--offload-arch=" + arch, "-std=c++17", "-O2", *options,
                                os.path.basename(source), "-o", out], cwd=os.path.dirname(os.path.join(root, source)), check=True)
                mine, its = told([program, "disasm", "-l", out]), told(["llvm-objdump-22", "-d", "-l", out])
                assert len(mine) == len(its), (source, options, len(mine), len(its))
                for a, b in zip(mine, its):
                    if a[:2] != b[:2] or a[3] != b[3] or not same(a[2], b[2]):
                        sys.exit(f"{source} {' '.join(options)}: {a}, llvm-objdump says {b}")
                instructions += len(mine)
                printed += sum(row[3] for row in mine)
    assert instructions > 1000 and printed > 200, (instructions, printed)
    print(f"{instructions} instructions, {printed} source lines as llvm-objdump prints them")


main()
