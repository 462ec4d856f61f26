/* SPDX-License-Identifier: MIT */
#include "runtime/device/image.h"
#include "runtime/device/length.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int refuse(lw_error *error, int code, const char *text)
{
    snprintf(error->text, sizeof(error->text), "%s", text);
    return code;
}

/* PTX, which the driver compiles for its device: of the device's own target or an older one. */
static int load_ptx(const char *text, size_t size, lw_program **program, lw_error *error)
{
    lw_load_options options = lw_load_options_default();
    options.arch = rt_arch();
    const lw_status status = lw_program_load(text, size, &options, program, error);
    if (status == LW_OK)
        rt_report_code(text, size);
    return status == LW_OK            ? RT_OK
           : status == LW_E_NO_MEMORY ? RT_OUT_OF_MEMORY
           : status == LW_E_ARCH      ? RT_NO_BINARY_FOR_DEVICE
                                      : RT_INVALID_PTX;
}

static int load_nvidia(const char *image, lw_program **program, lw_error *error)
{
    if (rt_image_is_sealed(image))
        return refuse(error, RT_NO_BINARY_FOR_DEVICE,
                      "it is a cubin or a fat binary of CUDA: only PTX text can run here");
    return load_ptx(image, strlen(image), program, error);
}

int rt_image_load_bytes(const void *bytes, size_t size, lw_program **program, lw_error *error)
{
    if (rt_is_nvidia())
        return size > sizeof(Elf64_Ehdr) && rt_image_is_sealed(bytes) ? load_nvidia(bytes, program, error)
                                                                      : load_ptx(bytes, size, program, error);
    const lw_status status = lw_program_load_for(bytes, size, rt_product_get()->gcn_name, 0, program, error);
    if (status == LW_OK)
        rt_report_code(bytes, size);
    return status == LW_OK            ? RT_OK
           : status == LW_E_NO_MEMORY ? RT_OUT_OF_MEMORY
           : status == LW_E_ARCH      ? RT_NO_BINARY_FOR_DEVICE
                                      : RT_INVALID_IMAGE;
}

int rt_image_load(const void *image, lw_program **program, lw_error *error)
{
    if (rt_is_nvidia())
        return load_nvidia(image, program, error);
    const void *bytes = rt_image_unwrap(image);
    if (!bytes)
        return refuse(error, RT_INVALID_IMAGE, "the fat binary's wrapper points nowhere");
    const uint64_t size = rt_image_length(bytes);
    if (!size || size > SIZE_MAX / 2)
        return refuse(error, RT_INVALID_IMAGE,
                      "it is no code object, offload bundle or fat binary whose length is known");
    return rt_image_load_bytes(bytes, (size_t)size, program, error);
}
