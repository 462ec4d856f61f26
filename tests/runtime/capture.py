#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Captured launches, read and written from the description in lanewise/capture.h alone.

read FILE: prints what it holds, one line each. edit FILE OUT WHAT WORD...: copies it, changed as edit() says.
make OUT CODE TARGET: writes one of vector_add."""
import struct
import sys

NAMES = {1: "launch", 2: "kernel", 3: "target", 4: "api", 5: "outcome", 6: "about", 7: "code", 8: "args", 9: "piece"}


def fnv(data):
    value = 14695981039346656037
    for byte in data:
        value = (value ^ byte) * 1099511628211 % 2**64
    return value


def pad(data):
    return data + bytes(-len(data) % 8)


def sections(data):
    assert data[:8] == bytes([0x89]) + b"LWCAP\r\n", data[:8]
    version, count = struct.unpack_from("<II", data, 8)
    assert version == 1 and struct.unpack("<Q", data[-8:])[0] == fnv(data[:-8])
    at, found = 16, []
    for _ in range(count):
        kind, zero, size = struct.unpack_from("<IIQ", data, at)
        assert zero == 0
        found.append((kind, data[at + 16 : at + 16 + size]))
        at += 16 + len(pad(data[at + 16 : at + 16 + size]))
    assert at == len(data) - 8, (at, len(data))
    return found


def piece(body):
    address, size, length, follows = struct.unpack_from("<QQII", body)
    at, parts = 24, []
    for n in [length] + [size] * (1 + (follows == 2)):
        parts.append(body[at : at + n])
        at += n + -n % 8
    assert at == len(body)
    name, before = parts[0].decode(), parts[1]
    return name, address, before, parts[2] if follows == 2 else before if follows == 1 else None


def write(found):
    out = bytes([0x89]) + b"LWCAP\r\n" + struct.pack("<II", 1, len(found))
    for kind, body in found:
        out += struct.pack("<IIQ", kind, 0, len(body)) + pad(body)
    return out + struct.pack("<Q", fnv(out))


def join(name, address, before, after):
    follows = 0 if after is None else 1 if after == before else 2
    body = struct.pack("<QQII", address, len(before), len(name), follows) + pad(name.encode()) + pad(before)
    return body + (pad(after) if follows == 2 else b"")


def show(path):
    for kind, body in sections(open(path, "rb").read()):
        if kind == 1:
            print("launch", *struct.unpack("<13I", body))
        elif kind < 7:
            print(NAMES[kind], body.decode().replace("\n", "; "))
        elif kind < 9:
            print(NAMES[kind], len(body), body[:64].hex())
        else:
            name, address, before, after = piece(body)
            print("piece", name or "-", len(before), "unknown" if after is None else "same" if after == before else "changed",
                  before[:8].hex(), "" if after is None else after[:8].hex())


def edit(path, out, what, *words):
    found = sections(open(path, "rb").read())
    pieces = [i for i, (kind, _) in enumerate(found) if kind == 9]
    if what == "drop":  # a piece
        del found[pieces[int(words[0])]]
    elif what == "after":  # a byte of a piece, after the launch
        at = pieces[int(words[0])]
        name, address, before, after = piece(found[at][1])
        after = bytearray(after)
        after[int(words[1])] ^= int(words[2])
        found[at] = (9, join(name, address, before, bytes(after)))
    elif what == "text":  # a section
        found[int(words[0]) - 1] = (int(words[0]), words[1].encode())
    elif what == "move":  # a piece to an address
        at = pieces[int(words[0])]
        name, _, before, after = piece(found[at][1])
        found[at] = (9, join(name, int(words[1], 0), before, after))
    elif what == "cut":  # the arguments
        found[7] = (8, found[7][1][: int(words[0])])
    open(out, "wb").write(write(found))


def make(out, code, target):
    """A launch of examples/kernels' vector_add (c, x, y, n) that nobody has run: c = x + y in whole numbers."""
    n, at = 1000, 0x7F1234560000
    x, y = [float(i % 100) for i in range(n)], [float(7 * i % 50) for i in range(n)]
    bytes_of = [struct.pack(f"<{n}f", *v) for v in ([0.0] * n, x, y, [a + b for a, b in zip(x, y)])]
    found = [(1, struct.pack("<13I", 4, 1, 1, 0, 0, 0, 256, 1, 1, 0, 0, 0, 0))]
    found += [(kind + 2, text.encode()) for kind, text in enumerate(["vector_add", target, "HIP", "", "device none\n"])]
    found += [(7, open(code, "rb").read()), (8, struct.pack("<QQQI", at, at + 0x10000, at + 0x20000, n))]
    for i, after in ((0, 3), (1, 1), (2, 2)):
        found.append((9, join("", at + 0x10000 * i, bytes_of[i], bytes_of[after])))
    open(out, "wb").write(write(found))


if __name__ == "__main__":
    {"read": show, "edit": edit, "make": make}[sys.argv[1]](*sys.argv[2:])
