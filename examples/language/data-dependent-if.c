/* Data-dependent if and if/else: clamping, counting, and a relaxation that may not write. */
#include <stdio.h>

enum { N = 8 };

void relax(int n, int limit, int d[N][N], int counts[2])
{
#pragma scop
    counts[0] = 0;
    counts[1] = 0;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            if (d[i][k] + d[k][i] < d[i][i])
                d[i][i] = d[i][k] + d[k][i];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (d[i][j] > limit) {
                d[i][j] = limit;
                counts[0]++;
            } else {
                counts[1]++;
            }
            if (i < j && d[i][j] != d[j][i])
                d[j][i] = d[i][j];
        }
#pragma endscop
}

int main(void)
{
    int sizes[] = {0, 1, 5, 7};

    for (int s = 0; s < 4; s++) {
        int d[N][N], counts[2];
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                d[i][j] = (i * 7 + j * 3) % 11;
        relax(sizes[s], 6, d, counts);
        printf("%d %d:", counts[0], counts[1]);
        for (int i = 0; i < sizes[s]; i++)
            for (int j = 0; j < sizes[s]; j++)
                printf(" %d", d[i][j]);
        printf("\n");
    }
    return 0;
}
