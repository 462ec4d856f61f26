/* SPDX-License-Identifier: MIT */
/* What all memory instructions share: finding a lane's bytes, and moving them to and from registers. */
#ifndef LW_EMU_AMDGPU_ACCESS_H
#define LW_EMU_AMDGPU_ACCESS_H

#include "emu/amdgpu/control/machine.h"

enum { LW_MAX_ACCESS = 16 }; /* bytes of one lane's access */

typedef enum lw_access_kind {
    LW_ACCESS_LOAD = 1,
    LW_ACCESS_STORE = 2,
    LW_ACCESS_BOTH = 3,
    LW_ACCESS_ATOMIC = 7, /* both, by lw_atomic_apply, which counts what changes */
} lw_access_kind;

/* Host pointer to global memory; NULL after lw_wave_fault. Reports the access. */
uint8_t *lw_access_global(lw_wave *w, int lane, uint64_t address, uint32_t size, lw_access_kind kind);

/*
 * Host pointer to LDS. NULL if any byte is outside: loads then give zero, and stores have no effect (AMD
 * CDNA3 ISA manual, "LDS out of range"). Reports the access.
 */
uint8_t *lw_access_lds(lw_wave *w, int lane, uint32_t address, uint32_t size, lw_access_kind kind);

/* The LDS of the wave's workgroup. */
static inline uint8_t *lw_access_lds_base(const lw_wave *w)
{
    return w->head.rank ? lw_group_lds(w->head.group, w->head.rank) : w->head.group->lds;
}

/* What lw_access_lds does before it returns NULL. */
void lw_access_lds_outside(lw_wave *w, int lane, uint32_t address, uint32_t size, lw_access_kind kind);

/* Reports to observers an access that is outside a buffer's bounds and that the hardware drops. */
void lw_access_dropped(lw_wave *w, int lane, uint64_t address, uint32_t size, lw_access_kind kind);

/* Host pointer to a lane's scratch; NULL after lw_wave_fault. Reports the access. */
uint8_t *lw_access_scratch(lw_wave *w, int lane, uint64_t offset, uint32_t size, lw_access_kind kind);

/*
 * The wave's scratch as buffers address it if lw_amdgpu_traits.scratch_buffer is set: one dword of each of 64
 * lanes after the other, starting at this address, which is outside all memory. NULL after lw_wave_fault.
 */
#define LW_SCRATCH_BUFFER UINT64_C(0xffff800000000000)
uint8_t *lw_access_buffer(lw_wave *w, int lane, uint64_t address, uint32_t size, lw_access_kind kind);

/* Copies the bytes of one access. Sizes known to the compiler become single moves; for others it calls a
 * function. */
static inline void lw_access_move(void *to, const void *from, size_t bytes)
{
    if (bytes == 16)
        memcpy(to, from, 16);
    else if (bytes == 8)
        memcpy(to, from, 8);
    else if (bytes == 4)
        memcpy(to, from, 4);
    else
        memcpy(to, from, bytes);
}

/* The register row of a vector operand: row[lane], and after LW_LANES words the next register. */
static inline uint32_t *lw_access_row(lw_wave *w, const lw_opnd *o)
{
    return (o->kind == LW_OPND_AGPR ? w->agpr : w->vgpr) + (size_t)o->reg * LW_LANES;
}

/* How the bytes of an element fill a register, from the row. */
typedef struct lw_element {
    uint8_t bytes;
    bool is_signed; /* 1 and 2 bytes: sign-extended */
    bool d16, high; /* 16 bits in one half; loads clear the other half */
    bool keep;      /* or keep the other half */
} lw_element;

lw_element lw_element_of(const lw_decoded *in, bool is_signed);

/* The register that one or two loaded bytes fill. */
static inline uint32_t lw_element_of_bytes(unsigned count, bool is_signed, const uint8_t *bytes)
{
    const uint32_t v = count == 2 ? bytes[0] | (uint32_t)bytes[1] << 8 : bytes[0];
    const uint32_t sign = UINT32_C(1) << (8 * count - 1);
    return is_signed ? (v ^ sign) - sign : v;
}

/* Writes a loaded element's `bytes` to a lane's register or registers. */
static inline void lw_element_put(const lw_element *e, uint32_t *words, const uint8_t *bytes)
{
    if (e->bytes >= 4) {
        for (unsigned i = 0; i * 4 < e->bytes; i++)
            memcpy(&words[(size_t)i * LW_LANES], bytes + 4 * (size_t)i, 4);
        return;
    }
    uint32_t v = lw_element_of_bytes(e->bytes, e->is_signed, bytes);
    /* With SRAM ECC on, as always on CDNA, the other half becomes zero (CDNA3 ISA manual 9.1.6). */
    if (e->d16 && e->keep)
        v = e->high ? v << 16 | (*words & 0xffff) : (v & 0xffff) | (*words & 0xffff0000u);
    else if (e->d16)
        v = e->high ? v << 16 : v & 0xffff;
    *words = v;
}

