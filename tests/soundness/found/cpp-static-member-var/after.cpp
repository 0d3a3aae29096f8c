#include <stdio.h>
double a[100]; struct S { static double t;}; double S::t;
void k(void) {

#pragma scop
for (int i=99;i>=0;i--) {S::t = i; a[i] = S::t;}
#pragma endscop

}
int main(){ k(); printf("%g\n",S::t); return 0; }
