/* SPDX-License-Identifier: MIT */
/* lanewise validate: comparison with results of real GPUs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/version.h>

#include "cli/file.h"
#include "cli/gpu/recording.h"
#include "cli/gpu/validate.h"
#include "cli/inputs.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/part_file.h"
#include "cli/probe.h"
#include "cli/target.h"
#include "cli/vectors.h"

static bool concerns_any(const probe *p, lw_arch only, char *archs, size_t size)
{
    size_t used = 0;
    archs[0] = '\0';
    for (int a = LW_ARCH_NONE + 1; a < LW_ARCH_COUNT; a++)
        if ((only == LW_ARCH_NONE || only == (lw_arch)a) && probe_concerns(p, (lw_arch)a) && used < size)
            used += (size_t)snprintf(archs + used, size - used, "%s%s", used ? " " : "",
                                     lw_arch_get((lw_arch)a)->name);
    return used > 0;
}

/* The probes of an architecture, or of all architectures. */
static int list(const cli_call *call)
{
    lw_arch arch = LW_ARCH_NONE;
    char archs[256];
    cli_json json = { .out = stdout };
    const bool as_json = cli_has(call, "json");
    const int exit = cli_has(call, "arch") ? target_arch(call, true, &arch) : CLI_FINE;
    if (exit != CLI_FINE)
        return exit;
    if (as_json) {
        json_open(&json, NULL, '{');
        json_open(&json, "probes", '[');
    }
    for (size_t i = 0; i < probe_count(); i++) {
        const probe *p = probe_at(i);
        if (!concerns_any(p, arch, archs, sizeof(archs)))
            continue;
        if (as_json) {
            json_open(&json, NULL, '{');
            json_string(&json, "probe", p->name);
            json_string(&json, "question", p->question);
            json_string(&json, "instruction", p->insn);
            json_string(&json, "topic", p->topic);
            json_string(&json, "archs", archs);
            json_close(&json, '}');
        } else {
            printf("%-24s %s\n%-24s %s (%s)\n", p->name, p->question, "", p->insn, archs);
        }
    }
    if (as_json) {
        json_close(&json, ']');
        json_close(&json, '}');
    }
    return CLI_FINE;
}

static bool holds_recording(FILE *file)
{
    char line[64] = "";
    const bool holds = fgets(line, sizeof(line), file) && recording_recognise(line, strlen(line));
    rewind(file);
    return holds;
}

/* Skips to the first line that is not a comment; true if it is one of recorded vectors. */
static bool holds_vectors(FILE *file)
{
    char line[4096];
    while (fgets(line, sizeof(line), file))
        if (*line != '#' && *line != '\n') {
            rewind(file);
            return vectors_recognise(line);
        }
    rewind(file);
    return false;
}

/* --part: which part, and what its file says. */
typedef struct sweep {
    const char *path; /* NULL: everything is compared */
    uint32_t part, parts;
    part_buffer about, differences;
    lw_sha256 launch;
    size_t files;
} sweep;

typedef struct counts {
    const char *names[4];
    size_t numbers[4];
} counts;

static void print_counts(const char *path, const counts *c)
{
    printf("%s:", path);
    for (size_t i = 0; i < CLI_COUNT(c->numbers); i++)
        printf("%s %zu %s", i ? "," : "", c->numbers[i], c->names[i]);
    printf("\n");
}

/* A part keeps its first differences, so that `merge` prints those of the whole. */
static void tell_differences(const char *path, const vectors_report *r, bool print, sweep *s)
{
    for (size_t i = 0; i < r->different && i < VECTORS_SHOWN; i++) {
        const vectors_difference *d = &r->shown[i];
        if (print)
            vectors_print(path, d->line, d->text);
        if (s->path)
            part_say(&s->differences, "differs %zu %zu %s\n", s->files, d->line, d->text);
    }
}

