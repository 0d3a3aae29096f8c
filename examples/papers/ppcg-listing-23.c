/* PPCG (Verdoolaege, Janssens 2017), Section 7.4, Listing 23: deriche coefficients, grouping. */
#include <math.h>
#include <stdio.h>

void coefficients(double alpha, double c[10])
{
    double k, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2;

#pragma scop
    k = (1.0 - exp(-alpha)) * (1.0 - exp(-alpha)) /
        (1.0 + 2.0 * alpha * exp(-alpha) - exp(2.0 * alpha));
    a1 = a5 = k;
    a2 = a6 = k * exp(-alpha) * (alpha - 1.0);
    a3 = a7 = k * exp(-alpha) * (alpha + 1.0);
    a4 = a8 = -k * exp(-2.0 * alpha);
    b1 = pow(2.0, -alpha);
    b2 = -exp(-2.0 * alpha);
#pragma endscop

    c[0] = a1;
    c[1] = a2;
    c[2] = a3;
    c[3] = a4;
    c[4] = a5;
    c[5] = a6;
    c[6] = a7;
    c[7] = a8;
    c[8] = b1;
    c[9] = b2;
}

int main(void)
{
    double c[10];

    coefficients(0.25, c);
    for (int i = 0; i < 10; i++)
        printf("%.9f\n", c[i]);
    return 0;
}
