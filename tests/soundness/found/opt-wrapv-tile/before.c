#include <stdio.h>
#include <math.h>
double a[2000],b[2000][2000]; __attribute__((noinline)) void k(int n){
#pragma scop
for (int i=n;i<=n+1000;i++) for (int j=n;j<=n+1000;j++) b[j-n][i-n]=exp(b[j-n][i-n])+1;
#pragma endscop
}
int main(void){k(2147483640); printf("%g\n",b[3][3]);}