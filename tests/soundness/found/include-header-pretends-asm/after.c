#include <stdio.h>
#include "h.h"

void k(void) {

#pragma scop
for (int i = 0; i < 100; i++) B[i] = 100 + i;
for (int i = 0; i < 100; i++) A[i] = i;

#pragma endscop

}
int main(void){ k(); printf("%g\n",A[5]); return 0; }
