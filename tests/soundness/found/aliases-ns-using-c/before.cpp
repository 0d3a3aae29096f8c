#include <stdio.h>
namespace N {double A[100];} using N::A; namespace M = N; 

void k(void) {

#pragma scop
for (int i = 0; i < 100; i++) A[i] = i;
for (int i = 0; i < 100; i++) M::A[i] = 100 + i;

#pragma endscop
}

int main(void){ k(); printf("%g %g\n",(double)A[5],(double)A[50]); return 0;}
