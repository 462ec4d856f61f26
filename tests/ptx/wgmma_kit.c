/* SPDX-License-Identifier: MIT */
#include "tests/ptx/wgmma_kit.h"

#include <stdarg.h>

const shape shapes[SHAPES] = {
    { "f32", "f16", "f16", F16, F16, 16, 16, 32 },     { "f16", "f16", "f16", F16, F16, 16, 16, 16 },
    { "f32", "bf16", "bf16", BF16, BF16, 16, 16, 32 }, { "f32", "tf32", "tf32", TF32, TF32, 8, 32, 32 },
    { "f32", "e4m3", "e5m2", E4M3, E5M2, 32, 8, 32 },  { "f16", "e5m2", "e4m3", E5M2, E4M3, 32, 8, 16 },
    { "s32", "s8", "u8", S8, U8, 32, 8, 32 },          { "s32", "u8", "s8", U8, S8, 32, 8, 32 },
    { "s32", "b1", "b1", B1, B1, 256, 1, 32 },
};

static unsigned swizzle(unsigned address, unsigned width)
{
    return width == 128  ? address ^ (address >> 7 & 7) << 4
           : width == 64 ? address ^ (address >> 7 & 3) << 4
           : width == 32 ? address ^ (address >> 7 & 1) << 4
                         : address;
}

unsigned place(const major *m, unsigned start, unsigned mn, unsigned k, unsigned bits)
{
    const unsigned w = m->width, b = k * bits / 8, c = mn * bits / 8;
    unsigned l;
    if (!m->turned && w > 16)
        l = mn % 8 * w + mn / 8 * m->stride + b;
    else if (!m->turned)
        l = mn % 8 * 16 + mn / 8 * m->stride + b / 16 * m->leading + b % 16;
    else if (w > 16)
        l = c % w + c / w * m->leading + k % 8 * w + k / 8 * m->stride;
    else
        l = c % 16 + c / 16 * m->stride + k % 8 * 16 + k / 8 * m->leading;
    return swizzle(start + l, w);
}

/* ---- Numbers ---- */

static uint32_t noise(uint32_t i)
{
    i = (i + 0x9e3779b9u) * 0x85ebca6bu;
    return (i ^ i >> 13) * 0xc2b2ae35u >> 5;
}

/* The code of a small integer. */
static uint32_t code(kind t, int v)
{
    static const uint16_t f16[] = { 0, 0x3c00, 0x4000, 0x4200, 0x4400 };
    static const uint16_t bf16[] = { 0, 0x3f80, 0x4000, 0x4040, 0x4080 };
    static const uint8_t e4m3[] = { 0, 0x38, 0x40, 0x44, 0x48 }, e5m2[] = { 0, 0x3c, 0x40, 0x42, 0x44 };
    const unsigned m = (unsigned)abs(v), s = v < 0 ? 1u : 0u;
    return t == F16    ? (uint32_t)f16[m] | s << 15
           : t == BF16 ? (uint32_t)bf16[m] | s << 15
           : t == TF32 ? ((uint32_t)bf16[m] | s << 15) << 16 | (m ? 0x1abcu : 0) /* low bits are dropped */
           : t == E4M3 ? e4m3[m] | s << 7
           : t == E5M2 ? e5m2[m] | s << 7
                       : (uint32_t)v & 0xff;
}

static int draw(kind t, uint32_t seed)
{
    const uint32_t r = noise(seed);
    return t == U8   ? (int)(r % 256)
           : t == S8 ? (int)(r % 256) - 128
           : t == B1 ? (int)(r & 1)
                     : (int)(r % 9) - 4;
}

static uint32_t f32_of(int v)
{
    const float f = (float)v;
    uint32_t bits;
    memcpy(&bits, &f, sizeof(bits));
    return bits;
}

/* For integers of magnitude up to 2048. */
static uint32_t f16_of(int v)
{
    const uint32_t m = (uint32_t)abs(v);
    unsigned e = 0;
    if (!m)
        return 0;
    while (m >> (e + 1))
        e++;
    return (uint32_t)(v < 0) << 15 | (e + 15) << 10 | ((m << (10 - e)) & 0x3ff);
}

