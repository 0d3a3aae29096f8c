/* An imperfect nest, with statements before, between and after inner loops: Thomas solver. */
#include <stdio.h>

enum { N = 6, SYSTEMS = 3 };

void thomas(int systems, int n, const double a[], const double b[], const double c[], double d[][N],
            double w[], double ends[])
{
#pragma scop
    for (int s = 0; s < systems; s++) {
        w[0] = c[0] / b[0];
        d[s][0] = d[s][0] / b[0];
        for (int i = 1; i < n; i++) {
            double m = 1.0 / (b[i] - a[i] * w[i - 1]);
            w[i] = c[i] * m;
            d[s][i] = (d[s][i] - a[i] * d[s][i - 1]) * m;
        }
        for (int i = n - 2; i >= 0; i--)
            d[s][i] -= w[i] * d[s][i + 1];
        ends[s] = d[s][0] + d[s][n - 1];
    }
#pragma endscop
}

int main(void)
{
    for (int n = 1; n <= N; n += 5) {
        double a[N], b[N], c[N], d[SYSTEMS][N], w[N], ends[SYSTEMS];
        for (int i = 0; i < N; i++) {
            a[i] = -1.0;
            b[i] = 4.0 + i;
            c[i] = -2.0;
            for (int s = 0; s < SYSTEMS; s++)
                d[s][i] = i * s + 1;
        }
        thomas(SYSTEMS, n, a, b, c, d, w, ends);
        for (int s = 0; s < SYSTEMS; s++) {
            printf("%.6f:", ends[s]);
            for (int i = 0; i < n; i++)
                printf(" %.6f", d[s][i]);
            printf("\n");
        }
    }
    return 0;
}
