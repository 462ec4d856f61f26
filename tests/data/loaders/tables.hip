// SPDX-License-Identifier: MIT
// Data that the dynamic linker must relocate: tables of functions and of pointers to globals.
#define GLOBAL __attribute__((global))
#define DEVICE __attribute__((device))

DEVICE int cells[4] = { 11, 22, 33, 44 };
DEVICE int *const first_and_last[2] = { &cells[0], &cells[3] };
DEVICE __attribute__((noinline)) int twice(int x) { return 2 * x; }
DEVICE __attribute__((noinline)) int square(int x) { return x * x; }
typedef int (*function)(int);
DEVICE function functions[2] = { twice, square };

extern "C" GLOBAL void choose(int *out, int which)
{
    out[0] = functions[which & 1](*first_and_last[which & 1]);
}
