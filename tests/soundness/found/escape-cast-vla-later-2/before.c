#include <stdio.h>
double a[100]; long z;
void k(void) {
int i=0;
#pragma scop
for (i=0;i<100;i++) { a[i]=i; }
#pragma endscop
printf("%d\n",(int)((char*)((char(*)[i+5])&z + 1)-(char*)&z));
}
int main(void){ k(); printf("%g %g\n",(double)a[5],(double)a[50]); return 0; }
