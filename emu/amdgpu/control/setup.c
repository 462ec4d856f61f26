/* SPDX-License-Identifier: MIT */
/* Rules: LLVM AMDGPUUsage, "Kernel Descriptor" and "Initial Kernel Execution State". */
#include "emu/amdgpu/control/setup.h"

#include "emu/amdgpu/memory/access.h"
#include "isa_tables/amdgpu/traits.h"
#include "isa_tables/error.h"
#include "loaders/kernarg.h"

enum { MAX_SCRATCH = 1 << 24, DYNAMIC_STACK = 64 * 1024 };

static uint32_t bits(uint32_t word, unsigned low, unsigned count)
{
    return word >> low & ((UINT32_C(1) << count) - 1);
}

static lw_status set_lds(lw_session *m, const lw_launch_options *o, const lw_kernel *kernel, lw_error *error)
{
    const char *arch = lw_arch_get(m->arch)->name;
    const uint32_t granule = lw_amdgpu_traits_of(m->arch)->lds_granule, limit = lw_arch_lds_size(arch);
    unsigned pointers = 0;
    for (size_t i = 0; i < kernel->info.arg_count; i++)
        pointers += kernel->info.args[i].kind == LW_ARG_LDS;
    if (pointers > 1 && !o->kernarg)
        return lw_error_fail(
            error, LW_E_UNSUPPORTED,
            "kernel %s takes %u pointers to dynamic LDS; a launch has one size for all of it, "
            "not one for each: give the argument block as it is",
            kernel->info.name, pointers);
    const uint64_t wanted = (uint64_t)lw_kernarg_lds_start(&kernel->info) + o->dynamic_lds;
    if (wanted > limit)
        return lw_error_fail(error, LW_E_ARGUMENT,
                             "kernel %s needs %llu bytes of LDS; a workgroup of %s has %u", kernel->info.name,
                             (unsigned long long)wanted, arch, limit);
    m->lds_size = ((uint32_t)wanted + granule - 1) / granule * granule;
    return LW_OK;
}

static lw_status set_scratch(lw_session *m, const lw_launch_options *o, const lw_kernel *kernel,
                             lw_error *error)
{
    uint64_t wanted = kernel->desc.private_segment_size;
    if (kernel->info.dynamic_stack)
        wanted += DYNAMIC_STACK;
    if (o->scratch > wanted)
        wanted = o->scratch;
    if (wanted > MAX_SCRATCH)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "kernel %s needs %llu bytes of scratch per work-item; %d are supported",
                             kernel->info.name, (unsigned long long)wanted, MAX_SCRATCH);
    m->scratch_size = ((uint32_t)wanted + 3) & ~UINT32_C(3);
    return LW_OK;
}

lw_status lw_setup_sizes(lw_session *m, const lw_launch_options *o, const lw_kernel *kernel, lw_error *error)
{
    const lw_status status = set_lds(m, o, kernel, error);
    return status == LW_OK ? set_scratch(m, o, kernel, error) : status;
}

/* MODE takes the rounding and denormal fields unchanged; DX10_CLAMP, IEEE and FP16_OVFL have separate bits.
 * `fixed`: the first two are always on and are no bits of MODE (lw_amdgpu_traits.mode_fixed). */
static uint32_t initial_mode(uint32_t rsrc1, bool fixed)
{
    uint32_t mode = bits(rsrc1, 12, 8);
    if (fixed || bits(rsrc1, 21, 1))
        mode |= LW_MODE_DX10_CLAMP;
    if (fixed || bits(rsrc1, 23, 1))
        mode |= LW_MODE_IEEE;
    if (bits(rsrc1, 26, 1))
        mode |= LW_MODE_FP16_OVFL;
    return mode;
}

unsigned lw_setup_lanes(const lw_kernel *kernel)
{
    return bits(kernel->desc.properties, 10, 1) ? 32 : 64;
}

