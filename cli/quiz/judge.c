/* SPDX-License-Identifier: MIT */
/* Reading answers as people write them, and judging them by the library. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/cli.h"
#include "cli/parse.h"
#include "cli/quiz/quiz.h"
#include "cli/quiz/sum.h"

typedef enum token_kind { TOKEN_END, TOKEN_WORD, TOKEN_NUMBER, TOKEN_BAD } token_kind;

typedef struct token {
    token_kind kind;
    char word[16];
    uint32_t number;
    bool range; /* ".." stands before the number */
} token;

/* The next word or number; punctuation between them is skipped. */
static token next_token(const char **at)
{
    static const char marks[] = " \t\r\n,;:.()[]{}<>=|/+";
    token t = { .kind = TOKEN_END };
    const char *p = *at;
    while (*p && strchr(marks, *p)) {
        t.range = t.range || (p[0] == '.' && p[1] == '.');
        p++;
    }
    size_t n = 0;
    if (isdigit((unsigned char)*p)) {
        t.kind = TOKEN_NUMBER;
        for (; isdigit((unsigned char)*p); p++, n++)
            t.number = n < 6 ? t.number * 10 + (uint32_t)(*p - '0') : UINT32_MAX;
    } else if (isalpha((unsigned char)*p)) {
        t.kind = TOKEN_WORD;
        for (; isalpha((unsigned char)*p) || *p == '_'; p++, n++)
            if (n + 1 < sizeof(t.word))
                t.word[n] = (char)tolower((unsigned char)*p);
    } else if (*p) {
        t.kind = TOKEN_BAD;
    }
    *at = p;
    return t;
}

/* Whether a word is one of those in `list`, which are separated by blanks. */
static bool is_one(const char *word, const char *list)
{
    const size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)) != NULL; at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

enum slot { SLOT_LANE, SLOT_REG, SLOT_HIGH, SLOT_LOW, SLOTS };

/* The slot that a word announces, -1 for words without meaning, -2 for words that belong to no place. */
static int slot_of(const char *word)
{
    return is_one(word, "lane l thread t tid")                  ? SLOT_LANE
           : is_one(word, "register reg r v vgpr a agpr vr vi") ? SLOT_REG
           : is_one(word, "bits bit b")                         ? SLOT_HIGH
           : is_one(word, "and of in the holds its")            ? -1
                                                                : -2;
}

/* "lane 12 register 1 bits 15:0", "12:v1 15:0", "v1{12}.[15:0]", "12 1". Returns how many bits it names, -1
 * if it cannot be read. */
static int read_place(const char *text, uint32_t place[SLOTS])
{
    bool set[SLOTS] = { false };
    int named = -1;
    for (token t = next_token(&text); t.kind != TOKEN_END; t = next_token(&text)) {
        if (t.kind == TOKEN_BAD)
            return -1;
        if (t.kind == TOKEN_WORD) {
            const int slot = slot_of(t.word);
            if (slot == -2)
                return -1;
            named = slot >= 0 ? slot : named;
            continue;
        }
        int slot = named >= 0 && !set[named] ? named : 0;
        while (slot < SLOTS && set[slot])
            slot++;
        if (slot == SLOTS)
            return -1;
        place[slot] = t.number;
        set[slot] = true;
        named = -1;
    }
    if (!set[SLOT_LANE] || !set[SLOT_REG])
        return -1;
    if (!set[SLOT_HIGH])
        return 0;
    if (!set[SLOT_LOW])
        place[SLOT_LOW] = place[SLOT_HIGH];
    if (place[SLOT_HIGH] < place[SLOT_LOW]) {
        const uint32_t low = place[SLOT_HIGH];
        place[SLOT_HIGH] = place[SLOT_LOW];
        place[SLOT_LOW] = low;
    }
    return 1;
}

