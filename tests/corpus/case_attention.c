/* SPDX-License-Identifier: MIT */
/* Attention with the whole matrix of weights, in double, forwards and backwards. */
#include <math.h>
#include <string.h>

#include "corpus.h"

enum { ROWS = 64, WIDTH = 32, COUNT = ROWS * WIDTH };
static const double SCALE = 0.25;

/* Weights, their rows' logarithms of sums, and results. */
static double weights[ROWS][ROWS], logs[ROWS], results[COUNT];

static void fill(corpus *c, float *at)
{
    for (int i = 0; i < COUNT; i++)
        at[i] = corpus_unit(c);
}

static double dot(const float *a, const float *b)
{
    double sum = 0;
    for (int i = 0; i < WIDTH; i++)
        sum += (double)a[i] * b[i];
    return sum;
}

static void compute(const float *q, const float *k, const float *v)
{
    memset(results, 0, sizeof(results));
    for (int r = 0; r < ROWS; r++) {
        double sum = 0;
        for (int j = 0; j < ROWS; j++)
            sum += weights[r][j] = exp(SCALE * dot(q + r * WIDTH, k + j * WIDTH));
        logs[r] = log(sum);
        for (int j = 0; j < ROWS; j++) {
            weights[r][j] /= sum;
            for (int i = 0; i < WIDTH; i++)
                results[r * WIDTH + i] += weights[r][j] * v[j * WIDTH + i];
        }
    }
}

/* Within 1e-5 of numbers that are about 1. */
static void near_all(corpus *c, const char *what, const float *got, const double *expected, size_t count,
                     double allowed)
{
    for (size_t i = 0; i < count; i++)
        corpus_near(c, what, i, got[i] + 1.0, expected[i] + 1.0, allowed);
}

static void attention(corpus *c)
{
    float *out = corpus_buffer(c, COUNT * 4), *sums = corpus_buffer(c, ROWS * 4),
          *q = corpus_buffer(c, COUNT * 4), *k = corpus_buffer(c, COUNT * 4),
          *v = corpus_buffer(c, COUNT * 4);
    fill(c, q);
    fill(c, k);
    fill(c, v);
    corpus_u32(c, ROWS);
    corpus_f32(c, (float)SCALE);
    if (!corpus_launch(c, ROWS / 64, 1, 64))
        return;
    compute(q, k, v);
    near_all(c, "element", out, results, COUNT, 1e-5);
    near_all(c, "logarithm", sums, logs, ROWS, 1e-5);
}

/* d of the scores: weight * (gradient . value - gradient . result) * scale. */
static double score_gradient(int r, int j, const float *dout, const float *v)
{
    double inner = 0;
    for (int i = 0; i < WIDTH; i++)
        inner += dout[r * WIDTH + i] * (v[j * WIDTH + i] - results[r * WIDTH + i]);
    return weights[r][j] * inner * SCALE;
}

/* What both ways back read, after the gradients that they write. */
static bool backwards(corpus *c, const float **q, const float **k, const float **v, const float **dout)
{
    float *in[3], *out, *gradient, *sums;
    for (int i = 0; i < 3; i++)
        fill(c, in[i] = corpus_buffer(c, COUNT * 4));
    out = corpus_buffer(c, COUNT * 4);
    fill(c, gradient = corpus_buffer(c, COUNT * 4));
    sums = corpus_buffer(c, ROWS * 4);
    compute(in[0], in[1], in[2]);
    for (int i = 0; i < COUNT; i++)
        out[i] = (float)results[i];
    for (int r = 0; r < ROWS; r++)
        sums[r] = (float)logs[r];
    corpus_u32(c, ROWS);
    corpus_f32(c, (float)SCALE);
    *q = in[0];
    *k = in[1];
    *v = in[2];
    *dout = gradient;
    return corpus_launch(c, ROWS / 64, 1, 64);
}

static void attention_dq(corpus *c)
{
    static double expected[COUNT];
    const float *q, *k, *v, *dout, *dq = corpus_buffer(c, COUNT * 4);
    if (!backwards(c, &q, &k, &v, &dout))
        return;
    memset(expected, 0, sizeof(expected));
    for (int r = 0; r < ROWS; r++)
        for (int j = 0; j < ROWS; j++)
            for (int i = 0; i < WIDTH; i++)
                expected[r * WIDTH + i] += score_gradient(r, j, dout, v) * k[j * WIDTH + i];
    near_all(c, "element", dq, expected, COUNT, 1e-5);
}

static void attention_dkdv(corpus *c)
{
    static double to_k[COUNT], to_v[COUNT];
    const float *q, *k, *v, *dout, *dk = corpus_buffer(c, COUNT * 4), *dv = corpus_buffer(c, COUNT * 4);
    if (!backwards(c, &q, &k, &v, &dout))
        return;
    memset(to_k, 0, sizeof(to_k));
    memset(to_v, 0, sizeof(to_v));
    for (int r = 0; r < ROWS; r++)
        for (int j = 0; j < ROWS; j++)
            for (int i = 0; i < WIDTH; i++) {
                to_k[j * WIDTH + i] += score_gradient(r, j, dout, v) * q[r * WIDTH + i];
                to_v[j * WIDTH + i] += weights[r][j] * dout[r * WIDTH + i];
            }
    near_all(c, "element of dk", dk, to_k, COUNT, 1e-5);
    near_all(c, "element of dv", dv, to_v, COUNT, 1e-5);
}

/* A multiple of 1/64 in [-1, 1) and its f16 code: normal, or zero. */
static uint16_t half_code(float v)
{
    int exponent;
    const float part = frexpf(fabsf(v), &exponent);
    if (v == 0)
        return 0;
    return (uint16_t)((v < 0 ? 0x8000 : 0) | (exponent + 14) << 10 | ((int)(part * 2048) & 0x3ff));
}

/* Weights become halves before they are multiplied. */
static void attention_f16(corpus *c)
{
    static float wide[3][COUNT];
    float *out = corpus_buffer(c, COUNT * 4);
    for (int n = 0; n < 3; n++) {
        uint16_t *codes = corpus_buffer(c, COUNT * 2);
        for (int i = 0; i < COUNT; i++) {
            wide[n][i] = corpus_whole(c, 63) / 64;
            codes[i] = half_code(wide[n][i]);
        }
    }
    corpus_u32(c, ROWS);
    corpus_f32(c, (float)SCALE);
    if (!corpus_launch(c, ROWS / 16, 1, 64))
        return;
    compute(wide[0], wide[1], wide[2]);
    near_all(c, "element", out, results, COUNT, 5e-4);
}

const corpus_case corpus_attention[] = {
    { "attention", attention },
    { "attention_dq", attention_dq },
    { "attention_dkdv", attention_dkdv },
    { NULL, NULL },
};

const corpus_case corpus_attention_mfma[] = { { "attention_f16", attention_f16 }, { NULL, NULL } };
