#include <stdio.h>
#include <math.h>
double a[300][300]; int cnt;
void k(void) {

#pragma scop
for (int i=0;i<300;i++) for (int j=0;j<300;j++) { (void)(int(*)[(cnt++,3)])0; a[j][i] = cnt; }
#pragma endscop

}
int main(void){ k(); double s=0; for (int i=0;i<300;i++) for (int j=0;j<300;j++) s+=a[i][j]*i; printf("%g\n",s); return 0; }
