/* SPDX-License-Identifier: MIT */
/*
 * A PTX module as the machine that runs it sees it: flat arrays, with names resolved to numbers.
 *
 * Functions, variables, instructions and operands refer to each other by index. A frame of registers has rows
 * of 32 bits, with one column per lane: a 64-bit register takes two rows, a 128-bit one four, one of 16 bits
 * or fewer one. Predicates are counted separately.
 */
#ifndef LW_LOADERS_PTX_MODULE_H
#define LW_LOADERS_PTX_MODULE_H

#include "isa_tables/ptx/op.h"
#include "loaders/bytes.h"

/* Limits of this implementation, not of PTX. */
enum {
    LW_PTX_MOST_DEPTH = 64,      /* of nested blocks and parentheses */
    LW_PTX_MOST_LIST = 1024,     /* operands of one instruction, parameters of one function */
    LW_PTX_MOST_DIMENSIONS = 16, /* of an array */
    LW_PTX_MOST_TEXT = 1 << 28,  /* bytes of a file */
};

#define LW_PTX_NONE UINT32_MAX

typedef enum lw_ptx_space {
    LW_PTX_SPACE_GLOBAL,
    LW_PTX_SPACE_CONST,
    LW_PTX_SPACE_SHARED,
    LW_PTX_SPACE_LOCAL,
    LW_PTX_SPACE_PARAM,
    LW_PTX_SPACE_REG, /* parameters and results of functions only */
} lw_ptx_space;

typedef struct lw_ptx_span {
    uint32_t first, count;
} lw_ptx_span;

/* A place in an initialiser that holds an address. */
typedef struct lw_ptx_reference {
    uint64_t offset; /* byte offset in the variable */
    int64_t addend;
    uint32_t index; /* of the function or variable */
    uint8_t size;   /* bytes written */
    uint8_t shift;  /* the address is shifted right by so many bits first */
    bool is_function;
    bool generic; /* the generic address, not the address in the variable's own space */
} lw_ptx_reference;

typedef struct lw_ptx_variable {
    const char *name;
    uint64_t size;      /* bytes; 0 where `unsized` */
    uint64_t offset;    /* kernel parameters: offset in the parameter space */
    uint64_t data_size; /* bytes that the initialiser gives; the rest is zero */
    const uint8_t *data;
    const lw_ptx_reference *references; /* addresses in `data` */
    uint32_t reference_count;
    uint32_t align;
    uint32_t line, column;
    uint32_t function; /* the one that declares it in its body; LW_PTX_NONE: declared outside functions */
    uint32_t slot;     /* .reg parameters: the register */
    uint8_t space;     /* lw_ptx_space */
    uint8_t type;      /* lw_ptx_type of an element */
    uint8_t vector;    /* elements of .v2, .v4; else 1 */
    uint8_t points;    /* .ptr: 1, and 2 + lw_ptx_space where it names one */
    bool is_array, unsized;
    bool is_extern, is_visible, is_weak, is_common;
} lw_ptx_variable;

typedef enum lw_ptx_operand_kind {
    LW_PTX_OPERAND_SINK,      /* _ */
    LW_PTX_OPERAND_REGISTER,  /* index: its first row, or a predicate's number; value: an offset ([%r+4]) */
    LW_PTX_OPERAND_SPECIAL,   /* index: lw_ptx_special; count: the member; part: 0 to 3 for .x to .w */
    LW_PTX_OPERAND_INT,       /* value */
    LW_PTX_OPERAND_F32,       /* value: the bits */
    LW_PTX_OPERAND_F64,       /* value: the bits */
    LW_PTX_OPERAND_VARIABLE,  /* index, plus `value` bytes */
    LW_PTX_OPERAND_FUNCTION,  /* index */
    LW_PTX_OPERAND_LABEL,     /* index: of the instruction in the module */
    LW_PTX_OPERAND_VECTOR,    /* {a, b}: `count` operands from `index` on */
    LW_PTX_OPERAND_ADDRESS,   /* [a, b]: likewise */
    LW_PTX_OPERAND_LIST,      /* (a, b): likewise */
    LW_PTX_OPERAND_PAIR,      /* p|q: likewise */
    LW_PTX_OPERAND_TARGETS,   /* a .branchtargets list: labels, likewise; of .calltargets: functions */
    LW_PTX_OPERAND_PROTOTYPE, /* index: of the function that .callprototype describes */
} lw_ptx_operand_kind;

typedef struct lw_ptx_operand {
    uint8_t kind;
    uint8_t type; /* of a register: lw_ptx_type */
    uint8_t part;
    bool negated; /* !p */
    bool is_unsigned;
    uint32_t index, count;
    uint64_t value;
} lw_ptx_operand;

