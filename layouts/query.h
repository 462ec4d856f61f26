/* SPDX-License-Identifier: MIT */
/* Entries of a layout, for the queries and the pictures. */
#ifndef LW_LAYOUTS_QUERY_H
#define LW_LAYOUTS_QUERY_H

#include "layouts/layout.h"

/* All entries in the listing's order, in memory the caller frees. LW_OK or LW_E_NO_MEMORY. */
lw_status lw_layout_sorted(const lw_layout *layout, lw_layout_entry **entries, size_t *count);

/* The same by element: block, x, y, then in the listing's order. */
lw_status lw_layout_sorted_by_element(const lw_layout *layout, lw_layout_entry **entries, size_t *count);

/* Whether the entry passes the filter in `want`. */
bool lw_entry_matches(const lw_layout_entry *entry, const lw_layout_print_options *want);

/* The k in the dense matrix for a pair of a sparse A whose layout has its index. */
unsigned lw_layout_dense_k(const lw_layout *layout, const lw_pair *pair);

/* What is uncertain about the index given with a layout; NULL if nothing is, or no index was given. */
const char *lw_layout_index_open(const lw_layout *layout);

#endif
