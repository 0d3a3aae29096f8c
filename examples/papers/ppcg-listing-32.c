/* PPCG (Verdoolaege, Janssens 2017), Section 7.5.5, Listing 32: constraint removal. */
#include <stdio.h>

void chain(int A[10], int B[11])
{
#pragma scop
    for (int i = 0; i < 10; ++i) {
A:
        A[i] = B[i];
B:
        B[i + 1] = A[0];
    }
#pragma endscop
}

int main(void)
{
    int A[10], B[11];

    for (int i = 0; i < 11; i++)
        B[i] = 5 + i;
    chain(A, B);
    for (int i = 0; i < 10; i++)
        printf("%d %d\n", A[i], B[i + 1]);
    return 0;
}
