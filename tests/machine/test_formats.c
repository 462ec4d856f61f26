/* SPDX-License-Identifier: MIT */
/*
 * Typed and formatted buffer instructions of every generation, in every format: run on memory and registers,
 * and compared with a model that reads the format off the disassembly (whose names llvm-mc confirms
 * elsewhere) and computes with the host's numbers.
 */
#include <math.h>
#include <stdio.h>

#include <lanewise/disasm.h>

#include "isa_tables/amdgpu/registers.h"
#include "machine/fixture.h"
#include "tests/num/oracle.h"

enum { REGS = 24, DATA = 20, BYTES = 2048, STEP = 20, GOOD = 25, CHANNELS = 4 };

static uint64_t seed = 0x510e527fade682d1u;
static uint32_t v_before[REGS][64], v_after[REGS][64];
static uint8_t bytes_before[BYTES];
static lw_memory *memory;
static uint64_t address;

typedef enum layout { GFX9, GFX11, GFX12 } layout;

static const struct {
    lw_arch arch;
    layout layout;
    bool keeps; /* the other half of a register */
} archs[] = { { LW_ARCH_GFX908, GFX9, false },  { LW_ARCH_GFX90A, GFX9, false },
              { LW_ARCH_GFX942, GFX9, false },  { LW_ARCH_GFX950, GFX9, false },
              { LW_ARCH_GFX1100, GFX11, true }, { LW_ARCH_GFX1150, GFX11, true },
              { LW_ARCH_GFX1201, GFX12, true } };
enum { ARCHS = sizeof(archs) / sizeof(archs[0]) };

static const char *const NAMES[] = {
    "gfx908", "gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1150", "gfx1201"
};

/* An instruction: opcode 0 to 15 as both encodings number them, 16 and 17 for one component in the upper
 * half. */
typedef struct call {
    int arch;
    bool typed;
    unsigned op, format, components, select;
    bool store, half, high;
} call;

static uint32_t any(void)
{
    return (uint32_t)(next_random(&seed) >> 32);
}

/* data at v20, offset in v1, resource at s8, scalar offset 0 */
static void encode(const call *c, uint32_t words[3])
{
    const unsigned op = c->op < 16 ? c->op : 0x26 + c->op - 16;
    const uint32_t format = c->typed ? c->format : 0;
    words[2] = 0xbf800000;
    switch (archs[c->arch].layout) {
    case GFX9:
        words[0] = (c->typed ? 0xe8000000 | format << 19 | op << 15 : 0xe0000000 | op << 18) | 1u << 12;
        words[1] = 1 | DATA << 8 | 2 << 16 | 128u << 24;
        break;
    case GFX11:
        words[0] = c->typed ? 0xe8000000 | format << 19 | op << 15 : 0xe0000000 | op << 18;
        words[1] = 1 | DATA << 8 | 2 << 16 | 1 << 22 | 128u << 24;
        break;
    case GFX12:
        words[0] = 0xc4000000 | (op | (c->typed ? 128u : 0)) << 14 | 124;
        words[1] = DATA | 8 << 9 | (c->typed ? format : 1) << 23 | 1u << 30;
        words[2] = 1;
        break;
    }
}

static void fill(const call *c, uint32_t scalars[LW_SGPR_COUNT])
{
    for (unsigned r = 0; r < REGS; r++)
        for (unsigned lane = 0; lane < 64; lane++)
            v_before[r][lane] = any() % 4 ? any() : bits_of_f32((float)((int)(any() % 4096) - 1024) / 512);
    for (unsigned lane = 0; lane < 64; lane++)
        v_before[1][lane] = STEP * lane;
    for (unsigned i = 0; i < BYTES; i++)
        bytes_before[i] = (uint8_t)any();
    memset(scalars, 0, LW_SGPR_COUNT * sizeof(*scalars));
    scalars[8] = (uint32_t)address;
    scalars[9] = (uint32_t)(address >> 32);
    scalars[10] = STEP * GOOD + 5;                 /* ends inside the element of lane GOOD */
    const unsigned own = c->typed ? 4 : c->format; /* typed: any that is valid */
    scalars[11] = c->select | (archs[c->arch].layout == GFX9 ? (own & 15) << 15 | (own >> 4) << 12
                                                             : own << 12 | 3u << 28);
    scalars[LW_SGPR_EXEC] = any() | 1 | 1u << GOOD | 3u << (GOOD - 1);
}

