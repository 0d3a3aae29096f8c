#include <stdio.h>
double a[100]; static double f(short c){return 1;} static double f(int c){return 2;}
void k(void) {

#pragma scop
for (short i=0;i<100;i++) a[i] = f(i);
#pragma endscop

}
int main(){ k(); printf("%g %g\n",a[5],a[50]); return 0; }
