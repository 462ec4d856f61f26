/* SPDX-License-Identifier: MIT */
/*
 * Arbitrary bytes as an instruction, modifiers and operands: names and modifiers are read and printed,
 * layouts listed and printed, operands multiplied and explained, elements moved. Every image has exactly the
 * documented size and ends at an inaccessible page. Both implementations must agree, and printed text must
 * read back.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <lanewise/lanewise.h>

#include "fuzz/input.h"

enum { ROOM = 1 << 16, BUFFERS = 16, TEXT = 512, MOST_ENTRIES = 1 << 15 };

/* Buffers that end at an inaccessible page. They are allocated once and kept. */
static uint8_t *buffer_end(int number)
{
    static uint8_t *ends[BUFFERS];
    if (!ends[number]) {
        const size_t page = (size_t)sysconf(_SC_PAGESIZE);
        uint8_t *p = mmap(NULL, ROOM + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        insist(p != MAP_FAILED && mprotect(p + ROOM, page, PROT_NONE) == 0);
        ends[number] = p + ROOM;
    }
    return ends[number];
}

/* Buffer `number` of exactly `size` bytes, filled. */
static void *take_buffer(input *in, int number, size_t size)
{
    insist(size <= ROOM);
    uint8_t *p = buffer_end(number) - size;
    fill_bytes(in, p, size);
    return p;
}

typedef struct subject {
    lw_arch arch;
    const lw_insn *insn;
    lw_insn_info info;
    lw_mods mods, back; /* the original, and the one read back from printed text */
    unsigned wave;
} subject;

/* With LW_REPLAY_VERBOSE, says what is about to be tried. */
static void announce(const subject *s)
{
    char text[TEXT];
    if (getenv("LW_REPLAY_VERBOSE") &&
        lw_insn_print(s->arch, s->insn, &s->mods, text, sizeof(text), NULL) == LW_OK)
        fprintf(stderr, "%s of %s, wave %u\n", text, lw_arch_get(s->arch)->name, s->wave);
}

static lw_status discard(void *context, const char *text, size_t size)
{
    size_t *left = context;
    insist(text != NULL);
    if (*left < size)
        return LW_E_IO;
    *left -= size;
    return LW_OK;
}

/* Arbitrary modifiers, with most fields at their defaults. */
static lw_mods random_mods(input *in, bool amd_only)
{
    lw_mods mods = { 0 };
    uint8_t *bytes = (uint8_t *)&mods;
    const size_t size = amd_only ? offsetof(lw_mods, wave) : sizeof(mods);
    for (unsigned n = take_byte(in) % 6; n > 0; n--) {
        const size_t at = take_below(in, (uint32_t)size);
        const uint8_t value = take_byte(in);
        bytes[at] = value < 224 ? value % 8 : value;
    }
    mods.readings = take_byte(in) % 4 ? 0 : (uint16_t)take_word(in);
    return mods;
}

/* Names of modifiers followed by numbers and brackets, and arbitrary characters. */
static void random_text(input *in, const char *names, char *text, size_t size)
{
    static const char *const tails[] = {
        "",    ":0", ":1",   ":2",   ":7",  ":999999999999", ":[1]", ":[0,1]", ":[1,1,1]", ":[0,0,0]",
        ":-1", ":[", ":fp4", ":bf8", ":4X", ":[2]",          ",",    ":e8",    ":",        ":MATRIX_FMT_FP4"
    };
    static const char *const extra[] = { "wave:64",      "wave:32", "wave:0",  "reading:",
                                         "assume:neg-c", "clamp",   "selector" };
    size_t at = 0;
    for (unsigned n = take_byte(in) % 6; n > 0 && at + 80 < size; n--) {
        const unsigned kind = take_byte(in) % 8;
        const char *word = extra[take_byte(in) % 7];
        size_t length = strlen(word);
        if (kind > 1 && *names) {
            for (unsigned skip = take_byte(in) % 8; skip > 0 && strchr(names, ' '); skip--)
                names = strchr(names, ' ') + 1;
            word = names;
            length = strcspn(names, " ");
        }
        memcpy(text + at, word, length < 60 ? length : 60);
        at += length < 60 ? length : 60;
        if (kind == 0)
            text[at++] = (char)(1 + take_byte(in) % 255);
        const char *tail = tails[take_byte(in) % (sizeof(tails) / sizeof(tails[0]))];
        memcpy(text + at, tail, strlen(tail));
        at += strlen(tail);
        text[at++] = ' ';
    }
    text[at] = '\0';
}

/* Printed text must read back as the same. */
static void round_trip(subject *s)
{
    char text[TEXT], cut[TEXT];
    size_t length = 0, again = 0;
    const lw_insn *insn = NULL;
    lw_error error;
    if (lw_insn_print(s->arch, s->insn, &s->mods, text, sizeof(text), &length) != LW_OK)
        return;
    insist(length < sizeof(text) && strlen(text) == length);
    insist(lw_insn_print(s->arch, s->insn, &s->mods, (char *)buffer_end(0) - 7, 7, &again) == LW_OK &&
           again == length);
    const lw_status st = lw_insn_parse(s->arch, text, &insn, &s->back, &error);
    if (st != LW_OK || insn != s->insn)
        fprintf(stderr, "%s on %s: %s\n", text, lw_arch_get(s->arch)->name,
                st == LW_OK ? "read as another" : error.text);
    insist(st == LW_OK && insn == s->insn);
    insist(lw_insn_print(s->arch, insn, &s->back, cut, sizeof(cut), NULL) == LW_OK && strcmp(cut, text) == 0);
}

/* Chooses the instruction, its modifiers and its wave; false if they are refused. */
static bool choose_subject(input *in, subject *s)
{
    lw_error error;
    char text[TEXT];
    s->arch = (lw_arch)take_below(in, LW_ARCH_COUNT);
    const size_t count = lw_insn_count(s->arch);
    if (!count)
        return false;
    s->insn = lw_insn_at(s->arch, take_below(in, (uint32_t)count));
    insist(lw_insn_get_info(s->arch, s->insn, &s->info) == LW_OK);
    const unsigned way = take_byte(in) % 4;
    s->mods = (lw_mods){ 0 };
    if (way == 1 || way == 2)
        s->mods = random_mods(in, way == 1);
    if (way == 3) {
        random_text(in, s->info.modifiers, text, sizeof(text));
        if (lw_mods_parse(s->arch, s->insn, text, &s->mods, &error) != LW_OK)
            s->mods = (lw_mods){ 0 };
    }
    static const unsigned waves[] = { 0, 0, 32, 64 };
    s->wave = waves[take_byte(in) % 4];
    if (take_byte(in) == 255)
        s->wave = take_word(in);
    lw_insn_print(s->arch, s->insn, &s->mods, text, sizeof(text), NULL);
    if (lw_mods_check(s->arch, s->insn, &s->mods, &error) != LW_OK) {
        insist(error.text[0] != '\0');
        return false;
    }
    announce(s);
    round_trip(s);
    return true;
}

static void check_entries(const lw_layout *layout, const lw_layout *same, const lw_layout_info *info,
                          input *in)
{
    static lw_layout_entry entries[MOST_ENTRIES], again[MOST_ENTRIES];
    size_t count = 0, some = 0;
    insist(lw_layout_entries(layout, entries, MOST_ENTRIES, &count) == LW_OK);
    insist(lw_layout_entries(same, again, MOST_ENTRIES, &some) == LW_OK && some == count);
    insist(count > 0 && count <= MOST_ENTRIES && memcmp(entries, again, count * sizeof(entries[0])) == 0);
    for (size_t i = 0; i < count; i++) {
        const lw_layout_entry *e = &entries[i];
        const unsigned places = info->columns ? info->columns : info->registers;
        insist(e->lane < info->wave && e->reg * 32u + e->msb < places * 32u && e->lsb <= e->msb);
        insist(e->block < info->blocks && e->x < info->x_count && e->y < info->y_count);
    }
    const lw_layout_entry *e = &entries[take_below(in, (uint32_t)count)];
    insist(lw_layout_places(layout, e->block, e->x, e->y, NULL, 0, &some) == LW_OK && some > 0);
    insist(lw_layout_elements(layout, e->lane, e->reg, NULL, 0, &some) == LW_OK && some > 0);
    lw_layout_places(layout, take_word(in), take_byte(in), take_byte(in), NULL, 0, &some);
    lw_layout_elements(layout, take_byte(in), take_byte(in), entries, 3, &some);
}

static void use_layout(input *in, const subject *s)
{
    const lw_operand operand = (lw_operand)(take_byte(in) % (LW_OPERAND_COUNT + 1));
    lw_layout *layout = NULL, *same = NULL;
    lw_layout_info info;
    lw_error error;
    if (lw_layout_create(s->arch, s->insn, operand, s->wave, &s->mods, &layout, &error) != LW_OK) {
        insist(error.text[0] != '\0' && !layout);
        return;
    }
    insist(lw_layout_create(s->arch, s->insn, operand, s->wave, &s->back, &same, &error) == LW_OK);
    insist(lw_layout_get_info(layout, &info) == LW_OK);
    check_entries(layout, same, &info, in);
    lw_layout_free(same);
    lw_layout_print_options options = lw_layout_print_options_default();
    int *const filters[] = { &options.lane, &options.reg, &options.block, &options.x, &options.y };
    options.colour = take_byte(in) & 1;
    options.unfold = take_byte(in) & 1;
    options.columns = take_byte(in) & 1 ? (uint16_t)take_word(in) : 0;
    for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++)
        *filters[i] = take_byte(in) % 4 ? -1 : (int)take_byte(in) - 4;
    size_t room = take_byte(in) % 8 ? (size_t)-1 : take_word(in) % 4096;
    if (take_byte(in) % 4 == 0)
        lw_layout_print(layout, (lw_layout_format)(take_byte(in) % 6), &options, discard, &room, &error);
    if (take_byte(in) % 16 == 0)
        lw_layout_probe(s->arch, s->insn, s->wave, &s->mods, discard, &room, &error);
    lw_layout_free(layout);
}

