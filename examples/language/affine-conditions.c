/* Affine if/else with &&, ||, !, remainders and divisions of the iterators. */
#include <stdio.h>

enum { N = 8 };

void classify(int n, int lo, int hi, int A[N][N])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (i == 0 || j == 0 || i == n - 1 || j == n - 1)
                A[i][j] = 1;
            else if (!(i < lo || i > hi) && !(j < lo || j > hi))
                A[i][j] = 2;
            else if ((i + j) % 3 == 0)
                A[i][j] = 3;
            else if (i / 2 == j / 2 && i != j)
                A[i][j] = 4;
            else
                A[i][j] = 5;
            if (i > j)
                A[i][j] += 10;
            if (!(i % 2) && j % 2)
                A[i][j] += 20;
        }
#pragma endscop
}

int main(void)
{
    int sizes[] = {0, 1, 5, 8};

    for (int s = 0; s < 4; s++) {
        int A[N][N] = {{0}};
        classify(sizes[s], 3, 4, A);
        for (int i = 0; i < sizes[s]; i++)
            for (int j = 0; j < sizes[s]; j++)
                printf("%d%c", A[i][j], j == sizes[s] - 1 ? '\n' : ' ');
    }
    return 0;
}
