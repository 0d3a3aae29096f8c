#include <stdio.h>
#include "h.h"
double a[100]; double nextx(double x){ static int c; return x + c++; }
void k(void) {

#pragma scop
for (int i=0;i<100;i++) a[i] = next(i);
#pragma endscop

}
int main(void){ k(); printf("%g %g\n",(double)a[5],(double)a[50]); return 0; }
