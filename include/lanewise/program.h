/* SPDX-License-Identifier: MIT */
/*
 * Compiled kernels: loading AMDGPU code objects and PTX modules, and asking what they contain.
 *
 * What can be read: PTX text of versions from 2.0 on with 64-bit addresses (PTX ISA 9.1); and, all of it
 * little endian, ELF code objects of versions 4, 5 and 6 (.co, .hsaco), clang
 * offload bundles, plain or compressed (zlib, zstd), offload binaries, and host executables, libraries
 * and objects of any machine that carry these in .hip_fatbin or .llvm.offloading.
 * Rules: LLVM "User Guide for AMDGPU Backend", "ELF Code Object" and "Code Object Metadata"; clang
 * "Offload Bundler" and "Offload Binary" documents.
 *
 * No input makes these functions read outside the bytes they were given. A file that claims sizes
 * beyond the limits below is refused with a sentence.
 */
#ifndef LANEWISE_PROGRAM_H
#define LANEWISE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lanewise/arch.h>
#include <lanewise/export.h>
#include <lanewise/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Limits of this implementation, not of the formats. */
enum {
    LW_MAX_MEMBERS = 4096,          /* code objects in one file */
    LW_MAX_IMAGE_MIB = 512,         /* a code object's memory image */
    LW_MAX_DECOMPRESSED_MIB = 2048, /* all compressed offload bundles of a file together */
};

/*
 * Besides these there is a limit, in bytes, on the host memory that a file may take: the file itself where it
 * is read by name, what its compressed bundles inflate to (each to the size it declares and no further), and
 * the image of the code object that is loaded. LW_E_NO_MEMORY when it is reached. The default is a quarter of
 * the host's memory (of the process's address space, where that is limited to less).
 */
LW_API uint64_t lw_memory_limit_default(void);

/* ---- What a file contains ---- */

typedef struct lw_members lw_members;

/* One code object inside a file. Pointers live as long as the lw_members they came from. */
typedef struct lw_member {
    const char
        *container;     /* "code object", "offload bundle", "compressed offload bundle", "offload binary" */
    const char *id;     /* as the container writes it: "hipv4-amdgcn-amd-amdhsa--gfx950:xnack-"; "" if none */
    const char *target; /* the processor its ELF header names: "gfx950", "gfx1030", "machine 0x77" */
    lw_arch arch;       /* LW_ARCH_NONE when Lanewise does not know that processor */
    uint64_t size;      /* bytes of the ELF file */
} lw_member;

/*
 * Lists the AMDGPU code objects in `size` bytes at `data`, in file order. Host entries, empty entries and
 * device images of other kinds are left out. The bytes must stay unchanged until lw_members_free.
 * LW_E_FORMAT if the bytes are not a known container or contain no AMDGPU code object, LW_E_TRUNCATED if a
 * structure reaches beyond the end, LW_E_ABSENT for a compression that this build has no library for.
 */
LW_API lw_status lw_members_read(const void *data, size_t size, lw_members **members, lw_error *error);
/* The same within `memory_limit` bytes; 0: lw_memory_limit_default(), as lw_members_read has it. */
LW_API lw_status lw_members_read_within(const void *data, size_t size, uint64_t memory_limit,
                                        lw_members **members, lw_error *error);
LW_API size_t lw_members_count(const lw_members *members);
/* NULL if `index` is not below the count. */
LW_API const lw_member *lw_members_at(const lw_members *members, size_t index);
LW_API void lw_members_free(lw_members *members);

/*
 * Which code object a device's runtime would take: the first that is for the device's processor, or generic
 * code that covers it, and that asks for none of sramecc and xnack otherwise than the device has them.
 * `device` is a target as runtimes report it: "gfx942:sramecc+:xnack-", "gfx1201", or for PTX "sm_90". A
 * feature that `device` does not state is not compared. LW_E_ARCH: there is none, with a sentence that names
 * the first; LW_E_NOT_FOUND: no such processor; LW_E_ARGUMENT for NULL.
 */
