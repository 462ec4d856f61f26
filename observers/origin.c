/* SPDX-License-Identifier: MIT */
#include <lanewise/origin.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHECK_BITS = 8, FIRST_NUMBER = 8, MOST_RECORDS = 256, TEXT = 160, MOST_WORDS = 128 };
#define MOST_CODES (UINT64_C(1) << 26) /* in all records together */

/* What an operand's registers held in the passes so far: for each bit, words with one bit per pass. */
typedef struct codes {
    uint64_t *bit; /* [lane][register * 32 + bit] */
    unsigned words;
} codes;

typedef struct record {
    lw_origin_report report;
    char text[TEXT];
    codes operand[LW_OPERAND_COUNT];
    uint64_t times, lanes; /* in this pass; whose values have been taken */
} record;

struct lw_origin {
    lw_observer observer;
    uint64_t bits, held;
    unsigned digits, pass, begun; /* digits of a number; passes that have begun */
    record *records;
    size_t count, seen; /* seen: in this pass */
    uint32_t group[3];
    bool has_group, differs, full, no_memory;
};

/* Not linear: the XOR of the numbers of three bits must not pass the check. */
static unsigned check_sum(uint64_t number)
{
    number ^= number >> 17;
    number *= UINT64_C(0xed5ad4bbac4c1b51);
    number ^= number >> 29;
    number *= UINT64_C(0xac4c1b51ed5ad4bb);
    return (unsigned)(number >> 56);
}

static bool is_first_group(lw_origin *o, const lw_event *event)
{
    if (!o->has_group) {
        memcpy(o->group, event->workgroup, sizeof(o->group));
        o->has_group = true;
    }
    return memcmp(o->group, event->workgroup, sizeof(o->group)) == 0;
}

static record *find(const lw_origin *o, const lw_event *event)
{
    for (size_t i = 0; i < o->count; i++)
        if (o->records[i].report.code_offset == event->code_offset &&
            o->records[i].report.wave == event->wave)
            return &o->records[i];
    return NULL;
}

static bool make_room(lw_origin *o, record *r, const lw_event *event)
{
    for (int op = 0; op < LW_OPERAND_COUNT; op++) {
        const lw_matrix_operand *m = &r->report.matrix.operand[op];
        if (op == LW_OPERAND_D || !m->is_register || !m->count || m->count > MOST_WORDS)
            continue;
        const size_t count = (size_t)event->lanes * m->count * 32;
        if ((o->held += count) > MOST_CODES) {
            o->full = true;
            return false;
        }
        r->operand[op].words = m->count;
        r->operand[op].bit = calloc(count, sizeof(*r->operand[op].bit));
        if (!r->operand[op].bit) {
            o->no_memory = true;
            return false;
        }
    }
    return true;
}

static record *add(lw_origin *o, const lw_event *event, const lw_matrix_event *matrix)
{
    if (o->pass || o->count == MOST_RECORDS) {
        o->differs = o->differs || o->pass;
        o->full = o->full || !o->pass;
        return NULL;
    }
    record *r = &o->records[o->count++];
    r->report = (lw_origin_report){ .arch = event->arch,
                                    .matrix = *matrix,
                                    .code_offset = event->code_offset,
                                    .instruction = r->text,
                                    .wave = event->wave,
                                    .lanes = event->lanes };
    memcpy(r->report.workgroup, event->workgroup, sizeof(r->report.workgroup));
    if (lw_event_text(event, r->text, sizeof(r->text)) >= sizeof(r->text))
        memcpy(r->text + sizeof(r->text) - 3, "..", 3);
    (void)lw_event_line(event, &r->report.source);
    return make_room(o, r, event) ? r : NULL;
}

static void take_digits(lw_origin *o, record *r, const lw_event *event, uint64_t lanes)
{
    uint32_t values[LW_MAX_LANES];
    for (int op = 0; op < LW_OPERAND_COUNT; op++) {
        const codes *c = &r->operand[op];
        for (unsigned w = 0; c->bit && w < c->words; w++) {
            lw_event_product_word(event, (lw_operand)op, w, values, event->lanes);
            for (unsigned lane = 0; lane < event->lanes; lane++)
                for (unsigned b = 0; b < 32 && lanes >> lane & 1; b++)
                    c->bit[((size_t)lane * c->words + w) * 32 + b] |= (uint64_t)(values[lane] >> b & 1)
                                                                      << o->pass;
        }
    }
}

/* The lanes whose operands are final: a warp's lanes may come to an instruction of PTX at different times. */
static uint64_t arriving(const lw_event *event)
{
    return strcmp(lw_arch_get(event->arch)->vendor, "AMD") == 0 ? UINT64_MAX : event->exec;
}

static void before(void *context, const lw_event *event)
{
    lw_origin *o = context;
    lw_matrix_event matrix;
    if (o->full || o->no_memory || !is_first_group(o, event) || !lw_event_product(event, &matrix))
        return;
    record *r = find(o, event);
    if (!r && !(r = add(o, event, &matrix)))
        return;
    const uint64_t arrived = arriving(event), first = arrived & ~r->lanes;
    o->seen += r->times == 0 && (arrived & 1);
    r->times += arrived & 1;
    r->lanes |= arrived;
    if (first)
        take_digits(o, r, event, first);
}

