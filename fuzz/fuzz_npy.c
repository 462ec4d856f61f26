/* SPDX-License-Identifier: MIT */
/* Arbitrary bytes as a .npy file; what can be read is written and read again, and must be the same. */
#include <stdlib.h>
#include <string.h>

#include <lanewise/npy.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void insist(int condition)
{
    if (!condition)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lw_npy a, b;
    lw_error error;
    void *bytes;
    size_t length;
    if (lw_npy_read(data, size, &a, &error) != LW_OK)
        return 0;
    insist(lw_npy_write(&a, &bytes, &length, &error) == LW_OK);
    insist(lw_npy_read(bytes, length, &b, &error) == LW_OK);
    insist(a.dtype == b.dtype && a.dims == b.dims && a.count == b.count);
    insist(memcmp(a.shape, b.shape, a.dims * sizeof(a.shape[0])) == 0);
    insist(memcmp(a.data, b.data, (size_t)a.count * lw_dtype_size(a.dtype)) == 0);
    lw_npy_free_bytes(bytes);
    lw_npy_free(&a);
    lw_npy_free(&b);
    return 0;
}
