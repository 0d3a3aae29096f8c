#include <stdio.h>
double a[100]; struct P {int v; int m(int x) const { return v; } }; P p{1},q{2};
void k(void) {

#pragma scop
for (int i=0;i<100;i++) { a[i]=q.m(i); }
#pragma endscop

}
int main(void){ k(); printf("%g %g\n",(double)a[5],(double)a[50]); return 0; }
