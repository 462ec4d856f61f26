/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum {
    REPEATS = 100,
    MAX_LANES = 64,
    MAX_REGISTERS = 64,
    BATCH = 16,
    NOT_RUN = -1,
    MAX_BYTES = 4096,
    CPU_NAME = 16
};

typedef struct bench_case {
    lw_arch arch;
    const char *text; /* an instruction with its modifiers */
} bench_case;

static const bench_case cases[] = {
#define CASE(arch_, text_) { LW_ARCH_##arch_, text_ },
#include "matrix.inc"
#undef CASE
};

static const char *const isas[] = { "reference", "portable", "avx2", "avx512" };

/* How to make codes of an operand's format; bits 0: keep random bits. */
typedef struct codes {
    const char *name;
    unsigned bits, exp_bits, frac_bits;
    int bias;
    uint32_t nan; /* 0: the format has none */
} codes;

static const codes formats[] = {
    { "f16", 16, 5, 10, 15, 0x7e01 },       { "bf16", 16, 8, 7, 127, 0x7fc1 },
    { "fp8 e4m3 fnuz", 8, 4, 3, 8, 0x80 },  { "bf8 e5m2 fnuz", 8, 5, 2, 16, 0x80 },
    { "fp8 e4m3", 8, 4, 3, 7, 0x7f },       { "bf8 e5m2", 8, 5, 2, 15, 0x7f },
    { "f32", 32, 8, 23, 127, 0x7fc00001 },  { "xf32", 32, 8, 23, 127, 0x7fc00001 },
    { "tf32", 32, 8, 23, 127, 0x7fc00001 },
};

static const codes *codes_of(const char *name)
{
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

static uint32_t next_random(void)
{
    static _Thread_local uint64_t x = 1;
    x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(x >> 32);
}

/* About normal(0, 1). */
static double next_normal(void)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += next_random() * 0x1p-32;
    return sum;
}

/* `x` truncated to a format's fraction; small numbers become zero. */
static uint32_t encode(const codes *f, double x)
{
    int exp;
    const double m = frexp(fabs(x), &exp); /* [0.5, 1) */
    const int field = exp - 1 + f->bias;
    if (m == 0 || field < 1)
        return 0;
    const uint32_t frac = (uint32_t)((2 * m - 1) * (double)(1u << f->frac_bits));
    return (x < 0 ? 1u << (f->bits - 1) : 0) | (uint32_t)field << f->frac_bits | frac;
}

typedef struct images {
    uint32_t a[MAX_REGISTERS * MAX_LANES], b[MAX_REGISTERS * MAX_LANES], c[MAX_REGISTERS * MAX_LANES],
        d[MAX_REGISTERS * MAX_LANES];
    uint32_t index[MAX_LANES], scale[MAX_LANES];
} images;

/* Normal numbers, or random bits if every code is a number; the upper words of f64 are those of small
 * numbers. */
static void fill_operand(const char *format, uint32_t *words, unsigned registers, unsigned lanes)
{
    const codes *f = codes_of(format);
    for (unsigned i = 0; i < registers * lanes; i++) {
        uint32_t word = next_random();
        if (f) {
            word = 0;
            for (unsigned bit = 0; bit < 32; bit += f->bits)
                word |= encode(f, next_normal()) << bit;
        } else if (strcmp(format, "f64") == 0 && i / lanes % 2) {
            word = 0x3fe00000u | word >> 12;
        }
        words[i] = word;
    }
}

typedef struct prepared {
    lw_mma *mma;
    lw_insn_info info;
    unsigned lanes;
    size_t d_bytes;
    lw_mma_shape shape;
} prepared;

/* gfx11 needs A and B twice, in both halves of the wave. */
static void repeat_halves(uint32_t *words)
{
    for (unsigned i = 0; i < MAX_REGISTERS * MAX_LANES; i++)
        if (i % 32 >= 16)
            words[i] = words[i - 16];
}

static void fill(const prepared *p, lw_arch arch, images *im)
{
    fill_operand(p->shape.a_format, im->a, MAX_REGISTERS, p->lanes);
    fill_operand(p->shape.b_format, im->b, MAX_REGISTERS, p->lanes);
    fill_operand(p->shape.c_format, im->c, MAX_REGISTERS, p->lanes);
    if (arch == LW_ARCH_GFX1100 || arch == LW_ARCH_GFX1150) {
        repeat_halves(im->a);
        repeat_halves(im->b);
    }
    for (size_t i = 0; i < MAX_LANES; i++) {
        im->index[i] = 0x44444444u;
        im->scale[i] = 0x7f7e807fu;
    }
}

/* BATCH calls that are timed together; false if they failed. */
typedef bool (*batch_fn)(const void *what);

