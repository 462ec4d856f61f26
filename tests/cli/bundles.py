# SPDX-License-Identifier: MIT
"""Offload bundles with many members, or with wrong sizes, in the current folder. usage: bundles.py CODE_OBJECT"""
import struct
import sys
import zlib

ID = b"hipv4-amdgcn-amd-amdhsa--gfx942"


def bundle(image, count):
    """`count` entries, each a copy of the image."""
    table = 32 + count * (24 + len(ID))
    head = b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", count)
    for i in range(count):
        head += struct.pack("<QQQ", table + i * len(image), len(image), len(ID)) + ID
    return head + image * count


def compressed(data, declared=None):
    """Version 3, zlib."""
    stream = zlib.compress(data, 1)
    return b"CCOB" + struct.pack("<HHQQQ", 3, 0, 32 + len(stream), len(data) if declared is None else declared, 0) + stream


def write(name, data):
    with open(name, "wb") as f:
        f.write(data)


image = open(sys.argv[1], "rb").read()
write("plain_4096.hipfb", bundle(image, 4096))
write("inflated_500.hipfb", compressed(bundle(image, 500)))
write("more.hipfb", compressed(bytes(1 << 28), 4096))
write("less.hipfb", compressed(bundle(image, 1), 99999))
write("boast.hipfb", compressed(bundle(image, 1), 1 << 40))
