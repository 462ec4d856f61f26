/* SPDX-License-Identifier: MIT */
#ifndef LW_RUNTIME_MODULE_H
#define LW_RUNTIME_MODULE_H

#include "runtime/device/device.h"

struct rt_function {
    rt_module *module;
    size_t kernel; /* number in its program */
    const lw_kernel_info *info;
    uint32_t dynamic;
    bool said; /* what is missing for it has been reported */
};

struct rt_module {
    rt_module *next;
    lw_program *program;
    lw_module *loaded;
    rt_function *functions; /* one for each kernel */
    int device;
};

#endif
