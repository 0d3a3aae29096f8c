#include <stdio.h>
double A[100];
typedef double T[100]; extern T (B) __attribute__((alias("A")));
void k(void) {

#pragma scop
for (int i = 0; i < 100; i++) B[i] = 100 + i;
for (int i = 0; i < 100; i++) A[i] = i;

#pragma endscop
}
int main(void){ k(); printf("%g %g\n",(double)A[5],(double)A[50]); return 0;}
