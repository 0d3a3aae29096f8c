#include <stdio.h>
double p[64],q[64]; int out; int shared(int x){return x==64?2:3;}
void kernel(int n)
{
int i=1;
#pragma scop
for (i=0;i<n;i++) q[i]=2;
#pragma endscop

#pragma omp parallel num_threads(shared(i))
{
#pragma omp critical
out+=1;
}
}
int main(void){ for(int i=0;i<64;i++)p[i]=i%7; kernel(64); double s=0; for(int i=0;i<64;i++) s+=q[i]*(i+1)+p[i]; printf("%g %g\n",s,(double)out); return 0; }
