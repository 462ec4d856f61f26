/* SPDX-License-Identifier: MIT */
/* lanewise schedule: the tiling of a matrix product, as IREE derives it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/tiling.h>

#include "cli/json.h"
#include "cli/parse.h"
#include "cli/schedule_config.h"
#include "cli/target.h"

/* "128x256x512" */
static int read_size(const cli_call *call, lw_tiling_problem *p)
{
    uint32_t *const sizes[] = { &p->m, &p->n, &p->k };
    if (call->operand_count != 1)
        return cli_fail(call, CLI_USAGE,
                        "needs one product, not %zu: lanewise schedule MxNxK --types A,B,C --arch ARCH",
                        call->operand_count);
    const char *at = call->operands[0];
    for (int d = 0; d < 3; d++) {
        char word[16] = "";
        uint64_t n = 0;
        const size_t length = strcspn(at, "x");
        if (length < sizeof(word))
            memcpy(word, at, length);
        if (!parse_u64(word, &n) || n < 1 || n > LW_TILING_MOST || (at[length] == 'x') != (d < 2))
            return cli_fail(call, CLI_USAGE, "%s: must be MxNxK, as in 128x256x512, each 1 to %d",
                            call->operands[0], LW_TILING_MOST);
        *sizes[d] = (uint32_t)n;
        at += length + (d < 2);
    }
    return CLI_FINE;
}

/* "f16,f16,f32": three words in `text`, which is modified. */
static int read_types(const cli_call *call, char *text, lw_tiling_problem *p)
{
    char *second = strchr(text, ','), *third = second ? strchr(second + 1, ',') : NULL;
    if (!third || strchr(third + 1, ','))
        return cli_fail(call, CLI_USAGE, "--types %s: needs three, of A, B and C, as in f16,f16,f32",
                        cli_value(call, "types"));
    *second = *third = '\0';
    p->a = text;
    p->b = second + 1;
    p->c = third + 1;
    return CLI_FINE;
}

static int read_pipeline(const cli_call *call, bool *older)
{
    const char *name = cli_value(call, "pipeline");
    *older = name && strcmp(name, "vector-distribute") == 0;
    if (name && !*older && strcmp(name, "tile-and-fuse") != 0)
        return cli_fail(call, CLI_USAGE, "--pipeline %s: must be tile-and-fuse or vector-distribute", name);
    return CLI_FINE;
}

/* Who computes what: one letter per subgroup, one cell per tile of the instruction. */
static void print_picture(const lw_tiling *s, const char *group, const char *part)
{
    const uint32_t rows = s->tiles[0] * s->subgroups[0], cols = s->tiles[1] * s->subgroups[1];
    if (rows > 32 || cols > 64 || s->subgroups[0] * s->subgroups[1] > 26)
        return;
    printf("a %s's %u x %u, a letter for each %s's tile of %u x %u:\n", group, s->size[0] * rows,
           s->size[1] * cols, part, s->size[0], s->size[1]);
    for (uint32_t row = 0; row < rows; row++) {
        for (uint32_t col = 0; col < cols; col++)
            putchar('A' + (int)(row / s->tiles[0] * s->subgroups[1] + col / s->tiles[1]));
        putchar('\n');
    }
}

static void print_config(const lw_tiling_problem *p, const lw_tiling *s)
{
    const uint32_t rows = s->size[0] * s->tiles[0] * s->subgroups[0],
                   cols = s->size[1] * s->tiles[1] * s->subgroups[1], depth = s->size[2] * s->tiles[2];
    printf("#iree_gpu.lowering_config<{mma_kind = #iree_gpu.%smma_layout<%s>, ",
           s->intrinsic[0] == 'V' ? "virtual_" : "", s->intrinsic);
    if (s->padded && !p->vector_distribute)
        printf("padding = [%u, %u, %u], ", rows, cols, depth);
    printf("promote_operands = [0, 1], ");
    if (p->vector_distribute)
        printf("reduction = [0, 0, %u], subgroup_basis = [[%u, %u, 1], [0, 1, 2]], ", depth, s->subgroups[0],
               s->subgroups[1]);
    else
        printf("reduction = [0, 0, %u], subgroup = [%u, %u, 0], ", s->tiles[2], s->tiles[0], s->tiles[1]);
    printf("workgroup = [%u, %u, 0]}>\n", rows, cols);
}

