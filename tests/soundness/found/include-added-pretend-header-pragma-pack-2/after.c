#include <stdio.h>
#include "h.h"

double a[100],b[100];
void k(void){
#pragma scop
for (int i=99;i>=0;i--) a[i] = i;
#pragma endscop
}
int main(void){k();struct S {char c; int x;}; printf("%d\n",(int)sizeof(struct S));}
