/* SPDX-License-Identifier: MIT */
/* Prints what the loader found, one "path=value" per line, for comparison with llvm-readelf. Usage: dump FILE
 * [ARCH]. */
#include <inttypes.h>
#include <stdio.h>

#include <lanewise/program.h>

static void dump_kernel(const lw_kernel_info *k)
{
    printf("%s.kernarg=%" PRIu32 " align=%" PRIu32 " lds=%" PRIu32 " private=%" PRIu32 " wave=%" PRIu32
           " max=%" PRIu32 " vgprs=%" PRIu32 " agprs=%" PRIu32 " sgprs=%" PRIu32 "\n",
           k->name, k->kernarg_size, k->kernarg_align, k->lds_size, k->private_size, k->wavefront_size,
           k->max_workgroup_size, k->vgprs, k->agprs, k->sgprs);
    for (size_t a = 0; a < k->arg_count; a++) {
        const lw_arg_info *arg = &k->args[a];
        printf("%s.arg offset=%" PRIu32 " size=%" PRIu32 " kind=%s name=%s const=%d\n", k->name, arg->offset,
               arg->size, arg->value_kind, arg->name, arg->is_const);
    }
}

int main(int argc, char **argv)
{
    lw_load_options options = lw_load_options_default();
    lw_program *program;
    lw_error error = { "" };
    if (argc < 2 || (argc > 2 && lw_arch_find(argv[2], &options.arch) != LW_OK))
        return 2;
    if (lw_program_load_file(argv[1], &options, &program, &error) != LW_OK) {
        fprintf(stderr, "%s: %s\n", argv[1], error.text);
        return 1;
    }
    printf("target=%s\n", lw_program_target_id(program));
    for (size_t i = 0; i < lw_program_kernel_count(program); i++)
        dump_kernel(lw_program_kernel_at(program, i));
    for (size_t i = 0; i < lw_program_symbol_count(program); i++) {
        const lw_symbol *s = lw_program_symbol_at(program, i);
        printf("symbol %016" PRIx64 " %" PRIu64 " %s\n", s->address, s->size, s->name);
    }
    lw_program_free(program);
    return 0;
}
