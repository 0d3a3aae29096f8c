/* Grosser et al. 2015, Section 5.4, Example 5.10: Example 5.7 with separation. */
#include <stdio.h>

enum { SIZE = 6 };

void separate(int M, int S1[SIZE], int S2[1])
{
#pragma scop
    if (M <= -1) {
        S2[0] += 1;
    } else {
        S1[0] += 1;
        S2[0] += 1;
        for (int c0 = 1; c0 <= M; c0 += 1)
            S1[c0] += 1;
    }
#pragma endscop
}

int main(void)
{
    for (int M = -2; M < SIZE; M += 2) {
        int S1[SIZE] = {0}, S2[1] = {0};
        separate(M, S1, S2);
        printf("M = %d: %d |", M, S2[0]);
        for (int i = 0; i < SIZE; i++)
            printf(" %d", S1[i]);
        printf("\n");
    }
    return 0;
}