static lw_status explained(void *context, const lw_mma_explain_row *row)
{
    unsigned *left = context;
    insist(row->text && row->text[0] && strlen(row->text) < 4096);
    return (*left)-- == 0 ? LW_E_IO : LW_OK;
}

/* Number of words in an operand's register image. */
static size_t image_words(const subject *s, lw_operand operand, unsigned lanes)
{
    lw_operand_info info;
    lw_mods mods = s->mods;
    mods.wave = (uint8_t)lanes;
    if (lw_insn_operand(s->arch, s->insn, operand, &mods, &info, NULL) != LW_OK || !info.present)
        return 0;
    return (size_t)info.registers * lanes;
}

/* Most of the time, every lane group of gfx11 has the same copy, and PTX metadata is legal. */
static void tame(input *in, const subject *s, lw_mma_registers *r, size_t a, size_t b, size_t index)
{
    uint32_t *const images[] = { (uint32_t *)(uintptr_t)r->a, (uint32_t *)(uintptr_t)r->b };
    const size_t words[] = { a, b };
    for (int op = 0; op < 2 && s->arch == LW_ARCH_GFX1100 && take_byte(in) % 8; op++)
        for (size_t w = 0; w < words[op]; w++)
            images[op][w] = images[op][w / 16 % 2 ? w - 16 : w];
    for (size_t w = 0; w < index && take_byte(in) % 8; w++)
        ((uint32_t *)(uintptr_t)r->index)[w] = s->arch < LW_ARCH_SM_70 ? r->index[w] : UINT32_C(0x44444444);
}

