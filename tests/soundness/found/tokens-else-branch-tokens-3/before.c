#include <stdio.h>
double a[100]; int x=1,n=50;
void k(void) {

#pragma scop
for (int i=0;i<n;i++) a[i]=- -x;
#pragma endscop

}
int main(void){ k(); printf("%g %g\n",(double)a[5],(double)a[50]); return 0; }
