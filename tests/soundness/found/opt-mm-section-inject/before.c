#include <stdio.h>
#include <math.h>
#define N 200
double A[N][N],B[N][N],C[N][N];extern double C2[N][N]; int dummy __attribute__((section(".mysec,\"aw\"\nC2 = C\n#"))) = 1;
void k(void) {
for (int i=0;i<N;i++) for (int j=0;j<N;j++) {A[i][j]=(i+j)%3; B[i][j]=(i-j)*0.001; C[i][j]=i+j;} 
#pragma scop
for (int i=0;i<N;i++) for (int j=0;j<N;j++) for (int l=0;l<N;l++) C[i][j] += B[i][l]*C2[l][j]*0.01;
#pragma endscop

}
int main(void){ k(); double s=0; for (int i=0;i<N;i++) for (int j=0;j<N;j++) s+=C[i][j]*(i+1); printf("%.17g\n",s); return 0; }
