/* SPDX-License-Identifier: MIT */
/* Names of architectures, their siblings and products: each is unique and can be looked up. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/arch.h>

START_TEST(every_name_leads_to_an_architecture)
{
    size_t products = 0, i = 0;
    for (const char *name; (name = lw_arch_name_at(i)) != NULL; i++) {
        lw_arch arch;
        const char *target = lw_arch_product(name);
        products += target != NULL;
        ck_assert_msg(lw_arch_find(target ? target : name, &arch) == LW_OK, "%s", name);
        for (size_t j = 0; j < i; j++)
            ck_assert_str_ne(lw_arch_name_at(j), name);
    }
    ck_assert_uint_ge(i, LW_ARCH_COUNT - 1 + products);
    ck_assert_uint_ge(products, 50);
    ck_assert_ptr_null(lw_arch_name_at(i));
    ck_assert_ptr_null(lw_arch_name_at(SIZE_MAX));
}
END_TEST

static void leads(const char *name, const char *target)
{
    const char *found = lw_arch_product(name);
    if (target)
        ck_assert_msg(found && strcmp(found, target) == 0, "%s: %s", name, found ? found : "nothing");
    else
        ck_assert_ptr_null(found);
}

/* From the makers' lists: LLVM AMDGPUUsage, "Processors"; NVIDIA's compute capabilities. */
START_TEST(products)
{
    leads("MI300X", "gfx942");
    leads("mi300x", "gfx942");
    leads("AMD Instinct MI300X", "gfx942");
    leads("Instinct MI250X", "gfx90a");
    leads("RX 9070", "gfx1201");
    leads("rx9070xt", "gfx1201");
    leads("AMD Radeon RX 9060 XT", "gfx1200");
    leads("Radeon_PRO_W7900", "gfx1100");
    leads("H100", "sm_90");
    leads("NVIDIA GeForce RTX 4090", "sm_89");
    leads("rtx-5090", "sm_120a");
    leads("NVIDIA B200", "sm_100a");
    leads("Tesla V100", "sm_70");
    leads("Jetson Orin", "sm_87");
    leads("RX 90", NULL);
    leads("RX 9070 XTX", NULL);
    leads("MI300", NULL);
    leads("gfx942", NULL);
    leads("NVIDIA", NULL);
    leads(" -_", NULL);
    leads("", NULL);
    leads(NULL, NULL);
}
END_TEST

/* Which of the table's figures holds for a name; the figures are lds.sh's to check. */
START_TEST(lds)
{
    static const struct {
        const char *name;
        uint32_t kib;
    } cases[] = { { "gfx942", 64 },  { "gfx940", 64 },   { "gfx950", 160 }, { "gfx1251", 320 },
                  { "sm_75", 64 },   { "sm_86", 99 },    { "sm_87", 163 },  { "sm_88", 99 },
                  { "sm_90a", 227 }, { "sm_103a", 227 }, { "sm_121f", 99 }, { "MI300X", 0 },
                  { "gfx1030", 0 },  { "", 0 } };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        ck_assert_msg(lw_arch_lds_size(cases[i].name) == cases[i].kib * 1024, "%s", cases[i].name);
    ck_assert_uint_eq(lw_arch_lds_size(NULL), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("arch");
    TCase *tc = tcase_create("names");
    tcase_add_test(tc, every_name_leads_to_an_architecture);
    tcase_add_test(tc, products);
    tcase_add_test(tc, lds);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
