/* while loops with data-dependent conditions: Newton's method and Collatz sequences. */
#include <math.h>
#include <stdio.h>

enum { N = 6 };

void square_roots(int n, const double a[], double root[], int steps[])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        root[i] = 0.5 * (1.0 + a[i]);
        steps[i] = 0;
        while (fabs(root[i] * root[i] - a[i]) > 1e-9) {
            root[i] = 0.5 * (root[i] + a[i] / root[i]);
            steps[i]++;
        }
    }
#pragma endscop
}

void collatz(int n, int length[])
{
#pragma scop
    for (int i = 1; i < n; i++) {
        int value = i;
        length[i] = 0;
        while (value != 1) {
            if (value % 2 == 0)
                value = value / 2;
            else
                value = 3 * value + 1;
            length[i] += 1;
        }
    }
#pragma endscop
}

int main(void)
{
    double a[N], root[N] = {0};
    int steps[N] = {0}, length[N] = {0};

    for (int i = 0; i < N; i++)
        a[i] = 1 + 3.5 * i;
    square_roots(0, a, root, steps);
    square_roots(N, a, root, steps);
    collatz(N, length);
    for (int i = 0; i < N; i++)
        printf("%.6f %d %d\n", root[i], steps[i], length[i]);
    return 0;
}
