#include <stdio.h>
double a[100]; namespace N { int i;}
void k(void) {

#pragma scop
for (int i=99;i>=0;i--) {a[i] = i;}
#pragma endscop

}
int main(){ k(); printf("%d\n",N::i); return 0; }
