/* SPDX-License-Identifier: MIT */
/* The PTX parser: the cases that ptx_judge.py also shows to ptxas, the module as parsed, errors, damaged
 * texts. */
#include <time.h>

#include "loaders/ptx/module.h"
#include "tests/loaders/fixture.h"

#define HEAD ".version 9.0\n.target sm_80\n.address_size 64\n"
#define LIMIT (UINT64_C(1) << 30)

static lw_ptx_module *parse(const char *text)
{
    lw_ptx_module *module = NULL;
    lw_error error = { "" };
    const lw_status status =
        lw_ptx_parse((lw_bytes){ (const uint8_t *)text, strlen(text) }, LIMIT, &module, &error);
    ck_assert_msg(status == LW_OK, "%s\n%s", error.text, text);
    return module;
}

static void refuse(const char *text, lw_status wanted, const char *sentence)
{
    lw_ptx_module *module = NULL;
    lw_error error = { "" };
    const lw_status status =
        lw_ptx_parse((lw_bytes){ (const uint8_t *)text, strlen(text) }, LIMIT, &module, &error);
    ck_assert_msg(status == wanted, "%s: %s\n%s", lw_status_text(status), error.text, text);
    ck_assert_str_eq(error.text, sentence);
    ck_assert_ptr_null(module);
}

/* ---- The cases ---- */

static const char case_head[] = HEAD ".global .align 8 .b8 g[64];\n.const .b32 k = 7;\n"
                                     ".shared .align 16 .b32 sm[64];\n"
                                     ".func (.param .b32 r) callee(.param .b32 a) { ret; }\n";
static const char case_body[] = ".visible .entry e(.param .u64 p, .param .u32 n)\n{\n.reg .pred %p<4>;\n"
                                ".reg .b16 %h<4>;\n.reg .b32 %r<8>;\n.reg .b64 %rd<4>;\n.reg .f32 %f<4>;\n"
                                ".reg .f64 %fd<4>;\n";

/* An instruction without a row counts as refused, since a launch refuses it. */
static void check_case(unsigned line, char place, bool accepted, const char *text)
{
    char whole[4096];
    lw_ptx_module *module = NULL;
    lw_error error = { "" };
    snprintf(whole, sizeof(whole), "%s%s%s%s%s", case_head, place == 'm' ? text : "", case_body,
             place == 'm' ? "" : text, "\nret;\n}\n");
    const lw_status status =
        lw_ptx_parse((lw_bytes){ (const uint8_t *)whole, strlen(whole) }, LIMIT, &module, &error);
    size_t unknown = 0;
    for (size_t i = 0; status == LW_OK && i < module->insns.count; i++)
        unknown += !lw_ptx_insn_at(module, i)->op;
    if (accepted)
        ck_assert_msg(status == LW_OK, "line %u: %s: %s", line, text, error.text);
    else
        ck_assert_msg(status != LW_OK || unknown, "line %u: %s: accepted", line, text);
    lw_ptx_module_free(module);
}

START_TEST(every_case_is_taken_or_refused)
{
    char line[1024];
    unsigned number = 0, seen = 0;
    FILE *file = fopen(LW_SOURCE_DIR "/tests/loaders/ptx_cases.txt", "r");
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof(line), file)) {
        number++;
        char *sign = strchr(line, ' ');
        if (line[0] == '#' || !sign)
            continue;
        char *text = strchr(sign + 1, ' ') + 1;
        char *reason = strstr(text, " ##");
        if (reason)
            *reason = '\0';
        check_case(number, line[0], text[-2] == '+', text);
        seen++;
    }
    fclose(file);
    ck_assert_uint_gt(seen, 150);
}
END_TEST

/* ---- The parsed module ---- */

