#include <stdio.h>
double p[64],q[64]; int out; 
void kernel(int n)
{

#pragma scop
for (int i=0;i<8;i++) q[i+8]=2*p[i+8];
#pragma endscop

}
int main(void){ for(int i=0;i<64;i++)p[i]=i+1; kernel(64); double s=0; for(int i=0;i<64;i++) s+=q[i]*(i+1)+p[i]; printf("%g %g\n",s,(double)out); return 0; }