lw_status lw_setup_registers(lw_session *s, const lw_kernel *kernel, lw_error *error)
{
    lw_amd_launch *m = s->own;
    const lw_kernel_desc *d = &kernel->desc;
    /*
     * One file of granules. Accumulation registers begin at accum_offset (gfx90a and later), which does not
     * limit VGPRs: hand-written production kernels for gfx950 use VGPRs beyond it. That these share the
     * accumulation registers' storage is inferred from there being one file. gfx908 has two files of equal
     * size.
     */
    const lw_amdgpu_traits *traits = lw_amdgpu_traits_of(s->arch);
    const unsigned lanes = lw_setup_lanes(kernel);
    const unsigned granule = lanes == 32 ? traits->vgpr_granule_32 : traits->vgpr_granule_64;
    const unsigned total = (bits(d->rsrc1, 0, 6) + 1) * granule;
    const unsigned accum = traits->accum ? (bits(d->rsrc3, 0, 6) + 1) * 4 : total;
    m->vgprs = total < accum ? total : accum;
    m->agprs = traits->agprs_beside ? total : total - m->vgprs;
    const unsigned most = traits->vgprs ? traits->vgprs : 256;
    m->vgprs = m->vgprs > most ? most : m->vgprs;
    m->agprs = m->agprs > 256 ? 256 : m->agprs;
    m->vgpr_limit = total > most ? most : total;
    m->mode = initial_mode(d->rsrc1, traits->mode_fixed);
    m->splits_l0 = traits->wgp_mode && bits(d->rsrc1, 29, 1);
    if (!granule)
        return lw_error_fail(error, LW_E_FORMAT,
                             "kernel %s asks for waves of %u lanes, which %s does not have",
                             kernel->info.name, lanes, lw_arch_get(s->arch)->name);
    const unsigned first = lw_amd_module_lanes(s->module);
    if (lanes != first)
        return lw_error_fail(
            error, LW_E_UNSUPPORTED,
            "kernel %s asks for waves of %u lanes, but the file's first kernel for waves of %u; "
            "one file has one size of waves in this version",
            kernel->info.name, lanes, first);
    const unsigned most_user = traits->user_sgprs ? traits->user_sgprs : 16;
    m->user_sgpr_count = bits(d->rsrc2, 1, most_user > 16 ? 6 : 5);
    if (m->user_sgpr_count > most_user)
        return lw_error_fail(error, LW_E_FORMAT, "kernel %s asks for %u user SGPRs; there are at most %u",
                             kernel->info.name, m->user_sgpr_count, most_user);
    for (unsigned i = 0; i < 3; i++)
        m->group_id_sgpr[i] = bits(d->rsrc2, 7 + i, 1);
    m->group_info_sgpr = bits(d->rsrc2, 10, 1);
    m->scratch_offset_sgpr = traits->scratch_buffer && bits(d->rsrc2, 0, 1);
    m->item_id_dims = bits(d->rsrc2, 11, 2) + 1;
    /* in units of four; where a kernel asks for none, a gfx1250 was seen to have four (HipKittens) */
    m->named_barriers = 4 * bits(d->rsrc3, 14, 3);
    m->named_barriers = m->named_barriers ? m->named_barriers : 4;
    if (traits->named_barriers && m->named_barriers > traits->named_barriers)
        return lw_error_fail(error, LW_E_FORMAT, "kernel %s asks for %u named barriers; there are at most %u",
                             kernel->info.name, m->named_barriers, (unsigned)traits->named_barriers);
    return LW_OK;
}

typedef struct sgpr_fill {
    lw_amd_launch *m;
    unsigned at;
} sgpr_fill;

/* The next `count` user SGPRs, as far as there are any. */
static void fill(sgpr_fill *f, bool enabled, unsigned count, uint64_t value)
{
    for (unsigned i = 0; enabled && i < count; i++, f->at++)
        if (f->at < f->m->user_sgpr_count)
            f->m->user_sgprs[f->at] = i < 2 ? (uint32_t)(value >> (32 * i)) : 0;
}

/*
 * The private segment buffer: swizzled with elements of a dword and an index stride of 64; the lane is added
 * to the index; no limit. Zeros where scratch is architected.
 */
