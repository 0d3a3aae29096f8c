#include <stdio.h>
double a[100], b[100];
void k(void) {
#pragma scop
for (int i = 99; i >= 0; i--) { b[i] = a[i] * 2; }
#pragma endscop
}
int main(void){ k();
int x=0; x=1; // a x=2;
 printf("%d",x);
return 0;}
