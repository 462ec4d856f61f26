/* SPDX-License-Identifier: MIT */
/* What AMD's machine adds to modules, launches and threads (emu/device/machine.h). */
#ifndef LW_EMU_AMDGPU_MACHINE_H
#define LW_EMU_AMDGPU_MACHINE_H

#include <lanewise/launch.h>
#include <lanewise/observe.h>

#include "emu/amdgpu/control/wave.h"
#include "emu/amdgpu/fast/hot.h"
#include "emu/device/session.h"

/* A decoded instruction, shared by all threads and launches. */
typedef struct lw_record {
    _Alignas(64) lw_hot hot; /* points to `in` */
    lw_decoded in;
    const char *name; /* its mnemonic on this generation */
    unsigned kind;    /* the mnemonic's number */
    bool counted;     /* vmcnt counts it */
    bool silent;      /* accesses memory, which its fast form does not report to observers */
    uint16_t vgpr_end, agpr_end, sgpr_end; /* the highest register that it names, plus 1 */
} lw_record;

typedef struct lw_amd_module {
    lw_fast_isa isa;                /* the host's instruction set, which fast forms may use */
    unsigned lanes;                 /* of the waves for which the records are made */
    const lw_amdgpu_traits *traits; /* the processor's, which its file names */
    struct lw_record_chunk *chunks;
    struct lw_hot_dual *duals; /* halves of VOPD instructions */
    struct lw_mma_key *keys;   /* matrix instructions with their modifiers */
    struct lw_mma_set *sets;   /* prepared ones, for each choice of readings */
} lw_amd_module;

typedef struct lw_amd_launch {
    unsigned vgprs, agprs; /* rows before a0; rows from a0 on */
    unsigned vgpr_limit;   /* the highest vN, plus 1; those from `vgprs` on use the AGPRs' rows */
    uint32_t mode;
    uint32_t user_sgprs[32];
    unsigned user_sgpr_count;
    bool group_id_sgpr[3], group_info_sgpr, scratch_offset_sgpr;
    unsigned item_id_dims; /* 1..3: components packed into v0 */
    unsigned named_barriers;
    bool splits_l0; /* WGP mode */
    uint8_t *kernarg;
    uint8_t packet[64];

    struct lw_mma_set *matrices;
} lw_amd_launch;

extern const lw_machine lw_amd_machine;

bool lw_amd_barrier(const lw_wave_head *head, unsigned number, lw_event_barrier *barrier);
bool lw_amd_cell(const lw_group *group, unsigned rank, uint64_t address, lw_event_object *object);

static inline lw_wave *lw_amd_wave(lw_wave_head *head)
{
    return (lw_wave *)(void *)head;
}

static inline const lw_wave *lw_amd_wave_of(const lw_wave_head *head)
{
    return (const lw_wave *)(const void *)head;
}

static inline lw_amd_launch *lw_amd_launch_of(const lw_wave *w)
{
    return w->head.group->session->own;
}

enum { LW_SEGMENTS = 3 }; /* flat, scratch, global; other instructions count as the first */

/* Mnemonics: a number for each row and segment, then for each pair of halves of VOPD. */
enum { LW_DUAL_FIRST = 40, LW_DUAL_SECOND = 32 };
#define LW_DECODED_KINDS (LW_OP_COUNT * LW_SEGMENTS + LW_DUAL_FIRST * LW_DUAL_SECOND)

static inline unsigned lw_amd_module_lanes(const lw_module *module)
{
    return ((const lw_amd_module *)module->own)->lanes;
}

/* The instruction that begins at words[0], for the module's processor and waves (lw_amdgpu_decode). */
static inline lw_status lw_amd_decode(const lw_module *module, const uint32_t *words, size_t count,
                                      lw_decoded *in)
{
    const lw_amd_module *own = module->own;
    return lw_amdgpu_decode_as(module->arch, own->traits, own->lanes, words, count, in);
}

/* ---- names.c ---- */

const char *lw_decoded_name(lw_arch arch, const lw_decoded *in);

/* The number of an instruction's mnemonic, below LW_DECODED_KINDS. */
unsigned lw_decoded_kind(lw_arch arch, const lw_decoded *in);

/* ---- code.c: modules and their records ---- */

lw_status lw_amd_open(lw_module *module, lw_error *error);
lw_status lw_amd_open_code(lw_module *module, const uint32_t *words, size_t count, lw_error *error);
void lw_amd_close(lw_module *module);
lw_status lw_amd_symbol(const lw_module *module, const char *name, uint64_t *address, uint64_t *size);

/* Copies the dwords at `pc`, at most 4; returns how many. */
size_t lw_amd_words(const lw_module *module, uint64_t pc, uint32_t words[4]);

/* The record at the wave's pc, made if no other thread has made it. NULL after lw_wave_fault. */
const lw_record *lw_amd_fetch(lw_worker *worker, lw_wave *w);

/* ---- launch.c: what a session needs ---- */

lw_status lw_amd_prepare(lw_session *session, const lw_launch_options *options, lw_error *error);
void lw_amd_leave(lw_session *session);

/* ---- start.c: the state of waves at the beginning and at the end ---- */

void lw_amd_attach(lw_wave_head *wave, uint8_t *area);
void lw_amd_start(lw_wave_head *wave);
void lw_amd_end(lw_group *group);
size_t lw_amd_state(const lw_wave_head *wave, lw_span spans[LW_MAX_SPANS]);

/* ---- run.c: the loop over instructions ---- */

lw_run_end lw_amd_run(lw_worker *worker, lw_wave_head *wave, uint64_t quantum);

/* ---- event.c: what observers ask ---- */

size_t lw_amd_event_text(const lw_event *event, char *text, size_t size);
lw_facts lw_amd_facts(lw_arch arch, const void *record, uint64_t pc, lw_fact_operand *operands);
uint64_t lw_amd_event_lanes(const lw_event *event, const lw_fact_operand *operand);
bool lw_amd_lane_sources(const lw_event *event, const lw_fact_operand *operand, uint8_t from[LW_MAX_LANES]);
bool lw_amd_event_matrix(const lw_event *event, lw_matrix_event *matrix);
uint32_t lw_amd_value(const lw_wave_head *wave, lw_reg_file file, unsigned reg, unsigned lane);
void lw_amd_values(const lw_wave_head *wave, lw_reg_file file, unsigned reg, uint32_t *values, size_t count);
unsigned lw_amd_registers(const lw_wave_head *wave, lw_reg_file file);
size_t lw_amd_register_name(const lw_event *event, lw_reg_file file, unsigned reg, char *text, size_t size);
unsigned lw_amd_lanes(const lw_wave_head *wave);
unsigned lw_amd_accum_offset(const lw_wave_head *wave);
bool lw_amd_splits_l0(const lw_wave_head *wave);

/* ---- machine.c ---- */

/* Checks the readings and selects those of the machine; a sentence names the first that is wrong. */
lw_status lw_amd_readings(lw_session *session, lw_error *error);

/* ---- order.c: may workgroups run in parallel? ---- */

/* NULL if nothing reachable from the entry can make the order of workgroups visible; otherwise why it can. */
const char *lw_amd_order(const lw_session *session, bool *reachable_only);

/* ---- lds_dma.c ---- */

bool lw_amd_copy(lw_wave_head *wave, const lw_copy *copy);

#endif
