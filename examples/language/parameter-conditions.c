/* Conditions on parameters around loops: modes, boundary kinds and an early way out of the work. */
#include <stdio.h>

enum { N = 6 };

void gradient(int n, int periodic, int order, const double f[], double g[])
{
#pragma scop
    if (n >= 3) {
        if (order == 2) {
            for (int i = 1; i < n - 1; i++)
                g[i] = 0.5 * (f[i + 1] - f[i - 1]);
        } else if (order == 1) {
            for (int i = 1; i < n - 1; i++)
                g[i] = f[i + 1] - f[i];
        } else {
            for (int i = 1; i < n - 1; i++)
                g[i] = 0.0;
        }
        if (periodic != 0) {
            g[0] = 0.5 * (f[1] - f[n - 1]);
            g[n - 1] = 0.5 * (f[0] - f[n - 2]);
        } else {
            g[0] = f[1] - f[0];
            g[n - 1] = f[n - 1] - f[n - 2];
        }
    } else if (n == 2 || n == 1) {
        for (int i = 0; i < n; i++)
            g[i] = f[n - 1] - f[0];
    }
#pragma endscop
}

int main(void)
{
    double f[N];

    for (int i = 0; i < N; i++)
        f[i] = i * i * 0.5;
    for (int n = 0; n <= N; n++)
        for (int mode = 0; mode < 4; mode++) {
            double g[N] = {0};
            gradient(n, mode % 2, mode, f, g);
            for (int i = 0; i < N; i++)
                printf("%.2f%c", g[i], i == N - 1 ? '\n' : ' ');
        }
    return 0;
}
