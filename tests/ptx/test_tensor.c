/* SPDX-License-Identifier: MIT */
/*
 * Tensor copies into shared memory and out of it: boxes of two and three dimensions, every swizzle, rows that
 * are narrower than their swizzle, boxes that extend past the tensor's edges, steps between elements. Places
 * in shared memory are computed byte by byte.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

enum { BOX = 4096, WIDE = 96, HIGH = 40, DEEP = 3, TENSOR = WIDE * HIGH * DEEP };

typedef struct box {
    unsigned rank, bytes, code, swizzle, size[3], step[3];
    int at[3];
} box;

static const box boxes[] = {
    { 2, 2, 6, 3, { 64, 8 }, { 1, 1 }, { 8, 5 } },
    { 2, 2, 6, 2, { 32, 16 }, { 1, 1 }, { 64, 20 } },
    { 2, 2, 6, 1, { 16, 16 }, { 1, 1 }, { 3, 1 } },
    { 2, 2, 6, 0, { 64, 8 }, { 1, 1 }, { 0, 0 } },
    { 2, 2, 6, 3, { 64, 8 }, { 1, 1 }, { -2, 36 } },
    { 2, 2, 6, 3, { 64, 16 }, { 1, 1 }, { 60, -3 } },
    { 3, 2, 6, 2, { 32, 8, 2 }, { 1, 1, 1 }, { 5, 3, 1 } },
    { 3, 2, 1, 0, { 16, 4, 4 }, { 1, 1, 1 }, { 90, 38, -1 } },
    { 2, 1, 0, 3, { 128, 8 }, { 1, 1 }, { 16, 7 } },
    { 2, 4, 7, 3, { 32, 8 }, { 1, 1 }, { 7, 2 } },
    { 2, 2, 6, 3, { 64, 16 }, { 1, 2 }, { 8, 1 } },
    { 2, 4, 2, 1, { 8, 32 }, { 1, 3 }, { 40, 2 } },
    { 2, 2, 6, 4, { 64, 8 }, { 1, 1 }, { 8, 5 } },
    { 2, 4, 7, 5, { 32, 8 }, { 1, 1 }, { 7, 36 } },
    { 2, 2, 6, 3, { 24, 16 }, { 1, 1 }, { 80, 5 } },
    { 2, 4, 7, 2, { 4, 32 }, { 1, 1 }, { 7, 2 } },
    { 3, 2, 6, 1, { 8, 16, 2 }, { 1, 1, 1 }, { -4, 3, 1 } },
    { 2, 2, 6, 6, { 48, 32 }, { 1, 1 }, { 8, 5 } },
    { 2, 1, 0, 6, { 96, 40 }, { 1, 1 }, { 100, -2 } },
    { 3, 4, 7, 6, { 16, 8, 2 }, { 1, 2, 1 }, { 30, 3, 1 } },
    { 2, 2, 6, 7, { 64, 8 }, { 1, 1 }, { 8, 5 } },
    { 2, 4, 7, 7, { 32, 16 }, { 1, 1 }, { 31, 2 } },
    { 2, 1, 0, 7, { 80, 16 }, { 1, 1 }, { 120, 30 } },
};

/* Of each number of a swizzle: the map's bits, the driver's choice, and the size of what is permuted. */
static const struct {
    unsigned bits, choice, piece;
} swizzles[] = { { 0, 0, 16 },
                 { 1 << 13, 32, 16 },
                 { 2 << 13, 64, 16 },
                 { 3 << 13, 128, 16 },
                 { 3 << 13 | 1 << 19, 128 | LW_TENSOR_ATOM_32, 32 },
                 { 3 << 13 | 3 << 19, 128 | LW_TENSOR_ATOM_64, 64 },
                 { 1 << 22, 96, 16 },
                 { 3 << 13 | 2 << 19, 128 | LW_TENSOR_ATOM_32 | LW_TENSOR_FLIP_8, 32 } };
enum { FLIPS = 7 };

static unsigned loaded(const box *b, unsigned d)
{
    return d < b->rank ? (b->size[d] + b->step[d] - 1) / b->step[d] : 1;
}

static unsigned box_bytes(const box *b)
{
    return loaded(b, 0) * loaded(b, 1) * loaded(b, 2) * b->bytes;
}

static unsigned row_bytes(void)
{
    return WIDE * 2; /* the tensor has as many bytes for every element size */
}

