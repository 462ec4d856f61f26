/* SPDX-License-Identifier: MIT */
/*
 * Millions of words through our decoder and LLVM 22's, which is loaded as a library; many.py calls it.
 *   many_words ARCH[/64] CPU FEATURES COUNT SEED < WORDS
 * The lines of WORDS are cases, hexadecimal dwords. Each of COUNT cases is one of them with some bits
 * changed. Prints what differs, "WORDS | SIZE THEIRS | SIZE OURS", "-" for refused and "!" for a crash, and
 * at last how many were decoded and refused by LLVM. LLVM runs in children, because it crashes on some words.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "emu/amdgpu/decode/decoded.h"
#include "isa_tables/amdgpu/traits.h"

enum { MAX_WORDS = 4, TEXT = 512, MAX_BASES = 1 << 20, NOT_THERE = 77 };

typedef struct words {
    uint32_t w[MAX_WORDS];
    unsigned count;
} words;

/* What the children tell the parent. */
typedef struct progress {
    uint64_t next, decoded, refused;
} progress;

/* What is compared with LLVM: our decoder for a processor. */
typedef struct subject {
    lw_arch arch;
    const lw_amdgpu_traits *traits;
    unsigned wave;
} subject;

/* LLVM's C interface, by name: no headers are needed. */
typedef struct llvm {
    void *context;
    size_t (*print)(void *, uint8_t *, uint64_t, uint64_t, char *, size_t);
} llvm;

static words *bases;
static size_t base_count;

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* Case n of a seed: a base with up to four bits flipped, or a byte or a dword exchanged. */
static words case_of(uint64_t seed, uint64_t n)
{
    uint64_t r = mix(seed * 0x9e3779b97f4a7c15u + n);
    words c = bases[r % base_count];
    const unsigned bits = 32 * c.count;
    r = mix(r);
    if ((r & 15) == 0)
        c.w[r / 16 % c.count] = (uint32_t)(r >> 32);
    else if ((r & 15) < 5)
        c.w[r / 16 % c.count] ^= (uint32_t)(r >> 56) << (8 * (r >> 50 & 3));
    else
        for (uint64_t flips = r >> 4 & 3, i = 0; i <= flips; i++) {
            r = mix(r);
            c.w[r % bits / 32] ^= 1u << r % 32;
        }
    return c;
}

static void read_bases(void)
{
    char line[128];
    bases = malloc(MAX_BASES * sizeof(*bases));
    while (bases && base_count < MAX_BASES && fgets(line, sizeof(line), stdin)) {
        words c = { { 0 }, 0 };
        char *at = line, *end;
        for (; c.count < MAX_WORDS; c.count++, at = end) {
            c.w[c.count] = (uint32_t)strtoul(at, &end, 16);
            if (end == at)
                break;
        }
        if (c.count)
            bases[base_count++] = c;
    }
}

static bool load(llvm *l, const char *cpu, const char *features)
{
    void *lib = dlopen("libLLVM.so.22.1", RTLD_NOW);
    if (!lib)
        return false;
    static const char *const starts[] = { "LLVMInitializeAMDGPUTargetInfo", "LLVMInitializeAMDGPUTargetMC",
                                          "LLVMInitializeAMDGPUDisassembler" };
    for (unsigned i = 0; i < 3; i++) {
        void (*start)(void);
        *(void **)&start = dlsym(lib, starts[i]);
        start();
    }
    void *(*create)(const char *, const char *, const char *, void *, int, void *, void *);
    *(void **)&create = dlsym(lib, "LLVMCreateDisasmCPUFeatures");
    *(void **)&l->print = dlsym(lib, "LLVMDisasmInstruction");
    l->context = create("amdgcn-amd-amdhsa", cpu, features, NULL, 0, NULL, NULL);
    return l->context;
}

static void print_case(const words *c, int size, const char *theirs, int mine_size, const char *mine)
{
    char line[2 * TEXT + 128];
    int n = 0;
    for (unsigned i = 0; i < c->count; i++)
        n += snprintf(line + n, sizeof(line) - (size_t)n, "%s%08x", i ? " " : "", (unsigned)c->w[i]);
    n += snprintf(line + n, sizeof(line) - (size_t)n, " | %d %s | %d %s\n", size, theirs, mine_size, mine);
    if (write(STDOUT_FILENO, line, (size_t)n) < 0)
        _exit(1);
}

/* Our verdict: the size in bytes, 0 for refused. */
static int ours(const subject *s, const words *c, char text[TEXT])
{
    lw_decoded in;
    strcpy(text, "-");
    if (lw_amdgpu_decode_as(s->arch, s->traits, s->wave, c->w, c->count, &in) != LW_OK)
        return 0;
    lw_amdgpu_text(s->arch, &in, text, TEXT);
    return in.words * 4;
}

static void compare(const llvm *l, const subject *s, uint64_t seed, uint64_t end, progress *p)
{
    char theirs[TEXT], mine[TEXT];
    while (p->next < end) {
        words c = case_of(seed, p->next++); /* counted before LLVM may crash */
        uint8_t bytes[sizeof(c.w)];
        memcpy(bytes, c.w, sizeof(bytes));
        const int size = (int)l->print(l->context, bytes, 4 * c.count, 0, theirs, sizeof(theirs));
        *(size ? &p->decoded : &p->refused) += 1;
        const int mine_size = ours(s, &c, mine);
        char *comment = strstr(theirs, " ; "); /* such as: an odd register of a pair of SGPRs */
        if (size && comment)
            *comment = '\0';
        for (size_t n = strlen(theirs); size && n && theirs[n - 1] == ' '; n--)
            theirs[n - 1] = '\0';
        const char *text = size ? theirs + strspn(theirs, "\t ") : "-";
        if (size != mine_size || strcmp(text, mine) != 0)
            print_case(&c, size, text, mine_size, mine);
    }
}

int main(int argc, char **argv)
{
    subject s = { .arch = LW_ARCH_NONE };
    if (argc != 6)
        return 2;
    char *wide = strstr(argv[1], "/64"), mine[TEXT];
    if (wide)
        *wide = '\0';
    FILE *shared = tmpfile();
    if (!shared || ftruncate(fileno(shared), sizeof(progress)))
        return 1;
    progress *p = mmap(NULL, sizeof(*p), PROT_READ | PROT_WRITE, MAP_SHARED, fileno(shared), 0);
    llvm l;
    if (lw_arch_find(argv[1], &s.arch) != LW_OK || p == MAP_FAILED)
        return 2;
    if (!load(&l, argv[2], argv[3]))
        return NOT_THERE;
    s.traits = lw_amdgpu_traits_named(s.arch, argv[1]);
    s.wave = wide ? 64 : s.traits->wave;
    const uint64_t count = strtoull(argv[4], NULL, 10), seed = strtoull(argv[5], NULL, 10);
    read_bases();
    uint64_t crashes = 0;
    while (base_count && p->next < count) {
        const pid_t child = fork();
        if (child < 0)
            return 1;
        if (child == 0) {
            if (!freopen("/dev/null", "w", stderr))
                _exit(1);
            compare(&l, &s, seed, count, p);
            _exit(0);
        }
        int status = 0;
        if (waitpid(child, &status, 0) == child && status == 0)
            continue;
        crashes++;
        const words c = case_of(seed, p->next - 1);
        const int size = ours(&s, &c, mine);
        print_case(&c, 0, "!", size, mine);
    }
    printf("= %llu decoded, %llu refused, %llu crashed\n", (unsigned long long)p->decoded,
           (unsigned long long)p->refused, (unsigned long long)crashes);
    free(bases);
    return 0;
}