static lw_status run(const call *c, lw_error *error)
{
    static lw_wave_state wave;
    uint32_t words[3];
    encode(c, words);
    const bool old = archs[c->arch].layout == GFX9;
    const uint32_t code[] = { words[0], words[1], words[2], old ? 0xbf810000 : 0xbfb00000 };
    memset(&wave, 0, sizeof(wave));
    fill(c, wave.sgpr);
    memcpy(v_after, v_before, sizeof(v_after));
    wave.vgpr = v_after[0], wave.vgprs = REGS;
    const lw_code_options o = { .struct_size = sizeof(o),
                                .arch = archs[c->arch].arch,
                                .code = code,
                                .words = 4,
                                .memory = memory,
                                .budget = 9 };
    memcpy(lw_memory_host(memory, address, BYTES), bytes_before, BYTES);
    const lw_status status = lw_code_run(&o, &wave, 1, NULL, error);
    v_before[0][0] = wave.sgpr[LW_SGPR_EXEC];
    v_after[0][0] = v_before[0][0];
    return status;
}

/* ---- The model ---- */

typedef struct model {
    unsigned bits[CHANNELS], bytes;
    char number[16];
} model;

/* From "10_11_11_FLOAT" or the like: widths from the highest bit down. */
static void read_name(const char *name, model *m)
{
    unsigned widths[CHANNELS], count = 0;
    int used = 0;
    memset(m, 0, sizeof(*m));
    while (sscanf(name, "%u%n", &widths[count], &used) == 1) {
        m->bytes += widths[count++];
        name += used + (name[used] == '_');
    }
    m->bytes /= 8;
    for (unsigned i = 0; i < count; i++)
        m->bits[i] = widths[count - 1 - i];
    snprintf(m->number, sizeof(m->number), "%s", name);
}

static void part_after(const char *text, const char *key, const char *otherwise, char out[32])
{
    const char *at = strstr(text, key);
    snprintf(out, 32, "%s", at ? at + strlen(key) : otherwise);
    out[strcspn(out, ",] ")] = 0;
}

/* False for a format whose name says that it is reserved or invalid. */
static bool read_format(const call *c, model *m)
{
    call typed = *c;
    uint32_t words[3];
    lw_disasm d = { 0 };
    char name[80], part[32];
    typed.typed = true, typed.op = 0;
    encode(&typed, words);
    ck_assert_int_eq(lw_disasm_decode(archs[c->arch].arch, words, sizeof(words), 0, &d), LW_OK);
    if (archs[c->arch].layout == GFX9) {
        part_after(d.text, "BUF_DATA_FORMAT_", "8", name);
        part_after(d.text, "BUF_NUM_FORMAT_", "UNORM", part);
        strcat(strcat(name, "_"), part);
    } else {
        part_after(d.text, "BUF_FMT_", "8_UNORM", name);
    }
    if (strstr(name, "RESERVED") || strstr(name, "INVALID"))
        return false;
    read_name(name, m);
    return true;
}

static double f16_or_small(uint32_t code, unsigned width)
{
    const int frac_bits = width == 16 ? 10 : (int)width - 5;
    if ((code >> frac_bits & 31) == 31)
        return code & ((1u << frac_bits) - 1) ? NAN : width == 16 && code >> 15 ? -INFINITY : INFINITY;
    return small_value(code, 5, frac_bits, 15);
}

/* Any NaN is as good as another here: test_channel.c looks at payloads. */
static uint32_t bits_of_double(double x)
{
    return isnan(x) ? 0x7fc00000 : bits_of_f32((float)x);
}

