/* SPDX-License-Identifier: MIT */
/* What --check banks found: conflicts in LDS, and blocks of global memory. */
#include <inttypes.h>
#include <stdio.h>

#include <lanewise/observe.h>

#include "cli/run_text.h"

static void open_report(cli_json *json, uint64_t offset, const char *instruction, const lw_line *source,
                        uint64_t executed)
{
    json_open(json, NULL, '{');
    json_uint(json, "code_offset", offset);
    json_string(json, "instruction", instruction);
    run_text_source(source, json);
    json_uint(json, "executed", executed);
}

static void report_bank(const lw_banks_report *b, cli_json *json)
{
    if (!json) {
        printf("  +0x%-6" PRIx64 " %-44s %8" PRIu64 " times  ", b->code_offset, b->instruction, b->executed);
        if (b->max_degree > 1)
            printf("%u-way conflict, %" PRIu64 " turns for %" PRIu64 " phase%s", b->max_degree, b->turns,
                   b->phases, b->phases == 1 ? "" : "s");
        else
            fputs("no conflict", stdout);
        fputs(b->assumed ? " (phases or banks assumed)" : "", stdout);
        run_text_source(&b->source, NULL);
        putchar('\n');
        return;
    }
    open_report(json, b->code_offset, b->instruction, &b->source, b->executed);
    json_uint(json, "phases", b->phases);
    json_uint(json, "turns", b->turns);
    json_uint(json, "max_degree", b->max_degree);
    json_bool(json, "phases_assumed", b->assumed);
    json_close(json, '}');
}

static void print_repaired(const lw_bank_turns *now, const lw_bank_turns *plain)
{
    if (now->turns == now->phases)
        puts(": no conflicts");
    else
        printf(": %" PRIu64 " turns instead of %" PRIu64 "\n", now->turns, plain->turns);
}

static void print_repair(const lw_banks_repair *r)
{
    if (r->swizzled) {
        printf("  cheapest swizzle, of bytes in LDS: Swizzle<%u,%u,%u>", r->b, r->m, r->s);
        print_repaired(&r->swizzle, &r->plain);
    }
    if (r->padded) {
        printf("  smallest padding: %u bytes after each %u", r->pad, r->row);
        print_repaired(&r->padding, &r->plain);
    }
    if (!r->swizzled && !r->padded)
        puts("  no swizzle and no padding that was tried has fewer conflicts");
    if (!r->whole)
        printf("  tried on %zu accesses, at most 32 of each instruction\n", r->requests);
}

static void write_repair(const lw_banks_repair *r, cli_json *json)
{
    json_open(json, "repair", '{');
    json_uint(json, "accesses", r->requests);
    json_bool(json, "all_accesses", r->whole);
    json_uint(json, "turns", r->plain.turns);
    json_uint(json, "phases", r->plain.phases);
    if (r->swizzled) {
        json_open(json, "swizzle", '{');
        json_uint(json, "b", r->b);
        json_uint(json, "m", r->m);
        json_uint(json, "s", r->s);
        json_uint(json, "turns", r->swizzle.turns);
        json_close(json, '}');
    }
    if (r->padded) {
        json_open(json, "padding", '{');
        json_uint(json, "row", r->row);
        json_uint(json, "pad", r->pad);
        json_uint(json, "turns", r->padding.turns);
        json_close(json, '}');
    }
    json_close(json, '}');
}

static void report_repair(const run_job *job, cli_json *json)
{
    const lw_banks_repair *repair = lw_banks_find_repair(job->banks);
    if (repair->plain.turns == repair->plain.phases)
        return;
    if (json)
        write_repair(repair, json);
    else
        print_repair(repair);
}

static void report_banks(const run_job *job, cli_json *json)
{
    const size_t count = lw_banks_count(job->banks);
    const uint64_t uncounted = lw_banks_uncounted(job->banks);
    if (json)
        json_open(json, "banks", '[');
    else if (count == 0)
        puts(uncounted ? "check banks: no LDS access was checked"
                       : "check banks: no instruction accessed LDS");
    else
        puts("check banks: LDS accesses by instruction");
    for (size_t i = 0; i < count; i++)
        report_bank(lw_banks_at(job->banks, i), json);
    if (json) {
        json_close(json, ']');
        json_uint(json, "banks_not_checked", uncounted);
    } else if (uncounted) {
        printf("  not checked: %" PRIu64
               " wave instruction%s; no rule says how %s serves accesses of that kind\n",
               uncounted, uncounted == 1 ? "" : "s", lw_arch_get(lw_program_arch(job->program))->name);
    }
    report_repair(job, json);
}

/* Why more blocks are touched than needed. */
static void print_cause(const lw_coalescing_report *c)
{
    if (c->irregular)
        fputs("lanes' addresses have no common stride", stdout);
    else if (c->strided && c->misaligned && c->touched - c->needed <= c->misaligned)
        fputs("the first byte is inside a block", stdout);
    else if (c->strided)
        printf("lanes are %" PRId64 " bytes apart", c->stride);
    else
        fputs("one lane", stdout);
}

static void print_coalescing(const lw_coalescing_report *c)
{
    printf("  +0x%-6" PRIx64 " %-44s %8" PRIu64 " times  %" PRIu64 " blocks, %" PRIu64
           " needed, %u %% used: ",
           c->code_offset, c->instruction, c->executed, c->touched, c->needed,
           (unsigned)(100 * c->bytes / (c->touched * c->unit)));
    print_cause(c);
    run_text_source(&c->source, NULL);
    putchar('\n');
}

static void write_coalescing(const lw_coalescing_report *c, cli_json *json)
{
    static const char *const names[LW_COALESCING_SIZES] = { "blocks_32", "blocks_64", "blocks_128" };
    open_report(json, c->code_offset, c->instruction, &c->source, c->executed);
    json_uint(json, "bytes", c->bytes);
    for (int i = 0; i < LW_COALESCING_SIZES; i++)
        json_uint(json, names[i], c->blocks[i]);
    json_uint(json, "unit", c->unit);
    json_bool(json, "unit_assumed", c->assumed);
    json_uint(json, "needed", c->needed);
    json_uint(json, "misaligned", c->misaligned);
    if (c->strided && !c->irregular)
        json_int(json, "stride", c->stride);
    json_close(json, '}');
}

/* In text, only the instructions that touch more blocks than they need. */
static void report_coalescing(const run_job *job, cli_json *json)
{
    const size_t count = lw_coalescing_count(job->coalescing);
    size_t fine = 0;
    if (json)
        json_open(json, "global_accesses", '[');
    else if (count)
        printf("check banks: accesses of global memory in blocks of %u bytes%s\n",
               lw_coalescing_at(job->coalescing, 0)->unit,
               lw_coalescing_at(job->coalescing, 0)->assumed ? " (assumed)" : "");
    for (size_t i = 0; i < count; i++) {
        const lw_coalescing_report *c = lw_coalescing_at(job->coalescing, i);
        const bool wasteful = c->touched > c->needed;
        fine += !wasteful;
        if (json)
            write_coalescing(c, json);
        else if (wasteful)
            print_coalescing(c);
    }
    if (json)
        json_close(json, ']');
    else if (fine)
        printf("  %zu instruction%s: as few blocks as the bytes need\n", fine, fine == 1 ? "" : "s");
}

void run_text_banks(const run_job *job, cli_json *json)
{
    if (job->banks)
        report_banks(job, json);
    if (job->coalescing)
        report_coalescing(job, json);
}
