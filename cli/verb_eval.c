/* SPDX-License-Identifier: MIT */
/* lanewise eval: the bits one matrix instruction computes from matrices in files. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/arg.h"
#include "cli/eval.h"
#include "cli/eval_move.h"
#include "cli/output.h"
#include "cli/parse.h"

static int read_mode(const cli_call *call, uint32_t *mode)
{
    static const struct {
        const char *name;
        uint32_t bit;
    } modes[] = {
        { "fp16_ovfl", LW_MMA_MODE_FP16_OVFL },
        { "f32_flush_in", LW_MMA_MODE_F32_FLUSH_IN },
        { "f32_flush_out", LW_MMA_MODE_F32_FLUSH_OUT },
    };
    const char *text;
    *mode = 0;
    for (size_t at = 0; (text = cli_next_value(call, "mode", &at)) != NULL;) {
        size_t i = 0;
        while (i < CLI_COUNT(modes) && strcmp(modes[i].name, text) != 0)
            i++;
        if (i == CLI_COUNT(modes))
            return cli_fail(call, CLI_USAGE, "--mode %s: must be fp16_ovfl, f32_flush_in or f32_flush_out",
                            text);
        *mode |= modes[i].bit;
    }
    return CLI_FINE;
}

static int read_element(const cli_call *call, const lw_mma_shape *shape, uint64_t element[3])
{
    const char *text = cli_value(call, "explain");
    size_t count;
    element[2] = 0;
    if (!text)
        return CLI_FINE;
    if (!parse_numbers(text, 0, 3, element, &count) || count < 2)
        return cli_fail(call, CLI_USAGE, "--explain %s: needs ROW,COL or ROW,COL,BLOCK as in --explain 3,5",
                        text);
    if (element[0] >= shape->m || element[1] >= shape->n || element[2] >= shape->blocks)
        return cli_fail(call, CLI_USAGE,
                        "--explain %s: D has rows 0 to %u, columns 0 to %u and blocks 0 to %u", text,
                        shape->m - 1u, shape->n - 1u, shape->blocks - 1u);
    return CLI_FINE;
}

static lw_status print_step(void *context, const lw_mma_explain_row *row)
{
    (void)context;
    if (row->kind == LW_MMA_EXPLAIN_ALIGN)
        fputs("    ", stdout);
    else if (row->kind != LW_MMA_EXPLAIN_RESULT)
        fputs("  ", stdout);
    puts(row->text);
    return LW_OK;
}

static lw_status write_step(void *context, const lw_mma_explain_row *row)
{
    static const char *const kinds[] = { "input", "scale",   "product", "align", "sum",
                                         "round", "special", "result",  "head" };
    cli_json *json = context;
    json_open(json, NULL, '{');
    json_string(json, "kind", (size_t)row->kind < CLI_COUNT(kinds) ? kinds[row->kind] : "other");
    json_int(json, "group", row->group);
    json_int(json, "k", row->k);
    if (row->stored_k >= 0)
        json_int(json, "stored_k", row->stored_k);
    json_hex(json, "bits", row->bits, 1);
    json_string(json, "text", row->text);
    json_close(json, '}');
    return LW_OK;
}

static int explain(const cli_call *call, const eval_job *job, const uint64_t element[3], cli_json *json)
{
    if (json)
        json_open(json, "explain", '[');
    else
        printf("D[%" PRIu64 ",%" PRIu64 "]\n", element[0], element[1]);
    const lw_status status =
        lw_mma_explain_matrices(job->mma, &job->matrices, (unsigned)element[2], (unsigned)element[0],
                                (unsigned)element[1], json ? write_step : print_step, json);
    if (json)
        json_close(json, ']');
    return status == LW_OK ? CLI_FINE : cli_fail_status(call, "--explain", status, NULL);
}

static uint64_t d_code(const eval_job *job, size_t index)
{
    uint64_t code = 0;
    memcpy(&code, (const char *)job->d.data + index * job->shape.d_bytes, job->shape.d_bytes);
    return code;
}

enum { NUMBER_ROOM = 64 };

/* The shortest decimal that the host reads back as the same number; text other than a hexadecimal float is
 * kept. */
static void to_decimal(const char *format, char text[NUMBER_ROOM])
{
    const bool wide = strcmp(format, "f64") == 0;
    const double value = strtod(text, NULL);
    if (!strstr(text, "0x") || !strchr(text, 'p'))
        return;
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, NUMBER_ROOM, "%.*g", digits, value);
        if (wide ? strtod(text, NULL) == value : (double)strtof(text, NULL) == value)
            return;
    }
}

