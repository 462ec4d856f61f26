/* SPDX-License-Identifier: MIT */
/* Scalar instructions as text: operands and the symbolic immediates. */
#include "emu/amdgpu/decode/decode.h"
#include "emu/amdgpu/text/text.h"

/* Small numbers in decimal, others in hexadecimal. */
static void put_number(lw_text *t, uint32_t v)
{
    if (v <= 64)
        lw_text_decimal(t, v);
    else
        lw_text_hex(t, v);
}

static void put_waitcnt(lw_text *t, unsigned v)
{
    static const struct {
        lw_counter counter;
        const char *name;
    } fields[] = { { LW_COUNTER_VM, " vmcnt(" },
                   { LW_COUNTER_EXP, " expcnt(" },
                   { LW_COUNTER_LGKM, " lgkmcnt(" } };
    enum { FIELDS = sizeof(fields) / sizeof(fields[0]) };
    const lw_counters *c = t->traits->counters;
    bool none = true;
    for (size_t i = 0; i < FIELDS; i++)
        none = none && lw_counters_left(c, fields[i].counter, v) < 0;
    for (size_t i = 0; i < FIELDS; i++) {
        const int left = lw_counters_left(c, fields[i].counter, v);
        if (left < 0 && !none)
            continue;
        lw_text_add(t, fields[i].name);
        lw_text_decimal(t, left >= 0 ? (unsigned)left : c->most[fields[i].counter]);
        lw_text_add(t, ")");
    }
}

enum { MSG_GS = 2, MSG_GS_DONE = 3, MSG_SYSMSG = 15 };

static const char *const messages[16] = {
    [1] = "MSG_INTERRUPT",         [MSG_GS] = "MSG_GS",
    [MSG_GS_DONE] = "MSG_GS_DONE", [4] = "MSG_SAVEWAVE",
    [5] = "MSG_STALL_WAVE_GEN",    [6] = "MSG_HALT_WAVES",
    [7] = "MSG_ORDERED_PS_DONE",   [8] = "MSG_EARLY_PRIM_DEALLOC",
    [9] = "MSG_GS_ALLOC_REQ",      [10] = "MSG_GET_DOORBELL",
    [MSG_SYSMSG] = "MSG_SYSMSG",
};

static const char *message_operation(unsigned id, unsigned op)
{
    static const char *const gs[8] = { "GS_OP_NOP", "GS_OP_CUT", "GS_OP_EMIT", "GS_OP_EMIT_CUT" };
    static const char *const sys[8] = {
        [1] = "SYSMSG_OP_ECC_ERR_INTERRUPT",
        [2] = "SYSMSG_OP_REG_RD",
        [4] = "SYSMSG_OP_TTRACE_PC",
    };
    if (id == MSG_SYSMSG)
        return sys[op];
    return id == MSG_GS && !op ? NULL : gs[op];
}

static void put_sendmsg(lw_text *t, unsigned v)
{
    if (t->traits->messages) {
        const char *name = t->traits->messages[v & 255]; /* LLVM 22 ignores the other bits */
        if (name)
            lw_text_put(t, "sendmsg(%s)", name);
        else
            lw_text_put(t, v < 256 ? "sendmsg(%u, 0, 0)" : "%u", v);
        return;
    }
    const unsigned id = v & 15, op = v >> 4 & 7, stream = v >> 8 & 3;
    const bool gs = id == MSG_GS || id == MSG_GS_DONE, has_op = gs || id == MSG_SYSMSG;
    const char *const operation = has_op ? message_operation(id, op) : NULL;
    const bool good_op = has_op ? operation != NULL : op == 0;
    if (messages[id] && good_op && (!stream || (gs && op))) {
        lw_text_put(t, "sendmsg(%s", messages[id]);
        if (has_op)
            lw_text_put(t, ", %s", operation);
        if (gs && op)
            lw_text_put(t, ", %u", stream);
        lw_text_add(t, ")");
    } else if ((id | op << 4 | stream << 8) == v) {
        lw_text_put(t, "sendmsg(%u, %u, %u)", id, op, stream);
    } else {
        lw_text_decimal(t, v);
    }
}

