#include <stdio.h>
#include <unistd.h>
double a[100],b[100]; static void spawn(int i){
#pragma omp task firstprivate(i)
{ b[i]=i; }
}
static void slow(void){}
 static void wt(void){
#pragma omp taskwait
 }

void k(void) {

#pragma scop
for (int i=0;i<100;i++) { spawn(i); wt(); a[i]=b[i]; }
#pragma endscop

}
int main(void){ 
#pragma omp parallel num_threads(4)
#pragma omp single
 k();
 double s=0; for (int i=0;i<100;i++) s+=a[i]; printf("%g\n",s); return 0; }
