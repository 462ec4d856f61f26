/* SPDX-License-Identifier: MIT */
/*
 * Hot records: what the loop over instructions touches of a decoded instruction, one cache line each, and the
 * fast forms of handlers, compiled once per instruction set of the host.
 *
 * A fast form computes what the general handler (lw_decoded.exec) computes, bit for bit, for the operands,
 * modifiers and MODE that it was made for. Which form an instruction gets is decided once, when it is
 * decoded; what only the execution knows (MODE, a NaN in a row, an address outside) sends it to the general
 * handler: a form stores nothing before it is sure, so that the general one can start again. An instruction
 * that no form takes has the general handler in the same pointer. Launches with observers use general
 * handlers only.
 */
#ifndef LW_EMU_AMDGPU_FAST_HOT_H
#define LW_EMU_AMDGPU_FAST_HOT_H

#include "emu/amdgpu/decode/decoded.h"
#include "emu/fast/panel.h"

struct lw_hot;

typedef lw_step (*lw_hot_fn)(struct lw_wave *wave, const struct lw_hot *hot);

/* Where a source's lanes come from. */
typedef enum lw_hot_from {
    LW_FROM_VGPR,  /* at: the first word of the row, counted from wave->vgpr */
    LW_FROM_AGPR,  /* the same from wave->agpr */
    LW_FROM_SGPR,  /* at: the register; the same for all lanes */
    LW_FROM_VALUE, /* at: the value */
} lw_hot_from;

enum { LW_HOT_SOURCES = 3 };

typedef struct lw_hot {
    lw_hot_fn fn;
    const lw_decoded *in; /* the whole instruction */
    uint32_t at[LW_HOT_SOURCES];
    uint32_t dst;                 /* the first word of the result's row */
    uint8_t from[LW_HOT_SOURCES]; /* lw_hot_from */
    uint8_t to;                   /* LW_FROM_VGPR or LW_FROM_AGPR; LW_FROM_SGPR: at dst, a lane mask */
    uint8_t bytes;                /* of the instruction */
    uint8_t neg, abs;             /* bit i: of source i */
    uint8_t parts;  /* registers of the data or the result, where a form serves several counts */
    int32_t offset; /* memory: in bytes */
    uint32_t extra; /* what a form likes; DPP: lanes of 16 that have a source, from bit 16 on those written */
    void *more;     /* or has prepared; lives as long as the record */
    uint64_t lanes; /* DPP: the source of lane n of 16, at bit 4n; scalar forms: a constant */
} lw_hot;

_Static_assert(sizeof(void *) > 4 || sizeof(lw_hot) <= 64, "a hot record is one cache line");
_Static_assert(sizeof(lw_hot) <= 64, "a hot record is one cache line");

/*
 * One row of an instruction set's table. `take` decides whether the form fits an instruction of these
 * semantics and completes *hot (operands are there already): the function to use, or NULL. Several rows may
 * name one semantics; the first that takes it wins.
 */
typedef struct lw_hot_form {
    lw_exec_fn general; /* lw_sem_...: the handler that it stands for */
    lw_hot_fn (*take)(const struct lw_hot_form *form, const lw_decoded *in, lw_hot *hot);
    lw_hot_fn fn[4]; /* what `take` chooses from */
    int32_t kind;    /* what `take` or the function asks for: a predicate, a format */
} lw_hot_form;

typedef struct lw_hot_forms {
    const lw_hot_form *forms;
    size_t count;
} lw_hot_forms;

/* The groups of forms of the vector unit, each compiled for every instruction set (group_NAME.h). */
#define LW_HOT_GROUPS(X, isa)                                                                                \
    X(isa, ints)                                                                                             \
    X(isa, masks) X(isa, floats) X(isa, halves) X(isa, models) X(isa, ints16) X(isa, mixed)                 \
    X(isa, lds) X(isa, global)
#define LW_HOT_EXTERN(isa, name) extern const lw_hot_forms lw_hot_##isa##_##name;
/* clang-format off */
LW_HOT_GROUPS(LW_HOT_EXTERN, portable)
LW_HOT_GROUPS(LW_HOT_EXTERN, avx2)
LW_HOT_GROUPS(LW_HOT_EXTERN, avx512)
/* clang-format on */
#undef LW_HOT_EXTERN

/* Group n of an instruction set; NULL: there are no more, or this compiler has none for it. */
const lw_hot_forms *lw_hot_group(lw_fast_isa isa, size_t n);

/* Those of the scalar unit. */
extern const lw_hot_forms lw_hot_scalar;

/* Fills *hot for an instruction whose general handler is known (in->exec). */
void lw_hot_prepare(lw_fast_isa isa, const lw_decoded *in, lw_hot *hot);

/* The general handler in a form's clothes. */
lw_step lw_hot_general(struct lw_wave *wave, const lw_hot *hot);

#endif
