/* SPDX-License-Identifier: MIT */
/* Every key of the metadata note that is read, from maps built here: values, order of arguments, kinds, and
 * invalid ones. Keys and meanings: LLVM's "User Guide for AMDGPU Backend", Code Object Metadata. */
#include "loaders/metadata.h"
#include "tests/loaders/fixture.h"

typedef struct packer {
    uint8_t bytes[4096];
    size_t size;
} packer;

static void byte(packer *p, unsigned v)
{
    ck_assert_uint_lt(p->size, sizeof(p->bytes));
    p->bytes[p->size++] = (uint8_t)v;
}

static void map(packer *p, unsigned pairs)
{
    byte(p, 0xde);
    byte(p, pairs >> 8);
    byte(p, pairs & 255);
}

static void array(packer *p, unsigned count)
{
    byte(p, 0x90 | count);
}

static void text(packer *p, const char *s)
{
    byte(p, 0xd9);
    byte(p, (unsigned)strlen(s));
    while (*s)
        byte(p, (unsigned char)*s++);
}

static void number(packer *p, uint64_t v)
{
    byte(p, 0xcf);
    for (int i = 7; i >= 0; i--)
        byte(p, (unsigned)(v >> (8 * i) & 255));
}

static void flag(packer *p, bool v)
{
    byte(p, v ? 0xc3 : 0xc2);
}

static void pair_text(packer *p, const char *key, const char *value)
{
    text(p, key);
    text(p, value);
}

static void pair_number(packer *p, const char *key, uint64_t value)
{
    text(p, key);
    number(p, value);
}

static lw_status read_note(const packer *p, lw_arena *arena, lw_metadata *m, lw_error *error)
{
    const lw_bytes note = { p->bytes, p->size };
    return lw_metadata_read(arena, note, m, error);
}

/* One kernel with `more` further pairs, which the caller adds. */
static void begin_kernel(packer *p, unsigned more)
{
    map(p, 1);
    text(p, "amdhsa.kernels");
    array(p, 1);
    map(p, 2 + more);
    pair_text(p, ".name", "k");
    pair_text(p, ".symbol", "k.kd");
}

static const struct {
    const char *key;
    size_t offset; /* offset of a uint32_t in lw_kernel_info */
} numbers[] = {
    { ".kernarg_segment_size", offsetof(lw_kernel_info, kernarg_size) },
    { ".kernarg_segment_align", offsetof(lw_kernel_info, kernarg_align) },
    { ".group_segment_fixed_size", offsetof(lw_kernel_info, lds_size) },
    { ".private_segment_fixed_size", offsetof(lw_kernel_info, private_size) },
    { ".wavefront_size", offsetof(lw_kernel_info, wavefront_size) },
    { ".max_flat_workgroup_size", offsetof(lw_kernel_info, max_workgroup_size) },
    { ".max_num_work_groups_x", offsetof(lw_kernel_info, max_workgroups[0]) },
    { ".max_num_work_groups_y", offsetof(lw_kernel_info, max_workgroups[1]) },
    { ".max_num_work_groups_z", offsetof(lw_kernel_info, max_workgroups[2]) },
};
enum { NUMBERS = sizeof(numbers) / sizeof(numbers[0]) };

static uint32_t number_of(const lw_kernel_info *k, unsigned i)
{
    uint32_t v;
    memcpy(&v, (const uint8_t *)k + numbers[i].offset, sizeof(v));
    return v;
}

START_TEST(kernel_keys)
{
    packer p = { .size = 0 };
    lw_arena arena = { 0 };
    lw_metadata m;
    lw_error error = { "" };
    begin_kernel(&p, NUMBERS + 5);
    for (unsigned i = 0; i < NUMBERS; i++)
        pair_number(&p, numbers[i].key, UINT32_C(1) << (i + 2));
    text(&p, ".reqd_workgroup_size");
    array(&p, 3);
    for (unsigned i = 0; i < 3; i++)
        number(&p, 5 + i);
    text(&p, ".cluster_dims");
    array(&p, 3);
    for (unsigned i = 0; i < 3; i++)
        byte(&p, 8 + i);
    text(&p, ".unknown"); /* a key from another version is skipped, whatever it holds */
    map(&p, 1);
    pair_text(&p, "a", "b");
    text(&p, ".uses_dynamic_stack");
    flag(&p, true);
    text(&p, ".uniform_work_group_size");
    number(&p, 1);
    ck_assert_msg(read_note(&p, &arena, &m, &error) == LW_OK, "%s", error.text);
    ck_assert_uint_eq(m.count, 1);
    const lw_kernel_info *k = &m.kernels[0].info;
    ck_assert_str_eq(k->name, "k");
    ck_assert_str_eq(m.symbols[0], "k.kd");
    ck_assert(k->has_metadata && k->dynamic_stack && k->uniform_workgroup && m.target == NULL);
    for (unsigned i = 0; i < NUMBERS; i++)
        ck_assert_msg(number_of(k, i) == UINT32_C(1) << (i + 2), "%s", numbers[i].key);
    for (unsigned i = 0; i < 3; i++) {
        ck_assert_uint_eq(k->required_workgroup[i], 5 + i);
        ck_assert_uint_eq(k->cluster[i], 8 + i);
    }
    lw_arena_free(&arena);
}
END_TEST

