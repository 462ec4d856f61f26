/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/arg.h"
#include "cli/parse.h"

static const arg_type types[] = {
    { "bool", LW_DTYPE_BOOL, 0, 0, false }, { "i8", LW_DTYPE_I1, 0, 0, false },
    { "i16", LW_DTYPE_I2, 0, 0, false },    { "i32", LW_DTYPE_I4, 0, 0, false },
    { "i64", LW_DTYPE_I8, 0, 0, false },    { "u8", LW_DTYPE_U1, 0, 0, false },
    { "u16", LW_DTYPE_U2, 0, 0, false },    { "u32", LW_DTYPE_U4, 0, 0, false },
    { "u64", LW_DTYPE_U8, 0, 0, false },    { "f16", LW_DTYPE_F2, 10, 5, false },
    { "f32", LW_DTYPE_F4, 23, 8, false },   { "f64", LW_DTYPE_F8, 52, 11, false },
    { "bf16", LW_DTYPE_U2, 7, 8, true },    { "fp8", LW_DTYPE_U1, 0, 0, true },
    { "bf8", LW_DTYPE_U1, 0, 0, true },     { "e8m0", LW_DTYPE_U1, 0, 0, true },
};

const arg_type *arg_type_find(const char *name, size_t length)
{
    for (size_t i = 0; i < CLI_COUNT(types); i++)
        if (strlen(types[i].name) == length && memcmp(types[i].name, name, length) == 0)
            return &types[i];
    return NULL;
}

const arg_type *arg_type_of(lw_dtype dtype)
{
    for (size_t i = 0; i < CLI_COUNT(types); i++)
        if (types[i].dtype == dtype && !types[i].raw)
            return &types[i];
    return NULL;
}

/* The host rounds decimals to nearest even; a number that would round to infinity is refused. */
static lw_status read_float(const arg_type *type, const char *text, uint8_t bytes[8])
{
    char *end;
    if (text[0] == '\0' || text[0] == ' ')
        return LW_E_FORMAT;
    errno = 0;
    if (type->dtype == LW_DTYPE_F8) {
        const double d = strtod(text, &end);
        memcpy(bytes, &d, sizeof(d));
        return *end || (errno == ERANGE && (d > 1 || d < -1)) ? LW_E_FORMAT : LW_OK;
    }
    const float f = strtof(text, &end);
    memcpy(bytes, &f, sizeof(f));
    return *end || (errno == ERANGE && (f > 1 || f < -1)) ? LW_E_FORMAT : LW_OK;
}

lw_status arg_value(const arg_type *type, const char *text, uint8_t bytes[8], lw_error *error)
{
    const unsigned size = (unsigned)lw_dtype_size(type->dtype);
    uint64_t v;
    if (type->raw || type->dtype == LW_DTYPE_F2) {
        snprintf(error->text, sizeof(error->text), "a single %s is given by its code, as u%u:CODE",
                 type->name, size * 8);
        return LW_E_FORMAT;
    }
    if (type->significand) {
        if (read_float(type, text, bytes) == LW_OK)
            return LW_OK;
        snprintf(error->text, sizeof(error->text), "'%s' is no %s", text, type->name);
        return LW_E_FORMAT;
    }
    const bool is_signed = type->name[0] == 'i';
    if (!parse_integer(text, size, is_signed, &v) || (type->dtype == LW_DTYPE_BOOL && v > 1)) {
        snprintf(error->text, sizeof(error->text),
                 "'%s' is not of type %s: needs a decimal or 0x number that fits in %u %s", text, type->name,
                 size * 8, is_signed ? "bits with sign" : "bits without sign");
        if (type->dtype == LW_DTYPE_BOOL)
            snprintf(error->text, sizeof(error->text), "'%s' is not a bool: needs 0 or 1", text);
        return LW_E_FORMAT;
    }
    memcpy(bytes, &v, sizeof(v));
    return LW_OK;
}
