# SPDX-License-Identifier: MIT
import lanewise as lw
import numpy as np

a, b, c = np.zeros((16, 16), np.float16), np.zeros((16, 16), np.float16), np.zeros((16, 16), np.float32)
a[0, :4] = -8192, -0.5, -0.25, -0.125
b[:4, 0] = 1024, 1, 1, 1
c[0, 0] = 8388608

mfma = lw.mma("v_mfma_f32_16x16x16_f16", "MI300X")
print(mfma(a, b, c)[0, 0])  # -0.5 on CDNA3; exact arithmetic would give -0.875

kernel = lw.load("examples/objects/vector_add_gfx942.co")["vector_add"]
x, y, total = np.arange(1000, dtype=np.float32), np.ones(1000, np.float32), np.empty(1000, np.float32)
result = kernel(total, x, y, np.uint32(1000), grid=4, block=256, check="uninit")
print(total[999], result.instructions, len(result.findings))  # 1000.0 320 0