/* What the lane's register holds instead, for a wrong place. */
static void say_held(const quiz_question *q, uint32_t lane, uint32_t reg, char *why, size_t size)
{
    quiz_question other = *q;
    char text[QUIZ_TEXT];
    if (lw_layout_elements(q->layout, lane, reg, other.held, QUIZ_ELEMENTS, &other.held_count) != LW_OK) {
        snprintf(why, size, "there is no lane %u with register %u of %s: %u lanes, %u registers", lane, reg,
                 lw_operand_name(q->operand), q->shown.wave, q->shown.registers);
        return;
    }
    if (other.held_count > QUIZ_ELEMENTS)
        other.held_count = QUIZ_ELEMENTS;
    quiz_write_elements(&other, text, sizeof(text));
    snprintf(why, size, "lane %u holds %s in register %u", lane, other.held_count ? text : "nothing", reg);
}

static quiz_verdict judge_place(const quiz_question *q, const char *answer, char *why, size_t size)
{
    uint32_t place[SLOTS] = { 0 };
    const int bits = read_place(answer, place);
    if (bits < 0)
        return QUIZ_UNREADABLE;
    bool near = false;
    for (size_t i = 0; i < q->held_count; i++) {
        const lw_layout_entry *e = &q->held[i];
        if (place[SLOT_LANE] != e->lane || place[SLOT_REG] != e->reg)
            continue;
        near = true;
        if (bits ? place[SLOT_HIGH] == e->msb && place[SLOT_LOW] == e->lsb : q->shown.width % 32 == 0)
            return QUIZ_RIGHT;
    }
    if (near)
        snprintf(why, size, bits ? "lane and register are right, the bits are not" : "the bits are missing");
    else
        say_held(q, place[SLOT_LANE], place[SLOT_REG], why, size);
    return QUIZ_WRONG;
}

/* Elements as they are read: coordinates in the order block, x, y. */
typedef struct element_list {
    uint32_t at[QUIZ_ELEMENTS][3];
    size_t count;
    uint32_t now[3];
    bool set[3];
} element_list;

/* The coordinate that a word announces, -1 for words without meaning, -2 for others. */
static int coordinate_of(const quiz_question *q, const char *word)
{
    char name[16];
    snprintf(name, sizeof(name), "%s", lw_operand_name(q->operand));
    for (char *p = name; *p; p++)
        *p = (char)tolower((unsigned char)*p);
    if (strcmp(word, name) == 0 || is_one(word, "and the of in element elements stored"))
        return -1;
    return is_one(word, q->shown.x_name) || is_one(word, "row x")          ? 1
           : is_one(word, q->shown.y_name) || is_one(word, "col column y") ? 2
           : is_one(word, "block") && q->shown.blocks > 1                  ? 0
                                                                           : -2;
}

static bool add_element(element_list *list)
{
    if (list->count == QUIZ_ELEMENTS)
        return false;
    memcpy(list->at[list->count++], list->now, sizeof(list->now));
    memset(list->set, 0, sizeof(list->set));
    return true;
}

/* "4..7": the elements after the one that ends in 4 */
static bool add_range(element_list *list, uint32_t last)
{
    if (!list->count || list->set[1])
        return false;
    memcpy(list->now, list->at[list->count - 1], sizeof(list->now));
    if (last <= list->now[2] || last - list->now[2] > QUIZ_ELEMENTS)
        return false;
    while (list->now[2] < last) {
        list->now[2]++;
        if (!add_element(list))
            return false;
    }
    return true;
}

/* "A[1][4] A[1][5]", "1,4 1,5", "i=1 k=4..5", with several blocks "A[block 2][1][4]" or "2,1,4". */
static bool read_elements(const quiz_question *q, const char *text, element_list *list)
{
    int named = -1;
    const int first = q->shown.blocks > 1 ? 0 : 1;
    for (token t = next_token(&text); t.kind != TOKEN_END; t = next_token(&text)) {
        if (t.kind == TOKEN_BAD)
            return false;
        if (t.kind == TOKEN_WORD) {
            const int c = coordinate_of(q, t.word);
            if (c == -2)
                return false;
            named = c >= 0 ? c : named;
            continue;
        }
        if (t.range) {
            if (!add_range(list, t.number))
                return false;
            continue;
        }
        int c = named >= 0 && !list->set[named] ? named : first;
        while (c < 3 && list->set[c])
            c++;
        if (c == 3)
            return false;
        list->now[c] = t.number;
        list->set[c] = true;
        named = -1;
        if ((first || list->set[0]) && list->set[1] && list->set[2] && !add_element(list))
            return false;
    }
    return list->count && !list->set[0] && !list->set[1] && !list->set[2];
}

