/* SPDX-License-Identifier: MIT */
/* Instructions that work lane by lane, and functions of one value over all its codes. */
#include <stdlib.h>
#include <string.h>

#include "cli/gpu/subject.h"
#include "cli/gpu/values.h"

enum { WARP = 32 };

/* A row of PTX instructions; the functions have one source. */
static const struct ptx_row {
    const char *spellings, *result, *source[SUBJECT_SOURCES];
} lanes_rows[] = {
#define LANES(spellings, result, ...) { spellings, result, { __VA_ARGS__ } },
#include "cli/gpu/lanes_ptx.inc"
#undef LANES
}, inputs_rows[] = {
#define INPUTS(spellings, result, ...) { spellings, result, { __VA_ARGS__ } },
#include "cli/gpu/inputs_ptx.inc"
#undef INPUTS
};

/* AMD's functions of one value; encodings add a suffix. */
static const char *const amd_functions[] = {
    "v_exp_f32", "v_log_f32",  "v_rcp_f32",  "v_rcp_iflag_f32", "v_rsq_f32",     "v_sqrt_f32", "v_sin_f32",
    "v_cos_f32", "v_exp_f16",  "v_log_f16",  "v_rcp_f16",       "v_rsq_f16",     "v_sqrt_f16", "v_sin_f16",
    "v_cos_f16", "v_tanh_f32", "v_tanh_f16", "v_cvt_f16_f32",   "v_cvt_f32_f16",
};

typedef struct table {
    const struct ptx_row *rows;
    size_t count;
    bool functions;
} table;

static const table lanes_table = { lanes_rows, CLI_COUNT(lanes_rows), false };
static const table inputs_table = { inputs_rows, CLI_COUNT(inputs_rows), true };

/* A register's bits for a type of PTX. */
static unsigned bits_of(const char *type)
{
    static const struct {
        const char *type;
        unsigned bits;
    } types[] = { { "f16", 16 }, { "bf16", 16 },   { "u16", 16 },   { "e4m3x2", 16 },
                  { "f64", 64 }, { "u64", 64 },    { "f16x2", 32 }, { "f32", 32 },
                  { "u32", 32 }, { "bf16x2", 32 }, { "pred", 32 } };
    for (size_t i = 0; type && i < CLI_COUNT(types); i++)
        if (strcmp(types[i].type, type) == 0)
            return types[i].bits;
    return 0;
}

unsigned lane_words(const lane_operand *o)
{
    return (o->bits + 31) / 32;
}

static bool is_nvidia(lw_arch arch)
{
    return strcmp(lw_arch_get(arch)->vendor, "NVIDIA") == 0;
}

/* ---- Names of PTX ---- */

/* Calls `visit` with each combination of the alternatives in braces. */
static int expand(const char *text, subject_visit *visit, void *context)
{
    const char *open = strchr(text, '{'), *close = open ? strchr(open, '}') : NULL;
    int exit = 0;
    if (!close)
        return visit(context, text);
    for (const char *at = open + 1; at <= close && !exit; at++) {
        char other[256];
        const size_t length = strcspn(at, ",}");
        snprintf(other, sizeof(other), "%.*s%.*s%s", (int)(open - text), text, (int)length, at, close + 1);
        exit = expand(other, visit, context);
        at += length;
    }
    return exit;
}

/* Looking for the row of a name. */
static int is_name(void *context, const char *name)
{
    return strcmp(context, name) == 0;
}

static const struct ptx_row *row_of(const table *t, const char *name)
{
    char copy[SUBJECT_NAME];
    snprintf(copy, sizeof(copy), "%s", name);
    for (size_t i = 0; i < t->count; i++)
        if (expand(t->rows[i].spellings, is_name, copy))
            return &t->rows[i];
    return NULL;
}

static void size_words(subject *s)
{
    s->in_words = 0;
    for (unsigned i = 0; i < SUBJECT_SOURCES; i++)
        s->in_words += (size_t)lane_words(&s->source[i]) * s->lanes;
    s->out_words = (size_t)lane_words(&s->result) * s->lanes;
}

static bool open_ptx(subject *s, const struct ptx_row *row, lw_error *error)
{
    s->lanes = WARP;
    s->result = (lane_operand){ row->result, bits_of(row->result) };
    for (unsigned i = 0; i < SUBJECT_SOURCES; i++)
        s->source[i] = (lane_operand){ row->source[i], bits_of(row->source[i]) };
    size_words(s);
    s->per_group = s->group->open == functions_open ? SUBJECT_PER_GROUP : 1;
    return code_ptx_lanes(s, s->name, error);
}

/* Those spellings of a row that the target has. */
typedef struct filter {
    lw_arch arch;
    const subject_group *group;
    subject_visit *visit;
    void *context;
} filter;

static int visit_if_known(void *context, const char *name)
{
    const filter *f = context;
    subject s;
    lw_error error;
    const bool known = subject_open(f->group, name, f->arch, &s, &error) &&
                       !*lw_program_kernel_at(s.program, 0)->unsupported;
    subject_close(&s);
    return known ? f->visit(f->context, name) : 0;
}

static int each_ptx(const table *t, const char *group, lw_arch arch, subject_visit *visit, void *context)
{
    filter f = { arch, subject_group_find(group), visit, context };
    int exit = 0;
    for (size_t i = 0; i < t->count && !exit; i++)
        exit = expand(t->rows[i].spellings, visit_if_known, &f);
    return exit;
}

