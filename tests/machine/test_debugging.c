/* SPDX-License-Identifier: MIT */
/* What debuggers need of sessions: states by number, the next instruction, pauses that observers ask for. */
#include "machine/stepped.h"

/* The state of all waves, their LDS and the arrays, as one number. */
static uint64_t digest(const stepped *t)
{
    uint64_t hash = 1469598103934665603u;
    const size_t count = lw_session_wave_count(t->session);
    for (size_t i = 0; i < count; i++) {
        lw_wave_stand stand;
        ck_assert(lw_session_wave_at(t->session, i, &stand));
        hash = (hash ^ stand.pc ^ stand.executed << 32 ^ stand.doing) * 1099511628211u;
        hash = (hash ^ lw_session_wave_exec(t->session, i)) * 1099511628211u;
        for (unsigned file = 0; file < LW_FILE_COUNT; file++)
            for (unsigned r = 0; r < lw_session_register_count(t->session, i, (lw_reg_file)file); r++)
                for (unsigned lane = 0; lane < 64; lane++)
                    hash =
                        (hash ^ lw_session_value(t->session, i, (lw_reg_file)file, r, lane)) * 1099511628211u;
        uint32_t size = 0;
        const uint8_t *lds = lw_session_lds(t->session, i, &size);
        for (uint32_t b = 0; b < size; b++)
            hash = (hash ^ lds[b]) * 1099511628211u;
    }
    const uint8_t *out = lw_memory_host(t->memory, t->out, 4 * ITEMS);
    for (size_t b = 0; b < 4 * ITEMS; b++)
        hash = (hash ^ out[b]) * 1099511628211u;
    return hash;
}

/* Continues until any wave is about to execute instruction number `number`. */
static lw_pause reach(stepped *t, uint64_t number)
{
    t->step = lw_step_options_default();
    const uint64_t now = lw_session_instructions(t->session);
    if (number > now) {
        t->step.instructions = number - now;
        ck_assert_int_eq(stepped_step(t).reason, LW_PAUSE_INSTRUCTIONS);
    }
    t->step.instructions = 0;
    t->step.events = 1u << LW_PAUSE_BEFORE;
    return stepped_step(t);
}

/* However it was reached, the state before an instruction is the same: by a step, by a breakpoint, by going
 * back and by going back after the end. */
START_TEST(a_state_is_its_number)
{
    enum { MOST = 150 };
    stepped t;
    stepped_prepare(&t, "hand_on", 2);
    t.options.schedule = _i ? LW_SCHEDULE_RANDOM : LW_SCHEDULE_SERIAL;
    t.options.seed = 5;
    t.rounds = 40;
    stepped_begin(&t);
    lw_checkpoint *first;
    ck_assert_int_eq(lw_session_save(t.session, &first, &t.error), LW_OK);
    uint64_t digests[MOST], pcs[MOST];
    for (uint64_t n = 0; n < MOST; n++) {
        const lw_pause pause = reach(&t, n * 7);
        ck_assert_int_eq(pause.reason, LW_PAUSE_BEFORE);
        ck_assert_uint_eq(lw_session_instructions(t.session), n * 7);
        digests[n] = digest(&t);
        const lw_event *event = NULL;
        for (size_t i = 0; i < lw_session_wave_count(t.session); i++) {
            lw_wave_stand stand;
            ck_assert(lw_session_wave_at(t.session, i, &stand));
            if (stand.wave == pause.wave && stand.workgroup[0] == pause.workgroup[0])
                event = lw_session_wave_event(t.session, i);
        }
        ck_assert_ptr_nonnull(event);
        ck_assert_uint_eq(event->wave, pause.wave);
        pcs[n] = event->code_offset;
    }
    for (uint64_t n = MOST; n-- > 0;) {
        ck_assert_int_eq(lw_session_restore(t.session, first, &t.error), LW_OK);
        ck_assert_uint_eq(lw_session_instructions(t.session), 0);
        ck_assert_int_eq(reach(&t, n * 7).reason, LW_PAUSE_BEFORE);
        ck_assert_uint_eq(digest(&t), digests[n]);
    }
    /* by breakpoints */
    size_t met = 0, tried = 0;
    for (uint64_t n = 1; n < MOST; n += 13, tried++) {
        ck_assert_int_eq(lw_session_restore(t.session, first, &t.error), LW_OK);
        t.step = lw_step_options_default();
        t.step.breakpoints = &pcs[n];
        t.step.breakpoint_count = 1;
        while (stepped_step(&t).reason == LW_PAUSE_BREAKPOINT)
            if (lw_session_instructions(t.session) == n * 7) {
                ck_assert_uint_eq(digest(&t), digests[n]);
                met++;
                break;
            }
    }
    ck_assert_uint_eq(met, tried);
    t.step = lw_step_options_default();
    ck_assert_int_eq(stepped_step(&t).reason, LW_PAUSE_ENDED);
    ck_assert_int_eq(lw_session_outcome(t.session, NULL, &t.error), LW_OK);
    ck_assert_int_eq(lw_session_restore(t.session, first, &t.error), LW_OK);
    ck_assert_int_eq(lw_session_outcome(t.session, NULL, &t.error), LW_E_ARGUMENT);
    reach(&t, 70);
    ck_assert_uint_eq(digest(&t), digests[10]);
    ck_assert_int_eq(lw_session_finish(t.session, NULL, NULL), LW_OK);
    stepped_check_out(&t);
    lw_checkpoint_free(first);
    stepped_done(&t);
}
END_TEST

