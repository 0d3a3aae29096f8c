#include <stdio.h>
typedef long T, F(void);
T w0[64]; long out2[64];
void kernel(int n,T *w) {
typedef short T, G(void);
#pragma scop
for (int i=0;i<n;i++) { T t = w[i]; out2[i]=t; }
#pragma endscop
}
int main(void){ for(int i=0;i<64;i++) w0[i]=i*100000; kernel(64,w0); long s=0; for(int i=0;i<64;i++) s+=out2[i]; printf("%ld\n",s); return 0; }
