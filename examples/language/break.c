/* break on data and on an affine condition: a search in each row, and a truncated sum. */
#include <stdio.h>

enum { N = 5, M = 8 };

void search(int n, int m, int key, int A[N][M], int found[], int before[], int prefix[])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        found[i] = -1;
        before[i] = 0;
        for (int j = 0; j < m; j++) {
            if (A[i][j] == key) {
                found[i] = j;
                break;
            }
            before[i] += A[i][j];
        }
        prefix[i] = 0;
        for (int j = 0; j < m; j++) {
            if (j > 2 * i)
                break;
            prefix[i] += A[i][j];
        }
    }
#pragma endscop
}

int main(void)
{
    int A[N][M], found[N], before[N], prefix[N];

    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            A[i][j] = (i + 2) * (j + 1) % 9;
    for (int m = 0; m <= M; m += 4) {
        search(N, m, 3, A, found, before, prefix);
        for (int i = 0; i < N; i++)
            printf("%d,%d,%d%c", found[i], before[i], prefix[i], i == N - 1 ? '\n' : ' ');
    }
    return 0;
}
