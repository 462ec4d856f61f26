/* SPDX-License-Identifier: MIT */
#include "isa_tables/amdgpu/encodings.h"

#define F(name_, low_, count_) .field[LW_FIELD_##name_] = { low_, count_ },
#define ROW(enc_, mask_, value_, words_, ...)                                                                \
    { .enc = LW_ENC_##enc_, .mask = mask_, .value = value_, .words = words_, __VA_ARGS__ },
#define CODES(first_, last_, reg_) { first_, last_, reg_ },
#define NONE(...)

#define RDNA NONE
#define GFX11 NONE
#define GFX12 NONE
#define GFX120 NONE
#define GFX125 NONE
#define PRE125 NONE
#define ALL ROW
#define GFX9 ROW
#define GFX908 ROW
#define GFX90A NONE
static const lw_encoding rows_gfx908[] = {
#include "isa_tables/amdgpu/encodings.inc"
};
#undef GFX908
#undef GFX90A
#define GFX908 NONE
#define GFX90A ROW
static const lw_encoding rows_gfx9[] = {
#include "isa_tables/amdgpu/encodings.inc"
};
#undef ALL
#undef GFX9
#define ALL CODES
#define GFX9 CODES
static const lw_scalar_codes codes_gfx9[] = {
#include "isa_tables/amdgpu/scalar_codes.inc"
};
#undef ALL
#undef GFX9
#undef GFX90A
#undef GFX11
#undef RDNA

#define GFX9 NONE
#define GFX90A NONE
#define ALL ROW
#define RDNA ROW
#undef PRE125
#define PRE125 ROW
#define GFX11 ROW
static const lw_encoding rows_gfx11[] = {
#include "isa_tables/amdgpu/encodings.inc"
};
#undef GFX11
#undef GFX12
#undef GFX120
#define GFX11 NONE
#define GFX12 ROW
#define GFX120 ROW
static const lw_encoding rows_gfx12[] = {
#include "isa_tables/amdgpu/encodings.inc"
};
#undef GFX120
#undef GFX125
#undef PRE125
#define GFX120 NONE
#define GFX125 ROW
#define PRE125 NONE
static const lw_encoding rows_gfx1250[] = {
#include "isa_tables/amdgpu/encodings.inc"
};
#undef ALL
#undef RDNA
#define ALL CODES
#define RDNA CODES
static const lw_scalar_codes codes_rdna[] = {
#include "isa_tables/amdgpu/scalar_codes.inc"
};

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))
const lw_encodings lw_encodings_gfx908 = { rows_gfx908, COUNT(rows_gfx908), codes_gfx9, COUNT(codes_gfx9) };
const lw_encodings lw_encodings_gfx9 = { rows_gfx9, COUNT(rows_gfx9), codes_gfx9, COUNT(codes_gfx9) };
const lw_encodings lw_encodings_gfx11 = { rows_gfx11, COUNT(rows_gfx11), codes_rdna, COUNT(codes_rdna) };
const lw_encodings lw_encodings_gfx12 = { rows_gfx12, COUNT(rows_gfx12), codes_rdna, COUNT(codes_rdna) };
const lw_encodings lw_encodings_gfx1250 = { rows_gfx1250, COUNT(rows_gfx1250), codes_rdna,
                                            COUNT(codes_rdna) };

const lw_encoding *lw_encoding_match(const lw_encodings *e, uint32_t word)
{
    for (size_t i = 0; i < e->count; i++)
        if ((word & e->rows[i].mask) == e->rows[i].value)
            return &e->rows[i];
    return NULL;
}

const lw_encoding *lw_encoding_of(const lw_encodings *e, unsigned enc)
{
    for (size_t i = 0; i < e->count; i++)
        if (e->rows[i].enc == enc)
            return &e->rows[i];
    return NULL;
}

int lw_scalar_register(const lw_encodings *e, unsigned code)
{
    for (size_t i = 0; i < e->code_count; i++)
        if (code >= e->codes[i].first && code <= e->codes[i].last)
            return e->codes[i].reg + (int)(code - e->codes[i].first);
    return -1;
}
