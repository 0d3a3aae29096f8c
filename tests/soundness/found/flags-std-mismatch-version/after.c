#include <stdio.h>
double a[100];

void k(void) {

#pragma scop
for (int i=99;i>=0;i--) a[i] = i;
#pragma endscop

}
int main(void){ k(); 
#if __STDC_VERSION__ < 201112L
printf("2\n");
#endif
 return 0; }
