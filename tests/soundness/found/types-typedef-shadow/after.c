#include <stdio.h>
typedef long T; long a[100],b[100];
void k(T *a) {
typedef short T;
#pragma scop
for (int i=0;i<100;i++) { T t; t = a[i]; b[i]=t; }
#pragma endscop

}
int main(void){ a[5]=100000; k(a); printf("%ld\n",b[5]); return 0; }