START_TEST(registers_have_rows_of_a_frame)
{
    lw_ptx_module *m =
        parse(HEAD ".entry k { .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<3>; .reg .b16 h;\n"
                   "mov.b32 %r7, 1; mov.b64 %rd3, 2; mov.b32 %r0, %r7; mov.pred %p2, 1; mov.b16 h, 3;\n"
                   "{ .reg .b64 %r7; mov.b64 %r7, %rd3; } @%p2 bra E; E: }\n");
    const lw_ptx_function *f = lw_ptx_function_at(m, 0);
    ck_assert_uint_eq(f->insns.count, 7);
    /* h: row 0; %r7: row 1; %rd3: rows 2 and 3; %r0: row 4; the inner %r7: rows 6 and 7 */
    ck_assert_uint_eq(f->rows, 8);
    ck_assert_uint_eq(f->predicates, 1);
    const uint32_t wanted[] = { 1, 2, 4, 0, 0, 6 };
    for (unsigned i = 0; i < 6; i++) {
        const lw_ptx_operand *o = lw_ptx_operand_at(m, lw_ptx_insn_at(m, i)->operands.first);
        ck_assert_uint_eq(o->kind, LW_PTX_OPERAND_REGISTER);
        ck_assert_uint_eq(o->index, wanted[i]);
    }
    const lw_ptx_insn *branch = lw_ptx_insn_at(m, 6);
    ck_assert_uint_eq(branch->guard, 0);
    const lw_ptx_operand *label = lw_ptx_operand_at(m, branch->operands.first);
    ck_assert_uint_eq(label->kind, LW_PTX_OPERAND_LABEL);
    ck_assert_uint_eq(label->index, 7); /* past the end: the function returns */
    lw_ptx_module_free(m);
}
END_TEST

START_TEST(variables_have_sizes_places_and_data)
{
    lw_ptx_module *m =
        parse(HEAD ".global .align 16 .b8 g[3] = {1, 0x102, 3}; .global .f32 f[2][2] = {{1.0}, {2.0, 3.0}};\n"
                   ".global .u64 p[] = {g, generic(g) + 2, 0};\n.shared .b8 s1[3];\n"
                   ".entry k(.param .u8 a, .param .u64 b, .param .align 16 .b8 c[5])\n"
                   "{ .shared .b32 s2; .local .b64 l1; .param .b32 q; ret; }\n"
                   ".entry k2 { .shared .b64 s3; ret; }\n");
    const lw_ptx_variable *g = lw_ptx_variable_at(m, 0), *f = g + 1, *p = g + 2, *s1 = g + 3, *a = g + 4;
    ck_assert_uint_eq(g->size, 3);
    ck_assert_uint_eq(g->align, 16);
    ck_assert_mem_eq(g->data, "\1\2\3", 3);
    ck_assert_uint_eq(f->size, 16);
    ck_assert_mem_eq(f->data, "\0\0\x80\x3f\0\0\0\0\0\0\0\x40\0\0\x40\x40", 16);
    ck_assert_uint_eq(p->size, 24);
    ck_assert(!p->unsized);
    ck_assert_uint_eq(p->reference_count, 2);
    ck_assert_uint_eq(p->references[1].offset, 8);
    ck_assert_int_eq(p->references[1].addend, 2);
    ck_assert(p->references[1].generic && !p->references[0].generic);
    ck_assert_uint_eq(s1->offset, 0);
    ck_assert_uint_eq(a[1].offset, 8);
    ck_assert_uint_eq(a[2].offset, 16);
    const lw_ptx_function *k = lw_ptx_function_at(m, 0);
    ck_assert_uint_eq(k->param_size, 21);
    ck_assert_uint_eq(a[3].offset, 4); /* s2 after s1 */
    ck_assert_uint_eq(k->shared_size, 8);
    ck_assert_uint_eq(k->local_size, 12);    /* l1, then q */
    ck_assert_uint_eq(k[1].shared_size, 16); /* s3 after s1, not after s2 */
    lw_ptx_module_free(m);
}
END_TEST

