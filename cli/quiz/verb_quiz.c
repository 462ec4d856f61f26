/* SPDX-License-Identifier: MIT */
/* lanewise quiz: exercises about layouts, banks and numbers, checked and explained. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/json.h"
#include "cli/parse.h"
#include "cli/quiz/quiz.h"
#include "cli/target.h"

typedef struct quiz {
    lw_arch arch;
    unsigned level, count;
    uint64_t seed;
    unsigned first;     /* the number of the first question */
    const char *answer; /* of question `first`; NULL: none is given */
} quiz;

static int read_number(const cli_call *call, const char *option, uint64_t low, uint64_t high,
                       uint64_t *number)
{
    const char *text = cli_value(call, option);
    if (text && (!parse_u64(text, number) || *number < low || *number > high))
        return cli_fail(call, CLI_USAGE, "--%s %s: must be a number from %llu to %llu", option, text,
                        (unsigned long long)low, (unsigned long long)high);
    return CLI_FINE;
}

static int read_quiz(const cli_call *call, quiz *z)
{
    uint64_t level = 1, count = 5, first = 1, seed = (uint64_t)time(NULL) % 1000000;
    if (call->operand_count)
        return cli_fail(call, CLI_USAGE, "takes no operands; '%s' is one", call->operands[0]);
    int exit = target_arch(call, false, &z->arch);
    if (exit == CLI_FINE)
        exit = read_number(call, "level", 1, QUIZ_LEVELS, &level);
    if (exit == CLI_FINE)
        exit = read_number(call, "count", 1, QUIZ_MOST, &count);
    if (exit == CLI_FINE)
        exit = read_number(call, "seed", 0, UINT64_MAX, &seed);
    if (exit == CLI_FINE)
        exit = read_number(call, "number", 1, QUIZ_MOST, &first);
    if (exit == CLI_FINE && cli_has(call, "answer") && !cli_has(call, "seed"))
        exit = cli_fail(call, CLI_USAGE, "--answer: needs the --seed of its question");
    if (exit == CLI_FINE && cli_has(call, "answer") && cli_has(call, "sheet"))
        exit = cli_fail(call, CLI_USAGE, "--answer cannot be combined with --sheet");
    z->level = (unsigned)level;
    z->count = cli_has(call, "number") || cli_has(call, "answer") ? 1 : (unsigned)count;
    z->first = (unsigned)first;
    z->answer = cli_value(call, "answer");
    z->seed = seed;
    return exit;
}

/* The number of the question is that of the user, from 1 on. */
static int ask(const cli_call *call, const quiz *z, unsigned number, quiz_question *q)
{
    if (quiz_ask(z->arch, z->level, z->seed, number - 1, q))
        return CLI_FINE;
    return cli_fail(call, CLI_FAULT, "level %u has no question about %s whose answer is known%s", z->level,
                    z->arch == LW_ARCH_NONE ? "these GPUs" : lw_arch_get(z->arch)->name,
                    z->level < QUIZ_LEVELS ? "; a higher level may have one" : "");
}

static void print_head(const quiz *z, const char *mark)
{
    printf("%s%u question%s of level %u; --seed %llu asks the same again\n", mark, z->count,
           z->count == 1 ? "" : "s", z->level, (unsigned long long)z->seed);
}

/* Text in which Markdown sees neither tags nor emphasis. */
static void print_plain(const char *text)
{
    for (; *text; text++)
        printf("%s%c", strchr("<*", *text) ? "\\" : "", *text);
}

