/* SPDX-License-Identifier: MIT */
/*
 * Operands of matrix instructions: how many there are, of how many registers, and of which types. What the
 * instruction takes is in its row of isa_tables; which registers go with an element type is as ptxas 13.0
 * accepts and refuses them (tests/ptx/spellings/matrix_operands.txt).
 */
#include <stdio.h>
#include <string.h>

#include <lanewise/insn.h>

#include "isa_tables/ptx/parts.h"
#include "loaders/ptx/parse.h"
#include "loaders/ptx/program.h"

typedef struct checking {
    lw_ptx_parser *p;
    const lw_ptx_insn *insn;
    const lw_ptx_matrix_form *form;
} checking;

static bool refuse(const checking *c, uint32_t number, const char *what)
{
    const lw_ptx_token at = { .line = c->insn->line, .column = c->insn->column };
    return lw_ptx_fail_at(c->p, &at, LW_E_FORMAT, "operand %u of %.*s must be %s", number + 1,
                          (int)c->insn->mnemonic_size, c->p->module->text + c->insn->mnemonic, what);
}

static bool refuse_count(const checking *c, const char *what)
{
    const lw_ptx_token at = { .line = c->insn->line, .column = c->insn->column };
    return lw_ptx_fail_at(c->p, &at, LW_E_FORMAT, "%.*s has %u operands here; it takes %s",
                          (int)c->insn->mnemonic_size, c->p->module->text + c->insn->mnemonic,
                          c->insn->operands.count, what);
}

static const lw_ptx_operand *operand_at(const checking *c, uint32_t number)
{
    return lw_ptx_operand_at(c->p->module, c->insn->operands.first + number);
}

/* ---- Forms, remembered: kernels repeat few spellings ---- */

static void find(const lw_ptx_parser *p, const char *text, size_t size, lw_ptx_matrix_form *f)
{
    enum { SPELLING = 256 };
    char opcode[SPELLING];
    lw_mods mods;
    lw_error error;
    const lw_arch arch = lw_ptx_arch(p->module->target);
    *f = (lw_ptx_matrix_form){ .text = text, .size = size };
    snprintf(opcode, sizeof(opcode), "%.*s", (int)size, text);
    f->verb = (uint8_t)lw_ptx_wgmma_verb_of(opcode);
    if (f->verb != LW_PTX_WGMMA_NONE && f->verb != LW_PTX_WGMMA_PRODUCT) {
        f->known = true;
        return;
    }
    f->known = lw_insn_parse(arch, opcode, &f->insn, &mods, &error) == LW_OK &&
               lw_insn_get_info(arch, f->insn, &f->info) == LW_OK;
    for (int o = 0; f->known && o < LW_OPERAND_COUNT; o++)
        if (f->info.operand[o].present)
            f->known = lw_insn_operand(arch, f->insn, (lw_operand)o, &mods, &f->operand[o], &error) == LW_OK;
}

static const lw_ptx_matrix_form *form_of(lw_ptx_parser *p, const lw_ptx_insn *insn)
{
    const char *text = p->module->text + insn->mnemonic;
    const size_t size = strcspn(text, " \t\r\n;[{");
    for (size_t i = 0; i < LW_PTX_FORMS && i < p->form_count; i++)
        if (p->forms[i].size == size && memcmp(p->forms[i].text, text, size) == 0)
            return &p->forms[i];
    lw_ptx_matrix_form *new = &p->forms[p->form_count++ % LW_PTX_FORMS];
    find(p, text, size, new);
    return new;
}

/* ---- Fragments ---- */

#define TYPE(name) (UINT64_C(1) << LW_PTX_TYPE_##name)

/* Registers that hold elements of a type; `moved`: of instructions that know no arithmetic. */
static uint64_t types_of(const lw_operand_info *info, bool moved)
{
    static const struct {
        const char *format;
        uint64_t types;
    } rows[] = {
        { "f16", TYPE(B32) | TYPE(F16X2) },
        { "bf16", TYPE(B32) },
        { "tf32", TYPE(B32) },
        { "f32", TYPE(B32) | TYPE(F32) },
        { "f64", TYPE(B64) | TYPE(U64) | TYPE(S64) | TYPE(F64) },
        { "s32", TYPE(B32) | TYPE(U32) | TYPE(S32) },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]) && !moved; i++)
        if (strcmp(info->format, rows[i].format) == 0)
            return rows[i].types;
    return TYPE(B32) | TYPE(U32) | TYPE(S32) | TYPE(F32) | TYPE(F16X2) | TYPE(BF16X2);
}

/* What else than registers may stand in a fragment. */
typedef enum others {
    REGISTERS_ONLY,
    OR_NOWHERE,  /* _ */
    OR_CONSTANT, /* of the element's type */
} others;

static bool is_other(const lw_ptx_operand *o, others also, uint64_t types)
{
    if (also == OR_NOWHERE)
        return o->kind == LW_PTX_OPERAND_SINK;
    if (also != OR_CONSTANT)
        return false;
    return types & TYPE(F64)   ? o->kind == LW_PTX_OPERAND_F64
           : types & TYPE(F32) ? o->kind == LW_PTX_OPERAND_F32
                               : o->kind == LW_PTX_OPERAND_INT;
}