static bool is_nvidia(const lw_tiling_problem *p)
{
    return strcmp(lw_arch_get(p->arch)->vendor, "NVIDIA") == 0;
}

static uint32_t ceil_div(uint32_t a, uint32_t b)
{
    return (a + b - 1) / b;
}

static void print_text(const lw_tiling_problem *p, const lw_tiling *s)
{
    const uint32_t rows = s->size[0] * s->tiles[0] * s->subgroups[0],
                   cols = s->size[1] * s->tiles[1] * s->subgroups[1], depth = s->size[2] * s->tiles[2];
    const bool nvidia = is_nvidia(p);
    const char *const group = nvidia ? "block" : "workgroup", *const part = !nvidia          ? "subgroup"
                                                                            : s->wave == 128 ? "warpgroup"
                                                                                             : "warp";
    fputs(s->steps, stdout);
    printf("%s: %u x %u tiles for each of %u x %u %ss, %u along K\n", s->intrinsic, s->tiles[0], s->tiles[1],
           s->subgroups[0], s->subgroups[1], part, s->tiles[2]);
    printf("%s: %u x %u of C, %u of K at a time, %u threads; %llu %ss; %s %u of %u bytes (%u %%)\n", group,
           rows, cols, depth, s->wave * s->subgroups[0] * s->subgroups[1],
           (unsigned long long)ceil_div(p->m, rows) * ceil_div(p->n, cols), group,
           nvidia ? "shared memory" : "LDS", s->lds, s->lds_limit,
           (unsigned)(100ull * s->lds / s->lds_limit));
    if (!nvidia)
        print_config(p, s);
    print_picture(s, group, part);
}

static void print_json(const lw_tiling *s)
{
    static const char *const names[] = { "m", "n", "k" };
    cli_json json = { .out = stdout };
    json_open(&json, NULL, '{');
    json_string(&json, "intrinsic", s->intrinsic);
    json_open(&json, "tiles", '{');
    for (int d = 0; d < 3; d++)
        json_uint(&json, names[d], s->tiles[d]);
    json_close(&json, '}');
    json_open(&json, "subgroups", '{');
    for (int d = 0; d < 2; d++)
        json_uint(&json, names[d], s->subgroups[d]);
    json_close(&json, '}');
    json_open(&json, "workgroup", '{');
    for (int d = 0; d < 2; d++)
        json_uint(&json, names[d], (uint64_t)s->size[d] * s->tiles[d] * s->subgroups[d]);
    json_close(&json, '}');
    json_uint(&json, "threads", (uint64_t)s->wave * s->subgroups[0] * s->subgroups[1]);
    json_bool(&json, "padded", s->padded);
    json_uint(&json, "lds", s->lds);
    json_uint(&json, "lds_limit", s->lds_limit);
    json_string(&json, "steps", s->steps);
    json_close(&json, '}');
}

/* How often `step` is in `whole`; 0 and a sentence where that is no whole number. */
static uint32_t divide(const cli_call *call, const char *what, int d, uint32_t whole, uint64_t step,
                       int *exit)
{
    const uint64_t most = 4096;
    if (step && whole && whole % step == 0 && whole / step <= most)
        return (uint32_t)(whole / step);
    *exit = cli_fail(call, CLI_NO, "the %s's %u along %c is not a whole number of %s of %llu", what, whole,
                     "MNK"[d], d < 2 ? "subgroups" : "instructions", (unsigned long long)step);
    return 0;
}

