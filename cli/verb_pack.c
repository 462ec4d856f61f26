/* SPDX-License-Identifier: MIT */
/* lanewise pack: arrays in tiles and back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/encoding.h>
#include <lanewise/layout.h>
#include <lanewise/npy.h>
#include <lanewise/pack.h>

#include "cli/arg.h"
#include "cli/file.h"
#include "cli/output.h"
#include "cli/pack_multiply.h"
#include "cli/parse.h"
#include "cli/target.h"

/* An option's list of numbers; *count is 0 if it is not given. */
static int read_list(const cli_call *call, const char *option, uint64_t low, uint64_t numbers[LW_PACK_DIMS],
                     size_t *count)
{
    const char *text = cli_value(call, option);
    *count = 0;
    if (text && !parse_numbers(text, low, LW_PACK_DIMS, numbers, count))
        return cli_fail(call, CLI_USAGE, "--%s %s: needs up to %d numbers with commas", option, text,
                        LW_PACK_DIMS);
    return CLI_FINE;
}

/* --insn and --operand: the tiles of mmt4d for an operand of the instruction. */
static int read_insn(const cli_call *call, lw_pack *pack)
{
    lw_arch arch;
    const lw_insn *insn = NULL;
    lw_mods mods;
    lw_layout *layout = NULL;
    lw_layout_info info;
    lw_operand operand;
    lw_error error = { "" };
    const char *name = cli_value(call, "operand");
    const int exit = target_arch(call, true, &arch);
    if (exit != CLI_FINE)
        return exit;
    if (!name || lw_operand_find(name, &operand) != LW_OK || operand > LW_OPERAND_D)
        return cli_fail(call, CLI_USAGE, "--insn needs --operand A, B, C or D");
    lw_status st = lw_insn_parse(arch, cli_value(call, "insn"), &insn, &mods, &error);
    if (st == LW_OK)
        st = lw_layout_create(arch, insn, operand, 0, &mods, &layout, &error);
    if (st != LW_OK)
        return cli_fail_status(call, "--insn", st, &error);
    lw_layout_get_info(layout, &info);
    lw_layout_free(layout);
    const bool b = operand == LW_OPERAND_B;
    pack->tiles = 2;
    for (uint32_t t = 0; t < 2; t++) {
        pack->pos[t] = b ? 1 - t : t;
        pack->perm[t] = pack->pos[t];
        pack->tile[t] = pack->pos[t] ? info.y_count : info.x_count;
    }
    return pack->rank == 2
               ? CLI_FINE
               : cli_fail(call, CLI_USAGE, "--insn packs arrays of two dimensions, not %u", pack->rank);
}

static int read_packing(const cli_call *call, lw_pack *pack)
{
    uint64_t tiles[LW_PACK_DIMS], pos[LW_PACK_DIMS], perm[LW_PACK_DIMS];
    size_t tile_count, pos_count, perm_count;
    int exit = read_list(call, "tiles", 1, tiles, &tile_count);
    if (exit == CLI_FINE)
        exit = read_list(call, "pos", 0, pos, &pos_count);
    if (exit == CLI_FINE)
        exit = read_list(call, "perm", 0, perm, &perm_count);
    if (exit != CLI_FINE)
        return exit;
    for (uint32_t d = 0; d < LW_PACK_DIMS; d++)
        pack->perm[d] = pack->pos[d] = d;
    if (cli_has(call, "insn"))
        return tile_count || pos_count || perm_count
                   ? cli_fail(call, CLI_USAGE,
                              "--insn sets tiles, positions and order; leave --tiles, --pos and --perm out")
                   : read_insn(call, pack);
    if (!tile_count)
        return cli_fail(call, CLI_USAGE, "needs --tiles or --insn");
    if ((pos_count && pos_count != tile_count) || (perm_count && perm_count != pack->rank))
        return cli_fail(call, CLI_USAGE,
                        "--pos needs a position for each tile, --perm one for each dimension");
    pack->tiles = (uint32_t)tile_count;
    for (size_t t = 0; t < tile_count; t++) {
        pack->tile[t] = tiles[t];
        if (pos_count)
            pack->pos[t] = pos[t] > LW_PACK_DIMS ? LW_PACK_DIMS : (uint32_t)pos[t];
    }
    for (size_t d = 0; d < perm_count; d++)
        pack->perm[d] = perm[d] > LW_PACK_DIMS ? LW_PACK_DIMS : (uint32_t)perm[d];
    return CLI_FINE;
}

