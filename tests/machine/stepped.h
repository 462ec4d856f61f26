/* SPDX-License-Identifier: MIT */
/* A launch of a kernel of module.co that is executed in steps, for the tests of sessions. */
#ifndef LW_TESTS_MACHINE_STEPPED_H
#define LW_TESTS_MACHINE_STEPPED_H

#include <lanewise/module.h>
#include <lanewise/session.h>

#include "machine/fixture.h"

enum { GROUPS = 3, ITEMS = 256 * GROUPS };

typedef struct stepped {
    lw_program *program;
    lw_memory *memory;
    lw_module *module;
    uint64_t out;
    uint32_t rounds;
    lw_arg args[2];
    lw_launch_options options;
    lw_session *session;
    lw_step_options step;
    lw_error error;
} stepped;

/* Three workgroups of 256; `args` of the arguments out and rounds are passed. */
void stepped_prepare(stepped *t, const char *kernel, size_t args);
void stepped_begin(stepped *t);
lw_pause stepped_step(stepped *t);
/* Frees all but the session. */
void stepped_done(stepped *t);

/* The result of the kernel hand_on; and compares all of `out` with it. */
void stepped_expect(uint32_t rounds, uint32_t group, uint32_t slot[256]);
void stepped_check_out(const stepped *t);

#endif
