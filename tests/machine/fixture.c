/* SPDX-License-Identifier: MIT */
#include "machine/fixture.h"

#define CODE(name, ...) static const uint32_t code_##name[] = { __VA_ARGS__ };
#include "machine/code.inc"
#undef CODE

const code_block code_blocks[] = {
#define CODE(name, ...) { #name, code_##name, sizeof(code_##name) / sizeof(code_##name[0]) },
#include "machine/code.inc"
#undef CODE
    { NULL, NULL, 0 },
};

const code_block *code_find(const char *name)
{
    for (const code_block *b = code_blocks; b->name; b++)
        if (strcmp(b->name, name) == 0)
            return b;
    ck_abort_msg("there is no block %s in code.s", name);
    return NULL;
}

uint64_t mix(uint64_t x)
{
    x ^= x >> 31;
    x *= UINT64_C(0x7fb5d329728ea185);
    x ^= x >> 27;
    x *= UINT64_C(0x81dadef4bc2dd44d);
    return x ^ x >> 33;
}

void fixture_init(fixture *f, uint64_t seed)
{
    memset(f, 0, sizeof(*f));
    for (unsigned w = 0; w < MAX_WAVES; w++) {
        for (unsigned i = 0; i < VGPRS * 64; i++)
            f->vgpr[w][i] = (uint32_t)mix(seed * 1000003 + w * 65536 + i);
        for (unsigned i = 0; i < AGPRS * 64; i++)
            f->agpr[w][i] = (uint32_t)mix(seed * 1000033 + w * 65536 + i);
        f->wave[w] = (lw_wave_state){
            .vgpr = f->vgpr[w], .agpr = f->agpr[w], .vgprs = VGPRS, .agprs = AGPRS, .mode = 0x3f0
        };
        for (unsigned i = 0; i < 106; i++)
            f->wave[w].sgpr[i] = (uint32_t)mix(seed * 7919 + w * 128 + i);
        f->wave[w].sgpr[126] = f->wave[w].sgpr[127] = UINT32_MAX;
    }
    for (unsigned i = 0; i < LDS; i++)
        f->lds[i] = (uint8_t)mix(seed * 31 + i);
    ck_assert_int_eq(lw_memory_create(&f->memory), LW_OK);
    ck_assert_int_eq(lw_memory_allocate(f->memory, "buffer", BUFFER, LW_ACCESS_READ_WRITE, &f->address, NULL),
                     LW_OK);
    f->buffer = lw_memory_host(f->memory, f->address, BUFFER);
    for (unsigned i = 0; i < BUFFER; i++)
        f->buffer[i] = (uint8_t)mix(seed * 17 + i);
    f->options = (lw_code_options){ .struct_size = sizeof(lw_code_options),
                                    .arch = LW_ARCH_GFX950,
                                    .memory = f->memory,
                                    .lds = f->lds,
                                    .lds_size = LDS,
                                    .scratch = SCRATCH,
                                    .budget = 1000000 };
}

void fixture_free(fixture *f)
{
    lw_launch_result_free(f->result);
    lw_memory_free(f->memory);
}

lw_status fixture_run(fixture *f, const char *block, size_t waves)
{
    const code_block *b = code_find(block);
    /* a copy of exact size, so that a sanitizer detects reading one word too many */
    uint32_t *copy = malloc(b->count * sizeof(*copy));
    memcpy(copy, b->words, b->count * sizeof(*copy));
    f->options.code = copy;
    f->options.words = b->count;
    lw_launch_result_free(f->result);
    f->result = NULL;
    f->error.text[0] = '\0';
    const lw_status status = lw_code_run(&f->options, f->wave, waves, &f->result, &f->error);
    free(copy);
    return status;
}

void fixture_ok(fixture *f, const char *block)
{
    const lw_status status = fixture_run(f, block, 1);
    ck_assert_msg(status == LW_OK, "%s: %s", block, f->error.text);
}

void take(const fixture *f, snapshot *s)
{
    memcpy(s->vgpr, f->vgpr[0], sizeof(s->vgpr));
    memcpy(s->lds, f->lds, sizeof(s->lds));
    memcpy(s->buffer, f->buffer, sizeof(s->buffer));
}

void same_as(const fixture *f, const snapshot *expected, const char *what)
{
    for (unsigned i = 0; i < VGPRS * 64; i++)
        ck_assert_msg(f->vgpr[0][i] == expected->vgpr[i], "%s: v%u lane %u is %08x, not %08x", what, i / 64,
                      i % 64, f->vgpr[0][i], expected->vgpr[i]);
    for (unsigned i = 0; i < LDS; i++)
        ck_assert_msg(f->lds[i] == expected->lds[i], "%s: LDS byte %u is %02x, not %02x", what, i, f->lds[i],
                      expected->lds[i]);
    for (unsigned i = 0; i < BUFFER; i++)
        ck_assert_msg(f->buffer[i] == expected->buffer[i], "%s: buffer byte %u is %02x, not %02x", what, i,
                      f->buffer[i], expected->buffer[i]);
}

int run_suite(const char *name, TCase *tc)
{
    Suite *suite = suite_create(name);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
