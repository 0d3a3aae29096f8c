#include <stdio.h>
double a[300]; int (abs)(int) __asm__("mymin"); int c; int mymin(int x){ c++; return x; }
void k(void) {

#pragma scop
for (int i=99;i>=0;i--) { a[i]=abs(i)+c; }
#pragma endscop

}
int main(void){ k(); printf("%g %g\n",(double)a[5],(double)a[50]); return 0; }
