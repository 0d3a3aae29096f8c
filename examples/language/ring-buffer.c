/* Ring buffers: subscripts with remainders by a constant, also of negative operands. */
#include <stdio.h>

#define DEPTH 4

enum { N = 14 };

void delayed_echo(int n, const int in[], int out[], int ring[DEPTH])
{
#pragma scop
    for (int t = 0; t < DEPTH; t++)
        ring[t] = 0;
    for (int t = 0; t < n; t++) {
        out[t] = in[t] + ring[(t + 1) % DEPTH];
        ring[t % DEPTH] = out[t] / 2;
    }
    for (int t = -n; t < 0; t++)
        ring[(t % DEPTH + DEPTH) % DEPTH] += t;
#pragma endscop
}

int main(void)
{
    int sizes[] = {0, 1, 5, N};

    for (int s = 0; s < 4; s++) {
        int in[N], out[N] = {0}, ring[DEPTH];
        for (int t = 0; t < N; t++)
            in[t] = t * t % 8 * 4;
        delayed_echo(sizes[s], in, out, ring);
        for (int t = 0; t < N; t++)
            printf("%d ", out[t]);
        printf("| %d %d %d %d\n", ring[0], ring[1], ring[2], ring[3]);
    }
    return 0;
}
