#include <stdio.h>
double A[100]; double *T[2][1]={{A},{A}};
void k(void) {

#pragma scop
for (int i=0;i<100;i++) A[i]=i; for (int i=0;i<100;i++) T[1][0][i]=100;
#pragma endscop

}
int main(void){ k(); printf("%g\n",A[5]); return 0; }
