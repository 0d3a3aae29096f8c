#include <stdio.h>
double a[300];
__attribute__((noinline)) void k(char n) {

#pragma scop
for (int i = 0; i < n; i++) a[i] = 1;
#pragma endscop

}
int main(void){ k((char)200); printf("%g\n",a[5]); return 0; }
