/* SPDX-License-Identifier: MIT */
/* lanewise layout: where the elements of an operand are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <lanewise/layout.h>

#include "cli/arg.h"
#include "cli/layout_banks.h"
#include "cli/layout_check.h"
#include "cli/layout_convert.h"
#include "cli/layout_descriptor.h"
#include "cli/layout_index.h"
#include "cli/parse.h"
#include "cli/readings.h"
#include "cli/target.h"

/* A filter option: its number, or -1 if it is not given. */
static int read_filter(const cli_call *call, const char *option, int *filter)
{
    uint64_t number;
    const char *text = cli_value(call, option);
    *filter = -1;
    if (!text)
        return CLI_FINE;
    if (!parse_u64(text, &number) || number > 65535)
        return cli_fail(call, CLI_USAGE, "--%s %s: not a number", option, text);
    *filter = (int)number;
    return CLI_FINE;
}

static int read_filters(const cli_call *call, lw_layout_print_options *show)
{
    uint64_t element[3];
    size_t count;
    const char *text = cli_value(call, "element");
    int exit = read_filter(call, "lane", &show->lane);
    if (exit == CLI_FINE)
        exit = read_filter(call, cli_has(call, "reg") ? "reg" : "register", &show->reg);
    if (exit == CLI_FINE)
        exit = read_filter(call, "block", &show->block);
    if (exit != CLI_FINE || !text)
        return exit;
    if (!parse_numbers(text, 0, 2, element, &count) || count != 2 || element[0] > 65535 || element[1] > 65535)
        return cli_fail(call, CLI_USAGE, "--element %s: needs two numbers, ROW,COL as in --element 3,5",
                        text);
    show->x = (int)element[0];
    show->y = (int)element[1];
    return CLI_FINE;
}

static int terminal_columns(void)
{
#ifdef TIOCGWINSZ
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40)
        return size.ws_col;
#endif
    return 0;
}

static const char format_names[] =
    "grid, listing, csv, json, svg, table, formula, cute, triton, gluon, iree, tirx, ck, calculator, latex";

static int read_format(const cli_call *call, lw_layout_format *format, bool *sentences)
{
    const char *name = cli_value(call, "format");
    const bool json = cli_has(call, "json");
    const bool filtered = cli_has(call, "lane") || cli_has(call, "register") || cli_has(call, "reg") ||
                          cli_has(call, "element");
    *format = json ? LW_LAYOUT_JSON : LW_LAYOUT_GRID;
    *sentences = !name && !json && filtered;
    if (name && lw_layout_format_find(name, format) != LW_OK)
        return cli_fail(call, CLI_USAGE, "--format %s: must be one of %s", name, format_names);
    if (name && json && *format != LW_LAYOUT_JSON)
        return cli_fail(call, CLI_USAGE, "--json and --format %s contradict each other", name);
    return CLI_FINE;
}

/*
 * "A[i=3][k=5]", with the block if there are several; for a sparse A with its index "A[i=3][k=18], stored k
 * 9".
 */
static void print_element(const cli_call *call, const lw_layout *layout, const lw_layout_info *info,
                          const lw_layout_entry *e)
{
    unsigned stored;
    printf("%s", lw_operand_name(info->operand));
    if (info->blocks > 1)
        printf("[block %u]", e->block);
    printf("[%s=%u][%s=%u]", info->x_name, e->x, info->y_name, e->y);
    if (cli_has(call, "index") && lw_layout_stored_k(layout, e, &stored) == LW_OK)
        printf(", stored k %u", stored);
}

static bool matches(const lw_layout_print_options *show, const lw_layout_entry *e)
{
    const unsigned first = e->reg, last = e->reg + e->msb / 32u;
    return (show->lane < 0 || show->lane == e->lane) &&
           (show->reg < 0 || ((unsigned)show->reg >= first && (unsigned)show->reg <= last)) &&
           (show->block < 0 || show->block == e->block) && (show->x < 0 || show->x == e->x) &&
           (show->y < 0 || show->y == e->y);
}

