/* Several scops in one file, and two in one function with ordinary code between them. */
#include <stdio.h>

enum { N = 8 };

void initialise(int n, double x[], double y[])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        x[i] = 0.5 * i;
        y[i] = n - i;
    }
#pragma endscop
}

double normalised_dot(int n, double x[], double y[])
{
    double norm = 0.0;
    double dot = 0.0;

#pragma scop
    for (int i = 0; i < n; i++)
        norm += x[i] * x[i];
#pragma endscop

    if (norm == 0.0)
        return 0.0;

#pragma scop
    for (int i = 0; i < n; i++)
        dot += x[i] * y[i] / norm;
#pragma endscop

    return dot;
}

int main(void)
{
    double x[N] = {0}, y[N] = {0};

    for (int n = 0; n <= N; n += 4) {
        initialise(n, x, y);
        printf("%d %.6f\n", n, normalised_dot(n, x, y));
    }
    return 0;
}
