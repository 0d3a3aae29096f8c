#include <stdio.h>
double p[64],q[64]; int out; int abs(int);
void kernel(int n)
{
int abs=5; {
#pragma scop
int abs(int); for (int i=0;i<n;i++) { q[i]=2*p[i]; }
#pragma endscop
out=sizeof(abs);}
}
int main(void){ for(int i=0;i<64;i++)p[i]=i+1; kernel(64); double s=0; for(int i=0;i<64;i++) s+=q[i]*(i+1)+p[i]; printf("%g %g\n",s,(double)out); return 0; }