/* The answer to --lane, --register or --element: one line per place. */
static int print_sentences(const cli_call *call, const lw_layout *layout, const lw_layout_print_options *show)
{
    lw_layout_info info;
    size_t count = 0;
    lw_layout_get_info(layout, &info);
    lw_layout_entries(layout, NULL, 0, &count);
    lw_layout_entry *entries = cli_alloc(count * sizeof(*entries));
    const lw_status status = lw_layout_entries(layout, entries, count, &count);
    if (status != LW_OK) {
        free(entries);
        return cli_fail_status(call, NULL, status, NULL);
    }
    size_t shown = 0;
    for (size_t i = 0; i < count; i++) {
        if (!matches(show, &entries[i]))
            continue;
        printf("lane %2u  %s %2u  bits %2u:%-2u  ", entries[i].lane, info.columns ? "column" : "register",
               entries[i].reg, entries[i].msb, entries[i].lsb);
        print_element(call, layout, &info, &entries[i]);
        putchar('\n');
        shown++;
    }
    free(entries);
    if (shown == 0)
        puts(show->y >= 0 && cli_has(call, "index")
                 ? "nothing: by the index no value of that k is stored there"
                 : "nothing: that place holds no element of the operand");
    if (info.open) {
        char text[1024];
        snprintf(text, sizeof(text), "Open: %s", info.open);
        target_print_wrapped(0, text);
    }
    return CLI_FINE;
}

/* The library refuses filters outside the operand: this requests a listing that is not shown. */
static lw_status drop(void *context, const char *text, size_t size)
{
    (void)context, (void)text, (void)size;
    return LW_OK;
}

static int print_layout(const cli_call *call, const lw_layout *layout)
{
    lw_layout_print_options show = lw_layout_print_options_default();
    lw_layout_format format;
    bool sentences;
    lw_error error = { "" };
    int exit = read_filters(call, &show);
    if (exit == CLI_FINE)
        exit = read_format(call, &format, &sentences);
    if (exit != CLI_FINE)
        return exit;

    const bool terminal = isatty(STDOUT_FILENO);
    show.colour = terminal && !getenv("NO_COLOR");
    show.columns = (uint16_t)(terminal ? terminal_columns() : 0);
    show.unfold = cli_has(call, "unfold");
    /* The library refuses filters that match nothing; sentences are the program's own. */
    const lw_status status = sentences ? lw_layout_print(layout, LW_LAYOUT_LISTING, &show, drop, NULL, &error)
                                       : lw_layout_print(layout, format, &show, target_sink, stdout, &error);
    if (status == LW_OK && sentences)
        return print_sentences(call, layout, &show);
    if (status == LW_E_IO) /* error on stdout, which the end of the program reports */
        return CLI_USAGE;
    if (status == LW_E_UNSUPPORTED) /* the notation cannot express it */
        return cli_fail(call, CLI_NO, "%s", error.text);
    return status == LW_OK ? CLI_FINE : cli_fail_status(call, NULL, status, &error);
}

/* A wave size that the instruction has. Everything else that depends on it is read with the modifiers. */
static int check_wave(const cli_call *call, lw_arch arch, const lw_insn *insn)
{
    lw_insn_info info;
    const char *text = cli_value(call, "wave");
    if (!text)
        return CLI_FINE;
    if (strcmp(text, "32") != 0 && strcmp(text, "64") != 0)
        return cli_fail(call, CLI_USAGE, "--wave %s: must be 32 or 64", text);
    if (lw_insn_get_info(arch, insn, &info) == LW_OK && !(info.wave_sizes & (text[0] == '3' ? 1u : 2u)))
        return cli_fail(call, CLI_USAGE, "%s runs in waves of %s lanes only, not %s", info.mnemonic,
                        text[0] == '3' ? "64" : "32", text);
    return CLI_FINE;
}

