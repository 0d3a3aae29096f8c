#include <stdio.h>
double a[300]; struct S {char c:3; int d:4;};
void k(void) {

#pragma scop
for (int i = 0; i < 10; i++) a[i] = sizeof(struct S);
#pragma endscop

}
int main(void){ k(); printf("%g\n",a[5]); return 0; }