static void fill_scratch_buffer(sgpr_fill *f, bool enabled, bool used)
{
    const uint32_t swizzle = UINT32_C(1) << 31, element_4 = 1 << 19, stride_64 = 3 << 21, add_tid = 1 << 23;
    const uint64_t base = LW_SCRATCH_BUFFER & UINT64_C(0xffffffffffff);
    fill(f, enabled, 2, used ? base | (uint64_t)swizzle << 32 : 0);
    fill(f, enabled, 1, used ? UINT32_MAX : 0);
    fill(f, enabled, 1, used ? element_4 | stride_64 | add_tid : 0);
}

void lw_setup_entry(lw_session *s, const lw_kernel *kernel, const lw_setup_addresses *at)
{
    lw_amd_launch *m = s->own;
    const lw_kernel_desc *d = &kernel->desc;
    const uint32_t p = d->properties;
    for (unsigned i = 0; i < m->user_sgpr_count; i++)
        m->user_sgprs[i] = s->poison;
    sgpr_fill f = { m, 0 };
    fill_scratch_buffer(&f, bits(p, 0, 1), lw_amdgpu_traits_of(s->arch)->scratch_buffer);
    fill(&f, bits(p, 1, 1), 2, at->packet);
    fill(&f, bits(p, 2, 1), 2, 0); /* queue */
    fill(&f, bits(p, 3, 1), 2, at->kernarg);
    fill(&f, bits(p, 4, 1), 2, 0); /* dispatch id */
    fill(&f, bits(p, 5, 1), 2, 0); /* flat scratch init */
    fill(&f, bits(p, 6, 1), 1, s->scratch_size);

    s->kernel_base = s->module->base + d->entry;
    s->entry = s->kernel_base;
    for (unsigned i = 0; i < d->preload_length; i++) {
        const uint64_t from = 4 * ((uint64_t)d->preload_offset + i);
        uint32_t word = 0;
        if (from + 4 <= ((uint64_t)kernel->info.kernarg_size + 3) / 4 * 4)
            memcpy(&word, m->kernarg + from, 4);
        fill(&f, true, 1, word);
    }
    if (d->preload_length && lw_amdgpu_traits_of(s->arch)->preload_in_code)
        s->entry += 256; /* code before this does it with loads, for firmware that cannot preload */
}

lw_status lw_setup_given(lw_session *s, lw_error *error)
{
    const lw_given *given = &s->given;
    lw_amd_launch *m = s->own;
    const lw_amdgpu_traits *traits = lw_amdgpu_traits_of(s->arch);
    const unsigned lanes = given->lanes ? given->lanes : traits->wave;
    if (!(lanes == 32 && traits->vgpr_granule_32) && !(lanes == 64 && traits->vgpr_granule_64))
        return lw_error_fail(error, LW_E_ARGUMENT, "%s has no waves of %u lanes", lw_arch_get(s->arch)->name,
                             lanes);
    s->lanes = ((lw_amd_module *)s->module->own)->lanes = lanes;
    for (size_t i = 0; i < given->count; i++) {
        const lw_wave_state *w = &given->waves[i];
        if (w->vgprs > (traits->vgprs ? traits->vgprs : 256) || w->agprs > 256 || (w->vgprs && !w->vgpr) ||
            (w->agprs && !w->agpr))
            return lw_error_fail(error, LW_E_ARGUMENT,
                                 "wave %zu: at most %u vector and 256 accumulation registers, "
                                 "with memory for them",
                                 i, traits->vgprs ? traits->vgprs : 256u);
        if (w->vgprs != given->waves[0].vgprs || w->agprs != given->waves[0].agprs)
            return lw_error_fail(error, LW_E_ARGUMENT, "wave %zu has other numbers of registers than wave 0",
                                 i);
    }
    m->vgprs = m->vgpr_limit = given->waves[0].vgprs;
    m->agprs = given->waves[0].agprs;
    m->named_barriers = traits->named_barriers;
    for (int d = 0; d < 3; d++) {
        s->block[d] = s->items[d] = d ? 1 : (uint32_t)(given->count * s->lanes);
        s->groups[d] = 1;
    }
    s->most_waves = (uint32_t)given->count;
    s->lds_size = given->lds_size;
    s->scratch_size = given->scratch;
    s->entry = s->kernel_base = s->module->base;
    return LW_OK;
}
