/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "isa_tables/csv.h"

/* Splits `line` at its commas, in place; quotes are removed, doubled quotes inside become single ones. */
static int split(char *line, char *field[CSV_FIELDS])
{
    int count = 0;
    char *from = line, *to = line;
    int quoted = 0;
    field[count++] = to;
    for (; *from && *from != '\n' && *from != '\r'; from++) {
        if (*from == '"' && quoted && from[1] == '"')
            *to++ = *from++;
        else if (*from == '"')
            quoted = !quoted;
        else if (*from == ',' && !quoted && count < CSV_FIELDS) {
            *to++ = '\0';
            field[count++] = to;
        } else
            *to++ = *from;
    }
    *to = '\0';
    return count;
}

void csv_open(csv *table, const char *path)
{
    table->file = fopen(path, "r");
    if (!table->file || !fgets(table->head_text, sizeof(table->head_text), table->file)) {
        fprintf(stderr, "cannot read %s\n", path);
        abort();
    }
    table->columns = split(table->head_text, table->head);
}

int csv_next(csv *table)
{
    if (!fgets(table->text, sizeof(table->text), table->file)) {
        fclose(table->file);
        return 0;
    }
    if (split(table->text, table->field) != table->columns) {
        fprintf(stderr, "a record has another number of fields than the header: %s\n", table->text);
        abort();
    }
    return 1;
}

const char *csv_get(const csv *table, const char *column)
{
    for (int i = 0; i < table->columns; i++)
        if (strcmp(table->head[i], column) == 0)
            return table->field[i];
    fprintf(stderr, "no column %s\n", column);
    abort();
}