/* Subgroups and their tiles follow from the sizes, once that of the instruction is known. */
static int set_tiles(const cli_call *call, const schedule_config *c, const lw_tiling_problem *p, lw_tiling *s)
{
    lw_error error = { "" };
    lw_tiling one = *s;
    int exit = CLI_FINE;
    one.padded = true;
    one.tiles[0] = one.tiles[1] = one.tiles[2] = one.subgroups[0] = one.subgroups[1] = 1;
    const lw_status st = lw_tiling_check(p, &one, &error);
    if (st != LW_OK)
        return st == LW_E_UNSUPPORTED ? cli_fail(call, CLI_NO, "%s", error.text)
                                      : cli_fail_status(call, "--check", st, &error);
    for (int d = 0; d < 2 && exit == CLI_FINE; d++) {
        const uint32_t given = c->has_basis ? c->basis[d] : c->subgroup[d];
        const uint32_t other =
            divide(call, "workgroup", d, c->workgroup[d], (uint64_t)one.size[d] * given, &exit);
        s->subgroups[d] = c->has_basis ? given : other;
        s->tiles[d] = c->has_basis ? other : given;
    }
    s->tiles[2] = c->has_basis && exit == CLI_FINE
                      ? divide(call, "reduction", 2, c->reduction[2], one.size[2], &exit)
                      : c->reduction[2];
    return exit;
}

/* What a product has none of. */
static int check_zeros(const cli_call *call, const schedule_config *c)
{
    if (c->workgroup[2] || c->reduction[0] || c->reduction[1] || (!c->has_basis && c->subgroup[2]) ||
        (c->has_basis && c->basis[2] != 1))
        return cli_fail(
            call, CLI_USAGE,
            "--check: workgroup and subgroup need 0 along K, reduction along M and N, subgroup_basis 1 "
            "along K");
    return CLI_FINE;
}

/* Reports a schedule that is possible, and whether it is IREE's own. */
static void finish_check(const cli_call *call, const lw_tiling_problem *p, const lw_tiling *s)
{
    lw_tiling derived;
    if (cli_has(call, "json")) {
        print_json(s);
        return;
    }
    print_text(p, s);
    if (lw_tiling_derive(p, &derived, NULL) != LW_OK)
        return;
    const bool same = strcmp(derived.intrinsic, s->intrinsic) == 0 &&
                      memcmp(derived.tiles, s->tiles, sizeof(s->tiles)) == 0 &&
                      memcmp(derived.subgroups, s->subgroups, sizeof(s->subgroups)) == 0;
    puts(same ? "this is what IREE derives" : "possible; IREE derives another:");
    if (!same)
        print_config(p, &derived);
}

/* Exit status 1 if the schedule is impossible; `option` gave it. */
static int judge(const cli_call *call, const lw_tiling_problem *p, lw_tiling *s, const char *option)
{
    lw_error error = { "" };
    const lw_status st = lw_tiling_check(p, s, &error);
    if (st == LW_E_UNSUPPORTED)
        return cli_fail(call, CLI_NO, "%s", error.text);
    if (st != LW_OK)
        return cli_fail_status(call, option, st, &error);
    finish_check(call, p, s);
    return CLI_FINE;
}

static int check(const cli_call *call, const lw_tiling_problem *p)
{
    schedule_config c;
    lw_tiling_problem problem = *p;
    lw_tiling s = { .struct_size = sizeof(s) };
    int exit = schedule_config_read(call, cli_value(call, "check"), &c);
    if (exit == CLI_FINE)
        exit = check_zeros(call, &c);
    s.intrinsic = c.intrinsic;
    s.padded = c.padded;
    problem.vector_distribute = c.has_basis; /* the pipeline that has this parameter */
    if (exit == CLI_FINE)
        exit = set_tiles(call, &c, &problem, &s);
    return exit == CLI_FINE ? judge(call, &problem, &s, "--check") : exit;
}

/* "128x256x64", "128,256,64" or CuTe's "(_128,_256,_64)": `count` numbers and nothing else. */
static int read_extents(const cli_call *call, const char *option, uint32_t *numbers, size_t count)
{
    const char *text = cli_value(call, option);
    size_t got = 0;
    for (const char *at = text + strspn(text, "("); got < count; got++) {
        char word[16] = "";
        uint64_t n = 0;
        at += strspn(at, " _");
        const size_t length = strspn(at, "0123456789");
        if (length < sizeof(word))
            memcpy(word, at, length);
        if (!parse_u64(word, &n) || n < 1 || n > LW_TILING_MOST)
            break;
        numbers[got] = (uint32_t)n;
        at += length;
        if (got + 1 == count ? at[strspn(at, " )")] != '\0' : *at != 'x' && *at != ',')
            break;
        at++;
    }
    return got == count ? CLI_FINE
                        : cli_fail(call, CLI_USAGE, "--%s %s: needs %zu numbers, as in %s", option, text,
                                   count, count == 3 ? "128x256x64" : "2x2");
}

