/* SPDX-License-Identifier: MIT */
/* Programs loaded into a memory: globals, several modules, code that is decoded once, memory that is
 * released. */
#include <time.h>

#include <lanewise/module.h>

#include "machine/fixture.h"

typedef struct placed {
    lw_program *program;
    lw_memory *memory;
    lw_module *module;
    uint64_t out;
    uint32_t *host;
    lw_error error;
} placed;

static void place(placed *p, const char *object)
{
    memset(p, 0, sizeof(*p));
    const lw_status status = lw_program_load_file(object, NULL, &p->program, &p->error);
    ck_assert_msg(status == LW_OK, "%s", p->error.text);
    ck_assert_int_eq(lw_memory_create(&p->memory), LW_OK);
    ck_assert_int_eq(lw_memory_allocate(p->memory, "out", 4096, LW_ACCESS_READ_WRITE, &p->out, NULL), LW_OK);
    p->host = lw_memory_host(p->memory, p->out, 4096);
    ck_assert_msg(lw_module_load(p->memory, p->program, &p->module, &p->error) == LW_OK, "%s", p->error.text);
}

static void displace(placed *p)
{
    lw_module_unload(p->module);
    lw_program_free(p->program);
    lw_memory_free(p->memory);
}

/* Launches `kernel`, whose one argument is `out`, on one wave. */
static lw_status launch(placed *p, lw_module *module, const char *kernel)
{
    lw_launch_options o = lw_launch_options_default();
    const lw_arg arg = { NULL, &p->out, 8, true };
    ck_assert_int_eq(lw_program_find(p->program, kernel, &o.kernel, NULL), LW_OK);
    o.module = module;
    if (!module) {
        o.program = p->program;
        o.memory = p->memory;
    }
    o.grid[0] = 1;
    o.block[0] = 64;
    o.args = &arg;
    o.arg_count = 1;
    return lw_launch(&o, NULL, &p->error);
}

/* Workgroups that ask by atomics for a lock which nobody gives back, in code that is not optimised: what an
 * atomic finds and writes again is no change that another may wait for, even while that one is not compared.
 */
START_TEST(lock_of_a_grid)
{
    enum { GROUPS = 48, BUDGET = 1000000 };
    placed p;
    lw_launch_result *result = NULL;
    place(&p, OBJECTS "/locks.co");
    p.host[0] = 1;
    lw_launch_options o = lw_launch_options_default();
    const lw_arg arg = { NULL, &p.out, 8, true };
    o.module = p.module;
    o.grid[0] = GROUPS;
    o.block[0] = 64;
    o.budget = BUDGET;
    o.args = &arg;
    o.arg_count = 1;
    ck_assert_int_eq(lw_program_find(p.program, "ask", &o.kernel, NULL), LW_OK);
    ck_assert_int_eq(lw_launch(&o, &result, &p.error), LW_E_LIVELOCK);
    ck_assert_uint_lt(result->instructions, GROUPS * BUDGET / 2);
    lw_launch_result_free(result);
    /* what another group changes by an atomic while it is not compared does count */
    p.host[0] = 0;
    o.grid[0] = 2;
    ck_assert_int_eq(lw_program_find(p.program, "answer", &o.kernel, NULL), LW_OK);
    ck_assert_msg(lw_launch(&o, NULL, &p.error) == LW_OK, "%s", p.error.text);
    ck_assert_uint_eq(p.host[0], 2);
    displace(&p);
}
END_TEST

/* Globals keep their values from launch to launch, are found by name, and belong to this module only. */
START_TEST(globals)
{
    static const uint32_t table[4] = { 10, 20, 30, 40 };
    placed p;
    place(&p, OBJECTS "/module.co");
    lw_module *second;
    ck_assert_int_eq(lw_module_load(p.memory, p.program, &second, NULL), LW_OK);
    uint64_t address, size, other;
    ck_assert_int_eq(lw_module_symbol(p.module, "counter", &address, &size, NULL), LW_OK);
    ck_assert_uint_eq(size, 4);
    ck_assert_int_eq(lw_module_symbol(second, "counter", &other, NULL, NULL), LW_OK);
    ck_assert_uint_ne(address, other);
    for (uint32_t n = 1; n <= 3; n++) {
        uint32_t counter;
        ck_assert_int_eq(launch(&p, p.module, "count"), LW_OK);
        ck_assert_uint_eq(p.host[0], n + table[n & 3]);
        ck_assert_int_eq(lw_memory_read(p.memory, address, &counter, 4), LW_OK);
        ck_assert_uint_eq(counter, n);
    }
    const uint32_t forty = 40;
    ck_assert_int_eq(lw_memory_write(p.memory, address, &forty, 4), LW_OK);
    ck_assert_int_eq(launch(&p, p.module, "count"), LW_OK);
    ck_assert_uint_eq(p.host[0], 41 + table[41 & 3]);
    ck_assert_int_eq(launch(&p, second, "count"), LW_OK);
    ck_assert_uint_eq(p.host[0], 1 + table[1]);
    /* a launch of the program alone begins anew each time */
    for (int n = 0; n < 2; n++) {
        ck_assert_int_eq(launch(&p, NULL, "count"), LW_OK);
        ck_assert_uint_eq(p.host[0], 1 + table[1]);
    }
    ck_assert_int_eq(lw_module_symbol(p.module, "nothing", &address, &size, &p.error), LW_E_NOT_FOUND);
    ck_assert_str_eq(p.error.text, "the module has no symbol \"nothing\"");
    lw_module_unload(second);
    displace(&p);
}
END_TEST

