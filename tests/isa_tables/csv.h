/* SPDX-License-Identifier: MIT */
/* Reads tests/data/amd-matrix.csv: quoted fields, one record per line. */
#ifndef LW_TESTS_ISA_TABLES_CSV_H
#define LW_TESTS_ISA_TABLES_CSV_H

#include <stdio.h>

enum { CSV_FIELDS = 40, CSV_LINE = 4096 };

typedef struct csv {
    FILE *file;
    char head_text[CSV_LINE], text[CSV_LINE];
    char *head[CSV_FIELDS], *field[CSV_FIELDS];
    int columns;
} csv;

/* Opens the file and reads its header; aborts the test if that fails. */
void csv_open(csv *table, const char *path);

/* Reads the next record; 0 at the end. */
int csv_next(csv *table);

/* The record's field in the column with that name. */
const char *csv_get(const csv *table, const char *column);

#endif
