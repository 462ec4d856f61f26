/* SPDX-License-Identifier: MIT */
/* Instructions that make a new EXEC and keep the old one; of 32 bits they leave EXEC_HI alone. */
#include "emu/amdgpu/scalar/salu_shapes.h"

/* clang-format off */
LW_SAVEEXEC(s_and_saveexec_b64,   a & e,    e)
LW_SAVEEXEC(s_or_saveexec_b64,    a | e,    e)
LW_SAVEEXEC(s_xor_saveexec_b64,   a ^ e,    e)
LW_SAVEEXEC(s_andn2_saveexec_b64, a & ~e,   e)
LW_SAVEEXEC(s_orn2_saveexec_b64,  a | ~e,   e)
LW_SAVEEXEC(s_nand_saveexec_b64,  ~(a & e), e)
LW_SAVEEXEC(s_nor_saveexec_b64,   ~(a | e), e)
LW_SAVEEXEC(s_xnor_saveexec_b64,  ~(a ^ e), e)
LW_SAVEEXEC(s_andn1_saveexec_b64, ~a & e,   e)
LW_SAVEEXEC(s_orn1_saveexec_b64,  ~a | e,   e)
LW_SAVEEXEC(s_andn1_wrexec_b64,   ~a & e,   x)
LW_SAVEEXEC(s_andn2_wrexec_b64,   a & ~e,   x)

LW_SAVEEXEC32(s_and_saveexec_b32,   (uint32_t)(a & e), e)
LW_SAVEEXEC32(s_or_saveexec_b32,    (uint32_t)(a | e), e)
LW_SAVEEXEC32(s_xor_saveexec_b32,   (uint32_t)(a ^ e), e)
LW_SAVEEXEC32(s_andn2_saveexec_b32, (uint32_t)(a & ~e), e)
LW_SAVEEXEC32(s_orn2_saveexec_b32,  (uint32_t)(a | ~e), e)
LW_SAVEEXEC32(s_nand_saveexec_b32,  (uint32_t)(~(a & e)), e)
LW_SAVEEXEC32(s_nor_saveexec_b32,   (uint32_t)(~(a | e)), e)
LW_SAVEEXEC32(s_xnor_saveexec_b32,  (uint32_t)(~(a ^ e)), e)
LW_SAVEEXEC32(s_andn1_saveexec_b32, (uint32_t)(~a & e), e)
LW_SAVEEXEC32(s_orn1_saveexec_b32,  (uint32_t)(~a | e), e)
LW_SAVEEXEC32(s_andn1_wrexec_b32,   (uint32_t)(~a & e), x)
LW_SAVEEXEC32(s_andn2_wrexec_b32,   (uint32_t)(a & ~e), x)
/* clang-format on */
