#include <stdio.h>
double a[100]; namespace { double t;}
void k(void) {

#pragma scop
for (int i=0;i<100;i++) {t = i; a[i] = t;}
#pragma endscop

}
int main(){ k(); printf("%g\n",t); return 0; }
