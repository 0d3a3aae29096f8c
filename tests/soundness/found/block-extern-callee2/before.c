#include <stdio.h>
double p[64],q[64]; int out; double z[64]; static void c1(int i){ {double z; {extern double z[64]; z[i]=i;} }}
void kernel(int n)
{

#pragma scop
for (int i=0;i<n;i++) c1(i); for (int i=0;i<n;i++) q[i]=z[i];
#pragma endscop

}
int main(void){ for(int i=0;i<64;i++)p[i]=i+1; kernel(64); double s=0; for(int i=0;i<64;i++) s+=q[i]*(i+1)+p[i]; printf("%g %g\n",s,(double)out); return 0; }