static uint32_t same_nan(uint32_t bits)
{
    return isnan(f32_of(bits)) ? 0x7fc00000 : bits;
}

static bool is(const model *m, const char *number)
{
    return strcmp(m->number, number) == 0;
}

static bool is_integer(const model *m)
{
    return is(m, "UINT") || is(m, "SINT");
}

static uint32_t model_unpack(const model *m, unsigned width, uint32_t code)
{
    const uint32_t half = 1u << (width - 1);
    const double v = m->number[0] == 'S' && code >= half ? (double)code - ldexp(1, (int)width) : (double)code;
    if (is(m, "UNORM"))
        return bits_of_f32((float)v / (float)(ldexp(1, (int)width) - 1));
    if (is(m, "SNORM"))
        return bits_of_f32(fmaxf((float)v / (float)(half - 1), -1));
    if (is(m, "FLOAT"))
        return width == 32 ? code : bits_of_double(f16_or_small(code, width));
    return is_integer(m) ? (uint32_t)(int64_t)v : bits_of_f32((float)v);
}

static uint32_t element_bits(const uint8_t *at, const model *m, unsigned channel)
{
    unsigned first = 0;
    uint32_t v = 0;
    for (unsigned i = 0; i < channel; i++)
        first += m->bits[i];
    for (unsigned i = 0; i < m->bits[channel]; i++)
        v |= (uint32_t)(at[(first + i) / 8] >> (first + i) % 8 & 1) << i;
    return v;
}

/* The nearest half by a walk from a rough one; `down`: the one towards zero. */
static uint32_t model_half(uint32_t bits, bool down)
{
    const double x = fabs((double)f32_of(bits));
    const uint32_t sign = bits >> 31 << 15;
    if (isnan(x))
        return 0x7e00;
    if (x >= 65520)
        return sign | (down && !isinf(x) ? 0x7bff : 0x7c00);
    uint32_t low = 0, high = 0x7c00;
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        *(small_value(middle, 6, 10, 15) <= x ? &low : &high) = middle;
    }
    const double below = x - small_value(low, 6, 10, 15), above = small_value(high, 6, 10, 15) - x;
    return sign | (down || below < above || (below == above && low % 2 == 0) ? low : high);
}

static uint32_t selected(const call *c, unsigned i)
{
    return c->typed ? 4 + i : c->select >> 3 * i & 7;
}

static void check_load(const call *c, const model *m)
{
    for (unsigned lane = 1; lane < 32; lane++) {
        if (!(v_before[0][0] >> lane & 1)) {
            for (unsigned r = 0; r < REGS; r++)
                ck_assert_uint_eq(v_after[r][lane], v_before[r][lane]);
            continue;
        }
        uint32_t want[CHANNELS];
        const bool good = lane * STEP + m->bytes <= STEP * GOOD + 5;
        for (unsigned i = 0; i < c->components; i++) {
            const unsigned s = selected(c, i);
            want[i] = s == 1 ? (is_integer(m) ? 1 : 0x3f800000) : 0;
            if (s >= 4 && good && m->bits[s - 4])
                want[i] = model_unpack(m, m->bits[s - 4],
                                       element_bits(bytes_before + (size_t)lane * STEP, m, s - 4));
        }
        for (unsigned i = 0; i < c->components; i++) {
            uint32_t got = v_after[DATA + (c->half ? i / 2 : i)][lane];
            if (c->half) {
                const unsigned shift = c->high || i % 2 ? 16 : 0;
                if (i % 2 == 0 && i + 1 == c->components)
                    ck_assert_uint_eq(
                        got >> (16 - shift) & 0xffff,
                        archs[c->arch].keeps ? v_before[DATA + i / 2][lane] >> (16 - shift) & 0xffff : 0);
                got = got >> shift & 0xffff;
                want[i] = is_integer(m) ? want[i] & 0xffff
                                        : model_half(want[i], is(m, "FLOAT") && m->bits[0] == 32);
                if (!is_integer(m) && (got & 0x7fff) > 0x7c00)
                    got = 0x7e00;
            } else if (!is_integer(m)) {
                got = same_nan(got), want[i] = same_nan(want[i]);
            }
            ck_assert_msg(got == want[i], "%s op %u %s %u, lane %u component %u: %08x, not %08x",
                          NAMES[c->arch], c->op, m->number, c->format, lane, i, (unsigned)got,
                          (unsigned)want[i]);
        }
        for (unsigned r = DATA + (c->half ? (c->components + 1) / 2 : c->components); r < REGS; r++)
            ck_assert_uint_eq(v_after[r][lane], v_before[r][lane]);
    }
}

