/* Grosser et al. 2015, Section 5.6, Example 5.13: a strip-mined loop, full strips isolated. */
#include <stdio.h>

#define min(x, y) ((x) < (y) ? (x) : (y))
#define max(x, y) ((x) > (y) ? (x) : (y))
#define floord(n, d) ((n) < 0 ? -((-(n) + (d) - 1) / (d)) : (n) / (d))

enum { SHIFT = 16, SIZE = 40 };

void original(int m, int n, int S[SIZE])
{
#pragma scop
    for (int i = m; i < n; i++)
        S[i + SHIFT] += i;
#pragma endscop
}

void isolated(int m, int n, int S[SIZE])
{
#pragma scop
    {
        if (n >= m + 4)
            for (int c1 = m; c1 <= 4 * floord(m - 1, 4) + 3; c1 += 1)
                S[c1 + SHIFT] += c1;
        for (int c0 = 4 * floord(m - 1, 4) + 4; c0 < n - 3; c0 += 4)
            for (int c1 = c0; c1 <= c0 + 3; c1 += 1)
                S[c1 + SHIFT] += c1;
        if (n >= m + 4 && 4 * floord(n - 1, 4) + 3 >= n) {
            for (int c1 = 4 * floord(n - 1, 4); c1 < n; c1 += 1)
                S[c1 + SHIFT] += c1;
        } else if (m + 3 >= n)
            for (int c0 = 4 * floord(m, 4); c0 < n; c0 += 4)
                for (int c1 = max(m, c0); c1 <= min(n - 1, c0 + 3); c1 += 1)
                    S[c1 + SHIFT] += c1;
    }
#pragma endscop
}

int main(void)
{
    int bounds[][2] = {{-7, 11}, {0, 8}, {3, 5}, {-2, 1}, {4, 4}, {5, -5}, {-9, -4}};

    for (int b = 0; b < 7; b++) {
        int one[SIZE] = {0}, two[SIZE] = {0};
        int same = 1;
        original(bounds[b][0], bounds[b][1], one);
        isolated(bounds[b][0], bounds[b][1], two);
        for (int i = 0; i < SIZE; i++) {
            same = same && one[i] == two[i];
            printf("%d ", two[i]);
        }
        printf("%s\n", same ? "same" : "different");
    }
    return 0;
}
