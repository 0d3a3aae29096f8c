#include <stdio.h>
namespace N { double A[100]; double *B = A; }
void k(void) {

#pragma scop
for (int i = 0; i < 100; i++) N::A[i] = i;
for (int i = 0; i < 100; i++) N::B[i] = 100 + i;

#pragma endscop

}
int main(void){ k(); printf("%g\n",N::A[5]); return 0; }
