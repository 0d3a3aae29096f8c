#include <stdio.h>
double a[100], b[100];
void k(void) {
#pragma scop
for (int i = 0; i < 100; i++) { b[i] = a[i] * 2; }
#pragma endscop
}
int main(void){ k();
int x=1; int z = - -x; printf("%d %d\n",x,z);
return 0;}
