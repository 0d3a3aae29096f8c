#include <stdio.h>
typedef double F(double);double p[64],q[64]; int out; double f(double x){return 2*x;} double g(double x){return 3*x;}
void kernel(int n,double (*f)(double))
{

#pragma scop
for (int i=0;i<n;i++) { double f(); q[i]=f(p[i]); }
#pragma endscop
out=f(1);
}
int main(void){ for(int i=0;i<64;i++)p[i]=i+1; kernel(64,g); double s=0; for(int i=0;i<64;i++) s+=q[i]*(i+1)+p[i]; printf("%g %g\n",s,(double)out); return 0; }
