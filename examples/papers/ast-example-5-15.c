/* Grosser et al. 2015, Section 5.8, Example 5.15: the domains of the shifted strides. */
#include <stdio.h>

void alternate(int A[10], int B[10])
{
#pragma scop
    for (int i = 0; i < 10; ++i) {
A:
        A[i] = 2 * i;
B:
        B[i] = A[i] + 1;
    }
#pragma endscop
}

int main(void)
{
    int A[10], B[10];

    alternate(A, B);
    for (int i = 0; i < 10; i++)
        printf("%d %d\n", A[i], B[i]);
    return 0;
}