static void number_text(const eval_job *job, size_t index, bool decimal, char text[NUMBER_ROOM])
{
    if (lw_mma_decode(job->shape.d_format, d_code(job, index), text, NUMBER_ROOM) != LW_OK)
        snprintf(text, NUMBER_ROOM, "0x%" PRIx64, d_code(job, index));
    else if (decimal)
        to_decimal(job->shape.d_format, text);
}

/* D as numbers, one row per line, columns aligned; empty lines separate blocks. */
static void print_matrix(const eval_job *job, bool decimal)
{
    const size_t n = job->shape.n, rows = (size_t)job->shape.m * job->shape.blocks;
    int *width = cli_alloc(n * sizeof(*width));
    char text[NUMBER_ROOM];
    for (size_t i = 0; i < rows * n; i++) {
        number_text(job, i, decimal, text);
        if ((int)strlen(text) > width[i % n])
            width[i % n] = (int)strlen(text);
    }
    for (size_t r = 0; r < rows; r++) {
        if (r && r % job->shape.m == 0)
            putchar('\n');
        for (size_t j = 0; j < n; j++) {
            number_text(job, r * n + j, decimal, text);
            printf("%s%*s", j ? " " : "", width[j], text);
        }
        putchar('\n');
    }
    free(width);
}

static void write_matrix(const eval_job *job, cli_json *json)
{
    const size_t count = (size_t)job->shape.m * job->shape.n * job->shape.blocks;
    json_string(json, "format", job->shape.d_format);
    json_open(json, "shape", '[');
    for (unsigned i = 0; i < job->d.dims; i++)
        json_uint(json, NULL, job->d.shape[i]);
    json_close(json, ']');
    json_open(json, "d", '[');
    for (size_t i = 0; i < count; i++)
        json_hex(json, NULL, d_code(job, i), job->shape.d_bytes * 2u);
    json_close(json, ']');
}

/* The weakest label of the aspects touched and of the readings that decide these numbers. */
static lw_label weakest(const eval_job *job)
{
    lw_label label = lw_mma_weakest(job->mma, job->touched);
    const lw_reading *c;
    for (size_t i = 0; (c = lw_mma_open_at(job->mma, job->open, i)) != NULL; i++)
        label = c->label > label ? c->label : label;
    return label;
}

/* Open questions for which another reading gives other bits here, whatever the labels say. */
static void report_open(const eval_job *job, cli_json *json)
{
    const lw_reading *c;
    if (json)
        json_open(json, "open", '[');
    for (size_t i = 0; (c = lw_mma_open_at(job->mma, job->open, i)) != NULL; i++) {
        if (!json) {
            printf("open: %s decides these numbers; read as %s:%s (%s), another reading gives other bits\n",
                   c->topic, c->topic, c->name, lw_label_name(c->label));
            continue;
        }
        json_open(json, NULL, '{');
        json_string(json, "topic", c->topic);
        json_string(json, "name", c->name);
        json_string(json, "label", lw_label_name(c->label));
        json_close(json, '}');
    }
    if (json)
        json_close(json, ']');
}

/* The aspects that these numbers touched, and the weakest label among them. */
static void report_evidence(const eval_job *job, cli_json *json)
{
    if (json) {
        json_string(json, "weakest", lw_label_name(weakest(job)));
        json_open(json, "evidence", '[');
    }
    for (int a = 0; a < LW_MMA_ASPECT_COUNT; a++) {
        lw_mma_evidence evidence;
        if (!(job->touched >> a & 1) && a != LW_MMA_FINITE)
            continue;
        if (lw_mma_get_evidence(job->mma, (lw_mma_aspect)a, &evidence) != LW_OK)
            continue;
        if (!json) {
            printf("evidence, %s: %s (%s)\n", lw_mma_aspect_name((lw_mma_aspect)a),
                   lw_label_name(evidence.label), evidence.source);
            continue;
        }
        json_open(json, NULL, '{');
        json_string(json, "aspect", lw_mma_aspect_name((lw_mma_aspect)a));
        json_string(json, "label", lw_label_name(evidence.label));
        json_string(json, "source", evidence.source);
        json_close(json, '}');
    }
    if (json)
        json_close(json, ']');
}