/* Nanoseconds of processor time per call, the best of several windows of half a millisecond, so that other
 * load on the host matters little. */
static double best_window(batch_fn batch, const void *what, int windows)
{
    double best = NOT_RUN;
    unsigned count = 0; /* number of batches */
    const double from = bench_now();
    do {
        if (!batch(what))
            return NOT_RUN;
        count++;
    } while (bench_now() - from < 0.0005);
    for (int i = 0; i < windows; i++) {
        const double start = bench_processor();
        for (unsigned n = 0; n < count; n++)
            (void)batch(what);
        const double ns = 1e9 * (bench_processor() - start) / ((double)BATCH * (double)count);
        best = i == 0 || ns < best ? ns : best;
    }
    return best;
}

typedef struct register_calls {
    const prepared *p;
    images *im;
    bool from_d;
    lw_mma_registers regs;
} register_calls;

static bool call_registers(const void *what)
{
    const register_calls *r = what;
    if (r->from_d)
        memcpy(r->im->d, r->im->c, r->p->d_bytes);
    for (int i = 0; i < BATCH; i++)
        if (lw_mma_execute_registers(r->p->mma, &r->regs, NULL) != LW_OK)
            return false;
    return true;
}

/* `chain`: D becomes the next C, with a fresh C after every BATCH calls. */
static double time_calls(const prepared *p, images *im, bool chain, int windows)
{
    const bool from_d = chain || p->info.sparse;
    const register_calls calls = { p,
                                   im,
                                   from_d,
                                   { .a = im->a,
                                     .b = im->b,
                                     .c = from_d ? im->d : im->c,
                                     .d = im->d,
                                     .index = im->index,
                                     .scale_a = im->scale,
                                     .scale_b = im->scale } };
    return best_window(call_registers, &calls, windows);
}

/* The codes in the words, each in bytes of its own, as lw_mma_matrices needs them. */
static void spread_codes(const uint32_t *words, unsigned bits, uint8_t *out, size_t size)
{
    if (bits >= 8) {
        memcpy(out, words, size < sizeof(((images *)0)->a) ? size : sizeof(((images *)0)->a));
        return;
    }
    for (size_t i = 0; i < size; i++)
        out[i] = (uint8_t)(words[i * bits / 32] >> i * bits % 32 & ((1u << bits) - 1));
}

typedef struct matrix_calls {
    const prepared *p;
    lw_mma_matrices mat;
} matrix_calls;

static bool call_matrices(const void *what)
{
    const matrix_calls *m = what;
    for (int i = 0; i < BATCH; i++)
        if (lw_mma_execute_matrices(m->p->mma, &m->mat, NULL) != LW_OK)
            return false;
    return true;
}

/* On plain matrices. A word of the images holds at most eight elements; the arrays have 32 bytes for each.
 * Index and scales are constant bytes. */
static double time_matrices(const prepared *p, const images *im, int windows)
{
    static uint8_t a[32 * sizeof(im->a) / 4], b[sizeof(a)], c[sizeof(im->c)], d[sizeof(im->d)],
        index[MAX_BYTES], scale[MAX_BYTES];
    spread_codes(im->a, p->shape.a_bits, a, sizeof(a));
    spread_codes(im->b, p->shape.b_bits, b, sizeof(b));
    memcpy(c, im->c, sizeof(c));
    memset(index, 4, sizeof(index));
    memset(scale, 0x7f, sizeof(scale));
    const matrix_calls calls = {
        p, { .a = a, .b = b, .c = c, .d = d, .index = index, .scale_a = scale, .scale_b = scale }
    };
    return best_window(call_matrices, &calls, windows);
}

/* One NaN in A, or in C if A's format has none. */
static double time_nan(const prepared *p, lw_arch arch, images *im, int windows)
{
    const codes *f = codes_of(p->shape.a_format);
    if (strcmp(p->shape.d_format, "f32") != 0)
        return NOT_RUN;
    if (f && f->bits < 32)
        im->a[5] = (im->a[5] & ~((1u << f->bits) - 1)) | f->nan;
    else if (f)
        im->a[5] = f->nan;
    else
        im->c[5] = 0x7fc00001;
    if (arch == LW_ARCH_GFX1100 || arch == LW_ARCH_GFX1150)
        repeat_halves(im->a);
    return time_calls(p, im, false, windows);
}

static size_t bytes_of_d(const prepared *p)
{
    const size_t bytes = (size_t)p->info.operand[LW_OPERAND_D].registers * p->lanes * sizeof(uint32_t);
    return bytes < sizeof(((images *)0)->d) ? bytes : sizeof(((images *)0)->d);
}

