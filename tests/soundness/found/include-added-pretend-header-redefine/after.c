#include <stdio.h>
#include "h.h"

double a[100],b[100];
void k(void){
#pragma scop
for (int i=99;i>=0;i--) a[i] = i;
#pragma endscop
}
int main(void){k();extern int puts(const char*); puts("x");} int my_puts(const char*x){ printf("my %s\n",x); return 0;}
