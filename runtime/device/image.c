/* SPDX-License-Identifier: MIT */
#include "runtime/device/image.h"
#include "runtime/device/length.h"

#include <elf.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t cuda_wrapper_magic = 0x466243b1, cuda_fatbin_magic = 0xba55ed50;

static int refuse(lw_error *error, int code, const char *text)
{
    snprintf(error->text, sizeof(error->text), "%s", text);
    return code;
}

static bool states(const char *id, const char *feature)
{
    const char *at = strstr(id, feature);
    const size_t length = strlen(feature);
    return at && (at[length] == '\0' || at[length] == ':');
}

/* The devices have sramecc on and xnack off; a code object that says otherwise is not for them. */
static bool features_agree(const char *id)
{
    return !states(id, ":sramecc-") && !states(id, ":xnack+");
}

/* PTX, which the driver compiles for its device: of the device's own target or an older one. */
static int load_ptx(const char *text, size_t size, lw_program **program, lw_error *error)
{
    lw_load_options options = lw_load_options_default();
    options.arch = rt_arch();
    const lw_status status = lw_program_load(text, size, &options, program, error);
    return status == LW_OK            ? RT_OK
           : status == LW_E_NO_MEMORY ? RT_OUT_OF_MEMORY
           : status == LW_E_ARCH      ? RT_NO_BINARY_FOR_DEVICE
                                      : RT_INVALID_PTX;
}

/* Machine code of NVIDIA is not documented: cubins, and the fat binaries that hold PTX packed beside them. */
static bool is_sealed(const char *image)
{
    uint32_t first;
    uint16_t machine;
    memcpy(&first, image, sizeof(first));
    if (first == cuda_wrapper_magic || first == cuda_fatbin_magic)
        return true;
    if (memcmp(image, ELFMAG, SELFMAG) != 0)
        return false;
    memcpy(&machine, image + offsetof(Elf64_Ehdr, e_machine), sizeof(machine));
    return machine == EM_CUDA;
}

static int load_nvidia(const char *image, lw_program **program, lw_error *error)
{
    if (is_sealed(image))
        return refuse(error, RT_NO_BINARY_FOR_DEVICE,
                      "it is a cubin or a fat binary of CUDA: only PTX text can run here");
    return load_ptx(image, strlen(image), program, error);
}

static bool is_for_device(const lw_member *member)
{
    const size_t length = strlen(member->target);
    const bool generic = length > 8 && strcmp(member->target + length - 8, "-generic") == 0;
    lw_arch arch = LW_ARCH_NONE;
    if (generic)
        (void)lw_arch_find(member->target, &arch);
    return (generic ? arch == rt_arch() : strcmp(member->target, rt_product_get()->target) == 0) &&
           features_agree(member->id);
}

static int load_member(const lw_members *members, size_t index, lw_program **program, lw_error *error)
{
    lw_load_options options = lw_load_options_default();
    options.arch = rt_arch();
    const lw_status status = lw_program_load_member(members, index, &options, program, error);
    if (status == LW_OK && !features_agree(lw_program_target_id(*program))) {
        lw_program_free(*program);
        return refuse(error, RT_NO_BINARY_FOR_DEVICE,
                      "it is for xnack+ or sramecc-, which the device does not have");
    }
    return status == LW_OK            ? RT_OK
           : status == LW_E_NO_MEMORY ? RT_OUT_OF_MEMORY
           : status == LW_E_ARCH      ? RT_NO_BINARY_FOR_DEVICE
                                      : RT_INVALID_IMAGE;
}

int rt_image_load_bytes(const void *bytes, size_t size, lw_program **program, lw_error *error)
{
    lw_members *members;
    if (rt_is_nvidia())
        return size > sizeof(Elf64_Ehdr) && is_sealed(bytes) ? load_nvidia(bytes, program, error)
                                                             : load_ptx(bytes, size, program, error);
    const lw_status status = lw_members_read(bytes, size, &members, error);
    if (status != LW_OK)
        return status == LW_E_NO_MEMORY ? RT_OUT_OF_MEMORY : RT_INVALID_IMAGE;
    int code = RT_NO_BINARY_FOR_DEVICE;
    const lw_member *first = lw_members_at(members, 0);
    snprintf(error->text, sizeof(error->text), "no code object in it is for %s; the first is for %.100s",
             rt_product_get()->gcn_name,
             first && first->id[0] ? first->id
             : first               ? first->target
                                   : "nothing");
    for (size_t i = 0; i < lw_members_count(members); i++)
        if (is_for_device(lw_members_at(members, i))) {
            code = load_member(members, i, program, error);
            break;
        }
    lw_members_free(members);
    return code;
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
