/* SPDX-License-Identifier: MIT */
/*
 * The fast forms of handlers, compared with the handlers on a hand-made warp: each instruction below with
 * random operands (which may be the same registers, or constants), random and special values, and all or some
 * of the lanes, for every instruction set of the host. The result is every register, predicate and byte of
 * memory afterwards, and whether there was a fault.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/module.h>

#include "emu/device/session.h"
#include "emu/fast/fp16.h"
#include "emu/ptx/fast/forms.h"
#include "emu/ptx/handlers.h"

enum {
    ROWS = 96,
    PREDICATES = 8,
    SHARED = 2048,
    GLOBAL = 4096,
    VARIANTS = 10,
    ROUNDS = 24,
    PARAM = 32,
};

/*
 * Letters of operands: d a result and r a source of 32 bits, D and R of 64, h and H of 16 (H a result), p a
 * source predicate, q a result, s an address in shared memory, g one in global memory; f and F are sources
 * and results of f32; c a count.
 */
static const char *const templates[] = {
    "add.u32 d,r,r",
    "add.s32 d,r,r",
    "add.s64 D,R,R",
    "sub.s32 d,r,r",
    "sub.u64 D,R,R",
    "mul.lo.s32 d,r,r",
    "mul.hi.u32 d,r,r",
    "mul.hi.s32 d,r,r",
    "mul.lo.u64 D,R,R",
    "mul.wide.u32 D,r,r",
    "mul.wide.s32 D,r,r",
    "mad.lo.s32 d,r,r,r",
    "mad.wide.u32 D,r,r,R",
    "mad.wide.s32 D,r,r,R",
    "mad.lo.s64 D,R,R,R",
    "min.u32 d,r,r",
    "min.s32 d,r,r",
    "max.u32 d,r,r",
    "max.s32 d,r,r",
    "neg.s32 d,r",
    "abs.s32 d,r",
    "and.b32 d,r,r",
    "or.b32 d,r,r",
    "xor.b32 d,r,r",
    "not.b32 d,r",
    "and.b64 D,R,R",
    "or.b64 D,R,R",
    "xor.b64 D,R,R",
    "shl.b32 d,r,c",
    "shr.u32 d,r,c",
    "shr.s32 d,r,c",
    "shl.b64 D,R,c",
    "shr.u64 D,R,c",
    "shr.s64 D,R,c",
    "cvta.shared.u64 D,R",
    "cvta.to.shared.u64 D,R",
    "cvta.to.global.u64 D,R",
    "cvt.u64.u32 D,r",
    "cvt.s64.s32 D,r",
    "cvt.u32.u64 d,R",
    "cvt.u32.s32 d,r",
    "setp.eq.s32 q,r,r",
    "setp.ne.u32 q,r,r",
    "setp.lt.s32 q,r,r",
    "setp.lt.u32 q|q,r,r",
    "setp.ge.u32 q,r,r",
    "setp.gt.and.s32 q,r,r,p",
    "setp.le.or.u32 q,r,r,p",
    "setp.hi.xor.u32 q,r,r,p",
    "setp.eq.b64 q,R,R",
    "setp.lt.s64 q,R,R",
    "setp.gt.u64 q,R,R",
    "setp.le.u64 q,R,R",
    "setp.ne.s64 q,R,R",
    "selp.b32 d,r,r,p",
    "selp.f32 d,f,f,p",
    "selp.b64 D,R,R,p",
    "add.f32 F,f,f",
    "add.ftz.f32 F,f,f",
    "sub.f32 F,f,f",
    "sub.ftz.f32 F,f,f",
    "mul.f32 F,f,f",
    "mul.ftz.f32 F,f,f",
    "fma.rn.f32 F,f,f,f",
    "fma.rn.ftz.f32 F,f,f,f",
    "min.f32 F,f,f",
    "max.f32 F,f,f",
    "min.ftz.f32 F,f,f",
    "max.ftz.f32 F,f,f",
    "neg.f32 F,f",
    "abs.f32 F,f",
    "ex2.approx.f32 F,f",
    "lg2.approx.f32 F,f",
    "sin.approx.f32 F,f",
    "cos.approx.ftz.f32 F,f",
    "tanh.approx.f32 F,f",
    "rsqrt.approx.f32 F,f",
    "rcp.approx.ftz.f32 F,f",
    "rcp.rn.f32 F,f",
    "rcp.rm.ftz.f32 F,f",
    "sqrt.approx.f32 F,f",
    "sqrt.rn.f32 F,f",
    "sqrt.rz.ftz.f32 F,f",
    "sqrt.rm.f32 F,f",
    "cvt.rn.f32.s32 F,r",
    "cvt.f32.f16 F,h",
    "cvt.f32.bf16 F,h",
    "cvt.rn.f16.f32 H,f",
    "cvt.rn.f16x2.f32 d,f,f",
    "setp.eq.f32 q,f,f",
    "setp.neu.f32 q,f,f",
    "setp.lt.ftz.f32 q,f,f",
    "setp.ge.f32 q|q,f,f",
    "setp.gtu.f32 q,f,f",
    "setp.ltu.f32 q,f,f",
    "setp.leu.f32 q,f,f",
    "setp.geu.f32 q,f,f",
    "setp.equ.f32 q,f,f",
    "setp.nan.f32 q,f,f",
    "setp.num.f32 q,f,f",
    "setp.leu.and.f32 q,f,f,p",
    "ld.shared.b32 d,[s+4]",
    "ld.shared.u32 d,[s]",
    "ld.shared.b64 D,[s+8]",
    "ld.shared.v2.b32 {d,d},[s]",
    "ld.shared.v4.b32 {d,d,d,d},[s+16]",
    "ld.shared.v2.b64 {D,D},[s]",
    "ld.shared.u8 d,[s+3]",
    "ld.shared.s8 d,[s]",
    "ld.shared.u16 d,[s+2]",
    "ld.shared.s16 d,[s]",
    "ld.shared.b16 H,[s]",
    "ld.global.b32 d,[g]",
    "ld.global.b64 D,[g+-8]",
    "ld.global.v4.b32 {d,d,d,d},[g]",
    "ld.b32 d,[g]",
    "ld.global.nc.v2.b64 {D,D},[g+16]",
    "ld.global.s8 d,[g+1]",
    "ld.global.u16 d,[g]",
    "st.shared.b32 [s],r",
    "st.shared.b64 [s],R",
    "st.shared.v4.b32 [s+16],{r,r,r,r}",
    "st.shared.v2.b32 [s],{r,r}",
    "st.shared.b8 [s+1],r",
    "st.shared.b16 [s],h",
    "st.global.b32 [g],r",
    "st.global.v2.b64 [g],{R,R}",
    "st.global.v4.b32 [g],{r,r,r,r}",
    "st.global.b16 [g+2],h",
    "st.b64 [g],R",
    "ld.param.b32 d,[k+4]",
    "ld.param.b64 D,[k+8]",
    "ld.param.v2.b32 {d,d},[k+16]",
    "ld.shared.b32 d,[fixed+8]",
};
enum { TEMPLATES = sizeof(templates) / sizeof(templates[0]) };

