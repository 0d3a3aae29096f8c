/* Sizes from macros, enumerators, const variables and sizeof; global and static arrays. */
#include <stdio.h>

#define ROWS 5
#define LENGTH(a) ((int)(sizeof(a) / sizeof((a)[0])))

enum { COLUMNS = 6, HALO = 1 };

static const int offset = 2;
static double grid[ROWS][COLUMNS];
double weights[] = {0.25, 0.5, 0.25};
int total;

void convolve(void)
{
    static double result[ROWS][COLUMNS];
    const int last = COLUMNS - 1;

#pragma scop
    for (int i = 0; i < ROWS; i++)
        for (int j = HALO; j < COLUMNS - HALO; j++) {
            result[i][j] = 0.0;
            for (int k = 0; k < LENGTH(weights); k++)
                result[i][j] += weights[k] * grid[i][j + k - HALO];
        }
    for (int i = 0; i < LENGTH(grid); i++)
        for (int j = HALO; j < last; j++)
            grid[i][j] = result[i][j];
    for (int i = offset; i < ROWS; i++)
        total += i * (int)sizeof(weights) / (int)sizeof(double);
#pragma endscop
}

int main(void)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            grid[i][j] = (i * 7 + j * 5) % 9;
    convolve();
    convolve();
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            printf("%.6f%c", grid[i][j], j == COLUMNS - 1 ? '\n' : ' ');
    printf("%d\n", total);
    return 0;
}
