/* Division and remainder by constants with negative operands: C truncates towards zero. */
#include <stdio.h>

enum { N = 9, SHIFT = 16 };

void truncation(int n, int quotient[], int remainder[], int bound[], int count[])
{
#pragma scop
    /* i / 3 and i % 3 for negative i, as subscripts: both truncate towards zero. */
    for (int i = -n; i <= n; i++) {
        quotient[i / 3 + SHIFT] += 1;
        remainder[i % 3 + SHIFT] += 1;
    }
    /* In bounds: (-n - 1) / 2 rounds up, n / 2 rounds down. */
    for (int i = (-n - 1) / 2; i <= n / 2; i++)
        bound[i + SHIFT] += i;
    /* In conditions: -5 % 2 is -1, not 1. */
    for (int i = -n; i <= n; i++) {
        if (i % 2 == 1)
            count[0] += 1;
        if (i % 2 == -1)
            count[1] += 1;
        if (i % 4 == 0)
            count[2] += 1;
        if (-i / 4 < i / 2)
            count[3] += 1;
        if ((i - 1) / 2 == i / 2)
            count[4] += 1;
    }
#pragma endscop
}

int main(void)
{
    int sizes[] = {0, 1, 5, 8};

    for (int s = 0; s < 4; s++) {
        int quotient[2 * SHIFT] = {0}, remainder[2 * SHIFT] = {0};
        int bound[2 * SHIFT] = {0}, count[5] = {0};
        truncation(sizes[s], quotient, remainder, bound, count);
        for (int i = 0; i < 2 * SHIFT; i++)
            if (quotient[i] || remainder[i] || bound[i])
                printf("%d: %d %d %d\n", i - SHIFT, quotient[i], remainder[i], bound[i]);
        printf("%d %d %d %d %d\n", count[0], count[1], count[2], count[3], count[4]);
    }
    return 0;
}