static void use_registers(input *in, const subject *s, const lw_mma *fast, const lw_mma *slow, unsigned lanes)
{
    size_t words[LW_OPERAND_COUNT], bytes[LW_OPERAND_COUNT];
    uint32_t *image[LW_OPERAND_COUNT], touched = 0;
    for (int op = 0; op < LW_OPERAND_COUNT; op++) {
        words[op] = image_words(s, (lw_operand)op, lanes);
        bytes[op] = words[op] * sizeof(uint32_t);
        image[op] = words[op] ? take_buffer(in, op, bytes[op]) : NULL;
    }
    uint32_t *const other = take_buffer(in, LW_OPERAND_COUNT, bytes[LW_OPERAND_D]);
    lw_mma_registers r = { .a = image[LW_OPERAND_A],
                           .b = image[LW_OPERAND_B],
                           .c = words[LW_OPERAND_C] ? image[LW_OPERAND_C] : image[LW_OPERAND_D],
                           .d = image[LW_OPERAND_D],
                           .index = image[LW_OPERAND_INDEX],
                           .scale_a = image[LW_OPERAND_SCALE_A],
                           .scale_b = image[LW_OPERAND_SCALE_B],
                           .mode = take_byte(in) % 4 ? 0 : take_word(in) };
    tame(in, s, &r, words[LW_OPERAND_A], words[LW_OPERAND_B], words[LW_OPERAND_INDEX]);
    if (take_byte(in) % 4 == 0) {
        r.c = NULL;
        r.c_constant = (uint64_t)take_word(in) << 32 | take_word(in);
    }
    unsigned rows = take_byte(in) * 4u;
    const lw_status said = lw_mma_explain_registers(fast, &r, take_below(in, s->info.blocks + 1u),
                                                    take_below(in, s->info.m + 1u),
                                                    take_below(in, s->info.n + 1u), explained, &rows);
    insist(said == LW_OK || said == LW_E_ARGUMENT || said == LW_E_UNSUPPORTED || said == LW_E_IO);
    memcpy(other, r.d, bytes[LW_OPERAND_D]);
    lw_mma_registers q = r;
    q.d = other;
    if (r.c == r.d)
        q.c = other;
    const lw_status st = lw_mma_execute_registers(slow, &q, NULL);
    const bool ask = take_byte(in) % 4 == 0;
    insist(lw_mma_check_registers(fast, &r, NULL) == st);
    insist(lw_mma_execute_registers(fast, &r, ask ? &touched : NULL) == st);
    insist(memcmp(other, r.d, bytes[LW_OPERAND_D]) == 0);
    insist(st != LW_OK || !ask || lw_mma_weakest(fast, touched) <= LW_LABEL_UNKNOWN);
}

