/* Everything on few lines, as generators write. */
#include "show.h"
static double a[26][26],b[26][26],c[26][26];
static void f(int n){int i,j,k;for(i=0;i<n;i++)for(j=0;j<n;j++){c[i][j]=0;for(k=0;k<n;k++)c[i][j]+=a[i][k]*b[k][j];}} /* => rewritten */
int main(void){int i,j;for(i=0;i<26;i++)for(j=0;j<26;j++){a[i][j]=(i+j)%5;b[i][j]=(i*j)%4;}f(26);show("c",&c[0][0],676);return 0;}