typedef struct watcher {
    stepped *t;
    uint64_t address;
    unsigned hits;
    uint64_t at; /* instructions of the wave before the store */
    lw_observer observer;
} watcher;

static uint32_t sees(void *context, const lw_event *event)
{
    (void)context;
    return event->facts->memory.store ? LW_SEE_AFTER | LW_SEE_ACCESSES : LW_SEE_NOTHING;
}

static void stored(void *context, const lw_event *event)
{
    watcher *w = context;
    for (size_t i = 0; i < event->access_count; i++) {
        const lw_memory_access *a = &event->accesses[i];
        if (a->space != LW_SPACE_GLOBAL || w->address - a->address >= a->size)
            continue;
        w->hits++;
        w->at = event->number;
        lw_session_ask(w->t->session);
    }
}

/* An observer pauses the launch right after the store to a word that it watches. */
START_TEST(observers_pause)
{
    stepped t;
    stepped_prepare(&t, "hand_on", 2);
    watcher w = { .t = &t,
                  .address = t.out + 4 * 300,
                  .observer = { .struct_size = sizeof(lw_observer), .after = stored, .decoded = sees } };
    const lw_observer *observers[] = { &w.observer };
    w.observer.context = &w;
    t.options.observers = observers;
    t.options.observer_count = 1;
    stepped_begin(&t);
    lw_session_ask(t.session); /* no step is under way */
    t.step.events = 1u << LW_PAUSE_ASKED;
    const lw_pause pause = stepped_step(&t);
    ck_assert_int_eq(pause.reason, LW_PAUSE_ASKED);
    ck_assert_uint_eq(pause.workgroup[0], 1);
    ck_assert_uint_eq(pause.wave, 0);
    ck_assert_uint_eq(w.hits, 1);
    uint32_t slot[256], word;
    stepped_expect(t.rounds, 1, slot);
    ck_assert_int_eq(lw_memory_read(t.memory, w.address, &word, 4), LW_OK);
    ck_assert_uint_eq(word, slot[300 - 256]);
    lw_wave_stand stand;
    for (size_t i = 0; i < lw_session_wave_count(t.session); i++)
        if (lw_session_wave_at(t.session, i, &stand) && stand.wave == 0)
            ck_assert_uint_eq(stand.executed, w.at + 1);
    t.step.events = 0;
    ck_assert_int_eq(stepped_step(&t).reason, LW_PAUSE_ENDED);
    ck_assert_uint_eq(w.hits, 1);
    ck_assert_int_eq(lw_session_finish(t.session, NULL, NULL), LW_OK);
    stepped_done(&t);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("debugging");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, a_state_is_its_number, 0, 2);
    tcase_add_test(tc, observers_pause);
    return run_suite("machine_debugging", tc);
}