/* Whether some name would be an instruction of the architecture. */
static bool has_intrinsics(const lw_tiling_problem *p)
{
    lw_tiling none = { .struct_size = sizeof(none), .intrinsic = "" };
    return lw_tiling_check(p, &none, NULL) == LW_E_NOT_FOUND;
}

/* The instruction that --intrinsic names, IREE's choice, or lw_tiling_check's. */
static int read_intrinsic(const cli_call *call, const lw_tiling_problem *p, lw_tiling *s)
{
    lw_error error = { "" };
    lw_tiling derived;
    s->intrinsic = cli_value(call, "intrinsic");
    if (!s->intrinsic && !is_nvidia(p)) {
        if (lw_tiling_derive(p, &derived, &error) != LW_OK)
            return has_intrinsics(p)
                       ? cli_fail(call, CLI_USAGE, "--tile needs --intrinsic here: %s", error.text)
                       : cli_fail(call, CLI_NO, "%s", error.text);
        s->intrinsic = derived.intrinsic;
    }
    s->padded = true;
    s->tiles[0] = s->tiles[1] = s->tiles[2] = s->subgroups[0] = s->subgroups[1] = 1;
    const lw_status st = lw_tiling_check(p, s, &error);
    if (st == LW_OK)
        return CLI_FINE;
    return st == LW_E_UNSUPPORTED ? cli_fail(call, CLI_NO, "%s", error.text)
                                  : cli_fail_status(call, "--intrinsic", st, &error);
}

/* The tiles of a subgroup follow from those of the workgroup. */
static int divide_tile(const cli_call *call, const lw_tiling_problem *p, const uint32_t tile[3], lw_tiling *s)
{
    const uint32_t sizes[3] = { p->m, p->n, p->k };
    s->padded = false;
    for (int d = 0; d < 3; d++) {
        const uint64_t step = (uint64_t)s->size[d] * (d < 2 ? s->subgroups[d] : 1);
        if (tile[d] % step)
            return cli_fail(call, CLI_NO, "the tile's %u along %c is not a multiple of %llu: %u of %s%s",
                            tile[d], "MNK"[d], (unsigned long long)step, s -> size[d], s -> intrinsic,
                            d < 2 ? ", for each subgroup" : "");
        s->tiles[d] = (uint32_t)(tile[d] / step);
        s->padded = s->padded || sizes[d] % tile[d];
    }
    return CLI_FINE;
}

/* --tile: a workgroup's tile from another tool. */
static int check_tile(const cli_call *call, const lw_tiling_problem *p)
{
    uint32_t tile[3], subgroups[2] = { 1, 1 };
    lw_tiling s = { .struct_size = sizeof(s) };
    int exit = read_extents(call, "tile", tile, 3);
    if (exit == CLI_FINE && cli_has(call, "subgroups"))
        exit = read_extents(call, "subgroups", subgroups, 2);
    if (exit == CLI_FINE)
        exit = read_intrinsic(call, p, &s);
    memcpy(s.subgroups, subgroups, sizeof(subgroups));
    if (exit == CLI_FINE)
        exit = divide_tile(call, p, tile, &s);
    if (exit != CLI_FINE)
        return exit;
    return judge(call, p, &s, "--tile");
}

