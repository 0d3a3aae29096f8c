#include <stdio.h>
namespace {double A[100];} extern "C" double B[100] __attribute__((alias("_ZN12_GLOBAL__N_11AE")));
void k(void) {

#pragma scop
for (int i = 0; i < 100; i++) A[i] = i;
for (int i = 0; i < 100; i++) B[i] = 100 + i;

#pragma endscop

}
int main(void){ k(); printf("%g\n",A[5]); return 0; }
