/* Grosser et al. 2015, Section 5.7, Example 5.14: components give a statement, then a loop. */
#include <stdio.h>

void components(int S0[1], int S1[10])
{
#pragma scop
    S0[0] = 7;
    for (int i = 0; i < 10; ++i)
        S1[i] = S0[0] + i;
#pragma endscop
}

int main(void)
{
    int S0[1], S1[10];

    components(S0, S1);
    for (int i = 0; i < 10; i++)
        printf("%d\n", S1[i]);
    return 0;
}
