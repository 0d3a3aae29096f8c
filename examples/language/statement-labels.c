/* Labels that name statements: S1, S2, S3 in loops, in branches and at the top level. */
#include <stdio.h>

enum { N = 7 };

void recurrence(int n, double x[], double y[], double *last)
{
    double s;

#pragma scop
S1:
    s = 0.0;
    for (int i = 0; i < n; i++) {
S2:
        s = s + x[i];
        if (i > 0)
S3:
            y[i] = 0.5 * (y[i - 1] + s);
        else
S4:
            y[i] = s;
    }
S5:
    *last = s;
#pragma endscop
}

int main(void)
{
    double x[N], y[N] = {0}, last;

    for (int i = 0; i < N; i++)
        x[i] = 3.0 - i;
    for (int n = 0; n <= N; n += 7) {
        recurrence(n, x, y, &last);
        printf("%.6f:", last);
        for (int i = 0; i < N; i++)
            printf(" %.6f", y[i]);
        printf("\n");
    }
    return 0;
}
