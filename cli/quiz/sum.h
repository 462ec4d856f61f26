/* SPDX-License-Identifier: MIT */
/* Random numbers, and questions about a few products. */
#ifndef LW_CLI_QUIZ_SUM_H
#define LW_CLI_QUIZ_SUM_H

#include "cli/quiz/quiz.h"

uint64_t quiz_random(uint64_t *state);
uint32_t quiz_below(uint64_t *state, uint32_t limit); /* 0 .. limit - 1 */

/* Fills a QUIZ_BITS question; false if these numbers make none. */
bool quiz_ask_sum(uint64_t *state, quiz_question *question);

/* The value of a code as the host's double; false for NaN, infinities and what double cannot hold as text. */
bool quiz_value(const char *format, uint64_t code, double *value);

#endif
