/* SPDX-License-Identifier: MIT */
/*
 * Running kernels: device memory, launches, raw machine code.
 *
 * A launch runs a compiled kernel wave by wave and leaves in memory the bits that the GPU would leave there.
 * Results are those of the serial schedule: workgroups in ascending linear id, waves of a workgroup in
 * ascending order, each until it ends or waits. The number of threads never changes a bit, even
 * where workgroups race. There is one exception: what a launch leaves in memory when its time limit or its
 * progress callback stops it depends on how far each thread had got.
 *
 * Workgroups run in parallel where no reachable instruction lets them work together (atomics, scalar stores,
 * device scope). Meanwhile the library records which bytes each host thread reads and writes. If one thread
 * wrote what another one read or wrote, or if a wave faults, cannot go on or uses up its budget, memory is
 * restored and the launch runs again, serially. Only that second run is reported, and progress starts from 0
 * again. The result says what happened, and why.
 *
 * Anything that the hardware leaves undefined or would fault on stops the launch with one lw_fault.
 */
#ifndef LANEWISE_LAUNCH_H
#define LANEWISE_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lanewise/arch.h>
#include <lanewise/export.h>
#include <lanewise/label.h>
#include <lanewise/program.h>
#include <lanewise/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Device memory ---- */

typedef struct lw_memory lw_memory;

typedef enum lw_access {
    LW_ACCESS_READ, /* a store or atomic by the kernel is a fault */
    LW_ACCESS_READ_WRITE,
} lw_access;

typedef struct lw_allocation {
    const char *name; /* as given; faults name it */
    uint64_t address, size;
    lw_access access;
    void *host; /* the bytes */
} lw_allocation;

/* LW_E_ARGUMENT for NULL, LW_E_NO_MEMORY. */
LW_API lw_status lw_memory_create(lw_memory **memory);
/* Frees the memory and what it allocated; registered host memory stays the caller's. NULL is allowed. */
LW_API void lw_memory_free(lw_memory *memory);

/*
 * Sets how many bytes may be held for a memory. These count: what is allocated in it; during a launch the
 * program's image, the arguments, and registers, LDS and scratch of all workgroups that have begun and not
 * ended; what snapshots and checkpoints have saved; what a parallel run saves and records in case it has to
 * be repeated; and lw_memory_set_beside. Registered host memory does not count. An allocation, launch,
 * snapshot or checkpoint that would exceed the limit fails with LW_E_NO_MEMORY and a sentence; a launch that
 * cannot be watched within it runs serially. 0 means lw_memory_limit_default() (lanewise/program.h), which
 * also holds after lw_memory_create. LW_E_ARGUMENT for NULL.
 */
LW_API lw_status lw_memory_set_limit(lw_memory *memory, uint64_t bytes);

/*
 * Makes bytes count that the caller holds outside the memory, such as copies of arrays. The number replaces
 * the one that was set before; 0 means none. LW_E_ARGUMENT for NULL. LW_E_NO_MEMORY where the limit does not
 * leave that many; then nothing has changed.
 */
LW_API lw_status lw_memory_set_beside(lw_memory *memory, uint64_t bytes, lw_error *error);

/*
 * Allocates `size` bytes of zeros (0 is allowed: an address at which nothing may be accessed). Addresses are
 * the same in every run: the first allocation starts at 0x1000000000, each next one on the first multiple
 * of 64 KiB that leaves at least 64 KiB unmapped after the previous one. `name` is copied; NULL: "".
 * LW_E_ARGUMENT for NULL memory or address, or more than 2^40 bytes in all; LW_E_NO_MEMORY, also when the
 * limit is reached.
 */
LW_API lw_status lw_memory_allocate(lw_memory *memory, const char *name, uint64_t size, lw_access access,
                                    uint64_t *address, lw_error *error);

/*
 * The same at an address that the caller chooses, as a captured launch needs it. LW_E_ARGUMENT also where
 * the bytes overlap an allocation, or are not between 0x1000000000 and 2^47: below are programs and
 * arguments. Later calls of lw_memory_allocate leave at least 64 KiB around it.
 */
LW_API lw_status lw_memory_allocate_at(lw_memory *memory, const char *name, uint64_t address, uint64_t size,
                                       lw_access access, lw_error *error);

/*
 * Frees an allocation: `address` is its first byte. From then on an access there is a fault.
 * Registered host memory is unregistered, not freed. No session may be under way. LW_E_ARGUMENT for NULL, or
 * if none of the caller's allocations begins there.
 */
