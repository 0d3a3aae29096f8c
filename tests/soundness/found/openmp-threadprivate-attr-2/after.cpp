#include <stdio.h>
double a[100000]; double t; [[omp::directive(threadprivate(t))]];
void k(void) {

#pragma scop
#pragma omp parallel for
for (int i=0;i<100000;i++) a[i] = t;
#pragma endscop

}
int main(void){ t=1; k(); double s=0; for (int i=0;i<100000;i++) s+=a[i]; printf("%g\n",s); return 0; }
