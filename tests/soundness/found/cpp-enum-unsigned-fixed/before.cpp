#include <stdio.h>
double a[100]; enum E : unsigned {R,ONE}; int x[100]; 
void k(void) {

#pragma scop
for (int i=0;i<100;i++) a[i] = ONE - 2 < 0;
#pragma endscop

}
int main(){ k(); printf("%g %g\n",a[5],a[50]); return 0; }