/* "A, B, C, D, index": the operands of the instruction, for an option that is missing or misspelt. */
static int fail_operand(const cli_call *call, lw_arch arch, const lw_insn *insn)
{
    char names[64] = "";
    lw_insn_info info;
    const char *given = cli_value(call, "operand");
    if (lw_insn_get_info(arch, insn, &info) != LW_OK)
        return cli_fail_status(call, NULL, LW_E_ARCH, NULL);
    for (int o = 0; o < LW_OPERAND_COUNT; o++)
        if (info.operand[o].present) {
            strcat(names, names[0] ? ", " : "");
            strcat(names, lw_operand_name((lw_operand)o));
        }
    return given ? cli_fail(call, CLI_USAGE, "--operand %s: %s has %s", given, info.mnemonic, names)
                 : cli_fail(call, CLI_USAGE, "which operand? Say --operand, one of %s", names);
}

static int read_operand(const cli_call *call, lw_arch arch, const lw_insn *insn, lw_operand *operand)
{
    const char *name = cli_has(call, "operand") ? cli_value(call, "operand")
                       : cli_has(call, "next")  ? "D"
                                                : NULL;
    lw_insn_info info;
    if (!name || lw_operand_find(name, operand) != LW_OK || lw_insn_get_info(arch, insn, &info) != LW_OK ||
        !info.operand[*operand].present)
        return fail_operand(call, arch, insn);
    return CLI_FINE;
}

/* --probe: the program goes to standard output; options that narrow a picture make no sense with it. */
static int print_probe(const cli_call *call, lw_arch arch, const lw_insn *insn, const lw_mods *mods)
{
    static const char *const others[] = { "operand", "format", "lane",   "register", "reg",
                                          "element", "block",  "unfold", "json",     "index" };
    lw_error error = { "" };
    for (size_t i = 0; i < CLI_COUNT(others); i++)
        if (cli_has(call, others[i]))
            return cli_fail(call, CLI_USAGE, "--probe writes a program for all operands and takes no --%s",
                            others[i]);
    const lw_status status = lw_layout_probe(arch, insn, 0, mods, target_sink, stdout, &error);
    if (status == LW_E_IO) /* error on stdout, which the end of the program reports */
        return CLI_USAGE;
    return status == LW_OK ? CLI_FINE : cli_fail_status(call, NULL, status, &error);
}

/* With --index: A addressed by the k of the dense matrix. */
static int create_indexed(const cli_call *call, lw_arch arch, const lw_insn *insn, lw_operand operand,
                          const lw_mods *mods, lw_layout **layout)
{
    lw_error error = { "" };
    lw_insn_info info;
    uint8_t *nibbles = NULL;
    size_t count = 0;
    if (lw_insn_get_info(arch, insn, &info) == LW_OK && (!info.sparse || operand != LW_OPERAND_A))
        return cli_fail(call, CLI_USAGE, "--index is for operand A of a sparse instruction%s%s",
                        info.sparse ? "" : "; there is none in ", info.sparse ? "" : info.mnemonic);
    const int exit = layout_index_read(call, arch, insn, mods, &nibbles, &count);
    if (exit != CLI_FINE)
        return exit;
    const lw_status status = lw_layout_create_indexed(arch, insn, 0, mods, nibbles, count, layout, &error);
    free(nibbles);
    return status == LW_OK ? CLI_FINE : cli_fail_status(call, "--index", status, &error);
}

static int create_layout(const cli_call *call, lw_arch arch, const lw_insn *insn, lw_operand operand,
                         const lw_mods *mods, lw_layout **layout)
{
    lw_error error = { "" };
    if (cli_has(call, "index"))
        return create_indexed(call, arch, insn, operand, mods, layout);
    const lw_status status = lw_layout_create(arch, insn, operand, 0, mods, layout, &error);
    return status == LW_OK ? CLI_FINE : cli_fail_status(call, NULL, status, &error);
}