/* A decimal of a float of 32 or 64 bits, as its bits. */
static bool read_float(lw_dtype dtype, const char *text, uint64_t *bits)
{
    uint8_t bytes[8];
    uint32_t word;
    lw_error error;
    if ((dtype != LW_DTYPE_F4 && dtype != LW_DTYPE_F8) || strncmp(text, "0x", 2) == 0 ||
        arg_value(arg_type_of(dtype), text, bytes, &error) != LW_OK)
        return false;
    memcpy(bits, bytes, sizeof(*bits));
    memcpy(&word, bytes, sizeof(word));
    *bits = dtype == LW_DTYPE_F4 ? word : *bits;
    return true;
}

/* --pad: a number, or bits as 0x..; of f16, 0 or bits. */
static int read_padding(const cli_call *call, lw_dtype dtype, uint64_t *bits)
{
    const char *text = cli_value(call, "pad");
    const unsigned size = (unsigned)lw_dtype_size(dtype);
    const bool is_float = dtype >= LW_DTYPE_F2, is_signed = dtype >= LW_DTYPE_I1 && dtype <= LW_DTYPE_I8;
    *bits = 0;
    if (!text || read_float(dtype, text, bits) ||
        (parse_integer(text, size, is_signed, bits) &&
         (!is_float || *bits == 0 || strncmp(text, "0x", 2) == 0)))
        return CLI_FINE;
    return cli_fail(call, CLI_USAGE, "--pad %s: needs %s of %u bytes", text,
                    !is_float              ? "an integer"
                    : dtype == LW_DTYPE_F2 ? "0, or the bits of a number as 0x.."
                                           : "a number, or its bits as 0x..",
                    size);
}

static void print_shape(const char *what, const uint64_t *shape, unsigned dims)
{
    printf("%s", what);
    for (unsigned d = 0; d < dims; d++)
        printf("%s%llu", d ? "x" : "", (unsigned long long)shape[d]);
    putchar('\n');
}

static int finish(const cli_call *call, const lw_npy *in, const lw_npy *out, const lw_pack *pack)
{
    lw_error error = { "" };
    const char *path = cli_value(call, "output");
    if (path) {
        const output_file file = { .path = path, .array = out };
        const int exit = output_check_read(call, path, call->operands[0], "the array");
        return exit == CLI_FINE ? output_write(call, &file, 1) : exit;
    }
    print_shape("from ", in->shape, in->dims);
    print_shape("to   ", out->shape, out->dims);
    return lw_pack_print(pack, target_sink, stdout, &error) == LW_OK ? CLI_FINE : CLI_USAGE;
}

static int pack_array(const cli_call *call, const lw_npy *in, lw_pack *pack)
{
    lw_npy out = { .dtype = in->dtype, .dims = in->dims };
    uint64_t padding;
    lw_error error = { "" };
    pack->rank = in->dims;
    memcpy(pack->shape, in->shape, in->dims * sizeof(in->shape[0]));
    int exit = read_packing(call, pack);
    if (exit == CLI_FINE)
        exit = read_padding(call, in->dtype, &padding);
    if (exit != CLI_FINE)
        return exit;
    lw_status st = lw_pack_shape(pack, out.shape, &error);
    out.dims = pack->rank + pack->tiles;
    if (st == LW_OK)
        st = pack_allocate(call, in->count * lw_dtype_size(in->dtype), &out, &error);
    if (st == LW_OK)
        st = lw_pack_array(pack, in->data, lw_dtype_size(in->dtype), cli_has(call, "pad") ? &padding : NULL,
                           out.data, &error);
    exit = st == LW_OK              ? finish(call, in, &out, pack)
           : st == LW_E_UNSUPPORTED ? cli_fail(call, CLI_USAGE, "%s", error.text)
                                    : cli_fail_status(call, NULL, st, &error);
    free(out.data);
    return exit;
}

/* --unpack: --shape is the shape of the array before packing. */
static int unpack_array(const cli_call *call, const lw_npy *in, lw_pack *pack)
{
    uint64_t shape[LW_PACK_DIMS], packed[2 * LW_PACK_DIMS];
    size_t dims;
    lw_npy out = { .dtype = in->dtype };
    lw_error error = { "" };
    int exit = read_list(call, "shape", 1, shape, &dims);
    if (exit == CLI_FINE && !dims)
        exit =
            cli_fail(call, CLI_USAGE, "--unpack needs --shape, of the array before it was packed, as in 7,5");
    pack->rank = out.dims = (unsigned)dims;
    memcpy(pack->shape, shape, dims * sizeof(shape[0]));
    memcpy(out.shape, shape, dims * sizeof(shape[0]));
    if (exit == CLI_FINE)
        exit = read_packing(call, pack);
    if (exit != CLI_FINE)
        return exit;
    lw_status st = lw_pack_shape(pack, packed, &error);
    if (st == LW_OK && (in->dims != pack->rank + pack->tiles ||
                        memcmp(in->shape, packed, in->dims * sizeof(packed[0])) != 0))
        return cli_fail(call, CLI_USAGE, "%s does not have the shape that this packing gives",
                        call->operands[0]);
    if (st == LW_OK)
        st = pack_allocate(call, in->count * lw_dtype_size(in->dtype), &out, &error);
    if (st == LW_OK)
        st = lw_unpack_array(pack, in->data, lw_dtype_size(in->dtype), out.data, &error);
    exit = st == LW_OK ? finish(call, in, &out, pack) : cli_fail_status(call, NULL, st, &error);
    free(out.data);
    return exit;
}