LW_API lw_status lw_members_choose(const lw_members *members, const char *device, size_t *index,
                                   lw_error *error);

/* ---- Kernels and their arguments ---- */

/* What one kernel argument is, from the code object's metadata. */
typedef enum lw_arg_kind {
    LW_ARG_VALUE,   /* passed by value */
    LW_ARG_BUFFER,  /* a pointer to global memory */
    LW_ARG_LDS,     /* a pointer to dynamically sized LDS: its value is set by the launch */
    LW_ARG_HIDDEN,  /* set by the launch (block counts, group sizes, apertures, ...) */
    LW_ARG_OTHER,   /* images, samplers, pipes, queues, PTX pointers to other memory: a launch refuses them */
    LW_ARG_PADDING, /* by-value filler named "pad" in hand-written metadata: zeroed by the launch; what lies
                       outside the kernarg segment is left out, with a warning */
    LW_ARG_EITHER,  /* PTX: 64 bits that may be an address or a number; the file does not say which */
} lw_arg_kind;

typedef struct lw_arg_info {
    const char *name;       /* "" when the metadata has none */
    const char *type_name;  /* source-level type, "" when absent; PTX: "u32", "b8[16]", "v2 f32" */
    const char *value_kind; /* the metadata's own word: "by_value", "hidden_block_count_x", ...; ".param" */
    const char *address_space; /* "global", "local", ...; "" when absent */
    lw_arg_kind kind;
    uint32_t offset, size;  /* in the kernarg segment, bytes; offset + size <= kernarg_size */
    uint32_t pointee_align; /* of LW_ARG_LDS; 0 when not stated */
    bool is_const;          /* the kernel promises not to write through it (actual_access or is_const) */
} lw_arg_info;

typedef struct lw_kernel_info {
    const char *name; /* as the metadata has it, often a mangled C++ name */
    const lw_arg_info
        *args; /* first those that a caller gives, then all others, each in the metadata's order */
    size_t arg_count;
    size_t explicit_count; /* how many a caller gives: LW_ARG_VALUE, LW_ARG_BUFFER, LW_ARG_EITHER and
                              LW_ARG_OTHER */
    uint32_t kernarg_size, kernarg_align;
    uint32_t lds_size;     /* static LDS, bytes */
    uint32_t private_size; /* scratch per work-item, bytes */
    uint32_t wavefront_size;
    uint32_t max_workgroup_size;    /* 0 when not stated */
    uint32_t required_workgroup[3]; /* 0 when not stated */
    uint32_t vgprs, agprs, sgprs;   /* as the descriptor allocates them */
    uint32_t max_workgroups[3];     /* 0 when not stated */
    uint32_t cluster[3];            /* workgroups in a cluster (V6); 0 when not stated */
    bool dynamic_stack;             /* private_size is a lower bound */
    bool uniform_workgroup;         /* the grid must be a multiple of the workgroup in each dimension */
    bool has_metadata;              /* false: only the descriptor is known, there are no `args` */
    const char *warning;            /* a harmless error in its metadata: a sentence, or "" */
    const char *unsupported; /* PTX: instructions in it that this version cannot run, with their lines; a
                                launch refuses the kernel. "": none */
    const char *approximate; /* PTX: instructions in it for which the PTX ISA gives only an error bound, with
                                their lines; they are computed correctly rounded. "": none */
    const char *contracted;  /* PTX: products and sums without a rounding that the assembler may fuse into one
                                rounding, by their lines; here each is rounded. "": none */
} lw_kernel_info;

/* ---- Programs ---- */

typedef struct lw_program lw_program;

enum { LW_MEMBER_ANY = -1 };

/*
 * Which code object of a file to load. Without options (NULL) the file must contain exactly one.
 * A code object must match everything that is given; where more than one matches, the load is refused and
 * the sentence lists what the file contains.
 */
