/* SPDX-License-Identifier: MIT */
/* lanewise info: everything that the rows say about one instruction. */
#include <inttypes.h>
#include <stdio.h>

#include <lanewise/mma.h>

#include "cli/info.h"
#include "cli/readings.h"
#include "cli/target.h"

static void print_operand(const lw_insn_info *info, lw_operand operand)
{
    const lw_operand_info *o = &info->operand[operand];
    if (!o->present)
        return;
    if (o->element_bits)
        printf("  %-8s %-10s %2u bits", lw_operand_name(operand), o->format, o->element_bits);
    else
        printf("  %-8s %-18s", lw_operand_name(operand), o->format);
    if (o->columns)
        printf("  %3u column%s  %s\n", o->columns, o->columns == 1 ? " " : "s", o->files);
    else if (o->registers == 0)
        printf("                %s\n", o->files);
    else
        printf("  %2u register%s  %s\n", o->registers, o->registers == 1 ? " " : "s", o->files);
}

static void print_archs(const lw_insn_info *info)
{
    fputs("on            ", stdout);
    for (int a = LW_ARCH_NONE + 1; a < LW_ARCH_COUNT; a++)
        if (info->archs >> a & 1)
            printf(" %s", lw_arch_get((lw_arch)a)->name);
    putchar('\n');
}

/* CDNA manuals give passes; RDNA's give cycles or nothing. PTX gives nothing of that kind. */
static void print_time(const lw_insn_info *info)
{
    const char *note = info->passes_note, *gap = note[0] ? "; " : "";
    if (info->passes)
        printf("passes         %u of four cycles%s%s\n", info->passes, gap, note);
    else if (info->cycles)
        printf("cycles         %u%s%s\n", info->cycles, gap, note);
    else if (note[0])
        printf("cycles         %s\n", note);
}

/* If waves may have 32 or 64 lanes: the registers of the other size, where they differ. */
static void print_other_wave(const lw_insn_info *info, const lw_insn *insn, const lw_mods *given)
{
    lw_mods mods = *given;
    const unsigned shown = given->wave ? given->wave : info->wave;
    const char *sep = "";
    if (info->wave_sizes != 3)
        return;
    mods.wave = (uint8_t)(96 - shown);
    printf("  the above in waves of %u lanes; in waves of %u: ", shown, mods.wave);
    for (int o = 0; o < LW_OPERAND_COUNT; o++) {
        lw_operand_info other;
        if (lw_insn_operand(info->arch, insn, (lw_operand)o, &mods, &other, NULL) != LW_OK)
            continue;
        printf("%s%s %u", sep, lw_operand_name((lw_operand)o), other.registers);
        sep = ", ";
    }
    puts(*sep ? " registers" : "these modifiers are not defined");
}

static void print_shape(const lw_insn_info *info)
{
    if (info->k == 0) {
        printf("shape          %u x %u\n", info->m, info->n);
        return;
    }
    printf("shape          %u x %u x %u", info->m, info->n, info->k);
    if (info->blocks > 1)
        printf(", %u blocks", info->blocks);
    printf("  (A is m x k, B is k x n, C and D are m x n)\n");
    if (info->sparse)
        printf("stored k       0 to %u: half the values of each row of A are stored, in the order of k\n",
               info->k / 2 - 1);
}

static void print_code(const lw_insn_info *info, const lw_insn *insn, const lw_mods *mods)
{
    char spelling[256];
    uint32_t descriptor = 0;
    if (!info->ptx_isa) {
        printf("encoding       %s, opcode 0x%02x, %u bytes\n", info->encoding, info->opcode, info->bytes);
        print_time(info);
        return;
    }
    if (lw_insn_print(info->arch, insn, mods, spelling, sizeof(spelling), NULL) == LW_OK)
        printf("spelling       %s\n", spelling);
    if (lw_insn_descriptor(info->arch, insn, mods, &descriptor) == LW_OK)
        printf("descriptor     0x%08" PRIx32 "\n", descriptor);
    printf("since          PTX ISA %u.%u\n", info->ptx_isa / 10, info->ptx_isa % 10);
}

