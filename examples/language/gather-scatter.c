/* Gather and scatter through index arrays: a permutation, its inverse, and a mesh assembly. */
#include <stdio.h>

enum { N = 8, ELEMENTS = 5 };

void permute(int n, const int to[], const double in[], double out[], double back[])
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[to[i]] = in[i];
    for (int i = 0; i < n; i++)
        back[i] = out[to[i]] + out[to[to[i]]];
#pragma endscop
}

void assemble(int elements, int node[][3], const double local[], double global[])
{
#pragma scop
    for (int e = 0; e < elements; e++)
        for (int c = 0; c < 3; c++)
            global[node[e][c]] += local[e] / 3.0;
#pragma endscop
}

int main(void)
{
    int to[N], node[ELEMENTS][3];
    double in[N], out[N], back[N], local[ELEMENTS], global[N] = {0};

    for (int i = 0; i < N; i++) {
        to[i] = (i * 3 + 1) % N;
        in[i] = i * i;
    }
    for (int e = 0; e < ELEMENTS; e++) {
        local[e] = e + 1;
        for (int c = 0; c < 3; c++)
            node[e][c] = (e * 2 + c) % N;
    }
    permute(N, to, in, out, back);
    assemble(ELEMENTS, node, local, global);
    for (int i = 0; i < N; i++)
        printf("%.1f %.1f %.6f\n", out[i], back[i], global[i]);
    return 0;
}