LW_API lw_status lw_memory_release(lw_memory *memory, uint64_t address, lw_error *error);

/*
 * Makes `size` bytes of host memory accessible to kernels, at the address that they have on the host. They
 * must stay valid until lw_memory_free. LW_E_ARGUMENT for NULL, for a size of 0, or if they overlap what is
 * mapped already; LW_E_NO_MEMORY.
 */
LW_API lw_status lw_memory_register(lw_memory *memory, const char *name, void *host, uint64_t size,
                                    lw_access access, lw_error *error);

/* Host pointer to `size` bytes at `address` that lie in one allocation; NULL otherwise. */
LW_API void *lw_memory_host(const lw_memory *memory, uint64_t address, uint64_t size);

/* Copies between the host and device addresses, whatever the kernel's access. LW_E_ARGUMENT: see
 * lw_memory_host. */
LW_API lw_status lw_memory_read(const lw_memory *memory, uint64_t address, void *bytes, uint64_t size);
LW_API lw_status lw_memory_write(lw_memory *memory, uint64_t address, const void *bytes, uint64_t size);

/*
 * From now on records which bytes kernels store to in the allocation that begins at `address`, and clears
 * what was recorded before. Exact: every byte of every store, atomics included, whether or not it changes the
 * value; lw_memory_write does not count. Costs a byte of host memory for each four of the allocation.
 * LW_E_ARGUMENT for NULL, or if no allocation begins there; LW_E_NO_MEMORY.
 */
LW_API lw_status lw_memory_watch_stores(lw_memory *memory, uint64_t address, lw_error *error);

/*
 * Looks at `count` units of `unit` bytes from `address` on. *missing is how many of them have a byte that no
 * kernel has stored to since lw_memory_watch_stores; *first is the number of the first such unit, and is left
 * alone if there is none (`first` may be NULL). LW_E_ARGUMENT for NULL, a unit of 0, or if they do not lie in
 * one watched allocation.
 */
LW_API lw_status lw_memory_unstored(const lw_memory *memory, uint64_t address, uint64_t unit, uint64_t count,
                                    uint64_t *missing, uint64_t *first);

/* ---- Snapshots ---- */

/*
 * The contents of a memory at one moment: of every allocation that kernels may write, including the globals
 * of modules. Taking a snapshot copies nothing: a page is saved at the first store to it afterwards, by a
 * kernel or lw_memory_write. Writes through host pointers (lw_memory_host, registered memory) are not
 * noticed: announce them with lw_memory_keep.
 */
typedef struct lw_snapshot lw_snapshot;

/*
 * LW_E_ARGUMENT for NULL; LW_E_NO_MEMORY, also where the memory's limit leaves no room. If there is no room
 * later to save a page, the store to it does not happen: a kernel faults, lw_memory_write returns
 * LW_E_NO_MEMORY. No launch may be running; a session may be paused.
 */
LW_API lw_status lw_memory_snapshot(lw_memory *memory, lw_snapshot **snapshot, lw_error *error);

/*
 * Restores the contents of the memory, any number of times and in any order among several snapshots.
 * Allocations made since keep their contents. LW_E_ARGUMENT for NULL, for a snapshot of another memory, or
 * where an allocation of it has been released; LW_E_NO_MEMORY: other snapshots would have to save pages. Then
 * nothing has changed.
 */
LW_API lw_status lw_memory_restore(lw_memory *memory, lw_snapshot *snapshot, lw_error *error);

/* Saves, for all snapshots, `size` bytes that the host is about to write. LW_E_ARGUMENT: see
 * lw_memory_host; LW_E_NO_MEMORY. */
LW_API lw_status lw_memory_keep(lw_memory *memory, uint64_t address, uint64_t size);

/* Before or after its memory is freed. NULL is allowed. */
LW_API void lw_snapshot_free(lw_snapshot *snapshot);

/* The allocations in ascending order of address; false if `index` is not below the count. */
LW_API size_t lw_memory_count(const lw_memory *memory);
LW_API bool lw_memory_at(const lw_memory *memory, size_t index, lw_allocation *allocation);

/* ---- Launches ---- */

/*
 * One argument. `name` binds it to the argument of that name, NULL to the next unbound one. The name of a
 * hidden argument is its value_kind ("hidden_hostcall_buffer"): such a value replaces what the launch would
 * set, and may be a pointer or not.
 */
