#include <stdio.h>
struct B { unsigned long l:31; unsigned long b:40; unsigned long m:32; unsigned long o:63; unsigned w:31; } z = {0,0,0,0,0};
double a[64], b[64], s, t;

void kernel(int n)
{

#pragma scop
for (int i=0;i<8;i++) b[i]=2*a[i];
#pragma endscop

}
int main(void){ for (int i=0;i<64;i++) a[i]=i*0.5+1;  kernel(64); double q=0; for (int i=0;i<64;i++) q+=a[i]*(i+1)+b[i]*(i+3); printf("%.10g %g %g\n",q,s,t); return 0; }
