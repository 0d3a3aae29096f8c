/* A while loop whose condition has an affine and a data-dependent part: insertion sort. */
#include <stdio.h>

enum { N = 9 };

void insertion_sort(int n, int a[])
{
#pragma scop
    for (int i = 1; i < n; i++) {
        int value = a[i];
        int j = i;
        while (j > 0 && a[j - 1] > value) {
            a[j] = a[j - 1];
            j = j - 1;
        }
        a[j] = value;
    }
#pragma endscop
}

int main(void)
{
    int sizes[] = {0, 1, 5, 9};

    for (int s = 0; s < 4; s++) {
        int a[N];
        for (int i = 0; i < N; i++)
            a[i] = (i * 5 + 7) % 9;
        insertion_sort(sizes[s], a);
        for (int i = 0; i < N; i++)
            printf("%d%c", a[i], i == N - 1 ? '\n' : ' ');
    }
    return 0;
}
