/* SPDX-License-Identifier: MIT */
/* numbers: operands that show something, for eval. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/mma.h>

#include "cli/json.h"
#include "cli/parse.h"
#include "cli/target.h"
#include "explorer/wasm/explorer.h"
#include "explorer/wasm/format.h"

typedef enum number_kind { RANDOM, CANCELLATION, SUBNORMAL, NOT_A_NUMBER, KINDS } number_kind;

static const char *const kind_names[KINDS] = { "random", "cancellation", "subnormal", "nan" };

/* One operand of eval as codes. */
typedef struct operand_codes {
    const char *option, *file;
    number_format format;
    unsigned rows, cols, bytes;
    uint8_t *data; /* blocks x rows x cols codes */
} operand_codes;

typedef enum source { A, B, C, INDEX, SCALE_A, SCALE_B, SOURCES } source;

typedef struct numbers {
    lw_mma *mma;
    lw_mma_shape shape;
    operand_codes of[SOURCES]; /* cols 0: the instruction has none */
    number_kind kind;
    uint64_t state; /* of the generator */
} numbers;

/* xorshift64*: the same numbers everywhere. */
static uint64_t draw(numbers *n, uint64_t below)
{
    n->state ^= n->state >> 12;
    n->state ^= n->state << 25;
    n->state ^= n->state >> 27;
    return (n->state * 0x2545f4914f6cdd1dull >> 33) % below;
}

static size_t place(const operand_codes *o, unsigned block, unsigned row, unsigned col)
{
    return (((size_t)block * o->rows + row) * o->cols + col) * o->bytes;
}

static void set(const operand_codes *o, unsigned block, unsigned row, unsigned col, uint64_t code)
{
    memcpy(o->data + place(o, block, row, col), &code, o->bytes);
}

static uint64_t get(const operand_codes *o, unsigned block, unsigned row, unsigned col)
{
    uint64_t code = 0;
    memcpy(&code, o->data + place(o, block, row, col), o->bytes);
    return code;
}

/* Of magnitude 1/4 to 2; integers of -8 to 7, or as far as the format goes. */
static uint64_t ordinary(numbers *n, const number_format *f)
{
    if (f->integer)
        return format_nearest(f, (double)draw(n, 16) - (f->is_signed ? 8 : 0));
    const uint64_t span = f->two - f->quarter + 1, step = span > UINT32_MAX ? span / UINT32_MAX : 1;
    const uint64_t code = f->quarter + draw(n, span / step) * step;
    return draw(n, 2) ? code | (uint64_t)1 << (f->bits - 1) : code;
}

/* The first of the values that the format has as it is. */
static uint64_t first_exact(const number_format *f, const double *values, int count)
{
    for (int i = 0; i < count - 1; i++)
        if (format_value(f, format_nearest(f, values[i])) == values[i])
            return format_nearest(f, values[i]);
    return format_nearest(f, values[count - 1]);
}

/* Along k: large, small, minus the same large, small; B is 1. The exact sum is that of the small ones. */
static uint64_t cancelling(numbers *n, source s, unsigned row, unsigned col)
{
    static const double large[] = { 16384, 256, 4, 1 }, small[] = { 0x1p-13, 0x1p-6, 0.5, 1 };
    const number_format *f = &n->of[s].format;
    if (s != A)
        return format_nearest(f, s == B ? 1 : 0);
    const double sign = (col + row) % 4 == 2 ? -1 : 1;
    const uint64_t code = (col + row) % 2 ? first_exact(f, small, 4) : first_exact(f, large, 4);
    return sign < 0 ? format_nearest(f, -format_value(f, code)) : code;
}

static uint64_t number(numbers *n, source s, unsigned row, unsigned col)
{
    const number_format *f = &n->of[s].format;
    if (n->kind == CANCELLATION)
        return cancelling(n, s, row, col);
    if (n->kind == SUBNORMAL && s != B && !f->integer)
        return 1 + draw(n, 3);
    if (n->kind == NOT_A_NUMBER && s == A && col == 0 && row % 4 != 3)
        return row % 4 == 0 ? f->nan : row % 4 == 1 ? f->inf : ordinary(n, f);
    if (n->kind == NOT_A_NUMBER && s == B && row == 0 && col % 2)
        return 0;
    return ordinary(n, f);
}