static void print_text(const lw_insn_info *info, const lw_insn *insn, const lw_mods *mods)
{
    const lw_arch_info *arch = lw_arch_get(info->arch);
    printf("%s on %s, %s\n\n", info->mnemonic, arch->name, arch->marketing);
    print_shape(info);
    printf("family         %s%s%s%s\n", info->family,
           info->sparse ? info->ptx_isa ? ", A is sparse" : ", A is 4:2 sparse" : "",
           info->scaled ? ", A and B are scaled" : "",
           info->moves ? ", moves elements and computes nothing" : "");
    print_code(info, insn, mods);
    print_archs(info);
    for (int i = 0; i < LW_INSN_MAX_ALIASES && info->aliases[i]; i++)
        printf("also spelt     %s\n", info->aliases[i]);
    puts("\noperands");
    for (int o = 0; o < LW_OPERAND_COUNT; o++)
        print_operand(info, (lw_operand)o);
    print_other_wave(info, insn, mods);
    if (info->tuple_align > 1)
        printf("  tuples of registers begin at multiples of %u\n", info->tuple_align);
    if (info->scale_k)
        printf("  a scale is for %u k\n", info->scale_k);
    if (info->moves) {
        puts("\nwhat it does");
        target_print_wrapped(2, info->move_help);
    }
    printf("\nmodifiers      %s\n", info->modifiers[0] ? info->modifiers : "none");
    if (info->modifier_help[0])
        target_print_wrapped(2, info->modifier_help);
}

static void print_readings(const lw_insn_info *info, const lw_insn *insn)
{
    const lw_reading *c;
    bool any = false;
    for (size_t i = 0; (c = lw_reading_at(i)) != NULL; i++) {
        if (!lw_reading_concerns(info->arch, insn, c))
            continue;
        if (!any)
            puts("\nopen questions, read with --reading TOPIC:NAME");
        any = true;
        printf("  %s:%s%s (%s)\n", c->topic, c->name, c->is_default ? ", the default" : "",
               lw_label_name(c->label));
        target_print_wrapped(4, c->text);
    }
}

static void print_arithmetic(const lw_insn_info *info, const lw_insn *insn, const lw_mma *mma)
{
    lw_mma_rule rule;
    if (lw_mma_get_rule(mma, &rule) == LW_OK) {
        printf("\narithmetic     %s\n", rule.recipe);
        target_print_wrapped(2, rule.text);
    }
    puts("\nevidence");
    for (int a = 0; a < LW_MMA_ASPECT_COUNT; a++) {
        lw_mma_evidence e;
        if (lw_mma_get_evidence(mma, (lw_mma_aspect)a, &e) != LW_OK)
            continue;
        printf("  %-18s %s\n", lw_mma_aspect_name((lw_mma_aspect)a), lw_label_name(e.label));
        target_print_wrapped(21, e.source);
    }
    print_readings(info, insn);
}

