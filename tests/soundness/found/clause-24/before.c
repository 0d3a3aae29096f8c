#include <stdio.h>
double p[64],q[64]; int out; 
void kernel(int n)
{
int $=1;
#pragma scop
for ($=0;$<n;$++) q[$]=2;
#pragma endscop

#pragma omp parallel num_threads($==64?2:3)
{
#pragma omp critical
out+=1;
}
}
int main(void){ for(int i=0;i<64;i++)p[i]=i+1; kernel(64); double s=0; for(int i=0;i<64;i++) s+=q[i]*(i+1)+p[i]; printf("%g %g\n",s,(double)out); return 0; }