static uint32_t decoded(void *context, const lw_event *event)
{
    lw_matrix_event matrix;
    (void)context;
    return lw_event_product(event, &matrix) ? LW_SEE_BEFORE : LW_SEE_NOTHING;
}

lw_status lw_origin_create(uint64_t bits, lw_origin **origin)
{
    if (!origin || bits > UINT64_C(1) << 40)
        return LW_E_ARGUMENT;
    lw_origin *o = calloc(1, sizeof(*o));
    if (o)
        o->records = calloc(MOST_RECORDS, sizeof(*o->records));
    if (!o || !o->records) {
        free(o);
        return LW_E_NO_MEMORY;
    }
    o->bits = bits;
    while (bits + FIRST_NUMBER >= (UINT64_C(1) << o->digits) - 1) /* all ones is not a number */
        o->digits++;
    o->observer = (lw_observer){
        .struct_size = sizeof(lw_observer), .context = o, .decoded = decoded, .before = before
    };
    *origin = o;
    return LW_OK;
}

void lw_origin_free(lw_origin *o)
{
    for (size_t i = 0; o && i < o->count; i++)
        for (int op = 0; op < LW_OPERAND_COUNT; op++)
            free(o->records[i].operand[op].bit);
    if (o)
        free(o->records);
    free(o);
}

unsigned lw_origin_passes(const lw_origin *o)
{
    return o ? o->digits + CHECK_BITS : 0;
}

/* Has the last pass seen the same records as the first one? */
static void close_pass(lw_origin *o)
{
    if (!o->begun)
        return;
    o->differs = o->differs || o->seen != o->count;
    for (size_t i = 0; i < o->count; i++) {
        record *r = &o->records[i];
        if (o->pass == 0)
            r->report.times = r->times;
        o->differs = o->differs || r->times != r->report.times;
        r->times = 0;
        r->lanes = 0;
    }
    o->seen = 0;
    o->has_group = false;
}

lw_status lw_origin_begin(lw_origin *o, unsigned pass)
{
    if (!o || pass != o->begun || pass >= lw_origin_passes(o))
        return LW_E_ARGUMENT;
    close_pass(o);
    o->pass = pass;
    o->begun++;
    return LW_OK;
}

void lw_origin_fill(const lw_origin *o, uint64_t first, void *bytes, size_t size)
{
    static const uint8_t inside[3] = { 0xaa, 0xcc, 0xf0 }; /* low digits of eight consecutive numbers */
    uint8_t *out = bytes;
    for (size_t i = 0; o && i < size; i++) {
        const uint64_t number = first + FIRST_NUMBER + 8 * i;
        unsigned byte = 0;
        if (o->pass < o->digits)
            byte = o->pass < 3 ? inside[o->pass] : number >> o->pass & 1 ? 0xff : 0;
        for (unsigned b = 0; b < 8 && o->pass >= o->digits; b++)
            byte |= (check_sum(number + b) >> (o->pass - o->digits) & 1) << b;
        out[i] = (uint8_t)byte;
    }
}

const lw_observer *lw_origin_observer(const lw_origin *o)
{
    return o ? &o->observer : NULL;
}

lw_status lw_origin_finish(lw_origin *o, lw_error *error)
{
    const char *why = NULL;
    if (!o || o->begun != lw_origin_passes(o))
        why = "not all passes have run";
    const lw_status wrong = why ? LW_E_ARGUMENT : LW_E_UNSUPPORTED;
    if (!why)
        close_pass(o);
    if (!why && o->no_memory)
        why = "no memory for the operands of matrix instructions";
    else if (!why && o->full)
        why = "the workgroup has more matrix instructions than can be followed: choose a smaller kernel";
    else if (!why && o->differs)
        why = "which instructions the kernel executes depends on the data of its arrays";
    if (why && error)
        snprintf(error->text, sizeof(error->text), "%s", why);
    return !why ? LW_OK : o && o->no_memory ? LW_E_NO_MEMORY : wrong;
}

size_t lw_origin_count(const lw_origin *o)
{
    return o ? o->count : 0;
}

const lw_origin_report *lw_origin_at(const lw_origin *o, size_t index)
{
    return o && index < o->count ? &o->records[index].report : NULL;
}

uint64_t lw_origin_bit(const lw_origin *o, size_t index, lw_operand operand, unsigned lane, unsigned bit)
{
    if (!o || index >= o->count || (unsigned)operand >= LW_OPERAND_COUNT)
        return LW_ORIGIN_NONE;
    const record *r = &o->records[index];
    const codes *c = &r->operand[operand];
    if (!c->bit || lane >= r->report.lanes || bit >= 32 * c->words)
        return LW_ORIGIN_NONE;
    const uint64_t code = c->bit[(size_t)lane * c->words * 32 + bit],
                   all = (UINT64_C(1) << lw_origin_passes(o)) - 1;
    const uint64_t number = code & ((UINT64_C(1) << o->digits) - 1);
    if (code == 0 || code == all)
        return code ? LW_ORIGIN_ONE : LW_ORIGIN_ZERO;
    if (number < FIRST_NUMBER || number - FIRST_NUMBER >= o->bits || code >> o->digits != check_sum(number))
        return LW_ORIGIN_COMPUTED;
    return number - FIRST_NUMBER;
}
