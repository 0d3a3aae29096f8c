#include <stdio.h>
double a[100], b[100];
void k(void) {
#pragma scop
for (int i = 99; i >= 0; i--) { b[i] = a[i] * 2; }
#pragma endscop
}
int main(void){ k();
int return\u00e9=1; int \u00e9=3; return \u00e9; printf("x\n"); return\u00e9;
return 0;}
