/* SPDX-License-Identifier: MIT */
#include "runtime/device/device.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/device/settings.h"

enum { MOST_DEVICES = 64 };

static const rt_product products[] = {
#define PRODUCT(...) { __VA_ARGS__ },
#include "runtime/device/products.inc"
#undef PRODUCT
};

static struct {
    pthread_once_t once;
    int error;
    const rt_product *product;
    lw_arch arch;
    int devices;
    pid_t process;
    lw_memory *memory;
} state = { .once = PTHREAD_ONCE_INIT };

/* How `lanewise validate --device` knows that it is not asking a GPU. */
__attribute__((visibility("default"))) extern const char lanewise_standin[];
const char lanewise_standin[] = "lanewise";

static pthread_mutex_t memory_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int sticky;

void rt_say(const char *format, ...)
{
    char line[2400];
    va_list rest;
    va_start(rest, format);
    vsnprintf(line, sizeof(line), format, rest);
    va_end(rest);
    fflush(stdout); /* what the program printed comes first */
    fprintf(stderr, "lanewise: %s\n", line);
}

static const rt_product *product_of(const char *target)
{
    for (size_t i = 0; i < sizeof(products) / sizeof(products[0]); i++)
        if (strcmp(products[i].target, target) == 0)
            return &products[i];
    return NULL;
}

static int refuse(const char *name, const char *value, const char *why)
{
    rt_say("%s=%s: %s; no device is offered", name, value, why);
    return RT_NO_DEVICE;
}

static int choose_product(const char *wanted)
{
    lw_arch arch;
    const char *target = lw_arch_product(wanted);
    if (lw_arch_find(target ? target : wanted, &arch) != LW_OK)
        return refuse("LANEWISE_ARCH", wanted, "no such architecture or product");
    state.arch = arch;
    state.product = product_of(lw_arch_get(arch)->name);
    if (state.product && rt_is_nvidia() != (strncmp(rt_default_arch, "sm_", 3) == 0))
        return RT_NO_DEVICE; /* the other vendor's; programs look for both */
    if (!state.product)
        return refuse("LANEWISE_ARCH", wanted, "there is no stand-in for a device of this architecture");
    return RT_OK;
}

static int choose_count(const char *wanted)
{
    char *end;
    const long count = strtol(wanted, &end, 10);
    if (*end || end == wanted || count < 0 || count > MOST_DEVICES)
        return refuse("LANEWISE_DEVICES", wanted, "not a number from 0 to 64");
    state.devices = (int)count;
    return RT_OK;
}

static const char *setting(const char *name, const char *otherwise)
{
    const char *value = getenv(name);
    return value && *value ? value : otherwise;
}

static void start(void)
{
    state.process = getpid();
    state.error = choose_product(setting("LANEWISE_ARCH", rt_default_arch));
    if (state.error == RT_OK)
        state.error = choose_count(setting("LANEWISE_DEVICES", "1"));
    if (state.error == RT_OK && lw_memory_create(&state.memory) != LW_OK)
        state.error = RT_OUT_OF_MEMORY;
    if (state.error == RT_OK)
        state.error = rt_checks_choose(setting("LANEWISE_CHECK", ""));
    if (state.error == RT_OK)
        state.error = rt_readings_choose(setting("LANEWISE_READING", ""));
    if (state.error == RT_OK)
        rt_report_open(setting("LANEWISE_REPORT", ""));
}

int rt_start(void)
{
    pthread_once(&state.once, start);
    if (state.error == RT_OK && state.process != getpid())
        return RT_NOT_INITIALIZED; /* the parent's threads and locks do not exist here */
    return state.error;
}

const rt_product *rt_product_get(void)
{
    return state.product;
}

lw_arch rt_arch(void)
{
    return state.arch;
}

int rt_lds_size(void)
{
    return (int)lw_arch_lds_size(state.product->target);
}

bool rt_is_nvidia(void)
{
    return !state.product->gcn_name[0];
}

int rt_device_count(void)
{
    return state.devices;
}

int rt_device_at(const char *bus_id, int *device)
{
    unsigned domain = 0, bus = 0, slot = 0, function = 0;
    int end = 0;
    if (sscanf(bus_id, "%4x:%2x:%2x.%1x%n", &domain, &bus, &slot, &function, &end) != 4) {
        domain = 0;
        if (sscanf(bus_id, "%2x:%2x.%1x%n", &bus, &slot, &function, &end) != 3)
            return RT_INVALID_VALUE;
    }
    if (bus_id[end])
        return RT_INVALID_VALUE;
    if (domain || slot || function || !bus || bus > (unsigned)state.devices)
        return RT_INVALID_DEVICE;
    *device = (int)bus - 1;
    return RT_OK;
}

int rt_sticky(void)
{
    return atomic_load(&sticky);
}

void rt_set_sticky(int error)
{
    atomic_store(&sticky, error);
}

lw_memory *rt_memory_lock(void)
{
    pthread_mutex_lock(&memory_lock);
    return state.memory;
}

void rt_memory_unlock(void)
{
    pthread_mutex_unlock(&memory_lock);
}
