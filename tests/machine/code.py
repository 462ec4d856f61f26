#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Assembles code.s with llvm-mc into code.inc, a word list per `# name: NAME` block.

usage: code.py write|check     check exits 77 where llvm-mc-22 is absent
"""
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
MC = shutil.which("llvm-mc-22")


def assemble(arch, texts, attributes=()):
    """The 32-bit words of several assembler texts without relocations."""
    command = [MC, "-triple=amdgcn-amd-amdhsa", "-mcpu=" + arch, "-mattr=" + ",".join(attributes), "-show-encoding"]
    source = "".join("block_%d:\n%s" % (i, text) for i, text in enumerate(texts))
    out = subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout
    results = []
    for part in re.split(r"^block_\d+:", out, flags=re.M)[1:]:
        data = []
        for encoding, literal in re.findall(r"encoding: \[([^\]]*)\]|^\s*\.long\s+(\d+)", part, re.M):
            data += [int(byte, 16) for byte in encoding.split(",")] if encoding else int(literal).to_bytes(4, "little")
        results.append([int.from_bytes(bytes(data[i:i + 4]), "little") for i in range(0, len(data), 4)])
    return results


def blocks():
    """(name, architecture, text) of every block."""
    name, arch, lines = None, "gfx950", []
    for line in open(os.path.join(HERE, "code.s")):
        head = re.match(r"# name: (\w+)(?: (gfx\w+))?", line)
        if head:
            if name:
                yield name, arch, "".join(lines)
            name, arch, lines = head.group(1), head.group(2) or "gfx950", []
        elif name:
            lines.append(line)
    yield name, arch, "".join(lines)


def render():
    out = ["/* SPDX-License-Identifier: MIT */\n",
           "/* Machine code of code.s, assembled by code.py with llvm-mc 22. */\n",
           "/* clang-format off */\n"]
    found = list(blocks())
    made = {}
    for arch in sorted({arch for _, arch, _ in found}):
        mine = [(name, text) for name, a, text in found if a == arch]
        made.update(zip([name for name, _ in mine], assemble(arch, [text for _, text in mine])))
    for name, _, _ in found:
        words = made[name]
        out.append("CODE(%s,\n" % name)
        for i in range(0, len(words), 8):
            out.append("     " + ", ".join("0x%08x" % w for w in words[i:i + 8]) +
                       (",\n" if i + 8 < len(words) else ")\n"))
    return "".join(out)


def main():
    if not MC:
        print("skipped: llvm-mc-22 is not installed")
        return 77
    path = os.path.join(HERE, "code.inc")
    text = render()
    if sys.argv[1:] == ["write"]:
        open(path, "w").write(text)
        return 0
    if open(path).read() == text:
        return 0
    print("code.inc is not what llvm-mc makes of code.s")
    return 1


if __name__ == "__main__":
    sys.exit(main())
