/* SPDX-License-Identifier: MIT */
/* Types, registers, memory. */
#include "cli/debug/value.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/mma.h>

#include "cli/parse.h"

static const debug_type types[] = {
    { "x8", NULL, 8 },
    { "x16", NULL, 16 },
    { "x32", NULL, 32 },
    { "x64", NULL, 64 },
    { "i4", "i4", 4 },
    { "i8", "i8", 8 },
    { "i16", "i16", 16 },
    { "i32", "i32", 32 },
    { "i64", "i64", 64 },
    { "u4", "u4", 4 },
    { "u8", "u8", 8 },
    { "u16", "u16", 16 },
    { "u32", "u32", 32 },
    { "u64", "u64", 64 },
    { "f16", "f16", 16 },
    { "bf16", "bf16", 16 },
    { "f32", "f32", 32 },
    { "f64", "f64", 64 },
    { "fp8", "fp8 e4m3", 8 },
    { "bf8", "bf8 e5m2", 8 },
    { "fp8_fnuz", "fp8 e4m3 fnuz", 8 },
    { "bf8_fnuz", "bf8 e5m2 fnuz", 8 },
    { "fp6", "fp6 e2m3", 6 },
    { "bf6", "bf6 e3m2", 6 },
    { "fp4", "fp4 e2m1", 4 },
    { "e8m0", "e8m0", 8 },
    { "bool", "bool", 8 },
};

const debug_type *debug_type_find(const char *name)
{
    for (size_t i = 0; i < CLI_COUNT(types); i++)
        if (strcmp(types[i].name, name) == 0)
            return &types[i];
    return NULL;
}

void debug_type_names(debug_text *text)
{
    for (size_t i = 0; i < CLI_COUNT(types); i++)
        debug_say(text, "%s%s", i ? " " : "", types[i].name);
}

const debug_type *debug_type_of(const run_arg *arg)
{
    static const char *const hex[] = { [1] = "x8", [2] = "x16", [4] = "x32", [8] = "x64" };
    const debug_type *found = arg->type ? debug_type_find(arg->type->name) : NULL;
    return found ? found : debug_type_find(hex[lw_dtype_size(arg->array.dtype)]);
}

void debug_value(const debug_type *type, uint64_t code, char text[DEBUG_VALUE])
{
    const unsigned above = 64 - type->bits;
    if (type->name[0] == 'i')
        snprintf(text, DEBUG_VALUE, "%" PRId64, (int64_t)(code << above) >> above);
    else if (type->name[0] == 'u')
        snprintf(text, DEBUG_VALUE, "%" PRIu64, code);
    else if (!type->format || lw_mma_decode(type->format, code, text, DEBUG_VALUE) != LW_OK)
        snprintf(text, DEBUG_VALUE, "%0*" PRIx64, (int)(type->bits + 3) / 4, code);
}

uint64_t debug_bits(const uint8_t *bytes, uint64_t bit, unsigned width)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < width; i++, bit++)
        value |= (uint64_t)(bytes[bit / 8] >> bit % 8 & 1) << i;
    return value;
}

/* ---- Words ---- */

static size_t next_word(const char **at, char *word, size_t size)
{
    *at += strspn(*at, " \t");
    const size_t length = strcspn(*at, " \t");
    snprintf(word, size, "%.*s", (int)length, *at);
    *at += length;
    return length;
}

static bool refuse_type(const char *word, debug_text *out)
{
    debug_say(out, "'%s' is not a type; types are ", word);
    debug_type_names(out);
    return false;
}

/* A wave that exists, or a sentence. */
static bool need_wave(const debugger *d, size_t *index, debug_text *out)
{
    if (d->chosen && debug_find(d, &d->wave, index))
        return true;
    debug_say(out, "there is no %s: all have ended", d->amd ? "wave" : "warp");
    return false;
}

/* ---- Registers ---- */

static const struct {
    const char *name;
    lw_named number;
    unsigned count;
} named[] = {
    { "vcc", LW_NAMED_VCC_LO, 2 },   { "vcc_lo", LW_NAMED_VCC_LO, 1 },   { "vcc_hi", LW_NAMED_VCC_HI, 1 },
    { "exec", LW_NAMED_EXEC_LO, 2 }, { "exec_lo", LW_NAMED_EXEC_LO, 1 }, { "exec_hi", LW_NAMED_EXEC_HI, 1 },
    { "m0", LW_NAMED_M0, 1 },        { "scc", LW_NAMED_SCC, 1 },         { "mode", LW_NAMED_MODE, 1 },
};

