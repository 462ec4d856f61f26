/* SPDX-License-Identifier: MIT */
/* Loads libptxrun.so and runs kernels on its own memory. Usage: host LIBRARY */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void (*ptx_run)(const char *, int, void **, int, int, int, int, int, int, int);
static int (*ptx_run_status)(void);
static const char *(*ptx_run_message)(void);
static int wrong;

static void expect(int good, const char *what)
{
    if (good)
        return;
    printf("wrong: %s (status %d, \"%s\")\n", what, ptx_run_status(), ptx_run_message());
    wrong = 1;
}

#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"

/* c[i] = a[i] + b + f, i = block * size + thread, through dynamic shared memory and a variable of the module.
 */
static const char add[] = HEAD
    ".extern .shared .align 4 .b8 s[];\n.global .u32 one = 1;\n"
    ".visible .entry add(.param .u64 c, .param .u64 a, .param .u32 b, .param .f32 f, .param .u8 n) {\n"
    ".reg .b32 %r<9>; .reg .b64 %rd<6>; .reg .f32 %f<3>; .reg .b16 %h<2>; .reg .b32 %s;\n"
    "ld.param.u64 %rd1, [c]; ld.param.u64 %rd2, [a]; ld.param.u32 %r1, [b]; ld.param.f32 %f1, [f]; "
    "ld.param.u8 %h1, [n];\n"
    "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; mad.lo.u32 %r2, %r2, %r3, %r4;\n"
    "mul.wide.u32 %rd3, %r2, 4; add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, %rd3;\n"
    "ld.global.b32 %r5, [%rd2]; add.u32 %r5, %r5, %r1; cvt.rzi.u32.f32 %r6, %f1; add.u32 %r5, %r5, %r6;\n"
    "cvt.u32.u16 %r6, %h1; add.u32 %r5, %r5, %r6; ld.global.u32 %r6, [one]; add.u32 %r5, %r5, %r6;\n"
    "mov.u32 %s, s; shl.b32 %r7, %r4, 2; add.u32 %s, %s, %r7; st.shared.b32 [%s], %r5; ld.shared.b32 %r8, "
    "[%s];\n"
    "st.global.b32 [%rd1], %r8; ret; }\n";

enum { COUNT = 4 * 96 };

static void *bits_of(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof(u));
    return (void *)(uintptr_t)u;
}

static void check_add(const char *what, uint32_t b)
{
    uint32_t *a = malloc(COUNT * sizeof(*a)), *c = malloc(COUNT * sizeof(*c));
    void *args[] = { c, a, (void *)(uintptr_t)(b | UINT64_C(0xff) << 40), bits_of(40.0f),
                     (void *)(uintptr_t)7 };
    int good = 1;
    for (uint32_t i = 0; i < COUNT; i++)
        a[i] = 1000 * i;
    ptx_run(add, 5, args, 96, 1, 1, 4, 1, 1, 96 * 4);
    for (uint32_t i = 0; i < COUNT; i++)
        good = good && c[i] == 1000 * i + b + 40 + 7 + 1;
    expect(good && ptx_run_status() == 0 && ptx_run_message()[0] == '\0', what);
    free(a);
    free(c);
}

static uint32_t in_data[COUNT], out_data[COUNT];