static bool is_held(const quiz_question *q, const uint32_t at[3])
{
    for (size_t i = 0; i < q->held_count; i++)
        if (q->held[i].x == at[1] && q->held[i].y == at[2] &&
            (q->shown.blocks == 1 || q->held[i].block == at[0]))
            return true;
    return false;
}

static quiz_verdict judge_holds(const quiz_question *q, const char *answer, char *why, size_t size)
{
    element_list list = { .count = 0 };
    if (!read_elements(q, answer, &list))
        return QUIZ_UNREADABLE;
    for (size_t i = 0; i < list.count; i++)
        if (!is_held(q, list.at[i])) {
            snprintf(why, size, "[%u][%u] is elsewhere", list.at[i][1], list.at[i][2]);
            return QUIZ_WRONG;
        }
    for (size_t i = 0; i < q->held_count; i++) {
        const lw_layout_entry *e = &q->held[i];
        bool named = false;
        for (size_t j = 0; j < list.count; j++)
            named |= list.at[j][1] == e->x && list.at[j][2] == e->y &&
                     (q->shown.blocks == 1 || list.at[j][0] == e->block);
        if (!named) {
            snprintf(why, size, "there is more in that register");
            return QUIZ_WRONG;
        }
    }
    return QUIZ_RIGHT;
}

static quiz_verdict judge_operands(const quiz_question *q, const char *answer, char *why, size_t size)
{
    uint32_t named = 0;
    for (token t = next_token(&answer); t.kind != TOKEN_END; t = next_token(&answer)) {
        if (t.kind != TOKEN_WORD)
            return QUIZ_UNREADABLE;
        if (is_one(t.word, "and only operand operands both all"))
            continue;
        if (!is_one(t.word, "a b d ab ad bd abd"))
            return QUIZ_UNREADABLE;
        for (const char *p = t.word; *p; p++)
            named |= 1u << (*p == 'a' ? LW_OPERAND_A : *p == 'b' ? LW_OPERAND_B : LW_OPERAND_D);
    }
    if (!named)
        return QUIZ_UNREADABLE;
    snprintf(why, size, named & ~q->operands ? "not all of these" : "there are more");
    return named == q->operands ? QUIZ_RIGHT : QUIZ_WRONG;
}

static quiz_verdict judge_number(const quiz_question *q, const char *answer, char *why, size_t size)
{
    bool found = false;
    uint32_t number = 0;
    char text[64];
    snprintf(text, sizeof(text), "%s", answer);
    for (char *p = text; *p; p++)
        *p = *p == '-' && p > text && isdigit((unsigned char)p[-1]) ? ' ' : *p;
    const char *at = text;
    for (token t = next_token(&at); t.kind != TOKEN_END; t = next_token(&at)) {
        if (t.kind == TOKEN_BAD || (t.kind == TOKEN_NUMBER && found) ||
            (t.kind == TOKEN_WORD &&
             !is_one(t.word, "way turn turns register registers conflict conflicts x")))
            return QUIZ_UNREADABLE;
        if (t.kind == TOKEN_NUMBER) {
            found = true;
            number = t.number;
        }
    }
    if (!found || strlen(answer) >= sizeof(text))
        return QUIZ_UNREADABLE;
    snprintf(why, size, number < q->number ? "more than that" : "fewer than that");
    return number == q->number ? QUIZ_RIGHT : QUIZ_WRONG;
}

