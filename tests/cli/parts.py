#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run --part and merge: the same files as the whole run, the same counts, and what is refused. Part files are read and
written here from the description in lanewise/part.h alone.

Usage: parts.py PROGRAM SOURCES"""
import json
import os
import random
import struct
import subprocess
import sys
import tempfile

PROGRAM, SOURCES = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2])
OBJECTS = SOURCES + "/examples/objects/"
failures = 0


def fail(*what):
    global failures
    failures += 1
    print("FAILED:", *what)


def call(*words):
    done = subprocess.run([PROGRAM] + [str(w) for w in words], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def expect(status, says, *words):
    got, out, err = call(*words)
    if got != status or says not in err:
        fail(words, "status", got, "not", status, "or not", repr(says), "in", repr(err))
    return out


def npy(path, descr, shape, data):
    head = "{'descr': '%s', 'fortran_order': False, 'shape': %r, }" % (descr, tuple(shape))
    head += " " * (-(len(head) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + data)


def data_of(path):
    data = open(path, "rb").read()
    return data[10 + struct.unpack_from("<H", data, 8)[0]:]


# ---- The file ----

def fnv(data):
    value = 14695981039346656037
    for byte in data:
        value = (value ^ byte) * 1099511628211 % 2**64
    return value


def pad(data):
    return data + bytes(-len(data) % 8)


def leb(value):
    out = bytearray()
    while True:
        out.append(value & 127 | (128 if value > 127 else 0))
        value >>= 7
        if not value:
            return bytes(out)


def read_leb(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if not data[at - 1] & 128:
            return value, at


def runs_to_bytes(runs):
    out, end = b"", 0
    for start, size in runs:
        out += leb(start - end) + leb(size)
        end = start + size
    return out


def bytes_to_runs(data):
    runs, at, end = [], 0, 0
    while at < len(data):
        gap, at = read_leb(data, at)
        size, at = read_leb(data, at)
        runs.append((end + gap, size))
        end += gap + size
    return runs


def write_part(path, number, count, launch, about, pieces):
    def section(kind, body):
        return struct.pack("<IIQ", kind, 0, len(body)) + pad(body)
    out = bytes([0x89]) + b"LWPAR\r\n" + struct.pack("<II", 1, 2 + len(pieces))
    out += section(1, struct.pack("<II", number, count) + launch) + section(2, about)
    for p in pieces:
        texts = [p["name"], p["file"], p["shape"], runs_to_bytes(p["reads"]), runs_to_bytes(p["writes"])]
        body = struct.pack("<Q5Q", p["size"], *map(len, texts)) + struct.pack("<II", p["fill"], 0) + b"".join(map(pad, texts))
        if p["fill"] == 256:
            body += pad(p["before"])
        out += section(3, body + pad(p["bytes"]))
    open(path, "wb").write(out + struct.pack("<Q", fnv(out)))


def read_part(path):
    data = open(path, "rb").read()
    assert data[:8] == bytes([0x89]) + b"LWPAR\r\n" and struct.unpack("<Q", data[-8:])[0] == fnv(data[:-8])
    version, sections = struct.unpack_from("<II", data, 8)
    assert version == 1
    at, found = 16, []
    for _ in range(sections):
        kind, zero, size = struct.unpack_from("<IIQ", data, at)
        assert zero == 0
        found.append((kind, data[at + 16:at + 16 + size]))
        at += 16 + size + -size % 8
    assert at == len(data) - 8 and [kind for kind, _ in found] == [1, 2] + [3] * (sections - 2)
    number, count = struct.unpack_from("<II", found[0][1])
    pieces = []
    for _, body in found[2:]:
        size, *lengths = struct.unpack_from("<6Q", body)
        fill, zero = struct.unpack_from("<II", body, 48)
        at, texts = 56, []
        for length in lengths:
            texts.append(body[at:at + length])
            at += length + -length % 8
        piece = dict(zip(("name", "file", "shape"), texts), size=size, fill=fill,
                     reads=bytes_to_runs(texts[3]), writes=bytes_to_runs(texts[4]))
        if fill == 256:
            piece["before"] = body[at:at + size]
            at += size + -size % 8
        written = sum(length for _, length in piece["writes"])
        piece["bytes"] = body[at:at + written]
        assert zero == 0 and at + written + -written % 8 == len(body)
        pieces.append(piece)
    return number, count, found[0][1][8:], found[1][1], pieces


# ---- Whole and in parts ----

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"
COUNTER = HEAD + """.visible .entry counter(.param .u64 p) {
    .reg .b64 %a; .reg .b32 %r<3>;
    ld.param.u64 %a, [p];
    atom.global.add.u32 %r1, [%a], 1;
    ret;
}
"""
VARIABLE = HEAD + """.global .u32 state;
.visible .entry variable(.param .u64 p) {
    .reg .b32 %r<3>;
    mov.u32 %r1, 3;
    st.global.u32 [state], %r1;
    ret;
}
"""
# Each block adds to its own words what the block before it held at first: p[i] += p[i - 32].
NEIGHBOUR = HEAD + """.visible .entry neighbour(.param .u64 p) {
    .reg .b64 %a<4>; .reg .b32 %r<6>; .reg .pred %q;
    ld.param.u64 %a1, [p];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %tid.x;
    mad.lo.u32 %r1, %r1, 32, %r2;
    mul.wide.u32 %a2, %r1, 4;
    add.u64 %a1, %a1, %a2;
    setp.lt.u32 %q, %r1, 32;
    @%q ret;
    ld.global.u32 %r3, [%a1];
    ld.global.u32 %r4, [%a1+-128];
    add.u32 %r3, %r3, %r4;
    st.global.u32 [%a1], %r3;
    ret;
}
"""
# Each block doubles every second word of its own, in place; two threads race for a byte of shared memory.
OWN = HEAD + """.visible .entry own(.param .u64 p) {
    .reg .b64 %a<4>; .reg .b32 %r<6>; .shared .u32 s;
    ld.param.u64 %a1, [p];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %tid.x;
    mad.lo.u32 %r1, %r1, 64, %r2;
    mul.wide.u32 %a2, %r1, 8;
    add.u64 %a1, %a1, %a2;
    ld.global.u32 %r3, [%a1];
    add.u32 %r3, %r3, %r3;
    st.shared.u32 [s], %r2;
    st.global.u32 [%a1], %r3;
    ret;
}
"""


def launch(number, parts, words, *more):
    return call("run", *words, *more, "--part", "%d/%d" % (number, parts), "--part-file", "part%d" % number)


def compare(name, words, outputs, counts, keys=("kernel", "arch", "workgroups", "waves", "instructions", "matrix_instructions", "weakest",
                                               "counts", "wrote")):
    """Whole and in parts: files, and what the reports count."""
    status, out, err = call("run", *words, "--json")
    if status:
        return fail(name, err)
    whole, report = [open(f, "rb").read() for f in outputs], json.loads(out)
    for count in counts:
        for output in outputs:
            os.remove(output)
        for i in range(1, count + 1):
            status, _, err = launch(i, count, words)
            if status:
                fail(name, i, count, err)
        if any(os.path.exists(output) for output in outputs):
            fail(name, "a part wrote an output")
        files = ["part%d" % i for i in range(1, count + 1)]
        random.shuffle(files)
        status, out, err = call("merge", *files, "--json")
        if status or [open(f, "rb").read() for f in outputs] != whole:
            fail(name, "differs in", count, "parts", err)
        merged = json.loads(out)
        for key in keys:
            if merged[key] != report[key]:
                fail(name, "in", count, "parts:", key, "is", merged[key], "not", report[key])
        missing = [[m[k] for k in ("elements", "missing", "first")] for m in report["not_written"]]
        if missing != [[m[k] for k in ("elements", "missing", "first")] for m in merged["not_written"]]:
            fail(name, "in", count, "parts: not written", merged["not_written"])
    return report


def same_as_whole():
    rng = random.Random(15)
    npy("x.npy", "<f4", [1000], struct.pack("<1000f", *[rng.uniform(-9, 9) for _ in range(1000)]))
    npy("y.npy", "<f4", [1000], struct.pack("<1000f", *[rng.uniform(-9, 9) for _ in range(1000)]))
    for target in ("gfx942", "gfx950", "gfx1100"):
        compare(target, [OBJECTS + "vector_add_%s.co" % target, "--grid", 4, "--block", 256, "out:c.npy=f32[25,44]", "x.npy", "y.npy",
                         "i32:1000"], ["c.npy"], (1, 2, 3, 4, 6))
    compare("ptx", [SOURCES + "/tests/data/ptx/vector_add_nvcc_sm_80.ptx", "--grid", 4, "--block", 256, "x.npy", "y.npy",
                    "zero:c.npy=like:x.npy", 999], ["c.npy"], (3,))
    codes = struct.pack("<16384e", *[rng.uniform(-2, 2) for _ in range(16384)])
    npy("a.npy", "<f2", [128, 128], codes)
    compare("gemm", [OBJECTS + "gemm_f16.co", "--grid", "2,2", "--block", 256, "C=out:c.npy=f32[128,128]", "A=a.npy", "B=a.npy", "n=u32:128",
                     "k=u32:128"], ["c.npy"], (2, 3))
    open("own.ptx", "w").write(OWN)
    npy("p.npy", "<u4", [7 * 128], struct.pack("<896I", *range(896)))
    words = ["own.ptx", "--grid", 7, "--block", 64, "inout:p.npy=q.npy"]
    compare("in place", words, ["q.npy"], (2, 7))
    if struct.unpack("<896I", data_of("q.npy")) != tuple(2 * i if i % 2 == 0 else i for i in range(896)):
        fail("in place: not what it should be")


def what_parts_hold():
    """Part 3 of 3 of seven blocks: blocks 4, 5 and 6; every second word."""
    words = ["own.ptx", "--grid", 7, "--block", 64, "inout:p.npy=q.npy"]
    for i in (1, 2, 3):
        launch(i, 3, words)
    number, count, _, _, pieces = read_part("part3")
    runs = [(8 * i, 4) for i in range(4 * 64, 7 * 64)]
    want = dict(name=b"argument 0", file=b"q.npy", shape=b"uint32 896", size=3584, fill=257, reads=runs, writes=runs,
                bytes=b"".join(struct.pack("<I", 4 * i) for i in range(4 * 64, 7 * 64)))
    got = pieces[0]
    got["name"] = got["name"][:10]
    if (number, count, len(pieces)) != (2, 3, 1) or got != want:
        fail("part 3 holds", number, count, {k: got[k] for k in got if got[k] != want.get(k)})
    first = read_part("part1")[4][0]
    if first["fill"] != 256 or first["before"] != data_of("p.npy"):
        fail("part 1 does not hold what was there before")


def made_elsewhere():
    """Parts that this program writes; what they hold decides what merge writes."""
    def piece(**more):
        return dict(dict(name=b"argument 0 (m)", file=b"m.npy", shape=b"uint8 2 10", size=20, fill=0xa5, reads=[], writes=[], bytes=b""), **more)
    launch_id = bytes(range(32))
    about = b"kernel k\narch gfx942\nran 2 4 100 7 0\nrule 0 0 0 93 v_mov_b32 \nrule 3 1 5 7 v_mfma here\ncheck races 1 2\n"
    one = piece(writes=[(0, 3), (5, 1)], bytes=b"abcd", reads=[(6, 2)])
    two = piece(writes=[(3, 2), (19, 1)], bytes=b"xyz", reads=[(6, 1), (19, 1)])
    write_part("m1", 0, 2, launch_id, about, [one])
    write_part("m2", 1, 2, launch_id, about, [two])
    out = expect(0, "", "merge", "m2", "m1", "--json")
    report = json.loads(out)
    if data_of("m.npy") != b"abcxyd" + b"\xa5" * 13 + b"z" or b"(2, 10)" not in open("m.npy", "rb").read():
        fail("made elsewhere:", data_of("m.npy"))
    counts = {c["instruction"]: (c["executed"], c["label"], c["matrix"], c["source"]) for c in report["counts"]}
    if (counts != {"v_mov_b32": (186, "exact", False, ""), "v_mfma": (14, counts["v_mfma"][1], True, "here")} or report["instructions"] != 200 or
            report["checks"][0]["warning"] != 4 or report["not_written"][0]["missing"] != 13 or report["not_written"][0]["first"] != 6):
        fail("made elsewhere:", out)
    # Nothing is written where anything is wrong.
    before = open("m.npy", "rb").read()

    def refused(status, says, *parts):
        for i, (number, count, head, lines, pieces) in enumerate(parts):
            write_part("w%d" % i, number, count, head, lines, pieces)
        expect(status, says, "merge", *["w%d" % i for i in range(len(parts))])
        if open("m.npy", "rb").read() != before:
            fail("m.npy was written although:", says)
    good = [(0, 2, launch_id, about, [one]), (1, 2, launch_id, about, [two])]
    refused(2, "part 2 of 2 is missing", good[0])
    refused(2, "part 1 of 2 is missing", good[1])
    refused(2, "part 1 is there twice", good[0], good[0])
    refused(2, "of different launches", good[0], (1, 2, bytes(32), about, [two]))
    refused(2, "a part of 2 and a part of 3 do not join", good[0], (1, 3, launch_id, about, [two]))
    refused(2, "do not keep the same arrays", good[0], (1, 2, launch_id, about, []))
    refused(2, "do not keep the same arrays", good[0], (1, 2, launch_id, about, [dict(two, file=b"other.npy")]))
    refused(3, "part 1 wrote bytes 5 to 5 of argument 0 (m), which part 2 read", good[0], (1, 2, launch_id, about, [dict(two, reads=[(5, 9)])]))
    refused(3, "which part 2 wrote too", good[0], (1, 2, launch_id, about, [piece(writes=[(0, 1)], bytes=b"z")]))
    refused(2, "what argument 0 (m) held before", (0, 1, launch_id, about, [dict(one, fill=257)]))
    for shape in (b"uint8 2 11", b"uint8 2 x", b"", b"|u1 20", b"uint8 20 ", b"uint8  20", b"uint8 " + b"1 " * 33 + b"20", b"uint8 4294967296 4294967296 20"):
        refused(2, "does not say what the 20 bytes", (0, 1, launch_id, about, [dict(one, shape=shape)]))
    for lines in (b"kernel\n" * 2 + b"ran 1\n", b"ran -1 0 0 0 0\n", b"rule 99 0 0 0 x\n", b"check races 9 1\n", b"nonsense\n", b"\n",
                  b"ran 18446744073709551615 0 0 0 0\nran 1 0 0 0 0\n", b"lanewise 0.0.1\n"):
        refused(2, "cannot read", (0, 1, launch_id, lines, [one]))
    refused(3, "memory limit", (0, 1, launch_id, about, [dict(one, size=2**60, shape=b"uint8 1152921504606846976")]))
    write_part("w0", 0, 1, launch_id, about, [dict(one, file=b"w0")])
    expect(2, "a file that was read is not replaced", "merge", "w0")
    write_part("w0", 0, 1, launch_id, about, [dict(one, file=b"no/such/folder/m.npy")])
    expect(2, "cannot write", "merge", "w0")
    data = bytearray(open("m1", "rb").read())
    data[100] ^= 1
    open("w0", "wb").write(data)
    expect(2, "w0: its hash is wrong", "merge", "w0", "m2")
    open("w0", "wb").write(data[:100])
    expect(2, "w0: ", "merge", "w0", "m2")
    expect(2, "it does not begin as a part of a launch does", "merge", "x.npy")
    expect(2, "needs files", "merge")
    if json.loads(expect(2, "", "merge", "m1", "--json"))["status"] != 2:
        fail("merge --json of an error")


def what_is_refused():
    for name, text in (("counter", COUNTER), ("neighbour", NEIGHBOUR), ("variable", VARIABLE)):
        open(name + ".ptx", "w").write(text)
    npy("p.npy", "<u4", [128], struct.pack("<128I", *range(128)))
    for name, says in (("counter", "wrote too: run the launch whole"), ("neighbour", "read: run the launch whole")):
        words = [name + ".ptx", "--grid", 4, "--block", 32, "inout:p.npy=refused.npy"]
        for i in (1, 2):
            if launch(i, 2, words)[0]:
                fail(name, "in parts")
        expect(3, says, "merge", "part1", "part2")
        if os.path.exists("refused.npy"):
            fail(name, "wrote refused.npy")
        launch(1, 1, words)
        expect(0, "", "merge", "part1")  # one part touches nobody else's bytes
        merged = data_of("refused.npy")
        call("run", *words)
        if data_of("refused.npy") != merged:
            fail(name, "in one part differs from the whole run")
        os.remove("refused.npy")
    os.remove("part1")
    status, _, err = launch(1, 2, ["variable.ptx", "--grid", 4, "--block", 32, "inout:p.npy=q.npy"])
    if status != 3 or "none of the arrays that parts keep" not in err or os.path.exists("part1"):
        fail("a store to a variable:", status, err)
    own = ["run", "own.ptx", "--grid", 1, "--block", 64, "inout:p.npy=q.npy", "--part-file", "r"]
    for part in ("0/2", "3/2", "2", "a/b", "1/2/3", "1/4294967296", "/", "-1/2", "1/0"):
        expect(2, "--part %s: needs I/N" % part, *own, "--part", part)
    expect(2, "belong together", *own)
    expect(2, "belong together", *own[:-2], "--part", "1/2")
    for option in (("--expect", "p.npy"), ("--workgroup", "0"), ("--schedule", "serial"), ("--coverage",), ("--layouts",)):
        expect(2, option[0] + " cannot be used with --part", *own, "--part", "1/2", *option)
    expect(2, "reads that file", *own[:-1], "p.npy", "--part", "1/2")
    expect(2, "cannot write", *own[:-1], "no/such/folder/part", "--part", "1/2")
    expect(2, "--part cannot be used with --capture", "run", "--capture", "x", "--part", "1/2")
    if os.path.exists("r"):
        fail("a refused run wrote a part")


def which_launch():
    """Everything that decides the bits belongs to the launch; names of input files, threads and limits do not."""
    open("two.ptx", "w").write(OWN.replace("st.shared.u32 [s], %r2;", "st.shared.u32 [s], %r3;"))
    npy("p.npy", "<u4", [256], bytes(1024))
    npy("same.npy", "<u4", [256], bytes(1024))
    npy("other.npy", "<u4", [256], bytes(1023) + b"x")
    npy("shape.npy", "<u4", [128, 2], bytes(1024))
    npy("x.npy", "<f4", [512], bytes(2048))
    npy("y.npy", "<f4", [512], bytes(2047) + b"x")
    base = ["own.ptx", "--grid", "2", "--block", "64", "inout:p.npy=q.npy"]
    adds = [OBJECTS + "vector_add_gfx942.co", "--grid", "2", "--block", "256", "out:q.npy=f32[512]", "x.npy", "x.npy", "i32:512"]
    for words, changes in ((base, [("own.ptx", "two.ptx"), ("2", "1"), ("64", "32"), ("inout:p.npy=q.npy", "inout:other.npy=q.npy"),
                                   ("inout:p.npy=q.npy", "inout:shape.npy=q.npy"), (None, "--poison=1"), (None, "--async=early"),
                                   (None, "--smem=64")]),
                           (adds, [("x.npy", "y.npy"), ("i32:512", "i32:511"), ("out:q.npy=f32[512]", "zero:q.npy=f32[512]"), (None, "--scratch=64"),
                                   (adds[0], OBJECTS + "vector_add_gfx950.co")])):
        launch(1, 2, words)
        for old, new in changes:
            status, _, err = launch(2, 2, [new if word == old else word for word in words] + ([new] if old is None else []))
            if status:
                fail("part of", new, err)
            expect(2, "of different launches", "merge", "part1", "part2")
    launch(1, 2, base)
    if launch(2, 2, [word.replace("p.npy", "same.npy") for word in base], "--threads=1", "--budget=99999")[0]:
        fail("the same launch by another name")
    expect(0, "", "merge", "part1", "part2")
    launch(2, 2, ["inout:p.npy=elsewhere.npy" if word == base[-1] else word for word in base])
    expect(2, "do not keep the same arrays for the same files", "merge", "part1", "part2")


def what_checks_find():
    """Two threads of each block store to one word: an error in each part, and in the merge's status."""
    words = ["own.ptx", "--grid", 2, "--block", 64, "inout:p.npy=q.npy"]
    npy("p.npy", "<u4", [256], bytes(1024))
    found = 0
    for i in (1, 2):
        status, out, _ = launch(i, 2, words, "--check", "races,hazards", "--json")
        found += sum(f["severity"] == "error" for c in json.loads(out)["checks"] if c["check"] == "races" for f in c["findings"])
        if status != 1:
            fail("part", i, "with a race does not say so")
    status, out, _ = call("merge", "part1", "part2")
    if status != 1 or found < 2 or "check races: %d errors" % found not in out or "check hazards: nothing found in any part" not in out or "wrote q.npy" not in out:
        fail("merge of parts with races:", status, out)