/* The 128 bytes, field by field. */
static void describe(const box *b, uint64_t base, uint32_t map[32])
{
    const unsigned dims[3] = { row_bytes() / b->bytes, HIGH, DEEP };
    memset(map, 0, 128);
    memcpy(map, &base, 8);
    map[2] = (b->rank - 1) << 4 | b->code << 7 | swizzles[b->swizzle].bits;
    map[3] = row_bytes() >> 4;
    map[4] = row_bytes() * HIGH >> 4;
    for (unsigned d = 0; d < b->rank; d++)
        map[8 + d] = dims[d] - 1;
    map[13] = (b->size[0] - 1) << 24;
    for (unsigned d = 1; d < b->rank; d++) {
        map[13] |= (b->step[d] - 1) << 3 * d;
        map[14] |= (b->size[d] - 1) << 8 * (d - 1);
    }
}

/* Where byte `at` of the dense box is: rows are as far apart as the swizzle is wide. */
static unsigned place(const box *b, unsigned at)
{
    static const unsigned apart[] = { 0, 32, 64, 128, 128, 128, 96, 128 };
    const unsigned inner = loaded(b, 0) * b->bytes, pitch = b->swizzle ? apart[b->swizzle] : inner;
    const unsigned byte = at / inner * pitch + at % inner, piece = swizzles[b->swizzle].piece;
    const unsigned line = byte / 128, chunk = byte % 128 / piece, within = byte % piece;
    const unsigned keys[] = { 0, line % 2, line % 4, line % 8, line % 4, line % 2, line % 2, line % 4 };
    const bool flip = b->swizzle == FLIPS && line % 2 == 1;
    return line * 128 + (chunk ^ keys[b->swizzle]) * piece +
           (flip ? within / 16 * 16 + (within + 8) % 16 : within);
}

/* The tensor's byte at byte `at` of the dense box; -1 if it is outside. */
static int source(const box *b, unsigned at)
{
    const int width = (int)(row_bytes() / b->bytes), n = (int)(at / b->bytes);
    const int x = b->at[0] + n % (int)loaded(b, 0), row = n / (int)loaded(b, 0);
    const int y = b->at[1] + row % (int)loaded(b, 1) * (int)b->step[1];
    const int z = b->rank > 2 ? b->at[2] + row / (int)loaded(b, 1) : 0;
    if (x < 0 || x >= width || y < 0 || y >= HIGH || z < 0 || z >= DEEP)
        return -1;
    return (z * HIGH + y) * (int)row_bytes() + x * (int)b->bytes + (int)(at % b->bytes);
}

/* `store`: the instruction up to the dimensions and what follows them; NULL: a load. */
static void write_kernel(const box *b, const char *const *store, char *text, size_t size)
{
    char at[64];
    snprintf(at, sizeof(at), b->rank > 2 ? "{%d, %d, %d}" : "{%d, %d}", b->at[0], b->at[1], b->at[2]);
    snprintf(text, size,
             ".version 8.6\n.target sm_90\n.address_size 64\n"
             ".entry k(.param .align 64 .b8 map[128], .param .u64 data) {\n"
             ".reg .pred %%p<3>; .reg .b32 %%r<8>; .reg .b64 %%rd<8>;\n"
             ".shared .align 1024 .b8 box[%d]; .shared .align 8 .b64 bar;\n"
             "mov.b64 %%rd1, map; cvta.param.u64 %%rd1, %%rd1; ld.param.u64 %%rd2, [data];\n"
             "mov.u32 %%r1, %%tid.x; mul.wide.u32 %%rd3, %%r1, 4; add.u64 %%rd2, %%rd2, %%rd3; cvt.u32.u64 "
             "%%r2, %%rd3;\n"
             "setp.ne.u32 %%p1, %%r1, 0; mov.u32 %%r4, box; add.u32 %%r2, %%r2, %%r4;\n",
             BOX);
    const size_t used = strlen(text);
    if (store)
        snprintf(text + used, size - used,
                 "L: ld.global.b32 %%r3, [%%rd2]; st.shared.b32 [%%r2], %%r3; add.u64 %%rd2, %%rd2, 128; "
                 "add.u32 %%r2, %%r2, 128;\n"
                 "sub.u32 %%r5, %%r2, %%r4; setp.lt.u32 %%p2, %%r5, %d; @%%p2 bra L;\n"
                 "fence.proxy.async.shared::cta; bar.sync 0; @%%p1 bra E;\n"
                 "%s.%ud.global.shared::cta%s.tile.bulk_group [%%rd1, %s], [box];\n"
                 "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\nE: ret; }\n",
                 BOX, store[0], b->rank, store[1], at);
    else
        snprintf(text + used, size - used,
                 "@%%p1 bra I; mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.expect_tx.shared.b64 _, "
                 "[bar], %u;\n"
                 "cp.async.bulk.tensor.%ud.shared::cluster.global.mbarrier::complete_tx::bytes [box], "
                 "[%%rd1, %s], [bar];\n"
                 "I: bar.sync 0;\nW: mbarrier.try_wait.parity.shared.b64 %%p2, [bar], 0; @!%%p2 bra W;\n"
                 "L: ld.shared.b32 %%r3, [%%r2]; st.global.b32 [%%rd2], %%r3; add.u64 %%rd2, %%rd2, 128; "
                 "add.u32 %%r2, %%r2, 128;\n"
                 "sub.u32 %%r5, %%r2, %%r4; setp.lt.u32 %%p2, %%r5, %d; @%%p2 bra L;\nret; }\n",
                 box_bytes(b), b->rank, at, BOX);
}

