/* SPDX-License-Identifier: MIT */
/* Which code object of which container is loaded, and its contents. Expected values come from the sources in
 * tests/data/loaders and from llvm-readelf, never from the loader. */
#include "loaders/mangle.h"
#include "loaders/program.h"
#include "loaders/target.h"
#include "tests/loaders/fixture.h"

/* ---- Choosing ---- */

static const struct {
    const char *file;
    lw_arch arch;
    int member;
    const char *kernel;
    lw_status status;
    const char *says; /* the target id that is loaded, or a part of the message */
} choices[] = {
    { "v4.co", LW_ARCH_NONE, -1, NULL, LW_OK, "amdgcn-amd-amdhsa--gfx950" },
    { "v5.co", LW_ARCH_GFX950, -1, "shapes::sizes", LW_OK, "amdgcn-amd-amdhsa--gfx950" },
    { "v6.co", LW_ARCH_NONE, 0, NULL, LW_OK, "amdgcn-amd-amdhsa--gfx950" },
    { "v6.co", LW_ARCH_GFX942, -1, NULL, LW_E_ARCH,
      "no code object for gfx942; the file holds one code object, for gfx950" },
    { "v6.co", LW_ARCH_GFX942, 0, NULL, LW_E_ARCH, "no code object for gfx942" },
    { "v6.co", LW_ARCH_NONE, 1, NULL, LW_E_ARGUMENT,
      "there is no code object 1; the file holds one code object, for gfx950" },
    { "v6.co", LW_ARCH_NONE, -1, "nothing", LW_E_NOT_FOUND, "no kernel 'nothing'; the code object has " },
    { "v6.co", LW_ARCH_NONE, -1, "repeat", LW_E_ARGUMENT,
      "2 kernels are called 'repeat': _ZN6shapes6repeat" },
    { "v6.co", LW_ARCH_NONE, -2, NULL, LW_E_ARGUMENT, "load options" },
    { "stripped.co", LW_ARCH_NONE, -1, "choose", LW_OK, "amdgcn-amd-amdhsa--gfx950" },
    { "hand.co", LW_ARCH_NONE, -1, "bare", LW_OK, "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-" },
    { "generic.co", LW_ARCH_GFX942, -1, NULL, LW_OK, "amdgcn-amd-amdhsa--gfx9-4-generic" },
    { "generic.co", LW_ARCH_GFX950, -1, NULL, LW_OK, "amdgcn-amd-amdhsa--gfx9-4-generic" },
    { "generic.co", LW_ARCH_NONE, -1, NULL, LW_E_ARCH,
      "gfx9-4-generic, which runs on gfx942 and gfx950: choose" },
    { "generic.co", LW_ARCH_GFX90A, -1, NULL, LW_E_ARCH, "no code object for gfx90a" },
    { "gfx1100.co", LW_ARCH_NONE, -1, NULL, LW_OK, "amdgcn-amd-amdhsa--gfx1100" },
    { "unlinked.obj", LW_ARCH_NONE, -1, NULL, LW_E_UNSUPPORTED, "unlinked object file" },
    { "bundle.hipfb", LW_ARCH_GFX942, -1, NULL, LW_OK, "amdgcn-amd-amdhsa--gfx942" },
    { "bundle.hipfb", LW_ARCH_GFX950, -1, "hidden", LW_OK, "amdgcn-amd-amdhsa--gfx950" },
    { "bundle.hipfb", LW_ARCH_NONE, 1, NULL, LW_OK, "amdgcn-amd-amdhsa--gfx950" },
    { "bundle.hipfb", LW_ARCH_NONE, 2, NULL, LW_E_ARCH, "gfx1030, a processor that Lanewise does not know" },
    { "bundle.hipfb", LW_ARCH_NONE, -1, NULL, LW_E_ARGUMENT,
      "2 code objects fit: choose one by architecture, kernel or index; the file holds 3 code objects: 0 for "
      "gfx942 "
      "(hipv4-amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-), 1 for gfx950 (hipv4-amdgcn-amd-amdhsa--gfx950), "
      "2 for gfx1030" },
    { "bundle.hipfb", LW_ARCH_NONE, -1, "blend", LW_E_ARGUMENT,
      "more than one code object has a kernel 'blend'" },
    { "bundle.hipfb", LW_ARCH_NONE, -1, "absent", LW_E_NOT_FOUND,
      "no code object of the file has a kernel 'absent'" },
#ifdef LW_HAVE_ZLIB
    { "v1_zlib.hipfb", LW_ARCH_NONE, -1, "blend", LW_OK, "amdgcn-amd-amdhsa--gfx942" },
    { "v2_zlib.hipfb", LW_ARCH_NONE, -1, "blend", LW_OK, "amdgcn-amd-amdhsa--gfx942" },
    { "v3_zlib.hipfb", LW_ARCH_NONE, -1, "blend", LW_OK, "amdgcn-amd-amdhsa--gfx942" },
#else
    { "v3_zlib.hipfb", LW_ARCH_NONE, -1, "blend", LW_E_ABSENT, "this build has no zlib" },
#endif
#ifdef LW_HAVE_ZSTD
    { "v1_zstd.hipfb", LW_ARCH_NONE, -1, "blend", LW_OK, "amdgcn-amd-amdhsa--gfx942" },
    { "v2_zstd.hipfb", LW_ARCH_NONE, -1, "blend", LW_OK, "amdgcn-amd-amdhsa--gfx942" },
    { "v3_zstd.hipfb", LW_ARCH_NONE, -1, "blend", LW_OK, "amdgcn-amd-amdhsa--gfx950" },
    { "host.so", LW_ARCH_GFX942, -1, NULL, LW_OK, "amdgcn-amd-amdhsa--gfx942" },
    { "host.so", LW_ARCH_GFX950, -1, "one", LW_OK, "amdgcn-amd-amdhsa--gfx950" },
    { "host.so", LW_ARCH_GFX950, -1, "two", LW_OK, "amdgcn-amd-amdhsa--gfx950" },
    { "host.so", LW_ARCH_GFX950, -1, NULL, LW_E_ARGUMENT, "2 code objects fit" },
#else
    { "v3_zstd.hipfb", LW_ARCH_NONE, -1, "blend", LW_E_ABSENT, "this build has no libzstd" },
#endif
    { "two.offload", LW_ARCH_GFX942, -1, NULL, LW_OK, "amdgcn-amd-amdhsa--gfx942" },
    { "two.offload", LW_ARCH_GFX950, -1, NULL, LW_OK, "amdgcn-amd-amdhsa--gfx950" },
    { "host_arm64.obj", LW_ARCH_NONE, -1, "arm", LW_OK, "amdgcn-amd-amdhsa--gfx942" },
    { "host_offloading.obj", LW_ARCH_GFX950, -1, "blend", LW_OK, "amdgcn-amd-amdhsa--gfx950" },
    { "host_rdc.obj", LW_ARCH_NONE, -1, NULL, LW_E_FORMAT,
      "no AMDGPU code object in the file; it has 2 entries" },
    { "host_plain.obj", LW_ARCH_NONE, -1, NULL, LW_E_FORMAT,
      "a host ELF file (machine 62) without GPU code" },
    { "kernels.hip", LW_ARCH_NONE, -1, NULL, LW_E_FORMAT, "neither an ELF file nor an offload bundle" },
};

