/* Grosser et al. 2015, Section 7.2, Figure 5(a): Chen's example, modulo in the loop. */
#include <stdio.h>

enum { SIZE = 24 };

void alternating(int n, int S1[SIZE], int S2[SIZE])
{
    int c1;

#pragma scop
    if (n >= 2)
        for (c1 = 2; c1 <= n; c1 += 2) {
            if (c1 % 4 == 0)
                S1[c1] += 1;
            if ((c1 + 2) % 4 == 0)
                S2[c1] += 1;
        }
#pragma endscop
}

int main(void)
{
    for (int n = -1; n <= 11; n += 2) {
        int S1[SIZE] = {0}, S2[SIZE] = {0};
        alternating(n, S1, S2);
        printf("n = %d:", n);
        for (int i = 0; i < SIZE; i++)
            printf(" %d%d", S1[i], S2[i]);
        printf("\n");
    }
    return 0;
}
