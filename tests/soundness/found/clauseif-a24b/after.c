#include <stdio.h>
double p[64],q[64]; int out; 
void kernel(int n)
{
int a$b=1;
#pragma scop
for (int x=0;x<n;x++) q[x]=2;
#pragma endscop

#pragma omp parallel for schedule(static,a$b) reduction(+:out)
for(int z=0;z<5;z++) out+=1;

#pragma omp parallel num_threads(3) if(a$b==64)
{
#pragma omp critical
out+=1;
}
}
int main(void){ for(int i=0;i<64;i++)p[i]=i+1; kernel(64); double s=0; for(int i=0;i<64;i++) s+=q[i]*(i+1)+p[i]; printf("%g %g\n",s,(double)out); return 0; }
