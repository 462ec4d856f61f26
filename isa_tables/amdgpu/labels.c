/* SPDX-License-Identifier: MIT */
#include "isa_tables/amdgpu/labels.h"

#include "isa_tables/amdgpu/traits.h"

enum source {
    NO_SOURCE,
#define SOURCE(id, label, text) id,
#define LINE(target, source, op)
#include "isa_tables/amdgpu/labels.inc"
#undef SOURCE
#undef LINE
    SOURCES,
};

static const lw_op_support sources[SOURCES] = {
#define SOURCE(id, label_, text) [id] = { LW_LABEL_##label_, text },
#define LINE(target, source, op)
#include "isa_tables/amdgpu/labels.inc"
#undef SOURCE
#undef LINE
};

static const uint8_t lines[LW_OP_COUNT][LW_AMD_ARCHS] = {
#define SOURCE(id, label, text)
#define LINE(target, source, op) [LW_OP_##op][LW_ARCH_##target - LW_ARCH_GFX908] = source,
#include "isa_tables/amdgpu/labels.inc"
#undef SOURCE
#undef LINE
};

lw_op_support lw_op_supported(lw_arch arch, const lw_op_row *row)
{
    if (row->evidence == LW_EV_NONE)
        return (lw_op_support){ LW_LABEL_UNKNOWN, "" };
    const unsigned source = lines[row - lw_op_rows][arch - LW_ARCH_GFX908];
    if (source)
        return sources[source];
    const lw_label label = (lw_label)(row->evidence - LW_EV_EXACT);
    const bool given = label == LW_LABEL_EXACT || lw_amdgpu_traits_of(arch)->labelled;
    return (lw_op_support){ given || label > LW_LABEL_INFERRED ? label : LW_LABEL_INFERRED, "" };
}
