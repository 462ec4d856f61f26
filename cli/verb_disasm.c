/* SPDX-License-Identifier: MIT */
/* lanewise disasm: a code object's machine code, printed as llvm-objdump -d prints it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/disasm.h>

#include "cli/arg.h"
#include "cli/disasm_block.h"
#include "cli/file.h"
#include "cli/json.h"
#include "cli/target.h"

typedef struct listing {
    const lw_program *program;
    const lw_section *section;
    const char *only; /* the one symbol to print; NULL: all */
    bool lines;       /* source lines too */
    lw_line *line;    /* of the previous instruction; line 0: none */
    block *block;
    cli_json *json; /* NULL: text */
} listing;

/* A stretch of code from one symbol to the next. */
typedef struct stretch {
    const char *name;
    uint64_t start, end; /* addresses */
} stretch;

/* Zero bytes are left out in runs of eight or more, in whole dwords (as llvm-objdump does). */
static size_t count_zeros(const uint8_t *bytes, size_t size)
{
    size_t n = 0;
    while (n < size && bytes[n] == 0)
        n++;
    return n < 8 ? 0 : n & ~(size_t)3;
}

/* The last symbol at or before `address` in the section; the last one if several are at one place. */
static const lw_symbol *find_symbol(const listing *l, uint64_t address)
{
    const lw_symbol *best = NULL;
    for (size_t i = 0; i < lw_program_symbol_count(l->program); i++) {
        const lw_symbol *s = lw_program_symbol_at(l->program, i);
        if (s->address >= l->section->address && s->address <= address)
            best = s;
    }
    return address < l->section->address + l->section->size ? best : NULL;
}

/* A label is a symbol without a type; the first one if several have one address. */
static const lw_symbol *find_label(const listing *l, uint64_t address)
{
    for (size_t i = 0; i < lw_program_symbol_count(l->program); i++) {
        const lw_symbol *s = lw_program_symbol_at(l->program, i);
        if (s->address == address && !s->is_function && !s->is_object &&
            address - l->section->address < l->section->size)
            return s;
    }
    return NULL;
}

/* A branch to a label is printed with the label instead of its distance, the last operand. */
static void name_label(const listing *l, lw_disasm *in)
{
    const lw_symbol *label = in->target ? find_label(l, in->target) : NULL;
    char *operand = strrchr(in->text, ' ');
    if (!label || !operand)
        return;
    const size_t before = (size_t)(operand + 1 - in->text);
    if (before + strlen(label->name) >= sizeof(in->text))
        return;
    strcpy(operand + 1, label->name);
    in->branches = false;
}

/* Bytes that are not an instruction: a dword, or what remains after the last whole one. */
static void read_data(const uint8_t *bytes, size_t size, lw_disasm *out)
{
    *out = (lw_disasm){ .size = size < 4 ? size : 4 };
    if (out->size == 4) {
        snprintf(out->text, sizeof(out->text), ".long 0x%02x%02x%02x%02x", bytes[3], bytes[2], bytes[1],
                 bytes[0]);
        return;
    }
    strcpy(out->text, ".byte ");
    for (size_t i = 0; i < out->size; i++)
        snprintf(out->text + strlen(out->text), 16, "%s0x%02x", i ? ", " : "", bytes[i]);
}

static void read_line(const listing *l, uint64_t address, const uint8_t *bytes, size_t size, lw_disasm *out)
{
    if (lw_disasm_program(l->program, bytes, size, address, out) != LW_OK)
        read_data(bytes, size, out);
}

/* " <name+0x10>" */
static void put_target(const listing *l, uint64_t target)
{
    const lw_symbol *symbol = find_symbol(l, target);
    char distance[32] = "";
    if (!symbol)
        return;
    if (target != symbol->address)
        snprintf(distance, sizeof(distance), "+0x%" PRIx64, target - symbol->address);
    block_put(l->block, " <", 2);
    block_put(l->block, symbol->name, strlen(symbol->name));
    block_put(l->block, distance, strlen(distance));
    block_put(l->block, ">", 1);
}

