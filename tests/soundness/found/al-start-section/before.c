#include <stdio.h>
double p[64] __attribute__((section("lwsec")))={1}; extern double y[64] __asm__("__start_lwsec"); double q[64]; int out;
void kernel(int n)
{

#pragma scop
for (int i=1;i<64;i++) p[i]=y[i-1]+1;
#pragma endscop

}
int main(void){ for(int i=0;i<64;i++)p[i]=i%7; kernel(64); double s=0; for(int i=0;i<64;i++) s+=q[i]*(i+1)+p[i]; printf("%g %g\n",s,(double)out); return 0; }
