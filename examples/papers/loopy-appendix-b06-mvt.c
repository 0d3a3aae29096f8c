/* Loopy (Namjoshi, Singhania 2016), Appendix B.6: mvt with tags First and Second. */
#include <stdio.h>

enum { N = 8 };

void mvt(int n, double x1[n], double x2[n], double y_1[n], double y_2[n], double A[n][n])
{
    int i, j;

#pragma scop
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
        First:
            x1[i] = x1[i] + A[i][j] * y_1[j];
        }
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
        Second:
            x2[i] = x2[i] + A[j][i] * y_2[j];
        }
#pragma endscop
}

int main(void)
{
    double x1[N], x2[N], y_1[N], y_2[N], A[N][N];

    for (int i = 0; i < N; i++) {
        x1[i] = i % N / (double)N;
        x2[i] = (i + 1) % N / (double)N;
        y_1[i] = (i + 3) % N / (double)N;
        y_2[i] = (i + 4) % N / (double)N;
        for (int j = 0; j < N; j++)
            A[i][j] = i * j % N / (double)N;
    }
    mvt(N, x1, x2, y_1, y_2, A);
    for (int i = 0; i < N; i++)
        printf("%.6f %.6f\n", x1[i], x2[i]);
    return 0;
}
