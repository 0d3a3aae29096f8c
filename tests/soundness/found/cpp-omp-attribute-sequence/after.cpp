#include <stdio.h>
double a[100000];
void k(void) {

#pragma scop
[[omp::sequence(omp::directive(parallel), omp::directive(for))]] for (int i=1;i<100000;i++) a[i] = a[i-1]+1;
#pragma endscop

}
int main(){ k(); printf("%g\n",a[99999]); return 0; }
