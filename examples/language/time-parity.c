/* A stencil with time-parity subscripts: A[t % 2][i] and A[(t + 1) % 2][i]. */
#include <stdio.h>

enum { N = 9 };

void wave(int steps, int n, double A[2][N], double c)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            A[(t + 1) % 2][i] =
                A[t % 2][i] + c * (A[t % 2][i - 1] - 2.0 * A[t % 2][i] + A[t % 2][i + 1]);
        A[(t + 1) % 2][0] = A[t % 2][1];
        A[(t + 1) % 2][n - 1] = A[t % 2][n - 2];
    }
#pragma endscop
}

int main(void)
{
    for (int steps = 0; steps <= 7; steps += steps == 0 ? 1 : 6) {
        double A[2][N] = {{0}};
        A[0][N / 2] = 16.0;
        A[0][1] = -4.0;
        wave(steps, N, A, 0.25);
        for (int i = 0; i < N; i++)
            printf("%.6f%c", A[steps % 2][i], i == N - 1 ? '\n' : ' ');
    }
    return 0;
}
