#include <stdio.h>
double p[64],q[64]; int out; 
void kernel(int n)
{
int i=3; for(int r=0;r<2;r++) { typedef char T1[i]; out+=sizeof(T1);
#pragma scop
for (int c=0;c<n;c++) q[c]=2;
#pragma endscop
}
}
int main(void){ for(int i=0;i<64;i++)p[i]=i%7+1; kernel(64); double s=0; for(int i=0;i<64;i++) s+=q[i]*(i+1)+p[i]; printf("%g %g\n",s,(double)out); return 0; }
