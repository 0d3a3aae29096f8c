#include <stdio.h>
#include <math.h>
double a[2000],b[2000][2000]; __attribute__((noinline)) void k(int n){
#pragma scop
#pragma omp parallel for
for (long c0 = n; c0 <= (long)n + 1000; c0++)
  for (long c1 = n; c1 <= (long)n + 1000; c1++)
    b[c0 - n][c1 - n] = exp(b[c0 - n][c1 - n]) + 1;
#pragma endscop
}
int main(void){k(2147483640); printf("%g\n",b[3][3]);}