typedef struct lw_arg {
    const char *name;
    const void *bytes; /* `size` bytes, little endian; for a pointer its 8 bytes */
    size_t size;
    bool is_pointer; /* must agree with the argument's kind: pointer for LW_ARG_BUFFER */
} lw_arg;

typedef enum lw_schedule {
    LW_SCHEDULE_SERIAL, /* the one results are defined by */
    LW_SCHEDULE_RANDOM, /* workgroups and waves in an order that `seed` decides, the same in every run */
} lw_schedule;

/*
 * When loads that go directly to LDS (`buffer_load ... lds`, `global_load_lds_*`) arrive there. Their
 * addresses, lanes and M0 are those at issue; memory is read when they arrive. A kernel
 * may rely on one thing only: that they have arrived after a wait that covers them, which is s_waitcnt
 * vmcnt(n), which leaves the last n of the wave's buffer and flat operations unfinished, or a full counter
 * (63 operations). A kernel that waits and synchronises correctly computes the same bits under all three; a
 * difference shows that the kernel has a mistake.
 */
typedef enum lw_async {
    /* As late as possible: a wave at such a wait lets the others run, and its copies arrive when every other
     * wave of the workgroup has ended, waits too, or spins (sleeps twice with the same registers, or executes
     * a million instructions without waiting); at the latest when the wave ends. */
    LW_ASYNC_LATE,
    LW_ASYNC_EARLY,  /* when they are issued */
    LW_ASYNC_RANDOM, /* in between, as `async_seed` decides: the same in every run */
} lw_async;

struct lw_observer;  /* lanewise/observe.h */
struct lw_module;    /* lanewise/module.h */
struct lw_footprint; /* lanewise/part.h */

typedef struct lw_progress {
    uint64_t groups_done, groups;
    uint64_t instructions; /* of finished workgroups */
} lw_progress;

/* Called from time to time by one thread at a time; a return value other than LW_OK ends the launch with that
 * status. */
typedef lw_status (*lw_progress_fn)(void *context, const lw_progress *progress);

/* Called with what a kernel prints (vprintf of PTX), `size` characters, by one thread at a time. */
typedef void (*lw_print_fn)(void *context, const char *text, size_t size);

typedef struct lw_launch_options {
    size_t struct_size; /* sizeof(lw_launch_options), so that later versions can add members */
    const lw_program *program;
    size_t kernel;     /* index, as lw_program_find gives it */
    lw_memory *memory; /* what the kernel may access, beside its program, arguments, LDS and scratch */

    /*
     * The size of the launch: `grid` in workgroups, or `items` in work-items (then the last workgroup of a
     * dimension may be partial); the one that is not used is all zero. In the other one and in `block`,
     * zeros after the first component count as 1. At most 2^32-1 work-items in a dimension and 2^40
     * workgroups in all.
     */
    uint32_t grid[3], items[3];
    uint32_t block[3];
    uint32_t dynamic_lds; /* bytes after the kernel's static LDS */
    uint32_t scratch;     /* bytes per work-item, at least; 0: what the kernel's metadata say */

    /* Arguments, checked against the kernel's metadata; or, when kernarg is not NULL, the bytes of the whole
     * segment. */
    const lw_arg *args;
    size_t arg_count;
    const void *kernarg;
    size_t kernarg_size;

    /*
     * 0: as many as the host has processors; the number changes speed, never a bit. If the host
     * gives fewer threads, fewer are used. In a forked child that uses a program or a memory of its parent,
     * one is used.
     */
    unsigned threads;
    uint64_t budget; /* instructions each wave may execute; 0: no limit. Then LW_E_BUDGET */
    lw_schedule schedule;
    uint64_t seed;

    const uint32_t (*only)[3]; /* run only these workgroups (x, y, z); NULL: all */
    size_t only_count;

    const char *const *readings; /* "topic:name" of lanewise/reading.h; NULL: defaults */
    size_t reading_count;

    uint32_t poison;   /* what registers and LDS hold before the kernel writes them; in every dword */
    double time_limit; /* seconds of wall-clock time; 0: none, as by default. Then LW_E_STOPPED */

    const struct lw_observer *const *observers; /* a launch with observers runs on one thread */
    size_t observer_count;
    lw_progress_fn progress; /* NULL: none */
    void *progress_context;

    lw_async async;
    uint64_t async_seed;

    /*
     * A module (lanewise/module.h) instead of program and memory, which may then be NULL. Its globals keep
     * their values from launch to launch. NULL: the program is placed in the memory for this launch alone.
     */
    struct lw_module *module;

    lw_print_fn print; /* NULL: what kernels print is dropped. PTX kernels that print run serially */
    void *print_context;

    /*
     * Workgroups in a cluster, which run together (PTX, gfx1250) and reach each other's shared memory (PTX).
     * All zero: as the kernel states, else clusters of one; zeros after the first component count as 1. At
     * most 16 in all, and the grid is a multiple of it. Blocks of clusters of several cannot be chosen with
     * `only`.
     */
    uint32_t cluster[3];

    struct lw_footprint *footprint; /* lanewise/part.h: records which bytes the launch touches; NULL: nothing
                                       is recorded. Such a launch cannot be stepped */

    /*
     * Runs one part of the launch: of its n workgroups (of clusters of several, clusters) in ascending linear
     * id those from the n*part/parts-th on (rounded down) up to the next part's first one, so that parts
     * differ by one at most. A part may be empty. parts 0, or 1: all. Only without `only`, and with
     * LW_SCHEDULE_SERIAL.
     */
    uint32_t part, parts;
} lw_launch_options;