/* Two kept positions in ascending order, as PTX and AMD define them; PTX's tf32 keeps one of two. */
static uint64_t kept_positions(numbers *n)
{
    static const uint8_t of_four[] = { 0x4, 0x8, 0xc, 0x9, 0xd, 0xe };
    if (n->shape.groups * 2u == n->shape.k)
        return draw(n, 2) ? 0xe : 0x4;
    return of_four[draw(n, sizeof(of_four))];
}

static uint64_t scale(numbers *n, source s)
{
    const number_format *f = &n->of[s].format;
    static const double values[] = { 0.5, 1, 2, 4 };
    return n->kind == RANDOM ? format_nearest(f, values[draw(n, 4)]) : format_nearest(f, 1);
}

static void fill(numbers *n, source s)
{
    const operand_codes *o = &n->of[s];
    for (unsigned b = 0; b < n->shape.blocks; b++)
        for (unsigned r = 0; r < o->rows; r++)
            for (unsigned c = 0; c < o->cols; c++)
                set(o, b, r, c,
                    s == INDEX  ? kept_positions(n)
                    : s > INDEX ? scale(n, s)
                                : number(n, s, r, c));
}

static bool open_operand(numbers *n, source s, const char *format, unsigned bits, unsigned rows,
                         unsigned cols, unsigned bytes)
{
    static const char *const options[SOURCES] = { "a", "b", "c", "index", "scale-a", "scale-b" };
    static const char *const kept[SOURCES] = { "a.npy",     "b.npy",       "c.npy",
                                               "index.npy", "scale_a.npy", "scale_b.npy" };
    operand_codes *o = &n->of[s];
    *o = (operand_codes){ .option = options[s], .file = kept[s], .rows = rows, .cols = cols, .bytes = bytes };
    if (!cols)
        return true;
    o->data = cli_alloc((size_t)n->shape.blocks * rows * cols * bytes);
    return s == INDEX || format_open(format, bits, &o->format);
}

/* Instructions name the formats of scales in their own words. */
static const char *scale_format(const lw_insn_info *info, lw_operand operand)
{
    const char *name = info->operand[operand].present ? info->operand[operand].format : "";
    return strcmp(name, "ue8m0") == 0 ? "e8m0" : strcmp(name, "e4m3") == 0 ? "ue4m3" : name;
}

static bool open_operands(numbers *n, const lw_insn_info *info)
{
    const lw_mma_shape *s = &n->shape;
    const char *scale_a = scale_format(info, LW_OPERAND_SCALE_A);
    const char *scale_b = scale_format(info, LW_OPERAND_SCALE_B);
    return open_operand(n, A, s->a_format, s->a_bits, s->m, s->a_k, s->a_bytes) &&
           open_operand(n, B, s->b_format, s->b_bits, s->k, s->n, s->b_bytes) &&
           open_operand(n, C, s->c_format, s->c_bits, s->m, s->n, s->c_bytes) &&
           open_operand(n, INDEX, "index", 4, s->m, s->groups, 1) &&
           open_operand(n, SCALE_A, scale_a, 8, s->m, s->scale_k, 1) &&
           open_operand(n, SCALE_B, scale_b, 8, s->n, s->scale_k, 1);
}

/* One number of a list; the list's word is cut at its comma. */
static int take(const cli_call *call, const char *option, const number_format *format, char *word,
                uint64_t *code)
{
    while (*word == ' ')
        word++;
    word[strcspn(word, " ")] = '\0';
    if (format_read(format, word, code))
        return CLI_FINE;
    return cli_fail(call, CLI_USAGE, "--%s: '%s' is no %s: needs numbers such as 1.5, nan, or codes as 0x3c",
                    option, word, format->name);
}