/* Parts of s_delay_alu: bits 3:0, 6:4 and 10:7. */
static void put_delay(lw_text *t, unsigned v)
{
    static const char *const ids[16] = {
        NULL,
        "VALU_DEP_1",
        "VALU_DEP_2",
        "VALU_DEP_3",
        "VALU_DEP_4",
        "TRANS32_DEP_1",
        "TRANS32_DEP_2",
        "TRANS32_DEP_3",
        "FMA_ACCUM_CYCLE_1",
        "SALU_CYCLE_1",
        "SALU_CYCLE_2",
        "SALU_CYCLE_3",
    };
    static const char *const skips[8] = { NULL, "NEXT", "SKIP_1", "SKIP_2", "SKIP_3", "SKIP_4" };
    static const char *const parts[3] = { "instid0(", "instskip(", "instid1(" };
    const unsigned values[3] = { v & 15, v >> 4 & 7, v >> 7 & 15 };
    bool any = false;
    for (unsigned i = 0; i < 3; i++) {
        const char *name = (i == 1 ? skips : ids)[values[i]];
        if (!values[i])
            continue;
        lw_text_if(t, any, " | ");
        lw_text_add(t, parts[i]);
        if (name)
            lw_text_add(t, name);
        else
            lw_text_put(t, "/* invalid %s value */", i == 1 ? "instskip" : "instid");
        lw_text_add(t, ")");
        any = true;
    }
    if (!any)
        put_number(t, 0);
}

/* Fields of s_waitcnt_depctr that request a wait; those that do not are all ones. */
static void put_depctr(lw_text *t, unsigned v)
{
    static const struct {
        const char *name;
        uint8_t low, count;
    } fields[] = { { "hold_cnt", 7, 1 }, { "sa_sdst", 0, 1 }, { "va_vdst", 12, 4 }, { "va_sdst", 9, 3 },
                   { "va_ssrc", 8, 1 },  { "va_vcc", 1, 1 },  { "vm_vsrc", 2, 3 } };
    enum { UNUSED = 0x60, IDLE = 0xff9f };
    const char *blank = "";
    if (v & UNUSED) {
        lw_text_hex(t, v);
        return;
    }
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        const unsigned most = (1u << fields[i].count) - 1, is = v >> fields[i].low & most;
        if (is == most && v != IDLE)
            continue;
        lw_text_put(t, "%sdepctr_%s(%u)", blank, fields[i].name, is);
        blank = " ";
    }
}

static void put_hwreg(lw_text *t, unsigned v)
{
    const unsigned id = v & 63, offset = v >> 6 & 31, width = (v >> 11 & 31) + 1;
    lw_text_add(t, "hwreg(");
    if (t->traits->hwregs[id])
        lw_text_add(t, t->traits->hwregs[id]);
    else
        lw_text_decimal(t, id);
    if (offset || width != 32)
        lw_text_put(t, ", %u, %u", offset, width);
    lw_text_add(t, ")");
}

static void put_gpr_idx(lw_text *t, unsigned v)
{
    static const char *const modes[] = { "SRC0", "SRC1", "SRC2", "DST" };
    if (v > 15) {
        lw_text_hex(t, v);
        return;
    }
    bool first = true;
    lw_text_add(t, "gpr_idx(");
    for (unsigned i = 0; i < 4; i++) {
        if (!(v >> i & 1))
            continue;
        lw_text_put(t, "%s%s", first ? "" : ",", modes[i]);
        first = false;
    }
    lw_text_add(t, ")");
}

