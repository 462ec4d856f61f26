/* SPDX-License-Identifier: MIT */
/* lanewise list FILE: the code objects of a file, their kernels, and what a launch must supply. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/arg.h"
#include "cli/file.h"
#include "cli/list.h"
#include "cli/target.h"

typedef struct listing {
    const cli_call *call;
    const char *path;
    const lw_members *members;
    lw_arch arch;   /* LW_ARCH_NONE: all */
    cli_json *json; /* NULL: text */
    size_t loaded, refused;
    lw_status why; /* of the first that cannot be loaded */
    lw_error reason;
} listing;

/* The vendors' terms. */
static void print_needs(const lw_kernel_info *k, bool ptx)
{
    printf("    %s %u", ptx ? "warp" : "wave", k->wavefront_size);
    if (k->required_workgroup[0])
        printf(", %s exactly %u,%u,%u", ptx ? "block" : "workgroup", k->required_workgroup[0],
               k->required_workgroup[1], k->required_workgroup[2]);
    else if (k->max_workgroup_size)
        printf(", %s up to %u %s", ptx ? "block" : "workgroup", k->max_workgroup_size,
               ptx ? "threads" : "work-items");
    if (ptx && k->cluster[0])
        printf(", clusters of %u,%u,%u", k->cluster[0], k->cluster[1] ? k->cluster[1] : 1,
               k->cluster[2] ? k->cluster[2] : 1);
    printf(", %u bytes of %s, %u bytes of %s%s\n", k->lds_size, ptx ? "shared memory" : "LDS",
           k->private_size, ptx ? "local memory" : "scratch", k->dynamic_stack ? " and a dynamic stack" : "");
    if (k->vgprs || k->agprs || k->sgprs)
        printf("    registers: %u VGPRs, %u AGPRs, %u SGPRs\n", k->vgprs, k->agprs, k->sgprs);
}

/* Prints the hidden arguments by the names that `run` accepts for them. */
static void print_hidden(const lw_kernel_info *k)
{
    char names[1024] = "";
    for (size_t i = k->explicit_count; i < k->arg_count; i++) {
        const char *kind = k->args[i].value_kind;
        if (k->args[i].kind == LW_ARG_HIDDEN && strcmp(kind, "hidden_none") != 0 &&
            strlen(names) + strlen(kind) + 3 < sizeof(names))
            strcat(strcat(names, names[0] ? ", " : ""), kind);
    }
    target_print_wrapped(6, names);
}

static void print_kernel(const lw_kernel_info *k, bool ptx)
{
    printf("  kernel %s\n", k->name);
    print_needs(k, ptx);
    if (k->warning[0])
        printf("    warning: %s\n", k->warning);
    if (k->unsupported[0])
        printf("    not supported: %s\n", k->unsupported);
    if (k->approximate[0])
        printf("    approximate, here correctly rounded: %s\n", k->approximate);
    if (k->contracted[0])
        printf("    the assembler may fuse the product and the sum of %s; here each is rounded\n",
               k->contracted);
    if (!k->has_metadata)
        puts("    no metadata: its arguments are not known");
    for (size_t i = 0; i < k->explicit_count; i++) {
        const lw_arg_info *a = &k->args[i];
        printf("    argument %zu  %-16s %-12s %u byte%s at %u%s%s%s\n", i, a->name[0] ? a->name : "(no name)",
               file_arg_kind(a->kind), a->size, a->size == 1 ? "" : "s", a->offset,
               a->type_name[0] ? ", " : "", a->type_name, a->is_const ? ", only read" : "");
    }
    if (k->arg_count > k->explicit_count)
        printf("    and %zu hidden argument%s, filled by the launch\n", k->arg_count - k->explicit_count,
               k->arg_count - k->explicit_count == 1 ? "" : "s");
    print_hidden(k);
}