static uint32_t model_pack(const model *m, unsigned width, uint32_t bits)
{
    const double x = isnan(f32_of(bits)) ? 0 : (double)f32_of(bits);
    const double top = ldexp(1, (int)width) - 1, half = ldexp(1, (int)width - 1);
    const uint32_t mask = width == 32 ? UINT32_MAX : (1u << width) - 1;
    if (is(m, "UNORM"))
        return (uint32_t)nearbyint(fmin(fmax(x, 0), 1) * top);
    if (is(m, "SNORM"))
        return (uint32_t)(int)nearbyint(fmin(fmax(x, -1), 1) * (half - 1)) & mask;
    if (is(m, "USCALED"))
        return (uint32_t)fmin(fmax(x, 0), top);
    if (is(m, "SSCALED"))
        return (uint32_t)(int)fmin(fmax(x, -half), half - 1) & mask;
    if (is(m, "FLOAT") && width == 16)
        return model_half(bits, false);
    return bits & mask;
}

static uint32_t model_component(const call *c, const model *m, unsigned lane, unsigned channel)
{
    unsigned from = 0;
    for (unsigned i = CHANNELS; i-- > 0;)
        if (selected(c, i) == 4 + channel && i < c->components)
            from = i;
    const uint32_t bits = v_before[DATA + (c->half ? from / 2 : from)][lane];
    if (!c->half)
        return bits;
    const uint32_t half = bits >> (c->high || from % 2 ? 16 : 0) & 0xffff;
    if (is_integer(m))
        return is(m, "SINT") ? (uint32_t)(int16_t)half : half;
    return bits_of_double(f16_or_small(half, 16));
}

static void check_store(const call *c, const model *m)
{
    const uint8_t *got = lw_memory_host(memory, address, BYTES);
    for (unsigned lane = 1; lane < 32; lane++) {
        const uint8_t *at = got + (size_t)lane * STEP, *old = bytes_before + (size_t)lane * STEP;
        const bool good = v_before[0][0] >> lane & 1 && lane * STEP + m->bytes <= STEP * GOOD + 5;
        ck_assert_mem_eq(at + (good ? m->bytes : 0), old + (good ? m->bytes : 0),
                         STEP - (good ? m->bytes : 0));
        for (unsigned i = 0; i < CHANNELS && good; i++) {
            if (!m->bits[i])
                continue;
            uint32_t x = element_bits(at, m, i), component = model_component(c, m, lane, i);
            const bool nan = is(m, "FLOAT") && isnan(f32_of(component));
            if (is(m, "FLOAT") &&
                m->bits[i] < 16) { /* a code next to the number: test_channel.c has the rule */
                const double v = f16_or_small(x, m->bits[i]), r = (double)f32_of(component);
                ck_assert(nan        ? isnan(v)
                          : r <= 0   ? v == 0
                          : isinf(v) ? isinf(r)
                                     : r > 65024 || fabs(v - r) <= r / 32 + 1e-6);
                continue;
            }
            if (nan && m->bits[i] == 16)
                x = (x & 0x7fff) > 0x7c00 ? 0x7e00 : x;
            else if (nan)
                x = same_nan(x), component = same_nan(component);
            ck_assert_msg(x == model_pack(m, m->bits[i], component),
                          "%s op %u %s %u, lane %u channel %u: %08x, not %08x", NAMES[c->arch], c->op,
                          m->number, c->format, lane, i, (unsigned)x,
                          (unsigned)model_pack(m, m->bits[i], component));
        }
    }
}

