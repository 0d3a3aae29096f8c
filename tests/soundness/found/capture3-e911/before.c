#include <stdio.h>
double p[64],q[64],out; double é=5;
void kernel(int n)
{

#pragma scop
for (int i=0;i<n;i++) {double x=p[i]; q[i]=2*x;}
#pragma endscop
out=é;
}
int main(void){ for(int i=0;i<64;i++)p[i]=i; kernel(64); double s=0; for(int i=0;i<64;i++) s+=q[i]*(i+1)+p[i]; printf("%g %g\n",s,out); return 0; }
