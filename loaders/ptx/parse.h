/* SPDX-License-Identifier: MIT */
/* The parser's state and its parts. After a failure, every part returns false; the error says what failed. */
#ifndef LW_LOADERS_PTX_PARSE_H
#define LW_LOADERS_PTX_PARSE_H

#include <lanewise/insn.h>

#include "loaders/ptx/lex.h"
#include "loaders/ptx/module.h"

/* What a name stands for. */
typedef enum lw_ptx_name_kind {
    LW_PTX_NAME_RANGE,     /* .reg .b32 %r<9>: `index` is in parser->ranges */
    LW_PTX_NAME_REGISTER,  /* module->registers */
    LW_PTX_NAME_VARIABLE,  /* module->variables */
    LW_PTX_NAME_FUNCTION,  /* module->functions */
    LW_PTX_NAME_LABEL,     /* module->insns */
    LW_PTX_NAME_TARGETS,   /* module->operands: the complete operand */
    LW_PTX_NAME_PROTOTYPE, /* module->functions */
} lw_ptx_name_kind;

typedef struct lw_ptx_name {
    const char *text; /* in the module's text; NULL: an empty slot of the table */
    uint32_t size, scope, index, hash;
    uint8_t kind;
} lw_ptx_name;

typedef struct lw_ptx_range {
    uint32_t count;
    uint8_t type, vector;
} lw_ptx_range;

typedef struct lw_ptx_scope {
    uint32_t parent;
    bool has_ranges;
} lw_ptx_scope;

/* An operand that names something not seen yet: a label, or a list of targets. */
typedef struct lw_ptx_pending {
    lw_ptx_token token;
    uint32_t operand, scope;
    bool on_stack; /* `operand` is a place of parser->stack, not yet in the module */
} lw_ptx_pending;

/* A spelling of a matrix instruction, and what it takes; `known`: the target has it. */
typedef struct lw_ptx_matrix_form {
    const char *text;
    size_t size;
    bool known;
    uint8_t verb; /* lw_ptx_wgmma_verb */
    const lw_insn *insn;
    lw_insn_info info;
    lw_operand_info operand[LW_OPERAND_COUNT];
} lw_ptx_matrix_form;

enum { LW_PTX_FORMS = 16 };

typedef struct lw_ptx_parser {
    lw_ptx_module *module;
    lw_ptx_lexer lexer;
    lw_ptx_token token; /* the next one */
    lw_status status;
    lw_error *error;
    uint64_t room; /* bytes that may still be allocated */
    unsigned depth;

    lw_ptx_list scopes; /* lw_ptx_scope */
    uint32_t scope;     /* the innermost one */
    lw_ptx_name *names; /* open addressing; the number of slots is a power of two */
    size_t name_count, name_room;
    lw_ptx_list ranges;   /* lw_ptx_range */
    lw_ptx_list pending;  /* lw_ptx_pending */
    size_t first_pending; /* the first one of the instruction being read */
    lw_ptx_list stack;    /* operands on their way into the module */

    lw_ptx_matrix_form forms[LW_PTX_FORMS]; /* the last ones */
    size_t form_count;                      /* of all that were looked up */

    uint32_t function; /* the one whose body is being read; LW_PTX_NONE */
    uint32_t loc;
} lw_ptx_parser;

/* ---- parse.c: tokens, errors, memory ---- */

/* Reports "line L, column C: ..." unless something failed before. Always false. */
bool lw_ptx_fail_at(lw_ptx_parser *p, const lw_ptx_token *token, lw_status status, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 4, 5)))
#endif
    ;
/* Reports "found X where Y is expected" at the next token. Always false. */
bool lw_ptx_expected(lw_ptx_parser *p, const char *what);
/* Reports that the host is out of memory, or that the limit is reached. Always false. */
bool lw_ptx_no_memory(lw_ptx_parser *p);
bool lw_ptx_over_limit(lw_ptx_parser *p);

/* Takes the next token. */
lw_ptx_token lw_ptx_next(lw_ptx_parser *p);
/* Whether the next token is this punctuation; lw_ptx_take_punct also takes it. */
bool lw_ptx_at_punct(const lw_ptx_parser *p, unsigned punct);
bool lw_ptx_take_punct(lw_ptx_parser *p, unsigned punct);
bool lw_ptx_need_punct(lw_ptx_parser *p, unsigned punct);
bool lw_ptx_at_dot(const lw_ptx_parser *p, const char *word); /* `text` includes the dot: ".align" */
bool lw_ptx_take_dot(lw_ptx_parser *p, const char *word);
bool lw_ptx_need_name(lw_ptx_parser *p, const char *what, lw_ptx_token *name);
/* A constant integer from `low` to `high`. */
bool lw_ptx_need_number(lw_ptx_parser *p, const char *what, uint64_t low, uint64_t high, uint64_t *value);

/* Appends a zeroed entry and returns it; NULL when out of memory, which has been reported. */
void *lw_ptx_push(lw_ptx_parser *p, lw_ptx_list *list, size_t size);
void *lw_ptx_alloc(lw_ptx_parser *p, uint64_t count, size_t size);
const char *lw_ptx_copy(lw_ptx_parser *p, const lw_ptx_token *token);
const char *lw_ptx_text(const lw_ptx_parser *p, const lw_ptx_token *token);

/* Enters one more level of nesting; false if there are too many. */
bool lw_ptx_enter(lw_ptx_parser *p);

