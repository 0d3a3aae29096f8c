#include <stdio.h>
#pragma GCC optimize("fast-math")
float a[1000],s,r;
__attribute__((noinline)) void k(void) {

#pragma scop
s=0; for (int i=0;i<1000;i+=8) for (int j=i;j<i+8;j++) s+=a[j]; r=s;
#pragma endscop

}
int main(void){ for (int i=0;i<1000;i++) a[i]=1.0f/(i+1); k(); printf("%.9g\n",r); return 0; }