typedef struct lw_load_options {
    size_t struct_size;    /* sizeof(lw_load_options), so that later versions can add members */
    lw_arch arch;          /* LW_ARCH_NONE: whichever the file has */
    int member;            /* index as in lw_members_at, or LW_MEMBER_ANY */
    const char *kernel;    /* one that the code object must contain (as in lw_program_find); NULL: any */
    uint64_t memory_limit; /* bytes; 0: lw_memory_limit_default() */
} lw_load_options;

/* No restriction: struct_size set, no arch, LW_MEMBER_ANY, no kernel. */
LW_API void lw_load_options_init(lw_load_options *options, size_t size);
static inline lw_load_options lw_load_options_default(void)
{
    lw_load_options options;
    lw_load_options_init(&options, sizeof(options));
    return options;
}

/*
 * Loads one code object. The bytes are copied; they may be freed afterwards.
 * LW_E_ARCH: nothing in the file is for options->arch, or the code object is for a processor Lanewise does
 * not know, or it is a generic one ("gfx9-4-generic") and options->arch does not choose its meaning.
 * LW_E_NOT_FOUND: no code object has the wanted kernel. LW_E_ARGUMENT: more than one matches, or `member`
 * is out of range. LW_E_FORMAT, LW_E_TRUNCATED, LW_E_ABSENT: as for lw_members_read. LW_E_UNSUPPORTED:
 * code object versions before 4, unlinked objects, files that exceed the limits above.
 */
LW_API lw_status lw_program_load(const void *data, size_t size, const lw_load_options *options,
                                 lw_program **program, lw_error *error);

/*
 * Loads code object number `index` of a file that lw_members_read has read.
 * options->member and options->memory_limit are ignored; fails as lw_program_load does.
 */
LW_API lw_status lw_program_load_member(const lw_members *members, size_t index,
                                        const lw_load_options *options, lw_program **program,
                                        lw_error *error);

/*
 * lw_program_load from a file. LW_E_IO if it cannot be read, or is not a regular file (a
 * device, a pipe, a folder); the sentence names path and reason.
 */
LW_API lw_status lw_program_load_file(const char *path, const lw_load_options *options, lw_program **program,
                                      lw_error *error);
/*
 * Loads what the runtime of a device would take from `size` bytes: lw_members_read_within,
 * lw_members_choose and lw_program_load_member for the architecture of `device`. Fails as these do.
 */
LW_API lw_status lw_program_load_for(const void *data, size_t size, const char *device, uint64_t memory_limit,
                                     lw_program **program, lw_error *error);
LW_API void lw_program_free(lw_program *program);

/* A NULL program has no architecture (LW_ARCH_NONE), an empty target, and none of what follows. */
LW_API lw_arch lw_program_arch(const lw_program *program);
/* The target in the metadata ("amdgcn-amd-amdhsa--gfx950:sramecc+"), else the one of the ELF header; PTX:
 * its .target. */
LW_API const char *lw_program_target_id(const lw_program *program);
/* The code object version: 4, 5 or 6; PTX: ten times its version, 90 for 9.0. */
LW_API unsigned lw_program_abi_version(const lw_program *program);

LW_API size_t lw_program_kernel_count(const lw_program *program);
/* NULL if `index` is not below the count. Lives as long as the program. */
LW_API const lw_kernel_info *lw_program_kernel_at(const lw_program *program, size_t index);
/*
 * Finds a kernel by its name, or by the unmangled base name of an Itanium-mangled one ("scale" finds
 * `_Z5scalePfi` and `_ZN3lib5scaleEPfi`; "lib::scale" the latter only) where only one kernel has it.
 * LW_E_NOT_FOUND: the sentence names the kernels that there are; LW_E_ARGUMENT: several have that base name.
 */
