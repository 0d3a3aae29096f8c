/* #pragma pencil independent: a scatter through a permutation, whose iterations write apart. */
#include <stdio.h>

#include "pencil.h"

enum { N = 9 };

void scatter(int n, const int to[restrict static n], const double in[restrict static n],
             double out[restrict static n])
{
#pragma scop
#pragma pencil independent
    for (int i = 0; i < n; i++) {
        double value = 2.0 * in[i];
        out[to[i]] = value;
        out[to[i]] += 0.5;
    }
#pragma endscop
}

int main(void)
{
    int to[N];
    double in[N], out[N] = {0};

    for (int i = 0; i < N; i++) {
        to[i] = (4 * i + 2) % N;
        in[i] = 1.5 * i;
    }
    scatter(N, to, in, out);
    for (int i = 0; i < N; i++)
        printf("%.2f\n", out[i]);
    return 0;
}
