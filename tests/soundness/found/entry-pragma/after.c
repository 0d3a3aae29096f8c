#include <stdio.h>
double p[64],q[64]; int out; 
void kernel(int n)
{
int k=0;
#pragma scop
for (int i=0;i<n;i++) q[i]=q[i]+p[i]; L:;
#pragma endscop
if (k++<2) goto L;
}
int main(void){ for(int i=0;i<64;i++)p[i]=i%7+1; kernel(64); double s=0; for(int i=0;i<64;i++) s+=q[i]*(i+1)+p[i]; printf("%g %g\n",s,(double)out); return 0; }