/* The 32-bit literal of s_setreg_imm32; values that an inline constant could hold are printed as one. */
static void put_constant(lw_text *t, uint32_t v)
{
    static const struct {
        uint32_t bits;
        const char *text;
    } floats[] = {
        { 0x3f000000, "0.5" },  { 0xbf000000, "-0.5" }, { 0x3f800000, "1.0" },
        { 0xbf800000, "-1.0" }, { 0x40000000, "2.0" },  { 0xc0000000, "-2.0" },
        { 0x40800000, "4.0" },  { 0xc0800000, "-4.0" }, { 0x3e22f983, "0.15915494" },
    };
    for (size_t i = 0; i < sizeof(floats) / sizeof(floats[0]); i++)
        if (v == floats[i].bits) {
            lw_text_add(t, floats[i].text);
            return;
        }
    if (v >= 0xfffffff0)
        lw_text_put(t, "%d", (int)(int32_t)v);
    else
        put_number(t, v);
}

/* The microcode's version, and the wave sizes for which it is valid. */
static void put_version(lw_text *t, unsigned v)
{
    static const char *const names[16] = { [0] = "GFX7", [4] = "GFX10", [6] = "GFX11", [9] = "GFX12" };
    static const char *const flags[3] = { "W64", "W32", "MDP" };
    enum { FLAG = 13, UNUSED = 0x1f00 };
    const unsigned set = v >> FLAG, number = v & 0xff;
    if (v & UNUSED) {
        lw_text_hex(t, v);
        return;
    }
    const unsigned count = (set & 1) + (set >> 1 & 1) + (set >> 2);
    lw_text_put(t, "%s", count > 2 ? "((" : count > 1 ? "(" : "");
    if (number < 16 && names[number])
        lw_text_put(t, "UC_VERSION_%s", names[number]);
    else
        lw_text_decimal(t, number);
    for (unsigned i = 0, done = 0; i < 3; i++) {
        if (!(set >> i & 1))
            continue;
        lw_text_put(t, "|UC_VERSION_%s_BIT%s", flags[i], ++done < count ? ")" : "");
    }
}

static void put_immediate(lw_text *t, lw_imm_kind kind, uint32_t v)
{
    switch (kind) {
    case LW_IMM_NOIMM:
        return;
    case LW_IMM_ENDPGM:
        if (v)
            lw_text_put(t, " %u", v);
        return;
    case LW_IMM_WAITCNT:
        put_waitcnt(t, v);
        return;
    case LW_IMM_UIMM16:
    case LW_IMM_SIMM16:
    case LW_IMM_LABEL:
    case LW_IMM_SENDMSG:
    case LW_IMM_HWREG:
    case LW_IMM_HWREG_K32:
    case LW_IMM_IDX_MODE:
    case LW_IMM_IDX_ON:
    case LW_IMM_HEX16:
    case LW_IMM_VERSION:
    case LW_IMM_DELAY:
    case LW_IMM_DEPCTR:
        break;
    }
    lw_text_comma(t);
    if (kind == LW_IMM_LABEL)
        lw_text_decimal(t, v);
    else if (kind == LW_IMM_HEX16)
        lw_text_hex(t, v);
    else if (kind == LW_IMM_VERSION)
        put_version(t, v);
    else if (kind == LW_IMM_DEPCTR)
        put_depctr(t, v);
    else if (kind == LW_IMM_DELAY)
        put_delay(t, v);
    else if (kind == LW_IMM_SENDMSG)
        put_sendmsg(t, v);
    else if (kind == LW_IMM_HWREG || kind == LW_IMM_HWREG_K32)
        put_hwreg(t, v);
    else if (kind == LW_IMM_IDX_MODE || kind == LW_IMM_IDX_ON)
        put_gpr_idx(t, v);
    else
        put_number(t, v);
}

static void put_sopk(lw_text *t, const lw_decoded *in)
{
    const lw_imm_kind kind = (lw_imm_kind)in->row->imm;
    const bool before = kind == LW_IMM_HWREG_K32 || (kind == LW_IMM_HWREG && in->row->access == 1);
    if (before)
        put_immediate(t, kind, in->imm);
    if (kind == LW_IMM_HWREG_K32) {
        lw_text_comma(t);
        put_constant(t, in->src[0].literal);
        return;
    }
    lw_text_next(t, in->dst.kind != LW_OPND_NONE ? &in->dst : &in->src[0]);
    if (before)
        return;
    if (kind == LW_IMM_SIMM16 || kind == LW_IMM_UIMM16)
        lw_text_next(t, &in->src[1]);
    else
        put_immediate(t, kind, in->imm);
}

