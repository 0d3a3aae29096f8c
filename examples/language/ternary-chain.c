/* A chain of ternaries with data-dependent conditions: quantisation and a minmod limiter. */
#include <stdio.h>

enum { N = 10 };

void limit(int n, const double x[], int level[], double slope[])
{
#pragma scop
    for (int i = 0; i < n; i++)
        level[i] = x[i] < -2.0 ? -2 : x[i] < -0.5 ? -1 : x[i] <= 0.5 ? 0 : x[i] <= 2.0 ? 1 : 2;
    for (int i = 1; i < n - 1; i++)
        slope[i] = (x[i] - x[i - 1]) * (x[i + 1] - x[i]) <= 0.0 ? 0.0
                   : x[i] - x[i - 1] < x[i + 1] - x[i]          ? x[i] - x[i - 1]
                                                                : x[i + 1] - x[i];
#pragma endscop
}

int main(void)
{
    double x[N], slope[N] = {0};
    int level[N] = {0};

    for (int i = 0; i < N; i++)
        x[i] = (i * i * 3 % 17) * 0.375 - 3.0;
    for (int n = 0; n <= N; n += 5) {
        limit(n, x, level, slope);
        for (int i = 0; i < N; i++)
            printf("%d,%.3f%c", level[i], slope[i], i == N - 1 ? '\n' : ' ');
    }
    return 0;
}