/* The numbers of `option` go along a row (B: a column) of the operand, as many as there are. */
static int read_list(const cli_call *call, const char *option, const operand_codes *o, const uint64_t at[3],
                     bool down)
{
    const char *text = cli_value(call, option);
    const unsigned length = down ? o->rows : o->cols;
    int exit = CLI_FINE;
    if (!text || !*text)
        return CLI_FINE;
    char *copy = cli_copy(text, strlen(text)), *word = copy;
    for (unsigned i = 0; word && exit == CLI_FINE; i++) {
        uint64_t code = 0;
        char *comma = strchr(word, ',');
        if (comma)
            *comma = '\0';
        exit = i < length ? take(call, option, &o->format, word, &code)
                          : cli_fail(call, CLI_USAGE, "--%s: more than %u numbers", option, length);
        if (exit == CLI_FINE)
            set(o, (unsigned)at[2], down ? i : (unsigned)at[0], down ? (unsigned)at[1] : i, code);
        word = comma ? comma + 1 : NULL;
    }
    free(copy);
    return exit;
}

static int read_c(const cli_call *call, const operand_codes *o, const uint64_t at[3])
{
    uint64_t code = 0;
    const char *text = cli_value(call, "c");
    if (!text || !*text)
        return CLI_FINE;
    char *copy = cli_copy(text, strlen(text));
    const int exit = take(call, "c", &o->format, copy, &code);
    free(copy);
    if (exit == CLI_FINE)
        set(o, (unsigned)at[2], (unsigned)at[0], (unsigned)at[1], code);
    return exit;
}

static void write_number(cli_json *json, const char *key, const operand_codes *o, uint64_t code)
{
    char text[64] = "";
    lw_mma_decode(o->format.name, code, text, sizeof(text));
    json_open(json, key, '{');
    json_hex(json, "code", code, (o->format.bits + 3) / 4);
    json_string(json, "text", text);
    json_close(json, '}');
}

static void write_vectors(cli_json *json, const numbers *n, const uint64_t at[3])
{
    const unsigned row = (unsigned)at[0], col = (unsigned)at[1], block = (unsigned)at[2];
    json_open(json, "row", '[');
    for (unsigned k = 0; k < n->of[A].cols; k++)
        write_number(json, NULL, &n->of[A], get(&n->of[A], block, row, k));
    json_close(json, ']');
    json_open(json, "column", '[');
    for (unsigned k = 0; k < n->of[B].rows; k++)
        write_number(json, NULL, &n->of[B], get(&n->of[B], block, k, col));
    json_close(json, ']');
    write_number(json, "c", &n->of[C], get(&n->of[C], block, row, col));
}

