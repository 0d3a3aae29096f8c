/* Red-black Gauss-Seidel: lower bounds with a remainder, 1 + (i + colour) % 2, and step 2. */
#include <stdio.h>

enum { N = 8 };

void red_black(int sweeps, int n, double u[N][N], double f[N][N])
{
#pragma scop
    for (int s = 0; s < sweeps; s++)
        for (int colour = 0; colour < 2; colour++)
            for (int i = 1; i < n - 1; i++)
                for (int j = 1 + (i + colour) % 2; j < n - 1; j += 2)
                    u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] -
                                      f[i][j]);
#pragma endscop
}

int main(void)
{
    int sizes[] = {2, 3, 7, 8};

    for (int s = 0; s < 4; s++) {
        double u[N][N], f[N][N], sum = 0.0;
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                u[i][j] = i * i - j * j + (i * j) % 3;
                f[i][j] = (i + j) % 4 - 1.5;
            }
        red_black(3, sizes[s], u, f);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                sum += u[i][j] * (i + 2 * j);
        printf("%.6f %.6f\n", u[1][1], sum);
    }
    return 0;
}
