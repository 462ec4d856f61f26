/* SPDX-License-Identifier: MIT */
/* Parts of launches: what is written is read, and nothing else is; which sets of parts join.
 * tests/cli/parts.py reads and writes the same files from their description. */
#include <lanewise/part.h>

#include "tests/loaders/fixture.h"

enum { MOST = 4096, HASH = 8, SIZE = 1000 };

typedef struct file {
    uint8_t bytes[MOST];
    size_t size;
} file;

static lw_status to_file(void *context, const char *text, size_t size)
{
    file *f = context;
    ck_assert_uint_le(f->size + size, MOST);
    memcpy(f->bytes + f->size, text, size);
    f->size += size;
    return LW_OK;
}

static lw_status fail_at_once(void *context, const char *text, size_t size)
{
    (void)context, (void)text, (void)size;
    return LW_E_IO;
}

static uint8_t before[SIZE], written_bytes[SIZE];
static const lw_byte_run reads[] = { { 0, 4 }, { 200, 200 }, { 999, 1 } },
                         writes[] = { { 5, 1 }, { 300, 2 } };
static lw_launch_piece pieces[2];

static lw_launch_part example(void)
{
    lw_launch_part p = lw_launch_part_default();
    for (unsigned i = 0; i < SIZE; i++)
        before[i] = (uint8_t)(i * 7), written_bytes[i] = (uint8_t)(i + 1);
    pieces[0] = (lw_launch_piece){ .name = "argument 0 (c)",
                                   .file = "c.npy",
                                   .shape = "u1",
                                   .shape_size = 2,
                                   .size = SIZE,
                                   .fill = LW_FILL_BEFORE,
                                   .before = before,
                                   .reads = reads,
                                   .read_count = 3,
                                   .writes = writes,
                                   .write_count = 2,
                                   .bytes = written_bytes };
    pieces[1] = (lw_launch_piece){ .name = "d", .file = "", .size = 3, .fill = 0xa5 };
    p.number = 1;
    p.count = 3;
    memset(p.launch, 0x11, sizeof(p.launch));
    p.about = "kernel add\n";
    p.pieces = pieces;
    p.piece_count = 2;
    return p;
}

static file written(const lw_launch_part *p)
{
    file f = { .size = 0 };
    lw_error error = { "" };
    ck_assert_msg(lw_launch_part_write(p, to_file, &f, &error) == LW_OK, "%s", error.text);
    return f;
}

/* From a block of exact size. */
static lw_status read_bytes(const uint8_t *bytes, size_t size, file *again, lw_error *error)
{
    uint8_t *copy = malloc(size ? size : 1);
    lw_launch_part *p = NULL;
    memcpy(copy, bytes, size);
    error->text[0] = '\0';
    const lw_status status = lw_launch_part_read(copy, size, &p, error);
    ck_assert((status == LW_OK) == (p != NULL));
    if (p && again)
        *again = written(p);
    lw_launch_part_free(p);
    free(copy);
    return status;
}

/* FNV-1a as its authors publish it, byte by byte. */
static void put_hash(file *f)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < f->size - HASH; i++) {
        hash ^= f->bytes[i];
        hash *= UINT64_C(1099511628211);
    }
    for (size_t i = 0; i < HASH; i++)
        f->bytes[f->size - HASH + i] = (uint8_t)(hash >> 8 * i);
}

START_TEST(what_is_written_is_read)
{
    const lw_launch_part p = example();
    const file f = written(&p);
    lw_launch_part *r;
    ck_assert_int_eq(lw_launch_part_read(f.bytes, f.size, &r, NULL), LW_OK);
    ck_assert_uint_eq(r->number, 1);
    ck_assert_uint_eq(r->count, 3);
    ck_assert_mem_eq(r->launch, p.launch, 32);
    ck_assert_str_eq(r->about, "kernel add\n");
    ck_assert_uint_eq(r->piece_count, 2);
    const lw_launch_piece *c = &r->pieces[0];
    ck_assert_str_eq(c->name, "argument 0 (c)");
    ck_assert_str_eq(c->file, "c.npy");
    ck_assert_uint_eq(c->shape_size, 2);
    ck_assert_mem_eq(c->shape, "u1", 2);
    ck_assert_uint_eq(c->size, SIZE);
    ck_assert_int_eq(c->fill, LW_FILL_BEFORE);
    ck_assert_mem_eq(c->before, before, SIZE);
    ck_assert_uint_eq(c->read_count, 3);
    ck_assert_mem_eq(c->reads, reads, sizeof(reads));
    ck_assert_uint_eq(c->write_count, 2);
    ck_assert_mem_eq(c->writes, writes, sizeof(writes));
    ck_assert_mem_eq(c->bytes, written_bytes, 3);
    ck_assert_int_eq(r->pieces[1].fill, 0xa5);
    ck_assert_uint_eq(r->pieces[1].write_count, 0);
    lw_launch_part_free(r);
    lw_launch_part_free(NULL);
}
END_TEST

