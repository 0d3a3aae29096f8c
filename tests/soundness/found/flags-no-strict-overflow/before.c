#include <stdio.h>
double a[100];
__attribute__((noinline)) void k(int n) {

#pragma scop
for (int i = n; i < n + 10; i++) a[i - n] = 1;
#pragma endscop

}
int main(void){ k(2147483640); printf("%g\n",a[5]); return 0; }