static bool check_register(const checking *c, uint32_t number, const lw_ptx_operand *o, uint64_t types,
                           others also)
{
    char what[120], list[80] = "";
    if (is_other(o, also, types) ||
        (o->kind == LW_PTX_OPERAND_REGISTER && !o->negated && (types >> o->type & 1)))
        return true;
    for (unsigned t = 0; t < LW_PTX_TYPE_COUNT; t++)
        if (types >> t & 1)
            snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s.%s", *list ? ", " : "",
                     lw_ptx_types[t].word);
    snprintf(what, sizeof(what), "made of registers of type %s", list);
    return refuse(c, number, what);
}

/* {a, b, ...} */
static bool check_fragment(const checking *c, uint32_t number, lw_operand operand, bool moved, others also)
{
    const lw_operand_info *info = &c->form->operand[operand];
    const uint64_t types = types_of(info, moved);
    const unsigned count = info->registers / (types & TYPE(B64) ? 2u : 1u);
    const lw_ptx_operand *o = operand_at(c, number);
    char what[80];
    snprintf(what, sizeof(what), "%u registers in braces", count);
    if (o->kind != LW_PTX_OPERAND_VECTOR || o->count != count)
        return refuse(c, number, what);
    for (unsigned i = 0; i < count; i++)
        if (!check_register(c, number, lw_ptx_operand_at(c->p->module, o->index + i), types, also))
            return false;
    return true;
}

static bool check_word(const checking *c, uint32_t number, uint64_t types, others also)
{
    return check_register(c, number, operand_at(c, number), types, also);
}

/* A register, in braces or not. */
static bool check_single(const checking *c, uint32_t number, uint64_t types)
{
    const lw_ptx_operand *o = operand_at(c, number);
    if (o->kind == LW_PTX_OPERAND_VECTOR && o->count == 1)
        o = lw_ptx_operand_at(c->p->module, o->index);
    return check_register(c, number, o, types, REGISTERS_ONLY);
}

#define ANY_32 (TYPE(B32) | TYPE(U32) | TYPE(S32))
#define ANY_64 (TYPE(B64) | TYPE(U64) | TYPE(S64))

static bool check_constant(const checking *c, uint32_t number, uint64_t most)
{
    const lw_ptx_operand *o = operand_at(c, number);
    char what[40];
    snprintf(what, sizeof(what), "a constant from 0 to %llu", (unsigned long long)most);
    return (o->kind == LW_PTX_OPERAND_INT && o->value <= most) || refuse(c, number, what);
}

/* ---- mma and wmma.mma ---- */

static bool check_scale(const checking *c, uint32_t number)
{
    const lw_ptx_operand *pair = operand_at(c, number + 1);
    return check_single(c, number, ANY_32) &&
           ((pair->kind == LW_PTX_OPERAND_VECTOR && pair->count == 2) ||
            refuse(c, number + 1, "the number of the byte and that of the thread, {byte, thread}"));
}

static bool check_product(const checking *c)
{
    enum { FACTORS = 4, META = 2, SCALES = 4 };
    const bool sparse = c->form->info.sparse, scaled = c->form->info.scaled;
    const uint32_t scales = FACTORS + (sparse ? META : 0), all = scales + (scaled ? SCALES : 0);
    if (c->insn->operands.count != all)
        return refuse_count(c, sparse && scaled ? "d, a, b, c, metadata, selector, and two scales of two each"
                               : sparse         ? "d, a, b, c, metadata and selector"
                               : scaled         ? "d, a, b, c, and two scales of two each"
                                                : "d, a, b, c");
    if (!check_fragment(c, 0, LW_OPERAND_D, false, OR_NOWHERE) ||
        !check_fragment(c, 1, LW_OPERAND_A, false, REGISTERS_ONLY) ||
        !check_fragment(c, 2, LW_OPERAND_B, false, REGISTERS_ONLY) ||
        !check_fragment(c, 3, LW_OPERAND_C, false, OR_CONSTANT))
        return false;
    if (sparse && (!check_single(c, FACTORS, ANY_32) ||
                   !check_constant(c, FACTORS + 1,
                                   c->form->insn->ptx->selectors ? c->form->insn->ptx->selectors - 1u : 0)))
        return false;
    return !scaled || (check_scale(c, scales) && check_scale(c, scales + 2));
}

/* ---- Moves ---- */

static bool check_place(const checking *c, uint32_t number)
{
    const lw_ptx_operand *o = operand_at(c, number);
    if (o->kind != LW_PTX_OPERAND_ADDRESS || o->count != 1)
        return refuse(c, number, "an address in brackets");
    const lw_ptx_operand *base = lw_ptx_operand_at(c->p->module, o->index);
    const bool integer = base->kind == LW_PTX_OPERAND_REGISTER && ((ANY_32 | ANY_64) >> base->type & 1);
    return integer || base->kind == LW_PTX_OPERAND_VARIABLE || base->kind == LW_PTX_OPERAND_INT ||
           refuse(c, number, "an address: its register must be an integer of 32 or 64 bits");
}

