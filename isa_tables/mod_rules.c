/* SPDX-License-Identifier: MIT */
/* The modifiers of each rule on each architecture, and the fields that modifiers set. */
#include <stddef.h>
#include <string.h>

#include "isa_tables/matrix.h"

#define HELP_BLOCKS                                                                                          \
    "cbsz:0..log2(blocks) lets each run of 2^cbsz blocks read one block of A, number abid:0..2^cbsz-1 of "   \
    "the run. "
#define HELP_BLGP                                                                                            \
    "blgp:0..7 picks the lanes B is read from: 0 own; 1 lanes 0-31, 2 lanes 32-63 for both halves; 3 "       \
    "sixteen lanes on; 4..7 the lanes 0-15, 16-31, 32-47, 48-63 for all."
#define HELP_CBSZ_OPEN " cbsz and abid assemble, but have no documented meaning with one block."
#define HELP_NONE "All three assemble, but none has a documented meaning for this instruction."
#define HELP_F64                                                                                             \
    "neg:[a,b,c] negates A, B, C (encoded in the BLGP field). cbsz and abid assemble, but have no "          \
    "documented meaning."
#define HELP_SMFMAC                                                                                          \
    "With cbsz:0, abid picks which of the index sets in the index register is used; with any other cbsz "    \
    "it is set 0."
#define HELP_FORMATS "cbsz is the format of A, blgp that of B: 0 fp8, 1 bf8, 2 fp6, 3 bf6, 4 fp4."
#define HELP_BYTES                                                                                           \
    "The scale of A is byte op_sel[0] + 2*op_sel_hi[0] of its register, that of B is byte op_sel[1] + "      \
    "2*op_sel_hi[1]."
#define HELP_HALVES                                                                                          \
    "neg_lo[0], neg_lo[1] negate the elements in bits 15:0 of A's, B's registers, neg_hi[0], neg_hi[1] "     \
    "those in bits 31:16. "
#define HELP_STORED                                                                                          \
    "neg_lo[0] negates the elements in bits 15:0 of A's registers, neg_hi[0] those in bits 31:16; "          \
    "neg_lo[1] "                                                                                             \
    "negates what is picked from B for the first of each pair of stored values, neg_hi[1] for the second. "
#define HELP_WIDE "neg_lo[0], neg_lo[1] negate A, B. "
#define HELP_NEG_C "neg_hi[2] takes the absolute value of C, then neg_lo[2] negates it."
#define HELP_OP_SEL                                                                                          \
    " op_sel[2] is the half of each register that C is read from and D written to: 0 low, 1 high; the "      \
    "other half of D is kept. The other bits of op_sel, and op_sel_hi, have no effect."
#define HELP_SIGNED "neg_lo[0], neg_lo[1] say that A, B are signed; they are unsigned without. "
#define HELP_CLAMP "clamp saturates the result instead of wrapping it."
#define HELP_BYTE_OPEN                                                                                       \
    "neg_lo[2] and neg_hi[2] assemble; AMD's matrix instruction calculator says that fp8 and bf8 take no "   \
    "NEG."
#define HELP_FMT                                                                                             \
    "matrix_a_fmt, matrix_b_fmt are the formats of A and B: MATRIX_FMT_FP8, _BF8, _FP6, _BF6, _FP4 (0 to "   \
    "4). "
#define HELP_SCALE_FMT                                                                                       \
    "matrix_a_scale_fmt, matrix_b_scale_fmt are MATRIX_SCALE_FMT_E8, _E5M3, _E4M3 (0 to 2); AMD names E8 "   \
    "with E8 for all data, E8 for 8- and 6-bit data with E5M3 or E4M3 for fp4, and E4M3 with E4M3 for fp4 "  \
    "with fp4. What the top bit of an E4M3 code does is not public; it is ignored. "
#define HELP_SCALES                                                                                          \
    "matrix_a_scale, matrix_b_scale say which lanes hold the scales: MATRIX_SCALE_ROW0 0-15, "               \
    "MATRIX_SCALE_ROW1 16-31. " HELP_SCALE_FMT
#define HELP_F4_SCALES                                                                                       \
    "matrix_b_scale says which lanes hold B's scales: MATRIX_SCALE_ROW0 0-15, MATRIX_SCALE_ROW1 16-31; A "   \
    "has 32 rows and takes ROW0 only. " HELP_SCALE_FMT
#define HELP_KEY                                                                                             \
    "index_key picks which of the index sets in the index register is used; how many there are depends on "  \
    "the size of the wave."
#define HELP_KEY_OPEN                                                                                        \
    "index_key:0..1 assembles, but the index fills its registers and there is nothing to pick."
#define HELP_REUSE                                                                                           \
    " matrix_a_reuse, matrix_b_reuse are hints to the operand cache, without effect on numbers."
#define REUSE " matrix_a_reuse matrix_b_reuse"
#define SCALES "matrix_a_scale matrix_b_scale matrix_a_scale_fmt matrix_b_scale_fmt"

