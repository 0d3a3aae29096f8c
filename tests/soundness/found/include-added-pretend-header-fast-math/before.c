#include <stdio.h>

double a[100],b[100];
void k(void){
#pragma scop
for (int i=0;i<100;i++) a[i] = i;
#pragma endscop
}
int main(void){k();volatile double z=0; printf("%d\n",z/z==z/z);}
