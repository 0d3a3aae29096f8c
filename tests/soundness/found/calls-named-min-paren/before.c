#include <stdio.h>
double a[300]; int (min)(int,int) __asm__("mymin"); int c; int mymin(int x,int y){ c++; return x<y?x:y; }
void k(void) {

#pragma scop
for (int i=0;i<100;i++) { a[i]=min(i,50)+c; }
#pragma endscop

}
int main(void){ k(); printf("%g %g\n",(double)a[5],(double)a[50]); return 0; }
