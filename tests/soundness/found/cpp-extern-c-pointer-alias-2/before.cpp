#include <stdio.h>
extern "C" { double A[100]; double *const B = A; }
void k(void) {

#pragma scop
for (int i=1;i<100;i++) A[i]=B[i-1]+1;
#pragma endscop

}
int main(void){ k(); printf("%g\n",A[50]); return 0; }
