/* SPDX-License-Identifier: MIT */
#include "runtime/device/device.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "runtime/device/queue.h"

/* The moment at which a recorded event was reached; kept as long as its job may run. */
typedef struct moment {
    unsigned users;
    double ms; /* of the host's clock */
} moment;

struct rt_event {
    rt_event *next;
    rt_mark mark; /* the job that records it */
    moment *reached;
    unsigned flags;
    bool timing;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static rt_event *events;

static void release(moment *m)
{
    if (m && --m->users == 0)
        free(m);
}

static bool is_event(const rt_event *event)
{
    const rt_event *e = events;
    while (e && e != event)
        e = e->next;
    return event && e;
}

int rt_event_create(unsigned flags, bool timing, rt_event **event)
{
    rt_event *e = calloc(1, sizeof(*e));
    if (!e)
        return RT_OUT_OF_MEMORY;
    e->flags = flags;
    e->timing = timing;
    pthread_mutex_lock(&lock);
    e->next = events;
    events = e;
    pthread_mutex_unlock(&lock);
    *event = e;
    return RT_OK;
}

int rt_event_destroy(rt_event *event)
{
    int error = RT_INVALID_HANDLE;
    pthread_mutex_lock(&lock);
    for (rt_event **e = &events; *e; e = &(*e)->next)
        if (*e == event) {
            *e = event->next;
            rt_mark_free(&event->mark);
            release(event->reached);
            free(event);
            error = RT_OK;
            break;
        }
    pthread_mutex_unlock(&lock);
    return error;
}

static int reach(void *payload)
{
    moment *m = payload;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    pthread_mutex_lock(&lock);
    m->ms = (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
    release(m);
    pthread_mutex_unlock(&lock);
    return RT_OK;
}

int rt_event_record(rt_event *event, rt_stream *stream)
{
    moment *m = calloc(1, sizeof(*m));
    if (!m)
        return RT_OUT_OF_MEMORY;
    m->users = 2;
    pthread_mutex_lock(&lock);
    int error = is_event(event) ? RT_OK : RT_INVALID_HANDLE;
    if (error == RT_OK) {
        error = rt_stream_push(stream, reach, m, false);
        if (error == RT_OK) {
            rt_mark_now(stream, &event->mark);
            release(event->reached);
            event->reached = m;
        }
    }
    if (error != RT_OK)
        free(m);
    pthread_mutex_unlock(&lock);
    return error;
}

/* A copy of the mark that outlives the event. */
static int mark_of(rt_event *event, rt_mark *mark)
{
    *mark = (rt_mark){ NULL, 0 };
    pthread_mutex_lock(&lock);
    const int error = is_event(event) ? RT_OK : RT_INVALID_HANDLE;
    if (error == RT_OK)
        rt_mark_copy(&event->mark, mark);
    pthread_mutex_unlock(&lock);
    return error;
}

int rt_event_query(rt_event *event)
{
    rt_mark mark;
    const int error = mark_of(event, &mark);
    if (error != RT_OK)
        return error;
    const bool done = rt_mark_is_done(&mark);
    rt_mark_free(&mark);
    return done ? RT_OK : RT_NOT_READY;
}

int rt_event_wait(rt_event *event)
{
    rt_mark mark;
    int error = mark_of(event, &mark);
    if (error != RT_OK)
        return error;
    error = rt_mark_wait(&mark);
    rt_mark_free(&mark);
    return error;
}

static int nothing(void *payload)
{
    (void)payload;
    return RT_OK;
}

int rt_stream_wait_event(rt_stream *stream, rt_event *event)
{
    rt_mark mark;
    int error = mark_of(event, &mark);
    if (error != RT_OK)
        return error;
    if (!rt_mark_is_done(&mark))
        error = rt_stream_push_after(stream, nothing, NULL, false, &mark);
    rt_mark_free(&mark);
    return error;
}

int rt_event_elapsed(float *ms, rt_event *from, rt_event *to)
{
    int error = RT_OK;
    pthread_mutex_lock(&lock);
    if (!is_event(from) || !is_event(to) || !from->timing || !to->timing || !from->reached || !to->reached)
        error = RT_INVALID_HANDLE;
    else if (!rt_mark_is_done(&from->mark) || !rt_mark_is_done(&to->mark))
        error = RT_NOT_READY;
    else
        *ms = (float)(to->reached->ms - from->reached->ms);
    pthread_mutex_unlock(&lock);
    return error;
}