static void check_faults(void)
{
    uint32_t local[COUNT];
    void *args[] = { local, in_data, (void *)1, bits_of(0), (void *)0 };
    ptx_run(add, 5, args, 96, 1, 1, 4, 1, 1, 96 * 4); /* arrays on the stack and in the program */
    expect(ptx_run_status() == 0 && local[COUNT - 1] == 2, "an array on the stack");
    args[0] = NULL;
    ptx_run(add, 5, args, 96, 1, 1, 4, 1, 1, 96 * 4);
    expect(ptx_run_status() != 0 && strstr(ptx_run_message(), "stores to address 0x0 in no allocation") &&
               strncmp(ptx_run_message(), "ptx_run: kernel add, ", 21) == 0,
           "a null pointer");
    args[0] = (char *)out_data + 2;
    ptx_run(add, 5, args, 96, 1, 1, 4, 1, 1, 96 * 4);
    expect(ptx_run_status() != 0 && strstr(ptx_run_message(), "not a multiple of 4"), "a crooked pointer");
    args[0] = out_data;
    ptx_run(add, 5, args, 96, 1, 1, 4, 1, 1, 95 * 4);
    expect(ptx_run_status() != 0 && strstr(ptx_run_message(), "of shared memory, which has 380"),
           "shared memory");
    ptx_run(add, 4, args, 96, 1, 1, 4, 1, 1, 0);
    expect(ptx_run_status() != 0 && strstr(ptx_run_message(), "add takes 5 arguments, but 4 are given"),
           "four");
    ptx_run(add, 5, NULL, 96, 1, 1, 4, 1, 1, 0);
    expect(ptx_run_status() != 0 && strstr(ptx_run_message(), "there is no array of the 5 arguments"),
           "no arguments");
    ptx_run(add, 5, args, 0, 1, 1, 4, 1, 1, 0);
    expect(ptx_run_status() != 0 && strstr(ptx_run_message(), "at least 1"), "no threads");
    ptx_run(HEAD "ret;", 0, NULL, 1, 1, 1, 1, 1, 1, 0);
    expect(ptx_run_status() != 0 && strstr(ptx_run_message(), "line 4"), "no PTX");
    ptx_run(NULL, 0, NULL, 1, 1, 1, 1, 1, 1, 0);
    expect(ptx_run_status() != 0 && strstr(ptx_run_message(), "no PTX text"), "no text");
    ptx_run(HEAD ".entry a() { ret; }\n.entry b() { ret; }\n", 0, NULL, 1, 1, 1, 1, 1, 1, 0);
    expect(ptx_run_status() != 0 && strstr(ptx_run_message(), "several .entry"), "two kernels");
    ptx_run(HEAD ".func f() { ret; }\n", 0, NULL, 1, 1, 1, 1, 1, 1, 0);
    expect(ptx_run_status() != 0 && strstr(ptx_run_message(), "no .entry"), "no kernel");
    ptx_run(HEAD ".entry a(.param .align 8 .b8 s[12]) { ret; }\n", 1, args, 1, 1, 1, 1, 1, 1, 0);
    expect(ptx_run_status() != 0 && strstr(ptx_run_message(), "argument 0 of a has 12 bytes"), "a struct");
    ptx_run(HEAD ".entry a() { L: bra L; }\n", 0, NULL, 1, 1, 1, 1, 1, 1, 0);
    expect(ptx_run_status() != 0, "a kernel without an end");
}

/* Each thread has its own status. */
static void *other(void *unused)
{
    expect(ptx_run_status() == 0, "a thread's status before its first call");
    for (uint32_t i = 0; i < 20; i++)
        check_add("another thread", i);
    return unused;
}

int main(int argc, char **argv)
{
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
    pthread_t thread;
    if (!library) {
        printf("cannot load %s: %s\n", argc > 1 ? argv[1] : "nothing", dlerror());
        return 1;
    }
    *(void **)&ptx_run = dlsym(library, "ptx_run");
    *(void **)&ptx_run_status = dlsym(library, "ptx_run_status");
    *(void **)&ptx_run_message = dlsym(library, "ptx_run_message");
    if (!ptx_run || !ptx_run_status || !ptx_run_message)
        return puts("a function is missing"), 1;
    if (!freopen("/dev/null", "w", stderr))
        return 1;
    expect(ptx_run_status() == 0 && ptx_run_message()[0] == '\0', "a status before the first call");
    check_add("a sum", 5);
    check_faults();
    pthread_create(&thread, NULL, other, NULL);
    ptx_run(NULL, 0, NULL, 1, 1, 1, 1, 1, 1, 0);
    pthread_join(thread, NULL);
    expect(ptx_run_status() != 0, "a thread's status stays its own");
    check_add("a sum after faults", 9);
    if (!wrong)
        puts("ptx_run does what its header says");
    return wrong;
}
