#include <stdio.h>
double A[100];
extern double (B)[100] __asm__("A");
void k(void) {

#pragma scop
for (int i = 0; i < 100; i++) A[i] = i;
for (int i = 0; i < 100; i++) B[i] = 100 + i;

#pragma endscop
}

int main(void){ k(); printf("%g %g\n",(double)A[5],(double)A[50]); return 0;}