/* "v4", "v[4:7]" */
static bool read_number(const char *text, unsigned *first, unsigned *count)
{
    char from[32], to[32];
    uint64_t low, high;
    if (text[0] != '[') {
        *count = 1;
        const bool good = parse_u64(text, &low) && low < 1024;
        *first = good ? (unsigned)low : 0;
        return good;
    }
    const char *colon = strchr(text, ':'), *end = strchr(text, ']');
    if (!colon || !end || end[1] || colon > end || end - text > 20)
        return false;
    snprintf(from, sizeof(from), "%.*s", (int)(colon - text - 1), text + 1);
    snprintf(to, sizeof(to), "%.*s", (int)(end - colon - 1), colon + 1);
    if (!parse_u64(from, &low) || !parse_u64(to, &high) || high < low || high >= 1024)
        return false;
    *first = (unsigned)low;
    *count = (unsigned)(high - low + 1);
    return true;
}

static bool find_amd(const char *name, debug_register *r)
{
    static const struct {
        const char *prefix;
        lw_reg_file file;
        bool scalar;
    } files[] = { { "ttmp", LW_FILE_TRAP, true },
                  { "v", LW_FILE_VGPR, false },
                  { "a", LW_FILE_AGPR, false },
                  { "s", LW_FILE_SGPR, true } };
    for (size_t i = 0; i < CLI_COUNT(named); i++)
        if (strcmp(named[i].name, name) == 0) {
            *r = (debug_register){ LW_FILE_NAMED, named[i].number, named[i].count, true };
            return true;
        }
    for (size_t i = 0; i < CLI_COUNT(files); i++) {
        const size_t length = strlen(files[i].prefix);
        if (strncmp(name, files[i].prefix, length) == 0 && read_number(name + length, &r->first, &r->count)) {
            r->file = files[i].file;
            r->scalar = files[i].scalar;
            return true;
        }
    }
    return false;
}

/* A register of one of PTX's files, with all its words. */
static bool find_in(const debugger *d, size_t wave, lw_reg_file file, const char *name, debug_register *r)
{
    const lw_event *event = lw_session_wave_event(d->session, wave);
    const unsigned rows = lw_session_register_count(d->session, wave, file);
    const size_t length = strlen(name);
    char at[128];
    for (unsigned i = 0; event && i < rows; i++) {
        lw_event_register_name(event, file, i, at, sizeof(at));
        if (strcmp(at, name) != 0)
            continue;
        *r = (debug_register){ file, i, 1, false };
        while (i + r->count < rows) {
            lw_event_register_name(event, file, i + r->count, at, sizeof(at));
            if (strncmp(at, name, length) != 0 || at[length] != '+')
                break;
            r->count++;
        }
        return true;
    }
    return false;
}

static bool find_ptx(const debugger *d, size_t wave, const char *name, debug_register *r)
{
    return find_in(d, wave, LW_FILE_VGPR, name, r) || find_in(d, wave, LW_FILE_PREDICATE, name, r);
}

bool debug_register_find(const debugger *d, size_t wave, const char *name, debug_register *r, debug_text *why)
{
    if (!(d->amd ? find_amd(name, r) : find_ptx(d, wave, name, r))) {
        debug_say(why,
                  d->amd ? "'%s' is not a register: v4, v[4:7], a0, s8, vcc, exec, m0, scc, mode, ttmp3"
                         : "the function has no register '%s'",
                  name);
        return false;
    }
    const unsigned has = lw_session_register_count(d->session, wave, r->file);
    if (r->first + r->count <= has)
        return true;
    debug_say(why, "the wave has %u registers of this kind: no %s", has, name);
    return false;
}

uint32_t debug_register_value(const debugger *d, size_t wave, const debug_register *r, unsigned word,
                              unsigned lane)
{
    return lw_session_value(d->session, wave, r->file, r->first + word, lane);
}

/* The value of type `type` that begins `bit` bits after the first register's bit 0. */
static uint64_t value_at(const debugger *d, size_t wave, const debug_register *r, uint64_t bit, unsigned bits,
                         unsigned lane)
{
    uint8_t bytes[12] = { 0 };
    for (unsigned w = 0; w < 3; w++) {
        const unsigned word = (unsigned)(bit / 32) + w;
        const uint32_t value = word < r->count ? debug_register_value(d, wave, r, word, lane) : 0;
        memcpy(bytes + 4 * (size_t)w, &value, 4);
    }
    return debug_bits(bytes, bit % 32, bits);
}

