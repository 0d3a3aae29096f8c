/* Grosser et al. 2015, Section 5.2, Example 5.1: exact and approximate elimination. */
#include <stdio.h>

#define min(x, y) ((x) < (y) ? (x) : (y))
#define floord(n, d) ((n) < 0 ? -((-(n) + (d) - 1) / (d)) : (n) / (d))

enum { SIZE = 12 };

void exact(int N, int body[SIZE])
{
#pragma scop
    for (int c0 = 1; c0 <= min(2, floord(N, 2)); c0 += 1)
        body[c0] += c0;
    for (int c0 = 3; c0 <= floord(N, 2) + 2; c0 += 1)
        body[c0] += c0;
#pragma endscop
}

/* The overapproximation has one loop: it adds c0 = 2 for N = 2 and N = 3. As printed it has no test
 * of N >= 2, so it runs for N = -2 to 1, too. */
void approximate(int N, int body[SIZE])
{
#pragma scop
    for (int c0 = 1; c0 <= floord(N, 2) + 2; c0 += 1)
        body[c0] += c0;
#pragma endscop
}

int main(void)
{
    for (int N = -5; N <= 15; N += 4) {
        int one[SIZE] = {0}, two[SIZE] = {0};
        exact(N, one);
        approximate(N, two);
        printf("N = %d:", N);
        for (int i = 0; i < SIZE; i++)
            printf(" %d/%d", one[i], two[i]);
        printf("\n");
    }
    return 0;
}
