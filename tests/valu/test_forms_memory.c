/* SPDX-License-Identifier: MIT */
/*
 * Every fast form of a memory instruction compared with the general handler that it replaces: registers,
 * memory, LDS, scratch, faults, and all records: changes, watched bytes, marks of stores, accesses outside
 * LDS, and those that observers see.
 */
#include <check.h>
#include <stdio.h>

#include "tests/valu/memory_world.h"

enum { ROUNDS = 120, MOST_ACCESSES = 512 };

static world before, general, form;
static unsigned taken, fell_back, noted, runs;
static lw_exec_fn real;
static lw_access_log seen[2]; /* what observers see: of the general handler, of a form */
static bool arrived;          /* the general handler's copy to LDS, if it made one */

static lw_step counted(lw_wave *w, const lw_decoded *in)
{
    fell_back++;
    return real(w, in);
}

/* NULL: no longer. */
static void watch_accesses(world *own, lw_access_log *log)
{
    own->k.w.head.log = log;
    if (log)
        log->count = 0;
}

/* A wave and its memory, and the result of the general handler on them. */
static lw_step prepare(forms_case *c, uint64_t seed)
{
    const bool watched = seed % 4 == 0, repeating = seed % 16 == 1;
    real = lw_handler_of(c->row, c->arch);
    world_fill(&before, c->arch, seed, watched, repeating);
    world_aim(&before, &c->in);
    c->in.pc = before.k.w.head.pc;
    world_copy(&general, &before);
    if (watched) {
        world_together(&general);
        (void)real(&general.k.w, &c->in);
        world_return(&general, &before);
    }
    watch_accesses(&general, seed % 3 == 0 ? &seen[0] : NULL);
    const lw_step step = real(&general.k.w, &c->in);
    arrived = world_arrive(&general);
    watch_accesses(&general, NULL);
    return step;
}

static int by_lane(const void *one, const void *other)
{
    const lw_memory_access *a = one, *b = other;
    if (a->late != b->late || a->lane != b->lane)
        return a->late != b->late ? a->late - b->late : a->lane - b->lane;
    if (a->store != b->store || a->space != b->space)
        return a->store != b->store ? a->store - b->store : (int)a->space - (int)b->space;
    return (a->address > b->address) - (a->address < b->address);
}

/* The accesses of a log, lane by lane; without those that are late, unless `late`. They are in the order of
 * the log unless it has runs. */
static size_t spread(const lw_access_log *log, bool late, bool sorted, lw_memory_access to[MOST_ACCESSES])
{
    size_t count = 0;
    for (size_t i = 0; i < log->count; i++) {
        lw_memory_access a = log->entries[i];
        const unsigned lanes = a.more + 1;
        ck_assert(log->runs || lanes == 1);
        runs += lanes > 1;
        a.more = 0;
        for (unsigned n = 0; n < lanes && (late || !a.late); n++, a.lane++, a.address += a.size) {
            ck_assert_uint_lt(count, MOST_ACCESSES);
            to[count++] = a;
        }
    }
    if (sorted)
        qsort(to, count, sizeof(*to), by_lane);
    return count;
}

/* Does an observer see the same accesses in the same order? With shorter lists, the same as far as it wants
 * to know. */
static bool same_accesses(void)
{
    static lw_memory_access all[2][MOST_ACCESSES];
    size_t count[2];
    for (unsigned i = 0; i < 2; i++)
        count[i] = spread(&seen[i], !seen[1].done, seen[1].runs, all[i]);
    bool same = count[0] == count[1];
    for (size_t i = 0; same && i < count[0]; i++) {
        const lw_memory_access *a = &all[0][i], *b = &all[1][i];
        same = a->lane == b->lane && a->space == b->space && a->load == b->load && a->store == b->store &&
               a->dropped == b->dropped && a->late == b->late && a->address == b->address &&
               a->size == b->size;
    }
    return same;
}