void lw_text_scalar(lw_text *t, const lw_decoded *in)
{
    if (in->enc == LW_ENC_SOPP) {
        put_immediate(t, (lw_imm_kind)in->row->imm, in->imm);
        return;
    }
    if (in->enc == LW_ENC_SOPK) {
        put_sopk(t, in);
        return;
    }
    lw_text_next(t, &in->dst);
    lw_opnd first = in->src[0];
    if (in->enc == LW_ENC_SOP1 && first.type == LW_TYPE_F16 &&
        first.kind == LW_OPND_LITERAL) { /* LLVM 22 considers all 32 bits */
        first.type = LW_TYPE_B32;
        first.value = first.literal;
    }
    if (first.kind == LW_OPND_IMM)
        put_immediate(t, LW_IMM_SENDMSG, in->imm);
    else
        lw_text_next(t, &first);
    if (in->src[1].kind == LW_OPND_IMM)
        put_immediate(t, LW_IMM_IDX_ON, in->imm);
    else
        lw_text_next(t, &in->src[1]);
    lw_text_next(t, &in->src[2]);
}

static void put_offset(lw_text *t, const char *before, int32_t offset)
{
    lw_text_add(t, before);
    lw_text_if(t, offset < 0, "-");
    lw_text_hex(t, offset < 0 ? 0u - (unsigned)offset : (unsigned)offset);
}

/* Generations whose encoding always has both offsets: offsets that have no effect are omitted. */
static void put_smem11(lw_text *t, const lw_decoded *in)
{
    const bool reg = in->src[1].kind == LW_OPND_SGPR;
    if (t->traits->temporal_hints) { /* LLVM 22 always prints the number there */
        if (reg)
            lw_text_next(t, &in->src[1]);
        else
            lw_text_comma(t);
        put_offset(t, reg ? " offset:" : "", in->offset);
        return;
    }
    if (reg || !in->offset)
        lw_text_next(t, &in->src[1]);
    if (reg && in->offset) {
        put_offset(t, " offset:", in->offset);
    } else if (in->offset) {
        lw_text_comma(t);
        put_offset(t, "", in->offset);
    }
}

/* The base if there is one, the offset, a register or null, and a number. */
static void put_prefetch(lw_text *t, const lw_decoded *in)
{
    lw_text_next(t, &in->src[0]);
    lw_text_comma(t);
    put_offset(t, "", in->offset);
    lw_text_next(t, &in->src[1]);
    lw_text_comma(t);
    put_number(t, in->imm);
}

void lw_text_smem(lw_text *t, const lw_decoded *in)
{
    if (in->row->kind == LW_SM_PREFETCH) {
        put_prefetch(t, in);
        return;
    }
    if (in->row->kind == LW_SM_PROBE) {
        lw_text_comma(t);
        put_number(t, in->imm);
    }
    /* stores and atomics name their data register, which also receives what an atomic returns */
    lw_text_next(t, in->src[2].kind != LW_OPND_NONE ? &in->src[2] : &in->dst);
    lw_text_next(t, &in->src[0]);
    if (!t->traits->smem_always_offset)
        lw_text_next(t, &in->src[1]);
    if (in->imm_offset && in->soffset_en && t->traits->smem_always_offset) {
        put_smem11(t, in);
    } else if (in->imm_offset && in->soffset_en) {
        put_offset(t, " offset:", in->offset);
    } else if (in->imm_offset) {
        lw_text_comma(t);
        put_offset(t, "", in->offset);
    }
    lw_text_if(t, in->scale_offset, " scale_offset");
    if (in->has_scope)
        lw_text_hints(t, in);
    else {
        lw_text_if(t, in->glc, " glc");
        lw_text_if(t, in->dlc, " dlc");
    }
}
