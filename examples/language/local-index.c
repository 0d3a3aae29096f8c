/* Local integers that hold affine expressions, used in subscripts, conditions and bounds. */
#include <stdio.h>

enum { N = 9 };

void blocks(int n, const int a[], int b[], int sums[])
{
#pragma scop
    for (int block = 0; block < (n + 2) / 3; block++) {
        int first = 3 * block;
        int last = first + 3;
        sums[block] = 0;
        for (int i = first; i < last; i++) {
            int mirrored = first + last - 1 - i;
            if (i < n && mirrored < n) {
                b[mirrored] = a[i];
                sums[block] += a[i] * (i - first);
            }
        }
    }
#pragma endscop
}

int main(void)
{
    int sizes[] = {0, 1, 5, 9};

    for (int s = 0; s < 4; s++) {
        int a[N], b[N] = {0}, sums[3] = {0};
        for (int i = 0; i < N; i++)
            a[i] = i * i + 1;
        blocks(sizes[s], a, b, sums);
        for (int i = 0; i < N; i++)
            printf("%d ", b[i]);
        printf("| %d %d %d\n", sums[0], sums[1], sums[2]);
    }
    return 0;
}
