#include <stdio.h>
double a[100]; extern "C" { double t;}
void k(void) {

#pragma scop
for (int i=99;i>=0;i--) {t = i; a[i] = t;}
#pragma endscop

}
int main(){ k(); printf("%g\n",t); return 0; }
