/* SPDX-License-Identifier: MIT */
/*
 * `recorded` is earned: every result in tests/data is replayed with its instruction and target, bit for bit.
 * Then lines and replays are compared, in both directions: a line without a replay fails, a replay without a
 * line fails, and so does a line that claims an aspect that no replayed result touched, or the whole
 * instruction although the data did not use all products.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

#include "cli/digests.h"
#include "isa_tables/evidence.h"

enum { MAX_REPLAYS = 128, MAX_FIELDS = 48, LINE_SIZE = 4096, BYTES = 16 * 1024 };

typedef struct replay {
    lw_arch arch;
    char key[LW_EVIDENCE_KEY_MAX], text[160];
    unsigned wave;
    unsigned products; /* the most products of an element of D that the data used */
    uint32_t touched;
    size_t results;
    lw_mma *mma;
    lw_mma_shape shape;
} replay;

static void parse(lw_arch arch, const char *text, const lw_insn **insn, lw_mods *mods)
{
    lw_error error = { "" };
    ck_assert_msg(lw_insn_parse(arch, text, insn, mods, &error) == LW_OK, "%s: %s", text, error.text);
}

static replay replays[MAX_REPLAYS];
static size_t replay_count;

static replay *find_replay(lw_arch arch, const char *text, unsigned wave)
{
    const lw_insn *insn;
    lw_mods mods;
    char key[LW_EVIDENCE_KEY_MAX];
    parse(arch, text, &insn, &mods);
    lw_evidence_key(arch, insn, &mods, key);
    for (size_t i = 0; i < replay_count; i++)
        if (replays[i].arch == arch && replays[i].wave == wave && strcmp(replays[i].key, key) == 0)
            return &replays[i];
    ck_assert_uint_lt(replay_count, MAX_REPLAYS);
    replay *r = &replays[replay_count++];
    *r = (replay){ .arch = arch, .wave = wave };
    memcpy(r->key, key, sizeof(key));
    return r;
}

/* Prepares the instruction of a replay with its modifiers; the last one is cached. */
static replay *open_replay(lw_arch arch, const char *text, unsigned wave)
{
    const lw_insn *insn;
    lw_mods mods;
    lw_error error = { "" };
    replay *r = find_replay(arch, text, wave);
    if (strcmp(r->text, text) == 0)
        return r;
    lw_mma_free(r->mma);
    snprintf(r->text, sizeof(r->text), "%s", text);
    parse(arch, text, &insn, &mods);
    const bool group = strncmp(text, "wgmma", 5) == 0; /* of four warps, which the key already says */
    const lw_mma_options options = { .struct_size = sizeof(lw_mma_options),
                                     .mods = &mods,
                                     .wave = group ? 0 : wave };
    ck_assert_msg(lw_mma_create(arch, insn, &options, &r->mma, &error) == LW_OK, "%s", error.text);
    ck_assert_int_eq(lw_mma_get_shape(r->mma, &r->shape), LW_OK);
    return r;
}

static void put(void *matrix, size_t n, unsigned bytes, uint64_t code)
{
    memcpy((char *)matrix + n * bytes, &code, bytes);
}

/* Row 0 of A, column 0 of B, C(0, 0); compares D(0, 0). */
static void execute(replay *r, const uint64_t *a, const uint64_t *b, unsigned k, uint64_t c, uint64_t want)
{
    static char am[BYTES], bm[BYTES], cm[BYTES], dm[BYTES];
    const lw_mma_shape *s = &r->shape;
    uint32_t touched;
    uint64_t d = 0;
    memset(am, 0, sizeof(am));
    memset(bm, 0, sizeof(bm));
    memset(cm, 0, sizeof(cm));
    for (unsigned i = 0; i < k; i++) {
        put(am, i, s->a_bytes, a[i]);
        put(bm, (size_t)i * s->n, s->b_bytes, b[i]);
    }
    put(cm, 0, s->c_bytes, c);
    const lw_mma_matrices mat = { .a = am, .b = bm, .c = cm, .d = dm };
    ck_assert_int_eq(lw_mma_execute_matrices(r->mma, &mat, &touched), LW_OK);
    memcpy(&d, dm, s->d_bytes);
    ck_assert_msg(d == want, "%s on %s: %llx here, %llx recorded", r->key, lw_arch_get(r->arch)->name,
                  (unsigned long long)d, (unsigned long long)want);
    r->touched |= touched | 1u << LW_MMA_FINITE;
    r->products = k > r->products ? k : r->products;
    r->results++;
}

