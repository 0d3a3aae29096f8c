#include <stdio.h>
double a[100];
__attribute__((noinline)) void k(int n) {

#pragma scop
for (int i=0;i<n;i++) a[i] = __builtin_constant_p(i);
#pragma endscop

}
int main(void){ k(100); printf("%g %g\n",a[0],a[5]); return 0; }
