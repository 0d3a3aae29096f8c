/* A loop unrolled by hand by 4, with a remainder loop from n / 4 * 4. */
#include <stdio.h>

enum { N = 11 };

double unrolled_dot(int n, const double x[], const double y[])
{
    double s0 = 0.0;
    double s1 = 0.0;
    double s2 = 0.0;
    double s3 = 0.0;
    int i;

#pragma scop
    for (i = 0; i + 3 < n; i += 4) {
        s0 += x[i] * y[i];
        s1 += x[i + 1] * y[i + 1];
        s2 += x[i + 2] * y[i + 2];
        s3 += x[i + 3] * y[i + 3];
    }
    for (i = n / 4 * 4; i < n; i++)
        s0 += x[i] * y[i];
    s0 = (s0 + s1) + (s2 + s3);
#pragma endscop
    return s0;
}

int main(void)
{
    double x[N], y[N];

    for (int i = 0; i < N; i++) {
        x[i] = i - 4;
        y[i] = 0.5 * i + 1;
    }
    for (int n = 0; n <= N; n++)
        printf("%.2f%c", unrolled_dot(n, x, y), n == N ? '\n' : ' ');
    return 0;
}
