/* floord, ceild, min and max macros in bounds: a skewed and tiled stencil as Pluto writes it. */
#include <stdio.h>

#define ceild(n, d) (((n) < 0) ? -((-(n)) / (d)) : ((n) + (d) - 1) / (d))
#define floord(n, d) (((n) < 0) ? -((-(n) + (d) - 1) / (d)) : (n) / (d))
#define max(x, y) ((x) > (y) ? (x) : (y))
#define min(x, y) ((x) < (y) ? (x) : (y))

enum { N = 9, T = 5 };

/* for t in [0, T), i in [1, N-2]: A[t+1][i] = (A[t][i-1] + A[t][i] + A[t][i+1]) / 4, in tiles of
 * 2 time steps by 4 points of i + t. */
void tiled(int steps, int n, double A[T + 1][N])
{
#pragma scop
    if (steps >= 1 && n >= 3)
        for (int t1 = 0; t1 <= floord(steps - 1, 2); t1++)
            for (int t2 = ceild(2 * t1 - 2, 4);
                 t2 <= min(floord(2 * t1 + n - 1, 4), floord(steps + n - 3, 4)); t2++)
                for (int t3 = max(2 * t1, 4 * t2 - n + 2);
                     t3 <= min(min(2 * t1 + 1, steps - 1), 4 * t2 + 2); t3++)
                    for (int t4 = max(4 * t2, t3 + 1); t4 <= min(4 * t2 + 3, t3 + n - 2); t4++)
                        A[t3 + 1][t4 - t3] =
                            (A[t3][t4 - t3 - 1] + A[t3][t4 - t3] + A[t3][t4 - t3 + 1]) / 4;
#pragma endscop
}

int main(void)
{
    int sizes[][2] = {{5, 9}, {4, 8}, {1, 3}, {0, 9}, {3, 2}};

    for (int s = 0; s < 5; s++) {
        double A[T + 1][N], expected[T + 1][N];
        int steps = sizes[s][0], n = sizes[s][1], same = 1;
        for (int t = 0; t <= T; t++)
            for (int i = 0; i < N; i++)
                A[t][i] = expected[t][i] = i * i % 7;
        tiled(steps, n, A);
        for (int t = 0; t < steps; t++)
            for (int i = 1; i <= n - 2; i++)
                expected[t + 1][i] = (expected[t][i - 1] + expected[t][i] + expected[t][i + 1]) / 4;
        for (int t = 0; t <= T; t++)
            for (int i = 0; i < N; i++)
                same = same && A[t][i] == expected[t][i];
        printf("%d %d %.6f %s\n", steps, n, A[steps][1], same ? "same" : "different");
    }
    return 0;
}
