/* An unsigned loop that counts down until it wraps: for (i = n - 1; i < n; i--). */
#include <stdio.h>

enum { N = 6 };

void suffix_sums(unsigned n, int a[], int s[])
{
#pragma scop
    for (unsigned i = n - 1; i < n; i--)
        s[i] = s[i + 1] + a[i];
#pragma endscop
}

int main(void)
{
    unsigned sizes[] = {0, 1, 6};

    for (int c = 0; c < 3; c++) {
        int a[N], s[N + 1] = {0};
        for (int i = 0; i < N; i++)
            a[i] = 3 * i - 2;
        suffix_sums(sizes[c], a, s);
        for (int i = 0; i <= N; i++)
            printf("%d%c", s[i], i == N ? '\n' : ' ');
    }
    return 0;
}