/* Every truncation, every changed byte; with the right hash, each is refused or is a file that could be
 * written. */
START_TEST(damage_is_refused)
{
    const lw_launch_part p = example();
    const file good = written(&p);
    lw_error error;
    size_t taken = 0;
    for (size_t size = 0; size < good.size; size++) {
        file f = good;
        ck_assert_int_ne(read_bytes(f.bytes, size, NULL, &error), LW_OK);
        f.size = size;
        if (size < HASH)
            continue;
        put_hash(&f);
        ck_assert_msg(read_bytes(f.bytes, f.size, NULL, &error) != LW_OK, "%zu bytes", size);
        ck_assert_str_ne(error.text, "");
    }
    for (size_t at = 0; at < good.size; at++)
        for (unsigned change = 1; change < 256; change += change < 4 ? 1 : 60) {
            file f = good, again;
            f.bytes[at] ^= (uint8_t)change;
            ck_assert_int_ne(read_bytes(f.bytes, f.size, NULL, &error), LW_OK);
            put_hash(&f);
            if (read_bytes(f.bytes, f.size, &again, &error) != LW_OK)
                continue;
            taken++;
            ck_assert_uint_eq(again.size, f.size);
            ck_assert_mem_eq(again.bytes, f.bytes, f.size);
        }
    ck_assert_uint_gt(taken, 100); /* contents and names may be anything */
}
END_TEST

static void refuse(const lw_launch_part *p, const char *says)
{
    file f = { .size = 0 };
    lw_error error = { "" };
    ck_assert_int_eq(lw_launch_part_write(p, to_file, &f, &error), LW_E_ARGUMENT);
    ck_assert_msg(strstr(error.text, says) != NULL, "%s", error.text);
    ck_assert_uint_eq(f.size, 0);
}

START_TEST(what_makes_no_sense_is_not_written)
{
    static const lw_byte_run bad[][2] = {
        { { 0, 4 }, { 4, 1 } },          { { 4, 4 }, { 0, 1 } },        { { 0, 4 }, { 3, 1 } },
        { { 0, 0 }, { 3, 1 } },          { { 0, 4 }, { SIZE - 1, 2 } }, { { 0, 4 }, { SIZE + 1, 1 } },
        { { 0, 4 }, { UINT64_MAX, 2 } },
    };
    lw_launch_part p = example();
    p.number = 3;
    refuse(&p, "no part 3 of 3");
    p = example();
    p.about = "no end";
    refuse(&p, "about");
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        p = example();
        pieces[0].reads = bad[i];
        pieces[0].read_count = 2;
        refuse(&p, "runs that");
        p = example();
        pieces[0].writes = bad[i];
        refuse(&p, "runs that");
    }
    p = example();
    pieces[0].fill = 258;
    refuse(&p, "fill");
    pieces[0].fill = LW_FILL_UNKNOWN;
    refuse(&p, "do not agree");
    p = example();
    pieces[1].fill = LW_FILL_BEFORE;
    refuse(&p, "do not agree");
    p = example();
    pieces[0].name = "a\nb";
    refuse(&p, "name or file");
    p = example();
    pieces[0].bytes = NULL;
    refuse(&p, "NULL pointer");
    p = example();
    p.struct_size--;
    refuse(&p, "known size");
    p = example();
    ck_assert_int_eq(lw_launch_part_write(&p, fail_at_once, NULL, NULL), LW_E_IO);
    ck_assert_int_eq(lw_launch_part_write(&p, NULL, NULL, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_launch_part_read(NULL, 0, NULL, NULL), LW_E_ARGUMENT);
}
END_TEST

/* ---- Joining ---- */

/* Three parts of one piece of 32 bytes; part i writes i + 1 into bytes 8i to 8i + 7 and reads 4 bytes before
 * them. */
typedef struct trio {
    lw_launch_part part[3];
    lw_launch_piece piece[3];
    lw_byte_run reads[3], writes[3];
    uint8_t bytes[3][16];
    const lw_launch_part *all[4];
} trio;

static void make(trio *t)
{
    for (unsigned i = 0; i < 3; i++) {
        memset(t->bytes[i], (int)i + 1, sizeof(t->bytes[i]));
        t->reads[i] = (lw_byte_run){ 24, 4 };
        t->writes[i] = (lw_byte_run){ 8 * i, 8 };
        t->piece[i] = (lw_launch_piece){ .name = "c",
                                         .file = "",
                                         .shape = "s",
                                         .shape_size = 1,
                                         .size = 32,
                                         .fill = LW_FILL_UNKNOWN,
                                         .reads = &t->reads[i],
                                         .read_count = 1,
                                         .writes = &t->writes[i],
                                         .write_count = 1,
                                         .bytes = t->bytes[i] };
        t->part[i] = lw_launch_part_default();
        t->part[i].number = i;
        t->part[i].count = 3;
        t->part[i].pieces = &t->piece[i];
        t->part[i].piece_count = 1;
        t->all[2 - i] = &t->part[i];
    }
}