/* Verdicts and counts of one file; as members of the object open in `json`, unless that is NULL. */
static int compare(const cli_call *call, const char *path, FILE *file, cli_json *json, sweep *s, counts *c)
{
    if (holds_recording(file)) {
        validate_counts v;
        if (s->parts)
            return cli_fail(call, CLI_USAGE, "--part: %s is a recording, which is not cut into parts", path);
        const int exit = validate_recording(call, path, json, &v);
        *c = (counts){ { "results", "as here", "different", "counted as evidence" },
                       { (size_t)v.results, (size_t)v.same, (size_t)v.different, (size_t)v.evidence } };
        return exit;
    }
    if (holds_vectors(file)) {
        vectors_report r = { .part = s->part, .parts = s->parts };
        const int exit = vectors_check(call, path, file, &r);
        tell_differences(path, &r, !json, s);
        *c = (counts){ { "rows", "results as here", "different", "of other instructions" },
                       { r.rows, r.same, r.different, r.skipped } };
        return exit == CLI_FINE && r.different ? CLI_NO : exit;
    }
    return cli_fail(call, CLI_USAGE,
                    "%s: not a file of results: neither a recording of 'validate --device' nor vectors like "
                    "those in tests/data",
                    path);
}

/* What belongs to the sweep: the contents of its files, in this order. */
static int tell_part(const cli_call *call, const char *path, const counts *c, sweep *s)
{
    input_file input;
    const int exit = s->path ? input_hash(call, path, &input) : CLI_FINE;
    if (exit != CLI_FINE || !s->path)
        return exit;
    lw_sha256_add(&s->launch, input.sha256, strlen(input.sha256));
    part_say(&s->about, "compared %zu %zu %zu %zu %zu %.900s\n", s->files++, c->numbers[0], c->numbers[1],
             c->numbers[2], c->numbers[3], path);
    return CLI_FINE;
}

static int check_file(const cli_call *call, const char *path, cli_json *json, sweep *s)
{
    counts c;
    const char *why;
    FILE *file = file_open(path, &why);
    if (!file)
        return cli_fail(call, CLI_USAGE, "%s: cannot be opened: %s", path, why);
    if (json) {
        json_open(json, NULL, '{');
        json_string(json, "file", path);
    }
    const int exit = compare(call, path, file, json, s, &c);
    fclose(file);
    if (exit > CLI_NO)
        return exit;
    if (c.numbers[0] == 0 && !s->path)
        return cli_fail(call, CLI_USAGE, "%s: holds no results", path);
    if (json) {
        for (size_t i = 0; i < CLI_COUNT(c.numbers); i++)
            json_uint(json, c.names[i], c.numbers[i]);
        json_close(json, '}');
    } else {
        print_counts(path, &c);
    }
    const int told = tell_part(call, path, &c, s);
    return told == CLI_FINE ? exit : told;
}

static int write_sweep(const cli_call *call, sweep *s)
{
    lw_launch_part part = lw_launch_part_default();
    if (!s->path)
        return CLI_FINE;
    if (s->differences.size)
        part_put(&s->about, (const char *)s->differences.bytes, s->differences.size);
    part_put(&s->about, "", 1);
    lw_sha256_end(&s->launch, part.launch, NULL);
    part.number = s->part;
    part.count = s->parts;
    part.about = (const char *)s->about.bytes;
    return part_write(call, &part, s->path);
}

static int check_files(const cli_call *call, sweep *s)
{
    int worst = CLI_FINE;
    for (size_t i = 0; i < call->operand_count && worst <= CLI_NO; i++) {
        const int exit = check_file(call, call->operands[i], NULL, s);
        worst = exit > worst ? exit : worst;
    }
    return worst;
}

/* The object is written in one go, so that a file that cannot be read leaves only its error message on
 * stdout. */
