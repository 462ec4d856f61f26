/* SPDX-License-Identifier: MIT */
/* IREE's data tiling: GPUEncodingExternalModels.cpp chooses the tiles, GPUTileSwizzleUtils.cpp lays them
 * out. */
#include <lanewise/encoding.h>

#include <stdio.h>
#include <string.h>

#include "isa_tables/error.h"
#include "isa_tables/options.h"
#include "layouts/schedule/plan.h"
#include "layouts/writer.h"

enum { M = LW_PLAN_M, N = LW_PLAN_N, K = LW_PLAN_K, SIMDS = 4, USUAL_UNITS = 512 };

/* An instruction's operands as its lanes hold them; `lanes` along m (A, C) or n (B), and along k. */
typedef struct unit {
    const lw_intrinsic *i;
    uint32_t wave, vgpr_bits; /* of a lane's registers */
    uint32_t k_lanes, k_each; /* of A and B: lanes along k, elements of each */
    uint32_t m_lanes, m_each; /* of C: lanes along m, rows of each, */
    uint32_t row_step;        /* so far apart */
    uint32_t bits_a, bits_c;  /* of a lane */
} unit;

static uint64_t ceil_div(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

static uint64_t power_below(uint64_t n)
{
    uint64_t p = 1;
    while (2 * p <= n)
        p *= 2;
    return p;
}

/* Of 16 x 16 instructions. */
static void make_unit(const lw_plan *p, const lw_intrinsic *i, unsigned bits_c, unit *u)
{
    const uint32_t groups = p->t->wave / 16;
    *u = (unit){ .i = i,
                 .wave = p->t->wave,
                 .vgpr_bits = p->t->vgpr_bits,
                 .k_lanes = p->t->k_groups,
                 .k_each = i->size[K] / p->t->k_groups,
                 .m_lanes = groups,
                 .m_each = 16 / groups,
                 .row_step = p->t->row_step };
    u->bits_a = u->k_each * p->bits;
    u->bits_c = u->m_each * bits_c;
}

/* Products for each row or column that is loaded: m * n / (m + n). */
static bool is_better(uint64_t m, uint64_t n, uint64_t than_m, uint64_t than_n)
{
    return m * n * (than_m + than_n) > than_m * than_n * (m + n);
}

/* How many instructions along m and n; the first best of powers of two. */
static void choose_tile(const lw_plan *p, const unit *u, uint32_t deep, uint64_t *m, uint64_t *n)
{
    const uint64_t units = p->chip ? p->chip->units : USUAL_UNITS,
                   lds_bits = 8 * (uint64_t)lw_arch_lds_size(lw_arch_get(p->t->arch)->name),
                   step = (uint64_t)deep * u->bits_a,
                   share = ceil_div((uint64_t)p->p->m * p->p->n, units * u->i->size[M] * u->i->size[N]);
    *m = *n = 1;
    for (uint64_t tm = 1; tm <= ceil_div(p->p->m, u->i->size[M]); tm *= 2) {
        if (tm * step >= u->vgpr_bits)
            break;
        const uint64_t limits[] = { (u->vgpr_bits - tm * step) / (step + tm * u->bits_c),
                                    (lds_bits - tm * step) / step, ceil_div(p->p->n, u->i->size[N]),
                                    share / tm };
        uint64_t tn = limits[0];
        for (size_t l = 1; l < sizeof(limits) / sizeof(limits[0]); l++)
            tn = limits[l] < tn ? limits[l] : tn;
        tn = tn ? power_below(tn) : 0;
        if (tn && is_better(tm, tn, *m, *n)) {
            *m = tm;
            *n = tn;
        }
    }
}

/* Over the SIMDs of a compute unit: the first best. Where no subgroup would have two instructions there is
 * one subgroup with one, however many there could be. */
static void split(uint64_t tm, uint64_t tn, lw_data_tiling *e)
{
    e->intrinsics[M] = e->intrinsics[N] = e->subgroups[M] = e->subgroups[N] = 1;
    for (uint64_t sm = 1; sm <= SIMDS && sm <= tm; sm *= 2) {
        const uint64_t sn = SIMDS / sm < tn ? SIMDS / sm : tn, im = tm / sm, in = tn / sn;
        if (is_better(im, in, e->intrinsics[M], e->intrinsics[N])) {
            e->intrinsics[M] = (uint32_t)im;
            e->intrinsics[N] = (uint32_t)in;
            e->subgroups[M] = (uint32_t)sm;
            e->subgroups[N] = (uint32_t)sn;
        }
    }
}

static void add(lw_data_tiling *e, uint32_t of, uint64_t step, uint64_t extent, bool always)
{
    if (extent > 1 || always)
        e->dim[e->dims++] = (lw_data_tiling_dim){ .of = of, .step = step, .extent = extent };
}

/* A, or B with `n` for `m`, in this order: tiles, subgroups, instructions, lanes along k and m, instructions
 * and elements of k. */
static void lay_operand(const unit *u, unsigned d, lw_data_tiling *e)
{
    const uint32_t along = d == M ? 0 : 1, k = 1 - along;
    const uint64_t size = u->i->size[d], deep = (uint64_t)e->intrinsics[K] * u->i->size[K],
                   tile = size * e->intrinsics[d] * e->subgroups[d];
    add(e, along, tile, ceil_div(e->shape[along], tile), true);
    add(e, k, deep, ceil_div(e->shape[k], deep), true);
    add(e, along, size * e->intrinsics[d], e->subgroups[d], false);
    add(e, along, size, e->intrinsics[d], false);
    add(e, k, u->k_each, u->k_lanes, true);
    add(e, along, 1, size, true);
    add(e, k, u->i->size[K], e->intrinsics[K], false);
    add(e, k, 1, u->k_each, false);
}

static void lay_result(const unit *u, lw_data_tiling *e)
{
    uint64_t tile[2];
    for (unsigned d = M; d <= N; d++) {
        tile[d] = (uint64_t)u->i->size[d] * e->intrinsics[d] * e->subgroups[d];
        add(e, d, tile[d], ceil_div(e->shape[d], tile[d]), true);
    }
    for (unsigned d = M; d <= N; d++)
        add(e, d, (uint64_t)u->i->size[d] * e->intrinsics[d], e->subgroups[d], false);
    for (unsigned d = M; d <= N; d++)
        add(e, d, u->i->size[d], e->intrinsics[d], false);
    if (u->row_step > 1)
        add(e, M, u->m_lanes, u->m_each, false);
    add(e, M, u->row_step > 1 ? 1 : u->m_each, u->m_lanes, true);
    add(e, N, 1, u->i->size[N], true);
    if (u->row_step == 1)
        add(e, M, 1, u->m_each, false);
}

static void name(lw_data_tiling *e)
{
    static const char letters[] = "mnk";
    size_t used = (size_t)snprintf(e->text, sizeof(e->text), "#iree_gpu.data_tiled_mma_layout<intrinsic = %s",
                                   e->intrinsic);
    for (unsigned d = M; d <= K; d++) {
        if (e->intrinsics[d] > 1)
            used += (size_t)snprintf(e->text + used, sizeof(e->text) - used, ", intrinsics_%c = %u",
                                     letters[d], e->intrinsics[d]);
        if (d < K && e->subgroups[d] > 1)
            used += (size_t)snprintf(e->text + used, sizeof(e->text) - used, ", subgroups_%c = %u",
                                     letters[d], e->subgroups[d]);
    }
    snprintf(e->text + used, sizeof(e->text) - used, ", operands_interleaving_intrinsics_k = [0, 1]>");
}

lw_status lw_data_tiling_fill(const lw_tiling_problem *problem, lw_operand operand, lw_data_tiling *encoding,
                              lw_error *error)
{
    lw_data_tiling made = { .struct_size = sizeof(made) };
    lw_tiling unused = { .struct_size = sizeof(unused) };
    const lw_intrinsic *i;
    unit u;
    if (!problem || operand > LW_OPERAND_D || !lw_options_known(encoding, sizeof(made), sizeof(made)))
        return lw_error_fail(error, LW_E_ARGUMENT,
                             "lw_data_tiling_derive needs a problem, A, B or C, and a result");
    lw_plan p = { .p = problem, .s = &unused, .error = error };
    const lw_status st = lw_plan_open(&p);
    if (st != LW_OK)
        return st;
    if (!(i = lw_plan_deepest(&p)))
        return lw_error_fail(
            error, LW_E_UNSUPPORTED,
            "IREE 3.13.0 packs nothing on %s for %s, %s and %s: no matrix instruction there takes them",
            lw_arch_get(problem->arch)->name, problem->a, problem->b, problem->c);
    make_unit(&p, i, lw_plan_bits(problem->c), &u);
    uint64_t tm, tn;
    made.intrinsic = i->name;
    made.intrinsics[K] = u.bits_a < 128 ? 128 / u.bits_a : 1;
    choose_tile(&p, &u, made.intrinsics[K], &tm, &tn);
    split(tm, tn, &made);
    made.shape[0] = operand == LW_OPERAND_B ? problem->k : problem->m;
    made.shape[1] = operand == LW_OPERAND_A ? problem->k : problem->n;
    if (operand == LW_OPERAND_A || operand == LW_OPERAND_B)
        lay_operand(&u, operand == LW_OPERAND_A ? M : N, &made);
    else
        lay_result(&u, &made);
    name(&made);
    lw_options_give(encoding, &made, sizeof(made), sizeof(made));
    return LW_OK;
}

/* ---- Arrays ---- */

static bool is_encoding(const lw_data_tiling *e)
{
    bool fine = e && e->dims && e->dims <= LW_DATA_TILING_DIMS;
    for (uint32_t x = 0; fine && x < e->dims; x++)
        fine = e->dim[x].of < 2 && e->dim[x].extent;
    return fine;
}

static uint64_t count_of(const lw_data_tiling *e)
{
    uint64_t count = 1;
    for (uint32_t x = 0; x < e->dims; x++)
        count *= e->dim[x].extent;
    return count;
}

/* The matrix element at packed element n; false if that is outside the matrix. */
static bool find(const lw_data_tiling *e, uint64_t n, uint64_t *at)
{
    uint64_t index[2] = { 0, 0 };
    for (uint32_t x = e->dims; x-- > 0; n /= e->dim[x].extent)
        index[e->dim[x].of] += n % e->dim[x].extent * e->dim[x].step;
    *at = index[0] * e->shape[1] + index[1];
    return index[0] < e->shape[0] && index[1] < e->shape[1];
}

lw_status lw_data_tiling_pack(const lw_data_tiling *e, const void *matrix, size_t size, void *packed)
{
    if (!is_encoding(e) || !matrix || !packed || !size)
        return LW_E_ARGUMENT;
    const uint64_t count = count_of(e);
    for (uint64_t n = 0, at; n < count; n++)
        if (find(e, n, &at))
            memcpy((char *)packed + n * size, (const char *)matrix + at * size, size);
        else
            memset((char *)packed + n * size, 0, size);
    return LW_OK;
}

lw_status lw_data_tiling_unpack(const lw_data_tiling *e, const void *packed, size_t size, void *matrix)
{
    if (!is_encoding(e) || !matrix || !packed || !size)
        return LW_E_ARGUMENT;
    const uint64_t count = count_of(e);
    for (uint64_t n = 0, at; n < count; n++)
        if (find(e, n, &at))
            memcpy((char *)matrix + at * size, (const char *)packed + n * size, size);
    return LW_OK;
}

/* Whether this is the dimension that counts whole tiles. */
static bool is_outermost(const lw_data_tiling *e, uint32_t x)
{
    for (uint32_t y = 0; y < e->dims; y++)
        if (e->dim[y].of == e->dim[x].of && e->dim[y].step > e->dim[x].step)
            return false;
    return true;
}

/* A count of one that an earlier dimension already has, such as no lanes along k. */
static bool is_silent(const lw_data_tiling *e, uint32_t x)
{
    for (uint32_t y = 0; y < x; y++)
        if (e->dim[x].extent == 1 && e->dim[y].of == e->dim[x].of && e->dim[y].step == e->dim[x].step)
            return true;
    return false;
}

static void put_offset(const lw_data_tiling *e, lw_writer *w)
{
    uint32_t silent = 0, put = 0;
    for (uint32_t x = 0; x < e->dims; x++)
        silent += is_silent(e, x);
    lw_writer_put(w, "offset = ");
    for (uint32_t x = 0; x + 2 < e->dims - silent; x++)
        lw_writer_put(w, "(");
    for (uint32_t x = 0; x < e->dims; x++) {
        const lw_data_tiling_dim *d = &e->dim[x];
        if (is_silent(e, x))
            continue;
        if (put)
            lw_writer_put(w, "*%llu + ", (unsigned long long)d->extent);
        lw_writer_put(w, "d%u", d->of);
        if (d->step > 1)
            lw_writer_put(w, "/%llu", (unsigned long long)d->step);
        if (!is_outermost(e, x))
            lw_writer_put(w, "%%%llu", (unsigned long long)d->extent);
        if (put && put + 1 < e->dims - silent)
            lw_writer_put(w, ")");
        put++;
    }
    lw_writer_put(w, "\n");
}

/* For each dimension of the matrix, its digits by increasing step. */
static void put_cute(const lw_data_tiling *e, lw_writer *w)
{
    for (int strides = 0; strides < 2; strides++) {
        lw_writer_put(w, strides ? "):(" : "(");
        for (uint32_t of = 0; of < 2; of++) {
            uint64_t above = 0;
            lw_writer_put(w, of ? ",(" : "(");
            for (uint32_t n = 0; n < e->dims; n++) {
                uint32_t next = e->dims;
                for (uint32_t x = 0; x < e->dims; x++)
                    if (e->dim[x].of == of && e->dim[x].step > above &&
                        (next == e->dims || e->dim[x].step < e->dim[next].step))
                        next = x;
                if (next == e->dims)
                    break;
                uint64_t stride = 1;
                for (uint32_t x = next + 1; x < e->dims; x++)
                    stride *= e->dim[x].extent;
                lw_writer_put(w, "%s%llu", above ? "," : "",
                              (unsigned long long)(strides ? stride : e->dim[next].extent));
                above = e->dim[next].step;
            }
            lw_writer_put(w, ")");
        }
    }
    lw_writer_put(w, ")\n");
}

lw_status lw_data_tiling_print(const lw_data_tiling *e, lw_sink sink, void *context)
{
    lw_writer w;
    if (!is_encoding(e) || !sink)
        return LW_E_ARGUMENT;
    lw_writer_start(&w, sink, context);
    put_offset(e, &w);
    put_cute(e, &w);
    return lw_writer_finish(&w);
}
