/* Loopy (Namjoshi, Singhania 2016), Section 3.2, Figure 4a: program A, components L1, L2, L3.
 *
 * The figure names the statements s0 to s5 only; these are ours.
 */
#include <stdio.h>

enum { SIZE = 6 };

void program(int N, int s0[N][N], int s1[N][N], int s2[N][N], int s3[N][N], int s4[N][N],
             int s5[N][N])
{
    int i, j;

#pragma scop
    for (i = 0; i < N; i++) {
        for (j = 0; j < N; j++) {
        L1:
            s0[i][j] = i - j;
            s1[i][j] = s0[i][j] + 1;
        }
    }
    for (i = 0; i < N; i++) {
        for (j = 0; j < N; j++) {
        L2:
            s2[i][j] = s1[i][j] * 2;
            s3[i][j] = s0[i][j] + s2[i][j];
        }
        for (j = 0; j < N; j++) {
        L3:
            s4[i][j] = s3[i][N - 1 - j];
            s5[i][j] = s4[i][j] - s2[i][j];
        }
    }
#pragma endscop
}

int main(void)
{
    static int s0[SIZE][SIZE], s1[SIZE][SIZE], s2[SIZE][SIZE], s3[SIZE][SIZE], s4[SIZE][SIZE];
    static int s5[SIZE][SIZE];

    program(SIZE, s0, s1, s2, s3, s4, s5);
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            printf("%d,%d%c", s3[i][j], s5[i][j], j == SIZE - 1 ? '\n' : ' ');
    return 0;
}
