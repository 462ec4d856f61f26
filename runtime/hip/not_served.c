/* SPDX-License-Identifier: MIT */
/* Functions that only return an error. Their parameters do not matter: on this platform a caller may pass
 * any. */
#include "runtime/hip/hip.h"

static int refuse(const char *name)
{
    rt_report_call(name);
    return hip_done(RT_UNSUPPORTED);
}

#define NOT_SERVED(name)                                                                                     \
    HIP_API int name(void);                                                                                  \
    int name(void)                                                                                           \
    {                                                                                                        \
        return refuse(#name);                                                                                \
    }
#include "runtime/hip/not_served.inc"
#undef NOT_SERVED
