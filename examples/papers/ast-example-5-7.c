/* Grosser et al. 2015, Section 5.3, Example 5.7: a conditional upper bound. */
#include <stdio.h>

enum { SIZE = 6 };

void atomic(int M, int S1[SIZE], int S2[1])
{
#pragma scop
    for (int c0 = 0; c0 <= (M <= 0 ? 0 : M); c0 += 1) {
        if (M >= c0)
            S1[c0] += 1;
        if (c0 == 0)
            S2[0] += 1;
    }
#pragma endscop
}

int main(void)
{
    for (int M = -2; M < SIZE; M += 2) {
        int S1[SIZE] = {0}, S2[1] = {0};
        atomic(M, S1, S2);
        printf("M = %d: %d |", M, S2[0]);
        for (int i = 0; i < SIZE; i++)
            printf(" %d", S1[i]);
        printf("\n");
    }
    return 0;
}