/* Keeps the arrays as files, and says which. */
static void write_arrays(cli_json *json, const numbers *n)
{
    static const lw_dtype types[] = {
        [1] = LW_DTYPE_U1, [2] = LW_DTYPE_U2, [4] = LW_DTYPE_U4, [8] = LW_DTYPE_U8
    };
    const unsigned lead = n->shape.blocks > 1;
    json_open(json, "arrays", '[');
    for (int s = 0; s < SOURCES; s++) {
        const operand_codes *o = &n->of[s];
        if (!o->cols)
            continue;
        lw_npy array = { .dtype = types[o->bytes], .dims = 2 + lead, .data = o->data };
        array.shape[0] = n->shape.blocks;
        array.shape[lead] = o->rows;
        array.shape[lead + 1] = o->cols;
        explorer_keep(o->file, &array);
        json_open(json, NULL, '{');
        json_string(json, "option", o->option);
        json_string(json, "file", o->file);
        json_string(json, "format", s == INDEX ? "index" : o->format.name);
        json_uint(json, "rows", o->rows);
        json_uint(json, "cols", o->cols);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static int read_kind(const cli_call *call, numbers *n)
{
    const char *kind = cli_value(call, "kind"), *seed = cli_value(call, "seed");
    uint64_t number = 1;
    for (n->kind = RANDOM; kind && n->kind < KINDS && strcmp(kind, kind_names[n->kind]) != 0;)
        n->kind++;
    if (n->kind == KINDS)
        return cli_fail(call, CLI_USAGE, "--kind %s: must be random, cancellation, subnormal or nan", kind);
    if (seed && !parse_u64(seed, &number))
        return cli_fail(call, CLI_USAGE, "--seed %s: not a number", seed);
    n->state = (number + 1) * 0x9e3779b97f4a7c15ull;
    n->state = n->state ? n->state : 1; /* zeros would stay zeros */
    return CLI_FINE;
}

static int read_at(const cli_call *call, const lw_mma_shape *s, uint64_t at[3])
{
    size_t count = 0;
    const char *text = cli_value(call, "at");
    at[0] = at[1] = at[2] = 0;
    if (!text)
        return CLI_FINE;
    if (!parse_numbers(text, 0, 3, at, &count) || count < 2 || at[0] >= s->m || at[1] >= s->n ||
        at[2] >= s->blocks)
        return cli_fail(call, CLI_USAGE, "--at %s: D has %u rows, %u columns and %u blocks", text, s->m, s->n,
                        s->blocks);
    return CLI_FINE;
}

static int answer(const cli_call *call, numbers *n)
{
    uint64_t at[3];
    cli_json json = { .out = stdout };
    int exit = read_kind(call, n);
    if (exit == CLI_FINE)
        exit = read_at(call, &n->shape, at);
    if (exit != CLI_FINE)
        return exit;
    for (int s = 0; s < SOURCES; s++)
        if (n->of[s].cols)
            fill(n, (source)s);
    exit = read_list(call, "row", &n->of[A], at, false);
    if (exit == CLI_FINE)
        exit = read_list(call, "column", &n->of[B], at, true);
    if (exit == CLI_FINE)
        exit = read_c(call, &n->of[C], at);
    if (exit != CLI_FINE)
        return exit;
    json_open(&json, NULL, '{');
    json_string(&json, "kind", kind_names[n->kind]);
    write_arrays(&json, n);
    write_vectors(&json, n, at);
    json_close(&json, '}');
    return CLI_FINE;
}

static int run_numbers(const cli_call *call)
{
    lw_arch arch;
    const lw_insn *insn;
    lw_insn_info info;
    lw_mods mods;
    numbers n = { .mma = NULL };
    lw_error error = { "" };
    int exit = target_insn(call, &arch, &insn);
    if (exit == CLI_FINE)
        exit = target_mods(call, arch, insn, &mods);
    if (exit != CLI_FINE)
        return exit;
    const lw_mma_options options = { .struct_size = sizeof(options), .mods = &mods };
    lw_status status = lw_insn_get_info(arch, insn, &info);
    for (int o = LW_OPERAND_SCALE_A; status == LW_OK && o <= LW_OPERAND_SCALE_B; o++)
        if (info.operand[o].present)
            status = lw_insn_operand(arch, insn, (lw_operand)o, &mods, &info.operand[o], &error);
    if (status == LW_OK)
        status = lw_mma_create(arch, insn, &options, &n.mma, &error);
    if (status == LW_OK)
        status = lw_mma_get_shape(n.mma, &n.shape);
    if (status != LW_OK)
        exit = cli_fail_status(call, NULL, status, &error);
    else if (!open_operands(&n, &info))
        exit = cli_fail(call, CLI_FAULT, "the page has no numbers for the operands of %s", call->operands[0]);
    else
        exit = answer(call, &n);
    for (int s = 0; s < SOURCES; s++)
        free(n.of[s].data);
    lw_mma_free(n.mma);
    return exit;
}

static const cli_option options[] = {
    CLI_OPTION_ARCH,
    { .name = "mod",
      .value = "NAME:VALUE",
      .repeats = true,
      .help = "a modifier in the assembler's spelling" },
    { .name = "wave", .value = "32|64", .help = "lanes of the wave" },
    { .name = "kind", .value = "KIND", .help = "random, cancellation, subnormal, nan" },
    { .name = "seed", .value = "N", .help = "of the random numbers" },
    { .name = "at",
      .value = "ROW,COL[,BLOCK]",
      .help = "the element of D whose sources are given and shown" },
    { .name = "row", .value = "NUMBERS", .help = "its row of A" },
    { .name = "column", .value = "NUMBERS", .help = "its column of B" },
    { .name = "c", .value = "NUMBER", .help = "its element of C" },
};

const cli_verb explorer_verb_numbers = {
    .name = "numbers",
    .usage = "INSN --arch ARCH --kind KIND",
    .summary = "operands for eval",
    .text = "",
    .options = options,
    .option_count = CLI_COUNT(options),
    .run = run_numbers,
};
