/* SPDX-License-Identifier: MIT */
/* Functions of streams that events need. */
#ifndef LW_RUNTIME_QUEUE_H
#define LW_RUNTIME_QUEUE_H

#include "runtime/device/device.h"

/* A job of a stream that may have been destroyed since: it is done once the stream has done that many
 * jobs. */
typedef struct rt_mark {
    rt_stream *stream; /* NULL: no job, so it is done */
    uint64_t number;
} rt_mark;

/* Makes the mark refer to the last job queued so far. */
void rt_mark_now(rt_stream *stream, rt_mark *mark);
/* `copy` must be empty. */
void rt_mark_copy(const rt_mark *mark, rt_mark *copy);
void rt_mark_free(rt_mark *mark);
bool rt_mark_is_done(const rt_mark *mark);
int rt_mark_wait(const rt_mark *mark);

/* rt_stream_push; the work begins when `after` is done. */
int rt_stream_push_after(rt_stream *stream, rt_work run, void *payload, bool wait, const rt_mark *after);

#endif
