/* SPDX-License-Identifier: MIT */
/* Passes instructions to an observer without executing them: one after the other, as a wave would reach
 * them. */
#ifndef TESTS_OBSERVERS_TOLD_H
#define TESTS_OBSERVERS_TOLD_H

#include "emu/amdgpu/control/machine.h"
#include "emu/amdgpu/decode/facts.h"

typedef struct told {
    lw_session session;
    lw_amd_launch launch;
    lw_group group;
    lw_wave wave;
    lw_record record;
    struct lw_event_state state;
    lw_event event;
    lw_facts facts;
    lw_fact_operand operands[LW_MAX_OPERANDS];
    const lw_observer *observer;
} told;

/* A wave of 32 or 64 lanes begins. */
void told_begin(told *t, lw_arch arch, unsigned lanes, const lw_observer *observer);
/* Its next instruction; returns how many words it has, 0 if they are not an instruction. */
size_t told_next(told *t, const uint32_t *words, size_t count);
/* All of them; false if one is not an instruction. */
bool told_all(told *t, const uint32_t *words, size_t count);

#endif
