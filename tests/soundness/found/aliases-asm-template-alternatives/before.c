#include <stdio.h>
double A1[100];
extern double B2[100];
void k(void) {

#pragma scop
for (int i = 0; i < 100; i++) A1[i] = i;
for (int i = 0; i < 100; i++) B2[i] = 100 + i;

#pragma endscop
}
void z(void){ __asm__ volatile(".globl B{|}2; .set B{|}2, A{|}1" ::); }
#define A A1

int main(void){ k(); printf("%g %g\n",(double)A[5],(double)A[50]); return 0;}
