/* SPDX-License-Identifier: MIT */
/* The kernel of a probe for AMD's GPUs. */
#include <stdio.h>
#include <string.h>

#include "validate/layout_probe/probe.h"

enum { TEXT = 160 };

/* The modifiers for the assembler, leaving out those that only lw_mods_parse knows. */
static void write_assembly(const lw_probe *p, char text[LW_PROBE_TEXT])
{
    const char *word = p->modifiers;
    size_t used = 0;
    text[0] = '\0';
    while (*word) {
        const size_t length = strcspn(word, " ");
        const bool ours = strncmp(word, "reading:", 8) == 0 || strncmp(word, "wave:", 5) == 0;
        if (!ours && length)
            used += (size_t)snprintf(text + used, LW_PROBE_TEXT - used, "%s%.*s", used ? " " : "",
                                     (int)length, word);
        word += length + (word[length] == ' ');
    }
}

/* "words8 b; b[0] = in[16 * WAVE] ...": an operand's registers as one vector variable. */
static void put_load(const lw_probe *p, unsigned operand)
{
    const unsigned count = p->layout[operand].registers;
    const char *name = lw_probe_variable(operand);
    lw_writer_put(p->w, "    words%u %s;\n", count, name);
    for (unsigned r = 0; r < count; r++)
        lw_writer_put(p->w, count == 1 ? "    %s = in[%u * WAVE];\n" : "    %s[%u] = in[%u * WAVE];\n", name,
                      count == 1 ? p->at[operand] + r : r, p->at[operand] + r);
}

/* D is an input too, so that bits which the instruction does not write are known. C is read from D where they
 * are tied. */
static void put_d(const lw_probe *p)
{
    const unsigned count = p->layout[LW_OPERAND_D].registers;
    lw_writer_put(p->w, "    words%u d;\n", count);
    for (unsigned r = 0; r < count; r++) {
        char value[TEXT] = "0";
        if (p->tied)
            snprintf(value, sizeof(value), "in[%u * WAVE]", p->at[LW_OPERAND_C] + r);
        if (count == 1)
            lw_writer_put(p->w, "    d = %s;\n", value);
        else
            lw_writer_put(p->w, "    d[%u] = %s;\n", r, value);
    }
}

static void put_asm(const lw_probe *p)
{
    const bool cdna = p->insn->layout != LW_FAMILY_WMMA && p->insn->layout != LW_FAMILY_SWMMAC;
    const char *file = p->arch == LW_ARCH_GFX908 ? "a" : "v";
    const char *wait =
        cdna ? "s_nop 15\\n s_nop 15\\n" : "v_nop\\n v_nop\\n v_nop\\n v_nop\\n v_nop\\n v_nop\\n";
    lw_writer_put(p->w,
                  "    /* the waits around it keep it clear of its neighbours, whose hazards the compiler "
                  "cannot see */\n");
    lw_writer_put(p->w, "    asm volatile(\"%s %s %%0, %%1, %%2, ", wait, p->instruction);
    const unsigned more[] = { LW_OPERAND_C, LW_OPERAND_INDEX, LW_OPERAND_SCALE_A, LW_OPERAND_SCALE_B };
    char assembly[LW_PROBE_TEXT], inputs[TEXT] = "\"v\"(a), \"v\"(b)";
    unsigned number = 3;
    write_assembly(p, assembly);
    for (unsigned i = 0; i < sizeof(more) / sizeof(more[0]); i++) {
        if (!p->has[more[i]] || (more[i] == LW_OPERAND_C && p->tied))
            continue;
        const size_t used = strlen(inputs);
        lw_writer_put(p->w, "%s%%%u", number > 3 ? ", " : "", number);
        snprintf(inputs + used, sizeof(inputs) - used, ", \"%s\"(%s)", more[i] == LW_OPERAND_C ? file : "v",
                 lw_probe_variable(more[i]));
        number++;
    }
    lw_writer_put(p->w, "%s%s\\n %s\"\n                 : \"+&%s\"(d) : %s);\n", assembly[0] ? " " : "",
                  assembly, wait, file, inputs);
}

static void put_results(const lw_probe *p)
{
    const unsigned count = p->layout[LW_OPERAND_D].registers;
    for (unsigned r = 0; r < count; r++)
        if (count == 1)
            lw_writer_put(p->w, "    out[0] = d;\n");
        else
            lw_writer_put(p->w, "    out[%u * WAVE] = d[%u];\n", r, r);
}

static void put_vector_types(const lw_probe *p)
{
    unsigned long long sizes = 0;
    for (unsigned o = 0; o < LW_OPERAND_COUNT; o++)
        if (p->has[o])
            sizes |= 1ull << p->layout[o].registers;
    for (unsigned n = 1; n < 64; n++)
        if (sizes >> n & 1 && n == 1)
            lw_writer_put(p->w, "typedef uint32_t words1;\n");
        else if (sizes >> n & 1)
            lw_writer_put(p->w, "typedef uint32_t words%u __attribute__((ext_vector_type(%u)));\n", n, n);
}

void lw_probe_put_hip(const lw_probe *p)
{
    lw_writer_put(p->w, "\n#if defined(__HIP__)\n#define GPU(name) hip##name\n");
    lw_writer_put(p->w,
                  "#if __has_include(<hip/hip_runtime.h>)\n#include <hip/hip_runtime.h>\n"
                  "#else\n#define PROBE_DEVICE_ONLY 1\n#define __global__ __attribute__((global))\n#endif\n");
    put_vector_types(p);
    lw_writer_put(
        p->w, "\n/* One workgroup of one wave for each experiment. */\n"
              "extern \"C\" __global__ void probe_kernel(const uint32_t *in, uint32_t *out)\n{\n"
              "    in += __builtin_amdgcn_workgroup_id_x() * IN_WORDS + __builtin_amdgcn_workitem_id_x();\n"
              "    out += __builtin_amdgcn_workgroup_id_x() * OUT_WORDS + "
              "__builtin_amdgcn_workitem_id_x();\n");
    for (unsigned o = 0; o < LW_OPERAND_COUNT; o++)
        if (p->has[o] && o != LW_OPERAND_D && !(o == LW_OPERAND_C && p->tied))
            put_load(p, o);
    put_d(p);
    put_asm(p);
    put_results(p);
    lw_writer_put(p->w, "}\n\n");
}
