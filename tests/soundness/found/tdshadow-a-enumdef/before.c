#include <stdio.h>
typedef enum {X1=1,X2=-1} T;
T w0[64]; long out2[64];
void kernel(int n,T *w) {
typedef enum __attribute__((packed)) {Y1=1,Y2=-1} T;
#pragma scop
for (int i=0;i<n;i++) out2[i]=w[i];
#pragma endscop
}
int main(void){ for(int i=0;i<64;i++) w0[i]=i*100000; kernel(64,w0); long s=0; for(int i=0;i<64;i++) s+=out2[i]; printf("%ld\n",s); return 0; }
