#include <stdio.h>
double a[100]; static double f(char c){return 1;} static double f(int c){return 2;}
void k(void) {

#pragma scop
for (int i=0;i<100;i++) a[i] = f('a');
#pragma endscop

}
int main(){ k(); printf("%g %g\n",a[5],a[50]); return 0; }
