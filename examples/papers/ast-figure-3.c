/* Grosser et al. 2015, Section 3, Figure 3: the example program with three statements. */
#include <stdio.h>

enum { N = 8 };

void example(int n, double s[n], double a[n][n], double b[n])
{
#pragma scop
    for (int i = 0; i < n; ++i) {
S1:
        s[i] = 0;
        for (int j = 0; j < i; ++j)
S2:
            s[i] = s[i] + a[j][i] * b[j];
S3:
        b[i] = b[i] - s[i];
    }
#pragma endscop
}

int main(void)
{
    double s[N], a[N][N], b[N];

    for (int i = 0; i < N; i++) {
        b[i] = i - 3;
        for (int j = 0; j < N; j++)
            a[i][j] = (i + 2 * j) % 3 - 1;
    }
    example(N, s, a, b);
    for (int i = 0; i < N; i++)
        printf("%.1f %.1f\n", s[i], b[i]);
    return 0;
}
