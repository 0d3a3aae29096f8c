#include <stdio.h>
double a[100]; int cnt;
void k(void) {

#pragma scop
for (int i=0;i<100;i++) { a[i] = cnt; (void)(int(*)[(cnt++,3)])0; }
#pragma endscop

}
int main(void){ k(); printf("%g %g\n",(double)a[5],(double)a[50]); return 0; }