/* ---- Names of AMD ---- */

static bool is_function(const char *mnemonic)
{
    for (size_t i = 0; i < CLI_COUNT(amd_functions); i++) {
        const size_t length = strlen(amd_functions[i]);
        if (strncmp(mnemonic, amd_functions[i], length) == 0 &&
            (!mnemonic[length] || strcmp(mnemonic + length, "_e64") == 0))
            return true;
    }
    return false;
}

static int each_amd(bool functions, lw_arch arch, subject_visit *visit, void *context)
{
    int exit = 0;
    size_t count;
    const amd_lane_op *op = amd_lane_ops(arch, &count);
    for (size_t i = 0; i < count && !exit; i++)
        if (is_function(op[i].mnemonic) == functions)
            exit = visit(context, op[i].mnemonic);
    return exit;
}

static bool open_amd(subject *s, lw_error *error)
{
    size_t count, i = 0;
    const amd_lane_op *op = amd_lane_ops(s->arch, &count);
    while (i < count && strcmp(op[i].mnemonic, s->name) != 0)
        i++;
    if (i == count)
        return subject_fail(error, "%s has no such instruction by lane", lw_arch_get(s->arch)->name);
    s->lanes = strncmp(lw_arch_get(s->arch)->name, "gfx9", 4) == 0 ? 2 * WARP : WARP;
    s->result.bits = op[i].result_bits;
    for (unsigned n = 0; n < SUBJECT_SOURCES; n++)
        s->source[n].bits = op[i].source_bits[n];
    size_words(s);
    s->per_group = s->group->open == functions_open ? SUBJECT_PER_GROUP : 1;
    return code_amd_lanes(s, op[i].words, error);
}

/* ---- Subjects ---- */

int lanes_each(lw_arch arch, subject_visit *visit, void *context)
{
    return is_nvidia(arch) ? each_ptx(&lanes_table, "lanes", arch, visit, context)
                           : each_amd(false, arch, visit, context);
}

int functions_each(lw_arch arch, subject_visit *visit, void *context)
{
    return is_nvidia(arch) ? each_ptx(&inputs_table, "inputs", arch, visit, context)
                           : each_amd(true, arch, visit, context);
}

static bool open_from(subject *s, const table *t, lw_error *error)
{
    const struct ptx_row *row = is_nvidia(s->arch) ? row_of(t, s->name) : NULL;
    if (!is_nvidia(s->arch))
        return open_amd(s, error);
    return row ? open_ptx(s, row, error) : subject_fail(error, "there is no such instruction in the table");
}

bool lanes_open(subject *s, lw_error *error)
{
    return open_from(s, &lanes_table, error);
}

/* AMD's registers have 32 bits, of which a function of f16 reads 16. */
bool functions_open(subject *s, lw_error *error)
{
    const size_t length = strlen(s->name) - (strstr(s->name, "_e64") ? 4 : 0);
    if (!open_from(s, &inputs_table, error))
        return false;
    const bool half = is_nvidia(s->arch) ? s->source[0].bits == 16
                                         : length > 4 && strncmp(s->name + length - 4, "_f16", 4) == 0;
    s->inputs = half ? UINT64_C(1) << 16 : UINT64_C(1) << 32;
    return true;
}

void lanes_fill(subject *s, uint64_t seed, uint64_t number, uint32_t *in)
{
    uint64_t state = values_state(seed, s->name, number);
    for (unsigned i = 0; i < SUBJECT_SOURCES && s->source[i].bits; i++) {
        const unsigned words = lane_words(&s->source[i]);
        for (unsigned lane = 0; lane < s->lanes; lane++) {
            const uint64_t value = values_lane(s->source[i].type, s->source[i].bits, number, &state);
            for (unsigned w = 0; w < words; w++)
                in[(size_t)w * s->lanes + lane] = (uint32_t)(value >> 32 * w);
        }
        in += (size_t)words * s->lanes;
    }
}

/* An odd factor visits each input once when all are visited, and spreads the first ones. */
void functions_fill(subject *s, uint64_t seed, uint64_t number, uint32_t *in)
{
    static const uint32_t spread = 0x9e3779b1;
    (void)seed;
    for (unsigned lane = 0; lane < s->lanes; lane++)
        in[lane] = (uint32_t)((number * s->lanes + lane) * spread & (s->inputs - 1));
}

void lanes_explain(subject *s, const uint32_t *in, const uint32_t *got, const uint32_t *want, size_t word,
                   FILE *out)
{
    const size_t lane = word % s->lanes;
    fprintf(out, "    lane %zu:", lane);
    for (unsigned i = 0; i < SUBJECT_SOURCES && s->source[i].bits; i++) {
        fputs(i ? ", " : " ", out);
        for (unsigned w = lane_words(&s->source[i]); w-- > 0;)
            fprintf(out, "%08x", in[(size_t)w * s->lanes + lane]);
        in += (size_t)lane_words(&s->source[i]) * s->lanes;
    }
    fputs(" gives ", out);
    for (unsigned w = lane_words(&s->result); w-- > 0;)
        fprintf(out, "%08x", got[(size_t)w * s->lanes + lane]);
    fputs(" there, ", out);
    for (unsigned w = lane_words(&s->result); w-- > 0;)
        fprintf(out, "%08x", want[(size_t)w * s->lanes + lane]);
    fputs(" here\n", out);
}