LW_API lw_status lw_program_find(const lw_program *program, const char *name, size_t *index, lw_error *error);

/* ---- What a disassembler needs ---- */

/*
 * Addresses are those of the ELF file (vaddr), as llvm-objdump prints them. A PTX module has no sections; its
 * addresses are the numbers of its instructions, counted from 0, and its symbols are its functions and
 * labels.
 */
typedef struct lw_section {
    const char *name; /* ".text"; "" for a segment of a file without section headers */
    uint64_t address, size;
    const uint8_t *data; /* `size` bytes as loaded, before relocation */
    bool writable, executable;
} lw_section;

typedef struct lw_symbol {
    const char *name;
    uint64_t address, size;
    bool is_function, is_object, is_global;
} lw_symbol;

/* Sections that are part of the memory image, in file order. NULL if `index` is not below the count. */
LW_API size_t lw_program_section_count(const lw_program *program);
LW_API const lw_section *lw_program_section_at(const lw_program *program, size_t index);

/* Named symbols inside the image, each once, sorted by address, then name. */
LW_API size_t lw_program_symbol_count(const lw_program *program);
LW_API const lw_symbol *lw_program_symbol_at(const lw_program *program, size_t index);

/* A variable of the program, which lw_module_symbol (lanewise/module.h) finds. */
typedef struct lw_variable {
    const char *name; /* lives as long as the program */
    uint64_t size;    /* bytes */
} lw_variable;

/*
 * The next variable: those of a code object's symbols, without kernel descriptors; PTX: those of the global
 * and constant state space outside functions. Start with *at = 0. False after the last one, and for NULL.
 */
LW_API bool lw_program_next_variable(const lw_program *program, size_t *at, lw_variable *variable);

/* One instruction of a program that is text. */
typedef struct lw_program_text {
    char text[256];        /* with its guard, without its semicolon; truncated if it does not fit */
    uint32_t line, column; /* its place in the file, from 1 */
    bool supported;        /* this version can run it */
} lw_program_text;

/* How many instructions a PTX module has; 0 for a code object. */
LW_API size_t lw_program_text_count(const lw_program *program);
/* LW_E_NOT_FOUND if `number` is not below the count, LW_E_ARGUMENT for NULL and for code objects. */
LW_API lw_status lw_program_text_at(const lw_program *program, uint64_t number, lw_program_text *text,
                                    lw_error *error);

/* ---- Source lines ---- */

/* Where an instruction comes from. */
typedef struct lw_line {
    char file[1024];       /* path as the compiler wrote it, with its folder; truncated if it does not fit */
    uint32_t line, column; /* from 1; line 0: the compiler assigned the instruction to no line; column 0: to
                              the whole line */
} lw_line;

/*
 * What the code object's line table (.debug_line of DWARF 2 to 5, as clang -g writes it, plain or compressed
 * with zlib or zstd) says about the instruction at `address`, an address of the ELF file (vaddr). The file
 * may also be relative to the folder where the compiler ran, which versions 2 to 4 store elsewhere. The table
 * is read when the program is loaded, within the load's memory limit; if it cannot be read, the
 * load succeeds and the program has no lines. LW_E_NOT_FOUND: there is no line table, or it does not cover
 * the address; LW_E_ARGUMENT: `program` or `line` is NULL; otherwise why the table was not read: LW_E_FORMAT
 * and LW_E_TRUNCATED where it is damaged, LW_E_UNSUPPORTED for another version or form, LW_E_ABSENT for a
 * compression this build has no library for, LW_E_NO_MEMORY where the limit did not allow it. A PTX module
 * has .loc and .file instead, `address` being the number of an instruction. Source: DWARF Debugging
 * Information Format, section 6.2; System V ABI, "Section Compression".
 */
LW_API lw_status lw_program_line(const lw_program *program, uint64_t address, lw_line *line, lw_error *error);

#ifdef __cplusplus
}
#endif

#endif
