#include <stdio.h>
#include <omp.h>
double xé;
#pragma omp threadprivate(xé)
double p[64],q[64];

void kernel(int n)
{

#pragma scop
xé=3; for (int i=0;i<n;i++) q[i]=xé*p[i];
#pragma endscop

}
int main(void){ for(int i=0;i<64;i++)p[i]=i; omp_set_num_threads(4); kernel(64); double s=0; for(int i=0;i<64;i++) s+=q[i]; printf("%g\n",s); return 0; }
