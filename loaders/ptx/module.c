/* SPDX-License-Identifier: MIT */
#include "loaders/ptx/module.h"

#include <stdlib.h>

#include "loaders/ptx/lex.h"

void lw_ptx_module_free(lw_ptx_module *m)
{
    if (!m)
        return;
    free(m->functions.items);
    free(m->variables.items);
    free(m->insns.items);
    free(m->operands.items);
    free(m->registers.items);
    free(m->labels.items);
    free(m->locs.items);
    free(m->files.items);
    lw_arena_free(&m->arena);
    free(m);
}

bool lw_ptx_recognise(lw_bytes text)
{
    const uint32_t size = text.size < LW_PTX_MOST_TEXT ? (uint32_t)text.size : LW_PTX_MOST_TEXT;
    lw_ptx_lexer lexer = lw_ptx_lex_begin((const char *)text.data, size);
    const lw_ptx_token token = lw_ptx_lex(&lexer);
    return token.kind == LW_PTX_TOKEN_DOT && lw_ptx_is(&lexer, &token, ".version");
}

/* The text of the tokens, with one blank where there were blanks or comments. */
void lw_ptx_insn_text(const lw_ptx_module *module, const lw_ptx_insn *insn, char *text, size_t size)
{
    lw_ptx_lexer lexer = lw_ptx_lex_begin(module->text + insn->at, insn->size);
    size_t used = 0;
    if (!size)
        return;
    for (lw_ptx_token t = lw_ptx_lex(&lexer); t.kind != LW_PTX_TOKEN_END; t = lw_ptx_lex(&lexer)) {
        if (!t.glued && used && used + 1 < size)
            text[used++] = ' ';
        for (uint32_t i = 0; i < t.size && used + 1 < size; i++)
            text[used++] = module->text[insn->at + t.at + i];
    }
    text[used] = '\0';
}

const lw_ptx_loc *lw_ptx_insn_loc(const lw_ptx_module *module, const lw_ptx_insn *insn, const char **path)
{
    *path = NULL;
    if (insn->loc == LW_PTX_NONE)
        return NULL;
    const lw_ptx_loc *loc = (lw_ptx_loc *)module->locs.items + insn->loc;
    for (size_t i = 0; i < module->files.count; i++) {
        const lw_ptx_file *file = (lw_ptx_file *)module->files.items + i;
        if (file->number == loc->file)
            *path = file->path;
    }
    return loc;
}