static int check_files_json(const cli_call *call, sweep *s)
{
    FILE *text = tmpfile();
    if (!text)
        return cli_fail(call, CLI_USAGE, "a temporary file cannot be created");
    cli_json json = { .out = text };
    int worst = CLI_FINE, c;
    json_open(&json, NULL, '{');
    input_file *inputs = cli_alloc(call->operand_count * sizeof(*inputs));
    for (size_t i = 0; i < call->operand_count && worst == CLI_FINE; i++)
        worst = input_hash(call, call->operands[i], &inputs[i]);
    if (worst == CLI_FINE)
        input_report(inputs, call->operand_count, &json);
    free(inputs);
    json_open(&json, "files", '[');
    for (size_t i = 0; i < call->operand_count && worst <= CLI_NO; i++) {
        const int exit = check_file(call, call->operands[i], &json, s);
        worst = exit > worst ? exit : worst;
    }
    if (worst <= CLI_NO) {
        json_close(&json, ']');
        json_int(&json, "status", worst);
        json_close(&json, '}');
        for (rewind(text); (c = fgetc(text)) != EOF;)
            putchar(c);
    }
    fclose(text);
    return worst;
}

/* Options that only --device takes. */
static int check_device_options(const cli_call *call)
{
    static const char *const names[] = { "library",  "seed",   "cases", "all-inputs",
                                         "launches", "record", "report" };
    for (size_t i = 0; i < CLI_COUNT(names); i++)
        if (cli_has(call, names[i]))
            return cli_fail(call, CLI_USAGE, "--%s needs --device hip or --device cuda", names[i]);
    return CLI_FINE;
}

static int check(const cli_call *call)
{
    static const char title[] = "validate " LW_VERSION_STRING;
    sweep s = { 0 };
    int exit = part_options(call, &s.path, &s.part, &s.parts);
    for (size_t i = 0; i < call->operand_count && exit == CLI_FINE && s.path; i++)
        exit = output_check_read(call, s.path, call->operands[i], "validate");
    if (exit != CLI_FINE)
        return exit;
    lw_sha256_begin(&s.launch);
    lw_sha256_add(&s.launch, title, sizeof(title));
    part_say(&s.about, "lanewise %s\n", LW_VERSION_STRING);
    exit = cli_has(call, "json") ? check_files_json(call, &s) : check_files(call, &s);
    const int wrote = exit <= CLI_NO ? write_sweep(call, &s) : CLI_FINE;
    free(s.about.bytes);
    free(s.differences.bytes);
    return wrote == CLI_FINE ? exit : wrote;
}

static int run_validate(const cli_call *call)
{
    static const char *const modes[] = { "list", "device" };
    size_t asked = call->operand_count > 0;
    const bool device = cli_has(call, "device");
    for (size_t i = 0; i < CLI_COUNT(modes); i++)
        asked += cli_has(call, modes[i]);
    const int misplaced = device ? CLI_FINE : check_device_options(call);
    if (misplaced != CLI_FINE)
        return misplaced;
    if (asked != 1)
        return cli_fail(call, CLI_USAGE, "needs %s: lanewise validate %s",
                        asked ? "one thing to do, not several" : "a file of results", call->verb->usage);
    if (cli_has(call, "list") && (cli_has(call, "part") || cli_has(call, "part-file")))
        return cli_fail(call, CLI_USAGE, "--part cuts the comparison of files of results, or of a device");
    return device ? validate_device(call) : cli_has(call, "list") ? list(call) : check(call);
}

