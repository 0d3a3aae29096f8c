/* Grosser et al. 2015, Section 7.3, Figure 8(a): two existentially quantified variables. */
#include <stdio.h>

void sums_of_2_and_3(int S[8])
{
#pragma scop
    for (int c0 = 0; c0 <= 7; c0 += 1)
        if (2 * (2 * c0 / 3) >= c0)
            S[c0] += 1;
#pragma endscop
}

int main(void)
{
    int S[8] = {0};

    sums_of_2_and_3(S);
    for (int i = 0; i < 8; i++)
        printf("%d%c", S[i], i == 7 ? '\n' : ' ');
    return 0;
}
