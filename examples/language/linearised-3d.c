/* Linearised three-dimensional arrays: A[(i * n + j) * m + k], and a constant row length. */
#include <stdio.h>

enum { SIZE = 64, WIDTH = 4 };

void diffuse(int l, int n, int m, const double *A, double *B, double *plane)
{
#pragma scop
    for (int i = 1; i < l - 1; i++)
        for (int j = 0; j < n; j++)
            for (int k = 1; k < m - 1; k++)
                B[(i * n + j) * m + k] =
                    A[((i - 1) * n + j) * m + k] + A[((i + 1) * n + j) * m + k] +
                    A[(i * n + j) * m + k - 1] + A[(i * n + j) * m + k + 1];
    for (int j = 0; j < WIDTH; j++)
        for (int k = 0; k < WIDTH; k++)
            plane[WIDTH * j + k] = B[WIDTH * WIDTH + WIDTH * k + j];
#pragma endscop
}

int main(void)
{
    double A[SIZE], B[SIZE] = {0}, plane[WIDTH * WIDTH];

    for (int i = 0; i < SIZE; i++)
        A[i] = i * i % 13;
    diffuse(4, 4, 4, A, B, plane);
    diffuse(3, 4, 5, A, B, plane);
    for (int i = 0; i < SIZE; i++)
        printf("%.1f%c", B[i], i % 16 == 15 ? '\n' : ' ');
    for (int i = 0; i < WIDTH * WIDTH; i++)
        printf("%.1f%c", plane[i], i % 16 == 15 ? '\n' : ' ');
    return 0;
}