/* D overlaps another operand: all of that operand must be read before anything is written. */
static void use_overlap(input *in, const subject *s, const lw_mma *fast, const lw_mma *slow, unsigned lanes)
{
    const int over = take_byte(in) % LW_OPERAND_COUNT;
    const size_t d = image_words(s, LW_OPERAND_D, lanes), words = image_words(s, (lw_operand)over, lanes);
    const size_t offset = take_below(in, (uint32_t)d + 1), total = d > offset + words ? d : offset + words;
    uint32_t *const arena = take_buffer(in, 11, total * sizeof(uint32_t));
    uint32_t *const copy = take_buffer(in, 12, total * sizeof(uint32_t));
    const uint32_t *image[LW_OPERAND_COUNT];
    if (s->arch >= LW_ARCH_SM_70 && s->info.sparse)
        return;
    memcpy(copy, arena, total * sizeof(uint32_t));
    for (int op = 0; op < LW_OPERAND_COUNT; op++)
        image[op] = take_buffer(in, op, image_words(s, (lw_operand)op, lanes) * sizeof(uint32_t));
    for (int twice = 0; twice < 2; twice++) {
        uint32_t *const at = twice ? copy : arena;
        image[over] = over == LW_OPERAND_D ? at : at + offset;
        const lw_mma_registers r = { .a = image[LW_OPERAND_A],
                                     .b = image[LW_OPERAND_B],
                                     .c = image_words(s, LW_OPERAND_C, lanes) ? image[LW_OPERAND_C] : at,
                                     .d = at,
                                     .index = image[LW_OPERAND_INDEX],
                                     .scale_a = image[LW_OPERAND_SCALE_A],
                                     .scale_b = image[LW_OPERAND_SCALE_B] };
        insist(lw_mma_execute_registers(twice ? slow : fast, &r, NULL) == LW_OK);
    }
    insist(memcmp(copy, arena, total * sizeof(uint32_t)) == 0);
}

static void use_matrices(input *in, const lw_mma *fast, const lw_mma *slow)
{
    lw_mma_shape s;
    insist(lw_mma_get_shape(fast, &s) == LW_OK);
    const size_t cd = (size_t)s.m * s.n * s.blocks, d_bytes = cd * s.d_bytes;
    uint8_t *d = take_buffer(in, 3, d_bytes), *other = take_buffer(in, 4, d_bytes);
    lw_mma_matrices m = { .a = take_buffer(in, 0, (size_t)s.blocks * s.m * s.a_k * s.a_bytes),
                          .b = take_buffer(in, 1, (size_t)s.blocks * s.k * s.n * s.b_bytes),
                          .c = take_byte(in) % 4 ? take_buffer(in, 2, cd * s.c_bytes) : NULL,
                          .d = d,
                          .mode = take_byte(in) % 4 ? 0 : take_word(in) };
    if (s.groups) {
        uint8_t *const index = take_buffer(in, 5, (size_t)s.m * s.groups);
        if (take_byte(in) % 8)
            memset(index, 4, (size_t)s.m * s.groups);
        m.index = index;
    }
    if (s.scale_k && take_byte(in) % 4)
        m.scale_a = take_buffer(in, 6, (size_t)s.m * s.scale_k);
    if (s.scale_k && take_byte(in) % 4)
        m.scale_b = take_buffer(in, 7, (size_t)s.n * s.scale_k);
    unsigned rows = take_byte(in) * 4u;
    uint32_t touched;
    memcpy(other, d, d_bytes);
    lw_mma_matrices q = m;
    q.d = other;
    const lw_status st = lw_mma_execute_matrices(slow, &q, NULL);
    insist(lw_mma_execute_matrices(fast, &m, take_byte(in) % 4 ? NULL : &touched) == st);
    insist(lw_mma_check_matrices(fast, &m, NULL) == st && memcmp(d, other, d_bytes) == 0);
    lw_mma_explain_matrices(fast, &m, take_below(in, s.blocks), take_below(in, s.m), take_below(in, s.n),
                            explained, &rows);
}

