# SPDX-License-Identifier: MIT
"""Prints docs/learn/evidence.md from the program's own tables. Usage: evidence.py LANEWISE > docs/learn/evidence.md"""
import json
import subprocess
import sys

HEAD = '''# What each GPU's label rests on

Written by `docs/evidence.py build/cli/lanewise` from the program's tables; a test compares. For each GPU and each aspect of a result:
how many instructions have which label, and the source of that label. An instruction counts with the least certain of its
spellings. The labels, strongest first:

- **exact**: the definition leaves no freedom
- **recorded**: results of that chip, which come with Lanewise, replay bit for bit
- **measured**: a published comparison with the chip names the instruction
- **vendor**: the manufacturer's documents or software say so
- **inferred**: it follows from related facts and was not measured
- **unknown**: nothing is public, and a default was chosen

The labels of each instruction are in [the list of instructions](../instructions.md); `lanewise info` shows them with their sources, and
`lanewise validate` compares with a GPU where there is one.
'''


def answer(*words):
    return json.loads(subprocess.run([sys.argv[1], *words, '--json'], check=True, capture_output=True, text=True).stdout)


def cell(text):
    return ' '.join(text.split()).replace('|', '\\|').replace('<', '&lt;')


def main():
    print(HEAD, end='')
    names = {a['arch']: a['name'] for a in answer('list')['archs']}
    for arch in answer('list', '--evidence')['archs']:
        print(f"\n## {arch['arch']}: {names[arch['arch']]}\n")
        print('| aspect | label | instructions | source |\n|---|---|---|---|')
        for aspect in arch['rests_on']:
            for s in aspect['sources']:
                print(f"| {aspect['aspect']} | {s['label']} | {s['instructions']} | {cell(s['source'])} |")


main()