static void print_line(const listing *l, uint64_t address, const uint8_t *bytes, const lw_disasm *in)
{
    block_instruction(l->block, address, bytes, in, in->branches);
    if (!in->branches)
        return;
    put_target(l, in->target);
    block_put(l->block, "\n", 1);
}

/*
 * "; add.c:5" if an instruction, by its address or (PTX) number, comes from a different line than the
 * previous one. An instruction of line 0 comes from no line; nothing is printed for it, but the next one that
 * has a line gets one.
 */
static void print_source(const listing *l, uint64_t place)
{
    lw_line line;
    if (lw_program_line(l->program, place, &line, NULL) != LW_OK)
        line.line = 0;
    if (line.line && (line.line != l->line->line || strcmp(line.file, l->line->file) != 0)) {
        block_flush(l->block);
        printf("; %s:%u\n", line.file, line.line);
    }
    if (line.line)
        *l->line = line;
    else
        l->line->line = 0;
}

static void write_source(const listing *l, uint64_t place)
{
    lw_line line;
    if (lw_program_line(l->program, place, &line, NULL) != LW_OK || !line.line)
        return;
    json_string(l->json, "source_file", line.file);
    json_uint(l->json, "source_line", line.line);
}

static void write_line(const listing *l, uint64_t address, const uint8_t *bytes, const lw_disasm *in)
{
    char hex[64] = "";
    for (size_t i = 0; i < in->size && i < 24; i++)
        snprintf(hex + 2 * i, 3, "%02x", bytes[i]);
    json_open(l->json, NULL, '{');
    json_uint(l->json, "address", address);
    json_string(l->json, "bytes", hex);
    json_string(l->json, "text", in->text);
    if (in->branches)
        json_uint(l->json, "target", in->target);
    if (l->lines)
        write_source(l, address);
    json_close(l->json, '}');
}

static void list_stretch(const listing *l, const stretch *s)
{
    const uint8_t *bytes = l->section->data + (s->start - l->section->address);
    const size_t size = (size_t)(s->end - s->start);
    if (l->json) {
        json_open(l->json, NULL, '{');
        json_string(l->json, "symbol", s->name);
        json_open(l->json, "instructions", '[');
    } else {
        printf("\n%016" PRIx64 " <%s>:\n", s->start, s->name);
    }
    if (l->lines && !l->json) {
        printf("; %s():\n", s->name);
        l->line->line = 0;
    }
    for (size_t at = 0; at < size;) {
        lw_disasm in;
        const size_t zeros = count_zeros(bytes + at, size - at);
        if (zeros) {
            if (!l->json)
                block_put(l->block, "\t\t...\n", 6);
            at += zeros;
            continue;
        }
        read_line(l, s->start + at, bytes + at, size - at, &in);
        if (l->json) {
            write_line(l, s->start + at, bytes + at, &in);
        } else {
            name_label(l, &in);
            if (l->lines)
                print_source(l, s->start + at);
            print_line(l, s->start + at, bytes + at, &in);
        }
        at += in.size;
    }
    block_flush(l->block);
    if (l->json) {
        json_close(l->json, ']');
        json_close(l->json, '}');
    }
}

/* The stretch that starts at `start`: up to the next symbol. */
static stretch find_stretch(const listing *l, uint64_t start)
{
    const lw_symbol *here = find_symbol(l, start);
    stretch s = { .name = here ? here->name : l->section->name,
                  .start = start,
                  .end = l->section->address + l->section->size };
    for (size_t i = 0; i < lw_program_symbol_count(l->program); i++) {
        const uint64_t address = lw_program_symbol_at(l->program, i)->address;
        if (address > start && address < s.end)
            s.end = address;
    }
    return s;
}

static void list_section(const listing *l)
{
    const uint64_t end = l->section->address + l->section->size;
    if (!l->json)
        printf("\nDisassembly of section %s:\n", l->section->name);
    for (uint64_t at = l->section->address; at < end;) {
        const stretch s = find_stretch(l, at);
        if (!l->only || strcmp(l->only, s.name) == 0)
            list_stretch(l, &s);
        at = s.end;
    }
}

