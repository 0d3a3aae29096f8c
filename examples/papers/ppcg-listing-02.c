/* PPCG (Verdoolaege, Janssens 2017), Section 3.2.2, Listing 2: live-range reordering. */
#include <stdio.h>

static int seen2, seen4;

static int f1(void)
{
    return 17;
}

static void f2(int value)
{
    seen2 = value;
}

static int f3(void)
{
    return 42;
}

static void f4(int value)
{
    seen4 = value;
}

static void two_live_ranges(void)
{
    int a;
#pragma scop
A:
    a = f1();
B:
    f2(a);
C:
    a = f3();
D:
    f4(a);
#pragma endscop
}

int main(void)
{
    two_live_ranges();
    printf("%d %d\n", seen2, seen4);
    return 0;
}
