/* SPDX-License-Identifier: MIT */
/* Code from a second file, for line tables. */
static __attribute__((device)) inline float blended(float a, float b, float weight)
{
    const float other = 1 - weight;
    return a * weight +
           b * other;
}
