/* PPCG (Verdoolaege, Janssens 2017), Section 6.6.3, Listing 18: too many proximity constraints. */
#include <stdio.h>

enum { N = 9 };

static int f1(void)
{
    return 6;
}

void two_broadcasts(int n, int m, int A[], int B[])
{
    int a, b;

#pragma scop
A:
    a = f1();
    for (int i = 0; i < n; ++i)
B:
        A[i] = a;
C:
    b = f1();
    for (int i = 0; i < m; ++i)
D:
        B[i] = b;
#pragma endscop
}

int main(void)
{
    int A[N] = {0}, B[N] = {0};

    two_broadcasts(5, 0, A, B);
    two_broadcasts(3, 7, A, B);
    for (int i = 0; i < N; i++)
        printf("%d %d\n", A[i], B[i]);
    return 0;
}
