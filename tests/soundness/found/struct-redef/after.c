#include <stdio.h>
double p[64],q[64],out; struct S {char c[9];};
void kernel(int n)
{
struct S z;
#pragma scop
for (int i=0;i<n;i++) q[i]=p[i]*sizeof(struct S); struct S {char c[2];};
#pragma endscop
out=sizeof(struct S);
}
int main(void){ for(int i=0;i<64;i++)p[i]=i; kernel(64); double s=0; for(int i=0;i<64;i++) s+=q[i]*(i+1)+p[i]; printf("%g %g\n",s,out); return 0; }
