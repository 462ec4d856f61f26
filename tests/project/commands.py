#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Commands that pages show without their output (those with it are run: readme.sh) are ones that exist: the verb, each option, the
GPU, the script. Names of files of this repository in the pages exist too. Usage: commands.py LANEWISE"""
import functools
import pathlib
import re
import shlex
import subprocess
import sys

PROGRAM, ROOT = sys.argv[1], pathlib.Path(__file__).resolve().parent.parent.parent
PAGES = [ROOT / "README.md", ROOT / "examples" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FOLDERS = "bench cli cmake completions docs emu examples explorer fuzz include isa_tables layouts loaders observers python runtime scripts tests validate".split()
FUTURE = {"validate/results/"}  # where recordings of GPUs will be


def run(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True).stdout


VERBS = set(re.findall(r"^  ([a-z]+)  +\S", run("help").split("Try these")[0], re.M))
ARCHS = set(re.findall(r"\b(?:gfx\d+[a-f]?|sm_\d+[af]?)\b", run("list")))


@functools.lru_cache(maxsize=None)
def options(verb):
    return set(re.findall(r"(?<![\w-])(--?[a-z][a-z0-9-]*)", run("help", verb))) | {"--json", "--help"}


def commands(text):
    """The lines of blocks without output, and the code within sentences, that begin with the program's name."""
    text = re.sub(r"^```(console|c|cmake|python|yaml|json)\n.*?^```", "", text, flags=re.S | re.M)
    blocks = "".join(re.findall(r"^```\w*\n(.*?)^```", text, re.S | re.M))
    rest = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    lines = [line.strip() for line in (blocks + "\n").replace("\\\n", " ").splitlines() + re.findall(r"^    (.*)", rest, re.M)]
    lines += [code.replace("\n", " ") for code in re.findall(r"`([^`]+)`", rest)]
    return [line for line in lines if re.search(r"(^|[ =])lanewise [a-z]", line) and not line.startswith("lanewise: ")]


def wrong(line):
    """What is wrong with a command; None: nothing. Words in capitals and dots stand for the reader's own."""
    try:
        words = shlex.split(line.replace("...", ""), comments=True)
    except ValueError:
        return "cannot be split into words"
    while "lanewise" in words:
        words = words[words.index("lanewise") + 1:]
        verb = words[0] if words else ""
        if verb == "VERB" or verb == "--version" or (verb == "help" and (len(words) < 2 or words[1] in VERBS | {"VERB"})):
            continue
        if verb not in VERBS:
            return f"no verb {verb}"
        own = words[1:words.index("--")] if "--" in words else words[1:]
        for number, word in enumerate(own):
            if re.match(r"--?[a-z]", word) and word.split("=")[0] not in options(verb):
                return f"{verb} has no {word}"
            if word == "--arch" and number + 1 < len(own) and re.match("gfx|sm_", own[number + 1]) and own[number + 1] not in ARCHS:
                return f"no GPU {own[number + 1]}"
    return None


def missing(text):
    """Paths of this repository in code that do not exist; names with a part in capitals, and beginnings of names, are the reader's."""
    text = re.sub(r"^```(console|c|cmake|python|yaml|json)\n.*?^```", "", text, flags=re.S | re.M)
    found = re.findall(rf"(?<![\w./-])(?:{'|'.join(FOLDERS)})/[\w./-]*[\w/]", " ".join(re.findall(r"`([^`\n]+)`", text)))
    return [path for path in found if path not in FUTURE and not re.search("[A-Z]{3}", path.rsplit(".", 1)[0]) and not any(ROOT.glob(path.rstrip("/") + "*"))]


def main():
    bad = count = 0
    for page in PAGES:
        text = page.read_text()
        for line in commands(text):
            count += 1
            if why := wrong(line):
                bad += 1
                print(f"FAILED: {page.relative_to(ROOT)}: {why}: {line}")
        for path in missing(text):
            bad += 1
            print(f"FAILED: {page.relative_to(ROOT)}: {path} does not exist")
    # The test itself: each of these is wrong, and these are not.
    for line in ("lanewise laoyut x", "lanewise run k.co --gird 4", "lanewise list --arch gfx9", "lanewise exec --arch gfx942 -- lanewise capture --no -- ./a"):
        bad += not wrong(line) and not print("FAILED: passes:", line)
    for line in ("lanewise exec --arch gfx942 -- ./a --any-option", "FOO=1 lanewise run k.co ... --check all", "lanewise help run"):
        bad += bool(wrong(line)) and not print("FAILED: does not pass:", line, wrong(line))
    bad += missing("`tests/no/such.c`") != ["tests/no/such.c"] or not (len(commands("```sh\nlanewise a \\\n  b\n```\n`lanewise c`")) == 2)
    if count < 60:
        bad += 1
    print(f"{count} commands on {len(PAGES)} pages, {bad} wrong")
    sys.exit(bad != 0)


main()