static uint64_t state;

static uint32_t next(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33 ^ state >> 15);
}

static uint32_t below(uint32_t n)
{
    return next() % n;
}

static uint32_t nasty(void)
{
    static const uint32_t special[] = { 0,          1,          2,          31,         32,
                                        33,         63,         64,         0x7fffffff, 0x80000000,
                                        0xffffffff, 0x80000001, 0x7f800000, 0xff800000, 0x7fc00000,
                                        0x7f800001, 0xffc00001, 0x00800000, 0x007fffff, 0x80000001,
                                        0x3f800000, 0xbf800000, 0x33800000, 0x477fe000, 0x477ff000,
                                        0x7c00,     0x7e00,     0x0001,     0x83ff,     0x7f7fffff,
                                        0x3f7fffff, 0x00000003, 0x38800000, 0x387fffff };
    switch (below(4)) {
    case 0:
        return special[below(sizeof(special) / sizeof(special[0]))];
    case 1: /* a number whose exponent is near those of others */
        return (next() & 0x807fffffu) | (120 + below(16)) << 23;
    default:
        return next() << 16 ^ next();
    }
}

/* ---- The module's text: each template several times ---- */

static size_t put_operand(char *to, char letter)
{
    const bool constant = below(5) == 0;
    switch (letter) {
    case 'd':
    case 'F':
        return (size_t)sprintf(to, "%%r%u", below(6));
    case 'r':
        return (size_t)(constant ? sprintf(to, "0x%x", nasty()) : sprintf(to, "%%r%u", below(6)));
    case 'c':
        return (size_t)(constant ? sprintf(to, "%u", below(70)) : sprintf(to, "%%r%u", below(6)));
    case 'f':
        return (size_t)(constant ? sprintf(to, "0f%08X", nasty()) : sprintf(to, "%%r%u", below(6)));
    case 'D':
        return (size_t)sprintf(to, "%%rd%u", below(4));
    case 'R':
        return (size_t)(constant ? sprintf(to, "0x%x%08x", nasty() & 0x7fffffff, nasty())
                                 : sprintf(to, "%%rd%u", below(4)));
    case 'h':
    case 'H':
        return (size_t)sprintf(to, "%%h%u", below(3));
    case 'p':
        return (size_t)sprintf(to, "%s%%p%u", below(2) ? "!" : "", below(4));
    case 'q':
        return (size_t)sprintf(to, "%%p%u", below(4));
    case 's':
        return (size_t)sprintf(to, "%%a");
    case 'g':
        return (size_t)sprintf(to, "%%ga");
    case 'k':
        return (size_t)sprintf(to, "given");
    default:
        to[0] = letter;
        return 1;
    }
}

