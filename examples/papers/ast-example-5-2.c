/* Grosser et al. 2015, Section 5.2, Example 5.2: a constraint with a floor becomes a test. */
#include <stdio.h>

void guarded(int S[4])
{
#pragma scop
    for (int c0 = 0; c0 <= 3; c0 += 1)
        if ((c0 + 1) % 3 >= 1)
            S[c0] = 1 + c0;
#pragma endscop
}

int main(void)
{
    int S[4] = {0};

    guarded(S);
    printf("%d %d %d %d\n", S[0], S[1], S[2], S[3]);
    return 0;
}
