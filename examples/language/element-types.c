/* Element types: float, long double, complex, bool, short, 64-bit integers and enumerations. */
#include <complex.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { N = 6 };

enum colour { RED, GREEN, BLUE };

void types(int n, float f[], long double l[], double complex z[], bool even[], short s[],
           int64_t q[], enum colour paint[])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        f[i] = 0.5f * (float)i;
        l[i] = 1.0L / (i + 1);
        z[i] = f[i] + 2.0 * i * I;
        z[i] *= z[i];
        even[i] = i % 2 == 0;
        s[i] = (short)(s[i] * 2 - i);
        q[i] = (int64_t)i << 33;
        paint[i] = i % 3 == 0 ? RED : i % 3 == 1 ? GREEN : BLUE;
    }
    for (int i = 1; i < n; i++)
        q[i] += q[i - 1] + paint[i] + even[i];
#pragma endscop
}

int main(void)
{
    float f[N] = {0};
    long double l[N] = {0};
    double complex z[N] = {0};
    bool even[N] = {false};
    short s[N] = {5, 4, 3, 2, 1, 0};
    int64_t q[N] = {0};
    enum colour paint[N] = {RED};

    types(0, f, l, z, even, s, q, paint);
    types(N, f, l, z, even, s, q, paint);
    for (int i = 0; i < N; i++)
        printf("%.2f %.9Lf %.2f%+.2fi %d %d %lld %d\n", f[i], l[i], creal(z[i]), cimag(z[i]),
               even[i], s[i], (long long)q[i], (int)paint[i]);
    return 0;
}
