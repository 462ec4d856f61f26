/* SPDX-License-Identifier: MIT */
/*
 * Hot records: the part of a decoded instruction that the loop over instructions uses, one cache line each;
 * and the fast forms of handlers, compiled once per instruction set of the host.
 *
 * A fast form computes what the general handler (lw_decoded.exec) computes, bit for bit, for the operands,
 * modifiers and MODE that it was made for. An instruction gets its form once, when it is decoded. If
 * execution meets something that the form does not cover (MODE, a NaN in a row, an address outside), it calls
 * the general handler; a form stores nothing before that is decided, so that the general handler can start
 * again. An instruction that no form takes has the general handler in the same pointer. Where an
 * observer asks for the accesses of an instruction, its general handler runs: forms do not report them.
 */
#ifndef LW_EMU_AMDGPU_FAST_HOT_H
#define LW_EMU_AMDGPU_FAST_HOT_H

#include "emu/amdgpu/decode/decoded.h"
#include "emu/fast/panel.h"

struct lw_hot;

typedef lw_step (*lw_hot_fn)(struct lw_wave *wave, const struct lw_hot *hot);

/* Where a source's lanes come from. */
typedef enum lw_hot_from {
    LW_FROM_VGPR,  /* at: the first word of the row, as an index into wave->vgpr */
    LW_FROM_AGPR,  /* the same for wave->agpr */
    LW_FROM_SGPR,  /* at: the register; the same value in all lanes */
    LW_FROM_VALUE, /* at: the value */
} lw_hot_from;

enum { LW_HOT_SOURCES = 3 };

typedef struct lw_hot {
    lw_hot_fn fn;
    const lw_decoded *in; /* the whole instruction */
    uint32_t at[LW_HOT_SOURCES];
    uint32_t dst;                 /* the first word of the result's row */
    uint8_t from[LW_HOT_SOURCES]; /* lw_hot_from */
    uint8_t to;                   /* LW_FROM_VGPR or LW_FROM_AGPR; LW_FROM_SGPR: a lane mask, at dst */
    uint8_t bytes;                /* size of the instruction */
    uint8_t neg, abs;             /* bit i: of source i */
    uint8_t parts;                /* number of data or result registers, where a form serves several */
    int32_t offset;               /* memory: in bytes */
    uint32_t extra;   /* free for the form; DPP: lanes of 16 with a source; from bit 16, those written */
    const void *more; /* VOPD: the halves (dual.h) */
    uint64_t lanes;   /* DPP: the source of lane n of 16, at bit 4n; scalar forms: a constant */
} lw_hot;

_Static_assert(sizeof(void *) > 4 || sizeof(lw_hot) <= 64, "a hot record is one cache line");
_Static_assert(sizeof(lw_hot) <= 64, "a hot record is one cache line");

/* The function of a form reports its memory accesses to observers, as the handler does. */
enum { LW_HOT_NOTES = 1 << 30 };

/*
 * One row of an instruction set's table. `take` decides whether the form is suitable for an instruction with
 * these semantics, completes *hot (whose operands are already set) and returns the function to use, or NULL.
 * Several rows may have the same semantics; the first that takes the instruction is used.
 */
typedef struct lw_hot_form {
    lw_exec_fn general; /* lw_sem_...: the handler that it replaces */
    lw_hot_fn (*take)(const struct lw_hot_form *form, const lw_decoded *in, lw_hot *hot);
    lw_hot_fn fn[4]; /* what `take` chooses from */
    int32_t kind;    /* a parameter for `take` or the function: a predicate, a format, LW_HOT_NOTES */
} lw_hot_form;

typedef struct lw_hot_forms {
    const lw_hot_form *forms;
    size_t count;
} lw_hot_forms;

/* The groups of forms of the vector unit, each compiled for every instruction set (group_NAME.h). */
#define LW_HOT_GROUPS(X, isa)                                                                                \
    X(isa, ints)                                                                                             \
    X(isa, masks)                                                                                            \
    X(isa, floats) X(isa, halves) X(isa, models) X(isa, ints16) X(isa, mixed) X(isa, lds) X(isa, global)
#define LW_HOT_EXTERN(isa, name) extern const lw_hot_forms lw_hot_##isa##_##name;
/* clang-format off */
LW_HOT_GROUPS(LW_HOT_EXTERN, portable)
LW_HOT_GROUPS(LW_HOT_EXTERN, avx2)
LW_HOT_GROUPS(LW_HOT_EXTERN, avx512)
/* clang-format on */
#undef LW_HOT_EXTERN

/* Group n of an instruction set; NULL: there are no more, or this compiler has none for it. */
const lw_hot_forms *lw_hot_group(lw_fast_isa isa, size_t n);

/* The forms of the scalar unit. */
extern const lw_hot_forms lw_hot_scalar;

/* Fills in *hot for an instruction whose general handler is known (in->exec). True if the function reports
 * memory accesses to observers. */
bool lw_hot_prepare(lw_fast_isa isa, const lw_decoded *in, lw_hot *hot);

/* Calls the general handler with the signature of a form. */
lw_step lw_hot_general(struct lw_wave *wave, const lw_hot *hot);

#endif