/* --sheet: the questions, then their solutions, as Markdown. */
static int print_sheet(const cli_call *call, const quiz *z)
{
    quiz_question q;
    int exit = CLI_FINE;
    print_head(z, "# Exercises\n\n");
    for (unsigned i = 1; i <= z->count && exit == CLI_FINE; i++) {
        if ((exit = ask(call, z, z->first + i - 1, &q)) != CLI_FINE)
            break;
        printf("\n%u. ", z->first + i - 1);
        print_plain(q.text);
        printf("\n\n   Form of the answer: ");
        print_plain(q.form);
        putchar('\n');
        quiz_free(&q);
    }
    if (exit == CLI_FINE)
        puts("\n# Solutions");
    for (unsigned i = 1; i <= z->count && exit == CLI_FINE; i++) {
        debug_text text = { 0 };
        if ((exit = ask(call, z, z->first + i - 1, &q)) != CLI_FINE)
            break;
        quiz_explain(&q, false, 0, &text);
        printf("\n## %u\n\n`%s`\n\n```text\n%s```\n\n`%s`\n", z->first + i - 1, q.answer,
               debug_text_of(&text), q.command);
        debug_text_free(&text);
        quiz_free(&q);
    }
    return exit;
}

static void write_sum(cli_json *json, const quiz_sum *s)
{
    json_uint(json, "row", s->row);
    json_uint(json, "column", s->col);
    json_open(json, "products", '[');
    for (unsigned i = 0; i < s->count; i++) {
        json_open(json, NULL, '{');
        json_uint(json, "k", s->k[i]);
        json_hex(json, "a", s->a[i], (s->shape.a_bits + 3u) / 4);
        json_hex(json, "b", s->b[i], (s->shape.b_bits + 3u) / 4);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_hex(json, "c", s->c, (s->shape.c_bits + 3u) / 4);
}

/* What the question is about, as data: numbers that other verbs take. */
static void write_about(cli_json *json, const quiz_question *q)
{
    char access[8];
    const bool tile = q->kind == QUIZ_TURNS || q->kind == QUIZ_SWIZZLE;
    json_open(json, "about", '{');
    if (q->kind == QUIZ_BITS) {
        write_sum(json, &q->sum);
    } else {
        json_string(json, "operand", lw_operand_name(q->operand));
    }
    if (tile) {
        snprintf(access, sizeof(access), "b%u", q->access * 8);
        json_string(json, "access", access);
        json_uint(json, "rows", q->rows);
        json_uint(json, "columns", q->cols);
    } else if (q->kind == QUIZ_PLACE || q->kind == QUIZ_OPERANDS) {
        json_uint(json, "block", q->at.block);
        json_uint(json, "x", q->at.x);
        json_uint(json, "y", q->at.y);
    } else if (q->kind != QUIZ_BITS) {
        json_uint(json, "lane", q->at.lane);
        if (q->kind == QUIZ_HOLDS)
            json_uint(json, "register", q->at.reg);
    }
    json_close(json, '}');
}

/* `verdict` and `why` of a given answer, or NULL. */
static void write_question(cli_json *json, unsigned number, const quiz_question *q, const char *verdict,
                           const char *why)
{
    debug_text text = { 0 };
    quiz_explain(q, false, 0, &text);
    json_open(json, NULL, '{');
    json_uint(json, "number", number);
    json_string(json, "kind", quiz_kind_names[q->kind]);
    json_string(json, "arch", lw_arch_get(q->arch)->name);
    json_string(json, "instruction", q->info.mnemonic);
    json_string(json, "question", q->text);
    json_string(json, "form", q->form);
    json_string(json, "answer", q->answer);
    json_string(json, "explanation", debug_text_of(&text));
    json_string(json, "command", q->command);
    write_about(json, q);
    if (verdict) {
        json_string(json, "verdict", verdict);
        json_string(json, "why", why);
    }
    json_close(json, '}');
    debug_text_free(&text);
}

static int print_json(const cli_call *call, const quiz *z)
{
    cli_json json = { .out = stdout };
    quiz_question *all = cli_alloc(z->count * sizeof(*all));
    unsigned made = 0;
    int exit = CLI_FINE;
    while (made < z->count && (exit = ask(call, z, z->first + made, &all[made])) == CLI_FINE)
        made++;
    if (exit == CLI_FINE) {
        json_open(&json, NULL, '{');
        json_uint(&json, "level", z->level);
        json_uint(&json, "seed", z->seed);
        json_open(&json, "questions", '[');
        for (unsigned i = 0; i < made; i++)
            write_question(&json, z->first + i, &all[i], NULL, NULL);
        json_close(&json, ']');
        json_close(&json, '}');
    }
    for (unsigned i = 0; i < made; i++)
        quiz_free(&all[i]);
    free(all);
    return exit;
}

typedef enum line_kind { LINE_TEXT, LINE_TOO_LONG, LINE_END } line_kind;

/* One line of stdin without blanks around it. */
static line_kind read_line(char *line, size_t size)
{
    size_t length = 0;
    bool any = false, over = false;
    for (int c; (c = getchar()) != EOF && (any = true) && c != '\n';) {
        if (length == 0 && (c == ' ' || c == '\t'))
            continue;
        if (length + 1 < size)
            line[length++] = (char)(c ? c : '?');
        else
            over = true;
    }
    while (length && strchr(" \t\r", line[length - 1]))
        length--;
    line[length] = '\0';
    return over ? LINE_TOO_LONG : any ? LINE_TEXT : LINE_END;
}

typedef enum outcome { ANSWERED_RIGHT, ANSWERED_WRONG, ENDED } outcome;

/* Reads answers to one question until one can be read; on a pipe, one line. */
static outcome answer(const quiz_question *q, bool terminal)
{
    char line[1024], why[QUIZ_TEXT];
    for (;;) {
        if (terminal)
            fputs("> ", stdout);
        fflush(stdout);
        const line_kind kind = read_line(line, sizeof(line));
        if (kind == LINE_END || strcmp(line, "q") == 0 || strcmp(line, "quit") == 0)
            return ENDED;
        if (kind == LINE_TEXT && !line[0]) {
            printf("no answer: %s\n", q->answer);
            return ANSWERED_WRONG;
        }
        quiz_verdict verdict = QUIZ_UNREADABLE;
        why[0] = '\0';
        if (kind == LINE_TEXT)
            verdict = quiz_judge(q, line, why, sizeof(why));
        if (verdict == QUIZ_RIGHT) {
            puts("right");
            return ANSWERED_RIGHT;
        }
        if (verdict == QUIZ_WRONG) {
            printf("wrong: %s%sthe answer is %s\n", why, why[0] ? "; " : "", q->answer);
            return ANSWERED_WRONG;
        }
        printf("cannot be read%s%s; the form is %s\n", why[0] ? ": " : "", why, q->form);
        if (!terminal) {
            printf("the answer is %s\n", q->answer);
            return ANSWERED_WRONG;
        }
    }
}

static int take(const cli_call *call, const quiz *z)
{
    const bool terminal = isatty(STDIN_FILENO), colour = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
    unsigned right = 0;
    print_head(z, "");
    for (unsigned i = 1; i <= z->count; i++) {
        quiz_question q;
        const int exit = ask(call, z, z->first + i - 1, &q);
        if (exit != CLI_FINE)
            return exit;
        printf("\n%u. ", z->first + i - 1);
        target_print_wrapped(0, q.text);
        if (terminal)
            printf("Form of the answer: %s. An empty line shows it, q ends.\n", q.form);
        const outcome got = answer(&q, terminal);
        right += got == ANSWERED_RIGHT;
        if (got != ENDED) {
            debug_text text = { 0 };
            quiz_explain(&q, colour, 0, &text);
            printf("%s%s\n", debug_text_of(&text), q.command);
            debug_text_free(&text);
        }
        quiz_free(&q);
        if (got == ENDED)
            break;
    }
    printf("\n%u of %u right\n", right, z->count);
    return right == z->count ? CLI_FINE : CLI_NO;
}

/* --answer: that of one question; an empty one is a wrong one. */
static int judge_answer(const cli_call *call, const quiz *z)
{
    static const char *const names[] = {
        [QUIZ_RIGHT] = "right", [QUIZ_WRONG] = "wrong", [QUIZ_UNREADABLE] = "unreadable"
    };
    quiz_question q;
    char why[QUIZ_TEXT] = "";
    const int exit = ask(call, z, z->first, &q);
    if (exit != CLI_FINE)
        return exit;
    const quiz_verdict verdict = z->answer[0] ? quiz_judge(&q, z->answer, why, sizeof(why)) : QUIZ_WRONG;
    if (cli_has(call, "json")) {
        cli_json json = { .out = stdout };
        write_question(&json, z->first, &q, names[verdict], why);
    } else {
        debug_text text = { 0 };
        quiz_explain(&q, false, 0, &text);
        printf("%s%s%s\n", names[verdict], why[0] ? ": " : "", why);
        if (verdict != QUIZ_UNREADABLE)
            printf("the answer is %s\n%s%s\n", q.answer, debug_text_of(&text), q.command);
        else
            printf("the form is %s\n", q.form);
        debug_text_free(&text);
    }
    quiz_free(&q);
    return verdict == QUIZ_RIGHT ? CLI_FINE : CLI_NO;
}

static int run_quiz(const cli_call *call)
{
    quiz z;
    const int exit = read_quiz(call, &z);
    if (exit != CLI_FINE)
        return exit;
    return z.answer                 ? judge_answer(call, &z)
           : cli_has(call, "json")  ? print_json(call, &z)
           : cli_has(call, "sheet") ? print_sheet(call, &z)
                                    : take(call, &z);
}

static const cli_option options[] = {
    CLI_OPTION_ARCH,
    { .name = "level",
      .value = "N",
      .help =
          "1 (default): dense instructions, whole registers, small numbers; 2: packed\nregisters, operands, "
          "bank conflicts, fractions; 3: every instruction,\nswizzles, numbers that lose bits" },
    { .name = "seed",
      .value = "S",
      .help = "the same seed asks the same questions; default: the clock's, printed" },
    { .name = "count", .value = "N", .help = "questions, 1 to 100; default 5" },
    { .name = "number", .value = "N", .help = "only this question of the seed, 1 to 100" },
    { .name = "answer",
      .value = "TEXT",
      .help = "judge this answer to --number (default 1) of --seed; nothing is read" },
    { .name = "sheet", .help = "print a worksheet and its solutions as Markdown; nothing is read" },
};

static const cli_example examples[] = {
    { .command = "lanewise quiz --sheet --seed 7",
      .says = "five questions for a class, and their solutions" },
    { .command = "lanewise quiz --arch H100 --level 3 --seed 1 --json",
      .says = "the same as data, about one GPU" },
    { .command = "lanewise quiz --arch gfx942 --seed 1 --number 1 --answer 'lane 29 register 10' --json",
      .says = "one answer judged and explained, as data" },
    { .command = "echo 'lane 29 register 10' | lanewise quiz --arch gfx942 --seed 1 --count 1",
      .says = "an answer from a script; without a pipe, answer at the prompt" },
};

const cli_verb cli_verb_quiz = {
    .name = "quiz",
    .usage = "[--arch ARCH] [--level N] [--seed S] [--count N] [--sheet]",
    .summary = "exercises: asks about layouts, banks and bits, checks the answer, explains it",
    .text =
        "Asks which lane and register hold an element, what a register holds, how many registers an operand\n"
        "takes, which operands have a given element in a given place, how many turns a load from a tile "
        "takes\n"
        "and which swizzle makes them fewest, and which bits come out of a few products. Every answer is\n"
        "computed when the question is asked, and judged by what it means: \"lane 12 register 1\", \"12:v1\" "
        "and\n"
        "\"v1{12}\" are the same place, any copy of an element is right, and so is every swizzle or padding, "
        "in\n"
        "any notation that 'layout --tile' reads, that leaves as few turns. The explanation names the "
        "evidence.\n"
        "Answers are read from standard input, one line each. At a terminal an answer that cannot be read "
        "is\n"
        "asked for again; from a pipe it counts as wrong, as does an empty line. The end of the input, or "
        "q,\n"
        "ends the quiz; questions that were not answered are not right. Exit status: 0 all right, 1 not "
        "all.\n"
        "With --answer, one answer is judged; an empty one is wrong. With --sheet and with --json nothing "
        "is\n"
        "read and the status is 0; the JSON has each question with its answer, its explanation and, as\n"
        "numbers, what it is about.\n",
    .options = options,
    .option_count = CLI_COUNT(options),
    .examples = examples,
    .example_count = CLI_COUNT(examples),
    .run = run_quiz,
};
