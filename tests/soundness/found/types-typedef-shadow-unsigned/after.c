#include <stdio.h>
typedef unsigned T; unsigned a[100]; double b[100];
void k(T *a) {
typedef int T;
#pragma scop
for (int i=0;i<100;i++) { T t; t = a[i]; b[i]=t; }
#pragma endscop

}
int main(void){ a[5]=3000000000u; k(a); printf("%g\n",b[5]); return 0; }
