#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that ptxas accepts what ptx_cases.txt says PTX is, and that Lanewise's parser accepts what ptxas does.

Usage: ptx_judge.py PARSE CASES FILE.ptx... . PARSE is loaders_ptx_parse. Exit status 77 without ptxas.
"""
import concurrent.futures
import os
import shutil
import subprocess
import sys
import tempfile

HEAD = """.version 9.0
.target sm_80
.address_size 64
.global .align 8 .b8 g[64];
.const .b32 k = 7;
.shared .align 16 .b32 sm[64];
.func (.param .b32 r) callee(.param .b32 a) { ret; }
"""
BODY = """.visible .entry e(.param .u64 p, .param .u32 n)
{
.reg .pred %p<4>;
.reg .b16 %h<4>;
.reg .b32 %r<8>;
.reg .b64 %rd<4>;
.reg .f32 %f<4>;
.reg .f64 %fd<4>;
"""


def text_of(place, case):
    if place == "m":
        return HEAD + case + "\n" + BODY + "ret;\n}\n"
    return HEAD + BODY + case + "\nret;\n}\n.file 1 \"a.cu\"\n"


def read_cases(path):
    with open(path, encoding="ascii") as file:
        for number, line in enumerate(file, 1):
            if line.startswith("#") or not line.strip():
                continue
            place, sign, case = line.rstrip("\n").split(" ", 2)
            yield number, place, sign, case.split(" ##")[0]


def ask(ptxas, path):
    done = subprocess.run([ptxas, "-arch=sm_80", path, "-o", path + ".cubin"], capture_output=True, text=True)
    return done.returncode == 0, (done.stdout + done.stderr).strip()


def ask_us(parse, path):
    done = subprocess.run([parse, path], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{parse} {path}: exit status {done.returncode}")
    line = done.stdout.strip()
    supported = done.returncode == 0 and line.split()[-1] == "0"
    return done.returncode == 0, supported, line


def main():
    parse, cases, files = sys.argv[1], sys.argv[2], sys.argv[3:]
    ptxas = shutil.which("ptxas") or shutil.which("/usr/local/cuda/bin/ptxas")
    if not ptxas:
        print("ptxas is not installed")
        return 77
    bad = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = []
        for number, place, sign, case in read_cases(cases):
            path = os.path.join(folder, f"{number}.ptx")
            with open(path, "w", encoding="ascii") as file:
                file.write(text_of(place, case))
            jobs.append((number, sign, case, path, pool.submit(ask, ptxas, path)))
        for number, sign, case, path, job in jobs:
            theirs, why = job.result()
            parsed, supported, our_why = ask_us(parse, path)
            # an instruction without a row is refused when its kernel is launched, not when it is read
            ours = parsed if sign[-1] == "+" else supported
            wanted = (sign[-1] == "+") != (sign[0] == "!")
            if theirs != wanted or ours != (sign[-1] == "+"):
                bad += 1
                print(f"line {number}: '{case}': ptxas {theirs} ({why[:200]}), here {ours} ({our_why[-150:]})")
    for path in files:
        ours, _, why = ask_us(parse, path)
        bad += not ours
        if not ours:
            print(why)
    print(f"{len(jobs)} cases and {len(files)} files, {bad} wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
