/* Arrays of constant size, of variable size, with [restrict static n], and a local VLA. */
#include <stdio.h>

enum { N = 7, TAPS = 3 };

static const int kernel[TAPS] = {1, -2, 1};

void filter(int n, const int in[restrict static n], int out[restrict static n], int A[n][TAPS + 1])
{
    int padded[n + 2];
    int total[2] = {0, 0};

#pragma scop
    padded[0] = 0;
    padded[n + 1] = 0;
    for (int i = 0; i < n; i++)
        padded[i + 1] = in[i];
    for (int i = 0; i < n; i++) {
        out[i] = 0;
        for (int k = 0; k < TAPS; k++) {
            A[i][k] = kernel[k] * padded[i + k];
            out[i] += A[i][k];
        }
        A[i][TAPS] = out[i];
        total[0] += in[i];
        total[1] += out[i];
    }
#pragma endscop
    printf("%d %d\n", total[0], total[1]);
}

int main(void)
{
    for (int n = 1; n <= N; n += 3) {
        int in[N], out[N] = {0}, A[N][TAPS + 1] = {{0}};
        for (int i = 0; i < N; i++)
            in[i] = i * i;
        filter(n, in, out, A);
        for (int i = 0; i < n; i++)
            printf("%d %d %d %d %d\n", out[i], A[i][0], A[i][1], A[i][2], A[i][3]);
    }
    return 0;
}
