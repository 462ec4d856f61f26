/* SPDX-License-Identifier: MIT */
/* Entries of a layout, for the queries and the pictures. */
#ifndef LW_LAYOUTS_QUERY_H
#define LW_LAYOUTS_QUERY_H

#include "layouts/layout.h"

/* All entries in the listing's order, in memory the caller frees. LW_OK or LW_E_NO_MEMORY. */
lw_status lw_layout_sorted(const lw_layout *layout, lw_layout_entry **entries, size_t *count);

/* Does the entry pass the filter in `want`? */
bool lw_entry_matches(const lw_layout_entry *entry, const lw_layout_print_options *want);

#endif
