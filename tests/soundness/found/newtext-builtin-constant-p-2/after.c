#include <stdio.h>
double a[100];
void k(void) {

#pragma scop
a[0] = __builtin_constant_p(0) ? 1 : 2; for (int i=1;i<100;i++) a[i] = __builtin_constant_p(i) ? 1 : 2;
#pragma endscop

}
int main(void){ k(); printf("%g %g\n",a[0],a[5]); return 0; }
