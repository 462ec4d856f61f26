/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "cli/digests.h"
#include "cli/vectors.h"
#include "cli/wave.h"

enum { LINE_SIZE = 4096, MAX_FIELDS = 48 };

/* Which target a GPU is. */
static const struct {
    const char *gpu, *arch;
} gpus[] = {
    { "V100", "sm_70" }, { "A100", "sm_80" }, { "A2", "sm_86" },   { "Ada", "sm_89" },
    { "L40S", "sm_89" }, { "H100", "sm_90" }, { "H200", "sm_90" }, { "B200", "sm_100" },
};

/* Which instruction the lines for a pair of types belong to, as the file's header says. */
static const struct {
    const char *ab, *cd, *insn;
} nvidia_insns[] = {
    { "f16", "f32", "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32" },
    { "f16", "f16", "wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16" },
    { "bf16", "f32", "wmma.mma.sync.aligned.row.col.m16n16k16.f32.bf16.bf16.f32" },
    { "tf32", "f32", "wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32" },
    { "e4m3", "f32", "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32" },
    { "e4m3", "f16", "mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e4m3.f16" },
    { "e5m2", "f32", "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32" },
    { "e5m2", "f16", "mma.sync.aligned.m16n8k32.row.col.f16.e5m2.e5m2.f16" },
};

static const struct {
    const char *type, *insn;
} amd_insns[] = {
    { "f16", "v_wmma_f32_16x16x16_f16" },
    { "bf16", "v_wmma_f32_16x16x16_bf16" },
};

/* The current instruction; the next line often needs the same one. */
typedef struct bench {
    const cli_call *call;
    const char *path;
    size_t line;
    vectors_report *report;
    cli_wave wave;
    char insn[96], arch[16];
    unsigned lanes;
} bench;

static int fail_line(const bench *b, const char *what, const char *word)
{
    return cli_fail(b->call, CLI_USAGE, "%s: result %zu: %s '%s'", b->path, b->line, what, word);
}

static int use(bench *b, const char *arch_name, const char *insn, unsigned lanes)
{
    lw_arch arch;
    lw_error error = { "" };
    if (b->wave.insn && b->lanes == lanes && !strcmp(b->insn, insn) && !strcmp(b->arch, arch_name)) {
        wave_clear(&b->wave);
        return CLI_FINE;
    }
    wave_close(&b->wave);
    if (lw_arch_find(arch_name, &arch) != LW_OK)
        return fail_line(b, "no such target", arch_name);
    const lw_status st = wave_open(arch, insn, lanes, &b->wave, &error);
    if (st != LW_OK) {
        wave_close(&b->wave);
        return cli_fail_status(b->call, insn, st, &error);
    }
    snprintf(b->insn, sizeof(b->insn), "%s", insn);
    snprintf(b->arch, sizeof(b->arch), "%s", arch_name);
    b->lanes = lanes;
    return CLI_FINE;
}

static bool read_code(const char *text, uint64_t *code)
{
    char *end;
    *code = strtoull(text, &end, 16);
    return end != text && (*end == '\0' || *end == '\n' || *end == ' ');
}

/* Codes separated by blanks into row 0 of A or column 0 of B; false unless there are `count`. */
static bool put_codes(cli_wave *wave, lw_operand operand, const char *text, unsigned count)
{
    unsigned k = 0;
    for (char *end; *text; text = end, k++) {
        const uint64_t code = strtoull(text, &end, 16);
        const bool is_a = operand == LW_OPERAND_A;
        if (end == text || !wave_put(wave, operand, is_a ? 0 : k, is_a ? k : 0, code))
            return false;
    }
    return k == count;
}

