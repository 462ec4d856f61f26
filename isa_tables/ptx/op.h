/* SPDX-License-Identifier: MIT */
/*
 * PTX instructions other than matrix instructions: one row per meaning.
 *
 * Rows are in ops.inc, whose first comment names the columns. An instruction is a mnemonic, a set of words in
 * any order and its types in order: ptxas takes `ld.v4.global.f32` as `ld.global.v4.f32`. A row names the
 * groups of words that the instruction needs and those that it takes, the types it may have, and its
 * operands.
 */
#ifndef LW_ISA_PTX_OP_H
#define LW_ISA_PTX_OP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lanewise/label.h>

#include "isa_tables/formats.h"

typedef enum lw_ptx_type {
    LW_PTX_TYPE_NONE,
#define TYPE(id, word, format, count, class) LW_PTX_TYPE_##id,
#include "isa_tables/ptx/scalar_types.inc"
#undef TYPE
    LW_PTX_TYPE_COUNT,
} lw_ptx_type;

typedef enum lw_ptx_type_class {
    LW_PTX_CLASS_PRED,
    LW_PTX_CLASS_BITS,
    LW_PTX_CLASS_UNSIGNED,
    LW_PTX_CLASS_SIGNED,
    LW_PTX_CLASS_FLOAT,
    LW_PTX_CLASS_PACKED,
} lw_ptx_type_class;

typedef struct lw_ptx_type_info {
    const char *word; /* "f32" */
    uint8_t bits;
    uint8_t kind;   /* lw_ptx_type_class */
    uint8_t format; /* lw_format_id of each of `count` numbers */
    uint8_t count;
} lw_ptx_type_info;

/* Indexed by lw_ptx_type. */
extern const lw_ptx_type_info lw_ptx_types[LW_PTX_TYPE_COUNT];

/* LW_PTX_TYPE_NONE if no type has that name. */
lw_ptx_type lw_ptx_type_find(const char *word, size_t size);