static void use_mma(input *in, const subject *s)
{
    char reading[128];
    const char *const readings[] = { reading };
    size_t count = 0;
    while (lw_reading_at(count))
        count++;
    const lw_reading *info = lw_reading_at(take_below(in, (uint32_t)count));
    insist((size_t)snprintf(reading, sizeof(reading), "%s:%s", info->topic, info->name) < sizeof(reading));
    lw_mma_options options = {
        .struct_size = sizeof(lw_mma_options), .mods = &s->mods, .wave = s->wave, .readings = readings
    };
    options.reading_count = take_byte(in) % 2;
    lw_mma *fast = NULL, *slow = NULL;
    lw_mma_shape shape;
    lw_mma_rule rule;
    lw_error error;
    const lw_status st = lw_mma_create(s->arch, s->insn, &options, &fast, &error);
    options.reference_only = true;
    options.mods = &s->back;
    insist(lw_mma_create(s->arch, s->insn, &options, &slow, NULL) == st);
    if (st != LW_OK) {
        insist(!fast && !slow && error.text[0] != '\0');
        return;
    }
    insist(lw_mma_get_shape(fast, &shape) == LW_OK && lw_mma_get_rule(fast, &rule) == LW_OK);
    insist(rule.recipe[0] && rule.text[0] && (shape.wave == 32 || shape.wave == 64 || shape.wave == 128));
    if (shape.wave <= 64) { /* a warpgroup's operands are not all in registers */
        use_registers(in, s, fast, slow, shape.wave);
        use_overlap(in, s, fast, slow, shape.wave);
    }
    use_matrices(in, fast, slow);
    lw_mma_free(fast);
    lw_mma_free(slow);
}

static void use_move(input *in, const subject *s)
{
    const size_t size = take_below(in, 4096);
    lw_move_args args = {
        .memory = { .bytes = take_buffer(in, 9, size), .base = take_byte(in) * 16u, .size = size }
    };
    size_t words = 0;
    for (int op = 0; op <= LW_OPERAND_D; op++) {
        const size_t w = image_words(s, (lw_operand)op, 32);
        words = w > words ? w : words;
    }
    args.source = take_buffer(in, 8, words * 4);
    args.result = take_buffer(in, 10, words * 4);
    const uint64_t first = args.memory.base + take_below(in, 16) * 16u;
    const unsigned way = take_byte(in) % 8;
    for (unsigned lane = 0; lane < LW_MOVE_LANES; lane++)
        args.address[lane] = way == 0 ? take_word(in) : way < 4 ? first : first + 16u * lane;
    if (way == 1)
        args.address[take_byte(in) % LW_MOVE_LANES] = UINT64_MAX - take_byte(in);
    args.stride = take_byte(in) % 2 ? 0 : way == 2 ? take_word(in) : take_byte(in) * 8u;
    lw_error error;
    const lw_status st = lw_move_execute(s->arch, s->insn, &s->mods, &args, &error);
    insist(st == LW_OK || error.text[0] != '\0');
}

/* Arbitrary characters as an instruction. */
static void use_text(input *in)
{
    char text[TEXT];
    const lw_insn *insn;
    lw_mods mods;
    lw_error error;
    const lw_arch arch = (lw_arch)take_below(in, LW_ARCH_COUNT + 1);
    size_t n = 0;
    const lw_insn *row = lw_insn_at(arch, take_below(in, 256));
    if (row && take_byte(in) % 4)
        lw_insn_print(arch, row, NULL, text, sizeof(text), &n);
    for (unsigned hits = take_byte(in) % 4; hits > 0 && n > 0; hits--)
        text[take_below(in, (uint32_t)n)] = (char)(1 + take_byte(in) % 255);
    while (n + 1 < sizeof(text) && in->size)
        text[n++] = (char)take_byte(in);
    text[n] = '\0';
    if (lw_insn_parse(arch, text, &insn, &mods, &error) == LW_OK)
        insist(lw_mods_check(arch, insn, &mods, NULL) == LW_OK);
    else
        insist(error.text[0] != '\0');
    lw_insn_find(arch, text, &insn, &error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in = { data, size, 0 };
    subject s;
    in.state = take_word(&in);
    if (take_byte(&in) % 8 == 0) {
        use_text(&in);
        return 0;
    }
    if (!choose_subject(&in, &s))
        return 0;
    use_layout(&in, &s);
    use_mma(&in, &s);
    use_move(&in, &s);
    return 0;
}