static int print_operand(const cli_call *call, lw_arch arch, const lw_insn *insn, lw_operand operand,
                         const lw_mods *mods)
{
    lw_layout *layout = NULL;
    int exit = create_layout(call, arch, insn, operand, mods, &layout);
    if (exit != CLI_FINE)
        return exit;
    exit = cli_has(call, "banks")   ? layout_banks(call, arch, layout)
           : cli_has(call, "next")  ? layout_next(call, arch, insn, mods, layout)
           : cli_has(call, "check") ? layout_check(call, layout)
                                    : print_layout(call, layout);
    lw_layout_free(layout);
    return exit;
}

/* --operand all: each operand of the instruction, with its name unless the sentences name it. */
static int print_all(const cli_call *call, lw_arch arch, const lw_insn *insn, const lw_mods *mods)
{
    lw_insn_info info;
    int worst = CLI_FINE;
    const bool names = cli_has(call, "format") ||
                       !(cli_has(call, "lane") || cli_has(call, "register") || cli_has(call, "reg"));
    if (cli_has(call, "json") || cli_has(call, "index") || cli_has(call, "element") ||
        cli_has(call, "check") || cli_has(call, "banks"))
        return cli_fail(
            call, CLI_USAGE,
            "--operand all cannot be combined with --json, --index, --element, --check, --banks and --next");
    if (lw_insn_get_info(arch, insn, &info) != LW_OK)
        return cli_fail_status(call, NULL, LW_E_ARCH, NULL);
    for (int o = 0; o < LW_OPERAND_COUNT && worst <= CLI_NO; o++) {
        if (!info.operand[o].present)
            continue;
        if (names)
            printf("%s:\n", lw_operand_name((lw_operand)o));
        if (info.operand[o].registers == 0 && info.operand[o].columns == 0) {
            printf("in %s, where a descriptor says: --descriptor\n", info.operand[o].files);
            continue;
        }
        const int exit = print_operand(call, arch, insn, (lw_operand)o, mods);
        worst = exit > worst ? exit : worst;
    }
    return worst;
}

static int run_layout(const cli_call *call)
{
    lw_arch arch;
    const lw_insn *insn;
    lw_operand operand;
    lw_mods mods;

    if (cli_has(call, "guess"))
        return layout_guess(call);
    if (layout_is_free(call))
        return layout_convert(call);
    int exit = target_insn(call, &arch, &insn);
    if (exit == CLI_FINE)
        exit = check_wave(call, arch, insn);
    if (exit == CLI_FINE)
        exit = target_mods(call, arch, insn, &mods);
    if (exit == CLI_FINE && cli_has(call, "probe"))
        return print_probe(call, arch, insn, &mods);
    const char *name = cli_value(call, "operand");
    if (exit == CLI_FINE && (cli_has(call, "check-a") || cli_has(call, "check-b")))
        return layout_check_both(call, arch, insn, &mods);
    if (exit == CLI_FINE && name && strcmp(name, "all") == 0)
        return print_all(call, arch, insn, &mods);
    if (exit == CLI_FINE)
        exit = read_operand(call, arch, insn, &operand);
    if (exit == CLI_FINE && cli_has(call, "descriptor"))
        return layout_descriptor(call, arch, insn, operand, &mods);
    return exit == CLI_FINE ? print_operand(call, arch, insn, operand, &mods) : exit;
}

