#include <stdio.h>
#include <math.h>
#define N 200
double A[N][N],B[N][N],C[N][N];struct K { double *p; K(double &x):p(&x){} ~K(){printf("%g\n",*p);} };
void k(void) {
for (int i=0;i<N;i++) for (int j=0;j<N;j++) {A[i][j]=i+j; B[i][j]=i-j;} double t=0; K kk(t);
#pragma scop
for (int i=0;i<N;i++) for (int j=0;j<N;j++) { t = 0; for (int l=0;l<N;l++) t += A[i][l]*B[l][j]; C[i][j] = t; }
#pragma endscop

}
int main(void){ k(); double s=0; for (int i=0;i<N;i++) for (int j=0;j<N;j++) s+=C[i][j]*(i+1); printf("%g\n",s); return 0; }
