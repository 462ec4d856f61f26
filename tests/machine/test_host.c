/* SPDX-License-Identifier: MIT */
/* Effects of the host on a launch: floating-point control words, forks, threads that cannot be created. */
#define _GNU_SOURCE /* setgroups */
#include <grp.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "machine/adding.h"

/* Rounding, flushing, sticky flags and unmasked exceptions of the host: the same bits, and its control word
 * is unchanged. */
START_TEST(control_words)
{
#if defined(__x86_64__)
    static const unsigned words[] = {
        0x1f80, 0x1fbf, 0xffff, 0x9fc0, 0x3f80, 0x5f80, 0x0000, 0x003f, 0xe07f
    };
    adding t;
    adding_init(&t, OBJECT[_i & 1]);
    t.options.threads = _i & 2 ? 2 : 1;
    t.options.time_limit = 1000.3;
    for (unsigned n = 0; n < sizeof(words) / sizeof(words[0]); n++) {
        const unsigned saved = _mm_getcsr();
        _mm_setcsr(words[n]);
        const lw_status status = adding_run(&t);
        const unsigned after = _mm_getcsr();
        _mm_setcsr(saved);
        ck_assert_int_eq(status, LW_OK);
        ck_assert_uint_eq(after, words[n]);
        check_sums(&t, 0, COUNT);
    }
    adding_free(&t);
#endif
}
END_TEST

/* The exit status that `work` gives in a child process, which has twenty seconds. */
static int in_child(int (*work)(adding *t), adding *t)
{
    int status = 0;
    fflush(stdout);
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        alarm(20);
        _exit(work(t));
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status), "the child was ended by signal %d", WTERMSIG(status));
    return WEXITSTATUS(status);
}

static int launch_inherited(adding *t)
{
    if (adding_run(t) != LW_OK)
        return 1;
    check_sums(t, 0, COUNT);
    return t->result->threads == 1 ? 0 : 2;
}

START_TEST(forks)
{
    adding t;
    adding_init(&t, OBJECT[_i]);
    t.options.threads = 4;
    ck_assert_int_eq(adding_run(&t), LW_OK);
    ck_assert_uint_eq(t.result->threads, 4);
    ck_assert_int_eq(in_child(launch_inherited, &t), 0);
    ck_assert_int_eq(adding_run(&t), LW_OK);
    ck_assert_uint_eq(t.result->threads, 4);
    adding_free(&t);
}
END_TEST

static void *nothing(void *context)
{
    return context;
}

enum { NOT_REFUSED = 77 };

/* A process that cannot create threads: limits on their number do not apply to root. */
static int launch_without_threads(adding *t)
{
    const struct rlimit none = { 0, 0 };
    pthread_t thread;
    const char *object = (const char *)t->result; /* only the path is passed */
    t->result = NULL;
    adding_init(t, object);
    t->options.threads = 4;
    if (setrlimit(RLIMIT_NPROC, &none) != 0)
        return NOT_REFUSED;
    if (getuid() == 0 && (setgroups(0, NULL) != 0 || setgid(65534) != 0 || setuid(65534) != 0))
        return NOT_REFUSED;
    if (pthread_create(&thread, NULL, nothing, NULL) == 0) {
        pthread_join(thread, NULL);
        return NOT_REFUSED;
    }
    const lw_status status = adding_run(t);
    if (status != LW_OK)
        return 1;
    check_sums(t, 0, COUNT);
    return t->result->threads == 1 && strstr(t->result->schedule_reason, "fewer threads than requested") ? 0
                                                                                                         : 2;
}

START_TEST(no_threads)
{
    adding t = { .result = (lw_launch_result *)(uintptr_t)OBJECT[_i] };
    const int answer = in_child(launch_without_threads, &t);
    if (answer == NOT_REFUSED)
        printf("no_threads: this host gives threads whatever the limit says\n");
    else
        ck_assert_int_eq(answer, 0);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("host");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, control_words, 0, 4);
    tcase_add_loop_test(tc, forks, 0, 2);
    tcase_add_loop_test(tc, no_threads, 0, 2);
    return run_suite("machine_host", tc);
}
