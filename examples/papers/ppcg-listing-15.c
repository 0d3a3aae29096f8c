/* PPCG (Verdoolaege, Janssens 2017), Section 6.4.4, Listing 15: every instance needs the last. */
#include <stdio.h>

static int f(int i, int j)
{
    return 3 * i - 2 * j;
}

int total(int n)
{
    int s = 0;

#pragma scop
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
S:
            s += f(i, j);
#pragma endscop
    return s;
}

int main(void)
{
    printf("%d %d %d\n", total(0), total(1), total(9));
    return 0;
}
