/* SPDX-License-Identifier: MIT */
/*
 * Runs the probes on a GPU: reads the cases that `lanewise validate --cases ARCH` wrote, runs each with the
 * kernel of the same name, one wave at a time, and writes the results that `lanewise validate FILE` compares.
 * One source for CUDA and HIP; PROBE_KERNELS names the file that `lanewise validate --kernels ARCH` wrote.
 *
 *   probe CASES RESULTS
 */
#if defined(__HIP__) && defined(PROBE_COMPILE_ONLY) /* the device's half without ROCm's headers */
typedef unsigned int uint32_t;
#define __global__ __attribute__((global))
#else
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
#endif

#if defined(__HIP__) && !defined(PROBE_COMPILE_ONLY)
#include <hip/hip_runtime.h>
#define gpuError_t hipError_t
#define gpuSuccess hipSuccess
#define gpuGetErrorString hipGetErrorString
#define gpuMalloc hipMalloc
#define gpuMemcpy hipMemcpy
#define gpuMemcpyHostToDevice hipMemcpyHostToDevice
#define gpuMemcpyDeviceToHost hipMemcpyDeviceToHost
#define gpuMemset hipMemset
#define gpuDeviceSynchronize hipDeviceSynchronize
#define gpuGetLastError hipGetLastError
#define gpuGetDeviceProperties hipGetDeviceProperties
#define gpuDeviceProp hipDeviceProp_t
#define gpuDriverGetVersion hipDriverGetVersion
#elif !defined(__HIP__)
#include <cuda_runtime.h>
#define gpuError_t cudaError_t
#define gpuSuccess cudaSuccess
#define gpuGetErrorString cudaGetErrorString
#define gpuMalloc cudaMalloc
#define gpuMemcpy cudaMemcpy
#define gpuMemcpyHostToDevice cudaMemcpyHostToDevice
#define gpuMemcpyDeviceToHost cudaMemcpyDeviceToHost
#define gpuMemset cudaMemset
#define gpuDeviceSynchronize cudaDeviceSynchronize
#define gpuGetLastError cudaGetLastError
#define gpuGetDeviceProperties cudaGetDeviceProperties
#define gpuDeviceProp cudaDeviceProp
#define gpuDriverGetVersion cudaDriverGetVersion
#endif

/* Images of one case, register after register, one word per lane. */
struct images {
    const uint32_t *a, *b, *c, *e, *sa, *sb;
    uint32_t *d;
};

/* How many lanes a row of an image has: the size of a wave. */
#if defined(__HIP__)
#define LANES (__builtin_amdgcn_wavefrontsize())
#define LANE (__builtin_amdgcn_workitem_id_x())
#else
#define LANES 32u
#define LANE threadIdx.x
#endif

#define KERNEL(name) __global__ void name(images in)
#define IN32(operand, n) (in.operand[(n) * LANES + LANE])
#define IN64(operand, n) \
    ((uint64_t)in.operand[(2 * (n) + 1) * LANES + LANE] << 32 | in.operand[2 * (n) * LANES + LANE])
#define OUT32(n, value) in.d[(n) * LANES + LANE] = (value)
#define OUT64(n, value)                                                 \
    do {                                                                \
        in.d[2 * (n) * LANES + LANE] = (uint32_t)(value);               \
        in.d[(2 * (n) + 1) * LANES + LANE] = (uint32_t)((value) >> 32); \
    } while (0)

#if defined(__HIP__)
template <int n> struct words {
    typedef uint32_t type __attribute__((ext_vector_type(n)));
};
typedef words<2>::type words_2;
typedef words<3>::type words_3;
typedef words<4>::type words_4;
typedef words<6>::type words_6;
typedef words<8>::type words_8;
typedef words<12>::type words_12;
typedef words<16>::type words_16;
typedef words<32>::type words_32;
#endif

struct kernel_row {
    const char *name;
    void (*run)(images);
};

#include PROBE_KERNELS

#if !defined(PROBE_COMPILE_ONLY)

static void check(gpuError_t error, const char *what)
{
    if (error == gpuSuccess)
        return;
    fprintf(stderr, "probe: %s: %s\n", what, gpuGetErrorString(error));
    exit(1);
}

enum { SOURCES = 6, IMAGE_WORDS = 64 * 64 };

static const char *const source_names[SOURCES] = { "a", "b", "c", "e", "sa", "sb" };

/* One case as read, and where its images are on the GPU. */
struct probe_case {
    std::string name, arch, kernel;
    size_t d_words = 0;
    std::vector<uint32_t> words[SOURCES];
};

static bool read_line(FILE *file, std::string &line)
{
    int c;
    line.clear();
    while ((c = fgetc(file)) != EOF && c != '\n')
        line += (char)c;
    return c != EOF || !line.empty();
}