static uint8_t tensor[TENSOR * 2], data[BOX];

/* Runs the kernel on them; they then hold the result. */
static lw_status run(const box *b, const char *const *store, lw_async async, lw_error *error)
{
    char text[4096];
    uint32_t map[32];
    uint64_t at[2];
    lw_program *program;
    lw_memory *memory;
    write_kernel(b, store, text, sizeof(text));
    ck_assert_msg(lw_program_load(text, strlen(text), NULL, &program, error) == LW_OK, "%s\n%s", error->text,
                  text);
    ck_assert_int_eq(lw_memory_create(&memory), LW_OK);
    ck_assert_int_eq(lw_memory_allocate(memory, "tensor", sizeof(tensor), LW_ACCESS_READ_WRITE, &at[0], NULL),
                     LW_OK);
    ck_assert_int_eq(lw_memory_allocate(memory, "data", sizeof(data), LW_ACCESS_READ_WRITE, &at[1], NULL),
                     LW_OK);
    lw_memory_write(memory, at[0], tensor, sizeof(tensor));
    lw_memory_write(memory, at[1], data, sizeof(data));
    describe(b, at[0], map);
    const lw_arg args[] = { { NULL, map, sizeof(map), false }, { NULL, &at[1], 8, true } };
    lw_launch_options o = lw_launch_options_default();
    o.program = program;
    o.memory = memory;
    o.grid[0] = 1;
    o.block[0] = 32;
    o.args = args;
    o.arg_count = 2;
    o.async = async;
    const lw_status status = lw_launch(&o, NULL, error);
    lw_memory_read(memory, at[0], tensor, sizeof(tensor));
    lw_memory_read(memory, at[1], data, sizeof(data));
    lw_memory_free(memory);
    lw_program_free(program);
    return status;
}

static void fill(void)
{
    for (unsigned i = 0; i < sizeof(tensor); i++)
        tensor[i] = (uint8_t)(i * 2654435761u >> 13);
    for (unsigned i = 0; i < sizeof(data); i++)
        data[i] = (uint8_t)(i * 40503u >> 5);
}

START_TEST(a_box_is_loaded)
{
    const box *b = &boxes[_i / 2];
    lw_error error = { "" };
    fill();
    ck_assert_msg(run(b, NULL, _i % 2 ? LW_ASYNC_EARLY : LW_ASYNC_LATE, &error) == LW_OK, "%s", error.text);
    for (unsigned i = 0; i < box_bytes(b); i++) {
        const int from = source(b, i);
        const uint8_t wanted = from < 0 ? 0 : tensor[from];
        ck_assert_msg(data[place(b, i)] == wanted, "box %d, byte %u: %02x, not %02x", _i / 2, i,
                      data[place(b, i)], wanted);
    }
}
END_TEST