static void join(const trio *t, size_t count, lw_status want, const char *says)
{
    uint8_t target[32];
    void *targets = target;
    lw_error error = { "" };
    memset(target, 0xee, sizeof(target));
    const lw_status status = lw_launch_parts_join(t->all, count, &targets, &error);
    ck_assert_msg(status == want && strcmp(error.text, says) == 0, "%d: %s", status, error.text);
    for (unsigned i = 0; i < 32 && want != LW_OK; i++)
        ck_assert_uint_eq(target[i], 0xee);
    for (unsigned i = 0; i < 24 && want == LW_OK; i++)
        ck_assert_uint_eq(target[i], i / 8 + 1);
}

START_TEST(which_sets_join)
{
    trio t;
    make(&t);
    join(&t, 3, LW_OK, "");
    t.reads[0] = (lw_byte_run){ 0, 8 }; /* what it wrote itself */
    join(&t, 3, LW_OK, "");
    join(&t, 2, LW_E_ARGUMENT, "part 1 of 3 is missing");
    t.all[2] = t.all[0];
    join(&t, 3, LW_E_ARGUMENT, "part 3 is there twice");
    make(&t);
    t.all[3] = t.all[0];
    join(&t, 4, LW_E_ARGUMENT, "part 3 is there twice");
    make(&t);
    t.part[2].count = 4;
    join(&t, 3, LW_E_ARGUMENT, "a part of 3 and a part of 4 do not join");
    make(&t);
    t.part[1].launch[31] = 1;
    join(&t, 3, LW_E_ARGUMENT,
         "parts 1 and 2 are of different launches: program, arguments or options differ");
    make(&t);
    t.piece[1].size = 31;
    join(&t, 3, LW_E_ARGUMENT, "parts 1 and 2 do not keep the same arrays for the same files");
    make(&t);
    t.piece[2].file = "x";
    join(&t, 3, LW_E_ARGUMENT, "parts 1 and 3 do not keep the same arrays for the same files");
    make(&t);
    t.piece[2].shape = "t";
    join(&t, 3, LW_E_ARGUMENT, "parts 1 and 3 do not keep the same arrays for the same files");
    make(&t);
    t.all[1] = NULL;
    join(&t, 3, LW_E_ARGUMENT, "part 1 of those given is NULL or of an unknown size");
    ck_assert_int_eq(lw_launch_parts_join(NULL, 0, NULL, NULL), LW_E_ARGUMENT);
}
END_TEST

START_TEST(bytes_that_two_touch)
{
    static const struct {
        lw_byte_run reads, writes; /* of part 2 */
        const char *says;          /* "": they join */
    } rows[] = {
        { { 24, 8 }, { 8, 8 }, "" },
        { { 7, 1 }, { 8, 8 }, "part 1 wrote bytes 7 to 7 of c, which part 2 read: run the launch whole" },
        { { 0, 32 }, { 8, 8 }, "part 1 wrote bytes 0 to 7 of c, which part 2 read: run the launch whole" },
        { { 10, 7 }, { 8, 8 }, "part 3 wrote bytes 16 to 16 of c, which part 2 read: run the launch whole" },
        { { 24, 4 },
          { 7, 9 },
          "part 1 wrote bytes 7 to 7 of c, which part 2 wrote too: run the launch whole" },
        { { 24, 4 },
          { 8, 9 },
          "part 2 wrote bytes 16 to 16 of c, which part 3 wrote too: run the launch whole" },
        { { 30, 1 }, { 8, 8 }, "" },
        { { 30, 1 }, { 27, 1 }, "part 2 wrote bytes 27 to 27 of c, which part 1 read: run the launch whole" },
        { { 30, 1 }, { 28, 4 }, "" },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        trio t;
        uint8_t target[32] = { 0 };
        void *targets = target;
        lw_error error = { "" };
        make(&t);
        t.reads[1] = rows[i].reads;
        t.writes[1] = rows[i].writes;
        const lw_status status = lw_launch_parts_join(t.all, 3, &targets, &error);
        ck_assert_msg(status == (rows[i].says[0] ? LW_E_UNSUPPORTED : LW_OK) &&
                          strcmp(error.text, rows[i].says) == 0,
                      "row %zu: %s", i, error.text);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("part");
    TCase *tc = tcase_create("part");
    tcase_add_test(tc, what_is_written_is_read);
    tcase_add_test(tc, damage_is_refused);
    tcase_add_test(tc, what_makes_no_sense_is_not_written);
    tcase_add_test(tc, which_sets_join);
    tcase_add_test(tc, bytes_that_two_touch);
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
