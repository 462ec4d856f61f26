/* SPDX-License-Identifier: MIT */
/*
 * Runs random valid machine code: instructions drawn from the rows of a target with random operands, of every
 * target and in both sizes of waves, on registers that hold addresses and small numbers among random ones.
 * Registers, LDS, memory and code are surrounded by inaccessible pages. Every program runs twice, the second
 * time with all observers; result, fault message, registers, LDS and memory must be the same, and read-only
 * memory must not change.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <lanewise/launch.h>
#include <lanewise/observe.h>

#include "emu/amdgpu/decode/decoded.h"
#include "fuzz/input.h"
#include "isa_tables/amdgpu/rows.h"
#include "isa_tables/amdgpu/traits.h"

enum {
    LANES = 64,
    REGS = 256,
    WAVES = 2,
    MOST_WORDS = 160,
    MOST_INSTRUCTIONS = 32,
    LDS_BYTES = 4096,
    DATA_BYTES = 8192,
    SCRATCH = 256,
    TRIES = 200,
    BUDGET = 400, /* instructions per wave: a matrix instruction takes a millisecond here */
};

/* What a run reads and writes. Each part has whole pages, so that both its ends are guarded. */
typedef struct world {
    uint32_t *vgpr[WAVES], *agpr[WAVES];
    uint8_t *lds, *data, *constant;
    uint32_t *code; /* the end of its pages */
    lw_wave_state wave[WAVES];
} world;

