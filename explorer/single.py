#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Joins the page's files into one that opens from disk: single.py PAGE_DIR OUTPUT.

A browser loads neither modules nor wasm from file: addresses. The modules are joined in the order of their imports into
one script (each imports names only, from files beside it, and no two define the same name at the top level); the wasm
file is gzipped and written as base64."""
import base64
import gzip
import pathlib
import re
import sys

IMPORT = re.compile(r"^import \{[^}]*\} from '\./([\w-]+\.js)';\n", re.M)


def joined(folder, name, done):
    """The module's text after those that it imports, each once."""
    if name in done:
        return ""
    done.add(name)
    text = (folder / name).read_text()
    before = "".join(joined(folder, other, done) for other in IMPORT.findall(text))
    text = re.sub(r"^export (?=(async )?(function|const|class|let) )", "", IMPORT.sub("", text), flags=re.M)
    left = re.search(r"^(import|export)\b.*", text, re.M)
    if left:
        sys.exit(f"{name}: a form of import or export that this script does not join: {left.group()}")
    return f"{before}// {name}\n{text}"


def main(page, output):
    html = (page / "index.html").read_text()
    script = joined(page / "js", "main.js", set())
    names = re.findall(r"^(?:async )?(?:function|const|class) (\w+)", script, re.M)
    for several in re.findall(r"^let ([\w, ]+);", script, re.M):
        names += several.split(", ")
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        sys.exit(f"defined in two modules: {', '.join(sorted(twice))}")
    wasm = base64.b64encode(gzip.compress((page / "lanewise.wasm").read_bytes(), 9, mtime=0)).decode()
    parts = {
        '<link rel="stylesheet" href="style.css">': f"<style>\n{(page / 'style.css').read_text()}</style>",
        '<script type="module" src="js/main.js"></script>':
            f'<script type="application/gzip" id="wasm">{wasm}</script>\n<script type="module">\n{script}</script>',
    }
    for old, new in parts.items():
        if html.count(old) != 1:
            sys.exit(f"index.html lacks {old}")
        html = html.replace(old, new)
    output.write_text(html)


main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
