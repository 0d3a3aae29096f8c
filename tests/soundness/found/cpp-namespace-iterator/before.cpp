#include <stdio.h>
double a[100]; namespace N { int i;}
void k(void) {

#pragma scop
for (N::i=0;N::i<100;N::i++) a[N::i] = N::i;
#pragma endscop

}
int main(){ k(); printf("%d\n",N::i); return 0; }
