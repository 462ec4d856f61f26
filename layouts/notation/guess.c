/* SPDX-License-Identifier: MIT */
/* Which operands a notation fits: it is judged once against each distinct layout. */
#include <stdlib.h>
#include <string.h>

#include <lanewise/convert.h>

#include "isa_tables/error.h"
#include "isa_tables/ptx/parts.h"
#include "layouts/notation/lane_code.h"
#include "layouts/notation/sides.h"

enum { WAVE_SIZES = 3 /* 32, 64 and 128 lanes */, CHAINS = 256 };

/* A layout that has been judged: operands with the same relation get the same verdict. */
typedef struct known {
    uint64_t hash; /* of what follows, up to `axes` */
    lw_relation relation;
    uint8_t axis[LW_TV_MOST_AXES];
    unsigned axes;
    int operand; /* where the text names one */
    size_t next; /* in the chain; 0: none */
    bool fits;
    lw_layout_verdict verdict;
} known;

/* An operand and those that have its layout: the same row of PTX on another architecture, unless the old sums
 * of quarters change it. AMD's generations place the operands of one row differently. */
typedef struct place {
    const lw_insn *insn;
    lw_operand operand;
    unsigned wave;
    int generation;
    size_t judged; /* its number in `seen`, from 1 on */
    size_t next;   /* in the chain; 0: none */
} place;

typedef struct search {
    lw_reader text;
    bool names;         /* the text names the operand */
    bool bits;          /* the text says which bits hold an element */
    lw_listing listing; /* its numbers, if it is one */
    lw_lane_code code;  /* its steps, if it is lane arithmetic */
    known *seen;
    size_t seen_count, seen_room;
    size_t chain[CHAINS]; /* by hash: the number of the latest in `seen`, from 1 on */
    place *places;
    size_t place_count, place_room;
    size_t at_row[CHAINS]; /* by the row's address: the number of the latest in `places`, from 1 on */
    lw_layout_guess *out;
    size_t capacity, count;
    bool read; /* at least one operand could be compared */
    lw_error first;
    lw_status first_status, status;
} search;

static bool is_fit(lw_layout_verdict verdict)
{
    return verdict == LW_VERDICT_EQUAL || verdict == LW_VERDICT_K_RENAMED ||
           verdict == LW_VERDICT_REORDERED || verdict == LW_VERDICT_TRANSPOSED;
}

static size_t chain_of(const lw_insn *insn)
{
    return (uintptr_t)insn / 64 % CHAINS;
}

static const place *find_place(const search *s, const place *p)
{
    for (size_t n = s->at_row[chain_of(p->insn)]; n; n = s->places[n - 1].next) {
        const place *is = &s->places[n - 1];
        if (is->insn == p->insn && is->operand == p->operand && is->wave == p->wave &&
            is->generation == p->generation)
            return is;
    }
    return NULL;
}

static void add_place(search *s, const place *p)
{
    if (s->place_count == s->place_room) {
        const size_t room = s->place_room ? 2 * s->place_room : 512;
        place *more = realloc(s->places, room * sizeof(*more));
        if (!more) {
            s->status = LW_E_NO_MEMORY;
            return;
        }
        s->places = more;
        s->place_room = room;
    }
    size_t *first = &s->at_row[chain_of(p->insn)];
    s->places[s->place_count] = *p;
    s->places[s->place_count].next = *first;
    *first = ++s->place_count;
}

static known *find_known(search *s, const known *k)
{
    for (size_t n = s->chain[k->hash % CHAINS]; n; n = s->seen[n - 1].next) {
        known *is = &s->seen[n - 1];
        if (is->hash == k->hash && is->operand == k->operand && is->axes == k->axes &&
            memcmp(is->axis, k->axis, k->axes) == 0 &&
            memcmp(&is->relation, &k->relation, sizeof(k->relation)) == 0)
            return is;
    }
    return NULL;
}

static known *add_known(search *s, const known *k)
{
    if (s->seen_count == s->seen_room) {
        const size_t room = s->seen_room ? 2 * s->seen_room : 64;
        known *more = realloc(s->seen, room * sizeof(*more));
        if (!more) {
            s->status = LW_E_NO_MEMORY;
            return NULL;
        }
        s->seen = more;
        s->seen_room = room;
    }
    known *added = &s->seen[s->seen_count++];
    *added = *k;
    added->next = s->chain[k->hash % CHAINS];
    s->chain[k->hash % CHAINS] = s->seen_count;
    return added;
}

