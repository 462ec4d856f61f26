/* SPDX-License-Identifier: MIT */
#include "runtime/device/module.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/device/image.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static rt_module *modules;

static bool is_module(const rt_module *module)
{
    const rt_module *m = modules;
    while (m && m != module)
        m = m->next;
    return module && m;
}

static void free_module(rt_module *module)
{
    lw_program_free(module->program);
    free(module->functions);
    free(module);
}

/* Takes ownership of the program. */
static int place(lw_program *program, int device, rt_module **module, lw_error *error)
{
    rt_module *m = calloc(1, sizeof(*m));
    const size_t kernels = lw_program_kernel_count(program);
    if (m)
        m->functions = calloc(kernels + 1, sizeof(*m->functions));
    if (!m || !m->functions) {
        free(m);
        lw_program_free(program);
        return RT_OUT_OF_MEMORY;
    }
    m->program = program;
    m->device = device;
    for (size_t i = 0; i < kernels; i++)
        m->functions[i] = (rt_function){ .module = m, .kernel = i, .info = lw_program_kernel_at(program, i) };
    const lw_status status = lw_module_load(rt_memory_lock(), program, &m->loaded, error);
    rt_memory_unlock();
    if (status != LW_OK) {
        free_module(m);
        return status == LW_E_NO_MEMORY ? RT_OUT_OF_MEMORY : RT_INVALID_IMAGE;
    }
    pthread_mutex_lock(&lock);
    m->next = modules;
    modules = m;
    pthread_mutex_unlock(&lock);
    *module = m;
    return RT_OK;
}

int rt_module_load(const void *image, int device, rt_module **module, lw_error *error)
{
    lw_program *program;
    const int code = rt_image_load(image, &program, error);
    return code == RT_OK ? place(program, device, module, error) : code;
}

/* All bytes of a regular file; NULL if there is none. */
static void *read_whole(const char *path, size_t *size)
{
    struct stat info;
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    if (file && fstat(fileno(file), &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0 &&
        (uint64_t)info.st_size < lw_memory_limit_default())
        bytes = malloc((size_t)info.st_size);
    if (bytes) {
        *size = fread(bytes, 1, (size_t)info.st_size, file);
        if (*size != (size_t)info.st_size) {
            free(bytes);
            bytes = NULL;
        }
    }
    if (file)
        fclose(file);
    return bytes;
}

int rt_module_load_file(const char *path, int device, rt_module **module, lw_error *error)
{
    size_t size = 0;
    lw_program *program;
    void *bytes = read_whole(path, &size);
    if (!bytes) {
        snprintf(error->text, sizeof(error->text), "%.400s cannot be read", path);
        return RT_FILE_NOT_FOUND;
    }
    const int code = rt_image_load_bytes(bytes, size, &program, error);
    free(bytes);
    return code == RT_OK ? place(program, device, module, error) : code;
}

int rt_module_unload(rt_module *module)
{
    int error = rt_wait_all();
    if (error != RT_OK)
        return error;
    error = RT_INVALID_HANDLE;
    pthread_mutex_lock(&lock);
    for (rt_module **m = &modules; *m; m = &(*m)->next)
        if (*m == module) {
            *m = module->next;
            error = RT_OK;
            break;
        }
    pthread_mutex_unlock(&lock);
    if (error != RT_OK)
        return error;
    (void)rt_memory_lock();
    lw_module_unload(module->loaded);
    rt_memory_unlock();
    free_module(module);
    return RT_OK;
}

int rt_module_function(rt_module *module, const char *name, rt_function **function)
{
    int error = RT_INVALID_HANDLE;
    pthread_mutex_lock(&lock);
    if (is_module(module)) {
        error = RT_NOT_FOUND;
        for (size_t i = 0; i < lw_program_kernel_count(module->program); i++)
            if (strcmp(module->functions[i].info->name, name) == 0) {
                *function = &module->functions[i];
                error = RT_OK;
            }
    }
    pthread_mutex_unlock(&lock);
    return error;
}

int rt_module_global(rt_module *module, const char *name, uint64_t *address, uint64_t *size)
{
    int error = RT_INVALID_HANDLE;
    pthread_mutex_lock(&lock);
    if (is_module(module)) {
        const lw_status status = lw_module_symbol(module->loaded, name, address, size, NULL);
        error = status == LW_OK ? RT_OK : RT_NOT_FOUND;
    }
    pthread_mutex_unlock(&lock);
    return error;
}

bool rt_function_is(const rt_function *function)
{
    bool found = false;
    pthread_mutex_lock(&lock);
    for (const rt_module *m = modules; m && !found; m = m->next)
        for (size_t i = 0; i < lw_program_kernel_count(m->program) && !found; i++)
            found = function == &m->functions[i];
    pthread_mutex_unlock(&lock);
    return found;
}

rt_module *rt_function_module(const rt_function *function)
{
    return function->module;
}

const lw_kernel_info *rt_function_info(const rt_function *function)
{
    return function->info;
}

uint32_t rt_function_dynamic(const rt_function *function)
{
    return function->dynamic;
}

void rt_function_set_dynamic(rt_function *function, uint32_t bytes)
{
    function->dynamic = bytes;
}
