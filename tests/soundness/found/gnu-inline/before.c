#include <stdio.h>
#include <math.h>
#include <stddef.h>
enum { N = 40, SLACK = 48 };
double a[SLACK][SLACK], b[SLACK][SLACK], w[SLACK][SLACK];
double c[SLACK], d[SLACK], e[SLACK];
double s, t;
int x[SLACK], y[SLACK];
double last; extern inline __attribute__((gnu_inline)) double f(double v) { return v + 1; }

void work(int n)
{
#pragma scop
for (int i = 0; i < N; i++)
    c[i] = f(d[i]);
#pragma endscop
}
double f(double v) { last = 2 * last + v; return v + 1; }
static unsigned long seen = 1469598103934665603u;
static void note(const volatile void *place, unsigned long size)
{
    for (unsigned long k = 0; k < size; k++)
        seen = (seen ^ ((const volatile unsigned char *)place)[k]) * 1099511628211u;
}
int main(void)
{
    volatile int size = N;
    s = 1.5;
    t = 0.75;
    for (int k = 0; k < SLACK; k++) {
        c[k] = 3 * k % 7 + 1.0 / (k + 2);
        d[k] = 5 * k % 11 + 0.3;
        e[k] = k * k % 13 - 2.0 / (k + 3);
        x[k] = k % 9 - 3;
        y[k] = 7 * k % 17;
        for (int l = 0; l < SLACK; l++) {
            a[k][l] = (3 * k + 5 * l) % 17 + 1.0 / (k + l + 1);
            b[k][l] = (7 * k + 2 * l) % 19 - 0.7;
            w[k][l] = (2 * k + 9 * l) % 5 + 1.0 / (2 * k + l + 3);
        }
    }
    work(size);
printf("%g\n", last);
    note(a, sizeof a);
    note(b, sizeof b);
    note(w, sizeof w);
    note(c, sizeof c);
    note(d, sizeof d);
    note(e, sizeof e);
    note(x, sizeof x);
    note(y, sizeof y);
    note(&s, sizeof s);
    note(&t, sizeof t);
    printf("%lx %.9g %.9g %d\n", seen, a[1][2], c[N - 1], x[3]);
    return 0;
}
