/* Grosser et al. 2015, Section 2, Figure 2: the copy code of Figure 1, unrolled.
 *
 * The guarded copies of the figure print t1 + 128; the shift by -4 of Figure 1 makes it t1 + 124.
 */
#include <stdio.h>

static int A[2][12][264];

void copy_in(int t1, int b0, int g7)
{
#pragma scop
    A[0][6 * b0 + 1][128 * g7 + ((t1 + 125) % 128) - 1] = t1 + 1;
    A[0][6 * b0 + 2][128 * g7 + ((t1 + 127) % 128) - 3] = t1 + 1;
    if (t1 <= 2 && t1 >= 1)
        A[0][6 * b0 + 2][128 * g7 + t1 + 124] = t1 + 1;
    A[0][6 * b0 + 3][128 * g7 + ((t1 + 127) % 128) - 3] = t1 + 1;
    if (t1 <= 2 && t1 >= 1)
        A[0][6 * b0 + 3][128 * g7 + t1 + 124] = t1 + 1;
    A[0][6 * b0 + 4][128 * g7 + ((t1 + 125) % 128) - 1] = t1 + 1;
    A[1][6 * b0 + 1][128 * g7 + ((t1 + 126) % 128) - 2] = t1 + 1;
    A[1][6 * b0 + 2][128 * g7 + ((t1 + 126) % 128) - 2] = t1 + 1;
    if (t1 <= 3 && t1 >= 2)
        A[1][6 * b0 + 2][128 * g7 + t1 + 124] = t1 + 1;
    A[1][6 * b0 + 3][128 * g7 + ((t1 + 126) % 128) - 2] = t1 + 1;
    if (t1 <= 3 && t1 >= 2)
        A[1][6 * b0 + 3][128 * g7 + t1 + 124] = t1 + 1;
    A[1][6 * b0 + 4][128 * g7 + ((t1 + 126) % 128) - 2] = t1 + 1;
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
