#include <stdio.h>
double a[300]; struct E {char c; int x;};
void k(void) {

#pragma scop
for (int i = 0; i < 10; i++) a[i] = sizeof(struct E);
#pragma endscop

}
int main(void){ k(); printf("%g\n",a[5]); return 0; }