typedef struct print_call {
    debug_register reg;
    const debug_type *type;
    int lane; /* -1: all */
} print_call;

static bool read_print(debugger *d, size_t wave, const char *words, print_call *p, debug_text *out)
{
    char word[128], name[128];
    uint64_t number;
    if (!next_word(&words, name, sizeof(name))) {
        debug_say(out, "needs a register");
        return false;
    }
    char *colon = strchr(name, '[') ? NULL : strchr(name, ':');
    if (colon)
        *colon = '\0';
    if (!debug_register_find(d, wave, name, &p->reg, out))
        return false;
    if (colon && (!parse_u64(colon + 1, &number) || !number ||
                  number > lw_session_register_count(d->session, wave, p->reg.file) - p->reg.first)) {
        debug_say(out, "%s:%s: there are not so many registers", name, colon + 1);
        return false;
    }
    p->reg.count = colon ? (unsigned)number : p->reg.count;
    while (next_word(&words, word, sizeof(word))) {
        if (strcmp(word, "lane") == 0) {
            if (!next_word(&words, word, sizeof(word)) || !parse_u64(word, &number) || number >= d->lanes) {
                debug_say(out, "lane needs a number below %u", d->lanes);
                return false;
            }
            p->lane = (int)number;
        } else if (!(p->type = debug_type_find(word))) {
            return refuse_type(word, out);
        }
    }
    if (p->type && p->type->bits > 32 * p->reg.count)
        p->reg.count = p->type->bits / 32; /* a register names its pair */
    return true;
}

static void print_values(debugger *d, size_t wave, const print_call *p, unsigned lane, debug_text *out)
{
    char text[DEBUG_VALUE];
    const uint64_t bits = 32u * (uint64_t)p->reg.count;
    for (uint64_t bit = 0; bit + p->type->bits <= bits; bit += p->type->bits) {
        debug_value(p->type, value_at(d, wave, &p->reg, bit, p->type->bits, lane), text);
        debug_say(out, " %s", text);
    }
}

/* A line for eight lanes where each has one value, else for one. Values of inactive lanes are in brackets. */
static void print_lanes(debugger *d, size_t wave, const print_call *p, debug_text *out)
{
    char text[DEBUG_VALUE];
    const uint64_t exec = lw_session_wave_exec(d->session, wave);
    const bool single = p->type->bits == 32 * p->reg.count;
    const unsigned across = single ? 8 : 1;
    for (unsigned lane = 0; lane < d->lanes; lane += across) {
        debug_say(out, "%s  lane %2u%s:", lane ? "\n" : "", lane,
                  single || exec >> lane & 1 ? "" : " (inactive)");
        if (!single)
            print_values(d, wave, p, lane, out);
        for (unsigned i = lane; single && i < lane + across; i++) {
            const bool active = exec >> i & 1;
            debug_value(p->type, value_at(d, wave, &p->reg, 0, p->type->bits, i), text);
            debug_say(out, active ? " %s" : " [%s]", text);
        }
    }
}

bool debug_print(debugger *d, const char *words, debug_text *out)
{
    size_t wave;
    print_call p = { .lane = -1 };
    if (!need_wave(d, &wave, out) || !read_print(d, wave, words, &p, out))
        return false;
    const bool pair = p.reg.count == 2 && (!d->amd || p.reg.file == LW_FILE_NAMED);
    if (!p.type)
        p.type = debug_type_find(p.reg.file == LW_FILE_PREDICATE ? "u32" : pair ? "x64" : "x32");
    words += strspn(words, " \t");
    debug_say(out, "%.*s %s", (int)strcspn(words, " \t"), words, p.type->name);
    if (p.reg.scalar || p.lane >= 0) {
        if (!p.reg.scalar)
            debug_say(out, " lane %d", p.lane);
        debug_say(out, ":");
        print_values(d, wave, &p, p.lane >= 0 ? (unsigned)p.lane : 0, out);
    } else {
        debug_say(out, "\n");
        print_lanes(d, wave, &p, out);
    }
    debug_say(out, "\n");
    return true;
}