/* What one wave executes in about a minute: 10 to 50 ns per instruction on the machine of docs/testing.md. */
#define LW_BUDGET_DEFAULT UINT64_C(3000000000)

/*
 * All zero but struct_size, budget, which is LW_BUDGET_DEFAULT, and poison, which is 0x7fc0dead (a NaN that
 * is easy to recognise).
 */
LW_API void lw_launch_options_init(lw_launch_options *options, size_t size);
static inline lw_launch_options lw_launch_options_default(void)
{
    lw_launch_options options;
    lw_launch_options_init(&options, sizeof(options));
    return options;
}

/* Why a kernel could not go on. Text members are "" where they do not apply. */
typedef struct lw_fault {
    char kernel[256];
    uint32_t workgroup[3];
    uint32_t wave;         /* within the workgroup */
    int lane;              /* -1: not the fault of a single lane */
    uint64_t pc;           /* device address of the instruction */
    uint64_t code_offset;  /* the same from the kernel's (or the raw code's) first byte; may be huge where pc
                              is before it */
    char instruction[200]; /* its text */
    lw_line source; /* where it comes from (lw_program_line); file "" and line 0 where that is not known */
    char reason[512];
    char sentence[1024]; /* all of this in one sentence */
} lw_fault;

/* One kind of instruction that ran. */
typedef struct lw_launch_count {
    const char *name;  /* mnemonic */
    uint64_t executed; /* wave instructions */
    lw_label label;    /* matrix instructions: the weakest of the aspects the numbers touched */
    bool is_matrix;
    uint32_t aspects;   /* matrix instructions: what the numbers touched, bits 1u << lw_mma_aspect */
    const char *source; /* the source of a matrix instruction's weakest aspect; what is computed where the
                           vendor's text gives only an error bound; otherwise "" */
} lw_launch_count;

/* What a wave was doing when its launch ended early. */
typedef enum lw_wave_doing {
    LW_DOING_RUNS,
    LW_DOING_USED_UP, /* it has executed as many instructions as the budget allows */
    LW_DOING_REPEATS, /* its state repeats, and no memory has changed meanwhile */
    LW_DOING_BARRIER, /* it waits for other waves of its workgroup */
    LW_DOING_COPIES,  /* it waits for its copies to LDS */
    LW_DOING_ENDED,
} lw_wave_doing;

/* Where a wave is. */
typedef struct lw_wave_stand {
    uint32_t workgroup[3];
    uint32_t wave; /* within the workgroup */
    lw_wave_doing doing;
    uint64_t pc, code_offset; /* as in lw_fault: the next instruction, or the barrier it waits at */
    uint64_t executed;        /* instructions so far */
    char instruction[200];    /* its text */
    char text[160];           /* what the wave does: "waits at a barrier that 1 of 2 waves have reached" */
} lw_wave_stand;

/*
 * Accesses to LDS past the end of the workgroup's allocation: loads gave zero, stores had no effect (AMD
 * CDNA3 ISA manual, "LDS out of range"). The members after `times` describe the first access of the first
 * workgroup, in ascending order, that made one; in a random schedule, the first that happened there.
 */
typedef struct lw_lds_outside {
    uint64_t times;    /* accesses of single lanes; 0: there was none */
    uint32_t lds_size; /* bytes the workgroup has */
    uint32_t workgroup[3];
    uint32_t wave;
    int lane;
    uint64_t code_offset; /* as in lw_fault */
    char instruction[200];
    uint32_t address, size; /* byte in LDS, bytes */
    bool store;
} lw_lds_outside;