static size_t put_insn(char *to, const char *form)
{
    const char *at = strchr(form, ' ') + 1;
    size_t used = (size_t)sprintf(to, "%.*s", (int)(at - form), form);
    for (; *at; at++) {
        if (strncmp(at, "fixed", 5) == 0) {
            used += (size_t)sprintf(to + used, "fixed");
            at += 4;
        } else {
            used += put_operand(to + used, *at);
        }
    }
    return used + (size_t)sprintf(to + used, ";\n");
}

static char *make_text(size_t *count)
{
    char *text = malloc((size_t)TEMPLATES * VARIANTS * 120 + 1000);
    size_t used = (size_t)sprintf(text,
                                  ".version 8.5\n.target sm_90\n.address_size 64\n"
                                  ".visible .entry e(.param .align 8 .b8 given[%d]) {\n"
                                  ".reg .b32 %%r<6>; .reg .b32 %%a; .reg .b64 %%rd<4>; .reg .b64 %%ga;\n"
                                  ".reg .b16 %%h<3>; .reg .pred %%p<4>; .shared .b8 fixed[%d];\n",
                                  PARAM, SHARED);
    *count = 0;
    for (size_t i = 0; i < TEMPLATES; i++)
        for (int v = 0; v < VARIANTS; v++, ++*count)
            used += put_insn(text + used, templates[i]);
    sprintf(text + used, "ret;\n}\n");
    return text;
}

/* ---- The world: a warp of a session that was never launched ---- */

typedef struct world {
    lw_session session;
    lw_worker worker;
    lw_group group;
    lw_ptx_warp warp;
    lw_ptx_launch launch;
    lw_fault fault;
    lw_program *program;
    lw_memory *memory;
    lw_module *module;
    lw_ptx_function function; /* of the launch */
    uint64_t global;
    uint8_t params[PARAM], *host;
} world;

typedef struct snapshot {
    uint32_t rows[ROWS * LW_PTX_LANES], predicates[PREDICATES];
    uint8_t shared[SHARED], global[GLOBAL];
    lw_ptx_step step;
    char reason[200];
} snapshot;

static _Alignas(64) uint8_t shared_bytes[SHARED + 64];
static _Alignas(64) uint32_t warp_rows[ROWS * LW_PTX_LANES];
static uint32_t warp_predicates[PREDICATES];

