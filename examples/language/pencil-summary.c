/* PENCIL summary functions: pencil_access tells what an opaque function may read and write. */
#include <stdio.h>

#include "pencil.h"

enum { N = 6 };

/* bubble() sorts one row: it reads and writes each of its elements, and nothing else. */
void bubble_summary(int n, int row[static n])
{
    for (int i = 0; i < n; i++)
        row[i] = row[i];
}

void bubble(int n, int row[static n]) __attribute__((pencil_access(bubble_summary)));

void bubble(int n, int row[static n])
{
    int sorted = 0;
    while (!sorted) {
        sorted = 1;
        for (int i = 1; i < n; i++)
            if (row[i - 1] > row[i]) {
                int swap = row[i];
                row[i] = row[i - 1];
                row[i - 1] = swap;
                sorted = 0;
            }
    }
}

void medians(int n, int A[restrict static n][N], int median[restrict static n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        bubble(N, A[i]);
        median[i] = (A[i][2] + A[i][3]) / 2;
    }
#pragma endscop
}

int main(void)
{
    int A[N][N], median[N];

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = (i * 3 + j * 5) % 8;
    medians(N, A, median);
    for (int i = 0; i < N; i++)
        printf("%d: %d %d\n", median[i], A[i][0], A[i][N - 1]);
    return 0;
}