/* What a launch did. Read only; freed by lw_launch_result_free. */
typedef struct lw_launch_result {
    lw_status status; /* what the launch returned */
    uint64_t groups, waves;
    uint64_t instructions, matrix_instructions; /* wave instructions */
    const lw_launch_count *counts;              /* sorted by name */
    size_t count_count;
    lw_label weakest; /* of everything that ran */
    double seconds;
    unsigned threads;            /* that actually ran workgroups */
    const char *schedule;        /* "parallel", "serial", "random order" */
    const char *schedule_reason; /* why not parallel, or why parallel is allowed: one sentence */
    bool repeated; /* a parallel run came first and workgroups touched the same bytes; all other members
                      describe the serial run after it */
    lw_lds_outside lds_outside;
    bool faulted;
    lw_fault fault;
    /*
     * After LW_E_BUDGET, LW_E_LIVELOCK and LW_E_STOPPED: the waves of the workgroups under way (in a parallel
     * run of the one that ended the launch), by workgroup and wave; at most 4,096.
     */
    const lw_wave_stand *stands;
    size_t stand_count;
    const lw_line *stand_sources; /* of each of `stands`; line 0 where it is not known */
} lw_launch_result;

/*
 * Runs a kernel. LW_OK when all waves have ended. Early ends:
 * LW_E_FAULT: a wave faulted. LW_E_BUDGET: a wave did not end within its budget. LW_E_LIVELOCK: the state of
 * every wave that can run (its registers and its scratch) repeats while no other memory changes anywhere, so
 * that nothing would ever change again; that is found long before the budget ends (not where waves store
 * different values to one place for ever). LW_E_STOPPED: the time limit has passed, which says nothing about
 * the kernel. In these cases memory holds what was stored until then, and *result says what happened; after
 * other failures (LW_E_ARGUMENT and the errors of program and argument checks, LW_E_UNSUPPORTED,
 * LW_E_NO_MEMORY, the progress callback's return value) *result is untouched. `result` may be NULL. The
 * sentence in `error` is the fault's.
 */
LW_API lw_status lw_launch(const lw_launch_options *options, lw_launch_result **result, lw_error *error);
LW_API void lw_launch_result_free(lw_launch_result *result);

/* ---- Raw machine code ---- */

/*
 * The registers of one wave, before and after. Register files are register-major with 64 lanes per register:
 * vgpr[reg * 64 + lane]. Scalars are indexed by their encoding: 106 VCC, 124 M0, 126 EXEC (lane masks are
 * two words, low first).
 */
typedef struct lw_wave_state {
    uint32_t *vgpr, *agpr; /* vgprs * 64 and agprs * 64 words; NULL where the count is 0 */
    unsigned vgprs, agprs; /* 0..512 together, at most 256 each */
    uint32_t sgpr[128];
    uint32_t scc;  /* 0 or 1 */
    uint32_t mode; /* the MODE register; 0x3f0: compiled HIP code (no flushing, DX10_CLAMP, IEEE) */
} lw_wave_state;

typedef struct lw_code_options {
    size_t struct_size; /* sizeof(lw_code_options) */
    lw_arch arch;
    const uint32_t *code; /* starts at its first word, ends with s_endpgm */
    size_t words;
    lw_memory *memory; /* NULL: none */
    void *lds;         /* of the workgroup, before and after; NULL when lds_size is 0 */
    uint32_t lds_size; /* bytes, at most lw_arch_lds_size of the architecture */
    uint32_t scratch;  /* bytes per lane */
    uint64_t budget;   /* as in lw_launch_options */
    double time_limit; /* as in lw_launch_options */
    lw_schedule schedule;
    uint64_t seed;
    const char *const *readings; /* as in lw_launch_options */
    size_t reading_count;
    const struct lw_observer *const *observers;
    size_t observer_count;
    lw_async async; /* as in lw_launch_options */
    uint64_t async_seed;
    unsigned lanes; /* of a wave, 32 or 64; 0: 32 on RDNA, else 64 */
} lw_code_options;

/*
 * Runs code on the waves of one workgroup. The code is at device address 0x800000000. Returns as
 * lw_launch does; the states and LDS are written back also after a fault or an exhausted budget.
 */
LW_API lw_status lw_code_run(const lw_code_options *options, lw_wave_state *waves, size_t wave_count,
                             lw_launch_result **result, lw_error *error);

#ifdef __cplusplus
}
#endif

#endif