/* ---- names.c ---- */

bool lw_ptx_scope_open(lw_ptx_parser *p);
void lw_ptx_scope_close(lw_ptx_parser *p);
/* Declares a name in the innermost scope, where it must be new. */
bool lw_ptx_declare(lw_ptx_parser *p, const lw_ptx_token *name, lw_ptx_name_kind kind, uint32_t index);
/* Looks a name up in one scope; in this scope or one around it. NULL if there is none. */
lw_ptx_name *lw_ptx_find_in(const lw_ptx_parser *p, const lw_ptx_token *name, uint32_t scope);
lw_ptx_name *lw_ptx_find_from(const lw_ptx_parser *p, const lw_ptx_token *name, uint32_t scope);
/* The same for a name that may be a register: a member of a range is declared when it is first used. */
bool lw_ptx_find_name(lw_ptx_parser *p, const lw_ptx_token *name, lw_ptx_name **found);
bool lw_ptx_add_register(lw_ptx_parser *p, const lw_ptx_token *name, uint8_t type, uint8_t vector,
                         uint32_t *index);

/* ---- expr.c ---- */

typedef enum lw_ptx_value_kind {
    LW_PTX_VALUE_INT,
    LW_PTX_VALUE_F32, /* bits */
    LW_PTX_VALUE_F64, /* bits */
    LW_PTX_VALUE_VARIABLE,
    LW_PTX_VALUE_FUNCTION,
} lw_ptx_value_kind;

typedef struct lw_ptx_value {
    uint8_t kind; /* lw_ptx_value_kind */
    bool is_unsigned, generic;
    uint8_t shift;
    bool masked;    /* one byte of an address: 0xff00(name) */
    uint32_t index; /* of a variable or function */
    uint64_t bits;  /* the number, or the offset from the address */
} lw_ptx_value;

bool lw_ptx_expr(lw_ptx_parser *p, lw_ptx_value *value);

/* ---- operand.c ---- */

/* Reads one operand; it is then at the end of parser->stack. */
bool lw_ptx_operand_read(lw_ptx_parser *p);
/* Reads (a, b) of a call; the next token is the opening parenthesis. */
bool lw_ptx_list_read(lw_ptx_parser *p);
/* Moves the operands on the stack from `mark` on into the module. */
bool lw_ptx_operands_keep(lw_ptx_parser *p, size_t mark, lw_ptx_span *span);
bool lw_ptx_resolve_pending(lw_ptx_parser *p);

/* ---- variable.c ---- */

/* What may come before the name of a variable, register or parameter. */
typedef struct lw_ptx_declaration {
    uint8_t space, type, vector, points;
    bool is_extern, is_visible, is_weak, is_common;
    uint32_t align; /* 0: not stated */
} lw_ptx_declaration;

bool lw_ptx_space_at(const lw_ptx_parser *p, uint8_t *space);
/* Reads .align, type, .v2, .ptr and .attribute after the space. */
bool lw_ptx_declaration_read(lw_ptx_parser *p, lw_ptx_declaration *d);
/* An array's dimensions; the first may be left open and is then 0. */
typedef struct lw_ptx_dimensions {
    uint64_t size[LW_PTX_MOST_DIMENSIONS];
    unsigned count;
} lw_ptx_dimensions;

/* Reads a name and its dimensions; fills `v` except for its offset and data. */
bool lw_ptx_item_read(lw_ptx_parser *p, const lw_ptx_declaration *d, lw_ptx_variable *v, lw_ptx_token *name,
                      lw_ptx_dimensions *dimensions);
/* The part of .reg after its type: "%r<9>" or a name; one item. */
bool lw_ptx_register_read(lw_ptx_parser *p, const lw_ptx_declaration *d, const lw_ptx_token *name);
/* .attribute(...), which is the next token; it has no effect here. */
bool lw_ptx_attribute_skip(lw_ptx_parser *p);
/* "SPACE ... a, b = 1;", with the space as the next token. */
bool lw_ptx_variables_read(lw_ptx_parser *p, lw_ptx_declaration d);

/* ---- initialiser.c ---- */

/* The part after '='. Sets the data, and the size of an array whose first dimension is open. */
bool lw_ptx_initialiser_read(lw_ptx_parser *p, lw_ptx_variable *v, lw_ptx_dimensions *dimensions);

/* ---- function.c ---- */

bool lw_ptx_function_read(lw_ptx_parser *p, lw_ptx_declaration linkage);
/* "(results) _ (params)" of a .callprototype as a function without a name. */
bool lw_ptx_prototype_read(lw_ptx_parser *p, uint32_t *index);

/* ---- statement.c ---- */

/* Everything from '{' to '}'. */
bool lw_ptx_block_read(lw_ptx_parser *p);
bool lw_ptx_loc_read(lw_ptx_parser *p);
bool lw_ptx_pragma_read(lw_ptx_parser *p);

/* ---- layout.c ---- */

/* Assigns addresses to shared and local variables; the module must be complete. */
bool lw_ptx_place_variables(lw_ptx_parser *p);

/* ---- check.c ---- */

/* Checks the operands against the instruction's row. */
bool lw_ptx_check_operands(lw_ptx_parser *p, const lw_ptx_insn *insn);

/* ---- check_matrix.c ---- */

/* The same for a matrix instruction; true for one that the target does not have. */
bool lw_ptx_check_matrix(lw_ptx_parser *p, const lw_ptx_insn *insn);

#endif
