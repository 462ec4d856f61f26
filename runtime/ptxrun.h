/* SPDX-License-Identifier: MIT */
/*
 * libptxrun: one function that runs a PTX kernel on the memory of the calling process, with the calling
 * convention that test suites of other projects already use for a PTX emulator. A program that loads the
 * library needs no other part of Lanewise.
 *
 * The function gets addresses, not sizes. Therefore, and only here, accesses to global memory are not
 * checked: a kernel that leaves its arrays reads and writes whatever the process has there, and crashes like
 * any C function where nothing is mapped. Everything that does not depend on sizes is checked as usual:
 * alignment, null and the first 64 KiB, shared, local and parameter memory, barriers, divergence, kernels
 * that never end. Run such a kernel with `lanewise run` to have its accesses checked.
 */
#ifndef LANEWISE_PTXRUN_H
#define LANEWISE_PTXRUN_H

#if defined(_WIN32)
#define PTX_RUN_API __declspec(dllexport)
#elif defined(__GNUC__)
#define PTX_RUN_API __attribute__((visibility("default")))
#else
#define PTX_RUN_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Runs the only .entry of a module to its end: `ptx` is its text, ended by a zero. args[i] is parameter
 * number i: the address of an array, or an integer or the bits of a float converted to void *; a parameter
 * of 1, 2, 4 or 8 bytes takes the low bytes. bx, by, bz is the size of a block in threads, gx, gy,
 * gz that of the grid in blocks; shared_bytes is dynamic shared memory. What the kernel prints goes to
 * stdout.
 *
 * If the module cannot be read, the number of arguments is wrong or the kernel faults, one line on stderr
 * says so and the kernel stops. What it has written by then remains. Several threads may call it at once.
 */
PTX_RUN_API void ptx_run(const char *ptx, int n_args, void **args, int bx, int by, int bz, int gx, int gy,
                         int gz, int shared_bytes);

/*
 * The result of the calling thread's last ptx_run: 0 if it succeeded, or if there was none; otherwise a
 * positive number, the lw_status of lanewise/status.h.
 */
PTX_RUN_API int ptx_run_status(void);

/* The line that it wrote to stderr, without the newline; "" if it succeeded. Valid until the thread's next
 * ptx_run. */
PTX_RUN_API const char *ptx_run_message(void);

#ifdef __cplusplus
}
#endif

#endif
