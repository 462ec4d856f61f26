/* SPDX-License-Identifier: MIT */
/* PTX text as tokens. PTX ISA 9.1, "Syntax": identifiers, constants, comments. */
#ifndef LW_LOADERS_PTX_LEX_H
#define LW_LOADERS_PTX_LEX_H

#include <stdbool.h>
#include <stdint.h>

#include "loaders/bytes.h"

typedef enum lw_ptx_token_kind {
    LW_PTX_TOKEN_END,
    LW_PTX_TOKEN_NAME,   /* add, %r1, $L_1 */
    LW_PTX_TOKEN_DOT,    /* .global, .x, .shared::cta; directly after a name also .2d */
    LW_PTX_TOKEN_INT,    /* value */
    LW_PTX_TOKEN_F32,    /* 0f...: value holds the bits */
    LW_PTX_TOKEN_F64,    /* 0d... or a decimal real: value holds the bits */
    LW_PTX_TOKEN_STRING, /* the text between the quotes, escapes as written */
    LW_PTX_TOKEN_PUNCT,  /* value: the character, or two of them (first << 8 | second) */
    LW_PTX_TOKEN_BAD,    /* lexer->why says what is wrong */
} lw_ptx_token_kind;

enum {
    LW_PTX_SHL = '<' << 8 | '<',
    LW_PTX_SHR = '>' << 8 | '>',
    LW_PTX_LE = '<' << 8 | '=',
    LW_PTX_GE = '>' << 8 | '=',
    LW_PTX_EQ = '=' << 8 | '=',
    LW_PTX_NE = '!' << 8 | '=',
    LW_PTX_AND = '&' << 8 | '&',
    LW_PTX_OR = '|' << 8 | '|',
};

typedef struct lw_ptx_token {
    uint8_t kind;          /* lw_ptx_token_kind */
    bool glued;            /* no blank or comment between it and the previous token */
    bool is_unsigned;      /* an integer that ends with U, or does not fit 63 bits */
    uint32_t at, size;     /* position and size of the text; a string's without its quotes */
    uint32_t line, column; /* counted from 1 */
    uint64_t value;
} lw_ptx_token;

typedef struct lw_ptx_lexer {
    const char *text;
    uint32_t size, at;
    uint32_t line, line_start;
    uint8_t last; /* kind of the previous token */
    const char *why;
} lw_ptx_lexer;

/* `size` must be below 2^31. */
lw_ptx_lexer lw_ptx_lex_begin(const char *text, uint32_t size);
/* The next token. After the last one, every call returns LW_PTX_TOKEN_END. */
lw_ptx_token lw_ptx_lex(lw_ptx_lexer *lexer);

static inline bool lw_ptx_is(const lw_ptx_lexer *lexer, const lw_ptx_token *token, const char *text)
{
    const size_t size = strlen(text);
    return token->size == size && memcmp(lexer->text + token->at, text, size) == 0;
}

#endif
