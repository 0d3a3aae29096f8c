#include <stdio.h>
double p[64],q[64]; int out; double r[64];
void kernel(int n)
{

#pragma scop
for (int i=0;i<n;i++) r[i]=p[i]*p[i]/3; for (int i=0;i<n;i++) q[i]=r[i]-p[i]/7;
#pragma endscop

}
int main(void){ for(int i=0;i<64;i++)p[i]=1.0/(i+3); kernel(64); long s=0; for(int i=0;i<64;i++) ; long z=0; for(int i=0;i<64;i++){long w; __builtin_memcpy(&w,&q[i],8); z^=w*(i+1);} printf("%lx\n",z); return 0; }
