#include <stdio.h>
#include <omp.h>
double p[4096],q[4096],w[64];
void kernel(int n,int k)
{
int i;
#pragma omp parallel num_threads(4)
if (k<0) q[0]=1;
#pragma ident "x"
else { int id=omp_get_thread_num();
#pragma scop
for (i=0;i<64;i++) q[id*64+i]=2*p[id*64+i];
#pragma endscop
}
}
int main(void){ for(int i=0;i<4096;i++) p[i]=i; double bad=0; for(int rep=0;rep<3000;rep++){ kernel(64,1); for(int i=64;i<256;i++) bad+=(q[i]!=2*p[i]); } printf("%d\n",bad>0); return 0; }