/* FNV-1a, by words. */
static uint64_t hash_words(uint64_t hash, const void *words, size_t bytes)
{
    for (size_t i = 0; i + sizeof(uint32_t) <= bytes; i += sizeof(uint32_t)) {
        uint32_t word;
        memcpy(&word, (const char *)words + i, sizeof(word));
        hash = (hash ^ word) * UINT64_C(0x100000001b3);
    }
    return hash;
}

/* Without the digits and bases that the relation does not have. */
static uint64_t hash_of(const known *k)
{
    const lw_relation *r = &k->relation;
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ k->axes;
    hash = hash_words(hash, r->digit, r->digits * sizeof(r->digit[0]));
    hash = hash_words(hash, r->base, r->bases * sizeof(r->base[0]));
    return hash_words(hash, &r->origin, sizeof(*r) - offsetof(lw_relation, origin));
}

/* Where the text names no bits, only the count of values matters. */
static bool make_known(const search *s, const lw_layout *layout, lw_tv *made, known *k)
{
    if (lw_tv_make(layout, "guess", made, NULL) != LW_OK)
        return false;
    memset(k, 0, sizeof(*k));
    k->relation = made->r;
    if (s->bits && made->uneven) {
        lw_relation_normalize(&layout->relation, &k->relation);
    } else if (!s->bits) {
        k->relation.pitch = k->relation.width = 1;
        k->relation.start = 0;
        k->relation.bits = made->count;
    }
    memcpy(k->axis, made->axis, sizeof(k->axis));
    k->axes = made->axes;
    k->operand = s->names ? layout->operand : -1;
    k->hash = hash_of(k);
    return true;
}

/* Once an operand has been compared, the others need no error message: a sample of lanes may reject them. So
 * it is with a listing, which can be read; whether for any operand is seen at the end. */
static void judge(search *s, const lw_layout *layout, const lw_tv *tv, known *k)
{
    lw_layout_judgement j = { .struct_size = sizeof(j) };
    lw_error error = { "" };
    if ((s->read || s->listing.count) && !lw_text_may_fit(tv, &s->text))
        return;
    const lw_status st = lw_layout_judge_text(layout, &s->text, &j, &error);
    if (st == LW_E_NO_MEMORY)
        s->status = st;
    if (st != LW_OK && s->first_status == LW_OK) {
        s->first_status = st;
        s->first = error;
    }
    s->read = s->read || st == LW_OK;
    k->fits = st == LW_OK && is_fit(j.verdict);
    k->verdict = st == LW_OK ? j.verdict : LW_VERDICT_DIFFERENT;
}

/* The number in `seen` of the operand's layout, which is judged if it is new; 0: it has none. */
static size_t judge_operand(search *s, lw_arch arch, const place *p)
{
    lw_layout *layout = NULL;
    lw_tv tv;
    known made, *k = NULL;
    if (lw_layout_create(arch, p->insn, p->operand, p->wave, NULL, &layout, NULL) != LW_OK)
        return 0;
    if (make_known(s, layout, &tv, &made)) {
        k = find_known(s, &made);
        if (!k && (k = add_known(s, &made)) != NULL)
            judge(s, layout, &tv, k);
    }
    lw_layout_free(layout);
    return k ? (size_t)(k - s->seen) + 1 : 0;
}

static int generation_of(lw_arch arch)
{
    return !lw_arch_is_nvidia(arch) ? (int)arch : lw_arch_traits_rows[arch].sums_of_quarters ? -1 : -2;
}

static void try_operand(search *s, lw_arch arch, const lw_insn *insn, lw_operand operand, unsigned wave)
{
    place p = { insn, operand, wave, generation_of(arch), 0, 0 };
    if (s->listing.count && s->listing.operand >= 0 && s->listing.operand != (int)operand)
        return;
    const place *before = find_place(s, &p);
    p.judged = before ? before->judged : judge_operand(s, arch, &p);
    if (!p.judged)
        return;
    if (!before)
        add_place(s, &p);
    const known *k = &s->seen[p.judged - 1];
    if (!k->fits)
        return;
    if (s->count < s->capacity)
        s->out[s->count] = (lw_layout_guess){ arch, insn, operand, (uint8_t)k->relation.lanes, k->verdict };
    s->count++;
}

