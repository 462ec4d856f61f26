/* SPDX-License-Identifier: MIT */
/* The kernel of a probe for NVIDIA's GPUs. */
#include <stdio.h>
#include <string.h>

#include "isa_tables/ptx/row.h"
#include "validate/layout_probe/probe.h"

/* The constraint with which PTX's inline assembly takes a register of an operand. */
typedef struct kind {
    const char *type, *constraint;
    unsigned words;
} kind;

static kind kind_of(const lw_probe *p, unsigned operand)
{
    const unsigned elem = p->layout[operand].elem;
    const bool sum = operand == LW_OPERAND_C || operand == LW_OPERAND_D;
    if (elem == LW_ELEM_F64)
        return (kind){ "double", "d", 2 };
    if (elem == LW_ELEM_F32 && sum)
        return (kind){ "float", "f", 1 };
    return (kind){ "uint32_t", "r", 1 };
}

static unsigned count_of(const lw_probe *p, unsigned operand)
{
    return p->layout[operand].registers / kind_of(p, operand).words;
}

static void put_load(const lw_probe *p, unsigned operand)
{
    const kind k = kind_of(p, operand);
    for (unsigned r = 0; r < count_of(p, operand); r++) {
        const unsigned at = p->at[operand] + r * k.words;
        lw_writer_put(p->w, "    const %s %s%u = ", k.type, lw_probe_variable(operand), r);
        if (k.words == 2)
            lw_writer_put(p->w, "__hiloint2double((int)in[%u * WAVE], (int)in[%u * WAVE]);\n", at + 1, at);
        else if (k.constraint[0] == 'f')
            lw_writer_put(p->w, "__uint_as_float(in[%u * WAVE]);\n", at);
        else
            lw_writer_put(p->w, "in[%u * WAVE];\n", at);
    }
}

/* "{%0, %1}, ": the placeholders in the assembly text, numbered from *number on. */
static void put_group(const lw_probe *p, unsigned operand, unsigned *number, const char *end)
{
    const unsigned count = count_of(p, operand);
    lw_writer_put(p->w, "{");
    for (unsigned r = 0; r < count; r++)
        lw_writer_put(p->w, "%s%%%u", r ? ", " : "", (*number)++);
    lw_writer_put(p->w, "}%s", end);
}

static void put_constraints(const lw_probe *p, unsigned operand, const char *before, const char *mark)
{
    const kind k = kind_of(p, operand);
    for (unsigned r = 0; r < count_of(p, operand); r++)
        lw_writer_put(p->w, "%s\"%s%s\"(%s%u)", r ? ", " : before, mark, k.constraint,
                      lw_probe_variable(operand), r);
}

static void put_asm(const lw_probe *p)
{
    const lw_ptx_mods *ptx = &p->mods.ptx;
    unsigned number = 0;
    lw_writer_put(p->w, "    asm volatile(\"%s \"\n                 \"", p->instruction);
    put_group(p, LW_OPERAND_D, &number, ", ");
    put_group(p, LW_OPERAND_A, &number, ", ");
    put_group(p, LW_OPERAND_B, &number, ", ");
    put_group(p, LW_OPERAND_C, &number, "");
    if (p->has[LW_OPERAND_INDEX])
        lw_writer_put(p->w, ", %%%u, %u", number++, ptx->selector);
    if (p->has[LW_OPERAND_SCALE_A]) {
        lw_writer_put(p->w, ", %%%u, {%u, %u}", number, ptx->byte_a, ptx->thread_a);
        lw_writer_put(p->w, ", %%%u, {%u, %u}", number + 1, ptx->byte_b, ptx->thread_b);
    }
    lw_writer_put(p->w, ";\"\n                 ");
    put_constraints(p, LW_OPERAND_D, ": ", "=");
    lw_writer_put(p->w, "\n                 ");
    put_constraints(p, LW_OPERAND_A, ": ", "");
    for (unsigned o = LW_OPERAND_B; o < LW_OPERAND_COUNT; o++)
        if (p->has[o] && o != LW_OPERAND_D)
            put_constraints(p, o, ", ", "");
    lw_writer_put(p->w, ");\n");
}

static void put_results(const lw_probe *p)
{
    const kind k = kind_of(p, LW_OPERAND_D);
    for (unsigned r = 0; r < count_of(p, LW_OPERAND_D); r++)
        if (k.words == 2)
            lw_writer_put(p->w,
                          "    out[%u * WAVE] = (uint32_t)__double2loint(d%u);\n"
                          "    out[%u * WAVE] = (uint32_t)__double2hiint(d%u);\n",
                          2 * r, r, 2 * r + 1, r);
        else
            lw_writer_put(p->w,
                          k.constraint[0] == 'f' ? "    out[%u * WAVE] = __float_as_uint(d%u);\n"
                                                 : "    out[%u * WAVE] = d%u;\n",
                          r, r);
}

void lw_probe_put_cuda(const lw_probe *p)
{
    lw_writer_put(p->w, "\n#if defined(__CUDACC__)\n#define GPU(name) cuda##name\n\n"
                        "/* One block of one warp for each experiment. */\n"
                        "extern \"C\" __global__ void probe_kernel(const uint32_t *in, uint32_t *out)\n{\n"
                        "    in += blockIdx.x * IN_WORDS + threadIdx.x;\n"
                        "    out += blockIdx.x * OUT_WORDS + threadIdx.x;\n");
    for (unsigned o = 0; o < LW_OPERAND_COUNT; o++)
        if (p->has[o] && o != LW_OPERAND_D)
            put_load(p, o);
    for (unsigned r = 0; r < count_of(p, LW_OPERAND_D); r++)
        lw_writer_put(p->w, "    %s d%u;\n", kind_of(p, LW_OPERAND_D).type, r);
    put_asm(p);
    put_results(p);
    lw_writer_put(p->w, "}\n\n");
}