static void write_arithmetic(cli_json *json, const lw_mma *mma)
{
    lw_mma_rule rule = { "", "" };
    lw_mma_get_rule(mma, &rule);
    json_string(json, "recipe", rule.recipe);
    json_string(json, "rule", rule.text);
    json_open(json, "evidence", '[');
    for (int a = 0; a < LW_MMA_ASPECT_COUNT; a++) {
        lw_mma_evidence e;
        if (lw_mma_get_evidence(mma, (lw_mma_aspect)a, &e) != LW_OK)
            continue;
        json_open(json, NULL, '{');
        json_string(json, "aspect", lw_mma_aspect_name((lw_mma_aspect)a));
        json_string(json, "label", lw_label_name(e.label));
        json_string(json, "source", e.source);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void write_readings(cli_json *json, const lw_insn_info *info, const lw_insn *insn)
{
    const lw_reading *c;
    json_open(json, "readings", '[');
    for (size_t i = 0; (c = lw_reading_at(i)) != NULL; i++) {
        if (!lw_reading_concerns(info->arch, insn, c))
            continue;
        json_open(json, NULL, '{');
        json_string(json, "topic", c->topic);
        json_string(json, "name", c->name);
        json_bool(json, "default", c->is_default);
        json_string(json, "label", lw_label_name(c->label));
        json_string(json, "text", c->text);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void write_operands(cli_json *json, const lw_insn_info *info)
{
    json_open(json, "operands", '[');
    for (int o = 0; o < LW_OPERAND_COUNT; o++) {
        if (!info->operand[o].present)
            continue;
        json_open(json, NULL, '{');
        json_string(json, "operand", lw_operand_name((lw_operand)o));
        json_string(json, "format", info->operand[o].format);
        json_uint(json, "element_bits", info->operand[o].element_bits);
        json_uint(json, "registers", info->operand[o].registers);
        if (info->operand[o].columns)
            json_uint(json, "columns", info->operand[o].columns);
        json_string(json, "files", info->operand[o].files);
        json_close(json, '}');
    }
    json_close(json, ']');
}

void info_write_head(cli_json *json, const lw_insn_info *info)
{
    json_string(json, "mnemonic", info->mnemonic);
    json_string(json, "arch", lw_arch_get(info->arch)->name);
    json_string(json, "family", info->family);
    json_uint(json, "m", info->m);
    json_uint(json, "n", info->n);
    json_uint(json, "k", info->k);
    if (info->sparse)
        json_uint(json, "stored_k", info->k / 2u);
    json_uint(json, "blocks", info->blocks);
    json_string(json, "encoding", info->encoding);
    if (info->ptx_isa) {
        json_uint(json, "ptx_isa", info->ptx_isa);
        json_bool(json, "moves", info->moves);
    } else {
        json_uint(json, "opcode", info->opcode);
        json_uint(json, "bytes", info->bytes);
        json_uint(json, "passes", info->passes);
        json_uint(json, "cycles", info->cycles);
    }
    json_uint(json, "wave", info->wave);
    json_string(json, "modifiers", info->modifiers);
    write_operands(json, info);
}

static void write_json(const lw_insn_info *info, const lw_insn *insn, const lw_mods *mods, const lw_mma *mma)
{
    char spelling[256];
    uint32_t descriptor = 0;
    cli_json json = { .out = stdout };
    json_open(&json, NULL, '{');
    info_write_head(&json, info);
    if (lw_insn_print(info->arch, insn, mods, spelling, sizeof(spelling), NULL) == LW_OK)
        json_string(&json, "spelling", spelling);
    if (lw_insn_descriptor(info->arch, insn, mods, &descriptor) == LW_OK)
        json_uint(&json, "descriptor", descriptor);
    json_string(&json, "passes_note", info->passes_note);
    json_string(&json, "modifier_help", info->modifier_help);
    if (info->moves)
        json_string(&json, "move_help", info->move_help);
    json_bool(&json, "c_inline", info->c_inline);
    json_uint(&json, "tuple_align", info->tuple_align);
    json_uint(&json, "scale_k", info->scale_k);
    json_open(&json, "aliases", '[');
    for (int i = 0; i < LW_INSN_MAX_ALIASES && info->aliases[i]; i++)
        json_string(&json, NULL, info->aliases[i]);
    json_close(&json, ']');
    json_open(&json, "archs", '[');
    for (int a = LW_ARCH_NONE + 1; a < LW_ARCH_COUNT; a++)
        if (info->archs >> a & 1)
            json_string(&json, NULL, lw_arch_get((lw_arch)a)->name);
    json_close(&json, ']');
    if (mma) {
        write_arithmetic(&json, mma);
        write_readings(&json, info, insn);
    }
    json_close(&json, '}');
}

/* With modifiers given, the formats and sizes that they select replace "by cbsz". */
static void apply_mods(lw_insn_info *info, const lw_insn *insn, const lw_mods *mods)
{
    for (int o = 0; o < LW_OPERAND_COUNT; o++) {
        lw_operand_info picked;
        if (info->operand[o].present &&
            lw_insn_operand(info->arch, insn, (lw_operand)o, mods, &picked, NULL) == LW_OK)
            info->operand[o] = picked;
    }
}

static lw_status prepare(const cli_call *call, lw_arch arch, const lw_insn *insn, const lw_mods *mods,
                         lw_mma **mma, lw_error *error)
{
    cli_readings readings;
    if (readings_read(call, &readings) != CLI_FINE)
        return LW_E_NOT_FOUND;
    const lw_mma_options options = { .struct_size = sizeof(lw_mma_options),
                                     .mods = mods,
                                     .readings = (const char *const *)readings.names,
                                     .reading_count = readings.count };
    const lw_status status = lw_mma_create(arch, insn, &options, mma, error);
    readings_free(&readings);
    return status;
}

static int run_info(const cli_call *call)
{
    lw_arch arch;
    const lw_insn *insn;
    lw_insn_info info;
    lw_mods mods;
    lw_mma *mma = NULL;
    lw_error error = { "" };
    int exit = target_insn(call, &arch, &insn);
    if (exit == CLI_FINE)
        exit = target_mods(call, arch, insn, &mods);
    if (exit != CLI_FINE)
        return exit;
    lw_status status = lw_insn_get_info(arch, insn, &info);
    if (status == LW_OK && !info.moves)
        status = prepare(call, arch, insn, &mods, &mma, &error);
    if (status != LW_OK)
        return cli_fail_status(call, call->operands[0], status, &error);
    if (cli_has(call, "mod") || cli_has(call, "wave") || info.ptx_isa)
        apply_mods(&info, insn, &mods);
    if (cli_has(call, "json")) {
        write_json(&info, insn, &mods, mma);
    } else {
        print_text(&info, insn, &mods);
        if (mma)
            print_arithmetic(&info, insn, mma);
    }
    lw_mma_free(mma);
    return CLI_FINE;
}

static const cli_option options[] = {
    CLI_OPTION_ARCH,
    { .name = "mod",
      .value = "NAME:VALUE",
      .help = "a modifier in the assembler's spelling",
      .repeats = true },
    CLI_OPTION_READING,
    { .name = "wave", .value = "32|64", .help = "lanes of the wave, where an instruction allows both" },
};

static const cli_example examples[] = {
    { .command = "lanewise info v_mfma_f32_16x16x16_f16 --arch gfx942",
      .says = "shape, formats, registers, modifiers and evidence of one instruction" },
    { .command =
          "lanewise info v_mfma_scale_f32_16x16x128_f8f6f4 --arch gfx950 --mod cbsz:fp4 --mod blgp:fp4",
      .says = "one whose formats are selected by modifiers" },
    { .command = "lanewise info v_smfmac_f32_16x16x32_f16 --arch gfx942 --json",
      .says = "the same for programs" },
    { .command = "lanewise info mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 --arch sm_90",
      .says = "a PTX instruction, as PTX spells it" },
};

const cli_verb cli_verb_info = {
    .name = "info",
    .usage = "INSN --arch ARCH [--mod NAME:VALUE]",
    .summary = "one instruction: shape, formats, registers, modifiers, arithmetic, evidence",
    .text = "Prints what the tables contain about one matrix instruction. INSN is the assembler's mnemonic; "
            "for\nPTX it is a full spelling, with its parts in any order that ptxas accepts, or the short "
            "name that list\nprints. Where sources leave the arithmetic open, the readings for --reading of "
            "eval and run are\nlisted.\n",
    .options = options,
    .option_count = CLI_COUNT(options),
    .examples = examples,
    .example_count = CLI_COUNT(examples),
    .run = run_info,
};
