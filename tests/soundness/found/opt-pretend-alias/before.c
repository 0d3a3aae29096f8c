#include <stdio.h>
#include "q.h"

void k(void) {
for (int j=0;j<300;j++) A[0][j]=j;
#pragma scop
for (int j=0;j<300;j++) for (int i=1;i<300;i++) A[i][j]=B[i-1][j]+1;
#pragma endscop

}
int main(void){ k(); double s=0; for (int i=0;i<300;i++) for (int j=0;j<300;j++) s+=A[i][j]*i; printf("%g\n",s); return 0; }