/* ---- One product ---- */

int am[ROWS][MOST_K], bm[MOST_N][MOST_K], cm[ROWS][MOST_N];
static int stored[ROWS][MOST_K];
uint8_t image[IMAGE];
uint32_t a_regs[4][THREADS], d_regs[128][THREADS];
static uint32_t meta[THREADS];

unsigned dense_k(const product *p)
{
    return p->s->k * (p->sparse ? 2 : 1);
}

/* Two of four (tf32: one of two) elements of each chunk of k are kept. */
static void thin(const product *p)
{
    static const uint8_t pairs[6] = { 0x4, 0x8, 0xc, 0x9, 0xd, 0xe };
    const unsigned chunk = p->s->bits == 32 ? 2 : 4, chunks = dense_k(p) / chunk;
    uint8_t nibbles[ROWS][16];
    for (unsigned i = 0; i < ROWS; i++)
        for (unsigned c = 0; c < chunks; c++) {
            const unsigned r = noise(i * 77 + c);
            const uint8_t nib = chunk == 2 ? (r & 1 ? 0xe : 0x4) : pairs[r % 6];
            const unsigned first = chunk == 2 ? nib == 0xe : nib & 3u, second = nib >> 2;
            nibbles[i][c] = nib;
            int keep[4] = { 0 };
            if (chunk == 2)
                keep[first] = stored[i][c] = am[i][c * chunk + first];
            else {
                keep[first] = stored[i][2 * c] = am[i][c * chunk + first];
                keep[second] = stored[i][2 * c + 1] = am[i][c * chunk + second];
            }
            memcpy(&am[i][c * chunk], keep, chunk * sizeof(int));
        }
    memset(meta, 0, sizeof(meta));
    for (unsigned thread = 0; thread < THREADS; thread++)
        for (unsigned i = 0; i < 8; i++) {
            const unsigned w = thread / 32, g = thread % 32 / 4, t = thread % 4;
            unsigned row, c;
            if (p->s->bits == 8) {
                row = 16 * w + g + 8 * (t & 1);
                c = 8 * (t >> 1) + i;
            } else {
                if (t >> 1 != p->selector)
                    continue;
                row = 16 * w + g + (i >= 4 ? 8 : 0);
                c = 4 * (t & 1) + i % 4;
            }
            meta[thread] |= (uint32_t)nibbles[row][c] << 4 * i;
        }
}

void store_bits(uint8_t *at, unsigned k, unsigned bits, uint32_t value)
{
    if (bits == 1)
        *at = (uint8_t)((*at & ~(1u << k % 8)) | value << k % 8);
    else
        memcpy(at, &value, bits / 8);
}

static void lay_out(const product *p)
{
    const shape *s = p->s;
    memset(image, 0xee, sizeof(image));
    memset(a_regs, 0, sizeof(a_regs));
    for (unsigned i = 0; i < ROWS; i++)
        for (unsigned k = 0; k < s->k; k++) {
            const uint32_t v = code(s->a_kind, p->sparse ? stored[i][k] : am[i][k]);
            const unsigned e = 32 / s->bits, w = i / 16, g = i % 8, high = i % 16 / 8;
            const unsigned t = k / e % 4, r = high + 2 * (k / (4 * e)), j = k % e;
            a_regs[r][32 * w + 4 * g + t] |= v << (j * s->bits) % 32;
            if (!p->registers)
                store_bits(&image[place(&p->a, 0, i, k, s->bits)], k, s->bits, v);
        }
    for (unsigned n = 0; n < p->n; n++)
        for (unsigned k = 0; k < dense_k(p); k++)
            store_bits(&image[place(&p->b, B_AT, n, k, s->bits)], k, s->bits, code(s->b_kind, bm[n][k]));
}

