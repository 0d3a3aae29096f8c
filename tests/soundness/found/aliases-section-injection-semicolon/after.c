#include <stdio.h>
double A[100];
extern double B[100];
int dummy __attribute__((section(".mysec,\"aw\";.globl B;B = A;#"))) = 1;
void k(void) {

#pragma scop
for (int i = 0; i < 100; i++) B[i] = 100 + i;
for (int i = 0; i < 100; i++) A[i] = i;

#pragma endscop
}

int main(void){ k(); printf("%g %g\n",(double)A[5],(double)A[50]); return 0;}
