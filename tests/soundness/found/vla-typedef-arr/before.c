#include <stdio.h>
double p[64],q[64]; int out; 
void kernel(int n)
{
int t[64]; t[3]=1;
#pragma scop
for (int i=0;i<n;i++) {t[i]=p[i]; q[i]=t[i];}
#pragma endscop
typedef char T1[t[3]+1]; out=sizeof(T1);
}
int main(void){ for(int i=0;i<64;i++)p[i]=i%7+1; kernel(64); double s=0; for(int i=0;i<64;i++) s+=q[i]*(i+1)+p[i]; printf("%g %g\n",s,(double)out); return 0; }
