#include <stdio.h>
double a[100]; static int c; static double nx(){ return ++c; } static double f(int n){ static double t = nx()*n; return t; }
void k(void) {

#pragma scop
for (int i=1;i<100;i++) a[i] = f(i);
#pragma endscop

}
int main(void){ k(); printf("%g %g\n",(double)a[5],(double)a[50]); return 0; }
