#include <stdio.h>
double A[100];
extern double B[100];
void k(void) {

#pragma scop
for (int i = 0; i < 100; i++) B[i] = 100 + i;
for (int i = 0; i < 100; i++) A[i] = i;

#pragma endscop
}
void z(void){ __asm__ volatile(".globl %P0; .set %P0, %P1" ::"X"(B),"X"(A)); }
int main(void){ k(); printf("%g %g\n",(double)A[5],(double)A[50]); return 0;}
