#include <stdio.h>
double a[300]; int n=100; int *pn[1]={&n}; static void f(int i){ if (i==50) (*pn[0])=60; }
void k(void){
#pragma scop
if (n <= 300) {
  #pragma omp parallel for if(1.0 * n >= 50000)
  for (int c0 = 0; c0 < n; c0++)
    a[c0] = c0;
  #pragma omp parallel for if(1.0 * n >= 50000)
  for (int c0 = 0; c0 < n; c0++)
    f(c0);
} else {
  for (int i=0;i<n;i++) { a[i]=i; f(i); }
}
#pragma endscop
}
int main(void){k(); printf("%g %g\n",a[3],a[99]);}