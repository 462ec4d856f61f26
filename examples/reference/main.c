/* SPDX-License-Identifier: MIT */
/*
 * Data and expected results for the example kernels, computed without Lanewise.
 * Arrays are .npy files in a directory; types that .npy lacks are raw codes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "verbs.h"

static const struct {
    const char *name, *words, *text;
    int (*run)(int, char **);
} verbs[] = {
    { "add-data", "DIR COUNT [SEED]", "a.npy b.npy expected.npy for vector_add", verb_add_data },
    { "mxfp4-data", "DIR M N K [SEED] [SPREAD] [cancel]",
      "a.npy (bf16) b.npy bscale.npy (shuffled); SPREAD scatters the blocks' exponents; with \"cancel\" the\n"
      "      exact product is zero, so that all of the result is what rounding left over",
      verb_mxfp4_data },
    { "mxfp4", "DIR M N K OUT.npy [chained|gtr16|tr32|fused|keep|exact] [PARTS]",
      "the bf16 result, bit for bit", verb_mxfp4 },
    { "mxfp4-error", "DIR M N K RESULT.npy", "relative error against a binary64 product", verb_mxfp4_error },
    { "gemm-data", "DIR M N K [SEED]", "a.npy b.npy (f16) expected.npy (f32): whole numbers, every sum exact",
      verb_gemm_data },
    { "matmul-data", "DIR M N K [SEED]", "the same with b.npy as K rows of N", verb_matmul_data },
    { "skinny-data", "DIR N K [SEED] [SPREAD]", "a.npy b.npy (f16) for the 8-row products",
      verb_skinny_data },
    { "skinny", "DIR N K OUT.npy vdmfma|dense", "the f32 result, bit for bit", verb_skinny },
    { "compare", "DIR X.npy Y.npy TYPE COUNT", "how many elements and bytes differ", verb_compare },
};

enum { VERBS = sizeof(verbs) / sizeof(verbs[0]) };

unsigned number_at(int argc, char **argv, int i, unsigned least, unsigned otherwise)
{
    if (i >= argc)
        return otherwise;
    char *end;
    const unsigned long v = strtoul(argv[i], &end, 10);
    if (*end || end == argv[i] || v < least || v > 1u << 30)
        fail(argv[i], "not a sensible number here");
    return (unsigned)v;
}

const char *word_at(int argc, char **argv, int i, const char *what)
{
    if (i >= argc)
        fail(what, "is missing");
    return argv[i];
}

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < VERBS; i++)
        if (strcmp(argv[1], verbs[i].name) == 0)
            return verbs[i].run(argc - 2, argv + 2);

    fprintf(stderr, "usage: gemm_reference VERB WORDS...\n");
    for (size_t i = 0; i < VERBS; i++)
        fprintf(stderr, "  %s %s\n      %s\n", verbs[i].name, verbs[i].words, verbs[i].text);
    return 2;
}
