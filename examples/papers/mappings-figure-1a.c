/* Kelly et al. 1995, Section 1, Figure 1: two iteration spaces, code with no duplication. */
#include <stdio.h>

void spaces(int s1[11][11], int s2[11][11])
{
#pragma scop
    for (int i = 1; i <= 10; i++)
        for (int j = 1; j <= 10; j++) {
            if (j == 1)
                s1[i][j] += 1;
            if (i <= 5)
                s2[i][j] += s1[i][1] + j;
        }
#pragma endscop
}

int main(void)
{
    static int s1[11][11], s2[11][11];

    spaces(s1, s2);
    for (int i = 0; i < 11; i++)
        for (int j = 0; j < 11; j++)
            printf("%d,%d%c", s1[i][j], s2[i][j], j == 10 ? '\n' : ' ');
    return 0;
}