static const cli_option options[] = {
    CLI_OPTION_ARCH,
    { .name = "operand", .value = "NAME", .help = "A, B, C, D, index, scale_a, scale_b, or all of them" },
    { .name = "format",
      .value = "FORMAT",
      .help = "grid (default), listing, csv, json, svg, table, formula, or\nanother tool's notation: cute, "
              "triton, gluon, iree, tirx, ck,\ncalculator, latex" },
    { .name = "check",
      .value = "NOTATION|@FILE",
      .help = "is this the operand's layout? CuTe, Triton, Gluon, IREE, TIRx, CK,\na listing, AMD's "
              "calculator, C functions or lane arithmetic; exit\nstatus 1 and what is wrong if not" },
    { .name = "check-a",
      .value = "NOTATION|@FILE",
      .help = "the same for A, together with --check-b: k may be renamed\nalike in both" },
    { .name = "check-b", .value = "NOTATION|@FILE", .help = "the same of B" },
    { .name = "guess",
      .value = "NOTATION|@FILE",
      .help = "without INSN: which operands have this layout, of --arch or of all" },
    { .name = "banks",
      .value = "ACCESS",
      .help =
          "bank conflicts of loading the operand from a tile in LDS or shared\nmemory, by accesses of b32, "
          "b64 .. b128 per lane (write:b64 for\nwrites) or ldmatrix, and the swizzle or padding that removes "
          "them" },
    { .name = "tile",
      .value = "NOTATION|@FILE",
      .help = "--banks: how the tile is laid out in memory: CuTe with or without\nSwizzle, Triton's shared "
              "layouts, "
              "SWIZZLE_128B, xor_shuffle,\nTIRx, 'offset = 64*row + (col ^ row%8*8)'; default: plain" },
    { .name = "shape",
      .value = "RxC",
      .help = "--banks: rows and columns of the tile; default: of the operand" },
    { .name = "next",
      .value = "[INSN:]NAME",
      .help = "which lanes must exchange what so that D (or --operand) becomes this\noperand of the next "
              "instruction, or "
              "that no exchange is needed" },
    { .name = "convert",
      .value = "NOTATION|@FILE",
      .help =
          "without INSN: a layout of --shape, written as --to; coordinates\nare --operand's (default D)" },
    { .name = "to",
      .value = "FORMAT",
      .help = "--convert: formula, cute, triton, gluon, iree, tirx, ck, listing,\ngrid or svg; with --tile "
              "instead: cute, triton, iree, tirx, grid, listing" },
    { .name = "width", .value = "BITS", .help = "--tile without INSN: bits of an element; default 16" },
    { .name = "algebra",
      .value = "EXPRESSION",
      .help = "CuTe's layouts with coalesce(A), compose(A, B), complement(A, n),\ndivide(A, B), inverse(A)" },
    { .name = "descriptor",
      .value = "BITS",
      .help = "A or B of wgmma or tcgen05.mma in shared memory under that matrix descriptor\n(64 bits): the "
              "byte address of "
              "each 16 bytes, of each\nelement with --format listing, of one with --element;\n"
              "also --format cute, triton, iree, tirx" },
    { .name = "lane", .value = "L", .help = "only what lane L holds" },
    { .name = "register", .value = "R", .help = "only register R, counted from the operand's first" },
    { .name = "reg", .value = "R", .help = "the same as --register" },
    { .name = "element",
      .value = "X,Y",
      .help = "only this element: i,k of A (sparse A: i,stored k, or with\n--index i,k); k,j of B; i,j of C "
              "and D" },
    { .name = "index",
      .value = "VALUE|I.npy",
      .help = "sparse A: its index, so that k is that of the dense matrix:\nthe register's value in every "
              "lane, uint32 registers x lanes,\nor uint8 as for eval" },
    { .name = "block", .value = "B", .help = "only this block" },
    { .name = "mod",
      .value = "NAME:VALUE",
      .help = "a modifier in the assembler's spelling",
      .repeats = true },
    CLI_OPTION_READING,
    { .name = "wave", .value = "32|64", .help = "lanes of the wave, where an instruction allows both" },
    { .name = "unfold", .help = "grid, svg: a cell per element even where adjacent ones share a register" },
    { .name = "probe", .help = "print a program that finds the layouts on hardware" },
    CLI_OPTION_MEMORY_LIMIT,
};

