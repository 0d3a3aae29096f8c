/* Grosser et al. 2015, Section 7.2, Figure 5(b): Chen's example, stride and epilogue.
 *
 * The statements S0 (multiples of 4) and S1 of the figure are S1 and S2 of Figure 5(a).
 */
#include <stdio.h>

enum { SIZE = 24 };

void alternating(int n, int S1[SIZE], int S2[SIZE])
{
#pragma scop
    for (int c0 = 2; c0 < n - 1; c0 += 4) {
        S2[c0] += 1;
        S1[c0 + 2] += 1;
    }
    if (n >= 2 && n % 4 >= 2)
        S2[-(n % 4) + n + 2] += 1;
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
