#include <stdio.h>
typedef long T; T a[200][200], b[200][200]; T t;
void k(void) {
typedef short T; for (int i=0;i<200;i++) for (int j=0;j<200;j++) a[i][j]=100000+i;
#pragma scop
for (int i=0;i<200;i++) for (int j=0;j<200;j++) { t = a[j][i]*3; b[j][i] = t+1; }
#pragma endscop

}
int main(void){ k(); printf("%ld %ld\n",b[5][6],t); return 0; }
