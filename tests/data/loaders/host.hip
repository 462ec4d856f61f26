// SPDX-License-Identifier: MIT
// A host file with device code inside. NAME is the kernel's name.
#define GLOBAL __attribute__((global))
extern "C" {
enum hipError_t { hipSuccess };
struct dim3 {
    unsigned x, y, z;
};
struct hip_stream;
unsigned __hipPushCallConfiguration(dim3, dim3, unsigned long, hip_stream *);
unsigned __hipPopCallConfiguration(dim3 *, dim3 *, unsigned long *, hip_stream **);
hipError_t hipLaunchKernel(const void *, dim3, dim3, void **, unsigned long, hip_stream *);
GLOBAL void NAME(int *x) { *x = 1; }
}