START_TEST(loads_what_was_asked_for)
{
    const fixture f = read_fixture(choices[_i].file);
    lw_load_options options = lw_load_options_default();
    options.arch = choices[_i].arch;
    options.member = choices[_i].member;
    options.kernel = choices[_i].kernel;
    lw_program *program = NULL;
    lw_error error = { "" };
    const lw_status status = lw_program_load(f.data, f.size, &options, &program, &error);
    ck_assert_msg(status == choices[_i].status, "row %d, %s: status %d: %s", _i, choices[_i].file,
                  (int)status, error.text);
    if (status == LW_OK) {
        ck_assert_str_eq(lw_program_target_id(program), choices[_i].says);
        if (choices[_i].arch != LW_ARCH_NONE)
            ck_assert_int_eq(lw_program_arch(program), choices[_i].arch);
    } else {
        ck_assert_ptr_null(program);
        ck_assert_msg(strstr(error.text, choices[_i].says) != NULL, "row %d, %s: %s", _i, choices[_i].file,
                      error.text);
    }
    lw_program_free(program);
    free(f.data);
}
END_TEST

START_TEST(default_options_and_files)
{
    char path[512];
    lw_program *program = NULL;
    lw_error error = { "" };
    snprintf(path, sizeof(path), "%s/tests/data/loaders/v5.co", LW_SOURCE_DIR);
    ck_assert_int_eq(lw_program_load_file(path, NULL, &program, NULL), LW_OK);
    ck_assert_uint_eq(lw_program_abi_version(program), 5);
    ck_assert_int_eq(lw_program_arch(program), LW_ARCH_GFX950);
    ck_assert_ptr_null(lw_program_kernel_at(program, lw_program_kernel_count(program)));
    ck_assert_ptr_null(lw_program_section_at(program, lw_program_section_count(program)));
    ck_assert_ptr_null(lw_program_symbol_at(program, lw_program_symbol_count(program)));
    lw_program_free(program);
    lw_program_free(NULL);

    ck_assert_int_eq(lw_program_load_file("/nonexistent/x.co", NULL, &program, &error), LW_E_IO);
    ck_assert_str_eq(error.text, "/nonexistent/x.co: No such file or directory");
    ck_assert_int_eq(lw_program_load_file("/", NULL, &program, &error), LW_E_IO);
    ck_assert_int_eq(lw_program_load_file(NULL, NULL, &program, &error), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_program_load(NULL, 0, NULL, &program, &error), LW_E_TRUNCATED);
    ck_assert_int_eq(lw_program_load(path, sizeof(path), NULL, NULL, &error), LW_E_ARGUMENT);
    lw_load_options options = lw_load_options_default();
    options.struct_size = 1;
    ck_assert_int_eq(lw_program_load(path, sizeof(path), &options, &program, &error), LW_E_ARGUMENT);
}
END_TEST