/* The readings on which these numbers depend. */
static void report_readings(const eval_job *job, cli_json *json)
{
    const lw_reading *c;
    const char *topic = "";
    if (json)
        json_open(json, "readings", '[');
    for (size_t i = 0; (c = lw_reading_at(i)) != NULL; i++) {
        const lw_reading *used = strcmp(c->topic, topic) == 0 ? NULL : lw_mma_get_reading(job->mma, c->topic);
        topic = c->topic;
        if (!used || !((job->touched | 1u << LW_MMA_FINITE) & used->aspects))
            continue;
        if (!json) {
            printf("reading: %s:%s%s\n", used->topic, used->name, used->is_default ? " (the default)" : "");
            continue;
        }
        json_open(json, NULL, '{');
        json_string(json, "topic", used->topic);
        json_string(json, "name", used->name);
        json_close(json, '}');
    }
    if (json)
        json_close(json, ']');
}

static int report(const cli_call *call, const eval_job *job, const uint64_t element[3], cli_json *json)
{
    const char *out = cli_value(call, "output");
    if (json)
        json_open(json, NULL, '{');
    if (cli_has(call, "explain")) {
        const int exit = explain(call, job, element, json);
        if (exit != CLI_FINE)
            return exit;
    } else if (json && !out) {
        write_matrix(job, json);
    } else if (!out && !job->expect_path) {
        print_matrix(job, cli_has(call, "decimal"));
    }
    if (json)
        json_string(json, "output", out);
    else if (out)
        printf("wrote %s\n", out);
    int exit = CLI_FINE;
    if (job->expect_path) {
        if (json)
            json_open(json, "expect", '[');
        exit = expect_report(job->expect_path, job->d_type, &job->d, &job->expected, &job->limits, json);
        if (json)
            json_close(json, ']');
    }
    report_evidence(job, json);
    report_open(job, json);
    report_readings(job, json);
    if (json) {
        json_int(json, "status", exit);
        json_close(json, '}');
    }
    return exit;
}

static int execute(const cli_call *call, eval_job *job)
{
    const char *out = cli_value(call, "output");
    lw_mma_open_matrices(job->mma, &job->matrices, &job->open);
    const lw_status status = lw_mma_execute_matrices(job->mma, &job->matrices, &job->touched);
    if (status != LW_OK) {
        lw_error error = { "" };
        lw_mma_check_matrices(job->mma, &job->matrices, &error);
        return cli_fail_status(call, error.text[0] ? NULL : call->operands[0], status, &error);
    }
    const output_file file = { .path = out, .array = &job->d };
    return out ? output_write(call, &file, 1) : CLI_FINE;
}

static int eval_matrices(const cli_call *call, lw_arch arch, const lw_insn *insn)
{
    eval_job job;
    uint64_t element[3] = { 0 };
    cli_json json = { .out = stdout };
    const char *out = cli_value(call, "output");
    const bool prints =
        !out && !cli_has(call, "json") && !cli_has(call, "explain") && !cli_has(call, "expect");
    if (cli_has(call, "decimal") && !prints)
        return cli_fail(call, CLI_USAGE, "--decimal has no effect: D is not printed");
    int exit = eval_job_read(call, arch, insn, &job);
    if (exit == CLI_FINE && out)
        exit = eval_check_output(call, out);
    if (exit == CLI_FINE)
        exit = read_mode(call, &job.matrices.mode);
    if (exit == CLI_FINE)
        exit = read_element(call, &job.shape, element);
    if (exit == CLI_FINE)
        exit = execute(call, &job);
    if (exit == CLI_FINE)
        exit = report(call, &job, element, cli_has(call, "json") ? &json : NULL);
    eval_job_free(&job);
    return exit;
}

static int run_eval(const cli_call *call)
{
    lw_arch arch;
    const lw_insn *insn;
    lw_insn_info info;
    int exit = target_insn(call, &arch, &insn);
    if (exit != CLI_FINE)
        return exit;
    if (lw_insn_get_info(arch, insn, &info) == LW_OK && info.moves)
        return eval_move(call, arch, insn);
    exit = eval_move_refuse(call);
    return exit == CLI_FINE ? eval_matrices(call, arch, insn) : exit;
}

