/* SPDX-License-Identifier: MIT */
/* What events need of streams. */
#ifndef LW_RUNTIME_QUEUE_H
#define LW_RUNTIME_QUEUE_H

#include "runtime/device/device.h"

/* A job of a stream, which may have been destroyed meanwhile: done once the stream has done that many. */
typedef struct rt_mark {
    rt_stream *stream; /* NULL: none, and so done */
    uint64_t number;
} rt_mark;

/* The last job queued so far takes the place of what the mark was. */
void rt_mark_now(rt_stream *stream, rt_mark *mark);
/* `copy` held nothing before. */
void rt_mark_copy(const rt_mark *mark, rt_mark *copy);
void rt_mark_free(rt_mark *mark);
bool rt_mark_is_done(const rt_mark *mark);
void rt_mark_wait(const rt_mark *mark);

/* rt_stream_push; the work begins when `after` is done. */
int rt_stream_push_after(rt_stream *stream, rt_work run, void *payload, bool wait, const rt_mark *after);

#endif