/* Which member a device takes: the features that both state must agree. */
START_TEST(a_device_chooses)
{
    static const struct {
        const char *file, *device;
        lw_status status;
        size_t index;
    } cases[] = {
        { "bundle.hipfb", "gfx942:sramecc+:xnack-", LW_OK, 0 },
        { "bundle.hipfb", "gfx942", LW_OK, 0 },
        { "bundle.hipfb", "gfx942:sramecc+:xnack+", LW_E_ARCH, 0 },
        { "bundle.hipfb", "gfx942:sramecc-:xnack-", LW_E_ARCH, 0 },
        { "bundle.hipfb", "gfx950:sramecc+:xnack+", LW_OK, 1 },
        { "bundle.hipfb", "gfx94", LW_E_NOT_FOUND, 0 },
        { "bundle.hipfb", "gfx90a", LW_E_ARCH, 0 },
        { "bundle.hipfb", "sm_90", LW_E_ARCH, 0 },
        { "generic.co", "gfx942:sramecc+:xnack-", LW_OK, 0 },
        { "generic.co", "gfx90a", LW_E_ARCH, 0 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const fixture f = read_fixture(cases[i].file);
        lw_members *members;
        lw_error error = { "" };
        size_t index = 99;
        ck_assert_int_eq(lw_members_read(f.data, f.size, &members, NULL), LW_OK);
        ck_assert_msg(lw_members_choose(members, cases[i].device, &index, &error) == cases[i].status,
                      "%s: %s", cases[i].device, error.text);
        ck_assert_uint_eq(index, cases[i].status == LW_OK ? cases[i].index : 99);
        lw_members_free(members);
        free(f.data);
    }
    ck_assert_int_eq(lw_members_choose(NULL, "gfx942", NULL, NULL), LW_E_ARGUMENT);
}
END_TEST

START_TEST(members_are_listed_in_file_order)
{
    static const struct {
        const char *id, *target;
        lw_arch arch;
    } expected[] = {
        { "hipv4-amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-", "gfx942", LW_ARCH_GFX942 },
        { "hipv4-amdgcn-amd-amdhsa--gfx950", "gfx950", LW_ARCH_GFX950 },
        { "hipv4-amdgcn-amd-amdhsa--gfx1030", "gfx1030", LW_ARCH_NONE },
    };
    const fixture f = read_fixture("bundle.hipfb");
    lw_members *members;
    ck_assert_int_eq(lw_members_read(f.data, f.size, &members, NULL), LW_OK);
    ck_assert_uint_eq(lw_members_count(members), 3);
    for (size_t i = 0; i < 3; i++) {
        const lw_member *m = lw_members_at(members, i);
        ck_assert_str_eq(m->container, "offload bundle");
        ck_assert_str_eq(m->id, expected[i].id);
        ck_assert_str_eq(m->target, expected[i].target);
        ck_assert_int_eq(m->arch, expected[i].arch);
        ck_assert_uint_gt(m->size, 4096);
    }
    ck_assert_ptr_null(lw_members_at(members, 3));
    lw_members_free(members);
    lw_members_free(NULL);
    ck_assert_uint_eq(lw_members_count(NULL), 0);
    free(f.data);
}
END_TEST

/* ---- Contents: the numbers of hand.s ---- */

START_TEST(hand_written_kernel_is_read_as_written)
{
    lw_program *p = load_fixture("hand.co", LW_ARCH_NONE);
    ck_assert_uint_eq(lw_program_abi_version(p), 4);
    ck_assert_uint_eq(lw_program_kernel_count(p), 2);
    const lw_kernel *k = &p->kernels[kernel_index(p, "padded")];
    const lw_kernel_info *info = &k->info;
    ck_assert(info->has_metadata);
    ck_assert_uint_eq(info->kernarg_size, 64);
    ck_assert_uint_eq(info->kernarg_align, 16);
    ck_assert_uint_eq(info->lds_size, 1000);
    ck_assert_uint_eq(info->private_size, 16);
    ck_assert_uint_eq(info->wavefront_size, 64);
    ck_assert_uint_eq(info->max_workgroup_size, 256);
    ck_assert_uint_eq(info->required_workgroup[0], 64);
    ck_assert_uint_eq(info->required_workgroup[1], 4);
    ck_assert_uint_eq(info->required_workgroup[2], 1);
    /* accum_offset 20; 45 registers round up to 48; 33 SGPRs and 6 special ones round up to 48 */
    ck_assert_uint_eq(info->vgprs, 20);
    ck_assert_uint_eq(info->agprs, 28);
    ck_assert_uint_eq(info->sgprs, 48);

    static const struct {
        const char *name;
        lw_arg_kind kind;
        uint32_t offset, size;
        bool is_const;
    } args[] = {
        { "ptr_D", LW_ARG_BUFFER, 0, 8, false }, { "ptr_A", LW_ARG_BUFFER, 16, 8, true },
        { "rows", LW_ARG_VALUE, 36, 4, false },  { "scale", LW_ARG_VALUE, 48, 4, false },
        { "pad", LW_ARG_PADDING, 8, 8, false },  { "pad", LW_ARG_PADDING, 24, 8, false },
        { "strips", LW_ARG_LDS, 32, 4, false },  { "", LW_ARG_HIDDEN, 40, 8, false },
    };
    ck_assert_uint_eq(info->arg_count, 8);
    ck_assert_uint_eq(info->explicit_count, 4);
    for (size_t i = 0; i < info->arg_count; i++) {
        ck_assert_str_eq(info->args[i].name, args[i].name);
        ck_assert_int_eq(info->args[i].kind, args[i].kind);
        ck_assert_uint_eq(info->args[i].offset, args[i].offset);
        ck_assert_uint_eq(info->args[i].size, args[i].size);
        ck_assert_int_eq(info->args[i].is_const, args[i].is_const);
    }
    ck_assert_str_eq(info->args[2].type_name, "int");
    ck_assert_str_eq(info->args[6].address_space, "local");
    ck_assert_uint_eq(info->args[6].pointee_align, 64);
    ck_assert_str_eq(info->args[7].value_kind, "hidden_global_offset_x");

    /* float_denorm_mode_32 0, dx10_clamp 0, ieee_mode 0; 16/64-bit denormals default to kept (3) */
    ck_assert_uint_eq(k->desc.rsrc1 >> 12 & 0xff, 0xc0);
    ck_assert_uint_eq(k->desc.rsrc1 >> 21 & 1, 0);
    ck_assert_uint_eq(k->desc.rsrc1 >> 23 & 1, 0);
    ck_assert_uint_eq(k->desc.properties, 1 << 3);
    ck_assert_uint_eq(k->desc.rsrc2 >> 1 & 31, 2 + 3);
    ck_assert_uint_eq(k->desc.preload_length, 3);
    ck_assert_uint_eq(k->desc.preload_offset, 5);
    ck_assert_uint_eq(k->desc.entry % 256, 0);

    const lw_kernel_info *bare = lw_program_kernel_at(p, kernel_index(p, "bare"));
    ck_assert(!bare->has_metadata);
    ck_assert_uint_eq(bare->arg_count, 0);
    ck_assert_uint_eq(bare->vgprs, 4);
    ck_assert_uint_eq(bare->wavefront_size, 64);
    lw_program_free(p);
}
END_TEST

/* Padding past the segment's end is left out and reported; any other argument there is refused. */
START_TEST(padding_past_the_segment)
{
    static const char pad[] = "\xa3pad\xa7.offset\x18", rows[] = "\xa4rows\xa7.offset\x24";
    fixture f = read_fixture("hand.co");
    lw_error error = { "" };
    for (size_t i = 0; i + sizeof(pad) < f.size; i++)
        if (memcmp(f.data + i, pad, sizeof(pad) - 1) == 0)
            f.data[i + sizeof(pad) - 2] = 60;
    lw_program *p = NULL;
    ck_assert_int_eq(lw_program_load(f.data, f.size, NULL, &p, &error), LW_OK);
    const lw_kernel_info *info = lw_program_kernel_at(p, kernel_index(p, "padded"));
    ck_assert_str_eq(info->warning, "argument 'pad' (8 bytes at offset 60) lies outside the 64 bytes of the "
                                    "kernarg segment; it is left out");
    ck_assert_uint_eq(info->arg_count, 7);
    ck_assert_uint_eq(info->args[4].offset, 8);
    ck_assert_uint_eq(info->args[5].offset, 32);
    ck_assert_str_eq(lw_program_kernel_at(p, kernel_index(p, "bare"))->warning, "");
    lw_program_free(p);

    for (size_t i = 0; i + sizeof(rows) < f.size; i++)
        if (memcmp(f.data + i, rows, sizeof(rows) - 1) == 0)
            f.data[i + sizeof(rows) - 2] = 61;
    ck_assert_int_eq(lw_program_load(f.data, f.size, NULL, &p, &error), LW_E_FORMAT);
    free(f.data);
}
END_TEST

START_TEST(compiled_kernel_has_its_facts)
{
    lw_program *p = load_fixture("v6.co", LW_ARCH_NONE);
    const lw_kernel_info *blend = lw_program_kernel_at(p, kernel_index(p, "blend"));
    ck_assert_uint_eq(blend->lds_size, 96 * 4);
    ck_assert_uint_eq(blend->max_workgroup_size, 64);
    ck_assert_uint_eq(blend->explicit_count, 4);
    ck_assert(blend->args[0].is_const && !blend->args[1].is_const);
    ck_assert_uint_eq(blend->args[2].size, 16);
    ck_assert_uint_eq(blend->args[3].offset, 32);
    ck_assert_uint_eq(blend->args[3].size, 1);
    lw_program_free(p);

    p = load_fixture("gfx1100.co", LW_ARCH_NONE);
    ck_assert_uint_eq(lw_program_kernel_at(p, 0)->wavefront_size, 32);
    ck_assert_uint_eq(lw_program_kernel_at(p, 0)->sgprs, 128);
    lw_program_free(p);
}
END_TEST

START_TEST(sections_and_symbols_show_the_code)
{
    lw_program *p = load_fixture("hand.co", LW_ARCH_NONE);
    const lw_section *text = NULL;
    for (size_t i = 0; i < lw_program_section_count(p); i++)
        if (strcmp(lw_program_section_at(p, i)->name, ".text") == 0)
            text = lw_program_section_at(p, i);
    ck_assert_ptr_nonnull(text);
    ck_assert(text->executable && !text->writable);
    const lw_symbol *padded = NULL, *bare = NULL;
    for (size_t i = 0; i < lw_program_symbol_count(p); i++) {
        const lw_symbol *s = lw_program_symbol_at(p, i);
        ck_assert(i == 0 || lw_program_symbol_at(p, i - 1)->address <= s->address);
        if (strcmp(s->name, "padded") == 0)
            padded = s;
        if (strcmp(s->name, "bare") == 0)
            bare = s;
    }
    ck_assert(padded && bare && padded->is_function && padded->is_global && !padded->is_object);
    ck_assert_uint_eq(padded->address, text->address);
    ck_assert_uint_eq(bare->address, text->address + 256);
    ck_assert_uint_eq(bare->size, 4);
    /* s_endpgm is 0xbf810000 (CDNA3 ISA manual, SOPP) */
    const uint8_t *word = text->data + 256;
    ck_assert_uint_eq((uint32_t)word[0] | (uint32_t)word[1] << 8 | (uint32_t)word[2] << 16 |
                          (uint32_t)word[3] << 24,
                      0xbf810000u);
    lw_program_free(p);
}
END_TEST

START_TEST(stripped_file_says_the_same)
{
    lw_program *whole = load_fixture("tables.co", LW_ARCH_NONE),
               *bare = load_fixture("stripped.co", LW_ARCH_NONE);
    ck_assert_uint_eq(whole->image_size, bare->image_size);
    ck_assert_uint_eq(whole->reloc_count, bare->reloc_count);
    ck_assert_uint_eq(whole->kernel_count, bare->kernel_count);
    ck_assert_uint_eq(whole->kernels[0].desc.entry, bare->kernels[0].desc.entry);
    /* Only the ELF header, which counts section headers, differs. */
    ck_assert_mem_eq(whole->image + 64, bare->image + 64, whole->image_size - 64);
    ck_assert_str_eq(lw_program_section_at(bare, 0)->name, "");
    ck_assert_uint_eq(lw_program_section_count(bare), bare->segment_count);
    lw_program_free(whole);
    lw_program_free(bare);
}
END_TEST

/* The first segment moved off its page boundary: the image still starts on one. */
START_TEST(image_starts_on_a_page)
{
    enum { FIRST_LOAD = 64 + 56, SKIPPED = 0x40 };
    static const int changed[] = { 8, 16, 32, 40 }; /* offset, vaddr, file size, memory size */
    fixture f = read_fixture("hand.co");
    for (int i = 0; i < 4; i++) {
        uint8_t *field = f.data + FIRST_LOAD + changed[i];
        const unsigned value = (unsigned)field[0] | (unsigned)field[1] << 8;
        const unsigned moved = i < 2 ? value + SKIPPED : value - SKIPPED;
        field[0] = (uint8_t)moved;
        field[1] = (uint8_t)(moved >> 8);
    }
    lw_program *p = NULL, *whole = load_fixture("hand.co", LW_ARCH_NONE);
    lw_error error = { "" };
    ck_assert_msg(lw_program_load(f.data, f.size, NULL, &p, &error) == LW_OK, "%s", error.text);
    ck_assert_uint_eq(p->image_vaddr, 0);
    ck_assert_uint_eq(p->image_size, whole->image_size);
    ck_assert_uint_eq(p->segments[0].offset, SKIPPED);
    /* after the program headers, which the image contains */
    ck_assert_mem_eq(p->image + 1024, whole->image + 1024, whole->image_size - 1024);
    lw_program_free(p);
    lw_program_free(whole);
    free(f.data);
}
END_TEST

/* ---- Names ---- */

static const struct {
    const char *mangled, *name;
    bool has;
} names[] = {
    { "_Z5scalePfi", "scale", true },
    { "_Z5scalePfi", "scal", false },
    { "_Z5scalePfi", "Pfi", false },
    { "_Z5scalePfi", "_Z5scalePfi", false },
    { "_ZN3lib5scaleEPfi", "scale", true },
    { "_ZN3lib5scaleEPfi", "lib::scale", true },
    { "_ZN3lib5scaleEPfi", "::scale", false },
    { "_ZN3lib5scaleEPfi", "b::scale", false },
    { "_ZN3lib5scaleEPfi", "lib", false },
    { "_ZN12_GLOBAL__N_15scaleEPfi", "scale", true },
    { "_ZN12_GLOBAL__N_15scaleEPfi", "_GLOBAL__N_1::scale", false },
    { "_ZL5scalePfi", "scale", true },
    { "_ZN6shapes6repeatILi4EfEEvPT0_S1_", "repeat", true },
    { "_ZN6shapes6repeatILi4EfEEvPT0_S1_", "shapes::repeat", true },
    { "_ZN3FooIiE3barEv", "bar", true },
    { "_ZN3FooIiE3barEv", "Foo", false },
    { "_ZN3FooISt4pairIiLb1EEE3barEv", "bar", true },
    { "_ZN3FooIXadL_Z1gvEEE3barEv", "bar", false },
    { "_ZN3FooILi", "Foo", false },
    { "_Z99scalePfi", "scale", false },
    { "_Z0scale", "", false },
    { "_Z", "", false },
    { "scale", "scale", false },
    { "_ZN1a1b1c1d1e1f1g1h1i1j1k1l1m1n1o1p1qEv", "q", false }, /* more components than are stored */
};

START_TEST(base_names_of_mangled_names)
{
    ck_assert_msg(lw_mangled_has_name(names[_i].mangled, names[_i].name) == names[_i].has, "%s, %s",
                  names[_i].mangled, names[_i].name);
}
END_TEST

START_TEST(targets_of_the_facts)
{
    static const struct {
        uint32_t flags;
        const char *name;
        lw_arch arch;
    } rows[] = {
        { 0x530, "gfx908", LW_ARCH_GFX908 },        { 0x53f, "gfx90a", LW_ARCH_GFX90A },
        { 0x54c, "gfx942", LW_ARCH_GFX942 },        { 0x54f, "gfx950", LW_ARCH_GFX950 },
        { 0x41, "gfx1100", LW_ARCH_GFX1100 },       { 0x4e, "gfx1201", LW_ARCH_GFX1201 },
        { 0x549, "gfx1250", LW_ARCH_GFX1250 },      { 0x46, "gfx1101", LW_ARCH_GFX1100 },
        { 0x48, "gfx1200", LW_ARCH_GFX1201 },       { 0x2f, "gfx906", LW_ARCH_NONE },
        { 0x5f, "gfx9-4-generic", LW_ARCH_NONE },   { 0x54, "gfx11-generic", LW_ARCH_GFX1100 },
        { 0x43, "gfx1150", LW_ARCH_GFX1150 },       { 0x4a, "gfx1151", LW_ARCH_GFX1150 },
        { 0x55, "gfx1152", LW_ARCH_GFX1150 },       { 0x58, "gfx1153", LW_ARCH_GFX1150 },
        { 0x59, "gfx12-generic", LW_ARCH_GFX1201 }, { 0x51, "gfx9-generic", LW_ARCH_NONE },
        { 0x77, "machine 0x77", LW_ARCH_NONE },
    };
    char text[LW_TARGET_TEXT];
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        lw_target_name(rows[i].flags, text);
        ck_assert_str_eq(text, rows[i].name);
        ck_assert_int_eq(lw_target_arch(rows[i].flags), rows[i].arch);
    }
    /* Generic code runs on every member of its family that is asked for. */
    ck_assert(lw_target_runs_on(0x54, LW_ARCH_GFX1150) && lw_target_runs_on(0x54, LW_ARCH_GFX1100));
    ck_assert(lw_target_runs_on(0x5f, LW_ARCH_GFX942) && lw_target_runs_on(0x5f, LW_ARCH_GFX950));
    ck_assert(!lw_target_runs_on(0x43, LW_ARCH_GFX1100) && !lw_target_runs_on(0x51, LW_ARCH_GFX908));
    /* Looking up an architecture's own number (isa_tables) returns that architecture. */
    for (int a = LW_ARCH_NONE + 1; a < LW_ARCH_SM_70; a++)
        ck_assert_int_eq(lw_target_arch(lw_arch_get((lw_arch)a)->elf_mach), a);
    lw_target_id(0xe4c, text);
    ck_assert_str_eq(text, "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-");
    lw_target_id(0xb4c, text);
    ck_assert_str_eq(text, "amdgcn-amd-amdhsa--gfx942:sramecc-:xnack+");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("program");
    TCase *tc = tcase_create("program");
    tcase_add_loop_test(tc, loads_what_was_asked_for, 0, sizeof(choices) / sizeof(choices[0]));
    tcase_add_test(tc, default_options_and_files);
    tcase_add_test(tc, members_are_listed_in_file_order);
    tcase_add_test(tc, a_device_chooses);
    tcase_add_test(tc, hand_written_kernel_is_read_as_written);
    tcase_add_test(tc, padding_past_the_segment);
    tcase_add_test(tc, compiled_kernel_has_its_facts);
    tcase_add_test(tc, sections_and_symbols_show_the_code);
    tcase_add_test(tc, stripped_file_says_the_same);
    tcase_add_test(tc, image_starts_on_a_page);
    tcase_add_loop_test(tc, base_names_of_mangled_names, 0, sizeof(names) / sizeof(names[0]));
    tcase_add_test(tc, targets_of_the_facts);
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
