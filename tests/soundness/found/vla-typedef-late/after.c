#include <stdio.h>

double st[4096], b[64], s; int gm;
void kernel(int n,int m)
{
typedef double row[m]; m=8; row*A=(void*)st; 
#pragma scop
for (int i=0;i<4;i++) for (int j=0;j<(n<m?n:m);j++) A[i][j]=1;
#pragma endscop

}
int main(void){ for(int i=0;i<4096;i++) st[i]=i%17; kernel(64,64); double q=0; for(int i=0;i<4096;i++) q+=st[i]*(i%101+1); printf("%.10g %g\n",q,s); return 0; }
