#include <stdio.h>
extern "C" { double A[100]; double *B = A; }
void k(void) {

#pragma scop
for (int i = 0; i < 100; i++) A[i] = i;
for (int i = 0; i < 100; i++) B[i] = 100 + i;

#pragma endscop

}
int main(void){ k(); printf("%g\n",A[5]); return 0; }
