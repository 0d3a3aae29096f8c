/* size_t, unsigned, unsigned char and long iterators. */
#include <stddef.h>
#include <stdio.h>

enum { N = 8 };

void iterators(size_t n, unsigned m, unsigned char k, double x[], int y[], unsigned char z[])
{
#pragma scop
    for (size_t i = 0; i < n; i++)
        x[i] = 0.5 * (double)i;
    for (unsigned j = 0; j + 1 < m; j++)
        y[j] = y[j + 1] - y[j];
    for (unsigned char c = 0; c < k; c++)
        z[c] = (unsigned char)(c * c);
    for (long l = (long)n - 1; l >= 0; l--)
        x[l] += y[l];
#pragma endscop
}

int main(void)
{
    for (int n = 0; n <= N; n += n == 0 ? 1 : 7) {
        double x[N] = {0};
        int y[N];
        unsigned char z[N] = {0};
        for (int i = 0; i < N; i++)
            y[i] = i * i;
        iterators((size_t)n, (unsigned)n, (unsigned char)n, x, y, z);
        for (int i = 0; i < N; i++)
            printf("%.1f %d %d\n", x[i], y[i], z[i]);
    }
    return 0;
}
