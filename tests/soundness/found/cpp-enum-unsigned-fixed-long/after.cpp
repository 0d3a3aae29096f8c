#include <stdio.h>
double a[100]; enum E : long {R,ONE}; int x[100]; 
void k(void) {

#pragma scop
for (int i=0;i<100;i++) a[i] = 1 << 40;
#pragma endscop

}
int main(){ k(); printf("%g %g\n",a[5],a[50]); return 0; }
