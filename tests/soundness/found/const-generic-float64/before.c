#include <stdio.h>
enum { K = _Generic((_Float64)0, double: 10, default: 5) };
double a[64], b[64], s, t;

void kernel(int n)
{

#pragma scop
for (int i=0;i<K;i++) b[i]=2*a[i];
#pragma endscop

}
int main(void){ for (int i=0;i<64;i++) a[i]=i*0.5+1;  kernel(64); double q=0; for (int i=0;i<64;i++) q+=a[i]*(i+1)+b[i]*(i+3); printf("%.10g %g %g\n",q,s,t); return 0; }
