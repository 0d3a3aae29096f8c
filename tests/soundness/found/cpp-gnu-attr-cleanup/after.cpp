#include <stdio.h>
double a[100]; static void oops(int *x){ a[5] = 99; }
void k(void) {

#pragma scop
{ [[gnu::cleanup(oops)]] int z; for (int i=0;i<100;i++) a[i] = i; }
#pragma endscop

}
int main(){ k(); printf("%g %g\n",a[5],a[50]); return 0; }
