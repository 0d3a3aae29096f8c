/* Ternaries in loop bounds and in subscripts: clamped windows and a mirrored boundary. */
#include <stdio.h>

enum { N = 9 };

void window_sum(int n, int r, int a[], int sum[])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        sum[i] = 0;
        for (int j = i - r < 0 ? 0 : i - r; j <= (i + r >= n ? n - 1 : i + r); j++)
            sum[i] += a[j];
    }
#pragma endscop
}

void mirrored_gradient(int n, int a[], int gradient[])
{
#pragma scop
    for (int i = 0; i < n; i++)
        gradient[i] = a[i == n - 1 ? n - 1 : i + 1] - a[i == 0 ? 0 : i - 1];
#pragma endscop
}

int main(void)
{
    int a[N], sum[N] = {0}, gradient[N] = {0};

    for (int i = 0; i < N; i++)
        a[i] = i * i - 4 * i;
    for (int n = 0; n <= N; n += n < 2 ? 1 : 7) {
        window_sum(n, 2, a, sum);
        mirrored_gradient(n, a, gradient);
        for (int i = 0; i < n; i++)
            printf("%d,%d ", sum[i], gradient[i]);
        printf("\n");
    }
    return 0;
}
