/* SPDX-License-Identifier: MIT */
/* What decodes and cannot run: the run stops there, and the fault names the instruction and says why. And two
 * rare instructions of gfx9 that run. */
#include <stdio.h>

#include "machine/fixture.h"

static const char IMAGES[] = "images, textures and ray tracing are not modelled",
                  GRAPHICS[] = "stages of graphics pipelines are not modelled";

/* clang-format off */
static const struct {
    lw_arch arch;
    uint32_t words[3];
    const char *name, *why;
} cases[] = {
    { LW_ARCH_GFX908,  { 0xf0000f00, 0, 0 },                   "image_load", IMAGES },
    { LW_ARCH_GFX90A,  { 0xf0000f00, 0, 0 },                   "image_load", IMAGES },
    { LW_ARCH_GFX1100, { 0xf0000f09, 0x01000000, 0 },          "image_load", IMAGES },
    { LW_ARCH_GFX1150, { 0xf06c0f05, 0, 0 },                   "image_sample", IMAGES },
    { LW_ARCH_GFX1201, { 0xd3c02303, 0, 0 },                   "image_load", IMAGES },
    { LW_ARCH_GFX1201, { 0xd0430000, 0, 0 },                   "image_atomic_add_uint", IMAGES },
    { LW_ARCH_GFX1201, { 0xe7c6e0f8, 0, 0 },                   "image_sample", IMAGES },
    { LW_ARCH_GFX1201, { 0xd3e04010, 0, 0 },                   "image_bvh8_intersect_ray", IMAGES },
    { LW_ARCH_GFX1201, { 0xdb800000, 0, 0 },                   "ds_bvh_stack_push4_pop1_rtn_b32", IMAGES },
    { LW_ARCH_GFX1100, { 0xdab40000, 0, 0 },                   "ds_bvh_stack_rtn_b32", IMAGES },
    { LW_ARCH_GFX908,  { 0xc400000f, 0, 0 },                   "exp", GRAPHICS },
    { LW_ARCH_GFX1100, { 0xf800000f, 0, 0 },                   "exp", GRAPHICS },
    { LW_ARCH_GFX1201, { 0xf800000f, 0, 0 },                   "export", GRAPHICS },
    { LW_ARCH_GFX908,  { 0xd4000001, 0xbf810000, 0 },          "v_interp_p1_f32_e32", GRAPHICS },
    { LW_ARCH_GFX908,  { 0xd2720005, 0x00000201, 0 },          "v_interp_mov_f32_e64", GRAPHICS },
    { LW_ARCH_GFX1201, { 0xcd000001, 0x040a0300, 0 },          "v_interp_p10_f32", GRAPHICS },
    { LW_ARCH_GFX1100, { 0xce100001, 0xbfb00000, 0 },          "lds_direct_load", GRAPHICS },
    { LW_ARCH_GFX1201, { 0xce100001, 0xbfb00000, 0 },          "ds_direct_load", GRAPHICS },
    { LW_ARCH_GFX1100, { 0xd9ea0000, 0x01000000, 0 },          "ds_add_gs_reg_rtn", GRAPHICS },
    { LW_ARCH_GFX1250, { 0xee1b8000, 0, 0 },                   "tensor_save", "saving and stopping copies of tiles is for trap handlers" },
    { LW_ARCH_GFX1250, { 0xee1bc07c, 0, 0 },                   "tensor_stop", "saving and stopping copies of tiles is for trap handlers" },
    { LW_ARCH_GFX908,  { 0xe0500000, 0x80800000, 0 },          "buffer_load_dword", "the status that texture units return after the data (tfe) is not modelled" },
    { LW_ARCH_GFX1100, { 0xe0500000, 0x80200102, 0 },          "buffer_load_b32", "the status that texture units return after the data (tfe) is not modelled" },
};
/* clang-format on */

START_TEST(refused_by_name)
{
    fixture f;
    fixture_init(&f, 1);
    f.options.arch = cases[_i].arch;
    f.options.code = cases[_i].words;
    f.options.words = sizeof(cases[_i].words) / sizeof(cases[_i].words[0]);
    ck_assert_int_eq(lw_code_run(&f.options, f.wave, 1, &f.result, &f.error), LW_E_FAULT);
    char says[200];
    snprintf(says, sizeof(says), "the instruction %s cannot run: %s", cases[_i].name, cases[_i].why);
    ck_assert_msg(strstr(f.error.text, says) != NULL, "%s", f.error.text);
    fixture_free(&f);
}
END_TEST

static void ignore(void *context, const lw_event *event)
{
    (void)context;
    (void)event;
}