static lw_operand moved_of(const lw_ptx_matrix_form *f)
{
    for (int o = LW_OPERAND_A; o <= LW_OPERAND_D; o++)
        if (f->info.operand[o].present)
            return (lw_operand)o;
    return LW_OPERAND_D;
}

static bool check_move(const checking *c)
{
    const char *family = c->form->info.family;
    const lw_operand moved = moved_of(c->form);
    const uint32_t count = c->insn->operands.count;
    const bool rows = strcmp(family, "ldmatrix") == 0 || strcmp(family, "stmatrix") == 0;
    const bool stores = strcmp(family, "stmatrix") == 0 || strcmp(family, "wmma.store") == 0;
    if (strcmp(family, "movmatrix") == 0)
        return count == 2 ? check_word(c, 0, types_of(NULL, true), REGISTERS_ONLY) &&
                                check_word(c, 1, types_of(NULL, true), REGISTERS_ONLY)
                          : refuse_count(c, "two registers");
    if (count != 2 && (rows || count != 3))
        return refuse_count(c, rows ? "registers and an address" : "registers, an address and a stride");
    return check_place(c, !stores) &&
           check_fragment(c, stores, moved, rows, stores ? REGISTERS_ONLY : OR_NOWHERE) &&
           (count == 2 || check_word(c, 2, ANY_32, OR_CONSTANT));
}

/* ---- wgmma ---- */

/* The immediates after scale-d: signs of floating-point factors, then which 16-bit ones are transposed. */
static bool check_immediates(const checking *c, uint32_t first, bool registers)
{
    const char *format = c->form->operand[LW_OPERAND_A].format;
    const bool half = strcmp(format, "f16") == 0 || strcmp(format, "bf16") == 0;
    const bool whole = strcmp(c->form->operand[LW_OPERAND_D].format, "s32") == 0;
    const uint32_t signs = whole ? 0 : 2, turns = half ? (registers ? 1 : 2) : 0;
    if (c->insn->operands.count != first + signs + turns)
        return refuse_count(c, whole ? "no constants after scale-d"
                               : half
                                   ? "after scale-d two signs, and for each factor in shared memory whether "
                                     "it is transposed"
                                   : "two signs after scale-d");
    for (uint32_t i = first; i < first + signs; i++) {
        const lw_ptx_operand *o = operand_at(c, i);
        if (o->kind != LW_PTX_OPERAND_INT || (o->value != 1 && o->value != UINT64_MAX))
            return refuse(c, i, "1 or -1");
    }
    for (uint32_t i = first + signs; i < first + signs + turns; i++)
        if (!check_constant(c, i, 1))
            return false;
    return true;
}

static bool check_wgmma_product(const checking *c)
{
    const bool sparse = c->form->info.sparse;
    const uint32_t scale = sparse ? 5 : 3;
    if (c->insn->operands.count <= scale)
        return refuse_count(c, sparse ? "d, a, b, metadata, selector, scale-d and constants"
                                      : "d, a, b, scale-d and constants");
    const bool registers = operand_at(c, 1)->kind == LW_PTX_OPERAND_VECTOR;
    const lw_ptx_operand *adds = operand_at(c, scale);
    if (!check_fragment(c, 0, LW_OPERAND_D, false, REGISTERS_ONLY) ||
        !(registers ? check_fragment(c, 1, LW_OPERAND_A, false, OR_CONSTANT)
                    : check_word(c, 1, ANY_64, OR_CONSTANT)) ||
        !check_word(c, 2, ANY_64, OR_CONSTANT))
        return false;
    if (sparse &&
        (!check_word(c, 3, ANY_32, REGISTERS_ONLY) ||
         !check_constant(c, 4, c->form->insn->ptx->selectors ? c->form->insn->ptx->selectors - 1u : 0)))
        return false;
    if (!(adds->kind == LW_PTX_OPERAND_INT && adds->value <= 1) &&
        !(adds->kind == LW_PTX_OPERAND_REGISTER && adds->type == LW_PTX_TYPE_PRED))
        return refuse(c, scale, "a predicate, 0 or 1 (scale-d)");
    return check_immediates(c, scale + 1, registers);
}

static bool check_wgmma(const checking *c)
{
    if (c->form->verb == LW_PTX_WGMMA_PRODUCT)
        return check_wgmma_product(c);
    if (c->form->verb != LW_PTX_WGMMA_WAIT)
        return !c->insn->operands.count || refuse_count(c, "none");
    if (c->insn->operands.count != 1)
        return refuse_count(c, "how many groups may stay pending");
    return operand_at(c, 0)->kind == LW_PTX_OPERAND_INT ||
           refuse(c, 0, "a constant: how many groups may stay pending");
}

bool lw_ptx_check_matrix(lw_ptx_parser *p, const lw_ptx_insn *insn)
{
    const checking c = { p, insn, form_of(p, insn) };
    if (!c.form->known)
        return true; /* the kernel that has it says so */
    if (insn->op->id == LW_PTX_OP_wgmma)
        return check_wgmma(&c);
    return c.form->info.moves ? check_move(&c) : check_product(&c);
}
