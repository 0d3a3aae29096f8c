#include <stdio.h>
double a[100]; namespace N { double t;}
void k(void) {

#pragma scop
for (int i=0;i<100;i++) {N::t = i; a[i] = N::t;}
#pragma endscop

}
int main(){ k(); printf("%g\n",N::t); return 0; }
