/* Loopy (Namjoshi, Singhania 2016), Section 2, Figure 1a: matrix product with tags Init and Mult.
 *
 * The figure is an image in our copy of the paper; this follows Sections 2 and 3.2.
 */
#include <stdio.h>

enum { SIZE = 6 };

void matmul(int N, double A[N][N], double B[N][N], double C[N][N])
{
    int i, j, k;

#pragma scop
    for (i = 0; i < N; i++) {
        for (j = 0; j < N; j++) {
            {
            Init:
                C[i][j] = 0.0;
            }
            for (k = 0; k < N; k++) {
            Mult:
                C[i][j] += A[i][k] * B[k][j];
            }
        }
    }
#pragma endscop
}

int main(void)
{
    static double A[SIZE][SIZE], B[SIZE][SIZE], C[SIZE][SIZE];

    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            A[i][j] = i - 2 * j;
            B[i][j] = (i * j) % 5;
        }
    matmul(SIZE, A, B, C);
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            printf("%.1f%c", C[i][j], j == SIZE - 1 ? '\n' : ' ');
    return 0;
}
