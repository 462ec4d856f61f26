/* SPDX-License-Identifier: MIT */
/* Images, exports, parameters of pixel shaders and ray tracing: what llvm-mc 22 prints of these words. */
#include <check.h>
#include <stdlib.h>

#include "emu/amdgpu/decode/decoded.h"

enum { WORDS = 3 };

/* clang-format off */
static const struct {
    lw_arch arch;
    uint32_t words[WORDS];
    const char *text; /* NULL: refused */
} cases[] = {
        { LW_ARCH_GFX908, { 0xf001df82, 0x80000000 }, "image_load v[0:2], v0, s[0:7] dmask:0xf unorm a16 tfe da d16" },
        { LW_ARCH_GFX908, { 0xf0880f00, 0x00000000 }, "image_sample_d v[0:3], v[0:1], s[0:7], s[0:3] dmask:0xf" },
        { LW_ARCH_GFX90A, { 0xf001df82, 0x80000000 }, "image_load a[0:1], v0, s[0:7] dmask:0xf unorm scc a16 da d16" },
        { LW_ARCH_GFX908, { 0xf0480b4c, 0x00000000 }, "image_atomic_add v[0:2], v0, s[0:7] dmask:0xb" },
        { LW_ARCH_GFX1100, { 0xf0038f80, 0x00600000 }, "image_load v[0:2], v0, s[0:7] dmask:0xf dim:SQ_RSRC_IMG_1D unorm r128 a16 tfe lwe d16" },
        { LW_ARCH_GFX1100, { 0xf0000f09, 0x01000000, 0x04030201 }, "image_load v[0:3], [v0, v1, v2], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_3D" },
        { LW_ARCH_GFX1100, { 0xf0000f00, 0x0000fe00 }, "image_load v254, v0, s[0:7] dmask:0xf dim:SQ_RSRC_IMG_1D" },
        { LW_ARCH_GFX1100, { 0xf0000f00, 0x001f0000 }, "image_load v[0:3], v0, null dmask:0xf dim:SQ_RSRC_IMG_1D" },
        { LW_ARCH_GFX1100, { 0xf06c0f05, 0x00000000, 0x00000000 }, "image_sample  v[0:3], [v0, v0], s[0:7], s[0:3] dmask:0xf dim:SQ_RSRC_IMG_2D" },
        { LW_ARCH_GFX1100, { 0xf1224bc9, 0x00000100, 0xc9d537e9 }, "image_sample_b_cl_o  v[1:2], [v0, v233, v55, v213, v[201:202]], s[0:7], s[0:3] dmask:0xb dim:SQ_RSRC_IMG_3D unorm glc d16" },
        { LW_ARCH_GFX1100, { 0xf0648f80, 0x00000000 }, "image_bvh_intersect_ray v[0:3], v[0:10], s[0:3]" },
        { LW_ARCH_GFX1100, { 0xf0698f81, 0x00000000, 0x01020304 }, "image_bvh64_intersect_ray v[0:3], [v[0:1], v4, v[3:5], v[2:4]], s[0:3] a16" },
        { LW_ARCH_GFX1100, { 0xf0648f00, 0x00000000 }, NULL },
        { LW_ARCH_GFX1100, { 0xf0640f80, 0 }, NULL },
        { LW_ARCH_GFX1100, { 0xf0d93eff, 0xf611d32b, 0x80db3df5 }, "image_gather4_lz_o  v[211:214], [v43, v245, v61], s[68:75], ttmp[8:11] dmask:0xe dim:SQ_RSRC_IMG_2D_MSAA_ARRAY unorm slc dlc a16" },
        { LW_ARCH_GFX1100, { 0xf18283f9, 0x00000000, 0x66a80013 }, "image_gather4_cl  v[0:1], [v0, v19, v0, v168], s[0:7], s[0:3] dmask:0x3 dim:SQ_RSRC_IMG_2D_MSAA unorm r128 d16" },
        { LW_ARCH_GFX1201, { 0xd3c02303, 0x00000000, 0x00000000 }, "image_load v[0:3], [v0, v0, v0], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_CUBE" },
        { LW_ARCH_GFX1201, { 0xd3c00000, 0x01000000, 0x00000000 }, NULL },
        { LW_ARCH_GFX1201, { 0xe7c6e0f8, 0x00000000, 0x00000000 }, "image_sample v[0:2], v0, s[0:7], s[0:3] dmask:0xf dim:SQ_RSRC_IMG_1D unorm nv r128 a16 tfe d16" },
        { LW_ARCH_GFX1201, { 0xe7c60026, 0x00000000, 0x00000000 }, "image_msaa_load v[0:1], [v0, v0, v0], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D_MSAA d16" },
        { LW_ARCH_GFX1201, { 0xd3e04010, 0x1e000000, 0x01020304 }, "image_bvh8_intersect_ray v[0:9], [v[4:5], v[3:4], v[2:4], v[1:3], v30], s[0:3]" },
        { LW_ARCH_GFX1201, { 0xd3c68050, 0x890078e2, 0xb0fcce6c }, NULL },
        { LW_ARCH_GFX1201, { 0xe412d907, 0x20d027f1, 0x260ef439 }, "image_sample_c_b_cl_o v241, [v57, v244, v14, v38], s[16:23], s[64:67] dim:SQ_RSRC_IMG_2D_MSAA_ARRAY th:TH_LOAD_RT_NT lwe" },
        { LW_ARCH_GFX1201, { 0xe446c437, 0x30584e20, 0x01000000 }, NULL },
        { LW_ARCH_GFX1100, { 0xf0e40f04, 0 }, "image_sample_d_g16 v[0:3], v[0:3], s[0:7], s[0:3] dmask:0xf dim:SQ_RSRC_IMG_2D" },
    { LW_ARCH_GFX1201, { 0xd3c00000, 0x0000fa00, 0 }, NULL },
    { LW_ARCH_GFX908, { 0xc4000405, 0x04030201 }, "exp mrt0 v1, off, v2, off compr" },
        { LW_ARCH_GFX908, { 0xc400181f, 0x04030201 }, "exp mrt1 v1, v2, v3, v4 done vm" },
        { LW_ARCH_GFX1100, { 0xf800295f, 0x04030201 }, "exp dual_src_blend0 v1, v2, v3, v4 done row_en" },
        { LW_ARCH_GFX1201, { 0xf800014f, 0x04030201 }, "export prim v1, v2, v3, v4" },
        { LW_ARCH_GFX908, { 0xd2720005, 0x00000201 }, "v_interp_mov_f32_e64 v5, p20, attr1.x" },
        { LW_ARCH_GFX908, { 0xd2750601, 0xe4160147 }, NULL },
        { LW_ARCH_GFX908, { 0xd2777805, 0x04160100 }, "v_interp_p2_f16 v5, v0, attr0.x, v5 high op_sel:[1,0,1,1]" },
        { LW_ARCH_GFX1100, { 0xcd027801, 0xe40a0300 }, "v_interp_p10_f16_f32 v1, -v0.h, -v1, -v2.h op_sel:[1,1,1,1] wait_exp:0" },
        { LW_ARCH_GFX1201, { 0xcd037801, 0xe40a0300 }, "v_interp_p2_f16_f32 v1.h, -v0.h, -v1, -v2 op_sel:[1,1,1,1] wait_exp:0" },
        { LW_ARCH_GFX1100, { 0xce0f0f01 }, "lds_param_load v1, attr3.w wait_vdst:15" },
        { LW_ARCH_GFX1201, { 0xce9f0f01 }, "ds_direct_load v1 wait_va_vdst:15 wait_vm_vsrc:1" },
        { LW_ARCH_GFX1201, { 0xce8fff01 }, "ds_param_load v1, attr63.w wait_va_vdst:15 wait_vm_vsrc:1" },
        { LW_ARCH_GFX1100, { 0xdab47c3b, 0xafa8d9eb }, "ds_bvh_stack_rtn_b32 v175, v235, v217, v[168:171] offset:31803" },
        { LW_ARCH_GFX1201, { 0xdb88b53c, 0x00000000 }, "ds_bvh_stack_push8_pop2_rtn_b64 v[0:1], v0, v0, v[0:7] offset:46396" },
        { LW_ARCH_GFX1100, { 0xd9ea80d1, 0x04000000 }, "ds_add_gs_reg_rtn v[4:5], v0 offset:32977 gds" },
        { LW_ARCH_GFX1250, { 0xee1b807c, 0x202000cc, 0x00038d9a }, "tensor_save null offset:909 th:TH_STORE_HT" },
        { LW_ARCH_GFX1250, { 0xee1bc07c, 0x1df10044, 0x0002f9ec }, "tensor_stop  scale_offset th:TH_STORE_NT_WB" },
        { LW_ARCH_GFX908, { 0xe0500000, 0x80800000 }, "buffer_load_dword v[0:1], off, s[0:3], 0 tfe" },
        { LW_ARCH_GFX1100, { 0xe0500000, 0x80200102 }, "buffer_load_b32 v[1:2], off, s[0:3], 0 tfe" },
};
/* clang-format on */

