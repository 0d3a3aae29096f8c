/* Kelly et al. 1995, Section 4, Figure 3: the initial code of the blocked LU decomposition.
 *
 * The block size of the paper is 64. Here it is 4, so that a short run has several blocks.
 */
#include <stdio.h>

enum { N = 9 };

#define BLOCK 4
#define MIN(x, y) ((x) < (y) ? (x) : (y))
#define MAX(x, y) ((x) > (y) ? (x) : (y))

void lu(int n, double a[n + 1][n + 1])
{
#pragma scop
    if (2 <= n)
        for (int t1 = 1; t1 <= n - 1; t1 += BLOCK)
            for (int t2 = t1 - 1; t2 <= n; t2 += BLOCK)
                for (int t3 = t1; t3 <= n; t3++) {
                    if (t1 < t3)
                        for (int t4 = t1;
                             t4 <= MIN(MIN(t2 + BLOCK - 2, t1 + BLOCK - 1), t3 - 1); t4++)
                            for (int t5 = MAX(t2, t4 + 1); t5 <= MIN(t2 + BLOCK - 1, n); t5++)
                                a[t5][t3] = a[t5][t3] - a[t5][t4] * a[t4][t3];
                    if (t3 <= t2 + BLOCK - 2 && t3 <= t1 + BLOCK - 1 && t3 <= n - 1)
                        for (int t5 = MAX(t2, t3 + 1); t5 <= MIN(t2 + BLOCK - 1, n); t5++)
                            a[t5][t3] = a[t5][t3] / a[t3][t3];
                }
#pragma endscop
}

int main(void)
{
    static double a[N + 1][N + 1];

    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= N; j++)
            a[i][j] = i == j ? 3.0 * N : (i * j) % 5 - 2.0;
    lu(N, a);
    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= N; j++)
            printf("%.6f%c", a[i][j], j == N ? '\n' : ' ');
    return 0;
}