typedef enum lw_ptx_group {
    LW_PTX_GROUP_ROUND,
    LW_PTX_GROUP_ROUND_INT,
    LW_PTX_GROUP_FTZ,
    LW_PTX_GROUP_SAT,
    LW_PTX_GROUP_NAN,
    LW_PTX_GROUP_ABS,
    LW_PTX_GROUP_XORSIGN,
    LW_PTX_GROUP_HALF,
    LW_PTX_GROUP_WIDE,
    LW_PTX_GROUP_COMPARE,
    LW_PTX_GROUP_COMPARE_UNSIGNED,
    LW_PTX_GROUP_COMPARE_FLOAT,
    LW_PTX_GROUP_BOOLEAN,
    LW_PTX_GROUP_SPACE,
    LW_PTX_GROUP_TO,
    LW_PTX_GROUP_VECTOR,
    LW_PTX_GROUP_ORDER,
    LW_PTX_GROUP_SCOPE,
    LW_PTX_GROUP_LEVEL,
    LW_PTX_GROUP_NC,
    LW_PTX_GROUP_CACHE,
    LW_PTX_GROUP_EVICT,
    LW_PTX_GROUP_PREFETCH,
    LW_PTX_GROUP_UNI,
    LW_PTX_GROUP_SYNC,
    LW_PTX_GROUP_SHIFTAMT,
    LW_PTX_GROUP_ROUND_AWAY,
    LW_PTX_GROUP_RELU,
    LW_PTX_GROUP_SATFINITE,
    LW_PTX_GROUP_APPROX,
    LW_PTX_GROUP_FULL,
    LW_PTX_GROUP_CARRY,
    LW_PTX_GROUP_CLAMP,
    LW_PTX_GROUP_SIDE,
    LW_PTX_GROUP_PERMUTE,
    LW_PTX_GROUP_TEST,
    LW_PTX_GROUP_ATOM_BITS,
    LW_PTX_GROUP_ATOM_ADD,
    LW_PTX_GROUP_ATOM_WRAP,
    LW_PTX_GROUP_ATOM_SELECT,
    LW_PTX_GROUP_EXCHANGE,
    LW_PTX_GROUP_CAS,
    LW_PTX_GROUP_NOFTZ,
    LW_PTX_GROUP_SHUFFLE,
    LW_PTX_GROUP_VOTE,
    LW_PTX_GROUP_BALLOT,
    LW_PTX_GROUP_ANY,
    LW_PTX_GROUP_ALL,
    LW_PTX_GROUP_ALIGNED,
    LW_PTX_GROUP_ARRIVE,
    LW_PTX_GROUP_REDUCE,
    LW_PTX_GROUP_POPC,
    LW_PTX_GROUP_WARP,
    LW_PTX_GROUP_SEMANTICS,
    LW_PTX_GROUP_FENCE,
    LW_PTX_GROUP_COPY,
    LW_PTX_GROUP_COPY_CACHE,
    LW_PTX_GROUP_COMMIT,
    LW_PTX_GROUP_WAIT,
    LW_PTX_GROUP_WAIT_ALL,
    LW_PTX_GROUP_TARGET_LEVEL,
    LW_PTX_GROUP_IDX,
    LW_PTX_GROUP_SECOND_SPACE,
    LW_PTX_GROUP_ROUND_RANDOM,
    LW_PTX_GROUP_PACK,
    LW_PTX_GROUP_MMIO,
    LW_PTX_GROUP_HINT,
    LW_PTX_GROUP_EVICT_L2,
    LW_PTX_GROUP_SECOND_EVICT_L2,
    LW_PTX_GROUP_POLICY,
    LW_PTX_GROUP_TENSORMAP,
    LW_PTX_GROUP_MASK,
    LW_PTX_GROUP_INIT,
    LW_PTX_GROUP_INVAL,
    LW_PTX_GROUP_DROP,
    LW_PTX_GROUP_NOCOMPLETE,
    LW_PTX_GROUP_EXPECT,
    LW_PTX_GROUP_COMPLETE,
    LW_PTX_GROUP_TEST_WAIT,
    LW_PTX_GROUP_PARITY,
    LW_PTX_GROUP_PENDING,
    LW_PTX_GROUP_BULK,
    LW_PTX_GROUP_BY_MBARRIER,
    LW_PTX_GROUP_BY_GROUP,
    LW_PTX_GROUP_MULTICAST,
    LW_PTX_GROUP_READ,
    LW_PTX_GROUP_MBARRIER,
    LW_PTX_GROUP_NOINC,
    LW_PTX_GROUP_CLUSTER,
    LW_PTX_GROUP_JOIN,
    LW_PTX_GROUP_PROXY,
    LW_PTX_GROUP_PROXY_KIND,
    LW_PTX_GROUP_RESTRICT,
    LW_PTX_GROUP_TENSOR,
    LW_PTX_GROUP_DIM,
    LW_PTX_GROUP_TILE,
    LW_PTX_GROUP_GATHER,
    LW_PTX_GROUP_SCATTER,
    LW_PTX_GROUP_CTA_GROUP,
    LW_PTX_GROUP_CP_MASK,
    LW_PTX_GROUP_IM2COL,
    LW_PTX_GROUP_IM2COL_WIDE,
    LW_PTX_GROUP_IM2COL_OUT,
    LW_PTX_GROUP_BULK_PREFETCH,
    LW_PTX_GROUP_MAP_REPLACE,
    LW_PTX_GROUP_MAP_COPY,
    LW_PTX_GROUP_MAP_BITS,
    LW_PTX_GROUP_MAP_FIELD,
    LW_PTX_GROUP_MAP_FIELD_OF,
} lw_ptx_group;

/* A set of groups: 1 << lw_ptx_group of each. */
__extension__ typedef unsigned __int128 lw_ptx_group_set;
#define LW_PTX_GROUP_BIT(group) ((lw_ptx_group_set)1 << (group))

typedef enum lw_ptx_word_id {
    LW_PTX_WORD_NONE,
#define WORD(id, text, groups) LW_PTX_WORD_##id,
#include "isa_tables/ptx/words.inc"
#undef WORD
    LW_PTX_WORD_COUNT,
} lw_ptx_word_id;

/* The parsed words after a mnemonic. */
enum { LW_PTX_MOST_WORDS = 12, LW_PTX_MOST_TYPES = 3 };

typedef struct lw_ptx_opcode {
    uint8_t words[LW_PTX_MOST_WORDS]; /* lw_ptx_word_id, as written */
    uint8_t types[LW_PTX_MOST_TYPES]; /* lw_ptx_type */
    uint8_t word_count, type_count;
    bool unknown; /* a word is in no table, or there are too many words */
} lw_ptx_opcode;