START_TEST(words_of_graphics)
{
    lw_decoded in;
    char got[256];
    const lw_status status = lw_amdgpu_decode(cases[_i].arch, cases[_i].words, WORDS, &in);
    ck_assert_msg((status == LW_OK) == (cases[_i].text != NULL), "status %d", (int)status);
    if (status != LW_OK)
        return;
    lw_amdgpu_text(cases[_i].arch, &in, got, sizeof(got));
    ck_assert_str_eq(got, cases[_i].text);
}
END_TEST

/* Addresses in a third dword, which is not there. */
START_TEST(truncated)
{
    static const uint32_t words[] = { 0xf0000f09, 0 };
    lw_decoded in;
    ck_assert_int_eq(lw_amdgpu_decode(LW_ARCH_GFX1100, words, 2, &in), LW_E_TRUNCATED);
    ck_assert_int_eq(lw_amdgpu_decode(LW_ARCH_GFX1100, words, 1, &in), LW_E_TRUNCATED);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("graphics");
    TCase *tc = tcase_create("graphics");
    tcase_add_loop_test(tc, words_of_graphics, 0, sizeof(cases) / sizeof(cases[0]));
    tcase_add_test(tc, truncated);
    suite_add_tcase(s, tc);
    SRunner *runner = srunner_create(s);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
