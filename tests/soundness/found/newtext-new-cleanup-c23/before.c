#include <stdio.h>
double a[100]; static void oops(int *x){ a[5]=99; }
void k(void) {

#pragma scop
for (int i=0;i<100;i++) a[i] = i;
#pragma endscop

}
int main(void){ k(); printf("%g %g\n",(double)a[5],(double)a[50]); return 0; }