START_TEST(a_box_is_stored)
{
    const box *b = &boxes[_i];
    static const char *const copies[] = { "cp.async.bulk.tensor", "" };
    static uint8_t wanted[sizeof(tensor)];
    lw_error error = { "" };
    fill();
    memcpy(wanted, tensor, sizeof(wanted));
    for (unsigned i = 0; i < box_bytes(b); i++)
        if (source(b, i) >= 0)
            wanted[source(b, i)] = data[place(b, i)];
    if (b->swizzle == FLIPS) {
        ck_assert_int_eq(run(b, copies, LW_ASYNC_LATE, &error), LW_E_FAULT);
        ck_assert_msg(strstr(error.text, "a swizzle that exchanges halves of 16 bytes is for copies into it"),
                      "%s", error.text);
        return;
    }
    ck_assert_msg(run(b, copies, LW_ASYNC_LATE, &error) == LW_OK, "%s", error.text);
    for (unsigned i = 0; i < sizeof(tensor); i++)
        ck_assert_msg(tensor[i] == wanted[i], "box %d, byte %u: %02x, not %02x", _i, i, tensor[i], wanted[i]);
}
END_TEST

/* ---- Reductions ---- */

static const struct {
    const char *op;
    box b;
} reductions[] = {
    { "add", { 2, 4, 2, 3, { 32, 8 }, { 1, 1 }, { 7, 2 } } },
    { "add", { 2, 4, 3, 0, { 16, 8 }, { 1, 2 }, { 40, 36 } } },
    { "add", { 2, 8, 4, 2, { 8, 16 }, { 1, 1 }, { 20, 30 } } },
    { "add", { 2, 2, 6, 3, { 64, 8 }, { 1, 1 }, { 60, 36 } } },
    { "add", { 2, 4, 7, 1, { 8, 32 }, { 1, 1 }, { 40, 2 } } },
    { "add", { 3, 2, 10, 0, { 16, 4, 2 }, { 1, 1, 1 }, { 8, 5, 1 } } },
    { "min", { 2, 4, 2, 3, { 32, 8 }, { 1, 1 }, { 7, 2 } } },
    { "max", { 2, 4, 3, 3, { 32, 8 }, { 1, 1 }, { 7, 2 } } },
    { "max", { 2, 8, 4, 0, { 8, 16 }, { 1, 1 }, { 3, 3 } } },
    { "min", { 2, 8, 5, 0, { 8, 16 }, { 1, 1 }, { 3, 3 } } },
    { "min", { 2, 2, 6, 0, { 64, 8 }, { 1, 1 }, { 8, 5 } } },
    { "max", { 2, 2, 10, 0, { 64, 8 }, { 1, 1 }, { 8, 5 } } },
    { "inc", { 2, 4, 2, 0, { 32, 8 }, { 1, 1 }, { 7, 2 } } },
    { "dec", { 2, 4, 2, 0, { 32, 8 }, { 1, 1 }, { 7, 2 } } },
    { "and", { 2, 4, 2, 2, { 16, 8 }, { 1, 1 }, { 7, 2 } } },
    { "or", { 2, 8, 4, 0, { 8, 16 }, { 1, 1 }, { 3, 3 } } },
    { "xor", { 2, 4, 3, 0, { 32, 8 }, { 1, 1 }, { 7, 2 } } },
};
enum { REDUCTIONS = sizeof(reductions) / sizeof(reductions[0]) };

/* Quarters from -4 up, which every float holds, and so their sums. */
static uint64_t quarter(unsigned code, int quarters)
{
    const float f = (float)quarters / 4;
    uint32_t v;
    memcpy(&v, &f, sizeof(v));
    const uint32_t sign = v >> 16 & 0x8000, size = v & 0x7fffffff;
    return code == 7 ? v : code == 10 ? v >> 16 : sign | (size ? (size >> 13) - (112u << 10) : 0);
}

static int quarters_of(unsigned code, uint64_t v)
{
    for (int q = -32; q <= 32; q++)
        if (quarter(code, q) == v)
            return q;
    ck_abort_msg("%llx is no quarter", (unsigned long long)v);
}

/* The least or the largest, the sum, a counter's next value, bits: as the operations' names say. */
static uint64_t combine(const char *op, unsigned code, uint64_t a, uint64_t b)
{
    const bool real = code == 6 || code == 7 || code == 10, is_signed = code == 3 || code == 5;
    const int64_t x = code == 3 ? (int32_t)a : (int64_t)a, y = code == 3 ? (int32_t)b : (int64_t)b;
    if (real) {
        const int i = quarters_of(code, a), j = quarters_of(code, b);
        return quarter(code, op[0] == 'a' ? i + j : (op[1] == 'i') == (i < j) ? i : j);
    }
    if (strcmp(op, "min") == 0 || strcmp(op, "max") == 0)
        return (op[1] == 'i') == (is_signed ? x < y : a < b) ? a : b;
    return strcmp(op, "add") == 0   ? a + b
           : strcmp(op, "inc") == 0 ? (a >= b ? 0 : a + 1)
           : strcmp(op, "dec") == 0 ? (a == 0 || a > b ? b : a - 1)
           : strcmp(op, "and") == 0 ? (a & b)
           : strcmp(op, "or") == 0  ? (a | b)
                                    : (a ^ b);
}