/* Counts a result, and describes it if it differs. */
static void tell(bench *b, uint64_t got, uint64_t want)
{
    if (got == want) {
        b->report->same++;
        return;
    }
    const size_t number = b->report->different++;
    if (number >= VECTORS_SHOWN)
        return;
    vectors_difference *d = &b->report->shown[number];
    d->line = b->line;
    snprintf(d->text, sizeof(d->text), "%s on %s in waves of %u: %llx here, %llx recorded", b->insn, b->arch,
             b->wave.lanes, (unsigned long long)got, (unsigned long long)want);
}

/* Executes with C(0,0) = c and compares D(0,0). */
static int compare(bench *b, uint64_t c, uint64_t want)
{
    lw_error error = { "" };
    uint64_t got = 0;
    wave_put(&b->wave, wave_c(&b->wave), 0, 0, c);
    uint32_t *image = b->wave.operand[LW_OPERAND_D].image;
    const lw_status st = wave_execute(&b->wave, NULL, 0, image, &error);
    if (st != LW_OK)
        return cli_fail_status(b->call, b->insn, st, &error);
    wave_get(&b->wave, LW_OPERAND_D, 0, 0, &got);
    tell(b, got, want);
    return CLI_FINE;
}

static int check_nvidia(bench *b, char **field, int fields)
{
    const char *arch = NULL, *insn = NULL;
    uint64_t c, d;
    if (fields != 8 || !read_code(field[6], &c) || !read_code(field[7], &d))
        return fail_line(b, "needs eight fields:", field[0]);
    for (size_t i = 0; i < CLI_COUNT(gpus); i++)
        if (!strcmp(gpus[i].gpu, field[0]))
            arch = gpus[i].arch;
    for (size_t i = 0; i < CLI_COUNT(nvidia_insns); i++)
        if (!strcmp(nvidia_insns[i].ab, field[1]) && !strcmp(nvidia_insns[i].cd, field[2]))
            insn = nvidia_insns[i].insn;
    if (!arch)
        return fail_line(b, "no such GPU", field[0]);
    if (!insn)
        return fail_line(b, "no such types", field[1]);
    const unsigned k = (unsigned)strtoul(field[3], NULL, 10);
    const int exit = use(b, arch, insn, 0);
    if (exit != CLI_FINE)
        return exit;
    if (!put_codes(&b->wave, LW_OPERAND_A, field[4], k) || !put_codes(&b->wave, LW_OPERAND_B, field[5], k))
        return fail_line(b, "codes do not fit k =", field[3]);
    b->report->rows++;
    return compare(b, c, d);
}

/*
 * The recorded rows were written with k running through one lane first, half a row in each of gfx1201's two
 * lanes of wave32. The k of `lanewise layout` alternates between lanes in groups of four:
 * docs/numerics.md.
 */
static unsigned amd_k(const char *arch, unsigned lanes, unsigned k)
{
    return lanes == 32 && !strcmp(arch, "gfx1201") ? k % 8 / 4 * 8 + k / 8 * 4 + k % 4 : k;
}

static int check_amd(bench *b, char **field, int fields)
{
    enum { K = 16, A = 3, B = A + K, C = B + K, END = C + 3 };
    const char *insn = NULL;
    uint64_t code;
    b->report->rows++;
    if (!strcmp(field[0], "dot2")) {
        b->report->skipped++;
        return CLI_FINE;
    }
    if (fields != END)
        return fail_line(b, "needs 38 fields:", field[0]);
    for (size_t i = 0; i < CLI_COUNT(amd_insns); i++)
        if (!strcmp(amd_insns[i].type, field[2]))
            insn = amd_insns[i].insn;
    if (!insn)
        return fail_line(b, "no such type", field[2]);
    int exit = CLI_FINE;
    for (unsigned lanes = 32; lanes <= 64 && exit == CLI_FINE; lanes += 32) {
        exit = use(b, field[1], insn, lanes);
        if (exit != CLI_FINE)
            return exit;
        for (unsigned i = A; i < C; i++) {
            const bool is_a = i < B;
            const unsigned k = amd_k(field[1], lanes, (i - A) % K);
            if (!read_code(field[i], &code))
                return fail_line(b, "no code:", field[i]);
            wave_put(&b->wave, is_a ? LW_OPERAND_A : LW_OPERAND_B, is_a ? 0 : k, is_a ? k : 0, code);
        }
        uint64_t c, want;
        if (!read_code(field[C], &c) || !read_code(field[C + lanes / 32], &want))
            return fail_line(b, "no code:", field[C]);
        exit = compare(b, c, want);
    }
    return exit;
}

