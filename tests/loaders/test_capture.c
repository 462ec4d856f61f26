/* SPDX-License-Identifier: MIT */
/* Captured launches: what is written is read, and nothing else is. tests/runtime/capture.py reads and writes
 * the same files from their description. */
#include <lanewise/capture.h>

#include "tests/loaders/fixture.h"

enum { MOST = 4096, HASH = 8 };

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

static const char code[] = "the code", args[24] = { 1, 2, 3 }, first[5] = "abcd", second[16] = "efgh",
                  changed[16] = "ijkl";

static lw_capture_piece pieces[] = {
    { "", 0x7f0000001000, 5, first, first },
    { "counter", 0x7f0000002000, 16, second, changed },
    { "", 0x7f0000003000, 0, NULL, NULL },
};

static lw_capture example(void)
{
    lw_capture c = lw_capture_default();
    c.kernel = "add";
    c.target = "gfx942:sramecc+:xnack-";
    c.api = "HIP";
    c.about = "device X\ndriver 1\n";
    c.grid[0] = 3, c.grid[1] = 4, c.grid[2] = 5;
    c.block[0] = 64, c.block[1] = c.block[2] = 1;
    c.dynamic_lds = 512;
    c.code = code;
    c.code_size = sizeof(code);
    c.args = args;
    c.args_size = sizeof(args);
    c.pieces = pieces;
    c.piece_count = 3;
    return c;
}

static file written(const lw_capture *c)
{
    file f = { .size = 0 };
    lw_error error = { "" };
    ck_assert_msg(lw_capture_write(c, to_file, &f, &error) == LW_OK, "%s", error.text);
    return f;
}

/* From a block of exact size. The bytes outlive the capture, which the caller does not keep. */
static lw_status read_bytes(const uint8_t *bytes, size_t size, file *again, lw_error *error)
{
    uint8_t *copy = malloc(size ? size : 1);
    lw_capture *c = NULL;
    memcpy(copy, bytes, size);
    error->text[0] = '\0';
    const lw_status status = lw_capture_read(copy, size, &c, error);
    ck_assert((status == LW_OK) == (c != NULL));
    if (c && again)
        *again = written(c);
    lw_capture_free(c);
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
    const lw_capture c = example();
    const file f = written(&c);
    lw_capture *r;
    ck_assert_int_eq(lw_capture_read(f.bytes, f.size, &r, NULL), LW_OK);
    ck_assert_str_eq(r->kernel, "add");
    ck_assert_str_eq(r->target, "gfx942:sramecc+:xnack-");
    ck_assert_str_eq(r->api, "HIP");
    ck_assert_str_eq(r->outcome, "");
    ck_assert_str_eq(r->about, "device X\ndriver 1\n");
    ck_assert_uint_eq(r->grid[2], 5);
    ck_assert_uint_eq(r->block[0], 64);
    ck_assert_uint_eq(r->dynamic_lds, 512);
    ck_assert_uint_eq(r->code_size, sizeof(code));
    ck_assert_mem_eq(r->code, code, sizeof(code));
    ck_assert_mem_eq(r->args, args, sizeof(args));
    ck_assert_uint_eq(r->piece_count, 3);
    ck_assert_mem_eq(r->pieces[0].before, first, 5);
    ck_assert_ptr_eq(r->pieces[0].after, r->pieces[0].before);
    ck_assert_str_eq(r->pieces[1].name, "counter");
    ck_assert_uint_eq(r->pieces[1].address, 0x7f0000002000);
    ck_assert_mem_eq(r->pieces[1].after, changed, 16);
    ck_assert_uint_eq(r->pieces[2].size, 0);
    lw_capture_free(r);
    lw_capture_free(NULL);
}
END_TEST

/* Every truncation, every changed byte; with the right hash, each is refused or is a file that could be
 * written. */
START_TEST(damage_is_refused)
{
    const lw_capture c = example();
    const file good = written(&c);
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

static lw_status write_it(const lw_capture *c, const char *says)
{
    file f = { .size = 0 };
    lw_error error = { "" };
    const lw_status status = lw_capture_write(c, to_file, &f, &error);
    ck_assert_msg(strstr(error.text, says) != NULL, "%s", error.text);
    ck_assert_uint_eq(f.size, 0);
    return status;
}

START_TEST(what_makes_no_sense_is_not_written)
{
    lw_capture c = example();
    lw_capture_piece bad[2] = { pieces[0], pieces[1] };
    c.kernel = "";
    ck_assert_int_eq(write_it(&c, "kernel: it is empty"), LW_E_ARGUMENT);
    c.kernel = "a\nb";
    ck_assert_int_eq(write_it(&c, "kernel: not a line"), LW_E_ARGUMENT);
    c = example();
    c.about = "no end";
    ck_assert_int_eq(write_it(&c, "about: not lines"), LW_E_ARGUMENT);
    c = example();
    c.items[0] = c.items[1] = c.items[2] = 1;
    ck_assert_int_eq(write_it(&c, "one of grid and items"), LW_E_ARGUMENT);
    c = example();
    c.block[1] = 0;
    ck_assert_int_eq(write_it(&c, "block"), LW_E_ARGUMENT);
    c = example();
    c.cluster[0] = 2;
    ck_assert_int_eq(write_it(&c, "cluster"), LW_E_ARGUMENT);
    c = example();
    c.outcome = "error 719";
    ck_assert_int_eq(write_it(&c, "piece 0: it has contents after"), LW_E_ARGUMENT);
    c = example();
    c.pieces = bad;
    c.piece_count = 2;
    bad[0].after = NULL;
    ck_assert_int_eq(write_it(&c, "piece 0: its contents after"), LW_E_ARGUMENT);
    bad[0] = pieces[0];
    bad[0].address = 0x7f000000200f;
    ck_assert_int_eq(write_it(&c, "overlap"), LW_E_ARGUMENT);
    bad[0].address = UINT64_MAX - 3;
    ck_assert_int_eq(write_it(&c, "no range"), LW_E_ARGUMENT);
    bad[0].address = UINT64_MAX - 4;
    (void)written(&c); /* the last bytes there are */
    c.struct_size--;
    ck_assert_int_eq(write_it(&c, "known size"), LW_E_ARGUMENT);
    c = example();
    ck_assert_int_eq(lw_capture_write(&c, fail_at_once, NULL, NULL), LW_E_IO);
    ck_assert_int_eq(lw_capture_write(&c, NULL, NULL, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_capture_read(NULL, 0, NULL, NULL), LW_E_ARGUMENT);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("capture");
    TCase *tc = tcase_create("capture");
    tcase_add_test(tc, what_is_written_is_read);
    tcase_add_test(tc, damage_is_refused);
    tcase_add_test(tc, what_makes_no_sense_is_not_written);
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
