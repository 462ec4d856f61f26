/* SPDX-License-Identifier: MIT */
#ifndef REFERENCE_VERBS_H
#define REFERENCE_VERBS_H

/* Each gets the words after the verb and returns an exit status. */
int verb_add_data(int argc, char **argv);
int verb_mxfp4_data(int argc, char **argv);
int verb_mxfp4(int argc, char **argv);
int verb_mxfp4_error(int argc, char **argv);
int verb_gemm_data(int argc, char **argv);
int verb_matmul_data(int argc, char **argv);
int verb_skinny_data(int argc, char **argv);
int verb_skinny(int argc, char **argv);
int verb_compare(int argc, char **argv);

/* argv[i] as a number of at least `least`, or `otherwise` if there are fewer words. Exits if it is not a
 * number. */
unsigned number_at(int argc, char **argv, int i, unsigned least, unsigned otherwise);
const char *word_at(int argc, char **argv, int i, const char *what);

#endif
