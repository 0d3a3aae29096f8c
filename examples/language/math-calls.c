/* Calls of math.h functions: a softmax and a windowed transform. */
#include <math.h>
#include <stdio.h>

enum { N = 8 };

void softmax(int n, const double x[], double y[])
{
    double largest = -HUGE_VAL;
    double sum = 0.0;

#pragma scop
    for (int i = 0; i < n; i++)
        largest = fmax(largest, x[i]);
    for (int i = 0; i < n; i++) {
        y[i] = exp(x[i] - largest);
        sum += y[i];
    }
    for (int i = 0; i < n; i++)
        y[i] /= sum;
#pragma endscop
}

void cosine_transform(int n, const double x[], double c[])
{
    const double pi = acos(-1.0);

#pragma scop
    for (int k = 0; k < n; k++) {
        c[k] = 0.0;
        for (int i = 0; i < n; i++)
            c[k] += x[i] * cos(pi * (i + 0.5) * k / n);
        c[k] = sqrt(1.0 + fabs(c[k]));
    }
#pragma endscop
}

int main(void)
{
    double x[N], y[N] = {0}, c[N] = {0};

    for (int i = 0; i < N; i++)
        x[i] = 0.75 * (i * 5 % N) - 1.0;
    for (int n = 0; n <= N; n += 4) {
        softmax(n, x, y);
        cosine_transform(n, x, c);
        for (int i = 0; i < n; i++)
            printf("%.6f %.6f\n", y[i], c[i]);
    }
    return 0;
}
