/* Nested locals and iterators that shadow outer ones of the same name. */
#include <stdio.h>

enum { N = 5 };

void shadow(int n, int a[], int b[])
{
    int t = 100;

#pragma scop
    for (int i = 0; i < n; i++) {
        int t = i;
        a[i] += t;
        {
            int t = 2 * i;
            b[i] = t;
            for (int i = 0; i < 2; i++) {
                int t = 7 * i;
                b[i] += t;
            }
            b[i] += t;
        }
        a[i] += 10 * t;
    }
    for (int i = 0; i < n; i++)
        a[i] += t;
#pragma endscop
}

int main(void)
{
    int sizes[] = {0, 2, 5};

    for (int s = 0; s < 3; s++) {
        int a[N] = {0}, b[N] = {0};
        shadow(sizes[s], a, b);
        for (int i = 0; i < N; i++)
            printf("%d,%d%c", a[i], b[i], i == N - 1 ? '\n' : ' ');
    }
    return 0;
}