static const cli_option options[] = {
    { .name = "device", .value = "API", .help = "compare the GPU of this machine: hip or cuda" },
    { .name = "only",
      .value = "TEXT",
      .help = "only names that contain TEXT, or one kind: matrix, lanes, inputs, probe" },
    { .name = "cases", .value = "N", .help = "with --device: cases of each instruction (70)" },
    { .name = "seed", .value = "N", .help = "with --device: where operands begin (1)" },
    { .name = "all-inputs",
      .help = "with --device: functions of 32 bits for all inputs; default: 65,536 of them or more" },
    { .name = "launches", .value = "LIST", .help = "with --device: the whole kernels of a list, too" },
    { .name = "record",
      .value = "FILE",
      .help = "with --device: keep the answers, for 'lanewise validate FILE'" },
    { .name = "report", .value = "FILE", .help = "with --device: write a report in JSON" },
    { .name = "library",
      .value = "PATH",
      .help = "with --device: the runtime's library, if it is not the usual one" },
    { .name = "list", .help = "list the probes: the questions for a GPU that the tables leave open" },
    CLI_OPTION_ARCH,
    { .name = "time-limit", .value = "S", .help = "stop after S seconds: a device, or a recording" },
    { .name = "part",
      .value = "I/N",
      .help = "compare part I of N (from 1 on) of recorded results, or of the cases of a\n"
              "device; 'lanewise merge' joins the parts" },
    { .name = "part-file", .value = "FILE", .help = "with --part: where what it found goes" },
};

static const cli_example examples[] = {
    { .command = "lanewise validate --list --arch gfx950", .says = "what a gfx950 could settle" },
    { .command =
          "lanewise exec --arch gfx950 -- lanewise validate --device hip --only v_mfma_f32_16x16x32_f16",
      .says = "on a machine with a GPU without 'lanewise exec ... --'; here on a stand-in" },
};

const cli_verb cli_verb_validate = {
    .name = "validate",
    .usage = "FILE... | --device hip|cuda | --list",
    .summary = "compare with results of real GPUs; questions for one",
    .text =
        "FILE is a file of recorded results: one of the vector files that come with the sources\n"
        "(nvidia-mma-rows.csv, amd_rdna34_dot2_wmma_hw_vectors.csv, gfx1201_wmma_swmmac_digests.csv in\n"
        "tests/data), whose lines run through whole instructions of the target they were recorded on; "
        "or\na recording of a GPU's answers. The exit status is 1 if a result differs from what Lanewise "
        "computes\nby default.\n"
        "\n"
        "--device compares the GPU of this machine with the emulator, bit by bit, through HIP's runtime or "
        "the\n"
        "CUDA driver; no compiler is needed. Every matrix instruction of its target, instructions that work "
        "lane\n"
        "by lane, conversions and functions over their inputs, moves through shared memory and the probes "
        "run\n"
        "in small kernels on generated operands: random bits, moderate numbers, cancellations, subnormals,\n"
        "special values, group sweeps, truncation ladders, zeros and tiny sums. --launches adds whole "
        "kernels: a\n"
        "line of LIST is FILE KERNEL GRID BLOCK LDS ARGUMENT..., an argument in:TYPE:N, out:TYPE:N or u32:V\n"
        "(examples/launches.list). The table shows cases, 32-bit words of results and how many differ; the\n"
        "first difference is explained as eval --explain does. Exit status 1: something differs; 3: no "
        "library,\n"
        "no device, an unknown architecture, or code that the driver refuses.\n"
        "\n"
        "A probe is one instruction on operands for which the readings that sources leave open predict "
        "different\nresults. The table tells which of them each answer agrees with, and how many answers are "
        "those of "
        "the\ndefault, of another reading, or of none. --only probe asks nothing else; of probes with random "
        "operands\nthere are --cases cases, and they are mentioned only where they refute the default.\n"
        "\n"
        "--record keeps the answers; FILE may be such a recording, whose operands are generated again. On a\n"
        "stand-in ('lanewise help exec') the emulator is compared with itself: that tests the path and "
        "nothing\n"
        "else. Recordings made there say so and are never counted as evidence.\n"
        "\n"
        "--part with --device compares every Nth batch of 256 cases. 'lanewise merge' prints the table of "
        "the\n"
        "whole, and writes the files of --report and --record, which the parts do not write. The devices of "
        "all\n"
        "parts must have the same name and driver.\n",
    .options = options,
    .option_count = CLI_COUNT(options),
    .examples = examples,
    .example_count = CLI_COUNT(examples),
    .run = run_validate,
};
