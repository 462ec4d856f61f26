/* SPDX-License-Identifier: MIT */
/* Rules: LLVM AMDGPUUsage, "Kernel Descriptor" and "Initial Kernel Execution State". */
#include "emu/amdgpu/control/setup.h"

#include "isa_tables/error.h"
#include "loaders/kernarg.h"

enum { MAX_WORKGROUP = 1024, MAX_SCRATCH = 1 << 24, DYNAMIC_STACK = 64 * 1024 };

/* A limit of this implementation: their number, and memory for their order, fit 64 bits. */
static const uint64_t MAX_GROUPS = UINT64_C(1) << 40;

static uint32_t bits(uint32_t word, unsigned low, unsigned count)
{
    return word >> low & ((UINT32_C(1) << count) - 1);
}

/* Zeros after the first component count as 1. */
static void complete(const uint32_t given[3], uint32_t out[3])
{
    for (int d = 0; d < 3; d++)
        out[d] = given[d] || d == 0 ? given[d] : 1;
}

static lw_status check_block(const lw_machine *m, const lw_kernel_info *info, lw_error *error)
{
    const uint64_t items = (uint64_t)m->block[0] * m->block[1] * m->block[2];
    const uint32_t most = info->max_workgroup_size ? info->max_workgroup_size : MAX_WORKGROUP;
    if (m->block[0] > MAX_WORKGROUP || m->block[1] > MAX_WORKGROUP || m->block[2] > MAX_WORKGROUP ||
        items == 0 || items > most)
        return lw_error_fail(error, LW_E_ARGUMENT,
                             "kernel %s takes workgroups of 1 to %u work-items, not %u x %u x %u", info->name,
                             most, m->block[0], m->block[1], m->block[2]);
    for (int d = 0; d < 3; d++)
        if (info->required_workgroup[d] && info->required_workgroup[d] != m->block[d])
            return lw_error_fail(error, LW_E_ARGUMENT,
                                 "kernel %s was compiled for workgroups of %u x %u x %u only", info->name,
                                 info->required_workgroup[0], info->required_workgroup[1],
                                 info->required_workgroup[2]);
    return LW_OK;
}

static lw_status set_grid(lw_machine *m, const lw_launch_options *o, const lw_kernel_info *info,
                          lw_error *error)
{
    complete(o->block, m->block);
    const lw_status status = check_block(m, info, error);
    if (status != LW_OK)
        return status;
    const bool by_items = o->items[0] || o->items[1] || o->items[2];
    const bool by_groups = o->grid[0] || o->grid[1] || o->grid[2];
    if (by_items == by_groups)
        return lw_error_fail(
            error, LW_E_ARGUMENT,
            "a launch has a size either in workgroups or in work-items, not both and not none");
    uint32_t given[3];
    complete(by_items ? o->items : o->grid, given);
    for (int d = 0; d < 3; d++) {
        const uint64_t items = by_items ? given[d] : (uint64_t)given[d] * m->block[d];
        if (items == 0 || items > UINT32_MAX)
            return lw_error_fail(error, LW_E_ARGUMENT,
                                 "dimension %d of the launch has %llu work-items, not 1 to 2^32-1", d,
                                 (unsigned long long)items);
        if (info->uniform_workgroup && items % m->block[d])
            return lw_error_fail(error, LW_E_ARGUMENT,
                                 "kernel %s was compiled for whole workgroups: %llu work-items are "
                                 "no multiple of %u",
                                 info->name, (unsigned long long)items, m->block[d]);
        m->items[d] = (uint32_t)items;
        m->groups[d] = (uint32_t)((items + m->block[d] - 1) / m->block[d]);
    }
    if ((uint64_t)m->groups[0] * m->groups[1] > MAX_GROUPS / m->groups[2])
        return lw_error_fail(error, LW_E_ARGUMENT,
                             "a launch of %u x %u x %u workgroups; at most 2^40 are run", m->groups[0],
                             m->groups[1], m->groups[2]);
    return LW_OK;
}

/* LDS is handed out in granules: 512 bytes, 1280 on gfx950, which has 160 KiB (LLVM AMDGPUUsage, AMD CDNA4
 * ISA). */
static lw_status set_lds(lw_machine *m, const lw_launch_options *o, const lw_kernel *kernel, lw_error *error)
{
    const bool large = m->arch == LW_ARCH_GFX950;
    const uint32_t granule = large ? 1280 : 512, limit = (large ? 160 : 64) * 1024;
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
                             "kernel %s wants %llu bytes of LDS; a workgroup of %s has %u", kernel->info.name,
                             (unsigned long long)wanted, lw_arch_get(m->arch)->name, limit);
    m->lds_size = ((uint32_t)wanted + granule - 1) / granule * granule;
    return LW_OK;
}

static lw_status set_scratch(lw_machine *m, const lw_launch_options *o, const lw_kernel *kernel,
                             lw_error *error)
{
    uint64_t wanted = kernel->desc.private_segment_size;
    if (kernel->info.dynamic_stack)
        wanted += DYNAMIC_STACK;
    if (o->scratch > wanted)
        wanted = o->scratch;
    if (wanted > MAX_SCRATCH)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "kernel %s wants %llu bytes of scratch per work-item; %d are supported",
                             kernel->info.name, (unsigned long long)wanted, MAX_SCRATCH);
    m->scratch_size = ((uint32_t)wanted + 3) & ~UINT32_C(3);
    return LW_OK;
}

