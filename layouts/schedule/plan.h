/* SPDX-License-Identifier: MIT */
/* A schedule under construction, for the steps that derive it. */
#ifndef LW_LAYOUTS_SCHEDULE_PLAN_H
#define LW_LAYOUTS_SCHEDULE_PLAN_H

#include <lanewise/tiling.h>

enum { LW_PLAN_M, LW_PLAN_N, LW_PLAN_K };
enum { LW_PLAN_SMALL, LW_PLAN_MEDIUM, LW_PLAN_LARGE, LW_PLAN_VERY_LARGE };

typedef struct lw_intrinsic {
    lw_arch arch;
    const char *name;
    uint32_t size[3];
    const char *a, *b, *c;
    uint32_t unroll; /* of VDMFMA, for up to 8 rows: instructions along K per step; 0: any other */
} lw_intrinsic;

typedef struct lw_plan_chip {
    const char *name;
    lw_arch arch;
    uint32_t units;                        /* compute units, or pairs of them */
    double terabytes, f16, f32, fp8, int8; /* per second; T operations per second, 0: not stated */
} lw_plan_chip;

/* Which seeds a target uses; gfx1100 uses CDNA's. */
enum { LW_PLAN_CDNA, LW_PLAN_RDNA4 };

typedef struct lw_plan_target {
    lw_arch arch;
    uint32_t wave, vgpr_bits; /* bits of a lane's registers, as IREE counts them */
    unsigned seeds;
    bool few_known;    /* products of up to 8 rows were compared with the compiler */
    bool large_known;  /* large products were compared with the compiler */
    uint32_t k_groups; /* of lanes that A and B are divided over along k; in the others are copies */
    uint32_t row_step; /* rows of C from a lane's value to its next */
} lw_plan_target;

/* The starting values of a size class. */
typedef struct lw_plan_seeds {
    uint32_t subgroups, tiles, k_tiles, k_bits;
} lw_plan_seeds;

typedef struct lw_plan {
    const lw_tiling_problem *p;
    const lw_plan_target *t;
    const lw_plan_chip *chip;
    uint32_t size[3]; /* of the product, after padding */
    unsigned bits;    /* of an element of A and B */
    unsigned class;
    bool unaligned; /* M, N or K is not a multiple of the instruction's */
    lw_plan_seeds seeds;
    lw_tiling *s;
    size_t used; /* of s->steps */
    lw_error *error;
} lw_plan;

/* Appends text to the steps. */
void lw_plan_say(lw_plan *p, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;

static inline uint32_t lw_plan_ceil_div(uint64_t a, uint64_t b)
{
    return (uint32_t)((a + b - 1) / b);
}

/* Looks up target and chip and checks the problem; sets everything derived from them. */
lw_status lw_plan_open(lw_plan *p);

/* Whether the tiles and subgroups of p->s are in the range that is taken. LW_E_ARGUMENT. */
lw_status lw_plan_check_counts(lw_plan *p);

/* lw_tiling_check for NVIDIA's GPUs. */
lw_status lw_plan_check_block(lw_plan *p);

/* Bits of an element; 0 for an unknown type. */
unsigned lw_plan_bits(const char *type);

/* The deepest instruction of the target that takes these types and is 16 x 16, of equals the first; NULL
 * where there is none. */
const lw_intrinsic *lw_plan_deepest(const lw_plan *p);

/* Chooses the instruction that IREE prefers among those that fit. LW_E_UNSUPPORTED if none does. */
lw_status lw_plan_choose(lw_plan *p, const lw_intrinsic **chosen);

/* Chooses the instruction of that name that takes these types, whatever the sizes. LW_E_NOT_FOUND,
 * LW_E_UNSUPPORTED. */
lw_status lw_plan_find(const lw_plan *p, const char *name, const lw_intrinsic **found);

#endif
