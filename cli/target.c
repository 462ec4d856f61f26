/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/readings.h"
#include "cli/target.h"

/* "gfx942, gfx950": the architectures that this version has rows for. */
static void name_archs(char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int a = LW_ARCH_NONE + 1; a < LW_ARCH_COUNT; a++)
        if (lw_arch_get((lw_arch)a)->has_matrix && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
                                     lw_arch_get((lw_arch)a)->name);
}

/* Says which architecture stands in for a sibling; on stderr, so that results are unchanged. */
static void note_sibling(const char *name)
{
    const char *note = lw_arch_sibling_note(name);
    if (note)
        fprintf(stderr, "note: %s\n", note);
}

static const char *arch_name(size_t index, const void *context)
{
    (void)context;
    return lw_arch_name_at(index);
}

/* "MI300A or MI300X": names that continue the word, else the nearest one. */
static void near_archs(const char *word, char *text, size_t size)
{
    enum { MOST = 4 };
    const char *name;
    size_t count = 0, found = 0, used = 0;
    text[0] = '\0';
    for (; (name = lw_arch_name_at(count)) != NULL; count++)
        if (strncasecmp(name, word, strlen(word)) == 0 && found++ < MOST && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? " or " : "", name);
    name = found ? NULL : cli_nearest(word, arch_name, count, NULL);
    if (name)
        snprintf(text, size, "%s", name);
}

static int fail_arch(const cli_call *call, const char *name)
{
    char known[256], near[128];
    name_archs(known, sizeof(known));
    near_archs(name, near, sizeof(near));
    if (near[0])
        return cli_fail(call, CLI_USAGE,
                        "--arch %s: no such architecture; did you mean %s? This version has %s", name, near,
                        known);
    return cli_fail(call, CLI_USAGE, "--arch %s: no such architecture; this version has %s", name, known);
}

int target_arch(const cli_call *call, bool required, lw_arch *arch)
{
    char known[256];
    const char *given = cli_value(call, "arch");
    const char *product = lw_arch_product(given), *name = product ? product : given;
    name_archs(known, sizeof(known));
    if (!name && required)
        return cli_fail(call, CLI_USAGE, "which GPU? Say --arch ARCH, one of %s", known);
    if (!name) {
        *arch = LW_ARCH_NONE;
        return CLI_FINE;
    }
    if (lw_arch_find(name, arch) != LW_OK)
        return fail_arch(call, name);
    if (!lw_arch_get(*arch)->has_matrix)
        return cli_fail(call, CLI_FAULT, "--arch %s: not in this version, which has %s", name, known);
    if (product)
        fprintf(stderr, "note: %s is %s\n", given, product);
    note_sibling(name);
    return CLI_FINE;
}

int target_insn(const cli_call *call, lw_arch *arch, const lw_insn **insn)
{
    if (call->operand_count != 1)
        return cli_fail(call, CLI_USAGE, "needs one instruction, not %zu: lanewise %s %s",
                        call->operand_count, call->verb->name, call->verb->usage);
    const int exit = target_arch(call, true, arch);
    if (exit != CLI_FINE)
        return exit;

    lw_mods mods;
    lw_error error = { "" };
    const lw_status status = lw_insn_parse(*arch, call->operands[0], insn, &mods, &error);
    return status == LW_OK ? CLI_FINE : cli_fail_status(call, NULL, status, &error);
}

static char *append(char *text, const char *prefix, const char *word)
{
    const size_t length = strlen(text), more = strlen(prefix) + strlen(word) + 1;
    text = cli_grow(text, length + more);
    snprintf(text + length, more, "%s%s", prefix, word);
    return text;
}

/* Whether a later reading of the call answers the same question. */
static bool is_overridden(const cli_readings *readings, size_t index)
{
    const size_t topic = strcspn(readings->names[index], ":") + 1;
    for (size_t i = index + 1; i < readings->count; i++)
        if (strncmp(readings->names[i], readings->names[index], topic) == 0)
            return true;
    return false;
}

/* Checks the readings, and appends those of AMD's modifiers in the form of modifiers. */
static int append_readings(const cli_call *call, bool amd, char **text)
{
    cli_readings readings;
    int exit = readings_read(call, &readings);
    for (size_t i = 0; exit == CLI_FINE && i < readings.count; i++) {
        const lw_reading *reading;
        exit = readings_find(call, "reading", readings.names[i], &reading);
        if (exit == CLI_FINE && reading->mods && amd && !is_overridden(&readings, i))
            *text = append(*text, " reading:", readings.names[i]);
    }
    readings_free(&readings);
    return exit;
}

int target_mods(const cli_call *call, lw_arch arch, const lw_insn *insn, lw_mods *mods)
{
    const bool amd = strcmp(lw_arch_get(arch)->vendor, "AMD") == 0;
    char *text = cli_copy(call->operands[0], strlen(call->operands[0]));
    const char *value;
    for (size_t at = 0; (value = cli_next_value(call, "mod", &at)) != NULL;)
        text = append(text, " ", value);
    const char *wave = cli_value(call, "wave");
    if (wave && amd)
        text = append(text, " wave:", wave);
    const int exit = append_readings(call, amd, &text);
    if (exit != CLI_FINE) {
        free(text);
        return exit;
    }
    lw_error error = { "" };
    const lw_status status = lw_insn_parse(arch, text, &insn, mods, &error);
    free(text);
    return status == LW_OK ? CLI_FINE : cli_fail_status(call, "--mod", status, &error);
}

lw_status target_sink(void *file, const char *text, size_t size)
{
    return fwrite(text, 1, size, file) == size ? LW_OK : LW_E_IO;
}

void target_print_wrapped(int indent, const char *text)
{
    const size_t room = (size_t)(100 - indent);
    while (*text) {
        const size_t line = strcspn(text, "\n");
        size_t length = line;
        if (line > room) {
            length = room;
            while (length > 0 && text[length] != ' ')
                length--;
            length = length ? length : line;
        }
        printf("%*s%.*s\n", indent, "", (int)length, text);
        text += length;
        text += *text == ' ' || *text == '\n';
    }
}
