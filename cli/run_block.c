/* SPDX-License-Identifier: MIT */
/* kernarg:FILE: the caller's own argument block, into which addresses are written. */
#include <stdlib.h>
#include <string.h>

#include "cli/file.h"
#include "cli/parse.h"
#include "cli/run.h"

static int read_file(run_job *job, const char *word)
{
    const uint32_t size = job->kernel->kernarg_size;
    if (job->block_path)
        return cli_fail(job->call, CLI_USAGE, "'%s': the argument block is given twice", word);
    job->block_path = word + strlen("kernarg:");
    const int exit = file_read(job->call, job->block_path, &job->block, &job->block_size);
    job->arrays += exit == CLI_FINE ? job->block_size : 0;
    job->beside += exit == CLI_FINE ? job->block_size : 0;
    if (exit == CLI_FINE && job->block_size != size)
        return cli_fail(job->call, CLI_USAGE, "%s: %s takes a block of %u bytes, but the file holds %zu",
                        word, job->kernel->name, size, job->block_size);
    return exit;
}

static bool find_by_name(const run_job *job, const char *name, lw_arg_info *info)
{
    const lw_kernel_info *k = job->kernel;
    const lw_arg_info *found = run_find_hidden(k, name, strlen(name));
    for (size_t i = 0; i < k->explicit_count && !found; i++)
        if (strcmp(k->args[i].name, name) == 0)
            found = &k->args[i];
    if (found)
        *info = *found;
    return found != NULL;
}

/* Which bytes of the block an ARG refers to. */
static int find_place(const run_job *job, const run_arg *arg, lw_arg_info *info)
{
    uint64_t offset;
    const bool pointer = arg_is_pointer(arg);
    if (!arg->name)
        return cli_fail(job->call, CLI_USAGE,
                        "argument '%s': with kernarg: it must say where it goes, as in +8=%s", arg->word,
                        arg->word);
    if (arg->name[0] != '+') {
        if (find_by_name(job, arg->name, info))
            return CLI_FINE;
        return cli_fail(job->call, CLI_USAGE,
                        "argument '%s': %s has no argument '%s'; +OFFSET= is a place in "
                        "its block",
                        arg->word, job->kernel->name, arg->name);
    }
    if (arg->form == ARG_NUMBER)
        return cli_fail(job->call, CLI_USAGE, "argument '%s': needs a type, as in %s=i32:%s", arg->word,
                        arg->name, arg->text);
    const uint64_t size = pointer ? sizeof(uint64_t) : arg->tensor ? LW_TENSOR_MAP_BYTES : arg->size;
    if (!parse_u64(arg->name + 1, &offset) || offset > job->block_size || size > job->block_size - offset)
        return cli_fail(job->call, CLI_USAGE,
                        "argument '%s': %llu bytes at %s do not fit into a block of %zu", arg->word,
                        (unsigned long long)size, arg->name + 1, job->block_size);
    *info = (lw_arg_info){ .name = "",
                           .type_name = "",
                           .value_kind = "",
                           .address_space = "",
                           .kind = pointer ? LW_ARG_BUFFER : LW_ARG_VALUE,
                           .offset = (uint32_t)offset,
                           .size = (uint32_t)size };
    return CLI_FINE;
}

static int add_arg(run_job *job, const char *word)
{
    const size_t n = job->arg_count;
    run_arg *arg = &job->args[n];
    lw_arg_info *info = &job->block_infos[n];
    int exit = run_read_word(job, word, arg);
    if (exit == CLI_FINE)
        exit = find_place(job, arg, info);
    job->infos[n] = info;
    job->arg_count++; /* freed in any case */
    if (exit == CLI_FINE)
        exit = run_check_arg(job, n);
    for (size_t i = 0; i < n && exit == CLI_FINE; i++)
        if (info->offset < job->infos[i]->offset + job->infos[i]->size &&
            job->infos[i]->offset < info->offset + info->size)
            exit = cli_fail(job->call, CLI_USAGE, "'%s' and '%s' would fill the same bytes of the block",
                            job->args[i].word, word);
    return exit;
}

int run_read_block(run_job *job)
{
    const size_t count = job->call->operand_count;
    int exit = CLI_FINE;
    job->infos = cli_alloc(count * sizeof(*job->infos));
    job->args = cli_alloc(count * sizeof(*job->args));
    job->addresses = cli_alloc(count * sizeof(*job->addresses));
    job->values = cli_alloc(count * sizeof(*job->values));
    job->block_infos = cli_alloc(count * sizeof(*job->block_infos));
    for (size_t i = 1; i < count && exit == CLI_FINE; i++)
        if (strncmp(job->call->operands[i], "kernarg:", 8) == 0)
            exit = read_file(job, job->call->operands[i]);
    for (size_t i = 1; i < count && exit == CLI_FINE; i++)
        if (strncmp(job->call->operands[i], "kernarg:", 8) != 0)
            exit = add_arg(job, job->call->operands[i]);
    return exit == CLI_FINE ? run_check_tensors(job) : exit;
}
