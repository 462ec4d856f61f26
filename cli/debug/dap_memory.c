/* SPDX-License-Identifier: MIT */
/* Code and bytes for editors. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/debug/dap.h"

enum { MOST_INSTRUCTIONS = 4096, MOST_BYTES = 1 << 16 };

/* Clients may ask for more than there is; the protocol wants exactly that many instructions. */
static void write_instruction(dap *s, const debug_place *p)
{
    json_open(&s->json, NULL, '{');
    if (!p) {
        json_string(&s->json, "address", "0x0");
        json_string(&s->json, "instruction", "no instruction");
        json_string(&s->json, "presentationHint", "invalid");
        json_close(&s->json, '}');
        return;
    }
    uint32_t line = 0;
    const char *path = debug_code_source(&s->d->code, p, &line);
    json_hex(&s->json, "address", p->offset, 1);
    json_string(&s->json, "instruction", debug_code_text(&s->d->code, p));
    if (path) {
        dap_write_source(s, "location", path);
        json_uint(&s->json, "line", line);
    }
    json_close(&s->json, '}');
}

void dap_disassemble(dap *s)
{
    const debug_code *c = &s->d->code;
    const char *reference = json_text(json_get(s->arguments, "memoryReference"));
    int64_t offset = 0, first = 0, count = 0;
    (void)json_whole(json_get(s->arguments, "offset"), &offset);
    (void)json_whole(json_get(s->arguments, "instructionOffset"), &first);
    (void)json_whole(json_get(s->arguments, "instructionCount"), &count);
    const uint64_t base = reference ? strtoull(reference, NULL, 0) : 0;
    const debug_place *at = debug_code_at(c, base + (uint64_t)offset);
    if (!reference || count < 0 || count > MOST_INSTRUCTIONS || first > MOST_INSTRUCTIONS ||
        first < -MOST_INSTRUCTIONS) {
        dap_fail(s, "needs a memoryReference and at most 4096 instructions");
        return;
    }
    dap_begin_response(s);
    json_open(&s->json, "instructions", '[');
    for (int64_t i = 0; i < count; i++) {
        const int64_t index = at ? (int64_t)(at - c->at) + first + i : -1;
        write_instruction(s, index >= 0 && index < (int64_t)c->count ? &c->at[index] : NULL);
    }
    json_close(&s->json, ']');
    dap_end_response(s);
}

static void encode(const uint8_t *bytes, size_t size, debug_text *text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        const size_t left = size - i;
        const uint32_t group = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                               (left > 2 ? (uint32_t)bytes[i + 2] : 0);
        const char four[4] = { digits[group >> 18], digits[group >> 12 & 63],
                               left > 1 ? digits[group >> 6 & 63] : '=',
                               left > 2 ? digits[group & 63] : '=' };
        debug_add(text, four, 4);
    }
}

void dap_read_memory(dap *s)
{
    const char *reference = json_text(json_get(s->arguments, "memoryReference"));
    int64_t offset = 0, count = 0;
    lw_allocation region = { .size = 0 };
    (void)json_whole(json_get(s->arguments, "offset"), &offset);
    (void)json_whole(json_get(s->arguments, "count"), &count);
    if (!reference || count < 0) {
        dap_fail(s, "needs a memoryReference and a count");
        return;
    }
    const uint64_t address = strtoull(reference, NULL, 0) + (uint64_t)offset;
    uint64_t wanted = count < MOST_BYTES ? (uint64_t)count : MOST_BYTES, there = 0;
    for (size_t i = 0; !there && lw_memory_at(s->d->job->memory, i, &region); i++)
        if (address - region.address < region.size)
            there = region.size - (address - region.address);
    wanted = wanted < there ? wanted : there;
    debug_text data = { NULL, 0, 0 };
    if (wanted)
        encode((const uint8_t *)region.host + (address - region.address), (size_t)wanted, &data);
    dap_begin_response(s);
    json_hex(&s->json, "address", address, 1);
    json_uint(&s->json, "unreadableBytes", (uint64_t)count > there ? (uint64_t)count - there : 0);
    json_string(&s->json, "data", debug_text_of(&data));
    dap_end_response(s);
    debug_text_free(&data);
}
