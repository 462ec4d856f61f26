/* SPDX-License-Identifier: MIT */
/* A lock between the host's threads; on hosts without threads it does nothing. */
#ifndef LW_EMU_DEVICE_LOCK_H
#define LW_EMU_DEVICE_LOCK_H

#include <stdbool.h>

#ifdef __wasi__
typedef struct lw_lock {
    char unused;
} lw_lock;

static inline bool lw_lock_create(lw_lock *lock)
{
    lock->unused = 0;
    return true;
}

static inline void lw_lock_take(lw_lock *lock)
{
    (void)lock;
}

static inline void lw_lock_leave(lw_lock *lock)
{
    (void)lock;
}

static inline void lw_lock_destroy(lw_lock *lock)
{
    (void)lock;
}
#else
#include <pthread.h>

typedef struct lw_lock {
    pthread_mutex_t mutex;
} lw_lock;

static inline bool lw_lock_create(lw_lock *lock)
{
    return pthread_mutex_init(&lock->mutex, NULL) == 0;
}

static inline void lw_lock_take(lw_lock *lock)
{
    pthread_mutex_lock(&lock->mutex);
}

static inline void lw_lock_leave(lw_lock *lock)
{
    pthread_mutex_unlock(&lock->mutex);
}

static inline void lw_lock_destroy(lw_lock *lock)
{
    pthread_mutex_destroy(&lock->mutex);
}
#endif

#endif
