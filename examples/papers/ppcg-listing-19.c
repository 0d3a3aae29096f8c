/* PPCG (Verdoolaege, Janssens 2017), Section 7.2, Listing 19: reg_detect, repeated work. */
#include <stdio.h>

enum { NITER = 3, LENGTH = 4, MAXGRID = 5 };

void reg_detect(int niter, int length, int maxgrid, int sum_tang[maxgrid][maxgrid],
                int mean[maxgrid][maxgrid], int path[maxgrid][maxgrid],
                int diff[maxgrid][maxgrid][length], int sum_diff[maxgrid][maxgrid][length])
{
    int t, i, j, cnt;

#pragma scop
    for (t = 0; t < niter; t++) {
        for (j = 0; j <= maxgrid - 1; j++)
            for (i = j; i <= maxgrid - 1; i++)
                for (cnt = 0; cnt <= length - 1; cnt++)
                    diff[j][i][cnt] = sum_tang[j][i];

        for (j = 0; j <= maxgrid - 1; j++) {
            for (i = j; i <= maxgrid - 1; i++) {
                sum_diff[j][i][0] = diff[j][i][0];
                for (cnt = 1; cnt <= length - 1; cnt++)
                    sum_diff[j][i][cnt] = sum_diff[j][i][cnt - 1] + diff[j][i][cnt];
                mean[j][i] = sum_diff[j][i][length - 1];
            }
        }

        for (i = 0; i <= maxgrid - 1; i++)
            path[0][i] = mean[0][i];

        for (j = 1; j <= maxgrid - 1; j++)
            for (i = j; i <= maxgrid - 1; i++)
                path[j][i] = path[j - 1][i - 1] + mean[j][i];
    }
#pragma endscop
}

int main(void)
{
    static int sum_tang[MAXGRID][MAXGRID], mean[MAXGRID][MAXGRID], path[MAXGRID][MAXGRID];
    static int diff[MAXGRID][MAXGRID][LENGTH], sum_diff[MAXGRID][MAXGRID][LENGTH];

    for (int j = 0; j < MAXGRID; j++)
        for (int i = 0; i < MAXGRID; i++)
            sum_tang[j][i] = (i + 1) * (j + 1);
    reg_detect(NITER, LENGTH, MAXGRID, sum_tang, mean, path, diff, sum_diff);
    for (int j = 0; j < MAXGRID; j++)
        for (int i = 0; i < MAXGRID; i++)
            printf("%d%c", path[j][i], i == MAXGRID - 1 ? '\n' : ' ');
    return 0;
}
