/* SPDX-License-Identifier: MIT */
/* Copies a .npy file by reading and writing it. Usage: npy_copy FROM TO. Exit status 1: it was refused. */
#include <stdio.h>

#include <lanewise/npy.h>

int main(int argc, char **argv)
{
    lw_npy array;
    lw_error error = { "" };
    if (argc != 3)
        return 2;
    if (lw_npy_load(argv[1], &array, &error) != LW_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    const lw_status status = lw_npy_save(argv[2], &array, &error);
    if (status != LW_OK)
        fprintf(stderr, "%s\n", error.text);
    lw_npy_free(&array);
    return status == LW_OK ? 0 : 3;
}