static bool holds(const listing *l, const lw_section *section)
{
    const lw_program *p = l->program;
    if (!section->executable || section->size == 0)
        return false;
    for (size_t i = 0; l->only && i < lw_program_symbol_count(p); i++) {
        const lw_symbol *s = lw_program_symbol_at(p, i);
        if (strcmp(s->name, l->only) == 0 && s->address >= section->address &&
            s->address < section->address + section->size)
            return true;
    }
    return !l->only;
}

/* ---- PTX: the text of its instructions, with the lines they are on ---- */

/* "// line 12, add.cu:5" */
static void print_place(const lw_program *program, uint64_t number, const lw_program_text *text)
{
    lw_line line;
    printf("// line %u", text->line);
    if (lw_program_line(program, number, &line, NULL) == LW_OK && line.line)
        printf(", %s:%u", line.file, line.line);
    puts(text->supported ? "" : ", not supported");
}

static void write_text(const listing *l, uint64_t number, const lw_program_text *text)
{
    lw_line line;
    json_open(l->json, NULL, '{');
    json_uint(l->json, "number", number);
    json_string(l->json, "text", text->text);
    json_uint(l->json, "line", text->line);
    json_bool(l->json, "supported", text->supported);
    if (lw_program_line(l->program, number, &line, NULL) == LW_OK) {
        json_string(l->json, "source_file", line.file);
        json_uint(l->json, "source_line", line.line);
    }
    json_close(l->json, '}');
}

static void list_labels(const listing *l, const lw_symbol *function, uint64_t number, size_t *next)
{
    const size_t count = lw_program_symbol_count(l->program);
    for (; *next < count && lw_program_symbol_at(l->program, *next)->address <= number; ++*next) {
        const lw_symbol *s = lw_program_symbol_at(l->program, *next);
        if (s != function && !s->is_function && !l->json)
            printf("%s:\n", s->name);
    }
}

static void list_function(const listing *l, size_t symbol)
{
    const lw_symbol *function = lw_program_symbol_at(l->program, symbol);
    size_t next = symbol;
    if (l->json) {
        json_open(l->json, NULL, '{');
        json_string(l->json, "symbol", function->name);
        json_open(l->json, "instructions", '[');
    } else {
        printf("\n%s:\n", function->name);
    }
    for (uint64_t i = function->address; i < function->address + function->size; i++) {
        lw_program_text text;
        if (lw_program_text_at(l->program, i, &text, NULL) != LW_OK)
            break;
        list_labels(l, function, i, &next);
        if (l->json) {
            write_text(l, i, &text);
        } else {
            if (l->lines)
                print_source(l, i);
            printf("\t%-59s", text.text);
            print_place(l->program, i, &text);
        }
    }
    if (l->json) {
        json_close(l->json, ']');
        json_close(l->json, '}');
    }
}

static void list_text(const listing *l)
{
    for (size_t i = 0; i < lw_program_symbol_count(l->program); i++) {
        const lw_symbol *s = lw_program_symbol_at(l->program, i);
        if (s->is_function && (!l->only || strcmp(l->only, s->name) == 0))
            list_function(l, i);
    }
}

static bool is_text(const lw_program *program)
{
    return strcmp(lw_arch_get(lw_program_arch(program))->vendor, "NVIDIA") == 0;
}

static void list_program(listing *l, const char *path)
{
    if (l->json) {
        json_open(l->json, NULL, '{');
        json_string(l->json, "file", path);
        json_string(l->json, "arch", lw_arch_get(lw_program_arch(l->program))->name);
        json_open(l->json, "code", '[');
    } else if (is_text(l->program)) {
        printf("\n%s:\tPTX for %s\n", path, lw_program_target_id(l->program));
    } else {
        printf("\n%s:\tfile format elf64-amdgpu\n", path);
    }
    if (is_text(l->program))
        list_text(l);
    for (size_t i = 0; i < lw_program_section_count(l->program); i++) {
        l->section = lw_program_section_at(l->program, i);
        if (holds(l, l->section))
            list_section(l);
    }
    if (l->json) {
        json_close(l->json, ']');
        json_close(l->json, '}');
    }
}