/* Gets the bytes that a store writes. */
static inline void lw_element_get(const lw_element *e, const uint32_t *words, uint8_t *bytes)
{
    if (e->bytes >= 4) {
        for (unsigned i = 0; i * 4 < e->bytes; i++)
            memcpy(bytes + 4 * (size_t)i, &words[(size_t)i * LW_LANES], 4);
        return;
    }
    const uint32_t v = e->high ? *words >> 16 : *words;
    memcpy(bytes, &v, e->bytes);
}

/* ---- Atomics: atomic.c ---- */

/* From the old value, operand and comparand (cmpswap), all zero-extended, to the new value. `bytes` is 4 or
 * 8. */
typedef uint64_t (*lw_atomic_fn)(uint64_t old, uint64_t value, uint64_t compare, unsigned bytes,
                                 const lw_wave *w);

/* Applies an operation to memory and returns the old value; adds one to `changed` if the new one differs. */
static inline uint64_t lw_atomic_exchange(uint8_t *at, unsigned bytes, lw_atomic_fn op, uint64_t value,
                                          uint64_t compare, const lw_wave *w, uint64_t *changed)
{
    uint64_t old = 0;
    memcpy(&old, at, bytes);
    const uint64_t new_value = op(old, value, compare, bytes, w);
    memcpy(at, &new_value, bytes);
    *changed += (new_value ^ old) << (64 - 8 * bytes) != 0;
    return old;
}

/* What atomics write counts as a change of memory if it is one: not a lock that is asked for again and again.
 */
static inline void lw_atomic_count(const lw_wave *w, uint64_t changed)
{
    w->head.group->worker->changes += changed;
}

static inline uint64_t lw_atomic_apply(uint8_t *at, unsigned bytes, lw_atomic_fn op, uint64_t value,
                                       uint64_t compare, const lw_wave *w)
{
    uint64_t changed = 0;
    const uint64_t old = lw_atomic_exchange(at, bytes, op, value, compare, w, &changed);
    lw_atomic_count(w, changed);
    return old;
}

/* A 32- or 64-bit number in a lane's registers. */
static inline uint64_t lw_atomic_get(const uint32_t *words, unsigned bytes)
{
    return bytes == 8 ? words[0] | (uint64_t)words[LW_LANES] << 32 : words[0];
}

static inline void lw_atomic_put(uint32_t *words, unsigned bytes, uint64_t value)
{
    words[0] = (uint32_t)value;
    if (bytes == 8)
        words[LW_LANES] = (uint32_t)(value >> 32);
}

#define LW_ATOMIC_OPS(OP)                                                                                    \
    OP(swap)                                                                                                 \
    OP(cmpswap) OP(add) OP(sub) OP(smin) OP(umin) OP(smax) OP(umax) OP(and) OP(or) OP(xor) OP(inc) OP(dec)

#define LW_ATOMIC_FLOAT_OPS(OP) OP(add_f32) OP(pk_add_f16) OP(pk_add_bf16) OP(add_f64) OP(min_f64) OP(max_f64)
#define LW_ATOMIC_RDNA_OPS(OP)                                                                               \
    OP(min_f32)                                                                                              \
    OP(max_f32) OP(csub) OP(min_num_f32) OP(max_num_f32) OP(min_num_f64) OP(max_num_f64) OP(cond_sub)

/* clang-format off */
#define LW_ATOMIC_LDS_OPS(OP)                                                                                \
    OP(rsub) OP(mskor) OP(wrap) OP(lds_min_f32) OP(lds_max_f32) OP(lds_min_f64) OP(lds_max_f64)              \
    OP(lds_min_num_f32) OP(lds_max_num_f32) OP(lds_min_num_f64) OP(lds_max_num_f64) OP(cmpswap_float) OP(lds_add_f32) OP(lds_pk_add_f16) OP(lds_pk_add_bf16)
/* clang-format on */

#define LW_DECLARE(NAME)                                                                                     \
    uint64_t lw_atomic_##NAME(uint64_t old, uint64_t value, uint64_t compare, unsigned bytes,                \
                              const lw_wave *w);
LW_ATOMIC_OPS(LW_DECLARE)
LW_ATOMIC_FLOAT_OPS(LW_DECLARE)
LW_ATOMIC_RDNA_OPS(LW_DECLARE)
LW_ATOMIC_LDS_OPS(LW_DECLARE)
#undef LW_DECLARE

/* For instructions of the LDS unit that move data between lanes: the lane that each lane gets them from, 255:
 * none. False for all others. */
bool lw_ds_lanes_of(const lw_wave *w, const lw_decoded *in, uint8_t from[LW_LANES]);

#endif
