#include <stdio.h>
double a[100];
void k(void) {
int i=0; auto show = [&i]{ printf("%d\n",i); };
#pragma scop
for (i=0;i<100;i++) { a[i] = i; }
#pragma endscop
show();
}
int main(){ k(); printf("%g %g\n",a[5],a[50]); return 0; }