unsigned find_d(const product *p, unsigned row, unsigned n, unsigned *thread, unsigned *shift)
{
    const unsigned v = n / 8 * 4 + row % 16 / 8 * 2 + n % 2;
    *thread = row / 16 * 32 + row % 8 * 4 + n % 8 / 2;
    *shift = p->s->d_bits == 16 ? v % 2 * 16 : 0;
    return p->s->d_bits == 16 ? v / 2 : v;
}

uint32_t result_of(const product *p, int v)
{
    return p->s->d[0] == 's' ? (uint32_t)v : p->s->d_bits == 16 ? f16_of(v) : f32_of(v);
}

static unsigned d_count(const product *p)
{
    return p->n / (p->s->d_bits == 16 ? 4 : 2);
}

static uint64_t descriptor(const major *m)
{
    const uint64_t mode = m->width == 128 ? 1 : m->width == 64 ? 2 : m->width == 32 ? 3 : 0;
    return mode << 62 | (uint64_t)(m->stride >> 4) << 32 | (uint64_t)(m->leading >> 4) << 16;
}

char text[1 << 16];
static size_t used;

static void say(const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 1, 2)))
#endif
    ;

static void say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    used += (size_t)vsnprintf(text + used, sizeof(text) - used, format, args);
    va_end(args);
}

static void say_registers(const char *name, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        say("%s%%%s%u", i ? ", " : "{", name, i);
    say("}");
}

/* Moves registers from or to rows of 128 words after %rd1. */
static void say_rows(const char *op, const char *name, unsigned count, unsigned at)
{
    for (unsigned i = 0; i < count; i++)
        if (op[0] == 'l')
            say("ld.global.b32 %%%s%u, [%%rd2+%u];\n", name, i, at + i * THREADS * 4);
        else
            say("st.global.b32 [%%rd2+%u], %%%s%u;\n", at + i * THREADS * 4, name, i);
}

enum { AT_A = 0, AT_META = 4 * THREADS * 4, AT_D = AT_META + THREADS * 4, STATE = AT_D + 128 * THREADS * 4 };

/* The image is in the first buffer, registers in the second, which receives D. */
void write_kernel(const product *p)
{
    const bool half = p->s->bits == 16, whole = p->s->d[0] == 's';
    used = 0;
    say(".version 8.4\n.target sm_90a\n.address_size 64\n.extern .shared .align 1024 .b8 sm[];\n.entry "
        "k(.param .u64 image, .param .u64 state) {\n"
        ".reg .pred %%p<3>; .reg .b32 %%r<9>; .reg .b64 %%rd<9>; .reg .b32 %%a<4>; .reg .b32 %%m<1>;\n");
    for (unsigned i = 128; p->registers && i-- > 0;) /* registers of D need not follow each other */
        say(".reg .b32 %%d%u;%s", i, i % 8 ? " " : "\n");
    say("%s"
        "mov.u32 %%r1, %%tid.x; mul.wide.u32 %%rd3, %%r1, 4; ld.param.u64 %%rd1, [image]; ld.param.u64 "
        "%%rd2, [state];\n"
        "add.u64 %%rd1, %%rd1, %%rd3; add.u64 %%rd2, %%rd2, %%rd3; cvt.u32.u64 %%r2, %%rd3; mov.u32 %%r4, "
        "sm;\n"
        "L: add.u32 %%r5, %%r4, %%r2; ld.global.b32 %%r3, [%%rd1]; st.shared.b32 [%%r5], %%r3; add.u64 "
        "%%rd1, %%rd1, 512;\n"
        "add.u32 %%r2, %%r2, 512; setp.lt.u32 %%p1, %%r2, %u; @%%p1 bra L;\n"
        "fence.proxy.async; bar.sync 0;\n"
        "shr.u32 %%r4, %%r4, 4; cvt.u64.u32 %%rd4, %%r4; add.u64 %%rd5, %%rd4, 0x%llx; add.u64 %%rd6, %%rd4, "
        "0x%llx;\n"
        "setp.ne.u32 %%p2, 0, %d;\n",
        p->registers ? "" : ".reg .b32 %d<128>;\n", IMAGE, (unsigned long long)descriptor(&p->a),
        (unsigned long long)(descriptor(&p->b) + (B_AT >> 4)), p->adds);
    say_rows("ld", "d", d_count(p), AT_D);
    say_rows("ld", "a", 4, AT_A);
    say_rows("ld", "m", 1, AT_META);
    say("wgmma.fence.sync.aligned;\nwgmma.mma_async%s.sync.aligned.m64n%uk%u.%s.%s.%s%s ",
        p->sparse ? ".sp" : "", p->n, dense_k(p), p->s->d, p->s->a, p->s->b,
        p->options        ? p->options
        : p->s->bits == 1 ? ".and.popc"
                          : "");
    say_registers("d", d_count(p));
    if (p->registers) {
        say(", ");
        say_registers("a", 4);
    } else
        say(", %%rd5");
    say(", %%rd6");
    if (p->sparse)
        say(", %%m0, %u", p->selector);
    say(", %%p2");
    if (!whole)
        say(", %d, %d", p->sign_a, p->sign_b);
    if (half && !p->registers)
        say(", %d", p->a.turned);
    if (half)
        say(", %d", p->b.turned);
    say(";\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n");
    say_rows("st", "d", d_count(p), AT_D);
    say("ret; }\n");
}