static unsigned read_codes(const char *text, uint64_t *codes)
{
    unsigned n = 0;
    for (char *end; *text && *text != '\n'; text = end)
        codes[n++] = strtoull(text, &end, 16);
    return n;
}

static void replay_nvidia(char **field)
{
    static const struct {
        const char *gpu;
        lw_arch arch[2];
    } gpus[] = {
        { "V100", { LW_ARCH_SM_70 } }, { "A100", { LW_ARCH_SM_80 } },
        { "A2", { LW_ARCH_SM_86 } },   { "Ada", { LW_ARCH_SM_89 } },
        { "L40S", { LW_ARCH_SM_89 } }, { "H100", { LW_ARCH_SM_90 } },
        { "H200", { LW_ARCH_SM_90 } }, { "B200", { LW_ARCH_SM_100, LW_ARCH_SM_100A } },
    };
    char insn[128];
    uint64_t a[64], b[64];
    const char *ab = field[1], *cd = field[2];
    if (ab[0] == 'e')
        snprintf(insn, sizeof(insn), "mma.sync.aligned.m16n8k32.row.col.%s.%s.%s.%s", cd, ab, ab, cd);
    else if (strcmp(ab, "f16") == 0)
        snprintf(insn, sizeof(insn), "wmma.mma.sync.aligned.row.col.m16n16k16.%s.%s", cd, cd);
    else
        snprintf(insn, sizeof(insn), "wmma.mma.sync.aligned.row.col.m16n16k%d.f32.%s.%s.f32",
                 strcmp(ab, "tf32") == 0 ? 8 : 16, ab, ab);
    const unsigned k = read_codes(field[4], a);
    ck_assert_uint_eq(read_codes(field[5], b), k);
    size_t targets = 0;
    for (size_t g = 0; g < sizeof(gpus) / sizeof(gpus[0]); g++)
        for (int t = 0; t < 2 && strcmp(gpus[g].gpu, field[0]) == 0; t++)
            if (gpus[g].arch[t]) {
                execute(open_replay(gpus[g].arch[t], insn, 32), a, b, k, strtoull(field[6], NULL, 16),
                        strtoull(field[7], NULL, 16));
                targets++;
            }
    ck_assert_msg(targets != 0, "no such GPU: %s", field[0]);
}

/* In these rows k runs through one lane first: docs/numerics.md. dot2 rows are replayed by
 * num_dot_vectors. */
static void replay_amd(char **field)
{
    enum { K = 16, A = 3, B = A + K, C = B + K };
    char insn[64];
    if (strcmp(field[0], "wmma") != 0)
        return;
    const lw_arch arch = strcmp(field[1], "gfx1100") == 0 ? LW_ARCH_GFX1100 : LW_ARCH_GFX1201;
    snprintf(insn, sizeof(insn), "v_wmma_f32_16x16x16_%s", field[2]);
    for (unsigned wave = 32; wave <= 64; wave += 32) {
        uint64_t a[K], b[K];
        for (unsigned i = 0; i < K; i++) {
            const bool fours = wave == 32 && arch == LW_ARCH_GFX1201;
            const unsigned k = fours ? i % 8 / 4 * 8 + i / 8 * 4 + i % 4 : i;
            a[k] = strtoull(field[A + i], NULL, 16);
            b[k] = strtoull(field[B + i], NULL, 16);
        }
        execute(open_replay(arch, insn, wave), a, b, K, strtoull(field[C], NULL, 16),
                strtoull(field[C + wave / 32], NULL, 16));
    }
}

/* A digest of all of D: whole register images. */
static size_t replay_digests(const char *path)
{
    char line[LINE_SIZE];
    size_t rows = 0;
    FILE *f = fopen(path, "r");
    ck_assert_ptr_nonnull(f);
    while (fgets(line, sizeof(line), f)) {
        digest_case c;
        digest_words w;
        uint32_t d[8 * DIGEST_LANES] = { 0 }, touched;
        if (line[0] == '#' || digest_is_head(line))
            continue;
        ck_assert_msg(digest_parse(line, &c), "%s", line);
        digest_generate(&c, &w);
        replay *r = open_replay(LW_ARCH_GFX1201, c.insn, DIGEST_LANES);
        const lw_mma_registers regs = { .a = w.a, .b = w.b, .c = w.c, .d = d, .index = w.index };
        ck_assert_int_eq(lw_mma_execute_registers(r->mma, &regs, &touched), LW_OK);
        const unsigned count = (unsigned)(r->shape.m * r->shape.n * r->shape.d_bits / 32);
        ck_assert_msg(digest_leading(&c, d, count) == c.want, "%s, sample %u", c.insn, c.sample);
        r->touched |= touched | 1u << LW_MMA_FINITE | 1u << LW_ASPECT_PLACES;
        r->products = r->shape.a_k;
        r->results++;
        rows++;
    }
    fclose(f);
    return rows;
}

