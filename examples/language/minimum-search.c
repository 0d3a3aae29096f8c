/* Reductions under data-dependent conditions: the minimum, its position, the largest gap. */
#include <stdio.h>

enum { N = 9 };

void extremes(int n, const int a[], int out[3])
{
    int smallest = a[0];
    int where = 0;
    int gap = 0;

#pragma scop
    for (int i = 1; i < n; i++) {
        if (a[i] < smallest) {
            smallest = a[i];
            where = i;
        }
        gap = a[i] - a[i - 1] > gap ? a[i] - a[i - 1] : gap;
    }
    out[0] = smallest;
    out[1] = where;
    out[2] = gap;
#pragma endscop
}

int main(void)
{
    int a[N], out[3];

    for (int i = 0; i < N; i++)
        a[i] = (i * 7 + 5) % 11;
    for (int n = 1; n <= N; n += 4) {
        extremes(n, a, out);
        printf("%d %d %d\n", out[0], out[1], out[2]);
    }
    return 0;
}