static const cli_option options[] = {
    CLI_OPTION_ARCH,
    { .name = "a", .value = "A.npy", .help = "A, m x k (sparse forms: m x k/2, the stored k)" },
    { .name = "b", .value = "B.npy", .help = "B, k x n" },
    { .name = "c", .value = "C.npy", .help = "C, m x n; zeros when absent" },
    { .name = "index",
      .value = "I.npy",
      .help = "sparse forms: u8, m x k/4, four bits for each group of four k" },
    { .name = "scale-a",
      .value = "S.npy",
      .help = "scaled forms: codes, m x (k/32, or as many as 'info' says);\n1.0 when absent" },
    { .name = "scale-b", .value = "S.npy", .help = "scaled forms: codes, n x (k/32 ...); 1.0 when absent" },
    { .name = "memory",
      .value = "M.npy",
      .help = "ldmatrix and similar instructions: an array whose bytes are the\nmemory" },
    { .name = "registers",
      .value = "R.npy",
      .help = "stmatrix, wmma.store, movmatrix: uint32, registers x 32 lanes" },
    { .name = "address",
      .value = "LIST",
      .help = "each lane's address: byte offsets from the start of the memory,\nseparated by commas, or "
              "FIRST+STEP; default 0+16, for wmma 0" },
    { .name = "stride",
      .value = "N",
      .help = "wmma.load, wmma.store: elements from row to row; default: the\nlength of a row" },
    { .name = "output",
      .letter = 'o',
      .value = "D.npy",
      .help = "write D here, or the registers or the memory that a move\nwrites; without this option they "
              "are printed" },
    { .name = "decimal",
      .help = "print D in decimal: the shortest numbers that read back as the same values" },
    { .name = "explain",
      .value = "ROW,COL[,BLOCK]",
      .help = "show step by step how this element of D is computed" },
    { .name = "mod",
      .value = "NAME:VALUE",
      .help = "a modifier in the assembler's spelling",
      .repeats = true },
    { .name = "wave", .value = "32|64", .help = "lanes of the wave, where an instruction allows both" },
    { .name = "mode",
      .value = "NAME",
      .repeats = true,
      .help = "a bit of the wave's MODE: fp16_ovfl, f32_flush_in, f32_flush_out" },
    CLI_OPTION_READING,
    CLI_OPTION_NUMERICS,
    { .name = "expect", .value = "Y.npy", .help = "compare D with this array; exit status 1 if it differs" },
    CLI_OPTIONS_LIMITS,
    CLI_OPTION_MEMORY_LIMIT,
};

static const cli_example examples[] = {
    { .command = "lanewise eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b b.npy -o d.npy",
      .says = "D = A * B, written as d.npy" },
    { .command = "lanewise eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b b.npy --expect d.npy",
      .says = "does the instruction give these bits?" },
    { .command = "lanewise eval v_mfma_f32_16x16x16_f16 --arch gfx942 --a a.npy --b b.npy --explain 3,5",
      .says = "how element 3,5 is computed: products, alignment, sums, rounding" },
    { .command = "lanewise eval v_mfma_scale_f32_16x16x128_f8f6f4 --arch gfx950 --a a4.npy --b b4.npy "
                 "--scale-a sa.npy --scale-b sb.npy --mod cbsz:fp4 --mod blgp:fp4 --json",
      .says = "MXFP4: one code per byte, an e8m0 scale for each 32 of k" },
    { .command = "lanewise eval v_wmma_f32_16x16x16_f16 --arch gfx1201 --wave 64 --a a.npy --b b.npy",
      .says = "RDNA4 in a wave of 64 lanes" },
    { .command = "lanewise eval mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --arch sm_80 --a a.npy --b "
                 "b8.npy --explain 0,0",
      .says = "an A100's mma.sync, step by step" },
    { .command = "lanewise eval ldmatrix.sync.aligned.m8n8.x4.shared.b16 --arch sm_90 --memory a.npy "
                 "--address 0+16",
      .says = "the registers of every lane after ldmatrix; lane L has the address 16 L" },
};

const cli_verb cli_verb_eval = {
    .name = "eval",
    .usage = "INSN --arch ARCH --a A.npy --b B.npy [--c C.npy] [-o D.npy] [options]",
    .summary = "the exact bits that one matrix instruction computes",
    .text =
        "Runs one matrix instruction on plain matrices in .npy files, row by row, with a leading dimension\n"
        "for the blocks where there are several. Nothing is converted: f16, f32, f64, i8 and i32 elements "
        "are\n"
        "arrays of that type (or of its codes, as u16, u32 ...), xf32 and tf32 elements are f32; bf16, fp8, "
        "fp6,\nfp4 and e8m0 elements are codes in uint16 or uint8, one code per array element. Each answer "
        "ends with the\nevidence for the rules that it used. Numbers are printed exactly: short ones in "
        "decimal, others as hexadecimal floats\n"
        "(0x1.8p+1 is 3), or with --decimal as the shortest decimals that read back (as f32, or "
        "f64).\nInstructions that move elements (ldmatrix, stmatrix, movmatrix, wmma.load, wmma.store) take "
        "registers\nand memory instead, and the answer is what they write; 'lanewise info' has their rules "
        "for addresses.\n",
    .options = options,
    .option_count = CLI_COUNT(options),
    .examples = examples,
    .example_count = CLI_COUNT(examples),
    .run = run_eval,
};
