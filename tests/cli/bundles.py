# SPDX-License-Identifier: MIT
"""Hostile files in the current folder: offload bundles with many members or with wrong sizes, and a kernel that needs
16 MiB of scratch per work-item. usage: bundles.py CODE_OBJECT KERNEL_OBJECT"""
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


def greedy(data, scratch):
    """The code object with a different private_segment_fixed_size in each kernel descriptor (symbols NAME.kd)."""
    out = bytearray(data)
    sections, = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    heads = [struct.unpack_from("<IIQQQQIIQQ", data, sections + i * size) for i in range(count)]
    for head in heads:
        if head[1] != 11:  # SHT_DYNSYM
            continue
        names = heads[head[6]][4]
        for at in range(head[4], head[4] + head[5], 24):
            name, _, _, index, value, _ = struct.unpack_from("<IBBHQQ", data, at)
            text = data[names + name:data.index(0, names + name)]
            if text.endswith(b".kd"):
                struct.pack_into("<I", out, heads[index][4] + value - heads[index][3] + 4, scratch)
    return bytes(out)


def write(name, data):
    with open(name, "wb") as f:
        f.write(data)


image = open(sys.argv[1], "rb").read()
write("plain_4096.hipfb", bundle(image, 4096))
write("inflated_500.hipfb", compressed(bundle(image, 500)))
write("more.hipfb", compressed(bytes(1 << 28), 4096))
write("less.hipfb", compressed(bundle(image, 1), 99999))
write("boast.hipfb", compressed(bundle(image, 1), 1 << 40))
write("greedy.co", greedy(open(sys.argv[2], "rb").read(), 16 << 20))