static void read_words(const char *text, std::vector<uint32_t> &words)
{
    char *end;
    for (uint32_t word = (uint32_t)strtoul(text, &end, 16); end != text;
         word = (uint32_t)strtoul(text, &end, 16)) {
        words.push_back(word);
        text = end;
    }
}

/* "case NAME ARCH WORDS KERNEL", a line for each source, "end". */
static bool read_case(FILE *file, probe_case &out)
{
    std::string line;
    char name[128], arch[32];
    unsigned long words;
    int rest = 0;
    while (read_line(file, line) && line.compare(0, 5, "case ") != 0) {
    }
    if (sscanf(line.c_str(), "case %127s %31s %lu %n", name, arch, &words, &rest) != 3)
        return false;
    out = probe_case();
    out.name = name;
    out.arch = arch;
    out.d_words = words;
    out.kernel = line.substr((size_t)rest);
    while (read_line(file, line) && line != "end") {
        const size_t blank = line.find(' ');
        for (int s = 0; s < SOURCES; s++)
            if (blank != std::string::npos && line.compare(0, blank, source_names[s]) == 0)
                read_words(line.c_str() + blank, out.words[s]);
    }
    return true;
}

static const kernel_row *find_kernel(const std::string &name)
{
    for (const kernel_row &row : kernel_rows)
        if (name == row.name)
            return &row;
    return NULL;
}

/* The device's buffers: one for each source, one for D. */
struct buffers {
    uint32_t *source[SOURCES], *d;
};

/* For an instruction that reads C from D, D starts as C. */
static void run_case(const probe_case &c, const kernel_row *kernel, const buffers &gpu,
                     std::vector<uint32_t> &d, unsigned lanes)
{
    for (int s = 0; s < SOURCES; s++)
        check(gpuMemcpy(gpu.source[s], c.words[s].data(), c.words[s].size() * sizeof(uint32_t),
                        gpuMemcpyHostToDevice),
              "copying operands");
    check(gpuMemset(gpu.d, 0, IMAGE_WORDS * sizeof(uint32_t)), "clearing the result");
    const images in = { gpu.source[0], gpu.source[1], gpu.source[2], gpu.source[3],
                        gpu.source[4], gpu.source[5], gpu.d };
    kernel->run<<<1, lanes>>>(in);
    check(gpuGetLastError(), c.kernel.c_str());
    check(gpuDeviceSynchronize(), c.kernel.c_str());
    d.resize(c.d_words);
    check(gpuMemcpy(d.data(), gpu.d, c.d_words * sizeof(uint32_t), gpuMemcpyDeviceToHost),
          "copying the result");
}

static void write_head(FILE *out, unsigned *lanes)
{
    gpuDeviceProp device;
    int driver = 0;
    check(gpuGetDeviceProperties(&device, 0), "looking for a GPU");
    check(gpuDriverGetVersion(&driver), "asking for the driver");
    *lanes = (unsigned)device.warpSize;
    fprintf(out, "# lanewise results 1\n# device: %s, capability %d.%d, driver %d\n", device.name,
            device.major, device.minor, driver);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: probe CASES RESULTS\n");
        return 2;
    }
    FILE *cases = fopen(argv[1], "r"), *out = fopen(argv[2], "w");
    if (!cases || !out) {
        fprintf(stderr, "probe: cannot open %s\n", cases ? argv[2] : argv[1]);
        return 2;
    }
    unsigned lanes, done = 0;
    buffers gpu;
    write_head(out, &lanes);
    for (int s = 0; s < SOURCES; s++)
        check(gpuMalloc((void **)&gpu.source[s], IMAGE_WORDS * sizeof(uint32_t)), "memory");
    check(gpuMalloc((void **)&gpu.d, IMAGE_WORDS * sizeof(uint32_t)), "memory");
    probe_case c;
    for (std::vector<uint32_t> d; read_case(cases, c); done++) {
        const kernel_row *kernel = find_kernel(c.kernel);
        if (!kernel) {
            fprintf(stderr, "probe: %s: no kernel for '%s'\n", c.name.c_str(), c.kernel.c_str());
            return 1;
        }
        if (!kernel->run) {
            fprintf(stderr, "probe: %s: left out, this nvcc does not know '%s'\n", c.name.c_str(),
                    c.kernel.c_str());
            continue;
        }
        run_case(c, kernel, gpu, d, lanes);
        fprintf(out, "result %s %s\nd", c.name.c_str(), c.arch.c_str());
        for (uint32_t word : d)
            fprintf(out, " %x", (unsigned)word);
        fputc('\n', out);
    }
    fclose(cases);
    if (fclose(out) != 0) {
        fprintf(stderr, "probe: %s could not be written\n", argv[2]);
        return 1;
    }
    fprintf(stderr, "probe: %u cases\n", done);
    return 0;
}

#endif
