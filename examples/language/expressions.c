/* Casts, ?:, bitwise, shift, comparison and logical operators in statements. */
#include <stdint.h>
#include <stdio.h>

enum { N = 10 };

void blend(int n, const uint8_t a[], const uint8_t b[], uint8_t out[], uint32_t packed[],
           int flags[], float ratio[])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        out[i] = (uint8_t)((a[i] * 3 + b[i] + 2) >> 2);
        packed[i] = (uint32_t)a[i] << 16 | (uint32_t)b[i] << 8 | out[i];
        packed[i] ^= ~0u & (packed[i] >> 3);
        flags[i] = (a[i] > b[i]) - (a[i] < b[i]);
        flags[i] += a[i] != 0 && b[i] / (a[i] ? a[i] : 1) > 1 ? 4 : 0;
        flags[i] |= !(a[i] & 1) || -b[i] < -100;
        ratio[i] = (float)a[i] / (float)(b[i] + 1);
    }
#pragma endscop
}

int main(void)
{
    uint8_t a[N], b[N], out[N] = {0};
    uint32_t packed[N] = {0};
    int flags[N] = {0};
    float ratio[N] = {0};

    for (int i = 0; i < N; i++) {
        a[i] = (uint8_t)(i * 37);
        b[i] = (uint8_t)(255 - i * 53);
    }
    blend(N, a, b, out, packed, flags, ratio);
    for (int i = 0; i < N; i++)
        printf("%d %08x %d %.6f\n", out[i], (unsigned)packed[i], flags[i], ratio[i]);
    return 0;
}
