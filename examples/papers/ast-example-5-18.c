/* Grosser et al. 2015, Section 5.9, Example 5.18: guards combined into one if-else tree. */
#include <stdio.h>

#define max(x, y) ((x) > (y) ? (x) : (y))

enum { SIZE = 7 };

void guards(int lb, int ub, int n, int s0[SIZE][SIZE], int s1[SIZE][SIZE], int s2[SIZE][SIZE],
            int s3[SIZE][SIZE])
{
#pragma scop
    for (int c0 = 1; c0 <= ub; c0 += 1)
        for (int c1 = c0; c1 <= n; c1 += 1) {
            if (c0 >= lb && c1 >= c0 + 1) {
                s0[c0][c1] += 1;
                if (n >= ub + 1)
                    s2[c0][c1] += s0[c0][c1];
            } else if (lb >= c0 + 1)
                s3[c0][c1] += lb;
            for (int c3 = max(lb, c0); c3 <= ub; c3 += 1)
                s1[c0][c1] += c3;
        }
#pragma endscop
}

int main(void)
{
    int cases[][3] = {{1, 4, 6}, {2, 3, 3}, {3, 5, 6}};

    for (int c = 0; c < 3; c++) {
        int s0[SIZE][SIZE] = {{0}}, s1[SIZE][SIZE] = {{0}};
        int s2[SIZE][SIZE] = {{0}}, s3[SIZE][SIZE] = {{0}};
        guards(cases[c][0], cases[c][1], cases[c][2], s0, s1, s2, s3);
        for (int i = 1; i < SIZE; i++)
            for (int j = 1; j < SIZE; j++)
                printf("%d,%d,%d,%d%c", s0[i][j], s1[i][j], s2[i][j], s3[i][j],
                       j == SIZE - 1 ? '\n' : ' ');
    }
    return 0;
}