static int run_schedule(const cli_call *call)
{
    lw_tiling_problem p = { .chip = cli_value(call, "chip") };
    lw_tiling s;
    lw_error error = { "" };
    int exit = read_size(call, &p);
    if (exit == CLI_FINE)
        exit = target_arch(call, true, &p.arch);
    if (exit == CLI_FINE)
        exit = read_pipeline(call, &p.vector_distribute);
    const char *types = cli_value(call, "types");
    if (exit == CLI_FINE && !types)
        exit = cli_fail(call, CLI_USAGE, "needs --types, of A, B and C, as in f16,f16,f32");
    if (exit != CLI_FINE)
        return exit;
    char *words = cli_copy(types, strlen(types));
    exit = read_types(call, words, &p);
    if (exit == CLI_FINE && (cli_has(call, "subgroups") || cli_has(call, "intrinsic")) &&
        !cli_has(call, "tile"))
        exit = cli_fail(call, CLI_USAGE, "--subgroups and --intrinsic have no effect without --tile");
    if (exit == CLI_FINE && cli_has(call, "check") && cli_has(call, "tile"))
        exit = cli_fail(call, CLI_USAGE, "--check and --tile both give a schedule");
    if (exit == CLI_FINE && cli_has(call, "check")) {
        exit = check(call, &p);
    } else if (exit == CLI_FINE && cli_has(call, "tile")) {
        exit = check_tile(call, &p);
    } else if (exit == CLI_FINE) {
        const lw_status st = lw_tiling_derive(&p, &s, &error);
        if (st == LW_OK && cli_has(call, "json"))
            print_json(&s);
        else if (st == LW_OK)
            print_text(&p, &s);
        else
            exit = st == LW_E_UNSUPPORTED ? cli_fail(call, CLI_NO, "%s", error.text)
                                          : cli_fail_status(call, NULL, st, &error);
    }
    free(words);
    return exit;
}

static const cli_option options[] = {
    CLI_OPTION_ARCH,
    { .name = "types",
      .value = "A,B,C",
      .help = "f16, bf16, f32, f64, fp8, bf8, i8 or i32 for each; tf32 on NVIDIA's" },
    { .name = "chip",
      .value = "NAME",
      .help = "take its compute units and speeds into account: mi250x, mi300x, mi325x,\nmi308x, rx7900xtx, "
              "rx9070xt" },
    { .name = "pipeline",
      .value = "NAME",
      .help = "tile-and-fuse (default) or vector-distribute, the older one" },
    { .name = "check",
      .value = "CONFIG",
      .help = "is this #iree_gpu.lowering_config possible, and is it IREE's own?\nexit status 1 if it is not "
              "possible" },
    { .name = "tile",
      .value = "MxNxK",
      .help = "checks a workgroup's tile from another tool: 128x256x64, or CuTe's (_128,_256,_64)" },
    { .name = "subgroups",
      .value = "MxN",
      .help = "--tile: subgroups (waves, warps; warpgroups with wgmma) along M and N;\ndefault 1x1" },
    { .name = "intrinsic",
      .value = "NAME",
      .help = "--tile: the instruction by IREE's name, MFMA_F32_16x16x16_F16, or as PTX writes\nit; default "
              "IREE's choice, of NVIDIA's the deepest mma.sync" },
};

static const cli_example examples[] = {
    { .command = "lanewise schedule 128x256x512 --types f16,f16,f32 --arch gfx1201",
      .says = "the tiling, with the reason for each step" },
    { .command = "lanewise schedule 4096x4096x4096 --types f16,f16,f32 --arch gfx942 --chip mi300x",
      .says = "for that many compute units" },
    { .command =
          "lanewise schedule 4096x4096x4096 --types f16,f16,f32 --arch gfx942 --tile 128x256x64 --subgroups "
          "2x2",
      .says = "a tile of your own: LDS, threads, and whether it is possible" },
};

const cli_verb cli_verb_schedule = {
    .name = "schedule",
    .usage =
        "MxNxK --types A,B,C --arch ARCH [--chip NAME] [--pipeline NAME] [--check CONFIG | --tile MxNxK]",
    .summary = "the tiling of a matrix product, as IREE derives it",
    .text = "Derives which matrix instruction IREE uses for C[MxN] = A[MxK] B[KxN], how many of its tiles "
            "each subgroup\n"
            "computes and how many subgroups a workgroup has, and prints the lowering_config. The rules are "
            "those of\n"
            "iree-base-compiler 3.13.0; products with transposed operands are not derived.\n",
    .options = options,
    .option_count = CLI_COUNT(options),
    .examples = examples,
    .example_count = CLI_COUNT(examples),
    .run = run_schedule,
};