static const struct {
    const char *name, *value_kind;
    lw_arg_kind kind;
    bool explicit;
} kinds[] = {
    { "h", "hidden_block_count_x", LW_ARG_HIDDEN, false },
    { "v", "by_value", LW_ARG_VALUE, true },
    { "pad", "by_value", LW_ARG_PADDING, false },
    { "b", "global_buffer", LW_ARG_BUFFER, true },
    { "l", "dynamic_shared_pointer", LW_ARG_LDS, false },
    { "i", "image", LW_ARG_OTHER, true },
    { "q", "queue", LW_ARG_OTHER, true },
    { "n", "hidden_none", LW_ARG_HIDDEN, false },
    { "pad", "global_buffer", LW_ARG_BUFFER, true },
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

/* Nine arguments at 8 i; the caller's come first, both groups in their order. */
START_TEST(arguments)
{
    packer p = { .size = 0 };
    lw_arena arena = { 0 };
    lw_metadata m;
    lw_error error = { "" };
    begin_kernel(&p, 2);
    text(&p, ".args"); /* before the size of the segment, against which they are checked */
    array(&p, KINDS);
    for (unsigned i = 0; i < KINDS; i++) {
        map(&p, 9);
        pair_text(&p, ".name", kinds[i].name);
        pair_text(&p, ".value_kind", kinds[i].value_kind);
        pair_text(&p, ".type_name", i % 2 ? "int" : "float*");
        pair_text(&p, ".address_space", i % 2 ? "global" : "local");
        pair_number(&p, ".offset", 8 * i);
        pair_number(&p, ".size", 8 - i % 2);
        pair_number(&p, ".pointee_align", i < 6 ? UINT32_C(1) << i : 0);
        text(&p, ".is_const");
        flag(&p, i == 3);
        pair_text(&p, ".actual_access", i == 5 ? "read_only" : i == 6 ? "write_only" : "read_write");
    }
    pair_number(&p, ".kernarg_segment_size", 8 * KINDS);
    ck_assert_msg(read_note(&p, &arena, &m, &error) == LW_OK, "%s", error.text);
    const lw_kernel_info *k = &m.kernels[0].info;
    ck_assert_uint_eq(k->arg_count, KINDS);
    unsigned next = 0;
    for (int want_explicit = 1; want_explicit >= 0; want_explicit--) {
        for (unsigned i = 0; i < KINDS; i++) {
            if (kinds[i].explicit != want_explicit)
                continue;
            const lw_arg_info *a = &k->args[next++];
            ck_assert_str_eq(a->name, kinds[i].name);
            ck_assert_str_eq(a->value_kind, kinds[i].value_kind);
            ck_assert_str_eq(a->type_name, i % 2 ? "int" : "float*");
            ck_assert_str_eq(a->address_space, i % 2 ? "global" : "local");
            ck_assert_int_eq(a->kind, kinds[i].kind);
            ck_assert(a->offset == 8 * i && a->size == 8 - i % 2 && a->is_const == (i == 3 || i == 5));
            ck_assert_uint_eq(a->pointee_align, i < 6 ? UINT32_C(1) << i : 0);
        }
        if (want_explicit)
            ck_assert_uint_eq(k->explicit_count, next);
    }
    lw_arena_free(&arena);
}
END_TEST

/* ---- What must be refused: one pair of a kernel or of its argument ---- */

typedef enum value { NUMBER, TEXT, TEXT_NUL, FLAG, TWO, MAP, HUGE_NUMBER, ODD, NIL } value;

static void put_value(packer *p, value v)
{
    switch (v) {
    case NUMBER:
        number(p, 4);
        break;
    case TEXT:
        text(p, "x");
        break;
    case TEXT_NUL:
        byte(p, 0xa2);
        byte(p, 'x');
        byte(p, 0);
        break;
    case FLAG:
        flag(p, false);
        break;
    case TWO:
        array(p, 2);
        byte(p, 1);
        byte(p, 1);
        break;
    case MAP:
        map(p, 0);
        break;
    case HUGE_NUMBER:
        number(p, UINT64_C(1) << 32);
        break;
    case ODD:
        number(p, 12);
        break;
    case NIL:
        byte(p, 0xc0);
        break;
    }
}

static const struct {
    bool argument;
    const char *key;
    value value;
    const char *says;
} wrong[] = {
    { false, ".name", NUMBER, "'.name' is not a text" },
    { false, ".name", TEXT_NUL, "contains a NUL byte" },
    { false, ".wavefront_size", TEXT, "is not a number from 0 to 4294967295" },
    { false, ".wavefront_size", HUGE_NUMBER, "is not a number from 0 to 4294967295" },
    { false, ".reqd_workgroup_size", TWO, "is not a sequence of three numbers" },
    { false, ".reqd_workgroup_size", NUMBER, "is not a sequence of three numbers" },
    { false, ".uses_dynamic_stack", TEXT, "is neither true nor false" },
    { false, ".kernarg_segment_align", ODD, "is not a power of two" },
    { false, ".args", TEXT, "is not a sequence of arguments" },
    { true, ".offset", FLAG, "is not a number from 0 to 4294967295" },
    { true, ".offset", ODD, "lies outside the 16 bytes of its kernarg segment" },
    { true, ".size", ODD, "lies outside the 16 bytes of its kernarg segment" },
    { true, ".pointee_align", ODD, "is not a power of two" },
    { true, ".is_const", NIL, "is neither true nor false" },
    { true, ".value_kind", MAP, "is not a text" },
};

START_TEST(refusals)
{
    packer p = { .size = 0 };
    lw_arena arena = { 0 };
    lw_metadata m;
    lw_error error = { "" };
    begin_kernel(&p, 2);
    pair_number(&p, ".kernarg_segment_size", 16);
    if (wrong[_i].argument) {
        text(&p, ".args");
        array(&p, 1);
        map(&p, 4);
        pair_text(&p, ".name", "an argument of some length");
        pair_number(&p, ".offset", 8);
        pair_number(&p, ".size", 8);
    }
    text(&p, wrong[_i].key);
    put_value(&p, wrong[_i].value);
    ck_assert_int_eq(read_note(&p, &arena, &m, &error), LW_E_FORMAT);
    ck_assert_msg(strstr(error.text, wrong[_i].says) && (!wrong[_i].argument || strstr(error.text, "of k:")),
                  "%s", error.text);
    lw_arena_free(&arena);
}
END_TEST

START_TEST(incomplete)
{
    static const char *const only[] = { ".name", ".symbol" };
    static const char *const says[] = { "'.symbol' is missing", "'.name' is missing" };
    for (int i = 0; i < 2; i++) {
        packer p = { .size = 0 };
        lw_arena arena = { 0 };
        lw_metadata m;
        lw_error error = { "" };
        map(&p, 2);
        pair_text(&p, "amdhsa.target", "amdgcn-amd-amdhsa--gfx942");
        text(&p, "amdhsa.kernels");
        array(&p, 1);
        map(&p, 1);
        pair_text(&p, only[i], "a name of some length");
        ck_assert_int_eq(read_note(&p, &arena, &m, &error), LW_E_FORMAT);
        ck_assert_ptr_nonnull(strstr(error.text, says[i]));
        lw_arena_free(&arena);
    }
    packer p = { .size = 0 };
    lw_arena arena = { 0 };
    lw_metadata m;
    map(&p, 1);
    pair_text(&p, "amdhsa.target", "amdgcn-amd-amdhsa--gfx942");
    ck_assert_int_eq(read_note(&p, &arena, &m, NULL), LW_OK);
    ck_assert_str_eq(m.target, "amdgcn-amd-amdhsa--gfx942");
    ck_assert_uint_eq(m.count, 0);
    lw_arena_free(&arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("metadata");
    TCase *tc = tcase_create("metadata");
    tcase_add_test(tc, kernel_keys);
    tcase_add_test(tc, arguments);
    tcase_add_loop_test(tc, refusals, 0, sizeof(wrong) / sizeof(wrong[0]));
    tcase_add_test(tc, incomplete);
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