static void copy_image(bench *b, lw_operand operand, const uint32_t *from)
{
    wave_operand *o = &b->wave.operand[operand];
    if (o->image)
        memcpy(o->image, from, wave_words(&b->wave, operand) * sizeof(*from));
}

/* A digest of all of D; the operands are generated. */
static int check_digest(bench *b, char *line)
{
    digest_case c;
    digest_words words;
    lw_error error = { "" };
    if (digest_is_head(line))
        return CLI_FINE;
    if (!digest_parse(line, &c))
        return fail_line(
            b, "needs a generator, an instruction, modifiers, a sample and a digest:", strtok(line, "\n"));
    const int exit = use(b, "gfx1201", c.insn, DIGEST_LANES);
    if (exit != CLI_FINE)
        return exit;
    b->report->rows++;
    digest_generate(&c, &words);
    copy_image(b, LW_OPERAND_A, words.a);
    copy_image(b, LW_OPERAND_B, words.b);
    copy_image(b, wave_c(&b->wave), words.c);
    copy_image(b, LW_OPERAND_INDEX, words.index);
    uint32_t *d = b->wave.operand[LW_OPERAND_D].image;
    const lw_status st = wave_execute(&b->wave, NULL, 0, d, &error);
    if (st != LW_OK)
        return cli_fail_status(b->call, b->insn, st, &error);
    tell(b, digest_leading(&c, d, (unsigned)wave_words(&b->wave, LW_OPERAND_D)), c.want);
    return CLI_FINE;
}

static bool is_gpu(const char *word, size_t length)
{
    for (size_t i = 0; i < CLI_COUNT(gpus); i++)
        if (strlen(gpus[i].gpu) == length && !strncmp(gpus[i].gpu, word, length))
            return true;
    return false;
}

static bool is_amd(const char *line)
{
    return !strncmp(line, "dot2,", 5) || !strncmp(line, "wmma,", 5);
}

bool vectors_recognise(const char *line)
{
    return is_amd(line) || digest_recognise(line) || is_gpu(line, strcspn(line, ","));
}

void vectors_print(const char *path, size_t line, const char *text)
{
    printf("%s result %zu, %s\n", path, line, text);
}

int vectors_check(const cli_call *call, const char *path, FILE *file, vectors_report *report)
{
    char line[LINE_SIZE], *field[MAX_FIELDS];
    bench b = { .call = call, .path = path, .report = report };
    int exit = CLI_FINE;
    *report = (vectors_report){ .part = report->part, .parts = report->parts };
    while (exit == CLI_FINE && fgets(line, sizeof(line), file)) {
        int fields = 0;
        char *save = NULL;
        if (*line == '#' || *line == '\n')
            continue;
        b.line++;
        if (report->parts && (b.line - 1) % report->parts != report->part)
            continue;
        const bool amd = is_amd(line);
        if (!vectors_recognise(line)) {
            exit = fail_line(&b, "not a line of results:", strtok_r(line, ",\n", &save));
            break;
        }
        if (digest_recognise(line)) {
            exit = check_digest(&b, line);
            continue;
        }
        for (char *t = strtok_r(line, ",\n", &save); t && fields < MAX_FIELDS;
             t = strtok_r(NULL, ",\n", &save))
            field[fields++] = t;
        exit = amd ? check_amd(&b, field, fields) : check_nvidia(&b, field, fields);
    }
    wave_close(&b.wave);
    return exit;
}
