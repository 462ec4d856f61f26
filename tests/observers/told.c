/* SPDX-License-Identifier: MIT */
#include "observers/told.h"

#include <string.h>

#include "emu/device/module.h"

void told_begin(told *t, lw_arch arch, unsigned lanes, const lw_observer *observer)
{
    static lw_module nothing; /* no program, and no source lines */
    memset(t, 0, sizeof(*t));
    t->session.machine = &lw_amd_machine;
    t->session.module = &nothing;
    t->session.own = &t->launch;
    t->group.session = &t->session;
    t->wave.head.group = &t->group;
    t->wave.lanes = (uint8_t)lanes;
    t->wave.accum = 512;
    t->wave.vgprs = t->wave.agprs = 256;
    t->state.wave = &t->wave.head;
    t->observer = observer;
    t->event = (lw_event){
        .kernel = "k", .arch = arch, .exec = UINT64_MAX >> (64 - lanes), .state = &t->state, .lanes = lanes
    };
    if (observer->wave_begin)
        observer->wave_begin(observer->context, &t->event);
}

size_t told_next(told *t, const uint32_t *words, size_t count)
{
    memset(&t->record, 0, sizeof(t->record));
    if (lw_amdgpu_decode_wave(t->event.arch, t->event.lanes, words, count < 4 ? count : 4, &t->record.in) !=
        LW_OK)
        return 0;
    t->state.record = &t->record;
    t->facts = lw_decoded_facts(t->event.arch, &t->record.in, t->event.pc, t->operands);
    t->event.facts = &t->facts;
    const uint32_t wants = t->observer->decoded(t->observer->context, &t->event);
    if (wants & LW_SEE_BEFORE)
        t->observer->before(t->observer->context, &t->event);
    if (wants & LW_SEE_AFTER)
        t->observer->after(t->observer->context, &t->event);
    t->event.place++;
    t->event.number++;
    t->event.pc += 4u * t->record.in.words;
    t->event.code_offset = t->event.pc;
    return t->record.in.words;
}

bool told_all(told *t, const uint32_t *words, size_t count)
{
    for (size_t at = 0, size; at < count; at += size) {
        size = told_next(t, words + at, count - at);
        if (!size)
            return false;
    }
    return true;
}
