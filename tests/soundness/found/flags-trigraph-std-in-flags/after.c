#include <stdio.h>
double a[100];

void k(void) {

#pragma scop
for (int i=99;i>=0;i--) a[i] = i;
#pragma endscop

}
int main(void){ k(); int x=1; // what
 x=2;
printf("%d\n",x); return 0; }
