#include <stdio.h>
double a[100]; static double f(short c){return 1;} static double f(int c){return 2;}
void k(void) {

#pragma scop
for (int c=0;c<100;c++) a[c] = f(c);
#pragma endscop

}
int main(){ k(); printf("%g %g\n",a[5],a[50]); return 0; }
