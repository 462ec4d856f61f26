/* SPDX-License-Identifier: MIT */
#include <lanewise/label.h>

#include <stddef.h>

const char *lw_label_name(lw_label label)
{
    static const char *const names[LW_LABEL_COUNT] = {
        [LW_LABEL_EXACT] = "exact",   [LW_LABEL_RECORDED] = "recorded", [LW_LABEL_MEASURED] = "measured",
        [LW_LABEL_VENDOR] = "vendor", [LW_LABEL_INFERRED] = "inferred", [LW_LABEL_UNKNOWN] = "unknown",
    };
    return (unsigned)label < LW_LABEL_COUNT ? names[label] : NULL;
}