START_TEST(constants_follow_c)
{
    static const struct {
        const char *text;
        uint64_t value;
    } cases[] = {
        { "1+2*3", 7 },
        { "(1+2)*3", 9 },
        { "7-2-1", 4 },
        { "1<<3|1", 9 },
        { "-7/2", (uint64_t)-3 },
        { "-7 % 3", (uint64_t)-1 },
        { "~0", UINT64_MAX },
        { "5>3&&2<1", 0 },
        { "1?2:3", 2 },
        { "0?2:1?4:5", 4 },
        { "0xffffffffffffffff", UINT64_MAX },
        { "-1>>63", UINT64_MAX },
        { "(.u64)-1>>63", 1 },
        { "1<<64", 0 },
        { "3==3", 1 },
        { "3!=3", 0 },
        { "6&3^1", 3 },
        { "-1<0U", 0 },
        { "WARP_SZ*2", 64 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[256];
        snprintf(text, sizeof(text), HEAD ".global .u64 x = %s;", cases[i].text);
        lw_ptx_module *m = parse(text);
        uint64_t value;
        memcpy(&value, lw_ptx_variable_at(m, 0)->data, 8);
        ck_assert_msg(value == cases[i].value, "%s is %llx", cases[i].text, (unsigned long long)value);
        lw_ptx_module_free(m);
    }
}
END_TEST

START_TEST(modifiers_come_in_any_order)
{
    static const char *const same[] = { "ld.global.v2.f32", "ld.v2.global.f32", "ld.f32.v2.global" };
    for (size_t i = 0; i < 3; i++) {
        char text[512];
        snprintf(text, sizeof(text),
                 HEAD ".entry k { .reg .b64 %%a; .reg .f32 %%f<2>; %s {%%f0, %%f1}, [%%a + 8]; }", same[i]);
        lw_ptx_module *m = parse(text);
        const lw_ptx_insn *in = lw_ptx_insn_at(m, 0);
        ck_assert_ptr_eq(in->op, &lw_ptx_ops[LW_PTX_OP_ld]);
        ck_assert_int_eq(lw_ptx_opcode_word(&in->opcode, LW_PTX_GROUP_SPACE), LW_PTX_WORD_GLOBAL);
        ck_assert_int_eq(lw_ptx_opcode_word(&in->opcode, LW_PTX_GROUP_VECTOR), LW_PTX_WORD_V2);
        const lw_ptx_operand *address = lw_ptx_operand_at(m, in->operands.first + 1);
        ck_assert_uint_eq(address->kind, LW_PTX_OPERAND_ADDRESS);
        ck_assert_uint_eq(lw_ptx_operand_at(m, address->index)->value, 8);
        lw_ptx_module_free(m);
    }
}
END_TEST

START_TEST(instructions_keep_text_and_lines)
{
    char text[64];
    const char *path;
    lw_ptx_module *m =
        parse("// made by hand\n\n" HEAD ".entry k {\n.reg .b32 %r<3>; .reg .pred %p;\n.loc 1 7 9\n"
              "@!%p\tadd.s32\n  %r1, /* one */ %r2,\n 5;\nfoo.bar %r1;\n}\n.file 1 \"a.cu\"\n");
    const lw_ptx_insn *in = lw_ptx_insn_at(m, 0);
    lw_ptx_insn_text(m, in, text, sizeof(text));
    ck_assert_str_eq(text, "@!%p add.s32 %r1, %r2, 5");
    lw_ptx_insn_text(m, in, text, 6);
    ck_assert_str_eq(text, "@!%p ");
    ck_assert(in->guard_negated);
    ck_assert_uint_eq(in->line, 9);
    ck_assert_uint_eq(in[1].line, 12);
    ck_assert_ptr_null(in[1].op);
    ck_assert_uint_eq(lw_ptx_insn_loc(m, in, &path)->line, 7);
    ck_assert_str_eq(path, "a.cu");
    ck_assert_uint_eq(lw_ptx_function_at(m, 0)->unknown, 1);
    lw_ptx_module_free(m);
}
END_TEST

/* ---- Rows ---- */

START_TEST(rows_are_sorted_and_can_be_found)
{
    for (int i = 0; i < LW_PTX_OP_COUNT; i++) {
        const lw_ptx_op *op = &lw_ptx_ops[i];
        ck_assert_msg(i == 0 || strcmp(op[-1].mnemonic, op->mnemonic) <= 0, "%s", op->mnemonic);
        ck_assert_msg((op->needs & op->takes) == 0, "%s", op->mnemonic);
        ck_assert_uint_eq(op->id, (unsigned)i);
        ck_assert_uint_lt(op->evidence, LW_LABEL_COUNT);
        for (int t = 1; op->types[0] && t < LW_PTX_TYPE_COUNT; t++) {
            lw_ptx_opcode opcode = { .types = { (uint8_t)t, 0 }, .type_count = op->types[1] ? 2 : 1 };
            for (int u = 1; opcode.type_count == 2 && u < LW_PTX_TYPE_COUNT; u++)
                if (op->types[1] >> u & 1)
                    opcode.types[1] = (uint8_t)u;
            const lw_ptx_op *found = lw_ptx_op_find(op->mnemonic, strlen(op->mnemonic), &opcode);
            if ((op->types[0] >> t & 1) && !op->needs)
                ck_assert_msg(found && strcmp(found->mnemonic, op->mnemonic) == 0, "%s.%s", op->mnemonic,
                              lw_ptx_types[t].word);
        }
    }
    lw_ptx_opcode none = { .word_count = 0 };
    ck_assert_ptr_null(lw_ptx_op_find("ad", 2, &none));
    ck_assert_ptr_null(lw_ptx_op_find("zzz", 3, &none));
    ck_assert_ptr_eq(lw_ptx_op_find("ret", 3, &none), &lw_ptx_ops[LW_PTX_OP_ret]);
}
END_TEST

/* ---- Errors ---- */

START_TEST(errors_name_line_and_column)
{
    refuse(HEAD ".entry k {\n  add.s32 %r1, %r2, %r3;\n}", LW_E_FORMAT,
           "line 5, column 11: '%r1' is not declared");
    refuse(HEAD ".entry k {\n.reg .b32 %r<4>; .reg .f32 %f;\n  add.s32 %r1, %f, %r3;\n}", LW_E_FORMAT,
           "line 6, column 3: operand 2 of add must be a register or constant of type .s32");
    refuse(HEAD ".entry k { bra NOWHERE; }", LW_E_FORMAT, "line 4, column 16: 'NOWHERE' is not declared");
    refuse(HEAD ".entry k { ret }", LW_E_FORMAT,
           "line 4, column 16: '}' where a constant or a name is expected");
    refuse(HEAD ".entry k { /* }", LW_E_FORMAT, "line 4, column 12: a comment that does not end");
    refuse(HEAD ".entry k { mov.b32 %r1, 0xZ; }", LW_E_FORMAT,
           "line 4, column 25: a number with a character that does not belong to it");
    refuse(".version 1.4\n.target sm_80\n", LW_E_UNSUPPORTED,
           "line 1, column 10: PTX 1.4; versions from 2.0 on are read");
    refuse(".version 9.0\n.target sm_80\n.address_size 32\n", LW_E_UNSUPPORTED,
           "line 3, column 15: addresses of 32 bits; 64 are read");
    refuse(".version 9.0\n", LW_E_FORMAT, "line 2, column 1: the text ends where .target is expected");
    refuse("", LW_E_FORMAT, "line 1, column 1: the text ends where .version is expected");
}
END_TEST

START_TEST(depth_and_memory_are_limited)
{
    enum { DEEP = 100000 };
    char *text = malloc(sizeof(HEAD) + 64 + DEEP);
    lw_ptx_module *module = NULL;
    lw_error error = { "" };
    strcpy(text, HEAD ".entry k ");
    const size_t start = strlen(text);
    memset(text + start, '{', DEEP);
    text[start + DEEP] = '\0';
    ck_assert_int_eq(lw_ptx_parse((lw_bytes){ (uint8_t *)text, strlen(text) }, LIMIT, &module, &error),
                     LW_E_UNSUPPORTED);
    strcpy(text, HEAD ".global .u64 x = ");
    memset(text + strlen(text), '(', DEEP / 2);
    text[sizeof(HEAD) + DEEP / 4] = '\0';
    ck_assert_int_eq(lw_ptx_parse((lw_bytes){ (uint8_t *)text, strlen(text) }, LIMIT, &module, &error),
                     LW_E_UNSUPPORTED);
    strcpy(text, HEAD ".entry k { .reg .b32 %r<4000000000>; mov.b32 %r3999999999, 1; }");
    ck_assert_int_eq(lw_ptx_parse((lw_bytes){ (uint8_t *)text, strlen(text) }, LIMIT, &module, &error),
                     LW_OK);
    ck_assert_uint_eq(lw_ptx_function_at(module, 0)->rows, 1);
    lw_ptx_module_free(module);
    module = NULL;
    for (uint64_t limit = 0; limit < 3000; limit += 50)
        ck_assert_int_eq(lw_ptx_parse((lw_bytes){ (uint8_t *)text, strlen(text) }, limit, &module, &error),
                         LW_E_NO_MEMORY);
    refuse(HEAD ".global .b8 x[1099511627776][2];", LW_E_UNSUPPORTED,
           "line 4, column 13: an array of more than 2^40 bytes");
    free(text);
}
END_TEST

/* ---- Programs ---- */

static fixture read_ptx(const char *name)
{
    char path[64];
    snprintf(path, sizeof(path), "../ptx/%s", name);
    return read_fixture(path);
}

static lw_program *load_ptx(const char *name)
{
    char path[64];
    snprintf(path, sizeof(path), "../ptx/%s", name);
    return load_fixture(path, LW_ARCH_NONE);
}

START_TEST(every_prefix_of_a_file_is_answered)
{
    const fixture f = read_ptx("vector_add_clang_sm_80.ptx");
    size_t good = 0;
    for (size_t size = 0; size < f.size; size++) {
        uint8_t *part = malloc(size ? size : 1);
        lw_ptx_module *module = NULL;
        lw_error error = { "" };
        if (size)
            memcpy(part, f.data, size);
        const lw_status status = lw_ptx_parse((lw_bytes){ part, size }, LIMIT, &module, &error);
        ck_assert(status == LW_OK ? module != NULL : error.text[0] && !module);
        good += status == LW_OK;
        lw_ptx_module_free(module);
        free(part);
    }
    ck_assert_uint_gt(good, 0);
    ck_assert_uint_lt(good, 200);
    free(f.data);
}
END_TEST

START_TEST(a_module_is_a_program)
{
    static const char *const names[] = { "vector_add_nvcc_sm_80.ptx", "vector_add_clang_sm_80.ptx" };
    for (int i = 0; i < 2; i++) {
        lw_program *p = load_ptx(names[i]);
        const lw_kernel_info *k = lw_program_kernel_at(p, 0);
        ck_assert_int_eq(lw_program_arch(p), LW_ARCH_SM_80);
        ck_assert_str_eq(lw_program_target_id(p), "sm_80");
        ck_assert_uint_eq(lw_program_abi_version(p), i ? 88 : 90);
        ck_assert_uint_eq(lw_program_kernel_count(p), 1);
        ck_assert_str_eq(k->name, "vector_add");
        ck_assert_uint_eq(k->explicit_count, 4);
        ck_assert_int_eq(k->args[0].kind, i ? LW_ARG_BUFFER : LW_ARG_EITHER);
        ck_assert_int_eq(k->args[3].kind, LW_ARG_VALUE);
        ck_assert_str_eq(k->args[3].type_name, "u32");
        ck_assert_uint_eq(k->kernarg_size, 28);
        ck_assert_uint_eq(k->wavefront_size, 32);
        ck_assert_str_eq(k->unsupported, "");
        ck_assert_uint_eq(lw_program_section_count(p), 0);
        ck_assert_uint_eq(lw_program_text_count(p), 22);
        lw_program_free(p);
    }
}
END_TEST

START_TEST(lines_come_from_loc)
{
    lw_program *p = load_ptx("vector_add_nvcc_sm_80.ptx");
    lw_line line;
    lw_program_text text;
    lw_error error;
    bool found = false;
    for (size_t i = 0; i < lw_program_text_count(p); i++) {
        ck_assert_int_eq(lw_program_text_at(p, i, &text, &error), LW_OK);
        if (strcmp(text.text, "add.f32 %f3, %f2, %f1") != 0)
            continue;
        found = true;
        ck_assert_int_eq(lw_program_line(p, i, &line, &error), LW_OK);
        ck_assert_str_eq(line.file, "vector_add.cu");
        ck_assert_uint_eq(line.line, 18);
        ck_assert(text.supported && text.line > 30);
    }
    ck_assert(found);
    ck_assert_int_eq(lw_program_text_at(p, 22, &text, &error), LW_E_NOT_FOUND);
    ck_assert_int_eq(lw_program_line(p, 22, &line, &error), LW_E_NOT_FOUND);
    ck_assert_int_eq(lw_program_text_at(NULL, 0, &text, &error), LW_E_ARGUMENT);
    ck_assert_uint_eq(lw_program_text_count(NULL), 0);
    lw_program_free(p);
}
END_TEST

static lw_status load_text(const char *text, lw_arch arch, lw_program **program, lw_error *error)
{
    lw_load_options options = lw_load_options_default();
    options.arch = arch;
    return lw_program_load(text, strlen(text), &options, program, error);
}

START_TEST(targets_are_known_or_named)
{
    static const char plain[] =
        "/* c */ .version 8.0 .target sm_80, debug .address_size 64 .entry k { ret; }";
    static const char suffixed[] = ".version 8.0\n.target sm_90a\n.entry k { ret; }";
    lw_program *p = NULL;
    lw_error error = { "" };
    ck_assert_int_eq(load_text(plain, LW_ARCH_SM_90, &p, &error), LW_OK);
    ck_assert_int_eq(lw_program_arch(p), LW_ARCH_SM_90);
    lw_program_free(p);
    ck_assert_int_eq(load_text(plain, LW_ARCH_SM_75, &p, &error), LW_E_ARCH);
    ck_assert_int_eq(load_text(plain, LW_ARCH_GFX942, &p, &error), LW_E_ARCH);
    ck_assert_str_eq(error.text, "no code object for gfx942; the file holds one code object, for sm_80");
    ck_assert_int_eq(load_text(suffixed, LW_ARCH_NONE, &p, &error), LW_OK);
    ck_assert_int_eq(lw_program_arch(p), LW_ARCH_SM_90);
    lw_program_free(p);
    ck_assert_int_eq(load_text(suffixed, LW_ARCH_SM_100, &p, &error), LW_E_ARCH);
    ck_assert_int_eq(load_text(".version 8.0\n.target sm_81\n", LW_ARCH_NONE, &p, &error), LW_E_ARCH);
    ck_assert_ptr_nonnull(
        strstr(error.text, "line 2, column 9: the target sm_81 is not known; these are: sm_70, "));
    ck_assert_int_eq(load_text(".version 8.0\n.targ", LW_ARCH_NONE, &p, &error), LW_E_FORMAT);
    ck_assert_str_eq(error.text, "line 2, column 1: '.targ' where .target is expected");
}
END_TEST

START_TEST(unsupported_instructions_are_listed)
{
    lw_program *p = NULL;
    lw_error error = { "" };
    ck_assert_int_eq(load_text(HEAD ".entry k { .reg .b32 %r<3>; .reg .pred %p;\n"
                                    "foo.bar %r1, {%r1, %r2};\nret;\n@%p add.s9 %r1; }",
                               LW_ARCH_NONE, &p, &error),
                     LW_OK);
    ck_assert_str_eq(lw_program_kernel_at(p, 0)->unsupported, "foo.bar (line 5), add.s9 (line 7)");
    lw_program_free(p);
}
END_TEST

/* Sums of what was written far above. */
START_TEST(long_texts_are_read_in_time)
{
    enum { SIZE = 1 << 20, SUMS = 40000 };
    static char text[SIZE];
    lw_program *p = NULL;
    const clock_t start = clock();
    int used = snprintf(text, SIZE,
                        HEAD ".entry k() { .reg .f32 %%f<9>; mul.f32 %%f2, %%f3, %%f3;\n"
                             "mul.f32 %%f6, %%f3, %%f3; mov.f32 %%f6, %%f3;\n");
    for (int i = 0; i < SUMS; i++)
        used += snprintf(text + used, SIZE - (size_t)used, "add.f32 %%f1, %%f4, %%f5;\n");
    snprintf(text + used, SIZE - (size_t)used,
             "add.f32 %%f1, %%f2, %%f5; add.f32 %%f1, %%f6, %%f5; ret; }\n");
    ck_assert_int_eq(load_text(text, LW_ARCH_NONE, &p, NULL), LW_OK);
    ck_assert_str_eq(lw_program_kernel_at(p, 0)->contracted, "lines 4 and 40006");
    lw_program_free(p);
    ck_assert_int_lt(clock() - start, 4 * CLOCKS_PER_SEC);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ptx");
    TCase *parser = tcase_create("parser");
    tcase_add_test(parser, every_case_is_taken_or_refused);
    tcase_add_test(parser, registers_have_rows_of_a_frame);
    tcase_add_test(parser, variables_have_sizes_places_and_data);
    tcase_add_test(parser, constants_follow_c);
    tcase_add_test(parser, modifiers_come_in_any_order);
    tcase_add_test(parser, instructions_keep_text_and_lines);
    tcase_add_test(parser, rows_are_sorted_and_can_be_found);
    tcase_add_test(parser, errors_name_line_and_column);
    tcase_add_test(parser, depth_and_memory_are_limited);
    suite_add_tcase(suite, parser);
    TCase *programs = tcase_create("programs");
    tcase_add_test(programs, every_prefix_of_a_file_is_answered);
    tcase_add_test(programs, a_module_is_a_program);
    tcase_add_test(programs, lines_come_from_loc);
    tcase_add_test(programs, targets_are_known_or_named);
    tcase_add_test(programs, unsupported_instructions_are_listed);
    tcase_add_test(programs, long_texts_are_read_in_time);
    suite_add_tcase(suite, programs);
    return run_suite(suite);
}
