#include <stdio.h>
namespace N { double a[200]; } static int c; void g(void){ printf("%g\n",N::a[c++]); } void (*fp)(void) = g;
void k(void) {

#pragma scop
for (int i=0;i<100;i++) { N::a[i]=i; fp(); }
#pragma endscop

}
int main(){ k();  return 0; }
