#include <stdio.h>
double a[2]; double r[2][1000]; int omp_get_thread_num(void); static void bar(void){
#pragma omp barrier
 }

void k(int t) {

#pragma scop
for (int i=0;i<1000;i++) { a[t]=i; bar(); bar(); } for (int i=0;i<1000;i++) r[t][i]=a[1-t];
#pragma endscop

}
int main(void){ 
#pragma omp parallel num_threads(2)
k(omp_get_thread_num());
 printf("%g %g\n",r[0][5],r[1][5]); return 0; }
