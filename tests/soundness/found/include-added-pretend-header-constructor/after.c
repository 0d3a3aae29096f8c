#include <stdio.h>
#include "h.h"
double a[100],b[100];
void k(void){
#pragma scop
for (int i=99;i>=0;i--) a[i] = i;
#pragma endscop
}
int main(void){k();printf("%g %g\n",(double)a[5],(double)a[50]);}
