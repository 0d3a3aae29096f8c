/* Several statements under affine and data-dependent conditions, nested, with else. */
#include <stdio.h>

enum { N = 8 };

void morphology(int n, int A[N][N], int B[N][N], int stats[4])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        stats[0] += A[i][i];
        for (int j = 0; j < n; j++) {
            B[i][j] = A[i][j];
            if (i > 0 && i < n - 1) {
                int around = A[i - 1][j] + A[i + 1][j];
                if (j > 0)
                    around += A[i][j - 1];
                if (j < n - 1)
                    around += A[i][j + 1];
                if (around >= 3) {
                    B[i][j] = 1;
                    stats[1]++;
                } else if (around == 0 && A[i][j] == 1) {
                    B[i][j] = 0;
                    stats[2]++;
                }
            } else {
                stats[3] += B[i][j];
            }
        }
        if (i >= 1)
            for (int j = n - 1; j >= 0; j--)
                B[i - 1][j] += 2 * B[i][j];
    }
#pragma endscop
}

int main(void)
{
    int sizes[] = {0, 1, 3, 8};

    for (int s = 0; s < 4; s++) {
        int A[N][N], B[N][N] = {{0}}, stats[4] = {0};
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                A[i][j] = (i * 3 + j * j + 1) % 4 < 2;
        morphology(sizes[s], A, B, stats);
        printf("%d %d %d %d\n", stats[0], stats[1], stats[2], stats[3]);
        for (int i = 0; i < sizes[s]; i++)
            for (int j = 0; j < sizes[s]; j++)
                printf("%d%c", B[i][j], j == sizes[s] - 1 ? '\n' : ' ');
    }
    return 0;
}
