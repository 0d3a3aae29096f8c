/* A wavefront written by hand: the antidiagonals of an alignment table, skewed with max and min. */
#include <stdio.h>

#define max(x, y) ((x) > (y) ? (x) : (y))
#define min(x, y) ((x) < (y) ? (x) : (y))

enum { N = 7, M = 9 };

void align(int n, int m, const char a[], const char b[], int D[N + 1][M + 1])
{
#pragma scop
    for (int i = 0; i <= n; i++)
        D[i][0] = i;
    for (int j = 1; j <= m; j++)
        D[0][j] = j;
    for (int w = 2; w <= n + m; w++)
        for (int i = max(1, w - m); i <= min(n, w - 1); i++)
            D[i][w - i] = min(min(D[i - 1][w - i] + 1, D[i][w - i - 1] + 1),
                              D[i - 1][w - i - 1] + (a[i - 1] != b[w - i - 1]));
#pragma endscop
}

int main(void)
{
    int D[N + 1][M + 1];
    int sizes[][2] = {{0, 0}, {1, 3}, {N, 0}, {N, M}};

    for (int s = 0; s < 4; s++) {
        align(sizes[s][0], sizes[s][1], "kittens", "sittingup", D);
        printf("%d\n", D[sizes[s][0]][sizes[s][1]]);
    }
    return 0;
}