static uint8_t *guarded(size_t size)
{
    static uintptr_t next = UINT64_C(0x510000000000); /* a hint only: the same addresses in every process */
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *p =
        mmap((void *)next, size + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    insist(p != MAP_FAILED && size % page == 0);
    insist(mprotect(p, page, PROT_NONE) == 0 && mprotect(p + page + size, page, PROT_NONE) == 0);
    next += 0x1000000;
    return p + page;
}

static world *the_world(void)
{
    static world w;
    if (w.data)
        return &w;
    w.data = guarded(DATA_BYTES);
    w.constant = guarded(DATA_BYTES);
    w.lds = guarded(LDS_BYTES);
    w.code = (uint32_t *)(guarded(4096) + 4096);
    for (unsigned i = 0; i < WAVES; i++) {
        w.vgpr[i] = (uint32_t *)guarded(REGS * LANES * 4);
        w.agpr[i] = (uint32_t *)guarded(REGS * LANES * 4);
    }
    return &w;
}

/* ---- Code ---- */

static uint32_t any_word(input *in)
{
    uint32_t v;
    fill_bytes(in, &v, sizeof(v));
    return v;
}

/* Where the fields of `enc` are; matrix instructions of CDNA are among those of VOP3P. */
static const lw_encoding *place_of(lw_arch arch, unsigned enc)
{
    return lw_encoding_of(lw_amdgpu_traits_of(arch)->encodings, enc == LW_ENC_MAI ? LW_ENC_VOP3P : enc);
}

/* Puts an opcode and the class's fixed bits into a first word. */
static uint32_t with_opcode(const lw_encoding *e, uint32_t word, unsigned op)
{
    const unsigned low = e->field[LW_FIELD_OP].low;
    const uint32_t bits = (uint32_t)((UINT64_C(1) << e->field[LW_FIELD_OP].count) - 1) << low;
    return (word & ~(e->mask | bits)) | e->value | (op << low & bits);
}

/* The scales' instruction comes first; `op` is the second one's. */
static void set_scaled(lw_arch arch, const lw_op_row *row, unsigned op, uint32_t words[4])
{
    if (row->enc == LW_ENC_MAI) {
        words[2] = 0xd3800800 | (words[2] & 0x0000f7ff & ~0x7800u) | (op & 0x7f) << 16;
        words[0] = 0xd3ac0000;
        return;
    }
    words[2] = with_opcode(place_of(arch, LW_ENC_VOP3P), words[2] & 0x40ff, op);
    words[0] = op >= 2 * 0x100 ? 0xcc3a0000 : 0xcc350000;
    words[1] = (words[1] & 0x1ffff) | 256 << 18;
    words[3] &= ~0xe0000000u;
}

/* A row's instruction with random operands; returns its number of words, 0 if none was found that decodes. */
static unsigned draw_operands(input *in, lw_arch arch, const lw_op_row *row, uint32_t words[4])
{
    const lw_amdgpu_traits *traits = lw_amdgpu_traits_of(arch);
    const lw_enc own = lw_op_enc(row, arch);
    const bool long_form = own >= LW_ENC_VOP1 && own <= LW_ENC_VOPC && take_byte(in) % 2;
    const unsigned shift[] = { traits->vop3_vop1, 0x100, 0 }; /* VOP1, VOP2, VOPC within VOP3 */
    const unsigned enc = long_form ? LW_ENC_VOP3 : own;
    const unsigned op = (unsigned)lw_op_code(row, arch) + (long_form ? shift[own - LW_ENC_VOP1] : 0);
    for (int n = 0; n < TRIES; n++) {
        lw_decoded decoded;
        for (unsigned i = 0; i < 4; i++)
            words[i] = n || i ? any_word(in) : take_word(in);
        words[0] = with_opcode(place_of(arch, enc), words[0], op);
        if ((enc == LW_ENC_VOP3P || enc == LW_ENC_MAI) &&
            words[3] % 8) { /* most modifiers are refused at run time */
            words[0] &= ~0x7f00u;
            words[1] &= ~0xe0000000u;
            if (traits->opsel_hi_ones && words[3] % 16 >= 8) { /* all bits of op_sel_hi */
                words[0] |= 0x4000;
                words[1] |= 0x18000000;
            }
        }
        if (row->mods & LW_MOD_SCALED)
            set_scaled(arch, row, op, words);
        if (own == LW_ENC_SOPP && row->flags & LW_OPF_BRANCH) /* short distances */
            words[0] =
                (words[0] & 0xffff0000) | (words[0] % 2 ? words[0] / 2 % 12 : 0x10000 - words[0] / 2 % 12);
        if (lw_amdgpu_decode(arch, words, 4, &decoded) == LW_OK && decoded.row == row)
            return decoded.words;
    }
    return 0;
}

/* Two halves of VOPD; 0 words where there is none. */
static unsigned draw_dual(input *in, lw_arch arch, uint32_t words[4])
{
    for (int n = 0; n < TRIES; n++) {
        lw_decoded decoded;
        for (unsigned i = 0; i < 4; i++)
            words[i] = any_word(in);
        words[0] = (words[0] & 0x03ffffff) | 0xc8000000;
        if (lw_amdgpu_decode(arch, words, 4, &decoded) == LW_OK && decoded.second.row)
            return decoded.words;
    }
    return 0;
}

static const lw_op_row *draw_row(input *in, lw_arch arch)
{
    for (;;) {
        const uint32_t at = (take_word(in) ^ any_word(in)) % LW_OP_COUNT;
        const lw_op_row *row = &lw_op_rows[at];
        const bool memory = row->enc == LW_ENC_SMEM || row->enc >= LW_ENC_DS;
        if (lw_op_code(row, arch) < 0 || !strcmp(row->sem, "none") || (memory && any_word(in) >> 31))
            continue;
        return row;
    }
}

/* Random instructions and s_endpgm, at the end of the pages; returns the number of words. */
static size_t write_code(input *in, lw_arch arch, world *w)
{
    uint32_t code[MOST_WORDS];
    size_t count = 0;
    for (unsigned n = 1 + take_byte(in) % MOST_INSTRUCTIONS; n > 0 && count + 5 < MOST_WORDS; n--)
        count += lw_amdgpu_traits_of(arch)->true16 && take_byte(in) % 16 == 0
                     ? draw_dual(in, arch, code + count)
                     : draw_operands(in, arch, draw_row(in, arch), code + count);
    code[count++] = lw_amdgpu_traits_of(arch)->true16 ? 0xbfb00000 : 0xbf810000;
    memcpy(w->code - count, code, count * sizeof(code[0]));
    return count;
}

/* ---- State ---- */

/* Odd registers hold upper halves of addresses, even ones lower halves, small offsets or anything. */
static uint32_t seed_register(input *in, const world *w, unsigned reg)
{
    const uint32_t r = any_word(in);
    const uint64_t address = (uint64_t)(uintptr_t)(r & 1 ? w->data : w->constant);
    if (r >> 28 == 0)
        return any_word(in);
    if (reg % 2)
        return (uint32_t)(address >> 32);
    const uint32_t most = r & 2 ? DATA_BYTES : LDS_BYTES; /* often close to the end */
    const uint32_t offset = r & 4 ? most - 4 - (r >> 4) % 8 * 4 : (r >> 4) % most / 4 * 4;
    return r & 2 ? (uint32_t)address + offset : offset;
}

static void seed_wave(input *in, world *w, unsigned n)
{
    lw_wave_state *s = &w->wave[n];
    *s = (lw_wave_state){
        .vgpr = w->vgpr[n], .agpr = w->agpr[n], .vgprs = REGS, .agprs = REGS, .scc = take_byte(in) & 1
    };
    s->mode = take_byte(in) % 4 ? 0x3f0 : any_word(in) & 0x8003ff;
    for (unsigned reg = 0; reg < REGS; reg++) {
        const uint32_t same = seed_register(in, w, reg);
        const bool spread = any_word(in) >> 31;
        for (unsigned lane = 0; lane < LANES; lane++)
            w->vgpr[n][reg * LANES + lane] = same + (spread && reg % 2 == 0 ? 4 * lane : 0);
    }
    fill_bytes(in, w->agpr[n], REGS * LANES * 4);
    for (unsigned reg = 0; reg < 106; reg++) /* groups of four also serve as buffer resources */
        s->sgpr[reg] = reg % 4 == 3 && any_word(in) >> 31   ? 0x00027000
                       : reg % 4 == 2 && any_word(in) >> 31 ? any_word(in) % DATA_BYTES
                                                            : seed_register(in, w, reg);
    s->sgpr[124] = any_word(in) % LDS_BYTES;
    s->sgpr[126] = take_byte(in) % 4 ? UINT32_MAX : any_word(in);
    s->sgpr[127] = take_byte(in) % 4 ? UINT32_MAX : any_word(in);
}

static void seed_world(input in, world *w)
{
    for (unsigned n = 0; n < WAVES; n++)
        seed_wave(&in, w, n);
    fill_bytes(&in, w->lds, LDS_BYTES);
    fill_bytes(&in, w->data, DATA_BYTES);
    fill_bytes(&in, w->constant, DATA_BYTES);
}

static uint64_t mix(uint64_t sum, const void *bytes, size_t size)
{
    const uint32_t *p = bytes;
    for (size_t i = 0; i < size / 4; i++)
        sum = (sum ^ p[i]) * UINT64_C(0x100000001b3) + (sum >> 29);
    return sum;
}

/* ---- Runs ---- */

typedef struct outcome {
    lw_status status;
    uint64_t state, instructions;
    char text[sizeof(((lw_error *)0)->text)];
} outcome;

static lw_status discard(void *context, const char *text, size_t size)
{
    (void)context;
    insist(text != NULL && size < 1 << 16);
    return LW_OK;
}

static void run(const world *w, lw_code_options *options, size_t waves, outcome *out)
{
    world now = *w;
    lw_error error = { "" };
    lw_launch_result *result = NULL;
    insist(lw_memory_create(&options->memory) == LW_OK);
    insist(lw_memory_register(options->memory, "data", w->data, DATA_BYTES, LW_ACCESS_READ_WRITE, NULL) ==
           LW_OK);
    insist(lw_memory_register(options->memory, "constant", w->constant, DATA_BYTES, LW_ACCESS_READ, NULL) ==
           LW_OK);
    memset(out, 0, sizeof(*out));
    out->status = lw_code_run(options, now.wave, waves, &result, &error);
    insist(out->status == LW_OK || (out->status >= 0 && error.text[0]) || error.text[0]);
    insist((out->status == LW_OK) == !error.text[0]);
    insist(memchr(error.text, 0, sizeof(error.text)) != NULL);
    strcpy(out->text, error.text);
    out->instructions = result ? result->instructions : 0;
    for (unsigned n = 0; n < WAVES; n++) {
        out->state = mix(out->state, w->vgpr[n], REGS * LANES * 4);
        out->state = mix(out->state, w->agpr[n], REGS * LANES * 4);
        out->state = mix(out->state, now.wave[n].sgpr, sizeof(now.wave[n].sgpr));
        out->state = mix(out->state, &now.wave[n].scc, 4);
        out->state = mix(out->state, &now.wave[n].mode, 4);
    }
    out->state = mix(out->state, w->lds, LDS_BYTES);
    out->state = mix(out->state, w->data, DATA_BYTES);
    lw_launch_result_free(result);
    lw_memory_free(options->memory);
}

static void run_observed(const world *w, lw_code_options *options, size_t waves, outcome *out)
{
    lw_trace_options t = lw_trace_options_default();
    lw_trace *trace = NULL;
    lw_uninit *uninit = NULL;
    lw_banks *banks = NULL;
    t.sink = discard;
    insist(lw_trace_create(&t, &trace) == LW_OK && lw_uninit_create(&uninit) == LW_OK &&
           lw_banks_create(&banks) == LW_OK);
    const lw_observer *observers[] = { lw_trace_observer(trace), lw_uninit_observer(uninit),
                                       lw_banks_observer(banks) };
    options->observers = observers;
    options->observer_count = 3;
    run(w, options, waves, out);
    for (size_t i = 0; i < lw_banks_count(banks); i++)
        insist(lw_banks_at(banks, i)->turns >= lw_banks_at(banks, i)->phases);
    insist(lw_uninit_at(uninit, lw_uninit_count(uninit)) == NULL);
    lw_trace_free(trace);
    lw_uninit_free(uninit);
    lw_banks_free(banks);
}

/* With LW_REPLAY_VERBOSE, prints the program and how it ended. */
static void announce(const world *w, lw_arch arch, size_t words, const outcome *o)
{
    char text[200];
    lw_decoded in;
    if (!getenv("LW_REPLAY_VERBOSE"))
        return;
    for (const uint32_t *at = w->code - words; at < w->code; at += in.words) {
        if (lw_amdgpu_decode(arch, at, (size_t)(w->code - at), &in) != LW_OK)
            break;
        lw_amdgpu_text(arch, &in, text, sizeof(text));
        fprintf(stderr, "  %s\n", text);
    }
    fprintf(stderr, "  %llu instructions, %s\n", (unsigned long long)o->instructions, o->text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    world *w = the_world();
    input in = { data, size, (uint32_t)size };
    outcome first, second;
    in.state ^= take_word(&in);
    static const lw_arch arches[] = { LW_ARCH_GFX942,  LW_ARCH_GFX950,  LW_ARCH_GFX908,  LW_ARCH_GFX90A,
                                      LW_ARCH_GFX1100, LW_ARCH_GFX1150, LW_ARCH_GFX1201, LW_ARCH_GFX1250 };
    const unsigned choice = take_byte(&in);
    const lw_arch arch = arches[choice % (sizeof(arches) / sizeof(arches[0]))];
    const bool wide = choice / 8 % 2 && lw_amdgpu_traits_of(arch)->vgpr_granule_32 &&
                      lw_amdgpu_traits_of(arch)->vgpr_granule_64;
    const size_t waves = 1 + take_byte(&in) % WAVES;
    const size_t words = write_code(&in, arch, w);
    lw_code_options options = { .struct_size = sizeof(lw_code_options),
                                .arch = arch,
                                .code = w->code - words,
                                .words = words,
                                .lds = w->lds,
                                .lds_size = take_byte(&in) % 4 ? LDS_BYTES : 0,
                                .scratch = take_byte(&in) % 4 ? SCRATCH : 0,
                                .budget = BUDGET,
                                .lanes = wide ? 64 : 0 };
    if (!options.lds_size)
        options.lds = NULL;
    seed_world(in, w);
    const uint64_t constant = mix(0, w->constant, DATA_BYTES);
    run(w, &options, waves, &first);
    announce(w, arch, words, &first);
    insist(mix(0, w->constant, DATA_BYTES) == constant);
    seed_world(in, w);
    run_observed(w, &options, waves, &second);
    if (getenv("LW_REPLAY_VERBOSE") && (first.status != second.status || strcmp(first.text, second.text)))
        announce(w, arch, words, &second);
    insist(first.status == second.status && strcmp(first.text, second.text) == 0);
    insist(first.instructions == second.instructions && first.state == second.state);
    return 0;
}
