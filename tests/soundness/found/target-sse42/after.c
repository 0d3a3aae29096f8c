#include <stdio.h>
#pragma GCC push_options
#pragma GCC target("sse4.2")
#ifdef __SSE4_2__
#define W 4
#else
#define W 2
#endif
#pragma GCC pop_options
double p[64],q[64]; int out; 
void kernel(int n)
{

#pragma scop
for (int i=0;i<2;i++) q[i]=2*p[i];
#pragma endscop

}
int main(void){ for(int i=0;i<64;i++)p[i]=i%7+1; kernel(64); double s=0; for(int i=0;i<64;i++) s+=q[i]*(i+1)+p[i]; printf("%g %g\n",s,(double)out); return 0; }
