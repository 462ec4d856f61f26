/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "cli/why.h"

void why_words(const why_job *job, char *text, size_t size)
{
    (void)job, (void)size;
    text[0] = '\0';
}
