/* PPCG (Verdoolaege, Janssens 2017), Section 7.6, Listing 34: durbin with labels. */
#include <stdio.h>

enum { N = 10 };

void durbin(int n, double r[n], double y[n])
{
    double z[N];
    double alpha, beta, sum;
    int i, k;

#pragma scop
A:
    y[0] = -r[0];
B:
    beta = 1.0;
C:
    alpha = -r[0];
    for (k = 1; k < n; k++) {
D:
        beta = (1 - alpha * alpha) * beta;
E:
        sum = 0.0;
        for (i = 0; i < k; i++) {
F:
            sum += r[k - i - 1] * y[i];
        }
G:
        alpha = -(r[k] + sum) / beta;
        for (i = 0; i < k; i++) {
H:
            z[i] = y[i] + alpha * y[k - i - 1];
        }
        for (i = 0; i < k; i++) {
I:
            y[i] = z[i];
        }
J:
        y[k] = alpha;
    }
#pragma endscop
}

int main(void)
{
    double r[N], y[N];

    for (int i = 0; i < N; i++)
        r[i] = 1.0 / (i + 3);
    durbin(N, r, y);
    for (int i = 0; i < N; i++)
        printf("%.6f\n", y[i]);
    return 0;
}
