/* SPDX-License-Identifier: MIT */
/* The observer of uninitialised reads, told of LDS accesses by hand: what begins anew, what is not followed.
 */
#include "emu/amdgpu/machine.h"
#include "emu/device/report.h"
#include "machine/fixture.h"

typedef struct watched {
    lw_amd_group group;
    lw_wave wave;
    struct lw_event_state state;
    uint32_t poison;
    lw_event event;
    lw_uninit *check;
    const lw_observer *observer;
} watched;

static void watch(watched *w)
{
    memset(w, 0, sizeof(*w));
    w->poison = 0x7fc0dead;
    w->group.lds_size = 64;
    w->wave.group = &w->group;
    w->state.wave = &w->wave;
    w->event = (lw_event){ .kernel = "k",
                           .arch = LW_ARCH_GFX950,
                           .exec = UINT64_MAX,
                           .mnemonic = "ds_read_b32",
                           .poison = &w->poison,
                           .state = &w->state };
    ck_assert_int_eq(lw_uninit_create(&w->check), LW_OK);
    w->observer = lw_uninit_observer(w->check);
}

/* Workgroup `group` begins, on its one wave. */
static void begin(watched *w, uint32_t group)
{
    w->event.workgroup[0] = group;
    w->observer->wave_begin(w->observer->context, &w->event);
}

static void access_lds(watched *w, uint32_t group, bool store, uint64_t address)
{
    const lw_memory_access access = {
        .space = LW_SPACE_LDS, .load = !store, .store = store, .address = address, .size = 4
    };
    w->event.workgroup[0] = group;
    w->event.accesses = &access;
    w->event.access_count = 1;
    w->observer->after(w->observer->context, &w->event);
}

static uint64_t times(const watched *w)
{
    const lw_uninit_report *report = lw_uninit_at(w->check, 0);
    return report ? report->times : 0;
}

START_TEST(a_second_launch_begins_anew)
{
    watched w;
    watch(&w);
    begin(&w, 0);
    access_lds(&w, 0, true, 0);
    access_lds(&w, 0, false, 0);
    ck_assert_uint_eq(times(&w), 0);
    begin(&w, 0); /* the same workgroup of another launch */
    access_lds(&w, 0, false, 0);
    ck_assert_uint_eq(times(&w), 1);
    ck_assert_str_eq(lw_uninit_at(w.check, 0)->what, "LDS byte 0x0");
    lw_uninit_free(w.check);
}
END_TEST

START_TEST(an_interrupted_workgroup_is_left_alone)
{
    watched w;
    watch(&w);
    begin(&w, 0);
    access_lds(&w, 0, true, 8);
    begin(&w, 1);
    access_lds(&w, 0, false, 8); /* written, but its shadow is gone */
    access_lds(&w, 0, true, 16); /* must not count for workgroup 1 */
    ck_assert_uint_eq(times(&w), 0);
    access_lds(&w, 1, false, 16);
    ck_assert_uint_eq(times(&w), 1);
    lw_uninit_free(w.check);
}
END_TEST

/* A copy to LDS that is on its way has written nothing. */
START_TEST(copies_write_when_they_arrive)
{
    watched w;
    watch(&w);
    begin(&w, 0);
    lw_memory_access access = { .space = LW_SPACE_LDS, .store = true, .late = true, .address = 4, .size = 4 };
    w.event.accesses = &access;
    w.event.access_count = 1;
    w.observer->after(w.observer->context, &w.event);
    access_lds(&w, 0, false, 4);
    ck_assert_uint_eq(times(&w), 1);
    access.late = false;
    w.event.accesses = &access;
    w.observer->arrived(w.observer->context, &w.event);
    access_lds(&w, 0, false, 4);
    ck_assert_uint_eq(times(&w), 1);
    lw_uninit_free(w.check);
}
END_TEST

START_TEST(register_names)
{
    static const struct {
        lw_reg_file file;
        unsigned reg;
        const char *name;
    } rows[] = { { LW_FILE_VGPR, 17, "v17" },      { LW_FILE_AGPR, 0, "a0" },
                 { LW_FILE_SGPR, 4, "s4" },        { LW_FILE_SGPR, 107, "vcc_hi" },
                 { LW_FILE_SGPR, 124, "m0" },      { LW_FILE_SGPR, 111, "ttmp3" },
                 { LW_FILE_SGPR, 126, "exec_lo" }, { LW_FILE_SCC, 0, "scc" },
                 { LW_FILE_MODE, 0, "mode" } };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char text[LW_REGISTER_NAME];
        lw_register_name(rows[i].file, rows[i].reg, text);
        ck_assert_str_eq(text, rows[i].name);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("uninit");
    tcase_add_test(tc, a_second_launch_begins_anew);
    tcase_add_test(tc, an_interrupted_workgroup_is_left_alone);
    tcase_add_test(tc, copies_write_when_they_arrive);
    tcase_add_test(tc, register_names);
    return run_suite("machine_uninit", tc);
}
