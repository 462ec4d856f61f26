/* SPDX-License-Identifier: MIT */
/* Control flow of every kind, calls and the stack. */
#include "gpu.h"

/* Trip counts differ from lane to lane. */
KERNEL(64) collatz(u32 *out, u32 n)
{
    const u32 i = group() * 64 + tid();
    if (i >= n)
        return;
    u64 v = i + 1;
    u32 steps = 0;
    while (v != 1) {
        v = v % 2 ? 3 * v + 1 : v / 2;
        steps++;
    }
    out[i] = steps;
}

KERNEL(64) nested(u32 *out, u32 n)
{
    const u32 i = group() * 64 + tid();
    u32 sum = 0;
    for (u32 a = 0; a < i % 7 + 1; a++) {
        if (a == i % 5)
            continue;
        for (u32 b = a;; b++) {
            if ((b + i) % 11 == 3)
                break;
            sum = sum * 31 + a * b;
            if (sum % 97 == 13)
                goto out_of_both;
        }
        sum += 1000;
    }
out_of_both:
    if (i < n)
        out[i] = sum;
}

KERNEL(64) choices(u32 *out, const u32 *x, u32 n)
{
    const u32 i = group() * 64 + tid();
    if (i >= n)
        return;
    u32 v = x[i];
    switch (v % 9) {
    case 0:
        v += 5;
        break;
    case 1:
        v *= 3; /* falls through */
    case 2:
        v ^= 0x55;
        break;
    case 3:
        out[i] = 77;
        return;
    case 5:
    case 6:
        v = v << 3 | v >> 29;
        break;
    case 8:
        v = ~v;
        break;
    default:
        v -= 9;
    }
    out[i] = v;
}

APART u32 ackermann(u32 m, u32 n)
{
    return !m ? n + 1 : !n ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

KERNEL(64) recursion(u32 *out)
{
    out[tid()] = ackermann(tid() % 3, tid() % 5);
}

APART u32 twice(u32 v) { return 2 * v; }
APART u32 square(u32 v) { return v * v; }
APART u32 minus(u32 v) { return 0u - v; }

KERNEL(64) pointers(u32 *out, const u32 *x)
{
    u32 (*const functions[])(u32) = { twice, square, minus };
    out[tid()] = functions[x[tid()] % 3](x[tid()]);
}

/* An array indexed by a value that differs from lane to lane is in scratch. */
KERNEL(64) stack(u32 *out, const u32 *x)
{
    volatile u32 slots[16];
    for (u32 i = 0; i < 16; i++)
        slots[i] = i * 100;
    for (u32 i = 0; i < 16; i++)
        slots[x[16 * tid() + i] % 16] += x[16 * tid() + i];
    u32 sum = 0;
    for (u32 i = 0; i < 16; i++)
        sum = sum * 7 + slots[i];
    out[tid()] = sum;
}

struct six {
    u32 a[6];
};

APART six turned(six s, u32 by)
{
    six r;
    for (u32 i = 0; i < 6; i++)
        r.a[(i + by) % 6] = s.a[i];
    return r;
}

KERNEL(64) structures(u32 *out)
{
    six s;
    for (u32 i = 0; i < 6; i++)
        s.a[i] = tid() * 6 + i;
    s = turned(s, tid() % 6);
    for (u32 i = 0; i < 6; i++)
        out[6 * tid() + i] = s.a[i];
}

GLOBAL u32 counter;
GLOBAL const u32 primes[8] = { 2, 3, 5, 7, 11, 13, 17, 19 };

KERNEL(64) globals(u32 *out)
{
    out[tid()] = primes[tid() % 8];
    if (!tid())
        out[64] = add_to(&counter, 1u);
}

/* A queue of tickets: who takes which depends on the schedule, the sum does not. */
KERNEL(64) tickets(u32 *next, u32 *done, u32 n)
{
    for (;;) {
        u32 mine = 0;
        if (!lane())
            mine = add_to(next, 1u);
        mine = (u32)__builtin_amdgcn_readfirstlane((int)mine);
        if (mine >= n)
            return;
        if (!lane())
            done[mine] += mine + 1;
    }
}

/* Workgroups wait for each other, three times. */
KERNEL(64) grid_barrier(u32 *gate, u32 *values, u32 groups)
{
    for (u32 round = 1; round <= 3; round++) {
        if (!tid()) {
            values[group()] += round;
            __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
            add_to(gate, 1u);
            while (__hip_atomic_load(gate, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) < round * groups)
                __builtin_amdgcn_s_sleep(1);
            __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
            values[groups + group()] += values[(group() + 1) % groups];
            add_to(gate + 1, 1u);
            while (__hip_atomic_load(gate + 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) < round * groups)
                __builtin_amdgcn_s_sleep(1);
        }
        barrier();
    }
}