static void fill_with(const box *b)
{
    fill();
    if (b->code != 6 && b->code != 7 && b->code != 10)
        return;
    for (unsigned i = 0; i + b->bytes <= sizeof(tensor); i += b->bytes) {
        const uint64_t v = quarter(b->code, (int)(i * 7919 / b->bytes % 32) - 16);
        memcpy(tensor + i, &v, b->bytes);
    }
    for (unsigned i = 0; i < sizeof(data); i += b->bytes) {
        const uint64_t v = quarter(b->code, (int)(i * 104729 / b->bytes % 31) - 15);
        memcpy(data + i, &v, b->bytes);
    }
}

START_TEST(a_box_is_combined)
{
    const box *b = &reductions[_i / 2].b;
    const char *op = reductions[_i / 2].op;
    char word[8];
    const char *const store[] = { "cp.reduce.async.bulk.tensor", word };
    static uint8_t wanted[sizeof(tensor)];
    lw_error error = { "" };
    snprintf(word, sizeof(word), ".%s", op);
    fill_with(b);
    memcpy(wanted, tensor, sizeof(wanted));
    for (unsigned i = 0; i < box_bytes(b); i += b->bytes) {
        uint64_t old = 0, new = 0;
        if (source(b, i) < 0)
            continue;
        memcpy(&old, tensor + source(b, i), b->bytes);
        memcpy(&new, data + place(b, i), b->bytes);
        const uint64_t v = combine(op, b->code, old, new);
        memcpy(wanted + source(b, i), &v, b->bytes);
    }
    ck_assert_msg(run(b, store, _i % 2 ? LW_ASYNC_EARLY : LW_ASYNC_LATE, &error) == LW_OK, "%s", error.text);
    for (unsigned i = 0; i < sizeof(tensor); i++)
        ck_assert_msg(tensor[i] == wanted[i], "%s %d, byte %u: %02x, not %02x", op, _i / 2, i, tensor[i],
                      wanted[i]);
}
END_TEST

START_TEST(types_that_are_not_combined)
{
    static const struct {
        const char *op, *type;
        unsigned bytes, code;
    } cases[] = { { ".add", "u8", 1, 0 },  { ".inc", "s32", 4, 3 }, { ".min", "f32", 4, 7 },
                  { ".add", "s64", 8, 5 }, { ".inc", "u64", 8, 4 }, { ".xor", "f16", 2, 6 },
                  { ".add", "f64", 8, 9 } };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const box b = { 2, cases[i].bytes, cases[i].code, 0, { 16, 8 }, { 1, 1 }, { 0, 0 } };
        const char *const store[] = { "cp.reduce.async.bulk.tensor", cases[i].op };
        char says[100];
        lw_error error = { "" };
        snprintf(says, sizeof(says), "elements of type %s, which this reduction does not take",
                 cases[i].type);
        fill();
        ck_assert_int_eq(run(&b, store, LW_ASYNC_LATE, &error), LW_E_FAULT);
        ck_assert_msg(strstr(error.text, says) != NULL, "%s", error.text);
    }
}
END_TEST

START_TEST(what_is_not_run_is_said)
{
    box b = boxes[0];
    lw_error error = { "" };
    b.code = 12;
    ck_assert_int_eq(run(&b, NULL, LW_ASYNC_LATE, &error), LW_E_FAULT);
    ck_assert_msg(strstr(error.text, "the tensor map has the element code 12") != NULL, "%s", error.text);
}
END_TEST

