#include <stdio.h>
double a[100]; struct S { static double t;}; double S::t;
void k(void) {

#pragma scop
for (int i=0;i<100;i++) {S::t = i; a[i] = S::t;}
#pragma endscop

}
int main(){ k(); printf("%g\n",S::t); return 0; }