static void check_call(call *c)
{
    model m;
    lw_error error;
    c->store = c->op >= 16 ? c->op == 17 : c->op & 4;
    c->half = c->op >= 8;
    c->high = c->op >= 16;
    c->components = c->high ? 1 : c->op % 4 + 1;
    if (!read_format(c, &m))
        return;
    const lw_status status = run(c, &error);
    const bool sensible = is(&m, "FLOAT")  ? m.bits[0] >= 16 || m.bits[0] == 11 || m.bits[1] == 11
                          : is_integer(&m) ? m.bits[1] != 11
                                           : m.bits[0] != 32 && m.bits[1] != 11;
    ck_assert_msg((status == LW_OK) == sensible, "%s format %u: %s", NAMES[c->arch], c->format,
                  status == LW_OK ? "runs" : error.text);
    if (status != LW_OK)
        ck_assert_msg(strstr(error.text, "no source tells how the buffer format"), "%s", error.text);
    else if (c->store)
        check_store(c, &m);
    else
        check_load(c, &m);
}

START_TEST(every_format)
{
    const unsigned formats = archs[_i].layout == GFX9 ? 128 : 64;
    for (unsigned format = 1; format < formats; format++)
        for (unsigned op = 0; op < 18; op++) {
            static const unsigned selects[] = { 4 | 5 << 3 | 6 << 6 | 7 << 9, 7 | 4 << 3 | 5 << 6 | 6 << 9,
                                                5 | 1 << 3 | 0 << 6 | 4 << 9 };
            call c = { .arch = _i, .typed = op < 16 && any() & 1, .op = op, .format = format };
            c.select = c.typed ? 0 : selects[any() % 3];
            check_call(&c);
        }
}
END_TEST

/* INVALID, in the instruction or in the resource: nothing is accessed. */
START_TEST(unbound)
{
    lw_error error;
    call c = { .arch = _i, .typed = true, .op = 3, .format = 0, .components = 4 };
    ck_assert_int_eq(run(&c, &error), LW_OK);
    for (unsigned i = 0; i < 4; i++)
        ck_assert_uint_eq(v_after[DATA + i][GOOD], 0);
    c = (call){ .arch = _i, .op = 7, .format = 0, .select = 0xfac, .components = 4 };
    ck_assert_int_eq(run(&c, &error), LW_OK);
    ck_assert_mem_eq(lw_memory_host(memory, address, BYTES), bytes_before, BYTES);
}
END_TEST

START_TEST(refused)
{
    lw_error error;
    call c = { .arch = _i, .op = 0, .format = 20, .select = 2, .components = 1 };
    c.format = archs[_i].layout == GFX9 ? 0x44 : 20;
    ck_assert_int_eq(run(&c, &error), LW_E_FAULT);
    ck_assert_msg(strstr(error.text, "DST_SEL of the buffer has the reserved value 2"), "%s", error.text);
    c = (call){ .arch = _i, .typed = true, .op = 0, .format = archs[_i].layout == GFX9 ? 15 : 64 };
    ck_assert_int_eq(run(&c, &error), LW_E_FAULT);
    ck_assert_msg(strstr(error.text, "no source tells how the buffer format"), "%s", error.text);
}
END_TEST

static void open_memory(void)
{
    ck_assert_int_eq(lw_memory_create(&memory), LW_OK);
    ck_assert_int_eq(lw_memory_allocate(memory, "b", BYTES, LW_ACCESS_READ_WRITE, &address, NULL), LW_OK);
}

static void close_memory(void)
{
    lw_memory_free(memory);
}

int main(void)
{
    TCase *tc = tcase_create("formats");
    tcase_add_unchecked_fixture(tc, open_memory, close_memory);
    tcase_add_loop_test(tc, every_format, 0, ARCHS);
    tcase_add_loop_test(tc, unbound, 0, ARCHS);
    tcase_add_loop_test(tc, refused, 0, ARCHS);
    return run_suite("formats", tc);
}
