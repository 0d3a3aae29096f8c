/* Variables of statement expressions are of types that convert what they are set to. */
#include <stdio.h>

#define SHORTER(x) ({ short q_ = (x); q_; })
#define COUNTED(x) ({ unsigned q_ = (x); q_; })
#define WIDER(x) ({ long q_ = (x); q_; })
#define TRUTH(x) ({ _Bool q_ = (x); q_; })
#define BYTE(x) ({ unsigned char q_ = (x); q_; })

enum { N = 40, M = 30 };
static double a[N][M], b[N][M];

static void kernel(int n, int m)
{
    for (int j = 0; j < m; j++) /* => either */
        for (int i = 0; i < n; i++) {
            a[i][j] += SHORTER(i * 9000) + b[i][j];
            a[i][j] += (COUNTED(i - 1) > 5) + WIDER(i) * 100000 * (j + 1) * 1000;
            a[i][j] += TRUTH(i + j) + BYTE(i * 37 - j);
        }
}

int main(void)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            b[i][j] = (i * 7 + j * 3) % 11;
    kernel(N, M);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            sum += a[i][j] * ((i * 5 + j) % 13);
    printf("%.17g %.17g %.17g\n", sum, a[0][0], a[N - 1][M - 1]);
    return 0;
}
