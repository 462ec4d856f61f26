/* SPDX-License-Identifier: MIT */
/* What observers see. */
#include <string.h>

#include "emu/device/session.h"

typedef void (*callback)(void *context, const lw_event *event);

static callback callback_of(const lw_observer *o, lw_hook hook)
{
    const callback all[] = {
        [LW_HOOK_WAVE_BEGIN] = o->wave_begin, [LW_HOOK_WAVE_END] = o->wave_end,
        [LW_HOOK_BEFORE] = o->before,         [LW_HOOK_AFTER] = o->after,
        [LW_HOOK_BARRIER] = o->barrier,       [LW_HOOK_ARRIVED] = o->arrived,
    };
    return all[hook];
}

void lw_observe(lw_hook hook, lw_wave_head *w, const void *record)
{
    const lw_session *s = w->group->session;
    const struct lw_event_state state = { w, record };
    lw_event event = {
        .kernel = s->kernel,
        .arch = s->arch,
        .wave = w->id,
        .pc = w->pc,
        .code_offset = w->pc - s->kernel_base,
        .exec = s->machine->exec(w),
        .number = w->executed,
        .mnemonic = record ? s->machine->mnemonic(record) : "",
        .poison = s->poisoned ? &s->poison : NULL,
        .state = &state,
    };
    memcpy(event.workgroup, w->group->id, sizeof(event.workgroup));
    if ((hook == LW_HOOK_AFTER || hook == LW_HOOK_ARRIVED) && w->log) {
        event.accesses = w->log->entries;
        event.access_count = w->log->count;
    }
    for (size_t i = 0; i < s->observer_count; i++) {
        const callback call = callback_of(s->observers[i], hook);
        if (call)
            call(s->observers[i]->context, &event);
    }
}

static const lw_machine *machine_of(const lw_event *event)
{
    return event->state->wave->group->session->machine;
}

size_t lw_event_text(const lw_event *event, char *text, size_t size)
{
    if (event->state->record)
        return machine_of(event)->event_text(event, text, size);
    if (size)
        text[0] = '\0';
    return 0;
}

bool lw_event_line(const lw_event *event, lw_line *line)
{
    return machine_of(event)->line(event->state->wave->group->session->module, event->pc, line);
}

uint32_t lw_event_value(const lw_event *event, lw_reg_file file, unsigned reg, unsigned lane)
{
    return machine_of(event)->value(event->state->wave, file, reg, lane);
}

bool lw_event_matrix(const lw_event *event, lw_matrix_event *matrix)
{
    return event->state->record && machine_of(event)->event_matrix(event, matrix);
}

unsigned lw_event_register_count(const lw_event *event, lw_reg_file file)
{
    return machine_of(event)->registers(event->state->wave, file);
}

unsigned lw_event_accum_offset(const lw_event *event)
{
    return machine_of(event)->accum_offset(event->state->wave);
}

uint32_t lw_event_lds_size(const lw_event *event)
{
    return event->state->wave->group->lds_size;
}

size_t lw_event_registers(const lw_event *event, lw_reg_range *ranges, size_t count)
{
    return event->state->record ? machine_of(event)->event_registers(event, ranges, ranges ? count : 0) : 0;
}