/* ---- --data-tiled ---- */

/* "MxNxK" and "f16,f16,f32"; the words of the types are in `words`, which the caller frees. */
static int read_product(const cli_call *call, lw_tiling_problem *p, char **words)
{
    const char *size = cli_value(call, "data-tiled"), *types = cli_value(call, "types");
    unsigned long n[3] = { 0, 0, 0 };
    int used = 0;
    if (sscanf(size, "%9lux%9lux%9lu%n", &n[0], &n[1], &n[2], &used) != 3 || size[used])
        return cli_fail(call, CLI_USAGE, "--data-tiled %s: must be MxNxK, as in 128x256x512", size);
    if (!types)
        return cli_fail(call, CLI_USAGE, "--data-tiled needs --types of A, B and C, as in f16,f16,f32");
    *words = cli_copy(types, strlen(types));
    char *second = strchr(*words, ','), *third = second ? strchr(second + 1, ',') : NULL;
    if (!third)
        return cli_fail(call, CLI_USAGE, "--types %s: needs three, of A, B and C, as in f16,f16,f32", types);
    *second = *third = '\0';
    p->m = (uint32_t)n[0];
    p->n = (uint32_t)n[1];
    p->k = (uint32_t)n[2];
    p->a = *words;
    p->b = second + 1;
    p->c = third + 1;
    p->chip = cli_value(call, "chip");
    return target_arch(call, true, &p->arch);
}

static int read_encoding(const cli_call *call, lw_data_tiling *e)
{
    lw_tiling_problem problem = { .m = 0 };
    lw_operand operand;
    lw_error error = { "" };
    char *words = NULL;
    const char *name = cli_value(call, "operand");
    int exit = read_product(call, &problem, &words);
    if (exit == CLI_FINE && (!name || lw_operand_find(name, &operand) != LW_OK || operand > LW_OPERAND_D))
        exit = cli_fail(call, CLI_USAGE, "--data-tiled needs --operand A, B or C");
    if (exit == CLI_FINE) {
        const lw_status st = lw_data_tiling_derive(&problem, operand, e, &error);
        exit = st == LW_OK              ? CLI_FINE
               : st == LW_E_UNSUPPORTED ? cli_fail(call, CLI_NO, "%s", error.text)
                                        : cli_fail_status(call, "--data-tiled", st, &error);
    }
    free(words);
    return exit;
}

/* The packed array's shape, or the matrix's. */
static void shape_of(const lw_data_tiling *e, bool packed, lw_npy *array)
{
    array->dims = packed ? e->dims : 2;
    for (uint32_t x = 0; x < array->dims; x++)
        array->shape[x] = packed ? e->dim[x].extent : e->shape[x];
}

static int show_encoding(const lw_data_tiling *e, const lw_npy *in, const lw_npy *out)
{
    print_shape("from ", in->shape, in->dims);
    print_shape("to   ", out->shape, out->dims);
    (void)lw_data_tiling_print(e, target_sink, stdout);
    puts(e->text);
    return CLI_FINE;
}

static int encode(const cli_call *call, const lw_data_tiling *e, const lw_npy *in)
{
    const bool back = cli_has(call, "unpack");
    const char *path = cli_value(call, "output");
    lw_npy out = { .dtype = in->dtype }, want = { .dtype = in->dtype };
    shape_of(e, back, &want);
    shape_of(e, !back, &out);
    if (in->dims != want.dims || memcmp(in->shape, want.shape, want.dims * sizeof(want.shape[0])) != 0)
        return cli_fail(call, CLI_USAGE, "%s does not have the shape of that operand", call->operands[0]);
    if (!path)
        return show_encoding(e, in, &out);
    lw_error error = { "" };
    lw_status st = pack_allocate(call, in->count * lw_dtype_size(in->dtype), &out, &error);
    if (st != LW_OK)
        return cli_fail_status(call, NULL, st, &error);
    const size_t size = lw_dtype_size(in->dtype);
    st = back ? lw_data_tiling_unpack(e, in->data, size, out.data)
              : lw_data_tiling_pack(e, in->data, size, out.data);
    const output_file file = { .path = path, .array = &out };
    int exit = st == LW_OK ? output_check_read(call, path, call->operands[0], "the array")
                           : cli_fail_status(call, NULL, st, NULL);
    if (exit == CLI_FINE)
        exit = output_write(call, &file, 1);
    free(out.data);
    return exit;
}

