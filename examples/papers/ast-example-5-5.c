/* Grosser et al. 2015, Section 5.3, Example 5.5: with and without a guard on n. */
#include <stdio.h>

enum { SIZE = 4 };

void without_guard(int m, int n, int S[SIZE][SIZE])
{
#pragma scop
    for (int c0 = 0; c0 < m; c0 += 1)
        for (int c1 = 0; c1 < n; c1 += 1)
            S[c0][c1] += c0 - c1;
#pragma endscop
}

void with_guard(int m, int n, int S[SIZE][SIZE])
{
#pragma scop
    if (n >= 1)
        for (int c0 = 0; c0 < m; c0 += 1)
            for (int c1 = 0; c1 < n; c1 += 1)
                S[c0][c1] += c0 - c1;
#pragma endscop
}

int main(void)
{
    for (int n = -1; n <= SIZE; n++) {
        int one[SIZE][SIZE] = {{0}}, two[SIZE][SIZE] = {{0}};
        without_guard(3, n, one);
        with_guard(3, n, two);
        for (int i = 0; i < SIZE; i++)
            for (int j = 0; j < SIZE; j++)
                printf("%d/%d%c", one[i][j], two[i][j], i == 3 && j == 3 ? '\n' : ' ');
    }
    return 0;
}