/* Of a further width, the operands with N columns: the others are as those of the least width. */
static bool is_of_width(lw_operand operand)
{
    return operand == LW_OPERAND_B || operand == LW_OPERAND_C || operand == LW_OPERAND_D ||
           operand == LW_OPERAND_SCALE_B;
}

static void try_insn(search *s, lw_arch arch, const lw_insn *insn, bool further)
{
    lw_insn_info info;
    if (lw_insn_get_info(arch, insn, &info) != LW_OK)
        return;
    for (int o = 0; o < LW_OPERAND_COUNT && s->status == LW_OK; o++)
        for (unsigned size = 0; info.operand[o].present && size < WAVE_SIZES; size++)
            if (info.wave_sizes & 1u << size && (!further || is_of_width((lw_operand)o)))
                try_operand(s, arch, insn, (lw_operand)o, 32u << size);
}

static void try_arch(search *s, lw_arch arch)
{
    const lw_insn *insn;
    for (size_t n = 0; s->status == LW_OK && (insn = lw_insn_at(arch, n)) != NULL; n++)
        try_insn(s, arch, insn, false);
    for (size_t n = 0; s->status == LW_OK && (insn = lw_ptx_wide_at(n)) != NULL; n++)
        if (lw_insn_on(insn, arch) && lw_ptx_has_width(insn, insn->n))
            try_insn(s, arch, insn, true);
}

static void try_all(search *s, lw_arch arch)
{
    s->seen_count = s->place_count = 0;
    memset(s->chain, 0, sizeof(s->chain));
    memset(s->at_row, 0, sizeof(s->at_row));
    for (int a = LW_ARCH_NONE + 1; a < LW_ARCH_COUNT && s->status == LW_OK; a++)
        if (arch == LW_ARCH_NONE || arch == (lw_arch)a)
            try_arch(s, (lw_arch)a);
}

/* The texts of these two kinds are read once for all operands. */
static void read_once(search *s, lw_notation notation)
{
    lw_reader *r = &s->text;
    lw_error error;
    s->names = notation == LW_NOTATION_CALCULATOR;
    s->bits = notation == LW_NOTATION_LISTING || notation == LW_NOTATION_CALCULATOR;
    if (lw_listing_read(r->text, r->size, &s->listing) ||
        lw_listing_of_calculator(r->text, r->size, &s->listing)) {
        r->listing = &s->listing;
    } else if (notation == LW_NOTATION_FORMULA) {
        lw_reader of_code = { .text = r->text, .size = r->size, .error = &error };
        if (lw_lane_code_of_places(&of_code, &s->code))
            r->code = &s->code;
    }
}

lw_status lw_layout_guesses(const char *text, size_t size, lw_arch arch, lw_layout_guess *guesses,
                            size_t capacity, size_t *count, lw_error *error)
{
    search s = { .text = { .text = text, .size = size }, .out = guesses, .capacity = capacity };
    if (!text || !count || (!guesses && capacity))
        return lw_error_fail(error, LW_E_ARGUMENT, "lw_layout_guesses needs a text and a result");
    if (arch != LW_ARCH_NONE && !lw_arch_get(arch))
        return lw_error_fail(error, LW_E_ARCH, "no such architecture");
    read_once(&s, lw_notation_guess(&s.text));
    if (s.listing.count) {
        try_all(&s, arch);
        free(s.listing.line);
        s.listing = (lw_listing){ .line = NULL, .operand = -1 };
        s.text.listing = NULL;
        s.first_status = LW_OK; /* reading it again tells the place */
    }
    if (!s.read) /* nothing fits, or it is no listing: is there an error? */
        try_all(&s, arch);
    free(s.seen);
    free(s.places);
    free(s.code.step);
    if (s.status != LW_OK)
        return lw_error_fail(error, s.status, "no memory to guess a layout");
    if (!s.read && s.first_status != LW_OK)
        return lw_error_fail(error, s.first_status, "%s", s.first.text);
    *count = s.count;
    return LW_OK;
}
