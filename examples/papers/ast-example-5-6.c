/* Grosser et al. 2015, Section 5.3, Example 5.6: a stride that implies n is even. */
#include <stdio.h>

#define floord(n, d) ((n) < 0 ? -((-(n) + (d) - 1) / (d)) : (n) / (d))

void strided(int n, int S[101])
{
#pragma scop
    if (n % 2 == 0)
        for (int c0 = (n / 2) + 2 * floord(-n - 1, 4) + 2; c0 <= 100; c0 += 2)
            S[c0] += 1;
#pragma endscop
}

int main(void)
{
    for (int n = -6; n <= 9; n += 3) {
        int S[101] = {0};
        int count = 0, sum = 0;
        strided(n, S);
        for (int i = 0; i <= 100; i++) {
            count += S[i];
            sum += S[i] * i;
        }
        printf("n = %d: %d instances, sum %d\n", n, count, sum);
    }
    return 0;
}
