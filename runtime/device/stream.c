/* SPDX-License-Identifier: MIT */
#include "runtime/device/device.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "runtime/device/queue.h"

/*
 * A stream is a queue of jobs and a thread that runs them in order. Jobs are numbered from 1; a job begins
 * when the jobs that it waits for, which were queued before it, are done. One lock and one condition variable
 * serve all streams.
 */
typedef struct wait_for {
    rt_stream *stream;
    uint64_t number;
} wait_for;

typedef struct job {
    struct job *next;
    rt_work run;
    void *payload;
    wait_for *waits;
    size_t wait_count;
    int *result; /* NULL: nobody waits */
} job;

struct rt_stream {
    rt_stream *next;
    job *first, **last;
    uint64_t queued, done; /* numbers of jobs */
    unsigned users;        /* the list of streams, the thread, jobs and events that wait */
    unsigned flags;
    int priority;
    void *owner;
    bool blocking, has_thread, ends;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static rt_stream *streams; /* all existing streams */
static _Thread_local bool is_worker;
static rt_stream null_stream = { .last = &null_stream.first, .users = 1, .blocking = true };

static rt_stream *or_null(rt_stream *stream)
{
    return stream ? stream : &null_stream;
}

static void release(rt_stream *stream)
{
    if (--stream->users == 0)
        free(stream);
}

static void free_job(job *j)
{
    for (size_t i = 0; i < j->wait_count; i++)
        release(j->waits[i].stream);
    free(j->waits);
    free(j);
}

static bool may_begin(const job *j)
{
    for (size_t i = 0; i < j->wait_count; i++)
        if (j->waits[i].stream->done < j->waits[i].number)
            return false;
    return true;
}

/* The lock must be held on entry, and is held on return. */
static void do_first(rt_stream *stream)
{
    job *j = stream->first;
    while (!may_begin(j))
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    const int result = j->run(j->payload);
    pthread_mutex_lock(&lock);
    stream->first = j->next;
    if (!stream->first)
        stream->last = &stream->first;
    stream->done++;
    if (j->result)
        *j->result = result;
    free_job(j);
    pthread_cond_broadcast(&changed);
}

/* The lock must be held. */
static void unlink_stream(rt_stream *stream)
{
    for (rt_stream **s = &streams; *s; s = &(*s)->next)
        if (*s == stream) {
            *s = stream->next;
            return;
        }
}

static void *work(void *context)
{
    rt_stream *stream = context;
    is_worker = true;
    pthread_mutex_lock(&lock);
    while (stream->first || !stream->ends) {
        if (stream->first)
            do_first(stream);
        else
            pthread_cond_wait(&changed, &lock);
    }
    unlink_stream(stream);
    stream->users--; /* the list's */
    release(stream);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static bool has_thread(rt_stream *stream)
{
    pthread_t thread;
    if (stream->has_thread)
        return true;
    if (pthread_create(&thread, NULL, work, stream) != 0)
        return false;
    pthread_detach(thread);
    stream->has_thread = true;
    stream->users++;
    return true;
}

static void add_wait(job *j, rt_stream *stream, uint64_t number)
{
    if (stream->done >= number)
        return;
    stream->users++;
    j->waits[j->wait_count++] = (wait_for){ stream, number };
}

/* The null stream waits for the blocking streams, and they for it. `extra`: a further mark to wait for, or
 * NULL. */
static bool find_waits(rt_stream *stream, job *j, const rt_mark *extra)
{
    size_t most = 2;
    for (const rt_stream *s = streams; s; s = s->next)
        most++;
    j->waits = calloc(most, sizeof(*j->waits));
    if (!j->waits)
        return false;
    if (extra && extra->stream)
        add_wait(j, extra->stream, extra->number);
    if (stream != &null_stream) {
        if (stream->blocking)
            add_wait(j, &null_stream, null_stream.queued);
        return true;
    }
    for (rt_stream *s = streams; s; s = s->next)
        if (s->blocking)
            add_wait(j, s, s->queued);
    return true;
}

/* The lock must be held. */
static bool enqueue(rt_stream *stream, rt_work run, void *payload, const rt_mark *after, int *result)
{
    job *j = calloc(1, sizeof(*j));
    if (!j || !find_waits(stream, j, after) || !has_thread(stream)) {
        if (j)
            free_job(j);
        return false;
    }
    j->run = run;
    j->payload = payload;
    j->result = result;
    *stream->last = j;
    stream->last = &j->next;
    stream->queued++;
    pthread_cond_broadcast(&changed);
    return true;
}

/* Whether the calling thread may wait. */
static int may_wait(void)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    if (!is_worker)
        return RT_OK;
    if (!atomic_flag_test_and_set(&said))
        rt_say("a host function of a stream called a function that waits for the device, which is not "
               "permitted: it "
               "returns an error");
    return RT_NOT_PERMITTED;
}

static void wait_until(rt_stream *stream, uint64_t number)
{
    stream->users++;
    while (stream->done < number)
        pthread_cond_wait(&changed, &lock);
    release(stream);
}

int rt_stream_push_after(rt_stream *stream, rt_work run, void *payload, bool wait, const rt_mark *after)
{
    int result = wait ? may_wait() : RT_OK;
    rt_stream *s = or_null(stream);
    if (result != RT_OK)
        return result;
    pthread_mutex_lock(&lock);
    const bool queued = enqueue(s, run, payload, after, wait ? &result : NULL);
    if (queued && wait)
        wait_until(s, s->queued);
    pthread_mutex_unlock(&lock);
    return queued ? result : RT_OUT_OF_MEMORY;
}

int rt_stream_push(rt_stream *stream, rt_work run, void *payload, bool wait)
{
    return rt_stream_push_after(stream, run, payload, wait, NULL);
}

void rt_mark_now(rt_stream *stream, rt_mark *mark)
{
    rt_stream *s = or_null(stream);
    pthread_mutex_lock(&lock);
    s->users++;
    if (mark->stream)
        release(mark->stream);
    *mark = (rt_mark){ s, s->queued };
    pthread_mutex_unlock(&lock);
}

void rt_mark_copy(const rt_mark *mark, rt_mark *copy)
{
    pthread_mutex_lock(&lock);
    if (mark->stream)
        mark->stream->users++;
    *copy = *mark;
    pthread_mutex_unlock(&lock);
}

void rt_mark_free(rt_mark *mark)
{
    pthread_mutex_lock(&lock);
    if (mark->stream)
        release(mark->stream);
    mark->stream = NULL;
    pthread_mutex_unlock(&lock);
}

bool rt_mark_is_done(const rt_mark *mark)
{
    pthread_mutex_lock(&lock);
    const bool done = !mark->stream || mark->stream->done >= mark->number;
    pthread_mutex_unlock(&lock);
    return done;
}

int rt_mark_wait(const rt_mark *mark)
{
    const int error = may_wait();
    if (error != RT_OK)
        return error;
    pthread_mutex_lock(&lock);
    if (mark->stream)
        wait_until(mark->stream, mark->number);
    pthread_mutex_unlock(&lock);
    return RT_OK;
}

int rt_stream_create(bool blocking, unsigned flags, int priority, void *owner, rt_stream **stream)
{
    rt_stream *s = calloc(1, sizeof(*s));
    if (!s)
        return RT_OUT_OF_MEMORY;
    s->last = &s->first;
    s->users = 1;
    s->blocking = blocking;
    s->flags = flags;
    s->priority = priority;
    s->owner = owner;
    pthread_mutex_lock(&lock);
    s->next = streams;
    streams = s;
    pthread_mutex_unlock(&lock);
    *stream = s;
    return RT_OK;
}

/* The lock must be held. */
static bool exists(const rt_stream *stream)
{
    const rt_stream *s = streams;
    while (s && s != stream)
        s = s->next;
    return s && !s->ends;
}

int rt_stream_destroy(rt_stream *stream)
{
    int error = RT_INVALID_HANDLE;
    pthread_mutex_lock(&lock);
    if (stream && exists(stream)) {
        stream->ends = true;
        pthread_cond_broadcast(&changed);
        if (!stream->has_thread) {
            unlink_stream(stream);
            release(stream);
        }
        error = RT_OK;
    }
    pthread_mutex_unlock(&lock);
    return error;
}

bool rt_stream_is(const rt_stream *stream)
{
    pthread_mutex_lock(&lock);
    const bool found = !stream || exists(stream);
    pthread_mutex_unlock(&lock);
    return found;
}

unsigned rt_stream_flags(const rt_stream *stream)
{
    return stream ? stream->flags : 0;
}

int rt_stream_priority(const rt_stream *stream)
{
    return stream ? stream->priority : 0;
}

void *rt_stream_owner(const rt_stream *stream)
{
    return stream ? stream->owner : NULL;
}

int rt_stream_query(rt_stream *stream)
{
    const rt_stream *s = or_null(stream);
    bool done = true;
    pthread_mutex_lock(&lock);
    done = s->done == s->queued;
    for (const rt_stream *other = streams; !stream && other; other = other->next)
        done = done && (!other->blocking || other->done == other->queued);
    pthread_mutex_unlock(&lock);
    return done ? RT_OK : RT_NOT_READY;
}

static int nothing(void *payload)
{
    (void)payload;
    return RT_OK;
}

/* For the null stream, waits for everything that it waits for. */
int rt_stream_wait(rt_stream *stream)
{
    rt_stream *s = or_null(stream);
    if (!stream)
        return rt_stream_push(NULL, nothing, NULL, true);
    const int error = may_wait();
    if (error != RT_OK)
        return error;
    pthread_mutex_lock(&lock);
    wait_until(s, s->queued);
    pthread_mutex_unlock(&lock);
    return RT_OK;
}

static bool all_done(void)
{
    bool done = null_stream.done == null_stream.queued;
    for (const rt_stream *s = streams; s; s = s->next)
        done = done && s->done == s->queued;
    return done;
}

int rt_wait_all(void)
{
    const int error = may_wait();
    if (error != RT_OK)
        return error;
    pthread_mutex_lock(&lock);
    while (!all_done())
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return RT_OK;
}