static void write_args(cli_json *json, const lw_kernel_info *k)
{
    json_open(json, "arguments", '[');
    for (size_t i = 0; i < k->arg_count; i++) {
        const lw_arg_info *a = &k->args[i];
        json_open(json, NULL, '{');
        json_string(json, "name", a->name);
        json_string(json, "kind", file_arg_kind(a->kind));
        json_string(json, "value_kind", a->value_kind);
        json_string(json, "type", a->type_name);
        json_uint(json, "offset", a->offset);
        json_uint(json, "size", a->size);
        json_bool(json, "only_read", a->is_const);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void write_kernel(cli_json *json, const lw_kernel_info *k)
{
    json_open(json, NULL, '{');
    json_string(json, "name", k->name);
    json_uint(json, "wave", k->wavefront_size);
    json_uint(json, "max_workgroup_size", k->max_workgroup_size);
    json_open(json, "required_workgroup", '[');
    for (int i = 0; i < 3; i++)
        json_uint(json, NULL, k->required_workgroup[i]);
    json_close(json, ']');
    json_uint(json, "lds_bytes", k->lds_size);
    json_uint(json, "scratch_bytes", k->private_size);
    json_uint(json, "vgprs", k->vgprs);
    json_uint(json, "agprs", k->agprs);
    json_uint(json, "sgprs", k->sgprs);
    json_uint(json, "kernarg_bytes", k->kernarg_size);
    json_uint(json, "explicit_arguments", k->explicit_count);
    if (k->warning[0])
        json_string(json, "warning", k->warning);
    if (k->unsupported[0])
        json_string(json, "unsupported", k->unsupported);
    if (k->approximate[0])
        json_string(json, "approximate", k->approximate);
    if (k->contracted[0])
        json_string(json, "contracted", k->contracted);
    write_args(json, k);
    json_close(json, '}');
}

static bool is_ptx(const lw_program *program)
{
    return strcmp(lw_arch_get(lw_program_arch(program))->vendor, "NVIDIA") == 0;
}

static void print_version(const lw_program *program)
{
    const unsigned version = lw_program_abi_version(program);
    if (is_ptx(program))
        printf("  PTX version %u.%u\n", version / 10, version % 10);
    else
        printf("  %s, code object version %u\n", lw_program_target_id(program), version);
}

static void list_program(const listing *l, const lw_program *program)
{
    if (l->json) {
        json_string(l->json, "target_id", lw_program_target_id(program));
        json_uint(l->json, is_ptx(program) ? "ptx_version" : "code_object_version",
                  lw_program_abi_version(program));
        json_open(l->json, "kernels", '[');
    } else {
        print_version(program);
    }
    for (size_t i = 0; i < lw_program_kernel_count(program); i++) {
        if (l->json)
            write_kernel(l->json, lw_program_kernel_at(program, i));
        else
            print_kernel(lw_program_kernel_at(program, i), is_ptx(program));
    }
    if (l->json)
        json_close(l->json, ']');
    else if (lw_program_kernel_count(program) == 0)
        puts("  no kernels");
}

/* One code object. An object that cannot be loaded is listed with the reason. */
static void list_member(listing *l, size_t index)
{
    lw_error error = { "" };
    lw_program *program;
    const lw_member *member = lw_members_at(l->members, index);
    if (l->json) {
        json_open(l->json, NULL, '{');
        json_string(l->json, "container", member->container);
        json_string(l->json, "id", member->id);
        json_string(l->json, "target", member->target);
    } else {
        printf("%s: %s for %s\n", l->path, member->container, member->target);
    }
    const lw_status status = lw_program_load_member(l->members, index, NULL, &program, &error);
    if (status == LW_OK) {
        list_program(l, program);
        lw_program_free(program);
        l->loaded++;
    } else {
        if (l->refused++ == 0) {
            l->why = status;
            l->reason = error;
        }
        if (l->json)
            json_string(l->json, "error", error.text);
        else
            printf("  not loaded: %s\n", error.text);
    }
    if (l->json)
        json_close(l->json, '}');
}

static void list_members(listing *l)
{
    if (l->json) {
        json_open(l->json, NULL, '{');
        json_string(l->json, "file", l->path);
        json_open(l->json, "code_objects", '[');
    }
    for (size_t i = 0; i < lw_members_count(l->members); i++)
        if (l->arch == LW_ARCH_NONE || lw_members_at(l->members, i)->arch == l->arch)
            list_member(l, i);
    if (l->json) {
        json_close(l->json, ']');
        json_close(l->json, '}');
    }
}

/* Everything was listed, with reasons; but a file with nothing that can be loaded is bad input. */
static int say_refused(const listing *l)
{
    if (l->loaded)
        return CLI_FINE;
    cli_say(l->call, l->refused > 1 ? "%s: none of the code objects can be loaded; the first: %s" : "%s: %s",
            l->path, l->reason.text);
    return l->why == LW_E_NO_MEMORY ? CLI_FAULT : CLI_USAGE;
}

static bool has_arch(const lw_members *members, lw_arch arch)
{
    for (size_t i = 0; i < lw_members_count(members); i++)
        if (arch == LW_ARCH_NONE || lw_members_at(members, i)->arch == arch)
            return true;
    return false;
}

int list_file(const cli_call *call, const char *path, lw_arch arch)
{
    uint8_t *bytes;
    size_t size;
    uint64_t limit;
    lw_members *members;
    lw_error error = { "" };
    cli_json json = { .out = stdout };
    int exit = file_read(call, path, &bytes, &size);
    if (exit != CLI_FINE)
        return exit;
    if (list_is_capture(bytes, size) || list_is_part(bytes, size)) {
        exit = (list_is_part(bytes, size) ? list_part : list_capture)(call, path, bytes, size);
        free(bytes);
        return exit;
    }
    arg_memory_limit(call, &limit);
    const lw_status status = lw_members_read_within(bytes, size, limit, &members, &error);
    if (status != LW_OK) {
        free(bytes);
        return cli_fail_status(call, path, status, &error);
    }
    listing l = { .call = call,
                  .path = path,
                  .members = members,
                  .arch = arch,
                  .json = cli_has(call, "json") ? &json : NULL };
    if (has_arch(members, arch)) {
        list_members(&l);
        exit = say_refused(&l);
    } else {
        exit = cli_fail(call, CLI_USAGE, "%s: holds nothing for %s", path, lw_arch_get(arch)->name);
    }
    lw_members_free(members);
    free(bytes);
    return exit;
}