/* Unloading frees addresses and the memory limit; the next module gets the same place. */
START_TEST(unloading)
{
    placed p;
    place(&p, OBJECTS "/module.co");
    uint64_t first, again;
    const size_t regions = lw_memory_count(p.memory);
    ck_assert_int_eq(lw_module_symbol(p.module, "count", &first, NULL, NULL), LW_OK);
    for (int i = 0; i < 1000; i++) {
        lw_module_unload(p.module);
        ck_assert_uint_eq(lw_memory_count(p.memory), 1);
        ck_assert_int_eq(lw_module_load(p.memory, p.program, &p.module, &p.error), LW_OK);
    }
    ck_assert_uint_eq(lw_memory_count(p.memory), regions);
    ck_assert_int_eq(lw_module_symbol(p.module, "count", &again, NULL, NULL), LW_OK);
    ck_assert_uint_eq(first, again);
    ck_assert_int_eq(launch(&p, p.module, "count"), LW_OK);

    lw_module *refused;
    ck_assert_int_eq(lw_memory_set_limit(p.memory, 10000), LW_OK);
    ck_assert_int_eq(lw_module_load(p.memory, p.program, &refused, &p.error), LW_E_NO_MEMORY);
    ck_assert_ptr_nonnull(strstr(p.error.text, "the memory limit of 10000 bytes leaves"));
    displace(&p);
}
END_TEST

/* A kernel cannot store into code; a launch refuses a module of another memory. */
START_TEST(refusals)
{
    placed p;
    place(&p, OBJECTS "/module.co");
    ck_assert_int_eq(lw_module_symbol(p.module, "count", &p.out, NULL, NULL), LW_OK);
    ck_assert_int_eq(launch(&p, p.module, "count"), LW_E_FAULT);
    ck_assert_ptr_nonnull(strstr(p.error.text, "in read-only allocation \"program code\""));
    ck_assert_msg(strstr(p.error.text, "module.hip:1") != NULL, "%s", p.error.text);

    lw_memory *other;
    ck_assert_int_eq(lw_memory_create(&other), LW_OK);
    lw_launch_options o = lw_launch_options_default();
    o.module = p.module;
    o.memory = other;
    ck_assert_int_eq(lw_launch(&o, NULL, &p.error), LW_E_ARGUMENT);
    ck_assert_str_eq(p.error.text, "the launch's program or memory is not that of the module it names");
    lw_memory_free(other);
    displace(&p);
}
END_TEST

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* 64 MiB of code cost nothing once they are loaded: 12 instructions take far less than a millisecond. */
START_TEST(large_code)
{
    placed p;
    place(&p, OBJECTS "/large.hipfb");
    double best = 1;
    for (int i = 0; i < 100; i++) {
        const double start = seconds();
        ck_assert_int_eq(launch(&p, p.module, "small"), LW_OK);
        const double took = seconds() - start;
        best = i && took < best ? took : best;
    }
    for (uint32_t i = 0; i < 64; i++)
        ck_assert_uint_eq(p.host[i], ((i + 5) * 3 ^ 1) + i);
    ck_assert_msg(best < 1e-3, "%g s", best);
    displace(&p);
}
END_TEST

/* Accesses to memory that was released fault, its bytes no longer count, and its neighbours stay. */
START_TEST(release)
{
    placed p;
    place(&p, OBJECTS "/module.co");
    uint64_t more, host_address;
    static uint32_t mine[16];
    ck_assert_int_eq(lw_memory_set_limit(p.memory, 1 << 20), LW_OK);
    for (int i = 0; i < 100; i++) {
        ck_assert_int_eq(lw_memory_allocate(p.memory, "more", 1 << 19, LW_ACCESS_READ_WRITE, &more, NULL),
                         LW_OK);
        ck_assert_int_eq(lw_memory_release(p.memory, more, NULL), LW_OK);
    }
    ck_assert_int_eq(lw_memory_release(p.memory, more, &p.error), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_memory_release(p.memory, p.out + 4, &p.error), LW_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(p.error.text, "no allocation begins at address 0x"));
    ck_assert_int_eq(lw_memory_register(p.memory, "mine", mine, sizeof(mine), LW_ACCESS_READ_WRITE, NULL),
                     LW_OK);
    host_address = (uint64_t)(uintptr_t)mine;
    ck_assert_int_eq(lw_memory_release(p.memory, host_address, NULL), LW_OK);
    ck_assert_ptr_null(lw_memory_host(p.memory, host_address, 4));
    uint64_t counter;
    ck_assert_int_eq(lw_module_symbol(p.module, "counter", &counter, NULL, NULL), LW_OK);
    for (size_t i = 0; i < lw_memory_count(p.memory); i++) {
        lw_allocation a;
        ck_assert(lw_memory_at(p.memory, i, &a));
        if (a.address < p.out) /* a caller cannot release what modules have mapped */
            ck_assert_int_eq(lw_memory_release(p.memory, a.address, NULL), LW_E_ARGUMENT);
    }
    ck_assert_int_eq(launch(&p, p.module, "count"), LW_OK);
    ck_assert_int_eq(lw_memory_release(p.memory, p.out, NULL), LW_OK);
    ck_assert_int_eq(launch(&p, p.module, "count"), LW_E_FAULT);
    displace(&p);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("module");
    tcase_add_test(tc, globals);
    tcase_add_test(tc, lock_of_a_grid);
    tcase_add_test(tc, unloading);
    tcase_add_test(tc, refusals);
    tcase_add_test(tc, large_code);
    tcase_add_test(tc, release);
    return run_suite("machine_module", tc);
}