static void open_world(world *x, const char *text)
{
    lw_error error = { "" };
    memset(x, 0, sizeof(*x));
    ck_assert_msg(lw_program_load(text, strlen(text), NULL, &x->program, &error) == LW_OK, "%s", error.text);
    ck_assert_int_eq(lw_memory_create(&x->memory), LW_OK);
    ck_assert_int_eq(lw_memory_allocate(x->memory, "data", GLOBAL, LW_ACCESS_READ_WRITE, &x->global, &error),
                     LW_OK);
    x->host = lw_memory_host(x->memory, x->global, GLOBAL);
    ck_assert_msg(lw_module_load(x->memory, x->program, &x->module, &error) == LW_OK, "%s", error.text);
    x->session.module = x->module;
    x->session.memory = x->memory;
    x->session.ranks = 1;
    x->session.own = &x->launch;
    x->launch.module = x->program->ptx;
    x->function = *lw_ptx_function_at(x->program->ptx, 0);
    x->launch.function = &x->function;
    x->launch.params = x->params;
    x->launch.rows = ROWS;
    ck_assert_uint_le(x->function.rows, ROWS);
    ck_assert_uint_le(x->function.predicates, PREDICATES);
    x->worker.session = &x->session;
    x->worker.view.memory = x->memory;
    ck_assert(lw_counts_open(&x->worker.counts, &x->module->code));
    x->group.session = &x->session;
    x->group.worker = &x->worker;
    x->group.lds = shared_bytes;
    x->group.lds_size = SHARED;
    x->warp.head.group = &x->group;
    x->warp.head.fault = &x->fault;
    x->warp.rows = warp_rows;
    x->warp.predicates = warp_predicates;
    x->warp.active = x->warp.live = UINT32_MAX;
    for (size_t i = 0; i < PARAM; i++)
        x->params[i] = (uint8_t)next();
}

static void close_world(world *x)
{
    lw_counts_close(&x->worker.counts);
    lw_module_unload(x->module);
    lw_memory_free(x->memory);
    lw_program_free(x->program);
}

static const lw_ptx_record *record_at(world *x, size_t number)
{
    bool no_memory;
    const lw_code *code = &x->module->code;
    x->warp.head.pc = code->base + number;
    ck_assert(
        lw_code_turn(&x->module->code, &x->worker.counts, x->warp.head.pc, &x->worker.cursor, &no_memory));
    const lw_ptx_record *r = lw_ptx_fetch(&x->worker, &x->warp);
    ck_assert_msg(r != NULL, "instruction %zu: %s", number, x->fault.reason);
    return r;
}

/* In line, at a distance, or anywhere; now and then one lane is misplaced. */
static uint64_t place_of(unsigned lane, unsigned way, uint32_t base, uint32_t size)
{
    const uint32_t mostly = size - 64;
    return way == 0   ? (base + lane * 4) % mostly / 4 * 4
           : way == 1 ? (base + lane * 16) % mostly / 16 * 16
           : way == 2 ? (base + lane * 8) % mostly / 8 * 8
           : way == 3 ? (base + lane * 48) % mostly / 16 * 16
           : way == 4 ? base % mostly / 16 * 16
                      : below(mostly) / 16 * 16;
}

static void fill(world *x, const lw_ptx_record *r)
{
    const unsigned way = below(6);
    const uint32_t base = below(4) ? 0 : below(256);
    for (size_t i = 0; i < ROWS * LW_PTX_LANES; i++)
        warp_rows[i] = nasty();
    for (size_t i = 0; i < PREDICATES; i++)
        warp_predicates[i] = next() << 16 ^ next();
    for (size_t i = 0; i < SHARED; i++)
        shared_bytes[i] = (uint8_t)next();
    for (size_t i = 0; i < GLOBAL; i++)
        x->host[i] = (uint8_t)next();
    if (r->address.kind != LW_PTX_SOURCE_REGISTER)
        return;
    uint32_t *row = warp_rows + (size_t)r->address.slot * LW_PTX_LANES;
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        const bool wide = r->address.bits == 64;
        uint64_t at = place_of(lane, way, base, wide ? GLOBAL : SHARED) + (wide ? x->global : 0) + 16;
        if (below(400) == 0)
            at += below(2) ? 1 : 100000;
        row[lane] = (uint32_t)at;
        if (wide)
            row[LW_PTX_LANES + lane] = (uint32_t)(at >> 32);
    }
}