/* A buffer instruction without active lanes accesses nothing, whatever its resource is, observed or not. */
START_TEST(no_lanes_no_resource)
{
    static const struct {
        lw_arch arch;
        uint32_t words[4], last; /* last: of the resource */
        const char *says;
    } those[] = {
        /* how elements are swizzled, of which no source says more: load, store, atomic add */
        { LW_ARCH_GFX1250, { 0xc4050000 | 124, 4 << 9 | 1 << 23, 0, 0xbfb00000 }, 1u << 28, "swizzled" },
        { LW_ARCH_GFX1250, { 0xc4068000 | 124, 4 << 9 | 1 << 23, 0, 0xbfb00000 }, 1u << 28, "swizzled" },
        { LW_ARCH_GFX1250, { 0xc40d4000 | 124, 4 << 9 | 1 << 23, 0, 0xbfb00000 }, 1u << 28, "swizzled" },
        /* a reserved component: load and store that convert */
        { LW_ARCH_GFX1201, { 0xc4000000 | 124, 4 << 9 | 1 << 23, 0, 0xbfb00000 }, 2, "DST_SEL" },
        { LW_ARCH_GFX1201, { 0xc4010000 | 124, 4 << 9 | 1 << 23, 0, 0xbfb00000 }, 2, "DST_SEL" },
    };
    const lw_observer observer = { .struct_size = sizeof(observer), .before = ignore, .after = ignore };
    const lw_observer *const observers[] = { &observer };
    for (unsigned lanes = 0; lanes < 2; lanes++) {
        fixture f;
        fixture_init(&f, 2);
        f.options.arch = those[_i / 2].arch;
        f.options.code = those[_i / 2].words;
        f.options.words = 4;
        f.options.observers = observers;
        f.options.observer_count = (size_t)(_i % 2);
        f.wave[0].sgpr[7] = those[_i / 2].last;
        set_exec(&f, lanes);
        ck_assert_int_eq(lw_code_run(&f.options, f.wave, 1, &f.result, &f.error), lanes ? LW_E_FAULT : LW_OK);
        ck_assert_msg(!lanes || strstr(f.error.text, those[_i / 2].says) != NULL, "%s", f.error.text);
        fixture_free(&f);
    }
}
END_TEST

/* No exception is ever recorded, so that there is none to forget. */
START_TEST(exceptions_forgotten)
{
    static const uint32_t words[] = { 0x7e006a00, 0xd1750000, 0, 0xb880f803, 0xbf810000 };
    fixture f;
    fixture_init(&f, 3);
    f.options.code = words;
    f.options.words = 5;
    ck_assert_int_eq(lw_code_run(&f.options, f.wave, 1, &f.result, &f.error), LW_OK);
    ck_assert_uint_eq(f.wave[0].sgpr[0], 0);
    fixture_free(&f);
}
END_TEST

/* Bytes of the old result are kept but one; what is no number counts as 0. */
START_TEST(byte_of_the_old_result)
{
    static const uint32_t words[] = { 0xd1f00003, 0x00020300, 0xbf810000 }; /* v3, v0, v1 */
    static const struct {
        uint32_t value, byte, old, result;
    } lanes[] = {
        { 0x42f60000, 0, 0xaabbccdd, 0xaabbcc7b }, { 0x42f60000, 5, 0xaabbccdd, 0xaabb7bdd },
        { 0x44000000, 2, 0xaabbccdd, 0xaaffccdd }, { 0xc0000000, 3, 0xaabbccdd, 0x00bbccdd },
        { 0x7fc00000, 3, 0xaabbccdd, 0x00bbccdd }, { 0x3f800000, 0xfffffffe, 0, 0x00010000 },
    };
    fixture f;
    fixture_init(&f, 4);
    for (size_t i = 0; i < sizeof(lanes) / sizeof(lanes[0]); i++) {
        reg(&f, 0)[i] = lanes[i].value;
        reg(&f, 1)[i] = lanes[i].byte;
        reg(&f, 3)[i] = lanes[i].old;
    }
    f.options.code = words;
    f.options.words = 3;
    ck_assert_msg(lw_code_run(&f.options, f.wave, 1, &f.result, &f.error) == LW_OK, "%s", f.error.text);
    for (size_t i = 0; i < sizeof(lanes) / sizeof(lanes[0]); i++)
        ck_assert_uint_eq(reg(&f, 3)[i], lanes[i].result);
    fixture_free(&f);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("refused");
    tcase_add_test(tc, exceptions_forgotten);
    tcase_add_test(tc, byte_of_the_old_result);
    tcase_add_loop_test(tc, refused_by_name, 0, sizeof(cases) / sizeof(cases[0]));
    tcase_add_loop_test(tc, no_lanes_no_resource, 0, 10);
    return run_suite("machine_refused", tc);
}