static lw_status check_only(const lw_machine *m, const lw_launch_options *o, lw_error *error)
{
    if (o->only_count && !o->only)
        return lw_error_fail(error, LW_E_ARGUMENT, "%zu workgroups are to run, but `only` is NULL",
                             o->only_count);
    for (size_t i = 0; i < o->only_count; i++)
        for (int d = 0; d < 3; d++)
            if (o->only[i][d] >= m->groups[d])
                return lw_error_fail(
                    error, LW_E_ARGUMENT, "there is no workgroup (%u,%u,%u) in a grid of %u x %u x %u",
                    o->only[i][0], o->only[i][1], o->only[i][2], m->groups[0], m->groups[1], m->groups[2]);
    return LW_OK;
}

lw_status lw_setup_sizes(lw_machine *m, const lw_launch_options *o, const lw_kernel *kernel, lw_error *error)
{
    lw_status status = set_grid(m, o, &kernel->info, error);
    if (status == LW_OK)
        status = set_lds(m, o, kernel, error);
    if (status == LW_OK)
        status = set_scratch(m, o, kernel, error);
    if (status == LW_OK)
        status = check_only(m, o, error);
    return status;
}

/* MODE takes rounding and denormal fields as they are, DX10_CLAMP, IEEE and FP16_OVFL from their own bits. */
static uint32_t initial_mode(uint32_t rsrc1)
{
    uint32_t mode = bits(rsrc1, 12, 8);
    if (bits(rsrc1, 21, 1))
        mode |= LW_MODE_DX10_CLAMP;
    if (bits(rsrc1, 23, 1))
        mode |= LW_MODE_IEEE;
    if (bits(rsrc1, 26, 1))
        mode |= LW_MODE_FP16_OVFL;
    return mode;
}

lw_status lw_setup_registers(lw_machine *m, const lw_kernel *kernel, lw_error *error)
{
    const lw_kernel_desc *d = &kernel->desc;
    /*
     * One file of granules of 8; accumulation registers begin at accum_offset (gfx90a and later), which
     * bounds no VGPR: hand-written production kernels of gfx950 use VGPRs beyond it. That these are the
     * accumulation registers' storage is inferred from there being one file.
     */
    const unsigned total = (bits(d->rsrc1, 0, 6) + 1) * 8;
    const unsigned accum = (bits(d->rsrc3, 0, 6) + 1) * 4;
    m->vgprs = total < accum ? total : accum;
    m->agprs = total - m->vgprs;
    m->vgprs = m->vgprs > 256 ? 256 : m->vgprs;
    m->agprs = m->agprs > 256 ? 256 : m->agprs;
    m->vgpr_limit = total > 256 ? 256 : total;
    m->mode = initial_mode(d->rsrc1);
    if (bits(d->properties, 10, 1))
        return lw_error_fail(error, LW_E_FORMAT,
                             "kernel %s asks for waves of 32 lanes, which %s does not have",
                             kernel->info.name, lw_arch_get(m->arch)->name);
    m->user_sgpr_count = bits(d->rsrc2, 1, 5);
    if (m->user_sgpr_count > sizeof(m->user_sgprs) / sizeof(m->user_sgprs[0]))
        return lw_error_fail(error, LW_E_FORMAT, "kernel %s asks for %u user SGPRs; there are at most 16",
                             kernel->info.name, m->user_sgpr_count);
    for (unsigned i = 0; i < 3; i++)
        m->group_id_sgpr[i] = bits(d->rsrc2, 7 + i, 1);
    m->group_info_sgpr = bits(d->rsrc2, 10, 1);
    m->item_id_dims = bits(d->rsrc2, 11, 2) + 1;
    return LW_OK;
}

typedef struct sgpr_fill {
    lw_machine *m;
    unsigned at;
} sgpr_fill;

/* The next `count` user SGPRs, as far as there are any. */
static void fill(sgpr_fill *f, bool enabled, unsigned count, uint64_t value)
{
    for (unsigned i = 0; enabled && i < count; i++, f->at++)
        if (f->at < f->m->user_sgpr_count)
            f->m->user_sgprs[f->at] = i < 2 ? (uint32_t)(value >> (32 * i)) : 0;
}

void lw_setup_entry(lw_machine *m, const lw_kernel *kernel, const uint8_t *kernarg)
{
    const lw_kernel_desc *d = &kernel->desc;
    const uint32_t p = d->properties;
    for (unsigned i = 0; i < m->user_sgpr_count; i++)
        m->user_sgprs[i] = m->poison;
    sgpr_fill f = { m, 0 };
    fill(&f, bits(p, 0, 1), 4, 0); /* private segment buffer: scratch is architected here */
    fill(&f, bits(p, 1, 1), 2, LW_ADDRESS_PACKET);
    fill(&f, bits(p, 2, 1), 2, 0); /* queue */
    fill(&f, bits(p, 3, 1), 2, LW_ADDRESS_KERNARG);
    fill(&f, bits(p, 4, 1), 2, 0); /* dispatch id */
    fill(&f, bits(p, 5, 1), 2, 0); /* flat scratch init */
    fill(&f, bits(p, 6, 1), 1, m->scratch_size);

    m->kernel_base = LW_ADDRESS_CODE + d->entry;
    m->entry = m->kernel_base;
    for (unsigned i = 0; i < d->preload_length; i++) {
        const uint64_t at = 4 * ((uint64_t)d->preload_offset + i);
        uint32_t word = 0;
        if (at + 4 <= ((uint64_t)kernel->info.kernarg_size + 3) / 4 * 4)
            memcpy(&word, kernarg + at, 4);
        fill(&f, true, 1, word);
    }
    if (d->preload_length)
        m->entry += 256; /* the code before does the same with loads, for firmware that cannot */
}
