#include <stdio.h>
double a[100000],b[100000];
void k(void){
#include "p.h"
#pragma scop
for (int i=0;i<100000;i++) b[i]=1;
for (int i=1;i<100000;i++) a[i]=a[i-1]+b[i];
#pragma endscop
}
int main(void){k();printf("%g\n",a[99999]);}