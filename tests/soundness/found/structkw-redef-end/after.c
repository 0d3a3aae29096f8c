#include <stdio.h>
struct S {int v;}; struct R {char c;}; double p[64],q[64]; int out;
void kernel(int n)
{

#pragma scop
for (int i=0;i<n;i++) q[i]=sizeof(struct S)*p[i]; struct S {int v[3];};
#pragma endscop
out=sizeof(struct S);
}
int main(void){ for(int i=0;i<64;i++)p[i]=i+1; kernel(64); double s=0; for(int i=0;i<64;i++) s+=q[i]*(i+1)+p[i]; printf("%g %g\n",s,(double)out); return 0; }