static void keep(const world *x, snapshot *s)
{
    memcpy(s->rows, warp_rows, sizeof(warp_rows));
    memcpy(s->predicates, warp_predicates, sizeof(warp_predicates));
    memcpy(s->shared, shared_bytes, SHARED);
    memcpy(s->global, x->host, GLOBAL);
}

static void restore(world *x, const snapshot *s)
{
    memcpy(warp_rows, s->rows, sizeof(warp_rows));
    memcpy(warp_predicates, s->predicates, sizeof(warp_predicates));
    memcpy(shared_bytes, s->shared, SHARED);
    memcpy(x->host, s->global, GLOBAL);
}

static void run(world *x, const lw_ptx_record *r, lw_ptx_exec *exec, uint32_t lanes, snapshot *after)
{
    memset(after, 0, sizeof(*after));
    x->fault.reason[0] = '\0';
    after->step = exec(&x->warp, r, lanes);
    snprintf(after->reason, sizeof(after->reason), "%s", x->fault.reason);
    keep(x, after);
}

static uint32_t some_lanes(void)
{
    const uint32_t kind = below(6);
    return kind < 3 ? UINT32_MAX : kind == 3 ? next() << 16 ^ next() : kind == 4 ? 1u << below(32) : 0;
}

static void say_difference(const char *text, lw_fast_isa isa, uint32_t lanes, const snapshot *a,
                           const snapshot *b)
{
    for (size_t i = 0; i < ROWS * LW_PTX_LANES; i++)
        ck_assert_msg(a->rows[i] == b->rows[i], "%s, set %d, lanes %08x: row %zu lane %zu is %08x, not %08x",
                      text, (int)isa, lanes, i / LW_PTX_LANES, i % LW_PTX_LANES, b->rows[i], a->rows[i]);
    ck_assert_msg(a->step == b->step && strcmp(a->reason, b->reason) == 0, "%s: %s against %s", text,
                  b->reason, a->reason);
    ck_abort_msg("%s, set %d, lanes %08x: predicates or memory differ", text, (int)isa, lanes);
}

static bool compare(world *x, const lw_ptx_record *r, lw_fast_isa isa, const char *text)
{
    static snapshot before, general, form;
    lw_ptx_record own = *r;
    own.hot = (lw_ptx_hot){ .exec = NULL };
    lw_ptx_hot_prepare(isa, &own);
    if (own.hot.exec == r->handler->exec)
        return false;
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t lanes = some_lanes();
        fill(x, r);
        keep(x, &before);
        run(x, &own, r->handler->exec, lanes, &general);
        restore(x, &before);
        run(x, &own, own.hot.exec, lanes, &form);
        if (memcmp(&general, &form, sizeof(form)) != 0)
            say_difference(text, isa, lanes, &general, &form);
    }
    return true;
}

START_TEST(forms_compute_what_handlers_compute)
{
    static world x;
    lw_fast_isa host;
    size_t count, forms = 0;
    ck_assert_int_eq(lw_fast_isa_choose(&host, NULL), LW_OK);
    state = (uint64_t)_i * 7919 + 1;
    char *text = make_text(&count);
    open_world(&x, text);
    for (size_t i = 0; i < count; i++) {
        const lw_ptx_record *r = record_at(&x, i);
        const char *form = templates[i / VARIANTS];
        bool some = false;
        for (int isa = 0; isa <= (int)host && isa < LW_FAST_PANEL_ISAS; isa++)
            some = compare(&x, r, (lw_fast_isa)isa, form) || some;
        forms += some;
        ck_assert_msg(some || strstr(form, "fma") || strstr(form, "{") || strstr(form, "cvt") ||
                          strstr(form, "ld"),
                      "%s has no form", form);
    }
    ck_assert_msg(forms * 100 >= count * 97, "%zu of %zu instructions have a form", forms, count);
    close_world(&x);
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ptx_forms");
    TCase *cases = tcase_create("forms");
    tcase_set_timeout(cases, 120);
    tcase_add_loop_test(cases, forms_compute_what_handlers_compute, 0, 2);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
