/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/mma.h>
#include <lanewise/mmt4d.h>

#include "cli/arg.h"
#include "cli/file.h"
#include "cli/output.h"
#include "cli/pack_multiply.h"
#include "cli/target.h"

lw_status pack_allocate(const cli_call *call, uint64_t held, lw_npy *out, lw_error *error)
{
    const uint64_t element = lw_dtype_size(out->dtype);
    uint64_t limit;
    arg_memory_limit(call, &limit);
    const uint64_t most = (held < limit ? limit - held : 0) / element;
    bool fits = true;
    out->count = 1;
    for (unsigned d = 0; d < out->dims && fits; d++) {
        fits = out->shape[d] == 0 || out->count <= most / out->shape[d];
        out->count *= out->shape[d];
    }
    if (!fits) {
        snprintf(error->text, sizeof(error->text),
                 "the result and the array of %llu bytes exceed the memory limit of %llu bytes",
                 (unsigned long long)held, (unsigned long long)limit);
        return LW_E_NO_MEMORY;
    }
    const size_t bytes = (size_t)out->count * lw_dtype_size(out->dtype);
    out->data = calloc(bytes ? bytes : 1, 1);
    return out->data ? LW_OK : LW_E_NO_MEMORY;
}

typedef struct product {
    lw_npy a, b, c;
    uint64_t held; /* bytes of a and b */
    lw_mma *mma;
    lw_mma_shape shape;
} product;

static int prepare(const cli_call *call, product *p)
{
    lw_arch arch;
    const lw_insn *insn = NULL;
    lw_mods mods;
    lw_error error = { "" };
    lw_mma_options options = { .struct_size = sizeof(options), .mods = &mods };
    if (!cli_has(call, "insn") || !cli_has(call, "output"))
        return cli_fail(call, CLI_USAGE, "--multiply needs --insn, --arch and -o");
    const int exit = target_arch(call, true, &arch);
    if (exit != CLI_FINE)
        return exit;
    lw_status st = lw_insn_parse(arch, cli_value(call, "insn"), &insn, &mods, &error);
    if (st == LW_OK)
        st = lw_mma_create(arch, insn, &options, &p->mma, &error);
    if (st != LW_OK)
        return cli_fail_status(call, "--insn", st, &error);
    lw_mma_get_shape(p->mma, &p->shape);
    return CLI_FINE;
}

/* Writes [outer][inner][rows][columns], with elements of that many bytes. */
static int check_packed(const cli_call *call, const char *path, const lw_npy *array, uint16_t rows,
                        uint16_t cols, unsigned bytes)
{
    if (array->dims == 4 && array->shape[2] == rows && array->shape[3] == cols &&
        lw_dtype_size(array->dtype) == bytes)
        return CLI_FINE;
    return cli_fail(call, CLI_USAGE,
                    "%s: the instruction needs tiles of %u x %u elements of %u byte%s, packed", path, rows,
                    cols, bytes, bytes == 1 ? "" : "s");
}

/* The .npy type of an array of D's codes. */
static lw_dtype type_of(const lw_mma_shape *s)
{
    static const struct {
        const char *format;
        lw_dtype dtype;
    } types[] = {
        { "f16", LW_DTYPE_F2 }, { "f32", LW_DTYPE_F4 }, { "f64", LW_DTYPE_F8 }, { "i32", LW_DTYPE_I4 }
    };
    for (size_t i = 0; i < CLI_COUNT(types); i++)
        if (strcmp(types[i].format, s->d_format) == 0)
            return types[i].dtype;
    return s->d_bytes == 1 ? LW_DTYPE_U1 : s->d_bytes == 2 ? LW_DTYPE_U2 : LW_DTYPE_U4;
}

static int multiply(const cli_call *call, product *p)
{
    const lw_mma_shape *s = &p->shape;
    lw_error error = { "" };
    int exit = check_packed(call, call->operands[0], &p->a, s->m, s->k, s->a_bytes);
    if (exit == CLI_FINE)
        exit = check_packed(call, call->operands[1], &p->b, s->n, s->k, s->b_bytes);
    if (exit == CLI_FINE && p->a.shape[1] != p->b.shape[1])
        exit =
            cli_fail(call, CLI_USAGE, "%s has %llu tiles along K, %s has %llu", call->operands[0],
                     (unsigned long long)p->a.shape[1], call->operands[1], (unsigned long long)p->b.shape[1]);
    if (exit != CLI_FINE)
        return exit;
    p->c = (lw_npy){ .dtype = type_of(s), .dims = 4, .shape = { p->a.shape[0], p->b.shape[0], s->m, s->n } };
    lw_status st = pack_allocate(call, p->held, &p->c, &error);
    if (st == LW_OK)
        st = lw_mmt4d_execute(p->mma,
                              &(lw_mmt4d){ .m1 = p->a.shape[0],
                                           .n1 = p->b.shape[0],
                                           .k1 = p->a.shape[1],
                                           .a = p->a.data,
                                           .b = p->b.data,
                                           .c = p->c.data },
                              &error);
    if (st != LW_OK)
        return cli_fail_status(call, "--multiply", st, &error);
    const output_file file = { .path = cli_value(call, "output"), .array = &p->c };
    return output_write(call, &file, 1);
}

int pack_multiply(const cli_call *call)
{
    product p = { .mma = NULL };
    if (call->operand_count != 2)
        return cli_fail(call, CLI_USAGE, "--multiply needs two packed arrays, not %zu", call->operand_count);
    int exit = prepare(call, &p);
    lw_npy *const arrays[2] = { &p.a, &p.b };
    for (int i = 0; i < 2 && exit == CLI_FINE; i++) {
        exit = file_read_array(call, NULL, call->operands[i], &p.held, arrays[i]);
        if (exit == CLI_FINE)
            exit = output_check_read(call, cli_value(call, "output"), call->operands[i], "the array");
    }
    if (exit == CLI_FINE)
        exit = multiply(call, &p);
    lw_mma_free(p.mma);
    lw_npy_free(&p.a);
    lw_npy_free(&p.b);
    free(p.c.data);
    return exit;
}
