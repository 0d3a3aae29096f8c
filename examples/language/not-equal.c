/* Loops that end on !=, with steps 1, 2 and -1. */
#include <stdio.h>

enum { N = 6 };

void interleave(int n, int even[], int odd[], int both[])
{
#pragma scop
    for (int i = 0; i != n; i++)
        both[2 * i] = even[i];
    for (int i = 1; i != 2 * n + 1; i += 2)
        both[i] = odd[(i - 1) / 2];
    for (int i = n; i != 0; --i)
        even[i - 1] = both[2 * n - i];
#pragma endscop
}

int main(void)
{
    int sizes[] = {0, 1, 5, 6};

    for (int s = 0; s < 4; s++) {
        int even[N], odd[N], both[2 * N] = {0};
        for (int i = 0; i < N; i++) {
            even[i] = 2 * i;
            odd[i] = 2 * i + 1;
        }
        interleave(sizes[s], even, odd, both);
        for (int i = 0; i < 2 * N; i++)
            printf("%d ", both[i]);
        for (int i = 0; i < N; i++)
            printf("%d%c", even[i], i == N - 1 ? '\n' : ' ');
    }
    return 0;
}