def listed():
    """list tells what a part holds, and shows no control characters of others."""
    npy("p.npy", "<u4", [256], bytes(1024))
    launch(2, 2, ["own.ptx", "--grid", 2, "--block", 64, "inout:p.npy=q.npy"])
    _, _, launch_id, _, _ = read_part("part2")
    out = expect(0, "", "list", "part2")
    for says in ("part2: part 2 of 2 of launch " + launch_id.hex(), "  kernel own\n", "1024 bytes (uint32 256): 256 read, 256 written; merge writes q.npy\n"):
        if says not in out:
            fail("list:", out)
    found = json.loads(expect(0, "", "list", "part2", "--json"))
    if (found["part"], found["parts"], found["launch"], found["pieces"][0]["file"], found["pieces"][0]["written"]) != (2, 2, launch_id.hex(), "q.npy", 256):
        fail("list --json:", found)
    write_part("w0", 0, 1, launch_id, b"", [dict(name=b"n", file=b"", shape=b"\x1b[2J", size=0, fill=0, reads=[], writes=[], bytes=b"")])
    if "(?[2J)" not in expect(0, "", "list", "w0"):
        fail("list shows an escape")
    open("w0", "ab").write(b"x")
    expect(2, "w0: its hash is wrong", "list", "w0")


def sweeps():
    """validate in parts: the counts of the whole comparison; a result that differs is found by one part."""
    lines = [line for line in open(SOURCES + "/tests/data/nvidia-mma-rows.csv") if line[0] != "#"][:101]
    open("n.csv", "w").writelines(lines)
    lines[33] = ",".join(lines[33].split(",")[:-1]) + ",12345678\n"
    open("bad.csv", "w").writelines(["# a comment\n"] + lines)
    amd = SOURCES + "/tests/data/amd_rdna34_dot2_wmma_hw_vectors.csv"
    for files, status in ((["n.csv", amd], 0), (["bad.csv"], 1)):
        whole = json.loads(call("validate", *files, "--json")[1])["files"]
        for count in (1, 3):
            got = [call("validate", *files, "--part", "%d/%d" % (i, count), "--part-file", "v%d" % i)[0] for i in range(1, count + 1)]
            if sorted(got) != [0] * (count - 1) + [status]:
                fail("parts of a sweep end with", got)
            parts = ["v%d" % i for i in range(count, 0, -1)]
            merged, out, err = call("merge", *parts, "--json")
            if merged != status or json.loads(out) != {"files": whole, "status": status}:
                fail("a sweep in", count, "parts:", out, "whole:", whole, err)
    out = expect(1, "", "merge", "v1", "v2", "v3")
    if out != expect(1, "", "validate", "bad.csv") or not out.startswith("bad.csv result 34, wmma.mma") or out.count("\n") != 2:
        fail("text of a sweep:", out)
    call("validate", "n.csv", "--part", "2/3", "--part-file", "v2")
    expect(2, "of different launches", "merge", "v1", "v2", "v3")
    expect(2, "--part cuts", "validate", "--list", "--part", "1/2", "--part-file", "v")
    expect(2, "belong together", "validate", "n.csv", "--part", "1/2")
    expect(2, "needs I/N", "validate", "n.csv", "--part", "3/2", "--part-file", "v")
    expect(2, "reads that file", "validate", "n.csv", "--part", "1/2", "--part-file", "n.csv")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    same_as_whole()
    what_parts_hold()
    made_elsewhere()
    what_is_refused()
    which_launch()
    what_checks_find()
    sweeps()
    listed()
sys.exit(failures != 0)