lw_status quiz_read_tile(const quiz_question *q, const char *text, lw_tile **tile, lw_error *error)
{
    char swizzle[96];
    uint64_t bms[3];
    size_t count = 0;
    const bool named = strncmp(text, "Swizzle<", 8) == 0 && text[strlen(text) - 1] == '>';
    char bare[64] = "";
    if (named && strlen(text) < sizeof(bare))
        snprintf(bare, sizeof(bare), "%.*s", (int)strlen(text) - 9, text + 8);
    if (parse_numbers(*bare ? bare : text, 0, 3, bms, &count) && count == 3 && bms[0] < 32 && bms[1] < 32 &&
        bms[2] < 32) {
        const unsigned b = (unsigned)bms[0], m = (unsigned)bms[1], s = (unsigned)bms[2];
        if (q->by_columns)
            snprintf(swizzle, sizeof(swizzle), "Sw<%u,%u,%u> o 0 o (%u,%u):(1,%u)", b, m, s, q->rows, q->cols,
                     q->rows);
        else
            snprintf(swizzle, sizeof(swizzle), "Swizzle<%u,%u,%u>", b, m, s);
        text = swizzle;
    }
    return lw_tile_read(text, strlen(text), q->rows, q->cols, q->shown.width, tile, error);
}

static quiz_verdict judge_swizzle(const quiz_question *q, const char *answer, char *why, size_t size)
{
    lw_tile *tile = NULL;
    lw_tile_banks banks;
    lw_error error = { "" };
    const lw_status st = quiz_read_tile(q, answer, &tile, &error);
    if (st != LW_OK) {
        snprintf(why, size, "%s", error.text);
        return QUIZ_UNREADABLE;
    }
    quiz_verdict verdict = QUIZ_WRONG;
    if (lw_tile_count_banks(tile, q->layout, q->access, false, &banks, &error) != LW_OK)
        snprintf(why, size, "%s", error.text);
    else if (banks.turns.turns <= q->repair.swizzle.turns)
        verdict = QUIZ_RIGHT;
    else
        snprintf(why, size, "%llu turns in all; %llu are possible, and %llu without a swizzle",
                 (unsigned long long)banks.turns.turns, (unsigned long long)q->repair.swizzle.turns,
                 (unsigned long long)q->repair.plain.turns);
    lw_tile_free(tile);
    return verdict;
}

/* Hexadecimal digits, as many as D has, with 0x or without. */
static bool read_code(const quiz_question *q, const char *text, uint64_t *code)
{
    char hex[24] = "0x";
    const size_t length = strlen(text);
    if (strncasecmp(text, "0x", 2) == 0)
        return parse_u64(text, code);
    if (length != q->sum.shape.d_bits / 4u || length > 16)
        return false;
    strcat(hex, text);
    return parse_u64(hex, code);
}

static quiz_verdict judge_bits(const quiz_question *q, const char *answer, char *why, size_t size)
{
    char *end, text[64];
    uint64_t code = 0;
    double want = 0;
    const bool is_code = read_code(q, answer, &code);
    if (is_code && code == q->sum.d)
        return QUIZ_RIGHT;
    const double value = strtod(answer, &end);
    const bool is_value = end != answer && *end == '\0';
    const char *const format = q->sum.shape.d_format;
    if (!is_code && !is_value)
        return QUIZ_UNREADABLE;
    if (is_value && strncasecmp(answer, "0x", 2) != 0 && quiz_value(format, q->sum.d, &want) && value == want)
        return QUIZ_RIGHT;
    if (is_value && strchr(answer, 'p') && quiz_value(format, q->sum.d, &want) && value == want)
        return QUIZ_RIGHT;
    if (is_code && lw_mma_decode(format, code, text, sizeof(text)) == LW_OK)
        snprintf(why, size, "these bits are %s", text);
    else
        snprintf(why, size, "another value comes out");
    return QUIZ_WRONG;
}

quiz_verdict quiz_judge(const quiz_question *q, const char *answer, char *why, size_t size)
{
    why[0] = '\0';
    switch (q->kind) {
    case QUIZ_PLACE:
        return judge_place(q, answer, why, size);
    case QUIZ_HOLDS:
        return judge_holds(q, answer, why, size);
    case QUIZ_OPERANDS:
        return judge_operands(q, answer, why, size);
    case QUIZ_SWIZZLE:
        return judge_swizzle(q, answer, why, size);
    case QUIZ_BITS:
        return judge_bits(q, answer, why, size);
    default:
        return judge_number(q, answer, why, size);
    }
}
