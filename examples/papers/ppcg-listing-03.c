/* PPCG (Verdoolaege, Janssens 2017), Section 3.2.3, Listing 3: a kill frees the last write. */
#include <stdio.h>

#include "../language/pencil.h"

enum { N = 8 };

void f(int n, int A[restrict static n], int B[restrict static n])
{
    int t;

#pragma scop
    for (int i = 0; i < n; ++i) {
        t = A[i];
        B[i] = t;
    }
    __pencil_kill(t);
#pragma endscop
}

int main(void)
{
    int A[N], B[N];

    for (int n = 1; n <= N; n += 7) {
        for (int i = 0; i < N; i++) {
            A[i] = i * i - 3;
            B[i] = 0;
        }
        f(n, A, B);
        for (int i = 0; i < N; i++)
            printf("%d ", B[i]);
        printf("\n");
    }
    return 0;
}