void put_text(size_t at, const char *between, const char *after)
{
    used = at;
    say("%s\n%s", between, after);
}

static uint8_t state[STATE];

/* Runs the text on `image` and the registers, and returns D. */
lw_status run(const product *p, unsigned threads, lw_error *error)
{
    uint64_t at[2];
    lw_program *program;
    lw_memory *memory;
    const lw_status loaded = lw_program_load(text, used, NULL, &program, error);
    if (loaded != LW_OK)
        return loaded;
    ck_assert_int_eq(lw_memory_create(&memory), LW_OK);
    ck_assert_int_eq(lw_memory_allocate(memory, "image", IMAGE, LW_ACCESS_READ, &at[0], NULL), LW_OK);
    ck_assert_int_eq(lw_memory_allocate(memory, "state", STATE, LW_ACCESS_READ_WRITE, &at[1], NULL), LW_OK);
    memcpy(state + AT_A, a_regs, sizeof(a_regs));
    memcpy(state + AT_META, meta, sizeof(meta));
    memcpy(state + AT_D, d_regs, sizeof(d_regs));
    memcpy(lw_memory_host(memory, at[0], IMAGE), image, IMAGE);
    lw_memory_write(memory, at[1], state, STATE);
    const lw_arg args[] = { { NULL, &at[0], 8, true }, { NULL, &at[1], 8, true } };
    lw_launch_options o = lw_launch_options_default();
    o.program = program;
    o.memory = memory;
    o.grid[0] = 1;
    o.block[0] = threads;
    o.args = args;
    o.arg_count = 2;
    o.dynamic_lds = IMAGE;
    o.async = p->async;
    const lw_status status = lw_launch(&o, NULL, error);
    lw_memory_read(memory, at[1], state, STATE);
    memcpy(d_regs, state + AT_D, sizeof(d_regs));
    lw_memory_free(memory);
    lw_program_free(program);
    return status;
}

void fill(const product *p)
{
    const shape *s = p->s;
    for (unsigned i = 0; i < ROWS; i++)
        for (unsigned k = 0; k < dense_k(p); k++)
            am[i][k] = draw(s->a_kind, 1000 * i + k);
    for (unsigned n = 0; n < p->n; n++)
        for (unsigned k = 0; k < dense_k(p); k++)
            bm[n][k] = draw(s->b_kind, 500000 + 1000 * n + k);
    if (p->sparse)
        thin(p);
    memset(d_regs, 0, sizeof(d_regs));
    for (unsigned i = 0; i < ROWS; i++)
        for (unsigned n = 0; n < p->n; n++) {
            unsigned thread, shift;
            const unsigned r = find_d(p, i, n, &thread, &shift);
            cm[i][n] = (int)(noise(i * 256 + n) % 1000) - 500;
            d_regs[r][thread] |= result_of(p, cm[i][n]) << shift;
        }
    lay_out(p);
}
