/* Shortest paths: a minimum as a ternary on data, and the path matrix under a data-dependent if. */
#include <stdio.h>

enum { N = 6, FAR = 1000 };

void shortest_paths(int n, int path[n][n], int next[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            next[i][j] = path[i][j] < FAR ? j : -1;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                if (path[i][k] + path[k][j] < path[i][j])
                    next[i][j] = next[i][k];
                path[i][j] = path[i][j] < path[i][k] + path[k][j] ? path[i][j]
                                                                  : path[i][k] + path[k][j];
            }
#pragma endscop
}

int main(void)
{
    int path[N][N], next[N][N];

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            path[i][j] = i == j ? 0 : (i + 2 * j) % 4 == 1 ? 1 + i * j % 7 : FAR;
    shortest_paths(N, path, next);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            printf("%d/%d%c", path[i][j], next[i][j], j == N - 1 ? '\n' : ' ');
    return 0;
}
