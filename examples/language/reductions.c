/* Reductions into scalars and array elements: sum, product, dot product, bit-or, and rows. */
#include <stdio.h>

enum { N = 7 };

struct result {
    int sum, any, product;
    long dot;
};

struct result reduce(int n, const int a[], const int b[], int A[N][N], int rows[])
{
    struct result r;
    int sum = 0;
    int any = 0;
    int product = 1;
    long dot = 0;

#pragma scop
    for (int i = 0; i < n; i++) {
        sum += a[i];
        any |= b[i];
        product = product * (1 + i % 3);
        dot = dot + a[i] * b[i];
    }
    for (int i = 0; i < n; i++) {
        rows[i] = 0;
        for (int j = 0; j < n; j++)
            rows[i] += A[i][j];
    }
#pragma endscop
    r.sum = sum;
    r.any = any;
    r.product = product;
    r.dot = dot;
    return r;
}

int main(void)
{
    int a[N], b[N], A[N][N], rows[N] = {0};

    for (int i = 0; i < N; i++) {
        a[i] = i - 2;
        b[i] = 1 << i % 5;
        for (int j = 0; j < N; j++)
            A[i][j] = i * j;
    }
    for (int n = 0; n <= N; n += n == 0 ? 1 : 6) {
        struct result r = reduce(n, a, b, A, rows);
        printf("%d %d %d %ld %d\n", r.sum, r.any, r.product, r.dot, rows[N - 1]);
    }
    return 0;
}
