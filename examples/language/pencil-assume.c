/* __pencil_assume: facts about the parameters that make two halves of an array independent. */
#include <stdio.h>

#include "pencil.h"

enum { N = 12 };

void shift_copy(int n, int offset, int A[])
{
#pragma scop
    __pencil_assume(n >= 1);
    __pencil_assume(offset >= n && offset <= 2 * n);
    for (int i = 0; i < n; i++)
        A[i + offset] = A[i] + 1;
#pragma endscop
}

int main(void)
{
    int A[2 * N];

    for (int i = 0; i < 2 * N; i++)
        A[i] = i * i % 10;
    shift_copy(1, 2, A);
    shift_copy(6, 9, A);
    shift_copy(N, N, A);
    for (int i = 0; i < 2 * N; i++)
        printf("%d%c", A[i], i == 2 * N - 1 ? '\n' : ' ');
    return 0;
}