/*
 * Operands of a row, one letter each. `?` follows those that may be missing; if some are, the
 * earlier optional ones are there.
 *   d a   result and source of the first type; D A: their registers may be wider than the type
 *   b c   source of the second type, or of u32 whatever the types
 *   B     as b, its register may be wider
 *   w x   result and source twice as wide as the first type
 *   e     result of 32 bits
 *   p q   predicate source, which may be negated; result: a predicate, or two as p|q
 *   Q E   result of the first type or of 32 bits, with an optional predicate: d|p
 *   V v   result and source of the first type, vectors in braces where .v2 or .v4 says so
 *   m     a place in memory
 *   l t   a label; the name of a list of labels
 *   o     result: one predicate
 *   z u   a second place in memory; source of u32, or a predicate
 *   W     four sources of the second type in braces
 *   y     source of the third type, which is b32
 *   T     a tensor's map and coordinates: [map, {x, y}]; with .tile::gather4 and scatter4 [map, {x, y0, y1,
 *         y2, y3}]
 *   O     offsets of im2col in braces, two less than dimensions; of im2col::w the halo and one offset
 *   j g   a third place in memory; a mask of 16 bits
 *   f     source of f32 whatever the types
 *   S     an address in a register of 32 or 64 bits, or a variable's
 *   h     a cache policy, 64 bits, where .L2::cache_hint requires one: it changes no value
 *   k n   call: operands of its own; matrix instructions: fragments
 *   N     what mov writes: a register, or a vector in braces
 *   M     what mov reads: these, a constant, a special register or an address
 *   s     an address: a register or constant of the type's width
 */
typedef struct lw_ptx_op {
    const char *mnemonic;
    const char *operands;
    const char *semantics;         /* the function that runs it; "none": only its operands are known */
    lw_ptx_group_set needs, takes; /* exactly one word of each group; at most one word of each */
    uint64_t types[2];             /* 1 << lw_ptx_type: allowed as first and second; 0: none is */
    uint16_t id;                   /* lw_ptx_op_id */
    uint8_t evidence;              /* lw_label: how well the rule is supported */
} lw_ptx_op;

typedef enum lw_ptx_op_id {
#define OP(id, ...) LW_PTX_OP_##id,
#include "isa_tables/ptx/ops.inc"
#undef OP
    LW_PTX_OP_COUNT,
} lw_ptx_op_id;

/* Indexed by lw_ptx_op_id; rows of one mnemonic are adjacent. */
extern const lw_ptx_op lw_ptx_ops[LW_PTX_OP_COUNT];

/* Adds one word, without its dot: a type or a modifier. */
void lw_ptx_opcode_add(lw_ptx_opcode *opcode, const char *word, size_t size);

/* The row of an instruction; NULL if there is none. */
const lw_ptx_op *lw_ptx_op_find(const char *mnemonic, size_t size, const lw_ptx_opcode *opcode);

/* The groups that its words may belong to. */
lw_ptx_group_set lw_ptx_opcode_groups(const lw_ptx_opcode *opcode);

/*
 * The letters of a row for an instruction with `count` operands, one letter each, ended by a zero. False
 * where operands are missing or left over: `letters` then holds those of the longest or the shortest form.
 */
enum { LW_PTX_MOST_OPERANDS = 12 };
bool lw_ptx_op_letters(const lw_ptx_op *op, const lw_ptx_opcode *opcode, uint32_t count,
                       char letters[LW_PTX_MOST_OPERANDS + 1]);

/* The only target that has the row's instructions; NULL: those that have its words. */
const char *lw_ptx_op_target(const lw_ptx_op *op);

/* Is there a function that runs it? False for NULL. */
bool lw_ptx_op_runs(const lw_ptx_op *op);

/* The instruction's word of a group; LW_PTX_WORD_NONE where it has none. */
lw_ptx_word_id lw_ptx_opcode_word(const lw_ptx_opcode *opcode, lw_ptx_group group);

/* Functions that the device provides. */
typedef enum lw_ptx_host {
    LW_PTX_HOST_NONE,
#define HOST(id, name, params) LW_PTX_HOST_##id,
#include "isa_tables/ptx/host_functions.inc"
#undef HOST
    LW_PTX_HOST_COUNT,
} lw_ptx_host;

/* LW_PTX_HOST_NONE if no function has that name and as many parameters. */
lw_ptx_host lw_ptx_host_find(const char *name, uint32_t params);

typedef enum lw_ptx_special {
#define SPECIAL(id, name, bits, components, last, known) LW_PTX_SPECIAL_##id,
#include "isa_tables/ptx/special_registers.inc"
#undef SPECIAL
    LW_PTX_SPECIAL_COUNT,
} lw_ptx_special;

typedef struct lw_ptx_special_info {
    const char *name; /* "%tid"; without the number of a member */
    uint8_t bits;     /* 1: a predicate */
    uint8_t components;
    uint8_t last;   /* number of the last member; 0: it has no members */
    uint32_t known; /* 1 << n: member n, or 0 without members, can be read */
} lw_ptx_special_info;

/* Indexed by lw_ptx_special. */
extern const lw_ptx_special_info lw_ptx_specials[LW_PTX_SPECIAL_COUNT];

/* False if there is no register of that name. `member`: 5 for "%envreg5", otherwise 0. */
bool lw_ptx_special_find(const char *name, size_t size, lw_ptx_special *special, unsigned *member);

#endif