static const cli_example examples[] = {
    { .command = "lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand A",
      .says = "the matrix as a grid, lane and register in each cell" },
    { .command = "lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand D --element 3,5",
      .says = "which lane and register hold row 3, column 5 of D?" },
    { .command = "lanewise layout v_mfma_f32_32x32x8_f16 --arch gfx942 --operand B --lane 40 --register 1",
      .says = "what does lane 40 hold in its second register of B?" },
    { .command = "lanewise layout v_mfma_scale_f32_16x16x128_f8f6f4 --arch gfx950 --operand A --mod cbsz:fp4 "
                 "--format listing",
      .says = "LANE REG LSB MSB BLOCK X Y, one line per element, for scripts" },
    { .command =
          "lanewise layout v_mfma_f32_4x4x4_16b_f16 --arch gfx942 --operand A --mod cbsz:2 --mod abid:1 "
          "--format csv",
      .says = "with a broadcast of block 1 to groups of four blocks" },
    { .command =
          "lanewise layout v_smfmac_f32_16x16x32_f16 --arch gfx942 --operand index --format svg >index.svg",
      .says = "the index of a sparse A, as a picture" },
    { .command = "lanewise layout v_smfmac_f32_16x16x32_f16 --arch gfx942 --operand A --index 0xe4e4e4e4 "
                 "--element 3,22",
      .says = "where A[3][22] of the dense matrix is stored, under that index" },
    { .command = "lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand D --format cute",
      .says = "as CuTe writes it: ((16,4),4):((16,4),1)" },
    { .command = "lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand all --lane 17",
      .says = "what lane 17 holds of every operand" },
    { .command = "lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand A --check 'i = l%16, k = "
                 "4*(l/16)+v'",
      .says = "is that the layout? CuTe's and other tools' notations are read too" },
    { .command =
          "lanewise layout v_mfma_f32_16x16x32_f16 --arch gfx950 --operand A --banks b128 --shape 64x64",
      .says = "bank conflicts of its loads from 64 rows of 64, and how to avoid them" },
    { .command = "lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand D --next B",
      .says = "can the result be B of the next one without moving lanes?" },
    { .command = "lanewise layout --convert '((16,4),4):((1,64),16)' --operand A --shape 16x16 --to triton",
      .says = "a layout of 16 rows and 16 k in another notation" },
    { .command = "lanewise layout --guess 'i = l%16, k = 4*(l/16)+v' --arch gfx942",
      .says = "which operands have this layout?" },
    { .command = "lanewise layout wgmma.m64n64k16.f32.f16.f16 --arch H100 --operand B --descriptor "
                 "0x4000004000010040 --element 9,9",
      .says = "where wgmma reads B[9][9] under that descriptor" },
    { .command = "lanewise layout --tile SWIZZLE_128B --shape 64x64 --to cute",
      .says = "a tile in shared memory in another notation" },
    { .command = "lanewise layout --algebra 'compose((6,2):(8,2), (4,3):(3,1))'", .says = "CuTe's algebra" },
    { .command = "lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --probe >probe.hip",
      .says = "a HIP program that finds the layouts on a real gfx942 and compares" },
    { .command = "lanewise layout mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --arch sm_80 --operand B",
      .says = "a fragment of PTX; its lanes are the threads of a warp" },
};

const cli_verb cli_verb_layout = {
    .name = "layout",
    .usage = "INSN --arch ARCH (--operand NAME [--format FORMAT] [filters] [--check NOTATION] | --probe)",
    .summary = "where each matrix element is: lane, register and bits",
    .text =
        "Shows which lane, register and bits hold each element of an operand. Registers count from the\n"
        "operand's first. With --lane, --register or --element and no --format the answer is a line per "
        "place.\n"
        "Half the values of a sparse A are stored: 'stored k' is the number of a value among them. With "
        "--index,\nk is that of the dense matrix, in options and in answers.\n"
        "A listing is sorted by register, bit, lane, block, X, Y; an element held by several lanes has a\n"
        "line for each. Where sources contradict each other or are silent, a line \"Open\" says so (in "
        "JSON\nthe field \"open\"; listing and csv contain the elements and nothing else). --probe prints a "
        "program that\nsets single elements on a GPU, finds which of them are multiplied, and compares with "
        "the layout shown here.\n",
    .options = options,
    .option_count = CLI_COUNT(options),
    .examples = examples,
    .example_count = CLI_COUNT(examples),
    .run = run_layout,
};
