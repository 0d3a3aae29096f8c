#include <stdio.h>
double a[100000]; namespace N {extern double t;}
#pragma omp threadprivate(N::t)
 double N::t;
void k(void) {

#pragma scop
for (int i=0;i<100000;i++) a[i] = N::t;
#pragma endscop

}
int main(void){ N::t=1; k(); double s=0; for (int i=0;i<100000;i++) s+=a[i]; printf("%g\n",s); return 0; }
