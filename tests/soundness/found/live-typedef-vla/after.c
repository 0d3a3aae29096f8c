#include <stdio.h>

double a[64], b[64], s, t;
int g(int x){return x;} void g2(int x){s=x;} void g3(int k,...){__builtin_va_list ap; __builtin_va_start(ap,k); s=__builtin_va_arg(ap,int); __builtin_va_end(ap);} void gv(int k,char (*p)[k]){s=sizeof *p;} void gc(int*p){s=*p;} void gcp(int**p){s=**p;}
void kernel(int n)
{
int i=3;
#pragma scop
for (int c=0;c<n;c++) b[c]=2*a[c];
#pragma endscop
typedef char row[i]; s=sizeof(row);
}
int main(void){ for (int i=0;i<64;i++) a[i]=i*0.5+1;  kernel(64); double q=0; for (int i=0;i<64;i++) q+=a[i]*(i+1)+b[i]*(i+3); printf("%.10g %g %g\n",q,s,t); return 0; }