/* Refused, since a listing of .long lines would look like an answer. */
static int fail_arch(const cli_call *call, const char *path, lw_arch arch)
{
    char known[128] = "";
    for (int a = LW_ARCH_NONE + 1; a < LW_ARCH_COUNT; a++) {
        const lw_arch_info *info = lw_arch_get((lw_arch)a);
        if (info->reads_code && info->elf_mach && strlen(known) + strlen(info->name) + 6 < sizeof(known))
            strcat(strcat(known, known[0] ? ", " : ""), info->name);
    }
    return cli_fail(call, CLI_FAULT,
                    "%s: its code is for %s, which this version cannot decode; it decodes %s", path,
                    lw_arch_get(arch)->name, known);
}

static int disassemble(const cli_call *call, const char *path, const char *kernel)
{
    lw_program *program;
    size_t index;
    lw_error error = { "" };
    cli_json json = { .out = stdout };
    lw_load_options load = lw_load_options_default();
    load.kernel = kernel;
    arg_memory_limit(call, &load.memory_limit);
    const int exit = target_arch(call, false, &load.arch);
    if (exit != CLI_FINE)
        return exit;
    lw_status status = lw_program_load_file(path, &load, &program, &error);
    if (status != LW_OK)
        return cli_fail_status(call, status == LW_E_IO ? NULL : path, status, &error);
    if (!is_text(program) && !lw_arch_get(lw_program_arch(program))->reads_code) {
        const int refused = fail_arch(call, path, lw_program_arch(program));
        lw_program_free(program);
        return refused;
    }
    lw_line line = { .line = 0 };
    block lines;
    lines.used = 0;
    listing l = { .program = program,
                  .lines = cli_has(call, "lines"),
                  .line = &line,
                  .block = &lines,
                  .json = cli_has(call, "json") ? &json : NULL };
    if (kernel)
        status = lw_program_find(program, kernel, &index, &error);
    if (kernel && status == LW_OK)
        l.only = lw_program_kernel_at(program, index)->name;
    if (status == LW_OK)
        list_program(&l, path);
    lw_program_free(program);
    return status == LW_OK ? CLI_FINE : cli_fail_status(call, path, status, &error);
}

static int run_disasm(const cli_call *call)
{
    char *path;
    const char *kernel;
    if (call->operand_count != 1)
        return cli_fail(call, CLI_USAGE, "needs one file, not %zu: lanewise disasm %s", call->operand_count,
                        call->verb->usage);
    file_split(call->operands[0], &path, &kernel);
    const int exit = disassemble(call, path, kernel);
    free(path);
    return exit;
}

static const cli_option options[] = {
    { .name = "arch", .value = "ARCH", .help = "which code object of a file that contains several" },
    { .name = "lines",
      .letter = 'l',
      .help = "source lines of code compiled with -g, as llvm-objdump -l has them" },
    CLI_OPTION_MEMORY_LIMIT,
};

static const cli_example examples[] = {
    { .command = "lanewise disasm vector_add_gfx950.co", .says = "all machine code of a file" },
    { .command = "lanewise disasm vector_add_gfx942.co:vector_add", .says = "one kernel's" },
    { .command = "lanewise disasm vector_add_gfx950.co --lines",
      .says = "with its source lines, where it has them" },
    { .command = "lanewise disasm vector_add_gfx950.co --json",
      .says = "address, bytes, text and branch targets" },
};

const cli_verb cli_verb_disasm = {
    .name = "disasm",
    .usage = "FILE[:KERNEL] [--arch ARCH] [--lines]",
    .summary = "a file's machine code as assembler text",
    .text = "Prints the machine code of a code object as llvm-objdump -d prints it: text, address, words, "
            "and the\ntarget of each branch as a symbol (or as a label in place of the distance). Words that "
            "are not\ninstructions are printed as .long. For a PTX module it prints one instruction per "
            "line, with the line of\nthe file and the source line that .loc gives. --lines prints the source "
            "line above the instructions\ncompiled from it; for a code object it is that of .debug_line, "
            "below the symbol's name.\n",
    .options = options,
    .option_count = CLI_COUNT(options),
    .examples = examples,
    .example_count = CLI_COUNT(examples),
    .run = run_disasm,
};
