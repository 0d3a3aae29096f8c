/* Grosser et al. 2015, Section 7.3, Figure 7(a): modulo mappings without a loop. */
#include <stdio.h>

void modulo(int n, int t1, int simple[128], int shifted[135], int conditional[131])
{
#pragma scop
    simple[n % 128] += 1;
    shifted[((t1 + 121) % 128) + 7] += 1;
    if ((t1 + 121) % 128 <= 123)
        conditional[((t1 + 125) % 128) + 3] += 1;
#pragma endscop
}

int main(void)
{
    static int simple[128], shifted[135], conditional[131];

    for (int t1 = 0; t1 < 128; t1++)
        modulo(3 * t1, t1, simple, shifted, conditional);
    for (int i = 0; i < 128; i++)
        printf("%d%d%d%s", simple[i], shifted[i + 7], conditional[i + 3],
               i % 16 == 15 ? "\n" : " ");
    return 0;
}