/* Fields where ptxas 13.0's code for tensormap.replace places them: two whole maps, word by word. */
START_TEST(a_map_has_its_fields_where_ptxas_puts_them)
{
    static const struct {
        lw_tensor_map map;
        uint32_t words[16];
    } cases[] = {
        { { LW_TENSOR_U8, 2, 0x7f0000100000, { 1024, 512 }, { 0, 1024 }, { 128, 128 }, { 0 }, 128 },
          { [0] = 0x00100000,
            [1] = 0x00007f00,
            [2] = 0x00006010,
            [3] = 0x40,
            [8] = 0x3ff,
            [9] = 0x1ff,
            [13] = 0x7f000000,
            [14] = 0x7f } },
        { { LW_TENSOR_F16,
            3,
            0x7f0000200000,
            { 64, 4096, 8 },
            { 0, 128, 0x1234567890 },
            { 64, 128, 1 },
            { 0 },
            128 },
          { [0] = 0x00200000,
            [1] = 0x00007f00,
            [2] = 0x00006320,
            [3] = 8,
            [4] = 0x23456789,
            [7] = 0x10,
            [8] = 0x3f,
            [9] = 0xfff,
            [10] = 7,
            [13] = 0x3f000000,
            [14] = 0x7f } },
    };
    uint32_t words[32], zeros[16] = { 0 };
    lw_error error = { "" };
    ck_assert_msg(lw_tensor_map_encode(&cases[_i].map, (uint8_t *)words, &error) == LW_OK, "%s", error.text);
    ck_assert_mem_eq(words, cases[_i].words, 64);
    ck_assert_mem_eq(words + 16, zeros, 64);
}
END_TEST

START_TEST(a_map_is_as_the_fields_say)
{
    static const lw_tensor_type types[] = {
        [0] = LW_TENSOR_U8, [1] = LW_TENSOR_U16, [2] = LW_TENSOR_U32, [6] = LW_TENSOR_F16, [7] = LW_TENSOR_F32
    };
    const box *b = &boxes[_i];
    uint32_t wanted[32];
    uint8_t got[128];
    lw_error error = { "" };
    lw_tensor_map m = { .type = types[b->code],
                        .rank = b->rank,
                        .address = 0x1000000000,
                        .dims = { row_bytes() / b->bytes, HIGH, DEEP },
                        .swizzle = swizzles[b->swizzle].choice };
    for (unsigned d = 0; d < b->rank; d++) {
        m.box[d] = b->size[d];
        m.steps[d] = b->step[d];
    }
    lw_tensor_map_pack_strides(&m);
    describe(b, m.address, wanted);
    if (b->rank < 3)
        wanted[4] = 0; /* the stride of a dimension that does not exist */
    ck_assert_msg(lw_tensor_map_encode(&m, got, &error) == LW_OK, "%s", error.text);
    ck_assert_mem_eq(got, wanted, sizeof(got));
}
END_TEST

/* Codes of elements for tensormap.replace.elemtype; the driver's numbers differ from f64 on. */
START_TEST(a_map_has_the_code_of_its_elements)
{
    static const struct {
        lw_tensor_type type;
        unsigned bytes, code;
    } types[] = { { LW_TENSOR_U8, 1, 0 },   { LW_TENSOR_U16, 2, 1 }, { LW_TENSOR_U32, 4, 2 },
                  { LW_TENSOR_I32, 4, 3 },  { LW_TENSOR_U64, 8, 4 }, { LW_TENSOR_I64, 8, 5 },
                  { LW_TENSOR_F16, 2, 6 },  { LW_TENSOR_F32, 4, 7 }, { LW_TENSOR_F64, 8, 9 },
                  { LW_TENSOR_BF16, 2, 10 } };
    const lw_tensor_map m = { types[_i].type, 1, 64, { 128 }, { 0 }, { 16 }, { 0 }, 0 };
    uint32_t words[32];
    ck_assert_uint_eq(lw_tensor_type_size(types[_i].type), types[_i].bytes);
    ck_assert_int_eq(lw_tensor_map_encode(&m, (uint8_t *)words, NULL), LW_OK);
    ck_assert_uint_eq(words[2], types[_i].code << 7);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ptx_tensor");
    TCase *tc = tcase_create("boxes");
    tcase_add_loop_test(tc, a_box_is_loaded, 0, 2 * sizeof(boxes) / sizeof(boxes[0]));
    tcase_add_loop_test(tc, a_box_is_stored, 0, sizeof(boxes) / sizeof(boxes[0]));
    tcase_add_loop_test(tc, a_box_is_combined, 0, 2 * REDUCTIONS);
    tcase_add_test(tc, types_that_are_not_combined);
    tcase_add_test(tc, what_is_not_run_is_said);
    tcase_add_loop_test(tc, a_map_has_its_fields_where_ptxas_puts_them, 0, 2);
    tcase_add_loop_test(tc, a_map_is_as_the_fields_say, 0, sizeof(boxes) / sizeof(boxes[0]));
    tcase_add_loop_test(tc, a_map_has_the_code_of_its_elements, 0, 10);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
