/* Grosser et al. 2015, Section 2, Figure 1: copy code of a hybrid hexagonal tile. */
#include <stdio.h>

#define min(x, y) ((x) < (y) ? (x) : (y))
#define max(x, y) ((x) > (y) ? (x) : (y))

static int A[2][12][264];

void copy_in(int t1, int b0, int g7)
{
    int c2, c3, c4;

#pragma scop
    for (c2 = 0; c2 <= 1; c2 += 1)
        for (c3 = 1; c3 <= 4; c3 += 1)
            for (c4 = max(((t1 - c3 + 130) % 128) + c3 - 2, ((t1 + c3 + 125) % 128) - c3 + 3);
                 c4 <= min(((c2 + c3) % 2) + c3 + 128, -((c2 + c3) % 2) - c3 + 134); c4 += 128)
                if (c3 + c4 >= 7 ||
                    (c4 == t1 && c3 + 2 >= t1 && t1 + c3 <= 6 &&
                     t1 + c3 >= ((t1 + c2 + 2 * c3 + 1) % 2) + 3 &&
                     t1 + 2 >= ((t1 + c2 + 2 * c3 + 1) % 2) + c3) ||
                    (c4 == t1 && c3 == 1 && t1 <= 5 && t1 >= 4 && c2 <= 1 && c2 >= 0))
                    A[c2][6 * b0 + c3][128 * g7 + c4 - 4] = t1 + 1;
#pragma endscop
}

int main(void)
{
    int threads[] = {0, 1, 2, 3, 4, 5, 6, 50, 126, 127};

    for (int t = 0; t < 10; t++)
        copy_in(threads[t], t % 2, 1);
    for (int c2 = 0; c2 < 2; c2++)
        for (int r = 0; r < 12; r++)
            for (int c = 0; c < 264; c++)
                if (A[c2][r][c] != 0)
                    printf("A[%d][%d][%d] = %d\n", c2, r, c, A[c2][r][c]);
    return 0;
}
