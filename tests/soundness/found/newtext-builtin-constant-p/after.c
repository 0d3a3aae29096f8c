#include <stdio.h>
double a[100];
__attribute__((noinline)) void k(int n) {

#pragma scop
if (n >= 1) a[0] = __builtin_constant_p(0); for (int i=1;i<n;i++) a[i] = __builtin_constant_p(i);
#pragma endscop

}
int main(void){ k(100); printf("%g %g\n",a[0],a[5]); return 0; }
