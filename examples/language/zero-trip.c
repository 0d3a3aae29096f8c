/* Zero-trip loops: empty ranges for some parameters, for some outer iterations, and always. */
#include <stdio.h>

enum { N = 8 };

void ranges(int lo, int hi, int n, int a[], int *inside, int *outside)
{
#pragma scop
    for (int i = lo; i < hi; i++)
        a[i] += 1;
    for (int i = 0; i < n; i++)
        for (int j = i + 3; j < n - 2; j++)
            a[i] += j;
    for (int i = 5; i < 5; i++)
        a[i] = -1000;
    for (int i = 0; i < n; i++) {
        for (int j = i; j < i; j++)
            a[j] = -2000;
        *outside += 1;
        for (int j = n - 1; j <= i; j++)
            *inside += j;
    }
#pragma endscop
}

int main(void)
{
    int cases[][3] = {{0, 0, 0}, {3, 2, 1}, {0, 8, 5}, {-4, -7, 8}, {2, 3, -5}, {7, 8, 7}};

    for (int c = 0; c < 6; c++) {
        int a[N] = {0}, inside = 0, outside = 0;
        ranges(cases[c][0], cases[c][1], cases[c][2], a, &inside, &outside);
        printf("%d %d:", inside, outside);
        for (int i = 0; i < N; i++)
            printf(" %d", a[i]);
        printf("\n");
    }
    return 0;
}