static lw_status prepare(const bench_case *c, bool reference, prepared *p, lw_error *error)
{
    const lw_insn *insn;
    lw_mods mods;
    lw_mma_options options = { .struct_size = sizeof(options), .mods = &mods, .reference_only = reference };
    lw_status st = lw_insn_parse(c->arch, c->text, &insn, &mods, error);
    if (st == LW_OK)
        st = lw_insn_get_info(c->arch, insn, &p->info);
    if (st == LW_OK)
        st = lw_mma_create(c->arch, insn, &options, &p->mma, error);
    if (st != LW_OK)
        return st;
    p->lanes = c->arch >= LW_ARCH_GFX1100 ? 32 : 64;
    p->d_bytes = bytes_of_d(p);
    return lw_mma_get_shape(p->mma, &p->shape);
}

static void print_rate(double macs, double ns)
{
    if (ns > 0)
        printf(" %8.2f", macs / ns);
    else
        printf(" %8s", "-");
}

bool bench_wanted(const char *arch, const char *text, const char *only)
{
    char line[256];
    snprintf(line, sizeof(line), "%s %s", arch, text);
    return !only || strstr(line, only);
}

/* The value of LANEWISE_CPU; empty: none. */
static void limit_cpu(const char *cpu)
{
    if (*cpu)
        setenv("LANEWISE_CPU", cpu, 1);
    else
        unsetenv("LANEWISE_CPU");
}

static void keep_cpu(char cpu[CPU_NAME])
{
    const char *asked = getenv("LANEWISE_CPU");
    snprintf(cpu, CPU_NAME, "%s", asked ? asked : "");
}

/* One line; 0 also if the host has no such instructions. */
static int bench_isa(const bench_case *c, const char *isa, const bench_blas *blas, images *im)
{
    prepared p = { 0 };
    lw_error error = { "" };
    const bool reference = strcmp(isa, isas[0]) == 0;
    if (!reference)
        setenv("LANEWISE_CPU", isa, 1);
    const lw_status st = prepare(c, reference, &p, &error);
    unsetenv("LANEWISE_CPU");
    if (st != LW_OK) {
        const bool host_lacks = strncmp(error.text, "LANEWISE_CPU", 12) == 0;
        if (!host_lacks)
            fprintf(stderr, "bench: %s: %s\n", c->text, error.text);
        return !host_lacks;
    }
    fill(&p, c->arch, im);
    const double macs = (double)p.info.m * p.info.n * p.info.k * p.info.blocks;
    const double ns = time_calls(&p, im, false, REPEATS), chain = time_calls(&p, im, true, REPEATS),
                 matrices = time_matrices(&p, im, REPEATS), nan = time_nan(&p, c->arch, im, REPEATS);
    const double peak = strcmp(p.shape.d_format, "f64") == 0 ? blas->f64 : blas->f32;
    printf("%-8s %8.0f", isa, ns);
    print_rate(macs, ns);
    print_rate(macs, chain);
    print_rate(macs, nan);
    printf(" %8.0f", matrices);
    if (peak > 0)
        printf(" %6.2f", macs / ns / peak);
    else
        printf(" %6s", "-");
    printf("  %s %s\n", lw_arch_get(c->arch)->name, c->text);
    lw_mma_free(p.mma);
    return ns < 0;
}

int bench_matrix(const char *only)
{
    images *im = calloc(1, sizeof(*im));
    if (!im)
        return 1;
    char cpu[CPU_NAME];
    keep_cpu(cpu);
    if (strcmp(cpu, "avx512fp16") == 0) /* the same kernels */
        cpu[strlen("avx512")] = '\0';
    const bench_blas blas = *cpu ? (bench_blas){ 0 } : bench_blas_rates();
    printf("\nmatrix instructions on register images (one thread)\n");
    if (blas.f32 > 0)
        printf("OpenBLAS on this host, one thread, n = %d: sgemm %.1f, dgemm %.1f GMAC/s\n", blas.n, blas.f32,
               blas.f64);
    else
        printf("%s: no ratios\n", *cpu ? "LANEWISE_CPU is set" : "built without OpenBLAS");
    printf("%-8s %8s %8s %8s %8s %8s %6s  instruction\n", "cpu", "ns", "GMAC/s", "chained", "one NaN",
           "matrices", "ratio");
    int bad = 0;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        for (size_t n = i ? 1 : 0; n < sizeof(isas) / sizeof(isas[0]); n++)
            if (bench_wanted(lw_arch_get(cases[i].arch)->name, cases[i].text, only) &&
                (!*cpu || strcmp(cpu, isas[n]) == 0))
                bad |= bench_isa(&cases[i], isas[n], &blas, im);
    free(im);
    return bad;
}

