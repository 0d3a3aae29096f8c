/* Indirect subscripts that write: a histogram and its cumulative sum. */
#include <stdio.h>

enum { N = 20, BINS = 6 };

void histogram(int n, int bins, const int data[], int count[], int cumulative[])
{
#pragma scop
    for (int b = 0; b < bins; b++)
        count[b] = 0;
    for (int i = 0; i < n; i++)
        count[data[i]] += 1;
    for (int b = 0; b < bins; b++)
        cumulative[b] = b == 0 ? count[0] : cumulative[b - 1] + count[b];
#pragma endscop
}

int main(void)
{
    int data[N], count[BINS], cumulative[BINS];
    int sizes[] = {0, 1, N};

    for (int i = 0; i < N; i++)
        data[i] = i * i % BINS;
    for (int s = 0; s < 3; s++) {
        histogram(sizes[s], BINS, data, count, cumulative);
        for (int b = 0; b < BINS; b++)
            printf("%d/%d%c", count[b], cumulative[b], b == BINS - 1 ? '\n' : ' ');
    }
    return 0;
}
