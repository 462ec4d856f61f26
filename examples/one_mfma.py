# SPDX-License-Identifier: MIT
import ctypes as c
import struct

lw = c.CDLL("liblanewise.so.0.2")


class Matrices(c.Structure):  # lw_mma_matrices
    _fields_ = [(name, c.c_void_p) for name in "a b c d index scale_a scale_b".split()] + [("mode", c.c_uint32)]


def check(status):
    if status:
        raise RuntimeError(error.value.decode() or f"status {status}")


arch, insn, mma, error = c.c_int(), c.c_void_p(), c.c_void_p(), c.create_string_buffer(1024)  # lw_error is 1024 bytes
check(lw.lw_arch_find(b"gfx942", c.byref(arch)))
check(lw.lw_insn_find(arch, b"v_mfma_f32_16x16x16_f16", c.byref(insn), error))
check(lw.lw_mma_create(arch, insn, None, c.byref(mma), error))

a = c.create_string_buffer(struct.pack("<256e", *[-8192, -0.5, -0.25, -0.125] + [0] * 252))
b = c.create_string_buffer(struct.pack("<256e", *[1024 if n == 0 else n in (16, 32, 48) for n in range(256)]))
acc, d = (c.c_float * 256)(8388608), (c.c_float * 256)()
check(lw.lw_mma_execute_matrices(mma, c.byref(Matrices(*map(c.addressof, (a, b, acc, d)))), None))
print(d[0])  # -0.5 on CDNA3; exact arithmetic would give -0.875
lw.lw_mma_free(mma)
