/* SPDX-License-Identifier: MIT */
#include <lanewise/status.h>

const char *lw_status_text(lw_status status)
{
    static const char *const texts[] = {
#define ROW(name, text) [LW_##name] = text,
        LW_STATUS_ROWS(ROW)
#undef ROW
    };
    const size_t count = sizeof(texts) / sizeof(texts[0]);
    return (size_t)status < count ? texts[status] : "unknown status";
}
