#include <stdio.h>
double a[100]; enum E {R,G}; static double f(E c){return 1;} static double f(int c){return 2;}
void k(void) {

#pragma scop
for (int i=0;i<100;i++) a[i] = f(1);
#pragma endscop

}
int main(){ k(); printf("%g %g\n",a[5],a[50]); return 0; }