typedef struct lw_ptx_insn {
    const lw_ptx_op *op; /* NULL: no row describes it */
    lw_ptx_opcode opcode;
    uint32_t at, size;     /* of its text, with the guard, without the semicolon */
    uint32_t line, column; /* in the PTX text */
    uint32_t loc;          /* the last .loc before it; LW_PTX_NONE: there is none */
    lw_ptx_span operands;
    uint32_t guard; /* predicate register; LW_PTX_NONE: no guard */
    bool guard_negated;
    uint8_t mnemonic_size;
    uint32_t mnemonic; /* byte of the text */
} lw_ptx_insn;

typedef struct lw_ptx_register {
    uint32_t at, size; /* of its name in the text */
    uint32_t slot;     /* first row, or the number of a predicate */
    uint8_t type, vector;
} lw_ptx_register;

typedef struct lw_ptx_function {
    const char *name;
    lw_ptx_span results, params, variables; /* of the module's variables */
    lw_ptx_span insns;
    lw_ptx_span registers;
    uint32_t rows, predicates; /* of a frame */
    uint32_t param_size;       /* bytes; kernels */
    uint32_t shared_size;      /* bytes of static shared memory, including variables outside functions */
    uint32_t local_size;       /* bytes of a frame in local memory */
    uint32_t max_block[3], block[3], cluster[3]; /* .maxntid, .reqntid, .reqnctapercluster; 0: not stated */
    uint32_t line;
    uint32_t unknown; /* number of instructions that cannot run */
    bool is_entry, is_defined, is_extern, is_visible, is_weak, no_return;
} lw_ptx_function;

typedef struct lw_ptx_loc {
    uint32_t file; /* number that .file gives it */
    uint32_t line, column;
} lw_ptx_loc;

typedef struct lw_ptx_file {
    uint32_t number;
    const char *path;
} lw_ptx_file;

typedef struct lw_ptx_label {
    uint32_t at, size; /* its name in the text */
    uint32_t insn;     /* the instruction after the label */
} lw_ptx_label;

/* An array that grows. The member's name says what type `items` have. */
typedef struct lw_ptx_list {
    void *items;
    size_t count, room;
} lw_ptx_list;

typedef struct lw_ptx_module {
    lw_arena arena;
    char *text; /* the file */
    uint32_t text_size;
    unsigned isa;       /* 90 for .version 9.0 */
    const char *target; /* "sm_90a" */
    uint32_t target_line, target_column;
    lw_ptx_list functions, variables, insns, operands, registers, labels, locs, files;
} lw_ptx_module;

static inline lw_ptx_function *lw_ptx_function_at(const lw_ptx_module *m, size_t i)
{
    return (lw_ptx_function *)m->functions.items + i;
}

static inline lw_ptx_variable *lw_ptx_variable_at(const lw_ptx_module *m, size_t i)
{
    return (lw_ptx_variable *)m->variables.items + i;
}

static inline lw_ptx_insn *lw_ptx_insn_at(const lw_ptx_module *m, size_t i)
{
    return (lw_ptx_insn *)m->insns.items + i;
}

static inline lw_ptx_operand *lw_ptx_operand_at(const lw_ptx_module *m, size_t i)
{
    return (lw_ptx_operand *)m->operands.items + i;
}

static inline lw_ptx_register *lw_ptx_register_at(const lw_ptx_module *m, size_t i)
{
    return (lw_ptx_register *)m->registers.items + i;
}

/* Whether the text begins like PTX: the first thing after blanks and comments is a directive (.version). */
bool lw_ptx_recognise(lw_bytes text);

/*
 * Parses a module. LW_E_FORMAT, with line and column, for text that is not PTX; LW_E_UNSUPPORTED for text
 * that exceeds the limits above; LW_E_NO_MEMORY where it would take more than `limit` bytes. An instruction
 * that no row describes is kept, without a row.
 */
lw_status lw_ptx_parse(lw_bytes text, uint64_t limit, lw_ptx_module **module, lw_error *error);
void lw_ptx_module_free(lw_ptx_module *module);

/* The instruction's text on one line, without comments. */
void lw_ptx_insn_text(const lw_ptx_module *module, const lw_ptx_insn *insn, char *text, size_t size);

/* The source line from which a compiler says the instruction comes; a NULL path: unknown. */
const lw_ptx_loc *lw_ptx_insn_loc(const lw_ptx_module *module, const lw_ptx_insn *insn, const char **path);

#endif