/* Whether matrices take more than three times as long as registers, for a row that is vectorised; measured
 * again if so, since other load interferes. */
static bool matrices_are_late(const prepared *p, images *im, double macs, double ns, double matrices)
{
    enum { AGAIN = 4, WINDOWS = 40 };
    const double most = 3;
    for (int n = 0; n < AGAIN && matrices > most * ns; n++) {
        const double calls = time_calls(p, im, false, WINDOWS), again = time_matrices(p, im, WINDOWS);
        ns = calls < ns ? calls : ns;
        matrices = again < matrices ? again : matrices;
    }
    return macs / ns >= 1 && matrices > most * ns;
}

static double lesser(double a, double b)
{
    return a < b ? a : b;
}

/* One row without modifiers; rows that need some are left out. 1 if matrices take too long. */
static int bench_row(lw_arch arch, const lw_insn *insn, const char *name, const char *cpu, images *im)
{
    const lw_mods mods = { 0 };
    lw_mma_options options = { .struct_size = sizeof(options), .mods = &mods };
    prepared p = { 0 }, plain = { 0 }, portable = { 0 };
    if (lw_insn_get_info(arch, insn, &p.info) != LW_OK ||
        lw_mma_create(arch, insn, &options, &p.mma, NULL) != LW_OK)
        return 0;
    int bad = 0;
    plain.info = portable.info = p.info;
    setenv("LANEWISE_CPU", isas[1], 1);
    (void)lw_mma_create(arch, insn, &options, &portable.mma, NULL);
    limit_cpu(cpu);
    options.reference_only = true;
    (void)lw_mma_create(arch, insn, &options, &plain.mma, NULL);
    p.lanes = plain.lanes = portable.lanes = arch >= LW_ARCH_GFX1100 ? 32 : 64;
    p.d_bytes = plain.d_bytes = portable.d_bytes = bytes_of_d(&p);
    if (plain.mma && portable.mma && lw_mma_get_shape(p.mma, &p.shape) == LW_OK) {
        fill(&p, arch, im);
        const double macs = (double)p.info.m * p.info.n * p.info.k * p.info.blocks;
        /* time_nan comes last, since it writes a NaN into the operands. */
        double slow = time_calls(&plain, im, false, 3), vectors = time_calls(&portable, im, false, 12);
        const double ns = time_calls(&p, im, false, 12), matrices = time_matrices(&p, im, 12);
        /* Again, since a host that others share may be slow for some milliseconds. */
        slow = lesser(slow, time_calls(&plain, im, false, 3));
        vectors = lesser(vectors, time_calls(&portable, im, false, 12));
        const double nan = time_nan(&p, arch, im, 12);
        printf("%8.0f", ns);
        print_rate(macs, ns);
        print_rate(macs, nan);
        printf(" %8.0f %7.1f %7.1f %8.1f  %s %s\n", matrices, matrices / ns, slow / ns, slow / vectors, name,
               p.info.mnemonic);
        if (matrices_are_late(&p, im, macs, ns, matrices)) {
            printf("^ matrices take more than three times as long as registers\n");
            bad = 1;
        }
    }
    lw_mma_free(plain.mma);
    lw_mma_free(portable.mma);
    lw_mma_free(p.mma);
    return bad;
}

int bench_rows(const char *only)
{
    images *im = calloc(1, sizeof(*im));
    if (!im)
        return 1;
    int bad = 0;
    char cpu[CPU_NAME];
    keep_cpu(cpu);
    printf("\nrows of the tables, without modifiers, by the host's best instruction set, which LANEWISE_CPU "
           "may limit (one thread)\n"
           "matrices: nanoseconds of lw_mma_execute_matrices, and how many times those of register images;\n"
           "times, portable: those of the reference over those of register images by the best set, by the "
           "portable code\n"
           "the status is 1 where matrices take more than 3 times register images at 1 GMAC/s and more\n"
           "%8s %8s %8s %8s %7s %7s %8s  instruction\n",
           "ns", "GMAC/s", "one NaN", "matrices", "", "times", "portable");
    for (int arch = 1; arch < LW_ARCH_COUNT; arch++)
        for (size_t i = 0; i < lw_insn_count((lw_arch)arch); i++) {
            const lw_insn *insn = lw_insn_at((lw_arch)arch, i);
            const char *name = lw_arch_get((lw_arch)arch)->name;
            lw_insn_info info;
            if (lw_insn_get_info((lw_arch)arch, insn, &info) == LW_OK &&
                (info.moves || info.operand[LW_OPERAND_B].registers) && /* wgmma has B in shared memory */
                bench_wanted(name, info.mnemonic, only))
                bad |= bench_row((lw_arch)arch, insn, name, cpu, im);
        }
    free(im);
    return bad;
}
