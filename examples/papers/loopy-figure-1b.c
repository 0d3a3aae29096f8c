/* Loopy (Namjoshi, Singhania 2016), Section 2, Figure 1b: loop Div, whose reversal is not legal.
 *
 * The figure is an image in our copy of the paper; the loop is the one that turns [1,2,3,4] into
 * [1,2,3/2,8/3], and whose reversal gives [1,2,3/2,4/3], as Section 2 tells.
 */
#include <stdio.h>

void divide(int N, double A[N])
{
    int i;

#pragma scop
    for (i = 1; i < N; i++) {
    Div:
        A[i] = A[i] / A[i - 1];
    }
#pragma endscop
}

int main(void)
{
    double A[4] = {1, 2, 3, 4};

    divide(4, A);
    printf("%.6f %.6f %.6f %.6f\n", A[0], A[1], A[2], A[3]);
    return 0;
}
