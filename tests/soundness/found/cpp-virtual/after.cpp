#include <stdio.h>
double a[100]; struct P {virtual int m(int x) { return 1; } }; struct Q:P {int m(int x) {return 2;}}; Q q;
void k(void) {

#pragma scop
for (int i=0;i<100;i++) { a[i]=q.P::m(i); }
#pragma endscop

}
int main(void){ k(); printf("%g %g\n",(double)a[5],(double)a[50]); return 0; }
