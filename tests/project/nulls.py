#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a program that calls every public function with NULL and zeros for all arguments: each must return. Functions
of observers' events are left out, since events exist in callbacks only. Usage: nulls.py INCLUDE_DIR OUTPUT"""
import glob
import re
import sys


def functions(folder):
    for header in sorted(glob.glob(folder + "/lanewise/*.h")):
        text = re.sub(r"/\*.*?\*/", "", open(header).read(), flags=re.S)
        for name, arguments in re.findall(r"LW_API\s+[^;{]*?\b(lw_\w+)\(([^;]*)\)\s*;", text):
            if not name.startswith("lw_event_"):
                yield name, [] if arguments.strip() == "void" else arguments.split(",")


def value(argument):
    pointer = "*" in argument or "lw_sink " in argument or "_fn " in argument
    return "NULL" if pointer else "0"


calls = [f'    puts("{name}");\n    fflush(stdout);\n    (void){name}({", ".join(map(value, arguments))});\n'
         for name, arguments in functions(sys.argv[1])]
if len(calls) < 90:
    sys.exit(f"only {len(calls)} functions were found")
with open(sys.argv[2], "w") as out:
    out.write("#include <stdio.h>\n#include <lanewise/lanewise.h>\nint main(void)\n{\n" + "".join(calls) + "}\n")
