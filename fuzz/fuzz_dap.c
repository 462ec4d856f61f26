/* SPDX-License-Identifier: MIT */
/* Arbitrary bytes as what an editor sends to the debugger: frames, and JSON in them. */
#include <stdlib.h>
#include <string.h>

#include "cli/debug/frame.h"
#include "cli/debug/json_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void insist(int condition)
{
    if (!condition)
        abort();
}

/* Visits every value; no text may be longer than the input. */
static size_t visit(const json_node *node, size_t most, unsigned depth)
{
    size_t count = 1;
    insist(depth <= JSON_DEPTH);
    insist(node->kind != JSON_STRING || strlen(node->text) <= most);
    insist(node->kind >= JSON_ARRAY || !node->first);
    for (const json_node *n = node->first; n; n = n->next) {
        insist((n->key != NULL) == (node->kind == JSON_OBJECT));
        insist(!n->key || json_get(node, n->key) != NULL);
        count += visit(n, most, depth + 1);
    }
    return count;
}

static void read_one(const char *bytes, size_t size)
{
    json_document document;
    if (json_read(bytes, size, &document))
        insist(visit(document.nodes, size, 0) <= size);
    else
        insist(document.why && document.at <= size);
    json_free(&document);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *bytes = (const char *)data;
    const char *why = NULL;
    size_t at, body;
    read_one(bytes, size);
    while (frame_find(bytes, size, &at, &body, &why) == FRAME_WHOLE) {
        insist(at + body <= size && body <= FRAME_BODY);
        read_one(bytes + at, body);
        bytes += at + body;
        size -= at + body;
    }
    return 0;
}