/* Column c was recorded but not added; see the head of the file. */
static void replay_wgmma(char **field)
{
    char insn[128];
    uint64_t a[64], b[64];
    snprintf(insn, sizeof(insn), "wgmma.mma_async.sync.aligned.m64n8k32.%s.%s.%s", field[2], field[1],
             field[1]);
    const unsigned k = read_codes(field[4], a);
    ck_assert_uint_eq(read_codes(field[5], b), k);
    execute(open_replay(LW_ARCH_SM_90, insn, 32), a, b, k, 0, strtoull(field[7], NULL, 16));
}

static size_t replay_file(const char *path, void (*one)(char **field))
{
    char line[LINE_SIZE], *field[MAX_FIELDS] = { NULL };
    size_t rows = 0;
    FILE *f = fopen(path, "r");
    ck_assert_ptr_nonnull(f);
    while (fgets(line, sizeof(line), f)) {
        int n = 0;
        char *save = NULL;
        if (line[0] == '#' || line[0] == '\n')
            continue;
        for (char *t = strtok_r(line, ",\n", &save); t && n < MAX_FIELDS; t = strtok_r(NULL, ",\n", &save))
            field[n++] = t;
        one(field);
        rows++;
    }
    fclose(f);
    return rows;
}

static bool answers(const lw_evidence_line *line, const replay *r)
{
    return lw_evidence_sources[line->source].label == LW_LABEL_RECORDED && line->arch == r->arch &&
           (line->waves & (r->wave == 32 ? 1 : 2)) && strcmp(line->insn, r->key) == 0;
}

static void compare_replay(const replay *r)
{
    const lw_evidence_line *line = NULL;
    for (size_t i = 0; i < lw_evidence_line_count; i++)
        if (answers(&lw_evidence_lines[i], r)) {
            ck_assert_msg(!line, "two lines for %s on %s", r->key, lw_arch_get(r->arch)->name);
            line = &lw_evidence_lines[i];
        }
    ck_assert_msg(line, "%zu results of %s on %s have no line", r->results, r->key,
                  lw_arch_get(r->arch)->name);
    ck_assert_msg(!(line->aspects & ~r->touched), "%s claims aspects %x, touched were %x", r->key,
                  line->aspects, r->touched);
    ck_assert_msg(!line->aspects == (r->products < r->shape.a_k), "%s on %s: the data has %u of %u products",
                  r->key, lw_arch_get(r->arch)->name, r->products, r->shape.a_k);
}

START_TEST(lines_and_replays_answer_each_other)
{
    ck_assert_uint_eq(replay_file(LW_SOURCE_DIR "/tests/data/nvidia-mma-rows.csv", replay_nvidia), 8800);
    ck_assert_uint_eq(
        replay_file(LW_SOURCE_DIR "/tests/data/amd_rdna34_dot2_wmma_hw_vectors.csv", replay_amd), 224 + 24);
    ck_assert_uint_eq(replay_file(LW_SOURCE_DIR "/tests/data/nvidia-wgmma-fp8-rows.csv", replay_wgmma), 800);
    ck_assert_uint_eq(replay_digests(LW_SOURCE_DIR "/tests/data/gfx1201_wmma_swmmac_digests.csv"), 1280);
    for (size_t i = 0; i < replay_count; i++)
        compare_replay(&replays[i]);
    for (size_t l = 0; l < lw_evidence_line_count; l++) {
        const lw_evidence_line *line = &lw_evidence_lines[l];
        bool found = lw_evidence_sources[line->source].label != LW_LABEL_RECORDED;
        for (size_t i = 0; i < replay_count; i++)
            found = found || answers(line, &replays[i]);
        ck_assert_msg(found, "nothing replays %s on %s", line->insn, lw_arch_get((lw_arch)line->arch)->name);
    }
    for (size_t i = 0; i < replay_count; i++)
        lw_mma_free(replays[i].mma);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("evidence_replay");
    TCase *tc = tcase_create("replay");
    tcase_add_test(tc, lines_and_replays_answer_each_other);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