static void compare(lw_fast_isa isa, forms_case *c, lw_step expected, bool logged)
{
    static const char *const names[] = { "portable", "avx2", "avx512", "avx512fp16" };
    lw_hot hot;
    char where[160] = "", text[200];
    c->in.exec = real;
    const bool notes = lw_hot_prepare(isa, &c->in, &hot) && logged;
    if (hot.fn == lw_hot_general)
        return;
    taken++;
    world_copy(&form, &before);
    /* The instruction was executed at this place before, with its first lane where it is now and the others
     * elsewhere. */
    if (before.watched) {
        world_together(&form);
        (void)hot.fn(&form.k.w, &hot);
        world_return(&form, &before);
    }
    c->in.exec = counted;
    seen[1].runs = taken & 1;
    seen[1].done = taken & 2;
    watch_accesses(&form, notes ? &seen[1] : NULL);
    const lw_step step = hot.fn(&form.k.w, &hot);
    const bool here = world_arrive(&form);
    watch_accesses(&form, NULL);
    noted += notes && seen[1].count;
    lw_amdgpu_text(c->arch, &c->in, text, sizeof(text));
    ck_assert_msg(step == expected, "%s %s: step %d, form %d (%s | %s)", names[isa], text, expected, step,
                  general.k.fault.reason, form.k.fault.reason);
    ck_assert_msg(!notes || same_accesses(), "%s %s: observers see other accesses (%zu, %zu)", names[isa],
                  text, seen[0].count, seen[1].count);
    ck_assert_msg(here == arrived, "%s %s: one copy arrived, the other did not", names[isa], text);
    ck_assert_msg(world_same(&general, &form, where, sizeof(where)), "%s %s, exec %llx, watched %d: %s",
                  names[isa], text, (unsigned long long)lw_wave_exec(&general.k.w), before.watched, where);
}

static bool is_memory(const lw_op_row *row, lw_arch arch)
{
    const bool here = row->enc == LW_ENC_DS || row->enc == LW_ENC_FLAT || row->enc == LW_ENC_MUBUF;
    const lw_hot_forms *group;
    for (size_t n = 0; here && lw_op_code(row, arch) >= 0 && (group = lw_hot_group(LW_FAST_PORTABLE, n)); n++)
        for (size_t i = 0; i < group->count; i++)
            if (group->forms[i].general == lw_handler_of(row, arch))
                return true;
    return false;
}

static void compare_all(lw_arch arch)
{
    lw_fast_isa host;
    ck_assert_int_eq(lw_fast_isa_choose(&host, NULL), LW_OK);
    world_open(&before);
    world_open(&general);
    world_open(&form);
    kit chooser;
    chooser.seed = 0;
    kit_reset(&chooser, arch);
    for (unsigned op = 0; op < LW_OP_COUNT; op++) {
        if (!is_memory(&lw_op_rows[op], arch))
            continue;
        forms_case c;
        taken = fell_back = 0;
        for (unsigned round = 0; round < ROUNDS && forms_random(&chooser, arch, &lw_op_rows[op], &c);
             round++) {
            const uint64_t seed = kit_random(&chooser);
            if (c.row->flags & LW_OPF_OFF2)
                c.in.offset &= 0x0303; /* otherwise hardly any pair would be within LDS */
            const lw_step expected = prepare(&c, seed);
            for (int isa = 0; isa <= (int)host; isa++)
                compare((lw_fast_isa)isa, &c, expected, seed % 3 == 0);
        }
        ck_assert_msg(taken == 0 || fell_back < taken * 9 / 10, "%s: %u of %u fell back", lw_op_rows[op].name,
                      fell_back, taken);
        const bool half = c.in.dst.flags & (LW_OPND_F_HALF | LW_OPND_F_KEEP); /* general handlers only */
        const bool odd = c.in.lds && c.row->bytes != 4 && c.row->bytes != 16; /* the same */
        ck_assert_msg(taken >= ROUNDS / 20 || half || odd || !lw_hot_group(LW_FAST_PORTABLE, 0),
                      "%s: a form took it %u times only", lw_op_rows[op].name, taken);
    }
    ck_assert_msg(runs > 100 || !lw_hot_group(LW_FAST_PORTABLE, 0), "only %u runs of lanes", runs);
    ck_assert_msg(noted > 1000 || !lw_hot_group(LW_FAST_PORTABLE, 0), "only %u with an observer", noted);
    for (unsigned i = 0; i < 2; i++) {
        free(seen[i].entries);
        seen[i] = (lw_access_log){ 0 };
    }
    world_close(&before);
    world_close(&general);
    world_close(&form);
}

START_TEST(forms_equal_handlers)
{
    static const lw_arch archs[] = { LW_ARCH_GFX942, LW_ARCH_GFX950, LW_ARCH_GFX1100 };
    compare_all(archs[_i]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("forms of memory");
    TCase *tcase = tcase_create("forms");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, forms_equal_handlers, 0, 3);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
