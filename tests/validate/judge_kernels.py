#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The kernels of `lanewise validate --device`, judged by the vendors' tools: ptxas compiles every PTX text for the
target that it names; llvm-mc disassembles every AMD kernel, in which the instruction asked for must stand once, with
its modifiers, and the registers that it reads must be those that were loaded.
Of PTX every third kernel, all with LW_FULL=1.
--only: one kind of kernel, all of them; probes of AMD are one instruction on its operands like the others.
Usage: judge_kernels.py WRITE_KERNELS [--only GROUP] ARCH...   Status 77: a tool is missing."""
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile

OFFSET, ROOM = 1280, 2048  # of the code in a code object: cli/gpu/templates.inc
PER_GROUP = 16  # cases of a workgroup of a function: cli/gpu/subject.h
NEWER = "9.1"  # a version of PTX that ptxas 13.0 does not know


def ptxas():
    found = shutil.which("ptxas") or os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "bin/ptxas")
    return found if os.path.exists(found) else None


def judge_ptx(folder, names, all_of_them):
    """Kernels with the same head are compiled together."""
    tool = ptxas()
    if not tool:
        print("no ptxas here")
        sys.exit(77)
    if os.environ.get("LW_FULL", "0") == "0" and not all_of_them:
        names = names[::3]
    modules = collections.defaultdict(str)
    newer = 0
    for number, _, _, name in names:
        head, body = open(f"{folder}/{number}.ptx").read().split(".visible", 1)
        if head.startswith(f".version {NEWER}\n"):
            newer += 1
            continue
        # a comment names the kernel in what ptxas says
        modules[head] += f"// {name}\n.visible" + body.replace("entry k(", f"entry k{number}(")
    for head, body in modules.items():
        target = re.search(r"\.target (\S+)", head).group(1)
        path = f"{folder}/module.ptx"
        with open(path, "w") as file:
            file.write(head + body)
        run = subprocess.run([tool, f"-arch={target}", "-O0", "-o", "/dev/null", path], capture_output=True, text=True)
        assert run.returncode == 0, f"{head}{run.stderr[:2000]}"
    assert newer <= 8, f"{newer} kernels need PTX {NEWER}"


def instruction(name):
    words = [word for word in name.split() if not word.startswith("wave:")]
    return re.sub(r"_e64$", "", words[0]), words[1:]


def code_of(path):
    code = open(path, "rb").read()[OFFSET : OFFSET + ROOM]
    return " ".join(f"0x{byte:02x}" for byte in code.rstrip(b"\0"))


def spelling_of(folder, number):
    """What a probe asks, which write_kernels puts beside its kernel."""
    return open(f"{folder}/{number}.txt").read().strip()


def listing(tool, arch, lanes, codes):
    features = "-mattr=+wavefrontsize64" if lanes == "64" and arch.startswith("gfx1") else ""
    run = subprocess.run([tool, "-arch=amdgcn", f"-mcpu={arch}", *features.split(), "--disassemble"],
                         input="\n".join(codes), capture_output=True, text=True)
    assert not run.stderr.strip(), run.stderr[:2000]
    return [re.sub(r"\s+", " ", line.split("//")[0].split(";")[0]).strip() for line in run.stdout.splitlines()]


def check_kernel(name, lines, times):
    """One kernel's lines, up to s_endpgm; the instruction stands there so many times."""
    mnemonic, modifiers = instruction(name)
    at = [i for i, line in enumerate(lines) if re.sub(r"_e64$", "", line.split()[0]) == mnemonic]
    # a move stands among those that clear the result
    assert len(at) == times or mnemonic == "v_mov_b32", f"{name}: {len(at)} times in {lines}"
    for modifier in modifiers:
        if re.match(r"(cbsz|blgp|abid):0$", modifier):
            continue
        # op_sel's own default is left out by the disassembler; the operand it has no part in is left out here
        line = lines[at[-1]]
        assert modifier.rstrip("]").replace(",0", "") in line.replace(",0", ""), f"{name}: no {modifier} in '{line}'"
    for word in re.findall(r"\bmatrix_[ab]_reuse\b", lines[at[-1]] if at else ""):
        assert word in modifiers, f"{name}: nobody asked for {word}"
    assert sum("load" in l for l in lines) >= 2 and any("store" in l for l in lines), name
    loaded = {int(r) for l in lines if l.startswith("global_load") for r in re.findall(r" v(\d+), v0", l)}
    for number, line in enumerate(lines[i] for i in at[-times:]):
        for first, last in re.findall(r"\bv\[?(\d+)(?::(\d+)\])?", line)[1:]:
            registers = range(int(first), int(last or first) + 1)
            assert loaded.issuperset(registers) or "gfx908" in name, f"{name}: v{first} is not loaded: {line}"
            assert times == 1 or int(first) == min(loaded) + number, f"{name}: case {number} reads v{first}"


def judge_amd(folder, names, arch, probes):
    tool = shutil.which("llvm-mc-22")
    if not tool:
        print("no llvm-mc-22 here")
        sys.exit(77)
    for lanes in sorted({lanes for _, lanes, _, _ in names}):
        own = [(number, group, name) for number, wave, group, name in names if wave == lanes and (group == "probe") == probes]
        lines = listing(tool, arch, lanes, [code_of(f"{folder}/{number}.co") for number, _, _ in own])
        for number, group, name in own:
            if probes:
                name = spelling_of(folder, number)
            end = lines.index("s_endpgm")
            check_kernel(name, lines[:end], PER_GROUP if group == "inputs" else 1)
            del lines[: end + 1]
        assert not [line for line in lines if line and not line.startswith(".")], lines[:5]


def main():
    program, *archs = sys.argv[1:]
    only = archs[1:2] if archs[0] == "--only" else []
    for arch in archs[2 * len(only):]:
        with tempfile.TemporaryDirectory() as folder:
            out = subprocess.run([program, arch, folder, *only], capture_output=True, text=True, check=True).stdout
            names = [line.split(" ", 3) for line in out.splitlines()]
            assert len(names) >= (3 if only else 200), f"{arch}: only {len(names)} kernels"
            if arch.startswith("gfx"):
                judge_amd(folder, names, arch, only == ["probe"])
            else:
                judge_ptx(folder, names, bool(only))
            print(f"{arch}: {len(names)} kernels")


main()
