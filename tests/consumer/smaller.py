# SPDX-License-Identifier: MIT
"""Writes public headers as in an earlier release: without the newest members.

Usage: smaller.py FROM TO STRUCT:MEMBER... (MEMBER is the first one removed)
"""
import pathlib
import re
import sys

source, target = map(pathlib.Path, sys.argv[1:3])
cuts = dict(word.split(":") for word in sys.argv[3:])
target.mkdir(parents=True, exist_ok=True)
for header in sorted(source.glob("*.h")):
    text = header.read_text()
    for struct, member in list(cuts.items()):
        body = re.search(r"typedef struct %s \{.*?\n\} %s;" % (struct, struct), text, re.S)
        if not body:
            continue
        old = body.group(0)
        lines = old.split("\n")
        first = next(i for i, line in enumerate(lines) if re.search(r"\b%s;" % member, line))
        text = text.replace(old, "\n".join(lines[:first] + lines[-1:]))
        del cuts[struct]
    (target / header.name).write_text(text)
if cuts:
    sys.exit(f"no such structs: {cuts}")
