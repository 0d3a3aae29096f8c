/* PPCG (Verdoolaege, Janssens 2017), Section 5.2, Listing 10: a kill avoids a copy-in of A. */
#include <stdio.h>

#include "../language/pencil.h"

enum { N = 10 };

void positive_part(int n, int A[restrict static n], int B[restrict static n])
{
#pragma scop
    __pencil_kill(A);
    for (int i = 0; i < n; i++)
        if (B[i] > 0)
            A[i] = B[i];
#pragma endscop
}

int main(void)
{
    int A[N], B[N];

    for (int i = 0; i < N; i++) {
        A[i] = -1;
        B[i] = i * 7 % N - 4;
    }
    positive_part(N, A, B);
    /* Only the elements that the region wrote have a value that a program may use. */
    for (int i = 0; i < N; i++)
        if (B[i] > 0)
            printf("A[%d] = %d\n", i, A[i]);
    return 0;
}
