/* Compound assignments of every kind, and ++ and -- as statements. */
#include <stdio.h>

enum { N = 8 };

void update(int n, int a[], unsigned u[], double x[])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] += i;
        a[i] -= 2;
        a[i] *= 3;
        a[i] /= 2;
        a[i] %= 7;
        u[i] <<= 2;
        u[i] >>= 1;
        u[i] |= 1u;
        u[i] &= 0xfeu + (unsigned)i;
        u[i] ^= u[n - 1];
        x[i] /= 4;
        a[i]++;
        ++u[i];
        x[i]--;
        --a[i];
    }
#pragma endscop
}

int main(void)
{
    for (int n = 0; n <= N; n += 4) {
        int a[N];
        unsigned u[N];
        double x[N];
        for (int i = 0; i < N; i++) {
            a[i] = 5 - 2 * i;
            u[i] = 3u * (unsigned)i;
            x[i] = i;
        }
        update(n, a, u, x);
        for (int i = 0; i < N; i++)
            printf("%d,%u,%.2f%c", a[i], u[i], x[i], i == N - 1 ? '\n' : ' ');
    }
    return 0;
}
