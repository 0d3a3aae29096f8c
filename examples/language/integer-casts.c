/* Integer casts in bounds, subscripts and values: widening, narrowing and truncated doubles. */
#include <stdio.h>

enum { N = 12 };

void casts(int n, double x[], int a[], unsigned char bytes[], long sums[], int table[256])
{
#pragma scop
    for (int i = 0; i < (int)(long)n; i++) {
        a[i] = (int)x[i];
        bytes[i] = (unsigned char)(a[i] + 250);
        sums[i] = (long)a[i] * 3 - (short)i;
    }
    for (long i = 0; i < (long)n; i++)
        a[(int)i] += (signed char)i;
    for (int i = 0; i < n; i++)
        table[(unsigned char)(i + 250)] += i;
#pragma endscop
}

int main(void)
{
    for (int n = 0; n <= N; n += 6) {
        double x[N];
        int a[N] = {0}, table[256] = {0};
        unsigned char bytes[N] = {0};
        long sums[N] = {0};
        for (int i = 0; i < N; i++)
            x[i] = 1.75 * i - 4.5;
        casts(n, x, a, bytes, sums, table);
        for (int i = 0; i < n; i++)
            printf("%d %d %ld\n", a[i], bytes[i], sums[i]);
        for (int i = 0; i < 256; i++)
            if (table[i])
                printf("table[%d] = %d\n", i, table[i]);
    }
    return 0;
}