static int run_pack(const cli_call *call)
{
    if (cli_has(call, "multiply"))
        return pack_multiply(call);
    lw_npy in = { .dtype = LW_DTYPE_U1 };
    lw_pack pack = { .rank = 0 };
    uint64_t held = 0;
    if (call->operand_count != 1)
        return cli_fail(call, CLI_USAGE, "needs one array, not %zu: lanewise pack %s", call->operand_count,
                        call->verb->usage);
    int exit = file_read_array(call, NULL, call->operands[0], &held, &in);
    if (exit != CLI_FINE)
        return exit;
    lw_data_tiling encoding;
    if (cli_has(call, "data-tiled")) {
        exit = read_encoding(call, &encoding);
        if (exit == CLI_FINE)
            exit = encode(call, &encoding, &in);
    } else if (in.dims < 1 || in.dims > 2 * LW_PACK_DIMS ||
               (!cli_has(call, "unpack") && in.dims > LW_PACK_DIMS))
        exit = cli_fail(call, CLI_USAGE, "%s has %u dimensions: 1 to %d can be packed", call->operands[0],
                        in.dims, LW_PACK_DIMS);
    else
        exit = cli_has(call, "unpack") ? unpack_array(call, &in, &pack) : pack_array(call, &in, &pack);
    lw_npy_free(&in);
    return exit;
}

static const cli_option options[] = {
    { .name = "tiles", .value = "T,T", .help = "inner_tiles: elements of a tile along each position" },
    { .name = "pos", .value = "D,D", .help = "inner_dims_pos: the dimension of each tile; default 0,1,.." },
    { .name = "perm",
      .value = "D,D",
      .help = "outer_dims_perm: the order of the dimensions that count tiles" },
    { .name = "pad",
      .value = "VALUE",
      .help = "padding_value: a number, or bits as 0x.. (f16: 0 or bits);\nwithout it only full tiles" },
    { .name = "insn",
      .value = "INSN",
      .help = "tiles, positions and order of mmt4d for --operand of this matrix\ninstruction of --arch" },
    CLI_OPTION_ARCH,
    { .name = "operand", .value = "NAME", .help = "--insn: A, B, C or D" },
    { .name = "unpack", .help = "the inverse: the array is packed, --shape says what it was" },
    { .name = "shape", .value = "N,N", .help = "--unpack: the array's shape before it was packed" },
    { .name = "data-tiled",
      .value = "MxNxK",
      .help =
          "packs --operand of a product of --types as IREE's GPU data tiling does, for\n--arch and --chip" },
    { .name = "types",
      .value = "A,B,C",
      .help = "--data-tiled: f16, bf16, f32, fp8, bf8, i8 or i32 for each" },
    { .name = "chip",
      .value = "NAME",
      .help = "--data-tiled: mi300x and so on; the number of its compute units matters" },
    { .name = "multiply",
      .help =
          "the product of two packed arrays, A4.npy B4.npy, on the instruction of --insn, as\nlinalg.mmt4d "
          "computes it; C starts at 0" },
    { .name = "output",
      .value = "P.npy",
      .help = "write the result; without it shapes and offsets are shown",
      .letter = 'o' },
    CLI_OPTION_MEMORY_LIMIT,
};

static const cli_example examples[] = {
    { .command =
          "lanewise pack a.npy --insn v_mfma_f32_16x16x16_f16 --arch gfx942 --operand A --pad 0 -o p.npy",
      .says = "A in tiles of 16 x 16, one after another" },
    { .command = "lanewise pack a.npy --tiles 4,3 --pad 0",
      .says = "shape and offsets of tiles of 4 rows and 3 columns" },
    { .command =
          "lanewise pack ap.npy bp.npy --multiply --insn v_mfma_f32_16x16x16_f16 --arch gfx942 -o cp.npy",
      .says = "the product of packed arrays, packed" },
};

const cli_verb cli_verb_pack = {
    .name = "pack",
    .usage = "A.npy (--tiles T,T | --insn INSN --arch ARCH --operand NAME) [--pad VALUE] [--unpack --shape "
             "N,N] [-o P.npy]",
    .summary = "an array in tiles, and back, as linalg.pack lays it out",
    .text = "Lays an array out in tiles, as MLIR's linalg.pack does: first the dimensions that count tiles, "
            "in the order of --perm,\n"
            "then one for each of --tiles. Without -o it shows the shapes, where an element is, and the same "
            "as a CuTe layout.\n",
    .options = options,
    .option_count = CLI_COUNT(options),
    .examples = examples,
    .example_count = CLI_COUNT(examples),
    .run = run_pack,
};