#define CDNA1 (1u << LW_ARCH_GFX908)
#define CDNA2 (1u << LW_ARCH_GFX90A)
#define CDNA3 (1u << LW_ARCH_GFX942)
#define CDNA4 (1u << LW_ARCH_GFX950)
#define CDNA (CDNA1 | CDNA2 | CDNA3 | CDNA4)
#define GFX11 (1u << LW_ARCH_GFX1100 | 1u << LW_ARCH_GFX1150)
#define GFX12 (1u << LW_ARCH_GFX1201)
#define GFX1250 (1u << LW_ARCH_GFX1250)
#define BITS(op_sel_, op_sel_hi_, neg_lo_, neg_hi_)                                                          \
    {                                                                                                        \
        op_sel_, op_sel_hi_, neg_lo_, neg_hi_                                                                \
    }
#define NO_BITS BITS(0, 0, 0, 0)
static const lw_mod_row rows[] = {
#define MOD(rule_, archs_, reads_as_, names_, means_, assembles_, needs_, help_)                             \
    {                                                                                                        \
        LW_MODS_##rule_, archs_, LW_MODS_##reads_as_, names_, means_, assembles_, needs_, help_,             \
        NO_BITS,         false                                                                               \
    },
#define MOD_IGNORING(rule_, archs_, reads_as_, names_, means_, assembles_, needs_, help_, ignored_, clamp_)  \
    { LW_MODS_##rule_, archs_, LW_MODS_##reads_as_, names_, means_, assembles_, needs_, help_,               \
      ignored_,        clamp_ },
#include "isa_tables/mod_rules.inc"
#undef MOD
#undef MOD_IGNORING
};

const lw_mod_row *lw_insn_mod_row(lw_arch arch, const lw_insn *insn)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (rows[i].rule == insn->mods && (rows[i].archs >> arch & 1))
            return &rows[i];
    return NULL;
}

bool lw_mod_row_has(const lw_mod_row *row, const char *name, size_t length)
{
    const char *at = row->names;
    while (*at) {
        size_t word = 0;
        while (at[word] && at[word] != ' ')
            word++;
        if (word == length && memcmp(at, name, length) == 0)
            return true;
        at += word;
        while (*at == ' ')
            at++;
    }
    return false;
}

#define NUMBER(name_, field_, max_)                                                                          \
    {                                                                                                        \
        name_, LW_MOD_FIELD_NUMBER, offsetof(lw_mods, field_), max_, NULL,                                   \
        {                                                                                                    \
            NULL                                                                                             \
        }                                                                                                    \
    }
#define LIST(name_, field_)                                                                                  \
    {                                                                                                        \
        name_, LW_MOD_FIELD_BITS, offsetof(lw_mods, field_), 3, NULL,                                        \
        {                                                                                                    \
            NULL                                                                                             \
        }                                                                                                    \
    }
#define FLAG(name_, field_)                                                                                  \
    {                                                                                                        \
        name_, LW_MOD_FIELD_FLAG, offsetof(lw_mods, field_), 1, NULL,                                        \
        {                                                                                                    \
            NULL                                                                                             \
        }                                                                                                    \
    }
#define NAMED(name_, field_, max_, prefix_, ...)                                                             \
    {                                                                                                        \
        name_, LW_MOD_FIELD_NAME, offsetof(lw_mods, field_), max_, prefix_,                                  \
        {                                                                                                    \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }
#define FORMATS(name_, field_) NAMED(name_, field_, 4, "MATRIX_FMT_", "FP8", "BF8", "FP6", "BF6", "FP4")
#define ROWS(name_, field_) NAMED(name_, field_, 1, "MATRIX_SCALE_", "ROW0", "ROW1")
#define SCALE_FORMATS(name_, field_) NAMED(name_, field_, 2, "MATRIX_SCALE_FMT_", "E8", "E5M3", "E4M3")
const lw_mod_field lw_mod_fields[] = {
    NUMBER("cbsz", cbsz, 7),
    NUMBER("abid", abid, 15),
    NUMBER("blgp", blgp, 7),
    LIST("neg", neg),
    FORMATS("matrix_a_fmt", cbsz),
    FORMATS("matrix_b_fmt", blgp),
    ROWS("matrix_a_scale", scale_row_a),
    ROWS("matrix_b_scale", scale_row_b),
    SCALE_FORMATS("matrix_a_scale_fmt", scale_fmt_a),
    SCALE_FORMATS("matrix_b_scale_fmt", scale_fmt_b),
    FLAG("matrix_a_reuse", reuse_a),
    FLAG("matrix_b_reuse", reuse_b),
    NUMBER("index_key", index_key, 3),
    LIST("op_sel", op_sel),
    LIST("op_sel_hi", op_sel_hi),
    LIST("neg_lo", neg_lo),
    LIST("neg_hi", neg_hi),
    FLAG("clamp", clamp),
};
const size_t lw_mod_field_count = sizeof(lw_mod_fields) / sizeof(lw_mod_fields[0]);

uint8_t lw_mod_field_rest(const lw_mod_row *row, const lw_mod_field *field)
{
    return row->reads_as == LW_MODS_WMMA_HALF && field->offset == offsetof(lw_mods, op_sel_hi) ? 7 : 0;
}
