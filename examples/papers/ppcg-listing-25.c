/* PPCG (Verdoolaege, Janssens 2017), Section 7.4, Listing 25: nussinov with labels, grouping. */
#include <stdio.h>

enum { N = 10 };

static int max_score(int s1, int s2)
{
    return s1 >= s2 ? s1 : s2;
}

static int match(int b1, int b2)
{
    return b1 + b2 == 3 ? 1 : 0;
}

void nussinov(int n, char seq[n], int table[n][n])
{
    int i, j, k;

#pragma scop
    for (i = n - 1; i >= 0; i--) {
        for (j = i + 1; j < n; j++) {
            if (j - 1 >= 0)
A:
                table[i][j] = max_score(table[i][j], table[i][j - 1]);
            if (i + 1 < n)
B:
                table[i][j] = max_score(table[i][j], table[i + 1][j]);

            if (j - 1 >= 0 && i + 1 < n) {
                /* don't allow adjacent elements to bond */
                if (i < j - 1)
C:
                    table[i][j] =
                        max_score(table[i][j], table[i + 1][j - 1] + match(seq[i], seq[j]));
                else
D:
                    table[i][j] = max_score(table[i][j], table[i + 1][j - 1]);
            }

            for (k = i + 1; k < j; k++) {
E:
                table[i][j] = max_score(table[i][j], table[i][k] + table[k + 1][j]);
            }
        }
    }
#pragma endscop
}

int main(void)
{
    char seq[N];
    static int table[N][N];

    for (int i = 0; i < N; i++)
        seq[i] = (char)((i * i + 1) % 4);
    nussinov(N, seq, table);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            printf("%d%c", table[i][j], j == N - 1 ? '\n' : ' ');
    return 0;
}
